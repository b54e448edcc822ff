/* SPDX-License-Identifier: MIT */
/* Discrete Laplace noise, the two-sided geometric mechanism: P[k] = (1-r)/(1+r) r^|k|, r = e^-a, on
 * a number that neighbours move by D, an integer. The losses are a (D - 2j), j = 0 .. D, with
 * masses 1/(1+r) at j = 0,  (1-r)/(1+r) r^j between,  r^D/(1+r) at j = D, either way round; a
 * lesser distance is dominated, for the noise is log-concave. */
#ifndef LOSS_DISCRETE_LAPLACE_H
#define LOSS_DISCRETE_LAPLACE_H

#include "loss/product.h"

/* The law holds D + 1 outcomes. */
#define DISCRETE_LAPLACE_MOST 10000UL

/* `times` uses, a > 0, 1 <= D <= DISCRETE_LAPLACE_MOST: to the law of equal a and D where there is
 * one. D = 1 is randomized response of epsilon = a, and is added as that (response.h). DP_DOMAIN,
 * DP_MEMORY. */
dp_status discrete_laplace_add(product *to, const mpq_t a, unsigned long distance,
                               const mpz_t times);

/* out encloses a (D - 2r (1-r^D)/(1-r^2)): the KL divergence of one use in either direction, and
 * the least rho of zCDP. a > 0, D >= 1. Source: Harrison, Manurangsi 2026. Verdict: exact. */
void discrete_laplace_kl(mpfi_t out, const mpq_t a, unsigned long distance);

#endif
