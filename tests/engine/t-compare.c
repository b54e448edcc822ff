/* SPDX-License-Identifier: MIT */
/* The greater of two directions, found by evaluating one of them: it is what both would give. */
#include "../loss/laws.h"

#include "engine/compare.h"
#include <math.h>

#include "loss/pair.h"
#include "loss/sampled_gaussian.h"

typedef struct both {
    product product[2];
    engine engine[2];
    dp_figure epsilon[2], delta[2];
} both;

static const limits NO_LIMITS = {0};

/* Both directions of a pair: epsilon at delta, and delta at x. */
static void both_open(both *b, const masses *m, unsigned long times, const mpq_t delta,
                      const logform *x)
{
    mpz_t t;
    mpz_init_set_ui(t, times);
    for (int way = 0; way < 2; way++) {
        product_init(&b->product[way]);
        dp_figure_init(&b->epsilon[way]);
        dp_figure_init(&b->delta[way]);
        assert_int_equal(pair_add(&b->product[way], p_of(m), q_of(m), m->count, way == 1, t),
                         DP_OK);
        assert_int_equal(engine_init(&b->engine[way], &b->product[way]), DP_OK);
        optimal_epsilon_at(&b->epsilon[way], &b->engine[way], delta, 5, &NO_LIMITS);
        optimal_delta_at(&b->delta[way], &b->engine[way], x, 5, &NO_LIMITS);
    }
    mpz_clear(t);
}

static void both_close(both *b)
{
    for (int way = 0; way < 2; way++) {
        engine_clear(&b->engine[way]);
        product_clear(&b->product[way]);
        dp_figure_clear(&b->epsilon[way]);
        dp_figure_clear(&b->delta[way]);
    }
}

static double about(const dp_figure *f)
{
    return f->kind == DP_RATIONAL   ? mpq_get_d(f->rational)
           : f->kind == DP_INFINITE ? HUGE_VAL
                                    : mpfi_get_d(f->enclosure);
}

/* What is greater is guessed right or left open, and what is below is proved where it is. */
static void check(const both *b, const dp_figure figure[2], const logform *x, mpq_srcptr delta,
                  bool far)
{
    const engine *e = b->engine;
    double first = about(&figure[0]), second = about(&figure[1]);
    int greater = second > first;
    compare_guess guess = compare_products(&e[0], &e[1], x, delta);
    assert_int_equal(guess, !far ? COMPARE_NEAR : greater ? COMPARE_SECOND : COMPARE_FIRST);
    if (first == second && !isinf(first)) /* that none is below takes long to see */
        return;
    assert_true(compare_is_below(&e[!greater], &figure[greater], x, delta, &NO_LIMITS));
    assert_false(far && compare_is_below(&e[greater], &figure[!greater], x, delta, &NO_LIMITS));
}

static const struct {
    const char *p, *q;
    size_t count;
    unsigned long times, x; /* hundredths */
    bool far_epsilon, far_delta;
} CASES[] = {
    {"1/2 1/4 1/8 1/16 1/16", "7/16 9/32 9/64 5/64 1/16", 5, 1000, 2700, true, true},
    {"1003/5000 1007/5000 993/5000 990/5000 1007/5000", "1/5 1002/5000 1001/5000 998/5000 999/5000",
     5, 10000, 300, true, true},
    {"1/2 1/4 1/4 0 0", "1/4 5/8 0 1/16 1/16", 5, 3, 100, false, true}, /* leaks: infinite */
    {"1/2 1/4 1/4 0 0", "1/4 3/4 0 0 0", 5, 3, 100, false, true},       /* one side alone leaks */
    {"999999/1000000 1/1000000", "1/2 1/2", 2, 20, 1000, true, true},
    {"1/2 1/4 1/4", "9/20 11/40 11/40", 3, 1, 1, true, false},
    {"1/2 1/3 1/6", "1/6 1/3 1/2", 3, 100, 300, false, false}, /* the same law */
};

static void test_both(void **state)
{
    (void)state;
    mpq_t one, at, delta;
    mpq_inits(one, at, delta, NULL);
    mpq_set_ui(one, 1, 1);
    mpq_set_ui(delta, 1, 1000000);
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        both b;
        masses m;
        logform x;
        logform_init(&x);
        mpq_set_ui(at, CASES[i].x, 100);
        mpq_canonicalize(at);
        assert_true(logform_add_q(&x, one, at));
        masses_set(&m, CASES[i].count, CASES[i].p, CASES[i].q);
        both_open(&b, &m, CASES[i].times, delta, &x);
        check(&b, b.epsilon, NULL, delta, CASES[i].far_epsilon);
        check(&b, b.delta, &x, NULL, CASES[i].far_delta);
        both_close(&b);
        masses_clear(&m);
        logform_clear(&x);
    }
    mpq_clears(one, at, delta, NULL);
}

/* One moment proves what is above the profile and nothing below it; for the last, that needs the
 * peak of (1 - e^-y) e^-cy, which is far below 1. */
static const struct {
    const char *sigma, *rate;
    unsigned long times, x; /* hundredths */
    bool add;
    double above; /* times delta */
} MOMENTS[] = {
    {"1", "1/100", 1000, 182, false, 10},      {"1", "1/100", 1000, 5, false, 10},
    {"1/2", "1/2", 1, 20, false, 10},          {"3", "1/2", 1, 1, true, 10},
    {"4/5", "256/60000", 14040, 454, true, 6}, {"1", "1/100", 10000, 618, true, 6},
};

static void test_moment(void **state)
{
    (void)state;
    mpq_t one, at, delta, part;
    mpz_t times;
    mpq_inits(one, at, delta, part, NULL);
    mpz_init(times);
    mpq_set_ui(one, 1, 1);
    for (size_t i = 0; i < sizeof MOMENTS / sizeof MOMENTS[0]; i++) {
        product p;
        engine e;
        dp_figure f;
        logform x;
        product_init(&p);
        dp_figure_init(&f);
        logform_init(&x);
        mpq_set_ui(at, MOMENTS[i].x, 100);
        mpq_canonicalize(at);
        assert_true(logform_add_q(&x, one, at));
        mpq_set_str(at, MOMENTS[i].sigma, 10);
        mpq_set_str(part, MOMENTS[i].rate, 10);
        mpq_canonicalize(part);
        mpz_set_ui(times, MOMENTS[i].times);
        assert_int_equal(sampled_gaussian_add(&p, at, part, times, MOMENTS[i].add), DP_OK);
        assert_int_equal(engine_init(&e, &p), DP_OK);
        assert_int_equal(optimal_delta_at(&f, &e, &x, 5, &NO_LIMITS), DP_OK);
        mpfr_get_q(delta, &f.enclosure->left);
        assert_false(optimal_meets_by_moment(&e, &x, delta, &NO_LIMITS));
        mpq_set_d(part, MOMENTS[i].above);
        mpq_mul(delta, delta, part);
        assert_true(optimal_meets_by_moment(&e, &x, delta, &NO_LIMITS));
        logform_clear(&x);
        dp_figure_clear(&f);
        engine_clear(&e);
        product_clear(&p);
    }
    mpz_clear(times);
    mpq_clears(one, at, delta, part, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_both), cmocka_unit_test(test_moment)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
