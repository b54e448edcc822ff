/* SPDX-License-Identifier: MIT */
/* Thresholds of powers in doubles: what is kept, and what bounds the rest. */
#include "loss/block_power.h"

#define PRODUCT_ERROR 2.2361
#define MOST_RELATIVE 0x1p-6
#define MOST_USES 0x1p40
#define MARGIN 0.05 /* of lambda: |P| is known to `relative`, at most MOST_RELATIVE */
#define SPARE 4.0   /* e^-SPARE of what is abandoned is nothing */
#define SLACK 1.02

double block_power_least(double lambda)
{
    return exp(-2 * (lambda + MARGIN)); /* libm's is within 2^-40 */
}

/* x^t, rounded up */
static double power_up(double x, double t)
{
    MPFR_DECL_INIT(log, 64);
    mpfr_set_d(log, x, MPFR_RNDU);
    mpfr_log(log, log, MPFR_RNDU);
    mpfr_mul_d(log, log, t, MPFR_RNDU);
    mpfr_exp(log, log, MPFR_RNDU);
    return mpfr_get_d(log, MPFR_RNDU);
}

/* (e^(-(lambda + MARGIN)/t) - 2 error)^2, rounded down by far more than what |f'|^2 is off by; 0
 * where that is nothing */
static double least_factor(double lambda, double t, double error)
{
    MPFR_DECL_INIT(x, 64);
    mpfr_set_d(x, -lambda - MARGIN, MPFR_RNDD);
    mpfr_div_d(x, x, t, MPFR_RNDD);
    mpfr_exp(x, x, MPFR_RNDD);
    mpfr_sub_d(x, x, 2 * error, MPFR_RNDD);
    if (mpfr_sgn(x) <= 0)
        return 0;
    mpfr_sqr(x, x, MPFR_RNDD);
    mpfr_mul_d(x, x, 1 - 0x1p-50, MPFR_RNDD);
    return mpfr_get_d(x, MPFR_RNDD);
}

bool block_power_set(block_power *w, block_error *to, uint64_t times, double error, double lambda)
{
    double t = (double)times, wrong = error * BINARY64_U;
    if (!(t <= MOST_USES))
        return false;
    double small = fmax(0.5, exp(-(lambda + SPARE) / t));
    w->times = times;
    w->small = small * small;
    w->flat = SLACK * t * wrong * power_up(small + 2 * wrong, t - 1);
    w->least = least_factor(lambda, t, wrong);
    to->relative += t * (SLACK * wrong / small + PRODUCT_ERROR * BINARY64_U);
    to->absolute += SLACK * t * (wrong + PRODUCT_ERROR * BINARY64_U);
    return to->relative <= MOST_RELATIVE;
}

#define TRIALS 64U
#define TRIAL_STEP UINT64_C(62914561)

double block_power_rarity(block_power_product *product, const void *self)
{
    double left = 0.5;
    for (uint64_t i = 1; i <= TRIALS; i++) {
        double re[BINARY64_BLOCK], im[BINARY64_BLOCK], away[BINARY64_BLOCK];
        for (int k = 0; k < BINARY64_BLOCK; k++) {
            re[k] = 1;
            im[k] = away[k] = 0;
        }
        left += product(re, im, away, self, i * TRIAL_STEP) ? 1 : 0;
    }
    return TRIALS / left;
}
