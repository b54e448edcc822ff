/* SPDX-License-Identifier: MIT */
/* Tails of the sum of two binomial laws on a circle: beside exact fractions, on circles that are
 * too short, and for 10^9 trials. */
#include "support.h"

#include <math.h>

#include "attack/binomial_pair.h"

/* tail = Pr[X + Y >= v] in fractions */
static void tail_q(mpq_t tail, unsigned long v, const unsigned long n[2], mpq_t p[2])
{
    mpq_t mass, next, other;
    mpq_inits(mass, next, other, NULL);
    mpq_set_ui(tail, 0, 1);
    for (unsigned long j = 0; j <= n[0]; j++) {
        assert_true(binomial_tail_q(mass, j, n[0], p[0]));
        assert_true(binomial_tail_q(next, j + 1, n[0], p[0]));
        if (j + n[1] < v)
            continue;
        assert_true(binomial_tail_q(other, v > j ? v - j : 0, n[1], p[1]));
        mpq_sub(mass, mass, next);
        mpq_mul(mass, mass, other);
        mpq_add(tail, tail, mass);
    }
    mpq_clears(mass, next, other, NULL);
}

static void shares(share s[2], mpq_t p[2], mpfr_prec_t bits)
{
    for (int i = 0; i < 2; i++) {
        share_init(&s[i], bits);
        share_set_q(&s[i], p[i]);
    }
}

static void holds(const mpfi_t x, const mpq_t tail)
{
    assert_true(mpfr_cmp_q(&x->left, tail) <= 0 && mpfr_cmp_q(&x->right, tail) >= 0);
}

static const unsigned long trials[][2] = {{30, 20}, {0, 25}, {39, 1}, {15, 16}};
static const char *const rates[][2] = {
    {"1/2", "1/3"}, {"9/10", "1/10"}, {"1/50", "3/4"}, {"99/100", "97/100"}};

/* Whatever the circle. Few numbers count outcomes twice and leave much out. */
static void test_any_circle(void **state)
{
    (void)state;
    mpq_t p[2], tail;
    mpfi_t x;
    mpq_inits(p[0], p[1], tail, NULL);
    mpfi_init2(x, 80);
    unsigned long narrow = 0, wide = 0;
    for (size_t i = 0; i < 16; i++) {
        const unsigned long *n = trials[i / 4];
        rational_of(p[0], rates[i % 4][0]);
        rational_of(p[1], rates[i % 4][1]);
        for (unsigned long v = 1; v <= n[0] + n[1]; v += 9) {
            tail_q(tail, v, n, p);
            share s[2];
            shares(s, p, 200);
            for (unsigned long nodes = 2; nodes <= 128; nodes *= 4)
                for (double tilt = 0.01; tilt < 4; tilt *= 5)
                    for (unsigned long used = 0; used < nodes / 2; used = 2 * used + 1) {
                        circle c = {.tilt = tilt,
                                    .mean = (double)v,
                                    .spread = 20,
                                    .nodes = nodes,
                                    .used = used};
                        binomial_pair_on(x, &c, v, n, s);
                        holds(x, tail);
                        bool told = mpfr_cmp_d(&x->left, 0.999 * mpq_get_d(tail)) > 0 &&
                                    mpfr_cmp_d(&x->right, 1.001 * mpq_get_d(tail)) < 0;
                        narrow += told;
                        wide += !told;
                    }
            share_clear(&s[1]);
            share_clear(&s[0]);
        }
    }
    assert_true(narrow > 30 && wide > 100);
    mpfi_clear(x);
    mpq_clears(p[0], p[1], tail, NULL);
}

/* tail = the same as a sum of enclosures */
static void tail_sum(mpfi_t tail, unsigned long v, const unsigned long n[2], const share p[2])
{
    mpfi_t mass;
    share other;
    mpfi_init2(mass, mpfi_get_prec(tail));
    share_init(&other, mpfi_get_prec(tail));
    mpfi_set_ui(tail, 0);
    for (unsigned long j = v > n[1] ? v - n[1] : 0; j <= n[0]; j++) {
        binomial_mass(mass, j, n[0], &p[0]);
        binomial_tail(&other, NULL, v > j ? v - j : 0, n[1], &p[1]);
        mpfi_mul(mass, mass, other.yes);
        mpfi_add(tail, tail, mass);
    }
    share_clear(&other);
    mpfi_clear(mass);
}

/* The circle that is chosen: all bits but some, and the logarithm in doubles. From the mean on. */
static void test_chosen(void **state)
{
    (void)state;
    static const unsigned long many[][2] = {{400, 6000}, {90, 9000}};
    static const double away[] = {0.05, 1.3, 4, 12};
    mpq_t p[2];
    mpfi_t x, tail;
    mpq_inits(p[0], p[1], NULL);
    mpfi_init2(x, 80);
    mpfi_init2(tail, 130);
    for (size_t i = 0; i < 16; i++) {
        const unsigned long *n = many[i / 8];
        const double count[2] = {(double)n[0], (double)n[1]};
        rational_of(p[0], i / 4 % 2 == 0 ? "1/2" : "9/10");
        rational_of(p[1], i / 4 % 2 == 0 ? "1/3" : "3/5");
        double mean = 0, spread = 0, logit[2];
        for (int k = 0; k < 2; k++) {
            double at = mpq_get_d(p[k]);
            logit[k] = log(at / (1 - at));
            mean += count[k] * at;
            spread += count[k] * at * (1 - at);
        }
        unsigned long v = (unsigned long)ceil(mean + away[i % 4] * sqrt(spread));
        share s[2];
        shares(s, p, 200);
        assert_true(binomial_pair(x, v, n, s));
        tail_sum(tail, v, n, s);
        assert_true(mpfr_lessequal_p(&x->left, &tail->right));
        assert_true(mpfr_lessequal_p(&tail->left, &x->right));
        double guess = guess_log_pair((double)v, count, logit);
        assert_true(fabs(guess - log(mpfi_get_d(tail))) < 1e-11);
        mpfi_sub(x, x, tail);
        mpfi_div(x, x, tail);
        assert_true(mpfr_cmp_ui_2exp(&x->right, 1, -70) < 0);
        share_clear(&s[1]);
        share_clear(&s[0]);
    }
    mpfi_clear(tail);
    mpfi_clear(x);
    mpq_clears(p[0], p[1], NULL);
}

/* Of one law the tail is binomial_tail's, for 10^9 trials in two parts. */
static void test_many(void **state)
{
    (void)state;
    static const unsigned long at[] = {300000001, 300020000, 300100000, 400000000};
    mpq_t p[2];
    mpfi_t x;
    share s[2], whole;
    mpq_inits(p[0], p[1], NULL);
    rational_of(p[0], "3/10");
    rational_of(p[1], "3/10");
    mpfi_init2(x, 100);
    shares(s, p, 250);
    share_init(&whole, 100);
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        const unsigned long n[2] = {700000000, 300000000};
        assert_true(binomial_pair(x, at[i], n, s));
        binomial_tail(&whole, NULL, at[i], 1000000000, &s[0]);
        assert_true(mpfr_lessequal_p(&x->left, &whole.yes->right));
        assert_true(mpfr_lessequal_p(&whole.yes->left, &x->right));
        mpfi_sub(x, x, whole.yes);
        mpfi_div(x, x, whole.yes);
        assert_true(mpfr_cmp_ui_2exp(&x->right, 1, -80) < 0);
    }
    share_clear(&whole);
    share_clear(&s[1]);
    share_clear(&s[0]);
    mpfi_clear(x);
    mpq_clears(p[0], p[1], NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_circle),
        cmocka_unit_test(test_chosen),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
