/* SPDX-License-Identifier: MIT */
/* Real numbers |x| < 2^15 as 128-bit integers of units 2^-112, with a proved error in units: for
 * sums over nodes that 128 bits suffice for, at a tenth of the price of MPFR or less. Where the
 * compiler has no such type FIXED is not defined, and MPFR sums. Doubles choose where a logarithm
 * or an angle is looked for; the function is false where it is not there. */
#ifndef NUM_FIXED_H
#define NUM_FIXED_H

#include "num/wide.h"

#ifdef __SIZEOF_INT128__
#define FIXED
#define FIXED_POINT 112
#define FIXED_MOST_BITS 14
#define FIXED_MOST (1 << FIXED_MOST_BITS) /* of |x|, where functions take it */

__extension__ typedef __int128 fixed128;

/* a b, |a b| < 2^15, within 1 unit */
static inline fixed128 fixed_mul(fixed128 a, fixed128 b)
{
    wide_u128 x = a < 0 ? -(wide_u128)a : (wide_u128)a, y = b < 0 ? -(wide_u128)b : (wide_u128)b;
    uint64_t x1 = (uint64_t)(x >> 64), x0 = (uint64_t)x, y1 = (uint64_t)(y >> 64), y0 = (uint64_t)y;
    wide_u128 low = (wide_u128)x0 * y0, one = (wide_u128)x1 * y0, two = (wide_u128)x0 * y1;
    wide_u128 middle = (low >> 64) + (uint64_t)one + (uint64_t)two;
    wide_u128 high = (wide_u128)x1 * y1 + (one >> 64) + (two >> 64) + (middle >> 64);
    wide_u128 size = high << (128 - FIXED_POINT) | (uint64_t)middle >> (FIXED_POINT - 64);
    return (a < 0) == (b < 0) ? (fixed128)size : -(fixed128)size;
}

/* e^x = m 2^n for |x| < FIXED_MOST; returns m, 0.7 <= m < 1.5, within 8 units of e^x / 2^n */
fixed128 fixed_exp(int *n, fixed128 x);

/* re + i im = e^(ix) for |x| < FIXED_MOST, each within 8 units */
void fixed_turn(fixed128 *re, fixed128 *im, fixed128 x);

/* ln x for 1/4 <= x <= 4, within 24 units */
bool fixed_log(fixed128 *out, fixed128 x);

/* The angle of re + i im, at least 1/4 and at most 2 in the larger part, within 40 units. */
bool fixed_angle(fixed128 *out, fixed128 im, fixed128 re);

/* x 2^n, within 1 unit for n < 0; |x| 2^n < 2^15 for n > 0 */
fixed128 fixed_shift(fixed128 x, int n);

double fixed_get_d(fixed128 x);
/* False where |x| is not below FIXED_MOST; else cut to a unit. */
bool fixed_set_d(fixed128 *out, double x);
bool fixed_set_fr(fixed128 *out, mpfr_srcptr x);
bool fixed_set_q(fixed128 *out, mpq_srcptr x);
/* Exact at 128 bits. */
void fixed_get_fr(mpfr_t out, fixed128 x, mpfr_rnd_t way);

#endif
#endif
