/* SPDX-License-Identifier: MIT */
/* Binomial tails and their limits: beside exact rationals, from both sides, and for 10^9 trials. */
#include "support.h"

#include <math.h>

#include "attack/binomial_guess.h"
#include "attack/binomial_near.h"

static void holds_q(const mpfi_t x, const mpq_t value)
{
    assert_true(mpfr_cmp_q(&x->left, value) <= 0 && mpfr_cmp_q(&x->right, value) >= 0);
}

/* At most 2^-bits of it. */
static void is_narrow(const mpfi_t x, mpfr_exp_t bits)
{
    mpfr_t wide;
    mpfr_init2(wide, 32);
    mpfr_sub(wide, &x->right, &x->left, MPFR_RNDU);
    assert_true(mpfr_zero_p(wide) || mpfr_get_exp(wide) <= mpfr_get_exp(&x->right) - bits);
    mpfr_clear(wide);
}

static void test_tails(void **state)
{
    (void)state;
    static const char *const rates[] = {"1/2", "1/7", "9/10", "999/1000", "1/1000003"};
    mpq_t p, exact, less, one;
    share at, tail;
    mpfi_t mass;
    mpq_inits(p, exact, less, one, NULL);
    mpq_set_ui(one, 1, 1);
    mpfi_init2(mass, 100);
    share_init(&tail, 100);
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        for (unsigned long n = 1; n <= 60; n = n * 3 / 2 + 1)
            for (unsigned long k = 0; k <= n + 1; k++) {
                rational_of(p, rates[i]);
                share_init(&at, binomial_bits(100, n));
                share_set_q(&at, p);
                binomial_tail(&tail, mass, k, n, &at);
                assert_true(binomial_tail_q(exact, k, n, p));
                assert_true(binomial_tail_q(less, k + 1, n, p));
                mpq_sub(less, exact, less);
                holds_q(tail.yes, exact);
                is_narrow(tail.yes, 90);
                mpq_sub(exact, one, exact);
                holds_q(tail.no, exact);
                is_narrow(tail.no, 90);
                holds_q(mass, less);
                share_clear(&at);
            }
    share_clear(&tail);
    mpfi_clear(mass);
    mpq_clears(p, exact, less, one, NULL);
}

/* The series of tails near the mean beside exact rationals, of p and of an interval about it; and
 * beside quadrature of the same integral by another program, for 10^9 trials. */
static void near_holds(unsigned long k, unsigned long n, const char *rate)
{
    mpq_t p, exact;
    mpfi_t mass, x;
    share at;
    mpq_inits(p, exact, NULL);
    rational_of(p, rate);
    assert_true(binomial_tail_q(exact, k, n, p));
    for (int wide = 0; wide < 2; wide++) {
        mpfi_init2(mass, 150);
        mpfi_init2(x, 140);
        share_init(&at, binomial_bits(140, n));
        share_set_q(&at, p);
        if (wide == 1) {
            mpfi_interv_d(x, 1, 1 + 0x1p-50);
            mpfi_mul(at.yes, at.yes, x);
            mpfi_ui_sub(at.no, 1, at.yes);
        }
        assert_true(binomial_near(x, k, n, &at, 140));
        is_narrow(x, wide == 1 ? 25 : 125);
        binomial_mass(mass, k, n, &at);
        mpfi_mul(x, x, mass);
        mpfi_mul(x, x, at.no);
        holds_q(x, exact);
        share_clear(&at);
        mpfi_clear(x);
        mpfi_clear(mass);
    }
    mpq_clears(p, exact, NULL);
}

static void test_near(void **state)
{
    (void)state;
    near_holds(1001, 2001, "1/2");
    near_holds(1100, 2100, "1/2");
    near_holds(1001, 4003, "1/4");
    near_holds(3010, 4010, "3/4");
    near_holds(3100, 4110, "3/4");
    mpq_t p, value, unit;
    mpfi_t x;
    share at;
    mpq_inits(p, value, unit, NULL);
    mpfi_init2(x, 140);
    share_init(&at, binomial_bits(140, BINOMIAL_MOST));
    rational_of(p, "3/10");
    rational_of(value, "23319.665742392633539074759526757");
    rational_of(unit, "1e-25");
    share_set_q(&at, p);
    assert_true(binomial_near(x, 300002000, BINOMIAL_MOST, &at, 140));
    mpfi_sub_q(x, x, value);
    mpfi_abs(x, x);
    assert_true(mpfr_cmp_q(&x->right, unit) < 0);
    share_clear(&at);
    mpfi_clear(x);
    mpq_clears(p, value, unit, NULL);
}

/* Exactly: the tail at the lower end of the limit is at most a, at the upper end at least. */
static void check_limit(unsigned long k, unsigned long n, const char *level)
{
    mpq_t a, end, tail;
    share s, p;
    mpq_inits(a, end, tail, NULL);
    share_init(&s, 256);
    share_init(&p, 64);
    rational_of(a, level);
    share_set_q(&s, a);
    binomial_low(&p, k, n, &s);
    is_narrow(p.yes, 56);
    is_narrow(p.no, 56);
    mpfr_get_q(end, &p.yes->left);
    assert_true(binomial_tail_q(tail, k, n, end) && mpq_cmp(tail, a) <= 0);
    mpfr_get_q(end, &p.yes->right);
    assert_true(binomial_tail_q(tail, k, n, end) && mpq_cmp(tail, a) >= 0);
    share_clear(&p);
    share_clear(&s);
    mpq_clears(a, end, tail, NULL);
}

static void test_limits(void **state)
{
    (void)state;
    static const char *const levels[] = {"1/20", "1/2", "999/1000", "1e-12", "1e-30"};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        for (unsigned long n = 1; n <= 80; n = n * 2 + 1)
            for (unsigned long k = 1; k <= n; k += 1 + n / 9)
                check_limit(k, n, levels[i]);
}

/* Values of an independent program: sums of exact integers, 10^9 by the normal tail at 4 sigma. */
static void test_large(void **state)
{
    (void)state;
    mpq_t a;
    share s, p, tail;
    mpq_init(a);
    share_init(&s, 160);
    share_init(&p, 160);
    share_init(&tail, 70);
    static const unsigned long hits[] = {1, 1000, 500026000, 900000000, 999999999, 1000000000};
    for (size_t i = 0; i < sizeof hits / sizeof *hits; i++) {
        rational_of(a, i % 2 ? "1e-12" : "1/20");
        share_set_q(&s, a);
        binomial_low(&p, hits[i], BINOMIAL_MOST, &s);
        binomial_tail(&tail, NULL, hits[i], BINOMIAL_MOST, &p); /* there and back */
        holds_q(tail.yes, a);
        is_narrow(tail.yes, 60);
    }
    share_clear(&tail);
    share_clear(&p);
    share_clear(&s);
    mpq_clear(a);
}

/* Ties are seen where there is one. */
static void test_ties(void **state)
{
    (void)state;
    static const struct {
        unsigned long k, n;
        const char *a, *p;
    } tie[] = {
        {1, 1, "1/20", "1/20"},  {2, 2, "9/16", "3/4"},    {1, 2, "7/16", "1/4"},
        {2, 4, "67/256", "1/4"}, {2, 3, "1/2", "1/2"},     {0, 5, "1/20", "0"},
        {5, 5, "32/243", "2/3"}, {1, 1, "1e-20", "1e-20"},
    };
    mpq_t a, p, want;
    mpq_inits(a, p, want, NULL);
    for (size_t i = 0; i < sizeof tie / sizeof *tie; i++) {
        rational_of(a, tie[i].a);
        rational_of(want, tie[i].p);
        assert_true(binomial_low_q(p, tie[i].k, tie[i].n, a));
        assert_true(mpq_equal(p, want) != 0);
    }
    rational_of(a, "1/20");
    assert_false(binomial_low_q(p, 2, 3, a));
    assert_false(binomial_low_q(p, 90, 100, a));
    mpq_clears(a, p, want, NULL);
}

/* A guess comes back from where the tail is next to 1, or far below. */
static void test_guess(void **state)
{
    (void)state;
    static const double shapes[][2] = {{69, 126}, {1, 1}, {1, 1000}, {1000, 1000}, {5e8, 1e9}},
                        logs[] = {-0.01, -3, -40, -600}, starts[] = {-30, -2, 0, 2, 6, 30};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t j = 0; j < sizeof logs / sizeof *logs; j++)
            for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
                double x = guess_low_near(shapes[i][0], shapes[i][1], logs[j], starts[k], 1e-14);
                double there = guess_log_tail(shapes[i][0], shapes[i][1], x, NULL);
                if (!(fabs(there - logs[j]) < 1e-6 * fabs(logs[j])))
                    fail_msg("%g of %g, %g from %g: %.17g has %.17g", shapes[i][0], shapes[i][1],
                             logs[j], starts[k], x, there);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tails), cmocka_unit_test(test_near), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_large), cmocka_unit_test(test_ties), cmocka_unit_test(test_guess),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
