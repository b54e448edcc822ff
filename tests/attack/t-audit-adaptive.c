/* SPDX-License-Identifier: MIT */
/* The path of thresholds of onerun-adaptive and its levels, which are found by doubles that know
 * how far they may be off, beside all tails one after another at many bits. */
#include "support.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

#include "attack/audit_level.h"
#include "tower.h"

/* out = Pr[Bin(n, q) >= k] */
static void tail_of(mpfr_t out, double epsilon, unsigned long k, unsigned long n)
{
    tower t;
    tower_init(&t, epsilon);
    for (unsigned long r = 0; r < n; r++)
        step(&t, r >= k);
    mpfr_set(out, t.tail, MPFR_RNDN);
    tower_clear(&t);
}

typedef struct question {
    audit_in in;
    dp_number claim;
    double reference;
} question;

static void question_init(question *q, double reference, const char *text, const char *delta)
{
    memset(q, 0, sizeof *q);
    dp_number_init(&q->claim);
    number_of(&q->claim, text);
    mpq_inits(q->in.alpha, q->in.delta, NULL);
    rational_of(q->in.delta, delta);
    rational_of(q->in.alpha, "0.05");
    q->in.claim = &q->claim;
    q->reference = reference;
}

static void question_clear(question *q)
{
    mpq_clears(q->in.alpha, q->in.delta, NULL);
    dp_number_clear(&q->claim);
}

/* Each step is right: what stays has a tail that is at most the outcome's, what rises would not
 * have. What rounding does not tell from a tie counts as one. */
static void check_path(const path *p, const question *q)
{
    tower t;
    mpfr_t most, there;
    mpfr_inits2(BITS, most, there, (mpfr_ptr)0);
    tail_of(most, q->reference, q->in.hits, q->in.members);
    mpfr_set(there, most, MPFR_RNDN);
    mpfr_div_2ui(there, there, BITS - 200, MPFR_RNDN);
    mpfr_add(most, most, there, MPFR_RNDN);
    tower_init(&t, q->reference);
    unsigned long first = 0;
    for (unsigned long r = 1; r <= q->in.canaries; r++) {
        bool stay = false;
        if (t.v > 0) {
            gain(&t);
            mpfr_add(there, t.tail, t.part, MPFR_RNDN);
            stay = mpfr_lessequal_p(there, most);
        }
        if (stay != p->part[0].stay[r - 1])
            fail_msg("%lu of %lu at %g: r = %lu", q->in.hits, q->in.members, q->reference, r);
        step(&t, stay);
        if (first == 0 && mpfr_lessequal_p(t.tail, most))
            first = r;
    }
    assert_int_equal(first, p->first);
    assert_in_range(first, 1, q->in.members);
    tower_clear(&t);
    mpfr_clears(most, there, (mpfr_ptr)0);
}

/* Parts are of the whole path. */
static void check_parts(const path *p, const path *whole)
{
    assert_int_equal(p->first, whole->first);
    for (size_t i = 0; i < p->parts; i++) {
        const stretch *s = &p->part[i];
        unsigned long v = 0, r = 0;
        for (; r < s->from; r++)
            v += whole->part[0].stay[r] ? 0 : 1;
        assert_int_equal(v, s->v);
        for (; r < s->to; r++) {
            bool starts = whole->part[0].stay[r];
            if (s->start != NULL && starts)
                assert_int_equal(s->start[r + 1 - v - (s->from - s->v)], r + 1);
            else if (s->start == NULL)
                assert_int_equal(s->stay[r - s->from], whole->part[0].stay[r]);
            v += whole->part[0].stay[r] ? 0 : 1;
        }
        assert_int_equal(v, s->end);
    }
}

/* Tails, and tail/(v mass), of each r of a path at one epsilon: from `first` on. */
#define MOST 1000
#define KEPT 100 /* bits */
typedef struct heights {
    mpfr_t tail[MOST + 1], ratio[MOST + 1];
    const path *of;
} heights;

static void heights_init(heights *h, const path *whole, double epsilon)
{
    tower t;
    tower_init(&t, epsilon);
    h->of = whole;
    for (unsigned long r = 1; r <= whole->in->canaries; r++) {
        step(&t, whole->part[0].stay[r - 1]);
        mpfr_inits2(KEPT, h->tail[r], h->ratio[r], (mpfr_ptr)0);
        mpfr_set(h->tail[r], t.tail, MPFR_RNDN);
        mpfr_div(h->ratio[r], t.tail, t.mass, MPFR_RNDN);
        mpfr_div_ui(h->ratio[r], h->ratio[r], t.v, MPFR_RNDN);
    }
    tower_clear(&t);
}

static void heights_clear(heights *h)
{
    for (unsigned long r = 1; r <= h->of->in->canaries; r++)
        mpfr_clears(h->tail[r], h->ratio[r], (mpfr_ptr)0);
}

static void largest(mpfr_t out, const mpfr_t *of, unsigned long from, unsigned long to)
{
    mpfr_set_zero(out, 1);
    for (unsigned long r = from; r <= to; r++)
        mpfr_max(out, out, of[r], MPFR_RNDN);
}

/* A little less, by more than what heights are rounded by. */
static void lessen(mpfr_t x)
{
    mpfr_t by;
    mpfr_init2(by, KEPT);
    mpfr_div_2ui(by, x, KEPT - 10, MPFR_RNDN);
    mpfr_sub(x, x, by, MPFR_RNDN);
    mpfr_clear(by);
}

/* Does the level enclose lambda + m delta (1 - lambda) best? Is it as narrow as its bits, where it
 * is not next to 1, if that is said? */
static bool check_level(const path *p, const heights *h, double epsilon, bool reference)
{
    const audit_in *in = p->in;
    mpfr_t most, best, level;
    mpfi_t at, out;
    mpfr_inits2(KEPT, most, best, level, (mpfr_ptr)0);
    mpfi_init2(at, 100);
    mpfi_init2(out, 64);
    largest(most, (const mpfr_t *)h->tail, p->first, in->canaries);
    largest(best, (const mpfr_t *)h->ratio, p->first, in->canaries);
    mpfr_ui_sub(level, 1, most, MPFR_RNDN);
    mpfr_mul(level, level, best, MPFR_RNDN);
    mpfr_mul_q(level, level, in->delta, MPFR_RNDN);
    mpfr_mul_ui(level, level, in->canaries, MPFR_RNDN);
    mpfr_add(level, level, most, MPFR_RNDN);
    if (mpfr_cmp_ui(level, 1) > 0)
        mpfr_set_ui(level, 1, MPFR_RNDN);
    mpfi_set_d(at, epsilon);
    bool closed = reference ? path_level_there(out, p) : path_level(out, p, at);
    if (mpfr_greater_p(&out->left, level) || mpfr_less_p(&out->right, level))
        fail_msg("%lu of %lu at %g: %.17g is not in [%.17g, %.17g]", in->hits, in->members, epsilon,
                 mpfr_get_d(level, MPFR_RNDN), mpfr_get_d(&out->left, MPFR_RNDD),
                 mpfr_get_d(&out->right, MPFR_RNDU));
    mpfr_sub(best, &out->right, &out->left, MPFR_RNDU);
    int bits = p->parts == 1 ? 50 : 35;
    assert_true(!closed || mpfr_zero_p(best) || mpfr_get_exp(best) < mpfr_get_exp(level) - bits ||
                mpfr_cmp_d(&out->left, 0.5) >= 0);
    mpfi_clear(out);
    mpfi_clear(at);
    mpfr_clears(most, best, level, (mpfr_ptr)0);
    return closed;
}

/* What lies between two parts is at most what is said of it, both ends among it. */
static void check_gap(const gap *g, const heights *h, double epsilon)
{
    mpfr_t most, there, known;
    mpfi_t at;
    share odds;
    mpfr_inits2(KEPT, most, there, known, (mpfr_ptr)0);
    mpfi_init2(at, 300);
    share_init(&odds, 300);
    mpfi_set_d(at, epsilon);
    share_logistic(&odds, at);
    for (int i = 0; i < 4; i++) { /* the tail; and the quotient, where less of it is known */
        largest(there, (const mpfr_t *)(i == 0 ? h->tail : h->ratio), g->end[0].r, g->end[1].r);
        lessen(there);
        mpfr_mul_d(known, there, i == 3 ? 0.999999 : i == 2 ? 0.5 : 0, MPFR_RNDN);
        if (i == 0)
            gap_most(most, g, &odds);
        else
            gap_best(most, g, &odds, known);
        if (mpfr_less_p(most, there))
            fail_msg("%lu of %lu, %d at %g, %lu to %lu: %.17g is above %.17g", h->of->in->hits,
                     h->of->in->members, i, epsilon, g->end[0].r, g->end[1].r,
                     mpfr_get_d(there, MPFR_RNDN), mpfr_get_d(most, MPFR_RNDN));
    }
    share_clear(&odds);
    mpfi_clear(at);
    mpfr_clears(most, there, known, (mpfr_ptr)0);
}

typedef struct tally {
    int parts, closed;
} tally;

#define EPSILONS 8
#define REFERENCE 7

/* Parts of a path, step by step and run by run. */
static void check_few(tally *n, const question *q, const path *whole, const heights *h,
                      const double *at, unsigned long few)
{
    for (int runs = 0; runs < 2; runs++) {
        path parts;
        path_size size = {few, runs == 0 ? 0 : few, 0};
        assert_int_equal(path_init(&parts, &q->in, &size), DP_OK);
        check_parts(&parts, whole);
        for (int i = 0; i < EPSILONS; i++) {
            bool closed = check_level(&parts, &h[i], at[i], i == REFERENCE);
            if (parts.parts == 2)
                check_gap(&parts.between, &h[i], at[i]);
            n->parts += parts.parts == 2;
            n->closed += parts.parts == 2 && closed;
        }
        path_clear(&parts);
    }
}

static tally check(question *q, unsigned long m, unsigned long r, unsigned long v)
{
    static heights h[EPSILONS];
    const double at[EPSILONS] = {0, 0.25, 0.75, 1, 1.5, 6, q->reference, q->reference};
    path p;
    tally n = {0, 0};
    q->in.canaries = m;
    q->in.members = r;
    q->in.hits = v;
    assert_int_equal(path_init(&p, &q->in, &(path_size){0}), DP_OK);
    check_path(&p, q);
    for (int i = 0; i < EPSILONS; i++) {
        heights_init(&h[i], &p, at[i]);
        check_level(&p, &h[i], at[i], i == REFERENCE);
    }
    for (unsigned long few = 1; few < m / 2; few *= 8)
        check_few(&n, q, &p, h, at, few);
    for (int i = 0; i < EPSILONS; i++)
        heights_clear(&h[i]);
    path_clear(&p);
    return n;
}

static void test_paths(void **state)
{
    (void)state;
    rng r = rng_make(20);
    static const char *const reference[] = {"0", "1/8", "1", "3", "30"}, *const delta[] = {"0",
                                                                                           "1e-4"};
    static const double value[] = {0, 0.125, 1, 3, 30};
    for (int i = 0; i < rounds(30); i++) {
        question q;
        question_init(&q, value[i % 5], reference[i % 5], delta[i / 5 % 2]);
        unsigned long m = 1 + rng_below(&r, i % 3 == 0   ? 20
                                            : i % 5 == 4 ? 100
                                                         : 300),
                      n = 1 + rng_below(&r, m);
        check(&q, m, n, 1 + rng_below(&r, n));
        check(&q, m, n, n - rng_below(&r, n / 8 + 1));
        question_clear(&q);
    }
}

/* Of longer ones the ends mostly tell all: outcomes about as rare as that of no privacy, in the
 * middle, and likely ones; with misses few and many. */
static void test_parts(void **state)
{
    (void)state;
    static const unsigned long shape[][3] = {{1000, 1000, 738}, {999, 11, 6},
                                             {1000, 60, 50},    {1000, 9, 5},
                                             {1000, 1000, 800}, {1000, 700, 650}};
    static const char *const reference[] = {"1", "0", "1", "0", "1", "3"};
    static const double value[] = {1, 0, 1, 0, 1, 3};
    tally all = {0, 0};
    for (int i = 0; i < rounds(6) && i < 6; i++) {
        question q;
        question_init(&q, value[i], reference[i], i % 2 == 0 ? "1e-6" : "1e-4");
        tally n = check(&q, shape[i][0], shape[i][1], shape[i][2]);
        all.parts += n.parts;
        all.closed += n.closed;
        question_clear(&q);
    }
    assert_true(all.closed > all.parts / 2);
}

/* Tails far below all doubles, and next to 1; at epsilons where they are far from that. */
static void test_far(void **state)
{
    (void)state;
    static const unsigned long shape[][3] = {
        {1000, 800, 800}, {1000, 700, 690}, {1000, 1000, 500}, {1000, 900, 650}, {1000, 2, 1}};
    for (size_t i = 0; i < sizeof shape / sizeof *shape; i++) {
        question q;
        question_init(&q, 1, "1", "1e-6");
        check(&q, shape[i][0], shape[i][1], shape[i][2]);
        question_clear(&q);
    }
}

/* epsilon_lower is where the level is alpha: ends of a small interval about it are on either side.
 */
static void test_bound(void **state)
{
    (void)state;
    static const unsigned long shape[][3] = {
        {200, 100, 100}, {2000, 400, 380}, {2000, 2000, 1700}, {2000, 30, 29}, {400, 400, 399}};
    for (size_t i = 0; i < sizeof shape / sizeof *shape; i++) {
        question q;
        dp_figure f;
        path p;
        mpfi_t at, out;
        question_init(&q, 1, "1", i % 2 == 0 ? "0" : "1e-5");
        dp_figure_init(&f);
        mpfi_init2(at, 100);
        mpfi_init2(out, 64);
        q.in.canaries = shape[i][0];
        q.in.members = shape[i][1];
        q.in.hits = shape[i][2];
        assert_int_equal(audit_eval_adaptive(&f, &q.in, &(wanted){.bits = 64}), DP_OK);
        assert_int_equal(f.kind, DP_ENCLOSED);
        assert_int_equal(path_init(&p, &q.in, &(path_size){0}), DP_OK);
        for (int side = -1; side <= 1; side += 2) {
            double x = mpfi_get_d(f.enclosure) * (1 + side * 1e-10);
            mpfi_set_d(at, x);
            path_level(out, &p, at);
            assert_true(side < 0 ? mpfr_cmp_q(&out->right, q.in.alpha) < 0
                                 : mpfr_cmp_q(&out->left, q.in.alpha) > 0);
        }
        path_clear(&p);
        mpfi_clear(out);
        mpfi_clear(at);
        dp_figure_clear(&f);
        question_clear(&q);
    }
}

/* A tie of another outcome counts as one: at odds 2, Pr[Bin(1) >= 1] = 2/3 = 1 - 1/3, and of 2
 * guesses of which 1 is right 8/9; with claims as large as 1000 the lesser sides are told apart. */
static void test_edges(void **state)
{
    (void)state;
    question q;
    path p;
    question_init(&q, 0, "0", "0");
    q.in.canaries = 3;
    q.in.members = q.in.hits = 1;
    assert_int_equal(path_init(&p, &q.in, &(path_size){0}), DP_OK); /* 1/2 = Pr[Bin(3, 1/2) >= 2] */
    assert_true(p.first == 1 && !p.part[0].stay[0] && !p.part[0].stay[1] && p.part[0].stay[2]);
    path_clear(&p);
    question_clear(&q);
    question_init(&q, 1000, "1000", "0");
    q.in.canaries = q.in.members = q.in.hits = 2;
    assert_int_equal(path_init(&p, &q.in, &(path_size){0}), DP_OK);
    assert_true(p.first == 2 && !p.part[0].stay[0] &&
                !p.part[0].stay[1]); /* not one of one, which is likelier */
    path_clear(&p);
    question_clear(&q);
}

/* Where the processor does not round to nearest, the bounds of walks are not proved: they tell
 * nothing, and what is enclosed without them is right. */
static void test_rounding(void **state)
{
    (void)state;
    question q;
    path p;
    share odds;
    mpfi_t at;
    mpfi_init2(at, 64);
    share_init(&odds, 64);
    mpfi_set_ui(at, 1);
    share_logistic(&odds, at);
    question_init(&q, 1, "1", "1e-5");
    q.in.canaries = 40;
    q.in.members = 20;
    q.in.hits = 17;
    fesetround(FE_UPWARD);
    walk w = walk_from(&odds, false);
    walk_step(&w, false);
    bool lost = walk_is_lost(&w);
    dp_status status = path_init(&p, &q.in, &(path_size){0});
    fesetround(FE_TONEAREST);
    assert_true(lost);
    assert_int_equal(status, DP_OK);
    check_path(&p, &q);
    path_clear(&p);
    question_clear(&q);
    share_clear(&odds);
    mpfi_clear(at);
}

/* Where time is up before the path is complete the outcome alone is known, and no more is read. */
static void test_late(void **state)
{
    (void)state;
    const limits up = {.deadline = limits_clock() - 1};
    for (int runs = 0; runs < 2; runs++)
        for (unsigned long steps = 0; steps < 600; steps += 300) {
            question q;
            path p;
            path_top top;
            mpfi_t at, out;
            question_init(&q, 1, "1", "1e-5");
            q.in.canaries = 2000;
            q.in.members = 400;
            q.in.hits = 380;
            q.in.lim = &up;
            path_size size = {steps, runs == 0 ? 0 : 40, 0};
            assert_int_equal(path_init(&p, &q.in, &size), DP_OK);
            assert_true(p.late && !path_can_widen(&p));
            mpfi_init2(at, 64);
            mpfi_init2(out, 64);
            mpfi_set_ui(at, 2);
            path_level(out, &p, at);
            assert_true(mpfr_cmp_ui(&out->right, 1) == 0 && mpfr_cmp_ui(&out->left, 1) < 0);
            path_glance(&top, &p, 2);
            path_guess(&top, &p, 2);
            mpfi_clear(out);
            mpfi_clear(at);
            path_clear(&p);
            question_clear(&q);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths), cmocka_unit_test(test_parts), cmocka_unit_test(test_far),
        cmocka_unit_test(test_bound), cmocka_unit_test(test_edges), cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
