/* SPDX-License-Identifier: MIT */
/* 128-bit fixed point: every function within the units that it says of MPFR at 300 bits, at random
 * numbers and at the edges of its tables. */
#include "support.h"

#include <math.h>

#include "num/fixed.h"

#ifdef FIXED

#define BITS 300

/* |x - value| in units, x = m 2^n */
static double off(fixed128 x, mpfr_t value)
{
    mpfr_t exact;
    mpfr_init2(exact, BITS);
    fixed_get_fr(exact, x, MPFR_RNDN);
    mpfr_sub(exact, exact, value, MPFR_RNDN);
    mpfr_mul_2ui(exact, exact, FIXED_POINT, MPFR_RNDN);
    double units = fabs(mpfr_get_d(exact, MPFR_RNDA));
    mpfr_clear(exact);
    return units;
}

static rng source = {1};

static double unit(void)
{
    return (double)rng_below(&source, (uint64_t)1 << 53) / 0x1p53;
}

/* in [low, high], with random bits to the last */
static fixed128 any(double low, double high)
{
    fixed128 x, fine;
    assert_true(fixed_set_d(&x, low + (high - low) * unit()));
    assert_true(fixed_set_d(&fine, (high - low) * ldexp(unit() - 0.5, -50)));
    fixed128 sum = x + fine;
    double about = fixed_get_d(sum);
    return about <= low || about >= high ? x : sum;
}

static void check_exp(fixed128 x)
{
    mpfr_t y;
    int n;
    fixed128 m = fixed_exp(&n, x);
    mpfr_init2(y, BITS);
    fixed_get_fr(y, x, MPFR_RNDN);
    mpfr_exp(y, y, MPFR_RNDN);
    mpfr_div_2si(y, y, n, MPFR_RNDN);
    assert_true(off(m, y) <= 8);
    assert_true(mpfr_cmp_d(y, 0.7) >= 0 && mpfr_cmp_d(y, 1.5) < 0);
    mpfr_clear(y);
}

static void check_turn(fixed128 x)
{
    mpfr_t c, d;
    fixed128 re, im;
    mpfr_init2(c, BITS);
    mpfr_init2(d, BITS);
    fixed_turn(&re, &im, x);
    fixed_get_fr(c, x, MPFR_RNDN);
    mpfr_sin_cos(d, c, c, MPFR_RNDN);
    assert_true(off(re, c) <= 8 && off(im, d) <= 8);
    mpfr_clear(c);
    mpfr_clear(d);
}

static void check_log(fixed128 x)
{
    mpfr_t y;
    fixed128 log;
    mpfr_init2(y, BITS);
    assert_true(fixed_log(&log, x));
    fixed_get_fr(y, x, MPFR_RNDN);
    mpfr_log(y, y, MPFR_RNDN);
    assert_true(off(log, y) <= 24);
    mpfr_clear(y);
}

static void check_angle(fixed128 im, fixed128 re)
{
    mpfr_t x, y;
    fixed128 angle;
    mpfr_init2(x, BITS);
    mpfr_init2(y, BITS);
    assert_true(fixed_angle(&angle, im, re));
    fixed_get_fr(x, re, MPFR_RNDN);
    fixed_get_fr(y, im, MPFR_RNDN);
    mpfr_atan2(y, y, x, MPFR_RNDN);
    assert_true(off(angle, y) <= 40);
    mpfr_clear(x);
    mpfr_clear(y);
}

static void check_mul(fixed128 a, fixed128 b)
{
    mpfr_t x, y;
    mpfr_init2(x, BITS);
    mpfr_init2(y, BITS);
    fixed_get_fr(x, a, MPFR_RNDN);
    fixed_get_fr(y, b, MPFR_RNDN);
    mpfr_mul(x, x, y, MPFR_RNDN);
    assert_true(off(fixed_mul(a, b), x) <= 1);
    fixed128 back;
    assert_true(fixed_set_fr(&back, y) && back == b);
    mpfr_clear(x);
    mpfr_clear(y);
}

/* q cut towards 0 at 2^-112: as many units as are whole in it */
static void check_q(mpq_srcptr q)
{
    fixed128 x;
    mpfr_t y;
    mpz_t whole, found;
    mpfr_init2(y, BITS);
    mpz_inits(whole, found, NULL);
    mpz_mul_2exp(whole, mpq_numref(q), FIXED_POINT);
    mpz_tdiv_q(whole, whole, mpq_denref(q));
    assert_true(fixed_set_q(&x, q));
    fixed_get_fr(y, x, MPFR_RNDN);
    mpfr_mul_2ui(y, y, FIXED_POINT, MPFR_RNDN);
    mpfr_get_z(found, y, MPFR_RNDN);
    assert_int_equal(mpz_cmp(whole, found), 0);
    mpz_clears(whole, found, NULL);
    mpfr_clear(y);
}

static void test_rationals(void **state)
{
    (void)state;
    mpq_t q;
    mpq_init(q);
    for (int i = 0; i < rounds(2000); i++) {
        mpz_set_ui(mpq_numref(q), (unsigned long)rng_below(&source, (size_t)1 << (i % 30)));
        mpz_set_ui(mpq_denref(q), 1 + (unsigned long)rng_below(&source, (size_t)1 << (i / 7 % 31)));
        mpz_mul_2exp(mpq_denref(q), mpq_denref(q), 16 + rng_below(&source, i % 3 == 0 ? 120 : 8));
        if (i % 2 == 0)
            mpq_neg(q, q);
        mpq_canonicalize(q);
        check_q(q);
    }
    fixed128 out;
    mpq_set_si(q, FIXED_MOST, 1);
    assert_false(fixed_set_q(&out, q));
    mpq_neg(q, q);
    assert_false(fixed_set_q(&out, q));
    mpz_set_ui(mpq_denref(q), 1UL << 31); /* the last below it */
    mpz_mul_2exp(mpq_numref(q), mpq_numref(q), 31);
    mpz_add_ui(mpq_numref(q), mpq_numref(q), 1);
    check_q(q);
    mpq_neg(q, q);
    check_q(q);
    mpq_clear(q);
}

static void test_random(void **state)
{
    (void)state;
    for (long i = 0; i < rounds(4000); i++) {
        double size = ldexp(1, (int)(i % 60) - 46);
        double other = fmin(8000, 1 / size);
        check_mul(any(-size, size), any(-other, other));
        check_exp(any(-size, size) * (i % 3 == 0 ? 1 : 0) + any(-40, 40));
        check_turn(any(-size, size));
        check_turn(any(-100, 100));
        check_log(any(0.25, 4));
        check_log(((fixed128)1 << FIXED_POINT) + any(-size, size) / ((fixed128)1 << 20));
        check_angle(any(-2, 2), any(0.25, 2) * (i % 2 == 0 ? 1 : -1));
        check_angle(any(0.25, 2), any(-size, size) / ((fixed128)1 << 12));
    }
}

/* Next to where another entry of a table is taken, or another multiple. */
static void test_edges(void **state)
{
    (void)state;
    for (int i = -200; i <= 200; i++)
        for (int j = -1; j <= 1; j++) {
            fixed128 x = i * ((fixed128)1 << (FIXED_POINT - 7)) + j;
            check_exp(x);
            check_turn(x);
            mpfr_t y;
            mpfr_init2(y, BITS);
            mpfr_const_pi(y, MPFR_RNDN);
            mpfr_mul_si(y, y, i * 19, MPFR_RNDN);
            mpfr_div_2ui(y, y, 2, MPFR_RNDN);
            assert_true(fixed_set_fr(&x, y));
            check_turn(x + j);
            mpfr_const_log2(y, MPFR_RNDN);
            mpfr_mul_si(y, y, i * 29, MPFR_RNDN);
            mpfr_div_2ui(y, y, 1, MPFR_RNDN);
            assert_true(fixed_set_fr(&x, y));
            check_exp(x + j);
            mpfr_clear(y);
        }
    check_exp((fixed128)(FIXED_MOST - 1) << FIXED_POINT);
    check_exp(-((fixed128)(FIXED_MOST - 1) * ((fixed128)1 << FIXED_POINT)));
    check_turn((fixed128)(FIXED_MOST - 1) << FIXED_POINT);
    check_log((fixed128)1 << (FIXED_POINT - 2));
    check_log((fixed128)1 << FIXED_POINT);
    check_log((fixed128)1 << (FIXED_POINT + 2));
    check_angle(0, (fixed128)1 << FIXED_POINT);
    check_angle((fixed128)1 << FIXED_POINT, 0);
    check_angle(0, (fixed128)1 << (FIXED_POINT - 2));
}

/* Out of their domains they say so. */
static void test_refused(void **state)
{
    (void)state;
    fixed128 out;
    mpfr_t y;
    mpfr_init2(y, 53);
    mpfr_set_ui(y, FIXED_MOST, MPFR_RNDN);
    assert_false(fixed_set_fr(&out, y));
    mpfr_set_nan(y);
    assert_false(fixed_set_fr(&out, y));
    assert_false(fixed_set_d(&out, NAN) || fixed_set_d(&out, -FIXED_MOST));
    assert_false(fixed_log(&out, 0) || fixed_log(&out, -((fixed128)1 << FIXED_POINT)));
    assert_false(fixed_log(&out, ((fixed128)1 << (FIXED_POINT + 2)) + 1));
    assert_false(fixed_angle(&out, 0, 0) || fixed_angle(&out, 0, (fixed128)3 << FIXED_POINT));
    assert_true(fixed_shift((fixed128)1 << FIXED_POINT, -200) == 0);
    assert_true(fixed_shift((fixed128)3 << 125, -126) == 1); /* 1.5 */
    mpfr_clear(y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random), cmocka_unit_test(test_rationals),
        cmocka_unit_test(test_edges), cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return skip_all("there is no number of 128 bits");
}

#endif
