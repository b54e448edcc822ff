/* SPDX-License-Identifier: MIT */
/* Powers f^t of factors that are sums, at blocks of nodes in doubles (loss/blocks.h). f' is within
 * `error` of f, |f| <= 1, and F what t - 1 products make of it, one more that of P with F: each is
 * within a relative sqrt(5) u (Brent, Percival, Zimmermann, Math. Comp. 76, 2007) but for
 * underflow. With m^2 = `small`:
 *     |f'| >= m:  f' = f (1 + d), |ln(1 + d)| <= 1.01 error/m for error/m <= 2^-7, and so is P' a
 *         relative t (1.01 error/m + sqrt(5) u) from P f^t;
 *     |f'| < m:  |f'^t - f^t| <= t error (m + error)^(t-1), which is `flat`.
 * Everywhere |f'^t - f^t| <= t error (1 + error)^(t-1), which is the absolute error but for the
 * roundings of products. P = phi (1 + d) + e times F = f^t (1 + d') + e' leaves beside what is
 * relative |e| (|F| + |e'|) + |P| |e'|: that is how `away` is carried on; |F| + |e'| is at most 1
 * but for `relative`. m is chosen so that `flat` is less than what is abandoned, but not below 1/2.
 *     All |f'| of a block below e^(-lambda/t) - error: abandoned before there are powers. |P' +
 * e|^2 is at most 2 |P'|^2 + 2 |e|^2. */
#ifndef LOSS_BLOCK_POWER_H
#define LOSS_BLOCK_POWER_H

#include <math.h>

#include "loss/blocks.h"

typedef struct block_power {
    uint64_t times;
    double least; /* |f'|^2, of which nothing less is kept */
    double small, flat;
} block_power;

/* f' wrong by `error` u; the error of all is added to `to`. False: too many uses for doubles. */
bool block_power_set(block_power *w, block_error *to, uint64_t times, double error, double lambda);

typedef bool block_power_product(double *re, double *im, double *away, const void *self,
                                 uint64_t first);

/* Of how many blocks one is not abandoned, about: looked up at some. */
double block_power_rarity(block_power_product *product, const void *self);

/* e^(-2 lambda), a little less: for |P|^2. */
double block_power_least(double lambda);

BINARY64_BODY void block_product(double *restrict re, double *restrict im, const double *restrict a,
                                 const double *restrict b)
{
    for (int k = 0; k < BINARY64_BLOCK; k++) {
        double x = re[k] * a[k] - im[k] * b[k];
        im[k] = re[k] * b[k] + im[k] * a[k];
        re[k] = x;
    }
}

BINARY64_BODY void block_square(double *restrict re, double *restrict im)
{
    for (int k = 0; k < BINARY64_BLOCK; k++) {
        double x = re[k] * re[k] - im[k] * im[k];
        im[k] = re[k] * im[k] + im[k] * re[k];
        re[k] = x;
    }
}

/* a + i b = (x + i y)^t, x and y lost */
BINARY64_BODY void block_raise(double *restrict a, double *restrict b, double *restrict x,
                               double *restrict y, uint64_t t)
{
    for (; (t & 1) == 0; t >>= 1)
        block_square(x, y);
    for (int k = 0; k < BINARY64_BLOCK; k++) {
        a[k] = x[k];
        b[k] = y[k];
    }
    while ((t >>= 1) != 0) {
        block_square(x, y);
        if ((t & 1) != 0)
            block_product(a, b, x, y);
    }
}

/* P *= (x + i y)^t, x and y lost; false: abandoned. */
BINARY64_BODY bool block_power_multiply(double *restrict re, double *restrict im,
                                        double *restrict away, double *restrict x,
                                        double *restrict y, const block_power *w, double least)
{
    double a[BINARY64_BLOCK], b[BINARY64_BLOCK], flat[BINARY64_BLOCK];
    uint64_t left = 0;
    for (int k = 0; k < BINARY64_BLOCK; k++) {
        double square = x[k] * x[k] + y[k] * y[k];
        left |= square >= w->least ? 1U : 0U;
        flat[k] = square < w->small ? w->flat : 0;
    }
    if (left == 0)
        return false;
    block_raise(a, b, x, y, w->times);
    for (int k = 0; k < BINARY64_BLOCK; k++) {
        double size = fabs(a[k]) + fabs(b[k]) + flat[k];
        double p = re[k] * a[k] - im[k] * b[k];
        size = size < 1 ? size : 1;
        away[k] = away[k] * size + (fabs(re[k]) + fabs(im[k])) * flat[k];
        im[k] = re[k] * b[k] + im[k] * a[k];
        re[k] = p;
    }
    left = 0;
    for (int k = 0; k < BINARY64_BLOCK; k++)
        left |= 2 * (re[k] * re[k] + im[k] * im[k]) + 3 * (away[k] * away[k]) >= least ? 1U : 0U;
    return left != 0;
}

#endif
