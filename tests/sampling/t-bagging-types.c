/* SPDX-License-Identifier: MIT */
/* Private learners on samples as items of a list: their laws against all outcomes in exact
 * rationals and in both directions, against every point of their profile, and beside other items.
 */
#include "support.h"

#define MOST_OUTCOMES 5
#define MOST_USES 4

typedef struct use {
    size_t outcomes;
    mpq_t p[MOST_OUTCOMES], q[MOST_OUTCOMES];
} use;

typedef struct world {
    dp_composition list;
    use use[MOST_USES];
    size_t uses;
    bool exact; /* the outcomes are those of a learner, and not only above them all */
} world;

static void world_init(world *w, dp_relation relation)
{
    w->uses = 0;
    w->exact = true;
    dp_composition_init_under(&w->list, relation);
}

static void world_clear(world *w)
{
    for (size_t i = 0; i < w->uses; i++)
        for (size_t j = 0; j < w->use[i].outcomes; j++)
            mpq_clears(w->use[i].p[j], w->use[i].q[j], NULL);
    dp_composition_clear(&w->list);
}

static use *more_use(world *w, size_t outcomes)
{
    assert_true(w->uses < MOST_USES && outcomes <= MOST_OUTCOMES);
    use *u = &w->use[w->uses++];
    u->outcomes = outcomes;
    for (size_t j = 0; j < outcomes; j++)
        mpq_inits(u->p[j], u->q[j], NULL);
    return u;
}

/* leak d, then the odds e of a truthful answer; q mirrors p */
static void respond(use *u, const mpq_t e, const mpq_t d)
{
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    mpq_set(u->p[0], d);
    mpq_set_ui(u->p[3], 0, 1);
    mpq_add(u->p[2], e, one);
    mpq_sub(u->p[1], one, d);
    mpq_div(u->p[2], u->p[1], u->p[2]);
    mpq_mul(u->p[1], u->p[2], e);
    for (size_t j = 0; j < 4; j++)
        mpq_set(u->q[j], u->p[3 - j]);
    mpq_clear(one);
}

/* p = (1 - eta) q + eta p */
static void mix(use *u, const mpq_t eta)
{
    mpq_t part;
    mpq_init(part);
    for (size_t j = 0; j < u->outcomes; j++) {
        mpq_sub(part, u->p[j], u->q[j]);
        mpq_mul(part, part, eta);
        mpq_add(u->p[j], u->q[j], part);
    }
    mpq_clear(part);
}

/* The curve of a replaced record: x >= 0 from the profile, x < 0 from the order exchanged; its
 * kinks at 1/G, 1 and G, G = 1 + eta (odds - 1), and the leak. */
static void replace(use *u, const mpq_t odds, const mpq_t leak, const mpq_t eta)
{
    mpq_t one, s, grown;
    mpq_inits(one, s, grown, NULL);
    mpq_set_ui(one, 1, 1);
    mpq_sub(s, one, leak);
    mpq_add(grown, odds, one);
    mpq_div(s, s, grown);
    mpq_sub(grown, odds, one);
    mpq_mul(grown, grown, eta);
    mpq_add(grown, grown, one);
    mpq_set(u->p[0], s);
    mpq_mul(u->p[1], s, grown);
    mpq_mul(u->p[2], leak, eta);
    mpq_set_ui(u->p[3], 0, 1);
    mpq_set(u->p[4], one);
    for (size_t j = 0; j < 3; j++)
        mpq_sub(u->p[4], u->p[4], u->p[j]);
    assert_true(mpq_sgn(u->p[4]) >= 0);
    for (size_t j = 0; j < 4; j++)
        mpq_set(u->q[j], u->p[j ^ 1]);
    mpq_set(u->q[2], u->p[3]);
    mpq_set(u->q[3], u->p[2]);
    mpq_set(u->q[4], u->p[4]);
    mpq_clears(one, s, grown, NULL);
}

/* sum (P - odds Q)_+ over all outcomes of all uses, or with P and Q exchanged */
static void spent(mpq_t sum, const world *w, const mpq_t odds, bool back)
{
    size_t at[MOST_USES] = {0}, i;
    mpq_t p, q;
    mpq_inits(p, q, NULL);
    mpq_set_ui(sum, 0, 1);
    do {
        mpq_set_ui(p, 1, 1);
        mpq_set(q, odds);
        for (i = 0; i < w->uses; i++) {
            const use *u = &w->use[i];
            mpq_mul(p, p, back ? u->q[at[i]] : u->p[at[i]]);
            mpq_mul(q, q, back ? u->p[at[i]] : u->q[at[i]]);
        }
        mpq_sub(p, p, q);
        if (mpq_sgn(p) > 0)
            mpq_add(sum, sum, p);
        for (i = 0; i < w->uses && ++at[i] == w->use[i].outcomes; i++)
            at[i] = 0;
    } while (i < w->uses);
    mpq_clears(p, q, NULL);
}

/* The greater of the two directions; *back: it is the second. */
static void truth(mpq_t out, bool *back, const world *w, const mpq_t odds)
{
    mpq_t other;
    mpq_init(other);
    spent(out, w, odds, false);
    spent(other, w, odds, true);
    *back = mpq_cmp(other, out) > 0;
    if (*back)
        mpq_set(out, other);
    mpq_clear(other);
}

static void set_log(dp_number *x, const mpq_t odds)
{
    x->is_log = mpq_cmp_ui(odds, 1, 1) != 0;
    mpq_set(x->value, odds);
    if (!x->is_log)
        mpq_set_ui(x->value, 0, 1);
}

/* A learner of those odds and that leak on a random sample; its outcomes. */
static void add_bagging(world *w, rng *r, dp_bagging *b, dp_number *base)
{
    static const char *const leaks[] = {"0", "0", "1/100", "1/4"};
    mpq_t eta, odds;
    mpq_inits(eta, odds, NULL);
    mpz_t times;
    mpz_init_set_ui(times, 1 + rng_below(r, 2));
    dp_bagging_init(b);
    b->adjacency = w->list.adjacency;
    bool replaced = w->list.adjacency == DP_REPLACE_ONE;
    b->sampling = !replaced && rng_below(r, 2) ? DP_POISSON : DP_WITHOUT_INDEPENDENT;
    mpz_set_ui(b->dataset_size, 7);
    mpz_set_ui(b->subsample_size, 1 + rng_below(r, 5));
    mpq_set_ui(b->sampling_rate, 1 + rng_below(r, 8), 10);
    mpq_canonicalize(b->sampling_rate);
    mpq_set(eta, b->sampling_rate);
    if (b->sampling != DP_POISSON)
        mpq_set_ui(eta, mpz_get_ui(b->subsample_size), 7);
    mpq_set_ui(odds, 2 + rng_below(r, 6), 1 + rng_below(r, 2));
    mpq_canonicalize(odds);
    if (mpq_cmp_ui(odds, 1, 1) == 0)
        mpq_set_ui(odds, 3, 1);
    set_log(base, odds);
    b->base_epsilon = base;
    rational_of(b->base_delta, leaks[rng_below(r, 4)]);
    assert_int_equal(dp_composition_add_bagging(&w->list, b, times, 10, NULL), DP_OK);
    for (unsigned long i = 0; i < mpz_get_ui(times); i++) {
        use *u = more_use(w, replaced ? 5 : 4);
        if (replaced) {
            replace(u, odds, b->base_delta, eta);
            continue;
        }
        respond(u, odds, b->base_delta);
        mix(u, eta);
    }
    mpz_clear(times);
    mpq_clears(eta, odds, NULL);
}

static void ask(dp_result *r, const world *w, const mpq_t odds, const mpq_t claim)
{
    dp_number x, delta;
    dp_number_init(&x);
    dp_number_init(&delta);
    set_log(&x, odds);
    mpq_set(delta.value, claim);
    dp_options opt = dp_options_default();
    opt.max_epsilon = &x;
    opt.max_delta = &delta;
    dp_compose_query q = {.list = &w->list, .target_epsilon = &x};
    dp_result_init(r);
    assert_int_equal(dp_compose(r, &q, &opt, NULL), DP_OK);
    dp_number_clear(&delta);
    dp_number_clear(&x);
}

/* What is shown, and the claims at, above and below it. */
static void check(const world *w, const mpq_t odds, int *backs)
{
    bool back;
    mpq_t delta, claim;
    mpq_inits(delta, claim, NULL);
    truth(delta, &back, w, odds);
    *backs += back;
    for (int i = 0; i < 3; i++) { /* a claim that is met exactly, kept, and broken */
        mpq_set_ui(claim, i == 0 ? 1000 : i == 1 ? 1001 : 999, 1000);
        mpq_canonicalize(claim);
        mpq_mul(claim, claim, delta);
        if (mpq_cmp_ui(claim, 1, 1) > 0 || mpq_sgn(claim) == 0)
            continue;
        dp_result r;
        ask(&r, w, odds, claim);
        const dp_figure *f = dp_result_figure(&r, "delta");
        assert_true(figure_holds_q(f, delta));
        if (!w->exact) {
            assert_true((r.check.holds == DP_YES) == (i < 2));
            assert_true(w->uses == 1 || r.row[r.guarantee].verdict == DP_PROVED);
        } else {
            assert_int_equal(r.row[r.guarantee].verdict, DP_EXACT);
            assert_int_equal(r.check.holds, i == 2 ? DP_NO : DP_YES);
        }
        dp_result_clear(&r);
    }
    mpq_clears(delta, claim, NULL);
}

static void random_odds(mpq_t odds, rng *r)
{
    mpq_set_ui(odds, 10 + rng_below(r, 40), 10);
    mpq_canonicalize(odds);
}

static void test_outcomes(void **state)
{
    (void)state;
    rng r = rng_make(20261);
    dp_bagging b;
    dp_number base;
    mpq_t odds;
    int backs = 0;
    dp_number_init(&base);
    mpq_init(odds);
    for (int round = 0; round < rounds(120); round++) {
        world w;
        world_init(&w, round % 3 == 0 ? DP_REPLACE_ONE : DP_ADD_REMOVE);
        w.exact = w.list.adjacency == DP_ADD_REMOVE;
        size_t items = 1 + rng_below(&r, 2);
        for (size_t i = 0; i < items; i++) {
            add_bagging(&w, &r, &b, &base);
            dp_bagging_clear(&b);
        }
        if (w.uses < MOST_USES && rng_below(&r, 2)) {
            mpq_t e, d;
            mpq_inits(e, d, NULL);
            mpq_set_ui(e, 3, 1);
            mpq_set_ui(d, 1, 50);
            respond(more_use(&w, 4), e, d);
            list_add(&w.list, "ln(3)", "1/50", 1);
            mpq_clears(e, d, NULL);
        }
        random_odds(odds, &r);
        check(&w, odds, &backs);
        world_clear(&w);
    }
    assert_true(!rounds_are_full() ||
                (backs > 3)); /* the second direction is the greater one now and then */
    mpq_clear(odds);
    dp_number_clear(&base);
}

/* delta of `times` uses of the pair that the model has at that point of its own profile */
static void at_point(dp_result *out, const dp_bagging *b, const char *point, unsigned long times,
                     const char *target)
{
    dp_bagging one = *b;
    dp_number x;
    dp_result own;
    dp_composition flat;
    mpq_t delta;
    mpz_t count;
    mpz_init_set_ui(count, times);
    mpq_init(delta);
    dp_number_init(&x);
    number_of(&x, point);
    one.target_epsilon = &x;
    dp_result_init(&own);
    dp_composition_init_under(&flat, b->adjacency);
    dp_options opt = dp_options_default();
    assert_int_equal(dp_bagging_privacy(&own, &one, &opt, NULL), DP_OK);
    const dp_figure *f = dp_result_figure(&own, "delta");
    if (f->kind == DP_RATIONAL)
        mpq_set(delta, f->rational);
    else /* below the curve: what is compared with it must be below the pair above it too */
        mpfr_get_q(delta, &f->enclosure->left);
    assert_int_equal(dp_composition_add(&flat, &x, delta, count, NULL), DP_OK);
    dp_result_init(out);
    ask_delta(out, &flat, target, 10);
    dp_composition_clear(&flat);
    dp_result_clear(&own);
    dp_number_clear(&x);
    mpq_clear(delta);
    mpz_clear(count);
}

/* No point of the profile gives less, and those of the learners below and above enclose it. */
static void test_points(void **state)
{
    (void)state;
    static const char *const bases[] = {"1", "ln(27182/10000)", "ln(27183/10000)"};
    static const char *const points[] = {"0", "0.02", "0.05", "0.1", "0.1585650788"};
    static const char *const targets[] = {"0", "0.3", "1", "3"};
    static const char *const leaks[] = {"0", "1e-4"};
    for (size_t i = 0; i < 8; i++) {
        dp_result shown[3];
        for (size_t k = 3; k-- > 0;) {
            dp_bagging b;
            dp_number base;
            mpz_t times;
            dp_composition list;
            dp_bagging_init(&b);
            dp_number_init(&base);
            mpz_init_set_ui(times, 20);
            dp_composition_init(&list);
            number_of(&base, bases[k]);
            b.sampling = DP_POISSON;
            mpq_set_ui(b.sampling_rate, 1, 10);
            b.base_epsilon = &base;
            rational_of(b.base_delta, leaks[i / 4]);
            assert_int_equal(dp_composition_add_bagging(&list, &b, times, 10, NULL), DP_OK);
            dp_result_init(&shown[k]);
            ask_delta(&shown[k], &list, targets[i % 4], 10);
            assert_int_equal(shown[k].row[0].verdict, DP_EXACT);
            for (size_t j = 0; k == 0 && j < 5; j++) {
                dp_result flat;
                at_point(&flat, &b, points[j], 20, targets[i % 4]);
                assert_true(figure_may_be_le(dp_result_figure(&shown[0], "delta"),
                                             dp_result_figure(&flat, "delta")));
                dp_result_clear(&flat);
            }
            dp_composition_clear(&list);
            mpz_clear(times);
            dp_number_clear(&base);
            dp_bagging_clear(&b);
        }
        const dp_figure *f = dp_result_figure(&shown[0], "delta");
        assert_true(figure_may_be_le(dp_result_figure(&shown[1], "delta"), f));
        assert_true(figure_may_be_le(f, dp_result_figure(&shown[2], "delta")));
        for (size_t k = 0; k < 3; k++)
            dp_result_clear(&shown[k]);
    }
}

/* 100 randomized responses of ln 3 at rate 1/10, by which the pair of one point gives 8.703. */
static void test_hundred(void **state)
{
    (void)state;
    dp_bagging b;
    dp_number base;
    mpz_t times;
    dp_composition list;
    dp_result r;
    dp_bagging_init(&b);
    dp_number_init(&base);
    mpz_init_set_ui(times, 100);
    dp_composition_init(&list);
    number_of(&base, "ln(3)");
    b.sampling = DP_POISSON;
    mpq_set_ui(b.sampling_rate, 1, 10);
    b.base_epsilon = &base;
    assert_int_equal(dp_composition_add_bagging(&list, &b, times, 10, NULL), DP_OK);
    dp_result_init(&r);
    ask_epsilon(&r, &list, "1e-5", 10);
    const dp_figure *f = row_of(&r, "compose-pairs", "epsilon");
    assert_non_null(f);
    assert_int_equal(r.row[r.guarantee].verdict, DP_EXACT);
    char *text = dp_figure_decimal(f, DP_UPPER, 10);
    assert_string_equal(text, "5.349004811");
    dp_text_free(text);
    dp_result_clear(&r);
    dp_composition_clear(&list);
    mpz_clear(times);
    dp_number_clear(&base);
    dp_bagging_clear(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outcomes),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_hundred),
    };
    return cmocka_run_group_tests_name("bagging in lists", tests, NULL, NULL);
}
