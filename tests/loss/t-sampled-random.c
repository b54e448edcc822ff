/* SPDX-License-Identifier: MIT */
/* The law of Gaussian noise on Poisson samples at random parameters: one question at three
 * tolerances must have answers that meet, and sums on any other line and of any period, however
 * crude, must hold the profile that they imply. DPACCT_TEST_FACTOR=1250 asks 10^4 sets,
 * DPACCT_TEST_SEED other ones; then a line tells how many were asked, of how many the time limit
 * was met, and where one was at fault. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/invert.h"
#include "loss/sampled_gaussian.h"

/* Of one answer, and where very many are asked. */
#define SECONDS 2.0
#define SECONDS_OF_MANY 0.25
#define LINES 3

static double seconds = SECONDS;

typedef struct set {
    double sigma, rate, log_delta;
    unsigned long steps, group;
    bool add;
} set;

/* e^(low..high), to 16 bits */
static double between(rng *r, double low, double high)
{
    int exponent;
    double x = exp(low + (high - low) * (double)rng_below(r, 1000001) / 1e6);
    double m = frexp(x, &exponent);
    return ldexp(rint(ldexp(m, 16)), exponent - 16);
}

static set random_set(rng *r)
{
    set s = {.sigma = between(r, log(0.4), log(20)), .rate = between(r, log(1e-4), log(0.5))};
    /* between few and many, steps of little sampling take seconds each */
    double least = fmin(1e4, 2 / s.rate);
    s.steps = (unsigned long)between(r, log(fmax(8, least)), log(fmax(100, 30 * least)));
    if (rng_below(r, 4) == 0)
        s.steps = 2 + rng_below(r, 15);
    if (rng_below(r, 6) == 0) { /* little noise */
        s.sigma = between(r, log(0.07), log(0.4));
        s.steps = 2 + rng_below(r, 40);
    }
    s.log_delta = -1 - (double)rng_below(r, rng_below(r, 4) == 0 ? 500 : 40);
    s.group = rng_below(r, 4) == 0 ? 2 + rng_below(r, 4) : 1;
    s.add = rng_below(r, 2) == 0;
    return s;
}

static void product_of(product *p, const set *s)
{
    mpq_t sigma, rate;
    mpz_t steps;
    mpq_inits(sigma, rate, NULL);
    mpz_init_set_ui(steps, s->steps);
    mpq_set_d(sigma, s->sigma);
    mpq_set_d(rate, s->rate);
    product_init(p);
    assert_int_equal(sampled_gaussian_add_group(p, sigma, rate, s->group, steps, s->add), DP_OK);
    mpz_clear(steps);
    mpq_clears(sigma, rate, NULL);
}

/* s(at) by a sum of any line, period and length. False: not had. */
static bool any_sum(mpfi_t s, const engine *e, mpfr_srcptr at, double c, rng *r)
{
    limits lim = {0};
    double low = 1 + (double)rng_below(r, 1000) / 1000;
    trapezoid p = {.all = &e->all, .sums = 1, .lambda = 1e6, .work = 90, .doubles = UINT64_MAX};
    p.c = ldexp(rint(ldexp(c * (0.3 + low / 2), 12)), -12);
    if (rng_below(r, 4) == 0 || !(p.c > 0 && p.c < 1e4)) {
        p.c = -(double)(1 + rng_below(r, 30)) / 32;
        p.below = -1;
        p.period = low * (double)(2 + rng_below(r, 16));
    } else {
        p.above = p.c * (1.1 + low / 8);
        p.period = low * (double)(1 + rng_below(r, 16)) / p.c;
    }
    p.period = ldexp(rint(ldexp(p.period, 14)), -14);
    p.last = 2 + rng_below(r, 60);
    mpfr_t slope;
    mpfr_init2(slope, 64);
    limits_start(&lim, &(dp_options){.digits = 10, .max_seconds = seconds});
    bool ok = p.period > 0 && trapezoid_prepare(&p, &lim) == DP_OK;
    if (ok)
        trapezoid_profile(&(mpfi_ptr){s}, slope, &p, at);
    trapezoid_close(&p);
    mpfr_clear(slope);
    return ok;
}

static void at_fault(const set *s, const char *what)
{
    fail_msg("%s: sigma %a, rate %a, steps %lu, group %lu, ln delta %g, %s", what, s->sigma,
             s->rate, s->steps, s->group, s->log_delta, s->add ? "added" : "removed");
}

/* delta at the ends of epsilon is on either side of the target; at 0 it may be below. */
static void check_lines(const set *s, const engine *e, const dp_figure *x, const mpq_t delta,
                        rng *r)
{
    mpfi_t v;
    mpfi_init2(v, 90);
    double c = -s->log_delta / fmax(1e-9, mpfi_get_d(x->enclosure));
    for (int i = 0; i < LINES; i++) {
        if (mpfr_sgn(&x->enclosure->left) > 0 && any_sum(v, e, &x->enclosure->left, c, r) &&
            mpfr_cmp_q(&v->right, delta) < 0)
            at_fault(s, "delta is below the target at the lower end");
        if (any_sum(v, e, &x->enclosure->right, c, r) && mpfr_cmp_q(&v->left, delta) > 0)
            at_fault(s, "delta is above the target at the upper end");
    }
    mpfi_clear(v);
}

/* False: the time limit was met. */
static bool check_set(const set *s, rng *r)
{
    static const size_t digits[] = {3, 7, 14};
    product p;
    engine e;
    mpq_t delta;
    dp_figure x[3];
    bool whole = true, meet = true;
    mpq_init(delta);
    mpq_set_d(delta, exp(s->log_delta));
    product_of(&p, s);
    assert_int_equal(engine_init(&e, &p), DP_OK);
    for (size_t i = 0; i < 3; i++) {
        limits lim = {0};
        limits_start(&lim, &(dp_options){.digits = digits[i], .max_seconds = seconds});
        dp_figure_init(&x[i]);
        dp_status status = optimal_epsilon_at(&x[i], &e, delta, digits[i], &lim);
        whole = whole && status == DP_OK;
        for (size_t j = 0; j < i; j++)
            meet = meet && figures_meet(&x[i], &x[j]);
    }
    if (!meet)
        for (size_t i = 0; i < 3; i++) {
            char *low = dp_figure_decimal(&x[i], DP_LOWER, 20),
                 *high = dp_figure_decimal(&x[i], DP_UPPER, 20);
            fprintf(stderr, "# %s to %s\n", low, high);
            dp_text_free(high);
            dp_text_free(low);
        }
    if (!meet)
        at_fault(s, "answers do not meet");
    if (x[1].kind == DP_ENCLOSED && mpfr_number_p(&x[1].enclosure->right))
        check_lines(s, &e, &x[1], delta, r);
    for (size_t i = 0; i < 3; i++)
        dp_figure_clear(&x[i]);
    engine_clear(&e);
    product_clear(&p);
    mpq_clear(delta);
    return whole;
}

static void test_random(void **state)
{
    (void)state;
    const char *seed = getenv("DPACCT_TEST_SEED");
    rng r = rng_make(seed != NULL ? strtoull(seed, NULL, 10) : 1147);
    int tries = rounds(8), late = 0;
    if (tries > 1000)
        seconds = SECONDS_OF_MANY;
    for (int i = 0; i < tries; i++) {
        set s = random_set(&r);
        late += check_set(&s, &r) ? 0 : 1;
        if (tries > 1000 && i % 100 == 99)
            fprintf(stderr, "# %d sets, time met in %d\n", i + 1, late);
    }
    assert_true(late <= (tries > 1000 ? tries / 2 : tries / 4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
