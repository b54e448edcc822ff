/* SPDX-License-Identifier: MIT */
/* Doubles with proved errors beside MPFR: units of the circle, exponentials and turns, at random
 * and where tables and reductions change; and what makes them unfit for use. */
#include "support.h"

#include <fenv.h>
#include <math.h>

#include "num/binary64.h"

#define BITS 128

/* |x - truth| in units of u */
static double off(double x, mpfr_srcptr truth)
{
    mpfr_t d;
    mpfr_init2(d, BITS);
    mpfr_sub_d(d, truth, x, MPFR_RNDN);
    double e = fabs(mpfr_get_d(d, MPFR_RNDN)) / BINARY64_U;
    mpfr_clear(d);
    return e;
}

static void check_unit(double *worst, const binary64_circle *c, uint64_t phase)
{
    mpfr_t angle, re, im;
    double x, y;
    mpfr_inits2(BITS, angle, re, im, (mpfr_ptr)NULL);
    mpfr_const_pi(angle, MPFR_RNDN);
    mpfr_mul_d(angle, angle, (double)(phase >> 32), MPFR_RNDN);
    mpfr_const_pi(re, MPFR_RNDN);
    mpfr_mul_d(re, re, ldexp((double)(phase & UINT32_MAX), -32), MPFR_RNDN);
    mpfr_add(angle, angle, re, MPFR_RNDN);
    mpfr_mul_2si(angle, angle, -31, MPFR_RNDN);
    mpfr_sin_cos(im, re, angle, MPFR_RNDN);
    binary64_unit(&x, &y, c, phase);
    double e = hypot(off(x, re), off(y, im));
    if (e > BINARY64_UNIT_ERROR - 0.1) /* the rest is for the phase */
        fail_msg("unit at %llx: %g u", (unsigned long long)phase, e);
    *worst = fmax(*worst, e);
    mpfr_clears(angle, re, im, (mpfr_ptr)NULL);
}

static void test_units(void **state)
{
    (void)state;
    static binary64_circle c;
    binary64_circle_init(&c);
    rng r = rng_make(1401);
    double worst = 0;
    for (uint64_t j = 0; j < BINARY64_UNITS; j++) {
        uint64_t edge = j << (64 - BINARY64_UNIT_BITS);
        check_unit(&worst, &c, edge);
        check_unit(&worst, &c, edge - 1);
        check_unit(&worst, &c, edge + (UINT64_C(1) << 53));
    }
    for (int i = 0; i < rounds(2000); i++)
        check_unit(&worst, &c, rng_next(&r));
    assert_true(worst > 0.8); /* the bound is not idle */
}

static void check_exp(double *worst, double y)
{
    mpfr_t truth;
    mpfr_init2(truth, BITS);
    mpfr_set_d(truth, -y, MPFR_RNDN);
    mpfr_exp(truth, truth, MPFR_RNDN);
    double e = off(binary64_exp_neg(y), truth) / mpfr_get_d(truth, MPFR_RNDN);
    if (!(e <= BINARY64_EXP_ERROR))
        fail_msg("e^-%a: %g u", y, e);
    *worst = fmax(*worst, e);
    mpfr_clear(truth);
}

static void test_exp(void **state)
{
    (void)state;
    rng r = rng_make(1402);
    double worst = 0, half = 0.34657359027997264;
    const double edge[] = {0, 0x1p-1074, 0x1p-1022, 1e-300, 0x1p-53, 0x1p-54, 700, 699.9999999};
    for (size_t i = 0; i < sizeof edge / sizeof *edge; i++)
        check_exp(&worst, edge[i]);
    for (int n = 1; n < 2 * 1009; n += 2) { /* where the multiple of ln 2 changes */
        check_exp(&worst, fmin(n * half, 700));
        check_exp(&worst, fmin(nextafter(n * half, 1e3), 700));
        check_exp(&worst, fmin(nextafter(n * half, 0), 700));
    }
    for (int i = 0; i < rounds(5000); i++) {
        double y = 700 * ldexp((double)(rng_next(&r) >> 11), -53);
        check_exp(&worst, i % 2 == 0 ? y : y / 700);
    }
    assert_true(worst > 1);
}

/* A turn is cut at 2^-128, and a phase within 3 units of n turns, up to n = 2^32. */
static void test_turns(void **state)
{
    (void)state;
    rng r = rng_make(1403);
    mpfr_t x, part;
    mpz_t exact, found;
    mpfr_init2(x, 400);
    mpfr_init2(part, 400);
    mpz_inits(exact, found, NULL);
    for (int i = 0; i < rounds(2000); i++) {
        mpfr_set_d(x, ldexp((double)rng_next(&r), -64), MPFR_RNDN);
        mpfr_set_d(part, ldexp((double)rng_next(&r), -128), MPFR_RNDN);
        mpfr_add(x, x, part, MPFR_RNDN);
        mpfr_mul_2si(x, x, (long)rng_below(&r, 150) - 75, MPFR_RNDN);
        if (i % 2 == 0)
            mpfr_neg(x, x, MPFR_RNDN);
        binary64_turn t;
        binary64_turn_set(&t, x);
        uint64_t n = i % 3 == 0 ? UINT32_MAX - rng_below(&r, 64) : rng_below(&r, UINT32_MAX);
        mpfr_mul_d(part, x, (double)n, MPFR_RNDN); /* 400 bits: exact */
        mpfr_mul_2ui(part, part, 64, MPFR_RNDN);
        mpfr_get_z(exact, part, MPFR_RNDD);
        uint64_t phase = binary64_phase(t, n);
        mpz_set_ui(found, (unsigned long)(phase >> 32));
        mpz_mul_2exp(found, found, 32);
        mpz_add_ui(found, found, (unsigned long)(phase & UINT32_MAX));
        mpz_sub(exact, exact, found);
        mpz_fdiv_r_2exp(exact, exact, 64);
        if (mpz_cmp_ui(exact, 3) > 0)
            fail_msg("phase of node %llu", (unsigned long long)n);
    }
    mpz_clears(exact, found, NULL);
    mpfr_clears(x, part, (mpfr_ptr)NULL);
}

/* Another way to round, or denormals that are flushed, and no double is to be trusted. */
static void test_soundness(void **state)
{
    (void)state;
    assert_true(binary64_is_sound());
    assert_int_equal(fesetround(FE_UPWARD), 0);
    bool sound = binary64_is_sound();
    assert_int_equal(fesetround(FE_TONEAREST), 0);
    assert_false(sound);
#if defined(__x86_64__) && defined(__GNUC__)
    const unsigned bits[] = {0x8000, 0x40}; /* of results, of operands */
    for (size_t i = 0; i < 2; i++) {
        unsigned usual = __builtin_ia32_stmxcsr();
        __builtin_ia32_ldmxcsr(usual | bits[i]);
        sound = binary64_is_sound();
        __builtin_ia32_ldmxcsr(usual);
        assert_false(sound);
    }
#endif
    assert_true(binary64_is_sound());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_exp),
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_soundness),
    };
    return cmocka_run_group_tests_name("binary64", tests, NULL, NULL);
}
