/* SPDX-License-Identifier: MIT */
/* The recursion of onerun-fdp against mu-GDP, which ends early where what further counts add is
 * bounded and goes on in doubles, beside itself without that, at hundreds of bits. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "attack/audit_fdp.h"

#define BITS 320
#define FEW 2000 /* guesses, of which no count is left out */

static void normal(mpfr_t out, const mpfr_t t)
{
    mpfr_t root;
    mpfr_init2(root, BITS);
    mpfr_sqrt_ui(root, 2, MPFR_RNDN);
    mpfr_div(root, t, root, MPFR_RNDN);
    mpfr_neg(root, root, MPFR_RNDN);
    mpfr_erfc(out, root, MPFR_RNDN);
    mpfr_div_2ui(out, out, 1, MPFR_RNDN);
    mpfr_clear(root);
}

/* t becomes the quantile of y, by Newton's method from where it is. */
static void to_quantile(mpfr_t t, const mpfr_t y)
{
    mpfr_t off, slope, pi;
    mpfr_inits2(BITS, off, slope, pi, (mpfr_ptr)0);
    mpfr_const_pi(pi, MPFR_RNDN);
    mpfr_mul_2ui(pi, pi, 1, MPFR_RNDN);
    mpfr_sqrt(pi, pi, MPFR_RNDN);
    for (int i = 0; i < 200; i++) {
        normal(off, t);
        mpfr_sub(off, y, off, MPFR_RNDN);
        mpfr_sqr(slope, t, MPFR_RNDN);
        mpfr_div_2ui(slope, slope, 1, MPFR_RNDN);
        mpfr_exp(slope, slope, MPFR_RNDN);
        mpfr_mul(off, off, slope, MPFR_RNDN);
        mpfr_mul(off, off, pi, MPFR_RNDN);
        if (mpfr_cmp_ui(off, 1) > 0) /* far in a tail */
            mpfr_set_ui(off, 1, MPFR_RNDN);
        mpfr_add(t, t, off, MPFR_RNDN);
        if (mpfr_cmpabs(off, t) < 0 && mpfr_get_exp(off) < -BITS + 40)
            break;
    }
    mpfr_clears(off, slope, pi, (mpfr_ptr)0);
}

/* n, sum = N, R of tau at a count, or where N is more than 2. */
static void walked(mpfr_t n, mpfr_t sum, const unsigned long s[3], const char *mu, const mpq_t tau,
                   unsigned long count)
{
    mpfr_t p, t, shift, y;
    mpfr_inits2(BITS, p, t, shift, y, (mpfr_ptr)0);
    mpfr_set_str(shift, mu, 10, MPFR_RNDN);
    mpfr_set_q(n, tau, MPFR_RNDN);
    mpfr_mul_ui(sum, n, s[2], MPFR_RNDN);
    mpfr_set_si(t, -8, MPFR_RNDN);
    for (unsigned long c = s[2]; c > count && mpfr_cmp_ui(n, 2) < 0; c--) {
        mpfr_div_ui(y, sum, s[0], MPFR_RNDN);
        if (mpfr_cmp_ui(y, 1) >= 0) {
            mpfr_set_ui(n, 2, MPFR_RNDN);
            break;
        }
        to_quantile(t, y);
        mpfr_sub(p, t, shift, MPFR_RNDN);
        normal(p, p);
        mpfr_mul_ui(p, p, s[0], MPFR_RNDN);
        mpfr_mul_ui(y, n, s[1], MPFR_RNDN);
        mpfr_sub(p, p, y, MPFR_RNDN);
        mpfr_add(p, p, sum, MPFR_RNDN);
        if (mpfr_sgn(p) <= 0)
            break;
        mpfr_div_ui(p, p, s[1] - c + 1, MPFR_RNDN);
        mpfr_add(n, n, p, MPFR_RNDN);
        bool none = s[1] > FEW && c < s[1] / 2 && mpfr_get_exp(p) < mpfr_get_exp(n) - 280;
        mpfr_mul_ui(p, p, c - 1, MPFR_RNDN);
        mpfr_add(sum, sum, p, MPFR_RNDN);
        if (none) /* and less and less of it */
            break;
    }
    mpfr_clears(p, t, shift, y, (mpfr_ptr)0);
}

/* n = N of tau in the end, at least 2 where it is more than 2. */
static void mass(mpfr_t n, const unsigned long s[3], const char *mu, const mpq_t tau)
{
    mpfr_t sum;
    mpfr_init2(sum, BITS);
    walked(n, sum, s, mu, tau, 0);
    mpfr_clear(sum);
}

/* Canaries, guesses, right ones: hardly more than half of them, where most counts add nothing, to
 * nearly all. */
static const struct {
    unsigned long s[3];
    const char *mu;
} shapes[] = {{{200, 200, 101}, "1e-6"}, {{200, 200, 110}, "0.1"},   {{201, 201, 115}, "0.05"},
              {{400, 150, 90}, "0.3"},   {{300, 299, 150}, "1e-9"},  {{100, 100, 100}, "1.5"},
              {{120, 120, 119}, "3"},    {{250, 250, 140}, "0.001"}, {{60, 1, 1}, "0.4"},
              {{90, 90, 46}, "2"},       {{90, 90, 80}, "20"},       {{300, 300, 60}, "0.01"}};

/* N itself: for values the recursion ends where the rest is no more than roundings. */
static void test_mass_early(void **state)
{
    (void)state;
    static const char *const taus[] = {"1e-12", "0.001", "0.1", "0.4", "0.9", "0.999999"};
    mpfr_t n;
    mpfi_t out, slack;
    mpq_t tau;
    mpfr_init2(n, BITS);
    mpfi_init2(slack, 64);
    mpq_init(tau);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t j = 0; j < sizeof taus / sizeof *taus; j++) {
            const unsigned long *s = shapes[i].s;
            dp_audit q = {.gdp = true};
            dp_number mu;
            dp_number_init(&mu);
            number_of(&mu, shapes[i].mu);
            audit_in in = {.of = &q, .canaries = s[0], .members = s[1], .hits = s[2], .claim = &mu};
            mpq_init(in.delta);
            rational_of(tau, taus[j]);
            mpfi_init2(out, j % 2 == 0 ? 96 : 160);
            audit_fdp_mass(out, &in, tau);
            mass(n, s, shapes[i].mu, tau);
            if (mpfr_cmp_ui(n, 2) > 0)
                mpfr_set_ui(n, 2, MPFR_RNDN);
            mpfi_sub_fr(slack, out, n);
            if (mpfr_cmp_d(&slack->left, 1e-70) > 0 || mpfr_cmp_d(&slack->right, -1e-70) < 0)
                fail_msg("shape %zu, tau %s: not N", i, taus[j]);
            if (mpfr_cmp_d(n, 1.9) < 0 && mpfr_cmp_d(&slack->right, 1e-15) > 0)
                fail_msg("shape %zu, tau %s: wide", i, taus[j]);
            mpfi_clear(out);
            mpq_clear(in.delta);
            dp_number_clear(&mu);
        }
    mpq_clear(tau);
    mpfi_clear(slack);
    mpfr_clear(n);
}

/* The same and larger numbers, for which doubles tell the side. */
static const struct {
    unsigned long s[3];
    const char *mu;
} many[] = {
    {{200, 200, 101}, "1e-6"},    {{200, 200, 110}, "0.1"},        {{400, 150, 90}, "0.3"},
    {{60, 1, 1}, "0.4"},          {{250, 250, 140}, "0.001"},      {{90, 90, 80}, "20"},
    {{2001, 2001, 1001}, "1e-6"}, {{30000, 30000, 15200}, "0.01"}, {{100000, 40000, 20400}, "0.01"},
    {{2000, 2000, 2000}, "3"},    {{40000, 40000, 20001}, "1e-6"}, {{2000, 2000, 1990}, "20"},
    {{2000, 2000, 900}, "0.001"}};

/* The sides of 1 that settle a p-value: below it N is at most 1, above it more. */
static void test_p_value_early(void **state)
{
    (void)state;
    mpfr_t n;
    mpq_t tau;
    mpfr_t width;
    mpfr_init2(width, 64);
    mpfr_init2(n, BITS);
    mpq_init(tau);
    for (size_t i = 0; i < sizeof many / sizeof *many; i++) {
        const unsigned long *s = many[i].s;
        dp_result r;
        dp_number of[5];
        dp_result_init(&r);
        for (size_t k = 0; k < 5; k++)
            dp_number_init(&of[k]);
        for (size_t k = 0; k < 3; k++)
            dp_number_set_ui(&of[k], s[k]);
        number_of(&of[3], "0.95");
        number_of(&of[4], many[i].mu);
        dp_audit q = {.one_run = true,
                      .gdp = true,
                      .mu = &of[4],
                      .canaries = &of[0],
                      .guesses = &of[1],
                      .correct = &of[2],
                      .confidence = &of[3],
                      .method = DP_AUDIT_FDP};
        dp_options opt = dp_options_default();
        assert_int_equal(dp_audit_evaluate(&r, &q, &opt, NULL), DP_OK);
        const dp_figure *p = dp_result_figure(&r, "p_value");
        if (p->kind == DP_ENCLOSED) {
            mpfr_get_q(tau, &p->enclosure->left);
            mass(n, s, many[i].mu, tau);
            if (mpfr_cmp_ui(n, 1) > 0)
                fail_msg("shape %zu: the p-value is less", i);
            mpfr_get_q(tau, &p->enclosure->right);
            mass(n, s, many[i].mu, tau);
            if (mpfr_cmp_d(&p->enclosure->right, 1) < 0 && mpfr_cmp_ui(n, 1) <= 0)
                fail_msg("shape %zu: the p-value is more", i);
            mpfi_diam_rel(width, p->enclosure);
            if (mpfr_cmp_d(width, 1e-10) > 0)
                fail_msg("shape %zu: wide", i);
        }
        for (size_t k = 0; k < 5; k++)
            dp_number_clear(&of[k]);
        dp_result_clear(&r);
    }
    mpq_clear(tau);
    mpfr_clear(width);
    mpfr_clear(n);
}

#define PLACES 250

static void units_of(mpz_t z, mpfr_t x)
{
    mpfr_mul_2ui(x, x, PLACES, MPFR_RNDN);
    mpfr_get_z(z, x, MPFR_RNDN);
}

/* How far the quantile of R/m at the count that a run reached lies above its own, where N is told
 * from the run's side. */
static double above_run(fdp_run *q, const unsigned long s[3], const char *mu, const mpq_t tau)
{
    mpfr_t n, sum, t;
    mpz_t before, now;
    mpfi_t x;
    fdp_curve c;
    audit_in in = {.canaries = s[0], .members = s[1], .hits = s[2]};
    mpfr_inits2(BITS, n, sum, t, (mpfr_ptr)0);
    mpz_inits(before, now, NULL);
    mpfi_init2(x, BITS);
    mpfi_set_str(x, mu, 10);
    fdp_curve_init(&c, &in, x, PLACES);
    q->guesses = s[1];
    for (q->count = s[2] - 1;; q->count--) {
        walked(n, sum, s, mu, tau, q->count + 1);
        units_of(before, sum);
        walked(n, sum, s, mu, tau, q->count);
        units_of(now, sum);
        if (fdp_run_open(q, &c, before, now))
            break;
        if (q->count + 400 <= s[2])
            fail_msg("%lu of %lu, %s: no run", s[2], s[1], mu);
    }
    if (!fdp_run_walk(q, NULL))
        fail_msg("%lu of %lu, %s: ended at %lu", s[2], s[1], mu, q->count);
    walked(n, sum, s, mu, tau, q->count);
    mpfr_div_ui(sum, sum, s[0], MPFR_RNDN);
    mpfr_set_d(t, q->z, MPFR_RNDN);
    to_quantile(t, sum);
    mpfr_sub_d(t, t, q->z, MPFR_RNDN);
    mpfr_sub_d(t, t, q->z_low, MPFR_RNDN);
    if (q->end == FDP_BELOW) {
        fdp_run_mass(sum, q, &c);
        assert_true(mpfr_lessequal_p(sum, n));
        mpfr_sub(n, n, sum, MPFR_RNDN);
        assert_true(mpfr_cmp_d(n, 1e-9) < 0);
    } else {
        mass(n, s, mu, tau);
        fdp_run_mass(sum, q, &c);
        assert_true(mpfr_greaterequal_p(sum, n));
        if (mpfr_cmp_d(n, 0.99) < 0)
            assert_true(mpfr_cmp_ui(sum, 1) <= 0);
    }
    double off = q->trapped ? 0 : mpfr_get_d(t, MPFR_RNDN);
    fdp_curve_clear(&c);
    mpfi_clear(x);
    mpz_clears(before, now, NULL);
    mpfr_clears(n, sum, t, (mpfr_ptr)0);
    return off;
}

/* Lower bounds remain below and upper ones above, with little between: of large steps, where the
 * series are long, of counts far from half and of a large mu z, and of small ones. */
static void test_doubles(void **state)
{
    (void)state;
    static const struct {
        unsigned long s[3];
        const char *mu, *tau;
    } runs[] = {
        {{30000, 30000, 15200}, "0.01", "0.15"},    {{30000, 30000, 15200}, "0.01", "0.17"},
        {{60000, 60000, 31500}, "0.03", "0.00304"}, {{100000, 40000, 20400}, "0.01", "0.03"},
        {{40000, 40000, 20200}, "1e-3", "0.03"},    {{40000, 40000, 20200}, "1e-3", "0.04"},
        {{300000, 20000, 10200}, "0.01", "0.18"},   {{40000, 40000, 20001}, "1e-6", "0.98"}};
    mpq_t tau;
    mpq_init(tau);
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        fdp_run below = {.end = FDP_BELOW}, above = {.end = FDP_ABOVE};
        rational_of(tau, runs[i].tau);
        double low = above_run(&below, runs[i].s, runs[i].mu, tau),
               high = above_run(&above, runs[i].s, runs[i].mu, tau);
        if (!(low > -0x1p-80 && low < 1e-11 && high < 0x1p-80 && high > -1e-11))
            fail_msg("run %zu: %.3g, %.3g", i, low, high);
    }
    mpq_clear(tau);
}

/* Where z ends that goes on from there: Phi(z') - Phi(z) = (c-1)/(r-c+1) (Phi(z - mu) - Phi(z - mu
 * - e)), e the step before, in doubles. */
static double end_of(const fdp_run *q)
{
    double z = q->z, e = q->e, r = (double)q->guesses;
    for (double c = (double)q->count; c > 1 && e > 1e-13; c--) {
        double more = (c - 1) / (r - c + 1) * (fdp_normal(z - q->mu) - fdp_normal(z - q->mu - e));
        e = fdp_normal_quantile(fdp_normal(z) + more) - z;
        z += e;
    }
    return z;
}

static double share_of(rng *r)
{
    return (double)rng_below(r, 1 << 30) * 0x1p-30;
}

/* Of what is told to stay below a number, the least such number is not passed. */
static void test_traps(void **state)
{
    (void)state;
    rng r = rng_make(7);
    int told = 0;
    double nearest = HUGE_VAL;
    for (int i = 0; i < rounds(3000); i++) {
        double most = i % 2 == 0 ? 0.1 : 2, far = 0;
        fdp_run q = {.guesses = 100 + rng_below(&r, 2000),
                     .mu = most * share_of(&r),
                     .z = -3 * share_of(&r),
                     .e = 0.06 * share_of(&r)};
        q.count = q.guesses / 3 + rng_below(&r, q.guesses / 2);
        double low = q.z, high = 0, end = end_of(&q);
        for (int k = 0; k < 50; k++) {
            q.limit = (low + high) / 2;
            *(fdp_run_is_trapped(&far, &q, (double)q.count) ? &high : &low) = q.limit;
        }
        q.limit = high;
        if (!fdp_run_is_trapped(&far, &q, (double)q.count))
            continue;
        told++;
        if (!(end <= far))
            fail_msg("%lu at %lu, mu %g, z %g, e %g: %.17g is beyond %.17g", q.guesses, q.count,
                     q.mu, q.z, q.e, end, far);
        nearest = fmin(nearest, (far - q.z) / (end - q.z));
    }
    assert_true(!rounds_are_full() || (told > 300 && nearest < 1.1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_traps),
        cmocka_unit_test(test_mass_early),
        cmocka_unit_test(test_p_value_early),
        cmocka_unit_test(test_doubles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
