/* SPDX-License-Identifier: MIT */
/* Inverse questions of bagging: the answer meets the target and one more does not, ties are decided
 * exactly. Whether a candidate meets it is judged here by powers, not by the library. */
#include "support.h"

/* Is 1 - base^count <= delta? Rationals where they are small, 2000 bits elsewhere. */
static bool power_meets(const mpq_t base, const mpz_t count, const mpq_t delta)
{
    bool meets;
    mpq_t keep;
    mpq_init(keep);
    mpz_sub(mpq_numref(keep), mpq_denref(delta), mpq_numref(delta));
    mpz_set(mpq_denref(keep), mpq_denref(delta));
    if (mpz_cmp_ui(count, 2000) <= 0) {
        mpq_t power;
        mpq_init(power);
        mpz_pow_ui(mpq_numref(power), mpq_numref(base), mpz_get_ui(count));
        mpz_pow_ui(mpq_denref(power), mpq_denref(base), mpz_get_ui(count));
        meets = mpq_cmp(power, keep) >= 0;
        mpq_clear(power);
    } else {
        mpfr_t low, high;
        mpfr_inits2(2000, low, high, (mpfr_ptr)NULL);
        mpfr_set_q(low, base, MPFR_RNDD);
        mpfr_pow_z(low, low, count, MPFR_RNDD);
        mpfr_set_q(high, base, MPFR_RNDU);
        mpfr_pow_z(high, high, count, MPFR_RNDU);
        meets = mpfr_cmp_q(low, keep) >= 0;
        assert_int_equal(meets, mpfr_cmp_q(high, keep) >= 0);
        mpfr_clears(low, high, (mpfr_ptr)NULL);
    }
    mpq_clear(keep);
    return meets;
}

static bool meets(const dp_bagging *b, const mpz_t k, const mpz_t models, const mpq_t delta)
{
    mpq_t base;
    mpz_t count;
    mpq_init(base);
    mpz_init(count);
    mpz_mul(count, k, models);
    mpz_set(mpq_denref(base), b->dataset_size);
    if (b->sampling == DP_WITH_REPLACEMENT) {
        mpz_sub_ui(mpq_numref(base), b->dataset_size, 1);
    } else if (b->sampling == DP_WITHOUT_DISJOINT) {
        mpz_sub(mpq_numref(base), b->dataset_size, count);
        mpz_set_ui(count, 1);
    } else {
        mpz_sub(mpq_numref(base), b->dataset_size, k);
        mpz_set(count, models);
    }
    bool answer = mpq_sgn(base) >= 0;
    mpq_canonicalize(base);
    answer = answer && power_meets(base, count, delta);
    mpz_clear(count);
    mpq_clear(base);
    return answer;
}

static void solve(dp_result *r, const dp_bagging *b, dp_bagging_unknown unknown,
                  const mpq_t max_delta)
{
    dp_number limit;
    dp_options opt = dp_options_default();
    dp_number_init(&limit);
    mpq_set(limit.value, max_delta);
    opt.max_delta = &limit;
    assert_int_equal(dp_bagging_solve(r, b, unknown, &opt, NULL), DP_OK);
    static const char *const names[] = {
        [DP_SOLVE_SUBSAMPLE_SIZE] = "k", [DP_SOLVE_MODELS] = "N", [DP_SOLVE_RATE] = "q"};
    const dp_figure *f = dp_result_figure(r, names[unknown]);
    bool some = f->kind == DP_INFINITE || mpq_sgn(f->rational) > 0;
    assert_int_equal(r->check.holds, some ? DP_YES : DP_NO);
    dp_number_clear(&limit);
}

/* The answer fits, the next number does not. */
static void check_solved(dp_bagging *b, dp_bagging_unknown unknown, const mpq_t max_delta)
{
    dp_result r;
    dp_result_init(&r);
    solve(&r, b, unknown, max_delta);
    bool for_k = unknown == DP_SOLVE_SUBSAMPLE_SIZE;
    const dp_figure *f = dp_result_figure(&r, for_k ? "k" : "N");
    assert_int_equal(f->kind, DP_RATIONAL);
    assert_int_equal(mpz_cmp_ui(mpq_denref(f->rational), 1), 0);
    mpz_t z;
    mpz_init_set(z, mpq_numref(f->rational));
    assert_true(meets(b, for_k ? z : b->subsample_size, for_k ? b->models : z, max_delta));
    mpz_add_ui(z, z, 1);
    assert_false(meets(b, for_k ? z : b->subsample_size, for_k ? b->models : z, max_delta));
    mpz_clear(z);
    dp_result_clear(&r);
}

static void test_random(void **state)
{
    (void)state;
    rng r = rng_make(31);
    dp_bagging b;
    mpq_t delta;
    dp_bagging_init(&b);
    mpq_init(delta);
    for (int i = 0; i < rounds(500); i++) {
        b.sampling = (dp_sampling)(i % 3);
        mpz_set_ui(b.dataset_size, 2 + rng_below(&r, 1UL << (1 + rng_below(&r, 60))));
        mpz_set_ui(b.subsample_size, 1 + rng_below(&r, 5));
        mpz_set_ui(b.models, 1 + rng_below(&r, 5));
        if (b.sampling == DP_WITHOUT_INDEPENDENT && mpz_cmp(b.subsample_size, b.dataset_size) >= 0)
            mpz_set_ui(b.subsample_size, 1);
        mpz_set_ui(mpq_numref(delta), rng_below(&r, 1000));
        mpz_ui_pow_ui(mpq_denref(delta), 10, 3 + rng_below(&r, 15));
        mpq_canonicalize(delta);
        check_solved(&b, DP_SOLVE_SUBSAMPLE_SIZE, delta);
        check_solved(&b, DP_SOLVE_MODELS, delta);
    }
    mpq_clear(delta);
    dp_bagging_clear(&b);
}

/* delta = 1 - base^m is met with equality; a hair less is not. */
static void check_tie(dp_bagging *b, dp_bagging_unknown unknown, unsigned long base_top,
                      unsigned long base_below, unsigned long count, unsigned long expected)
{
    mpq_t delta, hair;
    mpq_inits(delta, hair, NULL);
    mpz_ui_pow_ui(mpq_numref(delta), base_top, count);
    mpz_ui_pow_ui(mpq_denref(delta), base_below, count);
    mpz_sub(mpq_numref(delta), mpq_denref(delta), mpq_numref(delta));
    mpq_canonicalize(delta);
    mpz_set_ui(mpq_numref(hair), 1);
    mpz_ui_pow_ui(mpq_denref(hair), 10, 500);
    for (int less = 0; less < 2; less++) {
        dp_result r;
        dp_result_init(&r);
        solve(&r, b, unknown, delta);
        const dp_figure *f = dp_result_figure(&r, unknown == DP_SOLVE_SUBSAMPLE_SIZE ? "k" : "N");
        assert_int_equal(mpq_cmp_ui(f->rational, less ? expected - 1 : expected, 1), 0);
        dp_result_clear(&r);
        mpq_sub(delta, delta, hair);
    }
    mpq_clears(delta, hair, NULL);
}

static void test_ties(void **state)
{
    (void)state;
    dp_bagging b;
    dp_bagging_init(&b);
    static const unsigned long sizes[] = {2, 3, 10, 16, 97, 60000};
    for (size_t i = 0; i < 6; i++)
        for (unsigned long m = 1; m <= 40; m += 6) {
            unsigned long n = sizes[i];
            mpz_set_ui(b.dataset_size, n);
            b.sampling = DP_WITH_REPLACEMENT;
            mpz_set_ui(b.models, 3);
            check_tie(&b, DP_SOLVE_SUBSAMPLE_SIZE, n - 1, n, 3 * m, m);
            mpz_set_ui(b.subsample_size, 2);
            check_tie(&b, DP_SOLVE_MODELS, n - 1, n, 2 * m, m);
            b.sampling = DP_WITHOUT_INDEPENDENT;
            mpz_set_ui(b.subsample_size, n / 2);
            check_tie(&b, DP_SOLVE_MODELS, n - n / 2, n, m, m);
            mpz_set_ui(b.models, m);
            check_tie(&b, DP_SOLVE_SUBSAMPLE_SIZE, n - n / 2, n, m, n / 2);
            b.sampling = DP_WITHOUT_DISJOINT;
            mpz_set_ui(b.models, 1);
            check_tie(&b, DP_SOLVE_SUBSAMPLE_SIZE, n - n / 2, n, 1, n / 2);
        }
    dp_bagging_clear(&b);
}

/* With replacement and certainty allowed any number will do; without, what there is. */
static void test_ends(void **state)
{
    (void)state;
    dp_bagging b;
    dp_result r;
    mpq_t delta;
    dp_bagging_init(&b);
    dp_result_init(&r);
    mpq_init(delta);
    mpz_set_ui(b.dataset_size, 10);
    mpz_set_ui(b.models, 3);
    mpz_set_ui(b.subsample_size, 4);
    solve(&r, &b, DP_SOLVE_SUBSAMPLE_SIZE, delta); /* 0 */
    assert_int_equal(mpq_sgn(dp_result_figure(&r, "k")->rational), 0);
    mpq_set_ui(delta, 1, 1);
    solve(&r, &b, DP_SOLVE_SUBSAMPLE_SIZE, delta);
    assert_int_equal(dp_result_figure(&r, "k")->kind, DP_INFINITE);
    b.sampling = DP_WITHOUT_DISJOINT;
    solve(&r, &b, DP_SOLVE_SUBSAMPLE_SIZE, delta);
    assert_int_equal(mpq_cmp_ui(dp_result_figure(&r, "k")->rational, 3, 1), 0);
    solve(&r, &b, DP_SOLVE_MODELS, delta);
    assert_int_equal(mpq_cmp_ui(dp_result_figure(&r, "N")->rational, 2, 1), 0);
    b.sampling = DP_WITHOUT_INDEPENDENT;
    solve(&r, &b, DP_SOLVE_SUBSAMPLE_SIZE, delta);
    assert_int_equal(mpq_cmp_ui(dp_result_figure(&r, "k")->rational, 10, 1), 0);
    mpz_set_ui(b.dataset_size, 1);
    b.sampling = DP_WITH_REPLACEMENT;
    mpq_set_ui(delta, 999, 1000);
    solve(&r, &b, DP_SOLVE_MODELS, delta);
    assert_int_equal(mpq_sgn(dp_result_figure(&r, "N")->rational), 0);
    mpq_clear(delta);
    dp_result_clear(&r);
    dp_bagging_clear(&b);
}

static void set_rate(dp_bagging *b, const mpq_t q)
{
    b->sampling = DP_POISSON;
    mpq_set(b->sampling_rate, q);
}

/* The rate is the largest of its digits: (1-q)^N >= 1 - delta, and not one unit higher. */
static void test_rate(void **state)
{
    (void)state;
    rng r = rng_make(32);
    for (int i = 0; i < rounds(100); i++) {
        dp_bagging b;
        dp_result out;
        mpq_t delta, q, unit, one;
        dp_bagging_init(&b);
        dp_result_init(&out);
        mpq_inits(delta, q, unit, one, NULL);
        mpq_set_ui(one, 1, 1);
        set_rate(&b, one);
        mpz_set_ui(b.models, 1 + rng_below(&r, 50));
        mpq_set_ui(delta, 1 + rng_below(&r, 999), 1000 + rng_below(&r, 1000000));
        mpq_canonicalize(delta);
        solve(&out, &b, DP_SOLVE_RATE, delta);
        mpq_set(q, dp_result_figure(&out, "q")->rational);
        mpq_set_ui(unit, 1, 1); /* ten digits: 10^-10 of the next power of ten */
        while (mpq_cmp(unit, q) > 0)
            mpz_mul_ui(mpq_denref(unit), mpq_denref(unit), 10);
        mpz_mul_ui(mpq_denref(unit), mpq_denref(unit), 1000000000UL);
        mpq_sub(q, one, q);
        assert_true(power_meets(q, b.models, delta));
        mpq_sub(q, q, unit);
        assert_false(power_meets(q, b.models, delta));
        mpq_clears(delta, q, unit, one, NULL);
        dp_result_clear(&out);
        dp_bagging_clear(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_rate),
    };
    return cmocka_run_group_tests_name("bagging, solved", tests, NULL, NULL);
}
