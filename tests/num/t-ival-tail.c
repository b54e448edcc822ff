/* SPDX-License-Identifier: MIT */
/* Tails of the normal law beside MPFR's erfc, of intervals from points to wide ones. */
#include "support.h"

#include "num/ival.h"

/* About 2^-8 to 2^from, of either sign where `signs`. */
static void draw(mpfi_t x, rng *r, int from, bool signs)
{
    mpfr_set_ui_2exp(&x->left, (unsigned long)rng_wide(r, 1ULL << 32) + 1, -32, MPFR_RNDN);
    mpfr_div_ui(&x->left, &x->left, 3, MPFR_RNDN);
    mpfr_mul_2si(&x->left, &x->left, from - (long)rng_below(r, (size_t)from + 8), MPFR_RNDN);
    mpfr_set(&x->right, &x->left, MPFR_RNDN);
    for (size_t k = rng_below(r, 4); k > 0; k--)
        mpfr_nextabove(&x->right);
    if (rng_below(r, 6) == 0)
        mpfr_mul_d(&x->right, &x->right, rng_below(r, 2) ? 1.001 : 40, MPFR_RNDU);
    if (signs && rng_below(r, 3) == 0)
        mpfi_neg(x, x);
}

/* No end is more than 8 units beyond the value at one of x; a narrow x adds what it is wide. */
static void check_erfc(const mpfi_t x, mpfr_prec_t bits)
{
    mpfi_t out;
    mpfr_t low, high, unit;
    mpfi_init2(out, bits);
    mpfi_set(out, x);
    mpfr_inits2(bits + 100, low, high, unit, (mpfr_ptr)NULL);
    mpfr_erfc(low, &out->right, MPFR_RNDD);
    mpfr_erfc(high, &out->left, MPFR_RNDU);
    ival_to_erfc(out);
    assert_true(mpfr_lessequal_p(&out->left, low));
    assert_true(mpfr_greaterequal_p(&out->right, high));
    mpfr_sub(unit, high, low, MPFR_RNDU);
    if (mpfr_cmpabs(unit, low) > 0 || mpfr_zero_p(low))
        mpfr_set_zero(unit, 1); /* a wide one: each end is of its own value */
    mpfr_mul_2ui(unit, unit, 1, MPFR_RNDU);
    mpfr_sub(low, low, unit, MPFR_RNDD);
    mpfr_add(high, high, unit, MPFR_RNDU);
    if (!mpfr_zero_p(low) && mpfr_get_exp(low) > mpfr_get_emin() + 400) {
        mpfr_set_ui_2exp(unit, 8, mpfr_get_exp(low) - bits, MPFR_RNDU);
        mpfr_sub(low, low, unit, MPFR_RNDD);
        assert_true(mpfr_greaterequal_p(&out->left, low));
        mpfr_set_ui_2exp(unit, 8, mpfr_get_exp(high) - bits, MPFR_RNDU);
        mpfr_add(high, high, unit, MPFR_RNDU);
        assert_true(mpfr_lessequal_p(&out->right, high));
    }
    mpfr_clears(low, high, unit, (mpfr_ptr)NULL);
    mpfi_clear(out);
}

static void test_erfc(void **state)
{
    (void)state;
    rng r = rng_make(1);
    static const mpfr_prec_t bits[] = {24, 64, 90, 137, 300};
    mpfi_t x;
    for (int i = 0; i < rounds(2000); i++) {
        mpfr_prec_t of = bits[rng_below(&r, 5)];
        mpfi_init2(x, of);
        draw(x, &r, rng_below(&r, 5) == 0 ? 20 : 6, true);
        check_erfc(x, of);
        mpfi_clear(x);
    }
    mpfi_init2(x, 64); /* where MPFR and the fraction meet, below all numbers, and at both ends */
    static const double at[] = {2.5, 2.6, 27, 4e4, 1e300};
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        mpfi_set_d(x, at[i]);
        check_erfc(x, 64);
        mpfi_interv_d(x, -at[i], at[i]);
        check_erfc(x, 64);
    }
    mpfr_set_inf(&x->right, 1);
    mpfr_set_d(&x->left, 3, MPFR_RNDN);
    check_erfc(x, 64);
    mpfr_set_inf(&x->left, 1);
    check_erfc(x, 64);
    mpfi_clear(x);
}

/* Where it tells, at 200 bits more the same, and what Phi(-t) over the density is. */
static void test_mills(void **state)
{
    (void)state;
    rng r = rng_make(2);
    mpfi_t x, out, value, density;
    size_t told = 0;
    for (int i = 0; i < rounds(500); i++) {
        mpfr_prec_t of = 40 + (mpfr_prec_t)rng_below(&r, 200);
        mpfi_init2(x, of);
        mpfi_init2(out, of);
        mpfi_init2(value, 4 * of + 4000);
        mpfi_init2(density, 4 * of + 4000);
        draw(x, &r, 5, false);
        mpfr_set(&x->right, &x->left, MPFR_RNDN);
        if (ival_mills(out, x)) {
            told++;
            mpfi_set_ui(value, 2);
            mpfi_sqrt(value, value);
            mpfi_div(value, x, value);
            mpfr_erfc(&value->left, &value->left, MPFR_RNDN); /* far beyond the bits of out */
            mpfr_div_2ui(&value->left, &value->left, 1, MPFR_RNDN);
            mpfi_sqr(density, x);
            mpfi_div_2ui(density, density, 1);
            mpfi_exp(density, density);
            mpfr_mul(&value->left, &value->left, &density->left, MPFR_RNDN);
            mpfi_const_pi(density);
            mpfi_mul_2ui(density, density, 1);
            mpfi_sqrt(density, density);
            mpfr_mul(&value->left, &value->left, &density->left, MPFR_RNDN);
            assert_true(mpfr_greaterequal_p(&value->left, &out->left));
            assert_true(mpfr_lessequal_p(&value->left, &out->right));
            mpfr_sub(&value->right, &out->right, &out->left, MPFR_RNDU);
            assert_true(mpfr_get_exp(&value->right) < mpfr_get_exp(&out->left) - of + 5);
        }
        mpfi_clear(x);
        mpfi_clear(out);
        mpfi_clear(value);
        mpfi_clear(density);
    }
    assert_true(told > (size_t)rounds(500) / 20);
    mpfi_init2(x, 64);
    mpfi_init2(out, 64);
    mpfi_set_d(x, 0.5);
    assert_false(ival_mills(out, x)); /* too many levels */
    mpfi_set_si(x, -3);
    assert_false(ival_mills(out, x));
    mpfi_clear(out);
    mpfi_clear(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_erfc), cmocka_unit_test(test_mills)};
    return cmocka_run_group_tests_name("ival-tail", tests, NULL, NULL);
}
