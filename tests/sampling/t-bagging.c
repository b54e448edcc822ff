/* SPDX-License-Identifier: MIT */
/* Bagging with any learner: containment against exact powers, the domain, monotony. */
#include "support.h"

#include <string.h>

#include "num/wide.h"

/* How often a fixed record is missed, written down again: base^count. */
static void miss(mpq_t base, mpz_t count, const dp_bagging *b)
{
    mpz_set_ui(count, 1);
    if (b->sampling == DP_POISSON) {
        mpq_set_ui(base, 1, 1);
        mpq_sub(base, base, b->sampling_rate);
        mpz_set(count, b->models);
        return;
    }
    mpz_set(mpq_denref(base), b->dataset_size);
    mpz_set(mpq_numref(base), b->dataset_size);
    if (b->sampling == DP_WITH_REPLACEMENT) {
        mpz_sub_ui(mpq_numref(base), mpq_numref(base), 1);
        mpz_mul(count, b->models, b->subsample_size);
    } else if (b->sampling == DP_WITHOUT_INDEPENDENT) {
        mpz_sub(mpq_numref(base), mpq_numref(base), b->subsample_size);
        mpz_set(count, b->models);
    } else {
        mpz_submul(mpq_numref(base), b->models, b->subsample_size);
    }
    mpq_canonicalize(base);
}

/* 1 - base^count, exactly */
static void exact_delta(mpq_t out, const dp_bagging *b)
{
    mpz_t count;
    mpz_init(count);
    miss(out, count, b);
    mpz_pow_ui(mpq_numref(out), mpq_numref(out), mpz_get_ui(count));
    mpz_pow_ui(mpq_denref(out), mpq_denref(out), mpz_get_ui(count));
    mpz_sub(mpq_numref(out), mpq_denref(out), mpq_numref(out));
    mpq_canonicalize(out);
    mpz_clear(count);
}

/* Between low and high by plain powers at 1000 bits: a path that the library does not take. */
static void power_delta(mpfr_t low, mpfr_t high, const dp_bagging *b)
{
    mpq_t base;
    mpz_t count;
    mpq_init(base);
    mpz_init(count);
    miss(base, count, b);
    for (int up = 0; up < 2; up++) {
        mpfr_ptr out = up ? low : high;
        mpfr_set_q(out, base, up ? MPFR_RNDU : MPFR_RNDD);
        mpfr_pow_z(out, out, count, up ? MPFR_RNDU : MPFR_RNDD);
        mpfr_ui_sub(out, 1, out, up ? MPFR_RNDD : MPFR_RNDU);
    }
    mpz_clear(count);
    mpq_clear(base);
}

static void random_size(mpz_t z, rng *r, unsigned most_bits)
{
    wide_set_z(z, rng_next(r));
    mpz_mul_2exp(z, z, 32);
    mpz_add_ui(z, z, (unsigned long)(rng_next(r) >> 32));
    mpz_fdiv_r_2exp(z, z, 1 + rng_below(r, most_bits));
    mpz_add_ui(z, z, 1);
}

/* A random query of the scheme; all values admissible. */
static void random_bagging(dp_bagging *b, rng *r, dp_sampling sampling, unsigned draw_bits)
{
    b->sampling = sampling;
    random_size(b->dataset_size, r, 90);
    random_size(b->models, r, draw_bits);
    random_size(b->subsample_size, r, sampling == DP_WITH_REPLACEMENT ? draw_bits : 80);
    if (sampling == DP_WITHOUT_INDEPENDENT && mpz_cmp(b->subsample_size, b->dataset_size) > 0)
        mpz_set(b->subsample_size, b->dataset_size);
    if (sampling == DP_WITHOUT_DISJOINT) {
        if (mpz_cmp(b->models, b->dataset_size) > 0)
            mpz_set_ui(b->models, 1);
        mpz_t most;
        mpz_init(most);
        mpz_fdiv_q(most, b->dataset_size, b->models);
        if (mpz_cmp(b->subsample_size, most) > 0)
            mpz_set(b->subsample_size, most);
        mpz_clear(most);
    }
    if (sampling == DP_POISSON) {
        mpz_set_ui(mpq_numref(b->sampling_rate), rng_below(r, 1000));
        mpz_set_ui(mpq_denref(b->sampling_rate), 999 + rng_below(r, 1U << 30));
        mpq_canonicalize(b->sampling_rate);
    }
    b->adjacency = rng_below(r, 2) == 0 ? DP_ADD_REMOVE : DP_REPLACE_ONE;
}

static const dp_figure *delta_of(dp_result *r, const dp_bagging *b, size_t digits)
{
    dp_options opt = dp_options_default();
    opt.digits = digits;
    assert_int_equal(dp_bagging_privacy(r, b, &opt, NULL), DP_OK);
    const dp_figure *epsilon = dp_result_figure(r, "epsilon");
    assert_true(epsilon->kind == DP_RATIONAL && mpq_sgn(epsilon->rational) == 0);
    return dp_result_figure(r, "delta");
}

static void check_printed(const dp_figure *f, const mpq_t exact, size_t digits)
{
    mpq_t end;
    mpq_init(end);
    for (int upper = 0; upper < 2; upper++) {
        char *text = dp_figure_decimal(f, upper ? DP_UPPER : DP_LOWER, digits);
        rational_of(end, text);
        assert_true(upper ? mpq_cmp(end, exact) >= 0 : mpq_cmp(end, exact) <= 0);
        dp_text_free(text);
    }
    mpq_set_d(end, dp_figure_double_up(f, digits));
    assert_true(mpq_cmp(end, exact) >= 0);
    mpq_clear(end);
}

static void test_exact_powers(void **state)
{
    (void)state;
    rng r = rng_make(21);
    dp_bagging b;
    dp_result out;
    mpq_t exact;
    dp_bagging_init(&b);
    dp_result_init(&out);
    mpq_init(exact);
    for (int i = 0; i < rounds(4000); i++) {
        random_bagging(&b, &r, (dp_sampling)(i % 4), 6);
        size_t digits = 1 + rng_below(&r, 40);
        const dp_figure *delta = delta_of(&out, &b, digits);
        exact_delta(exact, &b);
        assert_true(figure_holds_q(delta, exact));
        check_printed(delta, exact, digits);
        assert_true(dp_figure_le(delta, exact) != DP_NO);
    }
    mpq_clear(exact);
    dp_result_clear(&out);
    dp_bagging_clear(&b);
}

static void test_large_powers(void **state)
{
    (void)state;
    rng r = rng_make(22);
    dp_bagging b;
    dp_result out;
    mpfr_t low, high;
    dp_bagging_init(&b);
    dp_result_init(&out);
    mpfr_inits2(1000, low, high, (mpfr_ptr)NULL);
    for (int i = 0; i < rounds(2000); i++) {
        random_bagging(&b, &r, (dp_sampling)(i % 4), 90);
        const dp_figure *delta = delta_of(&out, &b, 1 + rng_below(&r, 60));
        power_delta(low, high, &b);
        assert_true(figure_holds_fr(delta, low, high));
    }
    mpfr_clears(low, high, (mpfr_ptr)NULL);
    dp_result_clear(&out);
    dp_bagging_clear(&b);
}

static void set_sizes(dp_bagging *b, const char *n, const char *k, const char *models)
{
    assert_int_equal(mpz_set_str(b->dataset_size, n, 10), 0);
    assert_int_equal(mpz_set_str(b->subsample_size, k, 10), 0);
    assert_int_equal(mpz_set_str(b->models, models, 10), 0);
}

static void expect_delta(dp_sampling sampling, const char *n, const char *k, const char *models,
                         const char *expected)
{
    dp_bagging b;
    dp_result out;
    mpq_t exact;
    dp_bagging_init(&b);
    dp_result_init(&out);
    mpq_init(exact);
    b.sampling = sampling;
    set_sizes(&b, n, k, models);
    rational_of(exact, expected);
    const dp_figure *delta = delta_of(&out, &b, 30);
    assert_true(delta->kind == DP_RATIONAL && mpq_equal(delta->rational, exact));
    mpq_clear(exact);
    dp_result_clear(&out);
    dp_bagging_clear(&b);
}

static void test_edges(void **state)
{
    (void)state;
    expect_delta(DP_WITH_REPLACEMENT, "1", "1", "1", "1");
    expect_delta(DP_WITH_REPLACEMENT, "1", "1000000000000000000000", "5", "1");
    expect_delta(DP_WITH_REPLACEMENT, "10", "2", "1", "0.19");
    expect_delta(DP_WITH_REPLACEMENT, "10", "1", "2", "0.19");
    expect_delta(DP_WITH_REPLACEMENT, "1000000000000000000", "1", "1", "1e-18");
    expect_delta(DP_WITHOUT_DISJOINT, "10", "5", "2", "1");
    expect_delta(DP_WITHOUT_DISJOINT, "1000000000000000000", "3", "7", "21e-18");
    expect_delta(DP_WITHOUT_INDEPENDENT, "2", "1", "2", "3/4");
    expect_delta(DP_WITHOUT_INDEPENDENT, "5", "5", "1000000000000000000000", "1");
    expect_delta(DP_WITHOUT_INDEPENDENT, "10", "2", "2", "0.36");
}

static void expect_domain(dp_sampling sampling, const char *n, const char *k, const char *models,
                          const char *rate, const char *argument)
{
    dp_bagging b;
    dp_result out;
    dp_error err = {DP_OK, NULL, NULL};
    dp_options opt = dp_options_default();
    dp_bagging_init(&b);
    dp_result_init(&out);
    b.sampling = sampling;
    set_sizes(&b, n, k, models);
    rational_of(b.sampling_rate, rate);
    assert_int_equal(dp_bagging_privacy(&out, &b, &opt, &err), DP_DOMAIN);
    assert_int_equal(err.status, DP_DOMAIN);
    assert_string_equal(err.argument, argument);
    assert_true(strlen(err.message) > 5);
    assert_int_equal(dp_bagging_privacy(&out, &b, &opt, NULL), DP_DOMAIN);
    dp_result_clear(&out);
    dp_bagging_clear(&b);
}

static void test_domain(void **state)
{
    (void)state;
    for (int s = DP_WITH_REPLACEMENT; s <= DP_WITHOUT_INDEPENDENT; s++) {
        expect_domain((dp_sampling)s, "0", "1", "1", "0", "dataset_size");
        expect_domain((dp_sampling)s, "-1", "1", "1", "0", "dataset_size");
        expect_domain((dp_sampling)s, "9", "0", "1", "0", "subsample_size");
        expect_domain((dp_sampling)s, "9", "1", "0", "0", "models");
    }
    expect_domain(DP_WITHOUT_DISJOINT, "9", "5", "2", "0", "subsample_size");
    expect_domain(DP_WITHOUT_DISJOINT, "1", "2", "1", "0", "subsample_size");
    expect_domain(DP_WITHOUT_INDEPENDENT, "9", "10", "1", "0", "subsample_size");
    expect_domain(DP_POISSON, "9", "1", "1", "1.1", "sampling_rate");
    expect_domain(DP_POISSON, "9", "1", "1", "-0.1", "sampling_rate");
    expect_domain(DP_POISSON, "9", "1", "0", "0.1", "models");
}

/* with replacement <= independent <= disjoint; delta falls in n and rises in k and N */
static void test_order(void **state)
{
    (void)state;
    rng r = rng_make(23);
    dp_bagging b;
    dp_result a, c;
    dp_bagging_init(&b);
    dp_result_init(&a);
    dp_result_init(&c);
    for (int i = 0; i < rounds(1000); i++) {
        random_bagging(&b, &r, DP_WITHOUT_DISJOINT, 70);
        b.sampling = DP_WITH_REPLACEMENT;
        const dp_figure *less = delta_of(&a, &b, 30);
        b.sampling = DP_WITHOUT_INDEPENDENT;
        assert_true(figure_may_be_le(less, delta_of(&c, &b, 30)));
        b.sampling = DP_WITHOUT_DISJOINT;
        assert_true(figure_may_be_le(dp_result_figure(&c, "delta"), delta_of(&a, &b, 30)));
        b.sampling = (dp_sampling)(i % 3);
        const dp_figure *before = delta_of(&a, &b, 30);
        mpz_mul_ui(b.dataset_size, b.dataset_size, 2);
        const dp_figure *after = delta_of(&c, &b, 30);
        assert_true(figure_may_be_le(after, before));
        assert_false(figure_may_be_le(before, after));
        mpz_mul_ui(i % 2 == 0 ? b.subsample_size : b.models,
                   i % 2 == 0 ? b.subsample_size : b.models, 2);
        before = delta_of(&a, &b, 30);
        assert_true(figure_may_be_le(dp_result_figure(&c, "delta"), before));
    }
    dp_result_clear(&c);
    dp_result_clear(&a);
    dp_bagging_clear(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_powers), cmocka_unit_test(test_large_powers),
        cmocka_unit_test(test_edges),        cmocka_unit_test(test_domain),
        cmocka_unit_test(test_order),
    };
    return cmocka_run_group_tests_name("bagging", tests, NULL, NULL);
}
