/* SPDX-License-Identifier: MIT */
/* The path of thresholds of onerun-adaptive and its levels, which are found by doubles that know
 * how far they may be off, beside all tails one after another at many bits. */
#include "support.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

#include "attack/audit_path.h"
#include "attack/audit_walk.h"

#define BITS 6000 /* beyond e^-3000, the lesser side of 100 guesses at epsilon 30 */

/* Pr[Bin(r, q) >= v] and the mass of v along a path, by the same steps at many bits. */
typedef struct tower {
    mpfr_t yes, no, tail, mass, part;
    unsigned long r, v;
} tower;

static void tower_init(tower *t, double epsilon)
{
    mpfr_inits2(BITS, t->yes, t->no, t->tail, t->mass, t->part, (mpfr_ptr)0);
    mpfr_set_d(t->yes, epsilon, MPFR_RNDN);
    mpfr_neg(t->no, t->yes, MPFR_RNDN);
    mpfr_exp(t->no, t->no, MPFR_RNDN);
    mpfr_add_ui(t->yes, t->no, 1, MPFR_RNDN);
    mpfr_div(t->no, t->no, t->yes, MPFR_RNDN);
    mpfr_ui_div(t->yes, 1, t->yes, MPFR_RNDN);
    mpfr_set_ui(t->tail, 1, MPFR_RNDN);
    mpfr_set_ui(t->mass, 1, MPFR_RNDN);
    t->r = t->v = 0;
}

static void tower_clear(tower *t)
{
    mpfr_clears(t->yes, t->no, t->tail, t->mass, t->part, (mpfr_ptr)0);
}

/* part = what the tail gains by a trial more and the same v */
static void gain(tower *t)
{
    mpfr_mul(t->part, t->mass, t->no, MPFR_RNDN);
    mpfr_mul_ui(t->part, t->part, t->v, MPFR_RNDN);
    mpfr_div_ui(t->part, t->part, t->r - t->v + 1, MPFR_RNDN);
}

static void step(tower *t, bool stay)
{
    if (stay)
        gain(t);
    else
        mpfr_mul(t->part, t->mass, t->no, MPFR_RNDN);
    (stay ? mpfr_add : mpfr_sub)(t->tail, t->tail, t->part, MPFR_RNDN);
    t->r++;
    mpfr_mul(t->mass, t->mass, stay ? t->no : t->yes, MPFR_RNDN);
    mpfr_mul_ui(t->mass, t->mass, t->r, MPFR_RNDN);
    t->v += stay ? 0 : 1;
    mpfr_div_ui(t->mass, t->mass, stay ? t->r - t->v : t->v, MPFR_RNDN);
}

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
        if (stay != p->stay[r - 1])
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

/* Does the level enclose lambda + m delta (1 - lambda) best? Is it as narrow as its bits, where it
 * is not next to 1? */
static void check_level(const path *p, const question *q, double epsilon)
{
    tower t;
    mpfr_t most, best, level;
    mpfi_t at, out;
    mpfr_inits2(BITS, most, best, level, (mpfr_ptr)0);
    mpfi_init2(at, 100);
    mpfi_init2(out, 64);
    mpfr_set_zero(most, 1);
    mpfr_set_zero(best, 1);
    tower_init(&t, epsilon);
    for (unsigned long r = 1; r <= q->in.canaries; r++) {
        step(&t, p->stay[r - 1]);
        if (r < p->first)
            continue;
        mpfr_max(most, most, t.tail, MPFR_RNDN);
        mpfr_div(level, t.tail, t.mass, MPFR_RNDN);
        mpfr_div_ui(level, level, t.v, MPFR_RNDN);
        mpfr_max(best, best, level, MPFR_RNDN);
    }
    mpfr_ui_sub(level, 1, most, MPFR_RNDN);
    mpfr_mul(level, level, best, MPFR_RNDN);
    mpfr_mul_q(level, level, q->in.delta, MPFR_RNDN);
    mpfr_mul_ui(level, level, q->in.canaries, MPFR_RNDN);
    mpfr_add(level, level, most, MPFR_RNDN);
    mpfi_set_d(at, epsilon);
    path_level(out, p, at);
    if (mpfr_greater_p(&out->left, level) ||
        (mpfr_less_p(&out->right, level) && mpfr_cmp_ui(&out->right, 1) != 0))
        fail_msg("%lu of %lu at %g: %.17g is not in [%.17g, %.17g]", q->in.hits, q->in.members,
                 epsilon, mpfr_get_d(level, MPFR_RNDN), mpfr_get_d(&out->left, MPFR_RNDD),
                 mpfr_get_d(&out->right, MPFR_RNDU));
    mpfr_sub(best, &out->right, &out->left, MPFR_RNDU);
    assert_true(mpfr_zero_p(best) || mpfr_get_exp(best) < mpfr_get_exp(level) - 50 ||
                mpfr_cmp_d(&out->left, 0.5) >= 0);
    tower_clear(&t);
    mpfi_clear(out);
    mpfi_clear(at);
    mpfr_clears(most, best, level, (mpfr_ptr)0);
}

static void check(question *q, unsigned long m, unsigned long r, unsigned long v)
{
    static const double at[] = {0, 0.25, 0.75, 1, 1.5, 6};
    path p;
    q->in.canaries = m;
    q->in.members = r;
    q->in.hits = v;
    assert_int_equal(path_init(&p, &q->in), DP_OK);
    check_path(&p, q);
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        check_level(&p, q, at[i]);
    path_clear(&p);
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

/* Is x scaled at most y? */
static bool is_at_most(scaled x, mpfr_srcptr y)
{
    mpfr_t z;
    mpfr_init2(z, 53);
    mpfr_set_d(z, x.x, MPFR_RNDN);
    mpfr_div_2ui(z, z, (unsigned long)(WALK_SCALE * x.scale), MPFR_RNDN);
    bool is = mpfr_lessequal_p(z, y) != 0;
    mpfr_clear(z);
    return is;
}

/* All that a walk says is true, along paths that rise with some frequency, wherever the mean is. */
static void follow(rng *r, double epsilon, unsigned long rise, bool lower, unsigned long steps)
{
    tower t;
    share odds;
    mpfi_t x;
    mpfr_t side;
    mpfi_init2(x, 100);
    mpfr_init2(side, BITS);
    share_init(&odds, 100);
    mpfi_set_d(x, epsilon);
    share_logistic(&odds, x);
    tower_init(&t, epsilon);
    walk w = walk_from(&odds, lower);
    for (unsigned long i = 0; i < steps; i++) {
        bool stay = i > 0 && rng_below(r, 100) >= rise;
        walk_step(&w, stay);
        step(&t, stay);
        if (walk_is_lost(&w))
            break;
        mpfr_set(side, t.tail, MPFR_RNDN);
        if (lower)
            mpfr_ui_sub(side, 1, side, MPFR_RNDN);
        scaled least = walk_below(&w), most = walk_above(&w);
        if (!is_at_most(least, side) || is_at_most(most, side))
            fail_msg("%lu of %lu at %g, %s: [%.17g, %.17g] %ld", w.v, w.r, epsilon,
                     lower ? "below" : "from there on", least.x, most.x, w.scale);
        assert_true(most.x - least.x < 0x1p-26 * least.x); /* and says much */
        mpfr_set(side, t.mass, MPFR_RNDN);
        assert_true(is_at_most((scaled){w.mass * (1 - w.doubt), w.scale}, side));
        assert_true(!is_at_most((scaled){w.mass * (1 + 1.01 * w.doubt), w.scale}, side));
        assert_true(w.r == t.r && w.v == t.v);
    }
    share_clear(&odds);
    mpfr_clear(side);
    mpfi_clear(x);
    tower_clear(&t);
}

static void test_walks(void **state)
{
    (void)state;
    rng r = rng_make(21);
    static const double at[] = {0, 0.25, 1, 3, 6};
    for (int i = 0; i < rounds(60); i++)
        follow(&r, at[i % 5], 2 + rng_below(&r, 98), i / 5 % 2 > 0, i % 3 == 0 ? 600 : 200);
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
        assert_int_equal(path_init(&p, &q.in), DP_OK);
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
    assert_int_equal(path_init(&p, &q.in), DP_OK); /* 1/2 = Pr[Bin(3, 1/2) >= 2] */
    assert_true(p.first == 1 && !p.stay[0] && !p.stay[1] && p.stay[2]);
    path_clear(&p);
    question_clear(&q);
    question_init(&q, 1000, "1000", "0");
    q.in.canaries = q.in.members = q.in.hits = 2;
    assert_int_equal(path_init(&p, &q.in), DP_OK);
    assert_true(p.first == 2 && !p.stay[0] && !p.stay[1]); /* not one of one, which is likelier */
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
    dp_status status = path_init(&p, &q.in);
    fesetround(FE_TONEAREST);
    assert_true(lost);
    assert_int_equal(status, DP_OK);
    check_path(&p, &q);
    path_clear(&p);
    question_clear(&q);
    share_clear(&odds);
    mpfi_clear(at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walks), cmocka_unit_test(test_paths), cmocka_unit_test(test_far),
        cmocka_unit_test(test_bound), cmocka_unit_test(test_edges), cmocka_unit_test(test_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
