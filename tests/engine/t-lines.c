/* SPDX-License-Identifier: MIT */
/* The line of a trapezoidal sum where nodes are dear: among those of few nodes one whose waves fit
 * into fixed point, and the sum is that of another line. */
#include "../loss/laws.h"

#include "engine/invert.h"
#include "engine/plain.h"
#include "loss/sampled_gaussian.h"
#include "loss/sampled_gaussian_fixed.h"

static const limits NO_LIMITS = {0};

#define BITS 43.0
#define SPARE 32 /* bits of a sum beyond those of its waves */

static void open_steps(product *p, engine *e)
{
    mpq_t sigma, rate;
    mpz_t times;
    mpq_inits(sigma, rate, NULL);
    mpq_set_ui(sigma, 1, 1);
    mpq_set_ui(rate, 1, 100);
    mpz_init_set_ui(times, 1000);
    product_init(p);
    assert_int_equal(sampled_gaussian_add(p, sigma, rate, times, false), DP_OK);
    assert_int_equal(engine_init(e, p), DP_OK);
    mpz_clear(times);
    mpq_clears(sigma, rate, NULL);
}

static void evaluate(mpfi_t s, trapezoid *t, const engine *e, double x, double bits)
{
    mpfi_t at;
    mpfr_t slope;
    mpfi_init2(at, 64);
    mpfr_init2(slope, 32);
    mpfi_set_d(at, x);
    assert_int_equal(plain_open(t, &e->all, x, bits, 0, &NO_LIMITS), DP_OK);
    plain_profile(s, slope, t, at);
    mpfr_clear(slope);
    mpfi_clear(at);
}

static void test_waves_fit(void **state)
{
    (void)state;
    static const double at[] = {1.8, 9.3, 23.8, 29.6, 43.5, 57.5, 85.5};
    product p;
    engine e;
    open_steps(&p, &e);
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        trapezoid few, more;
        mpfi_t s, fine;
        mpfi_init2(s, 128);
        mpfi_init2(fine, 256);
        evaluate(s, &few, &e, at[i], BITS);
        evaluate(fine, &more, &e, at[i], 3 * BITS);
        assert_true(few.work <= SGM_FIXED_BITS + SPARE);
        assert_true(mpfr_lessequal_p(&s->left, &fine->right));
        assert_true(mpfr_lessequal_p(&fine->left, &s->right));
        mpfr_sub(&fine->right, &s->right, &s->left, MPFR_RNDU);
        mpfr_div(&fine->right, &fine->right, &s->left, MPFR_RNDU);
        assert_true(mpfr_cmp_d(&fine->right, 1e-12) < 0);
        trapezoid_close(&more);
        trapezoid_close(&few);
        mpfi_clear(fine);
        mpfi_clear(s);
    }
    engine_clear(&e);
    product_clear(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_waves_fit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
