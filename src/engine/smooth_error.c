/* SPDX-License-Identifier: MIT */
/* What a sum of smooth.c may be off by: nodes that were dropped, nodes beyond the last, rounding.
 */
#include <math.h>

#include "engine/smooth.h"
#include "num/wide.h"

/* Bits that hold c (c + 1) for every short double c: 24 bits from 2^500 down to 2^-500. */
#define EXACT_BITS 2048

/* out = e^-lambda (R/(2a) + 1/a^2), rounded up: all dropped nodes together, relative to m. With a
 * the smaller of |c| and 1 + c, |t (t+1)| >= a^2 + theta^2 at t = c + i theta, and the sum over all
 * nodes of 1/(a^2 + theta_n^2) is R/(2a) coth(Ra/2), coth y <= 1 + 1/y. R = 2 pi / spacing. */
static void dropped_bound(mpfr_t out, const smooth *p)
{
    mpfr_t a, part;
    mpfr_init2(a, EXACT_BITS);
    mpfr_init2(part, 64);
    mpfr_set_d(a, p->c, MPFR_RNDN);
    mpfr_add_ui(a, a, 1, MPFR_RNDN);
    if (mpfr_cmp_d(a, fabs(p->c)) > 0)
        mpfr_set_d(a, fabs(p->c), MPFR_RNDN);
    mpfr_ui_div(a, 1, a, MPFR_RNDU);
    mpfr_set_d(part, 3.14160, MPFR_RNDU);
    mpfr_div(part, part, p->spacing, MPFR_RNDU);
    mpfr_add(part, part, a, MPFR_RNDU);
    mpfr_mul(part, part, a, MPFR_RNDU);
    mpfr_set_d(out, -p->lambda, MPFR_RNDU);
    mpfr_exp(out, out, MPFR_RNDU);
    mpfr_mul(out, out, part, MPFR_RNDU);
    mpfr_clear(part);
    mpfr_clear(a);
}

/* out = 2 e^(-w2 theta^2/2) / (spacing theta), rounded up: the nodes beyond the last, at theta, for
 * the sum of 1/theta_n^2 there is below 1 / (spacing theta) on either side. */
static void beyond_bound(mpfr_t out, const smooth *p)
{
    mpfr_t theta;
    mpfr_init2(theta, 64);
    wide_mul_fr(theta, p->spacing, p->last, MPFR_RNDD);
    mpfr_sqr(out, theta, MPFR_RNDD);
    mpfr_mul(out, out, p->width2, MPFR_RNDD);
    mpfr_div_2ui(out, out, 1, MPFR_RNDD);
    mpfr_neg(out, out, MPFR_RNDU);
    mpfr_exp(out, out, MPFR_RNDU);
    mpfr_mul_2ui(out, out, 1, MPFR_RNDU);
    mpfr_div(out, out, theta, MPFR_RNDU);
    mpfr_div(out, out, p->spacing, MPFR_RNDU);
    mpfr_clear(theta);
}

/* m = e^(max(0, (25/16) w2 c(c+1)/2)), rounded up: the larger Gaussian factor on the line */
static void damping_bound(mpfr_t m, const smooth *p, mpfr_srcptr pole)
{
    mpfr_mul(m, pole, p->width2, MPFR_RNDU);
    mpfr_mul_d(m, m, SMOOTH_RATIO * SMOOTH_RATIO / 2, MPFR_RNDU);
    if (mpfr_sgn(m) < 0)
        mpfr_set_ui(m, 0, MPFR_RNDU);
    mpfr_exp(m, m, MPFR_RNDU);
}

/* Bounds |computed sum - full sum| at the number x for both widths, rounded up; false when the
 * precision is too low for the first-order analysis. Relative to m / |c (c+1)| each evaluated node
 * carries p->error; its angles, theta |x| to 3u and theta w2' (2c+1)/2 to 5u, where w2' = 25/16 w2
 * and w2 |2c+1| < 6 since w2 < 2 and w2 c(c+1) <= 2: together below 8u theta (|x| + 4); its
 * exponent, 3u w2' theta^2 and 8u; its poles and products 64u; and one u per node added. */
bool smooth_error(mpfr_t error, const smooth *p, mpfr_srcptr x)
{
    mpfr_t m, part, theta, pole;
    mpfr_ptr all[] = {m, part, theta, pole};
    for (size_t i = 0; i < 4; i++)
        mpfr_init2(all[i], 64);
    mpfr_set_prec(pole, EXACT_BITS);
    mpfr_set_d(pole, p->c, MPFR_RNDN);
    mpfr_add_ui(pole, pole, 1, MPFR_RNDN);
    mpfr_mul_d(pole, pole, p->c, MPFR_RNDN); /* c (c + 1), exact */
    wide_mul_fr(theta, p->spacing, p->last, MPFR_RNDU);
    mpfr_abs(part, x, MPFR_RNDU);
    mpfr_add_ui(part, part, 4, MPFR_RNDU);
    mpfr_mul(error, theta, part, MPFR_RNDU);
    mpfr_mul_ui(error, error, 8, MPFR_RNDU);
    mpfr_sqr(part, theta, MPFR_RNDU);
    mpfr_mul(part, part, p->width2, MPFR_RNDU);
    mpfr_mul_ui(part, part, 16, MPFR_RNDU);
    mpfr_add(error, error, part, MPFR_RNDU);
    mpfr_add_ui(error, error, 128 + p->nodes.count, MPFR_RNDU);
    mpfr_div_2ui(error, error, (unsigned long)p->work, MPFR_RNDU);
    mpfr_add(error, error, p->error, MPFR_RNDU);
    bool small = mpfr_cmp_d(error, 0x1p-12) < 0;
    mpfr_mul_ui(error, error, 2 * p->nodes.count, MPFR_RNDU);
    mpfr_mul_d(error, error, 1 + 0x1p-8, MPFR_RNDU);
    damping_bound(m, p, pole);
    mpfr_abs(pole, pole, MPFR_RNDN);
    mpfr_div(error, error, pole, MPFR_RNDU);
    dropped_bound(part, p);
    mpfr_add(error, error, part, MPFR_RNDU);
    beyond_bound(part, p);
    mpfr_add(error, error, part, MPFR_RNDU);
    mpfr_mul(error, error, m, MPFR_RNDU);
    for (size_t i = 0; i < 4; i++)
        mpfr_clear(all[i]);
    return small;
}
