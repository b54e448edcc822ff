/* SPDX-License-Identifier: MIT */
/* The excess ln(1 + e^v) on a line, v = (y - y*)/s + i theta, in 128-bit fixed point, u = 2^-112.
 * Re v = ln(q/(1-q)) + (y - 1/2s)/s is within d <= |y| + 2/s + 4 < 400 units. Where it is below -7,
 * with x = e^v = m 2^n e^(i theta), m within 8 units and its d, at least 0.7,
 *     eps = x (1 - x/2 + x^2/3 - ... + x^10/11) + an error below |x|^12/12 / (1 - |x|),
 * |x| < 2^-10: relative to x that is below u/8; 11 steps of Horner's rule add less than 2 units
 * each, products with m and e^(i theta) 4 more, so that all are within (d + 60) 2 u < 2^-101. Else,
 * as in sampled_gaussian_fixed.c, both parts are within 16 d + 256 < 6700 units, and |eps| >= |x|
 * (1 - |x|)
 * >= 0.0009, or for |x| > 1/2 at least 0.17: as |ln(1 + x)| >= |x| / (1 + |x|) for |1 + x| of any
 * argument below pi (x = e^eps - 1, |e^eps - 1| <= |eps| e^|eps|, so |eps| >= 0.35 where |x| >=
 * 1/2). */
#include "loss/sampled_gaussian_bend.h"

#include <math.h>

#ifdef FIXED

#define CONSTANT_BITS 160
#define LOW -7 /* Re v */
#define TERMS 11
#define ONE ((fixed128)1 << FIXED_POINT)

static bool take(fixed128 *out, const mpfi_t x)
{
    return fixed_set_fr(out, &x->left);
}

bool excess_line_init(excess_line *at, const sgm_item *g, double shift)
{
    if (!(1 / g->s < EXCESS_MOST) || g->group > 1 || shift < 0 ||
        !(shift < BEND_MOST_ANGLE * g->s) || fabs(g->log_rate - g->log_rest) > 1000)
        return false;
    mpfi_t x, y;
    mpfi_init2(x, CONSTANT_BITS);
    mpfi_init2(y, CONSTANT_BITS);
    mpfi_set_q(x, g->sigma);
    mpfi_ui_div(x, 1, x);
    bool ok = take(&at->inverse, x);
    mpfi_mul_d(x, x, shift);
    ok = ok && take(&at->angle, x);
    mpfi_cos(y, x);
    ok = ok && take(&at->cosine, y);
    mpfi_sin(y, x);
    ok = ok && take(&at->sine, y);
    mpfi_set_q(x, g->rate);
    mpfi_ui_sub(y, 1, x);
    mpfi_div(x, x, y);
    mpfi_log(x, x);
    ok = ok && take(&at->odds, x);
    at->half = at->inverse / 2;
    mpfi_clear(y);
    mpfi_clear(x);
    return ok;
}

/* m 2^n e^(i theta) (1 - x/2 + ...) */
static void by_series(excess *out, const excess_line *at, fixed128 v)
{
    fixed128 m = fixed_exp(&out->scale, v), x = fixed_shift(m, out->scale);
    fixed128 a = fixed_mul(x, at->cosine), b = fixed_mul(x, at->sine), re = ONE / TERMS, im = 0;
    for (int k = TERMS - 1; k >= 1; k--) {
        fixed128 part = ONE / k - fixed_mul(a, re) + fixed_mul(b, im);
        im = -fixed_mul(a, im) - fixed_mul(b, re);
        re = part;
    }
    a = fixed_mul(m, at->cosine);
    b = fixed_mul(m, at->sine);
    out->re = fixed_mul(a, re) - fixed_mul(b, im);
    out->im = fixed_mul(a, im) + fixed_mul(b, re);
}

bool excess_at(excess *out, const excess_line *at, fixed128 y)
{
    fixed128 v = at->odds + fixed_mul(y - at->half, at->inverse);
    if (v < LOW * ONE) {
        by_series(out, at, v);
        return true;
    }
    int n;
    fixed128 m = fixed_exp(&n, v > 0 ? -v : v), log, arg;
    m = fixed_shift(m, n);
    fixed128 along = fixed_mul(m, at->cosine);
    if (!fixed_log(&log, ONE + 2 * along + fixed_mul(m, m)) ||
        !fixed_angle(&arg, fixed_mul(m, at->sine), ONE + along))
        return false;
    out->re = (v > 0 ? v : 0) + log / 2;
    out->im = v > 0 ? at->angle - arg : arg;
    out->scale = 0;
    return true;
}

#endif
