/* SPDX-License-Identifier: MIT */
/* Discrete Gaussian noise, P[k] proportional to e^(-k^2 / (2 sigma2)) on the integers, on a number
 * that neighbours move by D, an integer: the losses are D (D - 2k) / (2 sigma2), either way round.
 * A lesser distance is dominated, for the noise is log-concave. sigma2 is not quite its variance.
 */
#ifndef LOSS_DISCRETE_GAUSSIAN_H
#define LOSS_DISCRETE_GAUSSIAN_H

#include "loss/product.h"

/* D at most; sigma2 is at least 1 / DISCRETE_GAUSSIAN_FINEST: below it the noise is 0. */
#define DISCRETE_GAUSSIAN_FARTHEST 1000000000UL
#define DISCRETE_GAUSSIAN_FINEST 1000UL

/* The law of `times` uses: to that of equal sigma2 and D where there is one.
 *     M(z) = e^(D^2 z(z+1) / (2 sigma2)) theta(zD) / theta(0),
 *     theta(w) = 1 + 2 sum over m >= 1 of e^(-2 pi^2 sigma2 m^2) cos(2 pi m w)
 * for one use, by Poisson summation. DP_DOMAIN, DP_MEMORY. */
dp_status discrete_gaussian_add(product *to, const mpq_t sigma2, const mpz_t distance,
                                const mpz_t times);

/* s encloses the profile of one use at every x of the interval, and slope is about -ds/dx:
 *     s(x) = sum of P[k] (1 - e^(x - l_k)) over the k with l_k = D (D - 2k) / (2 sigma2) > x.
 * Source: Canonne, Kamath, Steinke 2020, Theorem 7. Verdict: exact. About sigma times the root of
 * the bits in terms. */
void discrete_gaussian_profile(mpfi_t s, mpfr_t slope, const mpq_t sigma2, const mpz_t distance,
                               const mpfi_t x);

/* out encloses the least x >= 0 with s(x) <= delta, 0 < delta < 1. */
void discrete_gaussian_epsilon(mpfi_t out, const mpq_t sigma2, const mpz_t distance,
                               const mpq_t delta);

#endif
