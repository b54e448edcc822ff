/* SPDX-License-Identifier: MIT */
/* Fejer's rule: an integral over [0, 1] by values at (1 + cos((2j-1) pi / 2n)) / 2, j = 1 .. n,
 * with positive weights, whose sum is 1, that are exact for polynomials of degree n - 1. Of a
 * function that is analytic and of modulus at most V on the ellipse around [-1, 1] with half-axes
 * (rho +- 1/rho)/2, taken to [0, 1], it misses 4 V rho^(1-n) / (rho - 1) at most: the coefficients
 * of its Chebyshev series are at most 2 V rho^-k, and both integral and rule are means. */
#ifndef NUM_FEJER_H
#define NUM_FEJER_H

#include <mpfi.h>

#define FEJER_MOST 512 /* points */

/* At the precision of the points; n even, at most FEJER_MOST. */
void fejer_rule(mpfi_t *at, mpfi_t *weight, unsigned long n);

#endif
