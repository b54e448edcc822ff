/* SPDX-License-Identifier: MIT */
/* Learners known only under add-remove adjacency, enumerated in exact rationals: every sample of
 * n <= 5 records, with the learner whose answer depends on the step at which the sample is. What is
 * printed as exact is the largest that any such learner shows, and no random one shows more. */
#include "support.h"

/* The chances that the sample is at step 0, 1, 2, with the record and with its neighbour. */
typedef struct world {
    dp_sampling sampling;
    unsigned records, draws;
    mpq_t rate;
    mpq_t with[3], without[3];
    bool replaced;
} world;

/* The record is bit 0, the one that takes its place bit 1, the others follow. */
static void add_sample(mpq_t *chance, const world *w, unsigned long sample, const mpq_t p)
{
    int step = 1 + (int)(sample & 1) - (int)(sample >> 1 & 1);
    if (w->sampling != DP_POISSON) /* all samples have the same size */
        step = (sample & 1) != 0 ? 2 : 0;
    mpq_add(chance[step], chance[step], p);
}

/* present: which of the first two bits the data set has */
static void enumerate(mpq_t *chance, const world *w, unsigned long present)
{
    mpq_t p, miss, all;
    mpq_inits(p, miss, all, NULL);
    mpq_set_ui(miss, 1, 1);
    mpq_sub(miss, miss, w->rate);
    for (unsigned long sample = 0; sample < 1UL << (w->records + 1); sample++) {
        if ((sample & 3 & ~present) != 0)
            continue;
        unsigned size = 0;
        mpq_set_ui(p, 1, 1);
        for (unsigned bit = 0; bit <= w->records; bit++) {
            bool in = (sample >> bit & 1) != 0;
            size += in;
            if (w->sampling == DP_POISSON && (bit > 1 || (present >> bit & 1) != 0))
                mpq_mul(p, p, in ? w->rate : miss);
        }
        if (w->sampling != DP_POISSON && size != w->draws)
            continue;
        mpq_add(all, all, p);
        add_sample(chance, w, sample, p);
    }
    for (int i = 0; i < 3; i++)
        mpq_div(chance[i], chance[i], all);
    mpq_clears(p, miss, all, NULL);
}

static void world_init(world *w, dp_sampling sampling, unsigned n, unsigned k, const char *rate,
                       bool replaced)
{
    *w = (world){.sampling = sampling, .records = n, .draws = k, .replaced = replaced};
    mpq_init(w->rate);
    rational_of(w->rate, rate);
    for (int i = 0; i < 3; i++)
        mpq_inits(w->with[i], w->without[i], NULL);
    enumerate(w->with, w, 1);
    enumerate(w->without, w, replaced ? 2 : 0);
}

static void world_clear(world *w)
{
    for (int i = 0; i < 3; i++)
        mpq_clears(w->with[i], w->without[i], NULL);
    mpq_clear(w->rate);
}

/* Is p to q a step of an (ln E, d)-DP learner, both outcomes, both ways? */
static bool is_step(const mpq_t p, const mpq_t q, const mpq_t odds, const mpq_t d)
{
    bool ok = true;
    mpq_t left, right, one;
    mpq_inits(left, right, one, NULL);
    mpq_set_ui(one, 1, 1);
    for (int side = 0; side < 4; side++) {
        mpq_set(left, side & 1 ? p : q);
        mpq_set(right, side & 1 ? q : p);
        if (side & 2) {
            mpq_sub(left, one, left);
            mpq_sub(right, one, right);
        }
        mpq_mul(right, right, odds);
        mpq_add(right, right, d);
        ok = ok && mpq_cmp(left, right) <= 0;
    }
    mpq_clears(left, right, one, NULL);
    return ok;
}

/* The farthest step up from p, found by trying the four inequalities' ends. */
static void step_up(mpq_t q, const mpq_t p, const mpq_t odds, const mpq_t d)
{
    mpq_t end[3], one;
    mpq_inits(end[0], end[1], end[2], one, NULL);
    mpq_set_ui(one, 1, 1);
    mpq_mul(end[0], odds, p);
    mpq_add(end[0], end[0], d); /* q = E p + d */
    mpq_sub(end[1], one, p);    /* 1 - p = E (1 - q) + d */
    mpq_sub(end[1], end[1], d);
    mpq_div(end[1], end[1], odds);
    mpq_sub(end[1], one, end[1]);
    mpq_set(end[2], one);
    mpq_set(q, p);
    for (int i = 0; i < 3; i++)
        if (mpq_cmp(end[i], one) <= 0 && mpq_cmp(end[i], q) > 0 && is_step(p, end[i], odds, d))
            mpq_set(q, end[i]);
    for (int i = 0; i < 3; i++)
        mpq_clear(end[i]);
    mpq_clear(one);
}

/* out = Pr[1 | a] - E' Pr[1 | b] for the answers p[0..2] */
static void gap(mpq_t out, mpq_t *a, mpq_t *b, mpq_t *p, const mpq_t odds)
{
    mpq_t part;
    mpq_init(part);
    mpq_set_ui(out, 0, 1);
    for (int i = 0; i < 3; i++) {
        mpq_mul(part, b[i], odds);
        mpq_sub(part, a[i], part);
        mpq_mul(part, part, p[i]);
        mpq_add(out, out, part);
    }
    mpq_clear(part);
}

typedef struct learner {
    dp_number base;
    mpq_t delta;
} learner;

/* The largest gap over the chains from every point of a grid, and from the bends of the step. */
static void largest(mpq_t out, mpq_t *a, mpq_t *b, bool down, const learner *l, const mpq_t odds)
{
    enum { GRID = 60 };
    mpq_t p[3], value, one;
    mpq_inits(p[0], p[1], p[2], value, one, NULL);
    mpq_set_ui(one, 1, 1);
    mpq_set_ui(out, 0, 1);
    for (int i = 0; i <= GRID + 2; i++) {
        mpq_set_ui(p[0], (unsigned long)i, GRID);
        mpq_canonicalize(p[0]);
        if (i > GRID) { /* a* = (1-d)/(1+E), or what goes to it in one step */
            mpq_sub(p[0], one, l->delta);
            mpq_add(value, one, l->base.value);
            mpq_div(p[0], p[0], value);
        }
        if (i == GRID + 2) {
            mpq_sub(p[0], p[0], l->delta);
            mpq_div(p[0], p[0], l->base.value);
            if (mpq_sgn(p[0]) < 0)
                mpq_set_ui(p[0], 0, 1);
        }
        step_up(p[1], p[0], l->base.value, l->delta);
        step_up(p[2], p[1], l->base.value, l->delta);
        if (down)
            mpq_swap(p[0], p[2]);
        gap(value, a, b, p, odds);
        if (mpq_cmp(value, out) > 0)
            mpq_set(out, value);
        /* as the middle of a chain that begins at 0 */
        mpq_set_ui(p[down ? 2 : 0], 0, 1);
        mpq_set_ui(p[1], (unsigned long)i, GRID);
        mpq_canonicalize(p[1]);
        if (i > GRID) { /* a*, or 1 - d */
            mpq_sub(p[1], one, l->delta);
            mpq_add(value, one, l->base.value);
            if (i == GRID + 1)
                mpq_div(p[1], p[1], value);
        }
        if (!is_step(p[down ? 2 : 0], p[1], l->base.value, l->delta))
            continue;
        step_up(p[down ? 0 : 2], p[1], l->base.value, l->delta);
        gap(value, a, b, p, odds);
        if (mpq_cmp(value, out) > 0)
            mpq_set(out, value);
    }
    mpq_clears(p[0], p[1], p[2], value, one, NULL);
}

static void ask(dp_result *r, const world *w, const learner *l, const dp_number *at,
                const dp_number *target)
{
    dp_bagging b;
    dp_options opt = dp_options_default();
    dp_bagging_init(&b);
    b.sampling = w->sampling;
    b.adjacency = w->replaced ? DP_REPLACE_ONE : DP_ADD_REMOVE;
    mpz_set_ui(b.dataset_size, w->records);
    mpz_set_ui(b.subsample_size, w->draws);
    mpq_set(b.sampling_rate, w->rate);
    mpq_set(b.base_delta, l->delta);
    b.base_epsilon = &l->base;
    b.base_adjacency = DP_BASE_ADD_REMOVE;
    b.target_epsilon = at;
    b.target_delta = target;
    assert_int_equal(dp_bagging_privacy(r, &b, &opt, NULL), DP_OK);
    dp_bagging_clear(&b);
}

static void random_answers(mpq_t *p, rng *r, const learner *l)
{
    do
        for (int i = 0; i < 3; i++) {
            mpq_set_ui(p[i], rng_below(r, 41), 40);
            mpq_canonicalize(p[i]);
        }
    while (!is_step(p[0], p[1], l->base.value, l->delta) ||
           !is_step(p[1], p[2], l->base.value, l->delta));
}

/* Where the profile falls, its inverse leads back: epsilon at the exact delta is the target. */
static void check_inverse(world *w, const learner *l, const dp_number *at, const mpq_t exact)
{
    dp_number target;
    mpq_t far, least;
    mpfr_t low, high;
    dp_result r;
    dp_number_init(&target);
    mpq_inits(far, least, NULL);
    mpq_set_ui(far, 1000000, 1);
    largest(least, w->with, w->without, false, l, far);
    if (mpq_cmp(exact, least) > 0) {
        dp_result_init(&r);
        mpq_set(target.value, exact);
        ask(&r, w, l, NULL, &target);
        mpfr_inits2(200, low, high, (mpfr_ptr)NULL);
        mpfr_set_q(low, at->value, MPFR_RNDD);
        mpfr_set_q(high, at->value, MPFR_RNDU);
        mpfr_log(low, low, MPFR_RNDD);
        mpfr_log(high, high, MPFR_RNDU);
        const dp_figure *f = row_of(&r, "amplify-grouped", "epsilon");
        assert_non_null(f);
        assert_true(figure_holds_fr(f, low, high));
        mpfr_clears(low, high, (mpfr_ptr)NULL);
        dp_result_clear(&r);
    }
    mpq_clears(far, least, NULL);
    dp_number_clear(&target);
}

static bool is_above(const mpq_t exact, const dp_figure *f)
{
    return f->kind == DP_RATIONAL ? mpq_cmp(exact, f->rational) > 0
                                  : mpfr_cmp_q(&f->enclosure->right, exact) < 0;
}

static void check_world(world *w, const char *odds, const char *delta)
{
    static const char *const targets[] = {"ln(1)", "ln(9/8)", "ln(3/2)", "ln(2)", "ln(5)"};
    learner l;
    dp_number at;
    mpq_t exact, p[3];
    dp_result r;
    rng random = rng_make(7);
    dp_result_init(&r);
    dp_number_init(&l.base);
    dp_number_init(&at);
    mpq_inits(l.delta, exact, p[0], p[1], p[2], NULL);
    number_of(&l.base, odds);
    rational_of(l.delta, delta);
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        number_of(&at, targets[i]);
        ask(&r, w, &l, &at, NULL);
        largest(exact, w->with, w->without, false, &l, at.value);
        const dp_figure *f = row_of(&r, "amplify-grouped", "delta");
        assert_non_null(f);
        assert_true(figure_holds_q(f, exact));
        assert_int_equal(r.row[0].verdict, DP_EXACT);
        check_inverse(w, &l, &at, exact);
        for (int j = 0; j < rounds(40); j++) {
            random_answers(p, &random, &l);
            gap(exact, w->with, w->without, p, at.value);
            assert_false(is_above(exact, f));
            gap(exact, w->without, w->with, p, at.value);
            assert_false(is_above(exact, f));
        }
        if (!w->replaced) { /* the row of the other direction, between the same two data sets */
            f = row_of(&r, "amplify-add", "delta");
            largest(exact, w->without, w->with, true, &l, at.value);
            assert_non_null(f);
            assert_true(figure_holds_q(f, exact));
        }
    }
    mpq_clears(l.delta, exact, p[0], p[1], p[2], NULL);
    dp_number_clear(&at);
    dp_number_clear(&l.base);
    dp_result_clear(&r);
}

static const char *const learners[][2] = {{"ln(3)", "0"},   {"ln(5/4)", "1/50"},
                                          {"ln(8)", "1/9"}, {"ln(8)", "1/100"},
                                          {"ln(2)", "2/3"}, {"ln(1)", "1/5"}};
#define LEARNERS (sizeof learners / sizeof *learners)

static void test_fixed_size(void **state)
{
    (void)state;
    for (unsigned n = 2; n <= 5; n++)
        for (unsigned k = 1; k < n; k++)
            for (int replaced = 0; replaced < 2; replaced++)
                for (size_t i = 0; i < LEARNERS; i++) {
                    world w;
                    world_init(&w, DP_WITHOUT_DISJOINT, n, k, "0", replaced == 1);
                    check_world(&w, learners[i][0], learners[i][1]);
                    world_clear(&w);
                }
}

static void test_poisson(void **state)
{
    (void)state;
    static const char *const rates[] = {"1/7", "1/2", "5/6", "1"};
    for (size_t q = 0; q < 4; q++)
        for (size_t i = 0; i < LEARNERS; i++) {
            world w;
            world_init(&w, DP_POISSON, 3, 1, rates[q], true);
            check_world(&w, learners[i][0], learners[i][1]);
            world_clear(&w);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fixed_size),
        cmocka_unit_test(test_poisson),
    };
    return cmocka_run_group_tests_name("bagging, grouped relations", tests, NULL, NULL);
}
