/* SPDX-License-Identifier: MIT */
/* e^x, e^x - 1 and ln(1 + x) of intervals about as wide as a unit beside their values at both ends.
 */
#include "support.h"

#include "num/ival.h"

#define BITS 64  /* of x: functions of one word */
#define MORE 100 /* and those of more */

typedef void function(mpfi_t out, const mpfi_t x);
typedef int value_of(mpfr_t out, mpfr_srcptr x, mpfr_rnd_t way);

/* It holds the values at the ends, and no end is more than three units or what x is wide beyond. */
static void check_at(mpfr_prec_t bits, function *f, value_of *g, const mpfi_t x)
{
    mpfi_t out;
    mpfr_t at, off, unit;
    mpfi_init2(out, bits);
    mpfr_inits2(bits + 200, at, off, unit, (mpfr_ptr)NULL);
    f(out, x);
    g(at, &x->left, MPFR_RNDD);
    assert_true(mpfr_lessequal_p(&out->left, at));
    g(at, &x->right, MPFR_RNDU);
    assert_true(mpfr_greaterequal_p(&out->right, at));
    mpfr_sub(off, &out->right, at, MPFR_RNDU);
    mpfr_set_ui_2exp(unit, 3, mpfr_zero_p(at) ? 0 : mpfr_get_exp(at) - bits, MPFR_RNDU);
    assert_true(mpfr_lessequal_p(off, unit));
    mpfi_clear(out);
    mpfr_clears(at, off, unit, (mpfr_ptr)NULL);
}

static void check(function *f, value_of *g, const mpfi_t x)
{
    check_at(BITS, f, g, x);
    check_at(MORE, f, g, x);
}

static void test_ends(void **state)
{
    (void)state;
    rng r = rng_make(1);
    mpfi_t x;
    mpfi_init2(x, BITS);
    for (int i = 0; i < rounds(6000); i++) {
        mpfr_set_ui_2exp(&x->left, (unsigned long)rng_wide(&r, 1ULL << 32), 32, MPFR_RNDN);
        mpfr_add_ui(&x->left, &x->left, 1 | (unsigned long)rng_wide(&r, 1ULL << 32), MPFR_RNDN);
        mpfr_mul_2si(&x->left, &x->left, -64 - (long)rng_below(&r, i % 2 ? 9 : 120), MPFR_RNDN);
        if (i % 3 == 0)
            mpfr_neg(&x->left, &x->left, MPFR_RNDN);
        mpfr_set(&x->right, &x->left, MPFR_RNDN);
        for (size_t k = rng_below(&r, 4) * (i % 7 == 0 ? 100 : 1); k > 0; k--)
            mpfr_nextabove(&x->right);
        check(ival_log1p, mpfr_log1p, x);
        mpfi_mul_ui(x, x, i % 5 == 0 ? 64 : 1);
        check(ival_expm1, mpfr_expm1, x);
        check(ival_exp, mpfr_exp, x);
    }
    mpfi_set_ui(x, 0);
    check(ival_exp, mpfr_exp, x);
    check(ival_expm1, mpfr_expm1, x);
    check(ival_log1p, mpfr_log1p, x);
    mpfi_set_si(x, -1); /* -inf there; next to it */
    mpfr_nextabove(&x->left);
    mpfr_set(&x->right, &x->left, MPFR_RNDN);
    check(ival_log1p, mpfr_log1p, x);
    mpfr_nextabove(&x->right);
    check(ival_log1p, mpfr_log1p, x);
    mpfi_clear(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ends)};
    return cmocka_run_group_tests_name("ival", tests, NULL, NULL);
}
