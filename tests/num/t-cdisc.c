/* SPDX-License-Identifier: MIT */
/* Counted numbers of the unit disc: powers of roots of unity against roots of unity, turns against
 * placed angles, the ends of the numbers there are. t-cdisc-arb.c has the oracle. */
#include "support.h"

#include "num/turns.h"
#include "num/wide.h"

/* |z - exact| <= the radius of z; returns the share of it that is taken */
static double check(const cdisc *z, const cball *exact)
{
    cball a;
    mpfr_t gap;
    cball_init(&a, mpfr_get_prec(z->re));
    mpfr_init2(gap, 64);
    cdisc_ball(&a, z);
    assert_true(mpfr_number_p(a.radius) && mpfr_cmp_ui(a.size, 1) == 0);
    cball_sub(&a, &a, exact); /* at the precision of z: its own rounding is in the radius */
    mpfr_hypot(gap, a.re, a.im, MPFR_RNDD);
    assert_true(mpfr_lessequal_p(gap, a.radius));
    cdisc_ball(&a, z);
    double share = mpfr_zero_p(a.radius) ? 0 : mpfr_get_d(gap, MPFR_RNDD);
    share = mpfr_zero_p(a.radius) ? 0 : share / mpfr_get_d(a.radius, MPFR_RNDU);
    mpfr_clear(gap);
    cball_clear(&a);
    return share;
}

/* e^(i pi r / n)^times = e^(i pi (r times mod 2n) / n), for few and for very many factors */
static void powers(void **unused)
{
    (void)unused;
    rng r = rng_make(21);
    double most = 0;
    mpz_t times, turn;
    mpz_inits(times, turn, NULL);
    for (int i = 0; i < rounds(600); i++) {
        mpfr_prec_t bits = 24 + (mpfr_prec_t)rng_below(&r, 200);
        uint64_t n = 1 + rng_wide(&r, UINT64_C(1) << (1 + rng_below(&r, 60)));
        uint64_t at = rng_wide(&r, 2 * n);
        mpz_set_ui(times, 1 + rng_below(&r, 1000));
        mpz_mul_2exp(times, times, rng_below(&r, 2) ? 0 : rng_below(&r, 180));
        wide_mul_z(turn, times, at);
        cdisc z, out, scratch;
        cball exact;
        cdisc_init(&z, bits);
        cdisc_init(&out, bits);
        cdisc_init(&scratch, bits);
        cball_init(&exact, bits + 64);
        cdisc_unit(&z, at, n);
        cdisc_pow(&out, &z, times, &scratch);
        cball_unit(&exact, wide_mod_z(turn, 2 * n), n);
        double share = check(&out, &exact);
        most = share > most ? share : most;
        cball_clear(&exact);
        cdisc_clear(&scratch);
        cdisc_clear(&out);
        cdisc_clear(&z);
    }
    mpz_clears(times, turn, NULL);
    assert_true(most > 0.02);
}

/* Of a thousand factors the radius is a thousand times that of one, not twice as much; of 2^100
 * factors nothing is known with 64 bits, and nearly all with 300. */
static void radii(void **unused)
{
    (void)unused;
    cdisc z, out, scratch;
    cball a;
    mpz_t times;
    mpz_init_set_ui(times, 1000);
    for (int i = 0; i < 2; i++) {
        mpfr_prec_t bits = i == 0 ? 64 : 300;
        cdisc_init(&z, bits);
        cdisc_init(&out, bits);
        cdisc_init(&scratch, bits);
        cball_init(&a, bits);
        cdisc_unit(&z, 1, 12345);
        cdisc_pow(&out, &z, times, &scratch);
        cdisc_ball(&a, &out);
        if (i == 0) {
            assert_true(mpfr_cmp_ui_2exp(a.radius, 12000, -64) >= 0);
            assert_true(mpfr_cmp_ui_2exp(a.radius, 14000, -64) <= 0);
        }
        mpz_ui_pow_ui(times, 2, 100);
        cdisc_pow(&out, &z, times, &scratch);
        cdisc_ball(&a, &out);
        if (i == 0)
            assert_true(mpfr_zero_p(a.re) && mpfr_zero_p(a.im) && mpfr_cmp_ui(a.radius, 1) == 0);
        else
            assert_true(mpfr_cmp_ui_2exp(a.radius, 1, -190) < 0);
        cball_clear(&a);
        cdisc_clear(&scratch);
        cdisc_clear(&out);
        cdisc_clear(&z);
    }
    mpz_clear(times);
}

/* Halves lean to the real axis until no number is left: no step makes what is none, and the
 * products, of which one is 0 and the other below all numbers, are within their radius. */
static void least_numbers(void **unused)
{
    (void)unused;
    cdisc z, t, out, scratch;
    cball a;
    mpfi_t x;
    cdisc_init(&z, 53);
    cdisc_init(&t, 53);
    cdisc_init(&out, 53);
    cdisc_init(&scratch, 53);
    cball_init(&a, 53);
    mpfi_init2(x, 53);
    mpfi_set_ui(x, 0);
    mpfr_nextabove(&x->left);
    mpfr_nextabove(&x->right);
    cdisc_set_i(&t, x);
    cdisc_unit(&z, 1, 4);
    cdisc_lean(&out, &z, &t);
    assert_true(mpfr_cmp_d(out.re, 0.7) > 0 && mpfr_cmpabs(out.im, &x->right) <= 0);
    cdisc_mul(&out, &t, &out, &scratch);
    cdisc_mul(&out, &t, &out, &scratch);
    cdisc_mul(&out, &z, &out, &scratch);
    cdisc_ball(&a, &out);
    assert_true(mpfr_cmpabs(a.re, a.radius) <= 0 && mpfr_cmp_ui_2exp(a.radius, 1, -40) < 0);
    mpfi_clear(x);
    cball_clear(&a);
    cdisc_clear(&scratch);
    cdisc_clear(&out);
    cdisc_clear(&t);
    cdisc_clear(&z);
}

/* An angle of which nothing is known turns any way; one known to 2^-20 is known to that. */
static void vague_turns(void **unused)
{
    (void)unused;
    cdisc z;
    cball a;
    mpfr_t middle, away;
    cdisc_init(&z, 64);
    cball_init(&a, 64);
    mpfr_inits2(64, middle, away, (mpfr_ptr)0);
    mpfr_set_ui(middle, 3, MPFR_RNDN);
    mpfr_set_inf(away, 1);
    cdisc_turn(&z, middle, away, 5);
    cdisc_ball(&a, &z);
    assert_true(mpfr_zero_p(a.re) && mpfr_cmp_ui(a.radius, 1) == 0);
    mpfr_set_ui_2exp(away, 1, -20, MPFR_RNDU);
    cdisc_turn(&z, middle, away, 5);
    cdisc_ball(&a, &z);
    assert_true(mpfr_cmp_ui_2exp(a.radius, 5, -20) >= 0);
    assert_true(mpfr_cmp_ui_2exp(a.radius, 6, -20) <= 0);
    mpfr_clears(middle, away, (mpfr_ptr)0);
    cball_clear(&a);
    cdisc_clear(&z);
}

/* Multiples of a placed angle and of one that is known as an interval, up and down. */
static void tables(void **unused)
{
    (void)unused;
    rng r = rng_make(22);
    cdisc z;
    cball exact;
    mpfi_t theta, angle;
    cdisc_init(&z, 100);
    cball_init(&exact, 300);
    mpfi_init2(theta, 160);
    mpfi_init2(angle, 400);
    for (int i = 0; i < rounds(20); i++) {
        uint64_t last = rng_wide(&r, UINT64_C(1) << (1 + rng_below(&r, 50)));
        uint64_t period = 1 + rng_wide(&r, UINT64_C(1) << (1 + rng_below(&r, 62)));
        uint64_t turn = rng_wide(&r, 2 * period);
        turns t;
        assert_true(turns_init(&t, 100, last));
        turns_place(&t, turn, period);
        for (int k = 0; k < 10; k++) {
            uint64_t n = rng_wide(&r, last + 1);
            turns_at(&z, &t, n);
            cball_unit(&exact, wide_product_mod(n, turn, 2 * period), period);
            check(&z, &exact);
            assert_true(z.shift == 0 && z.units < 300 * t.rows);
        }
        mpfi_set_ui(theta, 1 + rng_below(&r, 1000));
        mpfi_div_ui(theta, theta, 7);
        turns_set(&t, theta);
        for (int k = 0; k < 10; k++) {
            uint64_t n = k == 0 ? last : rng_wide(&r, last + 1);
            turns_at(&z, &t, n);
            mpfi_set(angle, theta);
            mpfr_set(&angle->right, &angle->left, MPFR_RNDU);
            wide_mul(angle, angle, n);
            cball_turn(&exact, angle);
            check(&z, &exact);
            assert_true(z.shift == 0 && z.units < 100 * t.rows);
        }
        turns_clear(&t);
    }
    mpfi_clear(angle);
    mpfi_clear(theta);
    cball_clear(&exact);
    cdisc_clear(&z);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables),        cmocka_unit_test(powers),      cmocka_unit_test(radii),
        cmocka_unit_test(least_numbers), cmocka_unit_test(vague_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
