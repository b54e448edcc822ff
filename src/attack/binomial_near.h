/* SPDX-License-Identifier: MIT */
/* Binomial tails that begin near the mean of many trials, where the fraction (binomial.c) takes as
 * many steps as a standard deviation is long. */
#ifndef ATTACK_BINOMIAL_NEAR_H
#define ATTACK_BINOMIAL_NEAR_H

#include "attack/binomial.h"

/* Does it pay at that many bits? The mean is at most k; q = 1 - p. */
bool binomial_is_near(unsigned long k, unsigned long n, const share *p, mpfr_prec_t bits);
bool binomial_seems_near(double k, double n, double p, double q, double bits);

/* out = Pr[Bin >= k] / (Pr[Bin = k] q) where (n+1) p <= k, from a Taylor series every two standard
 * deviations; wide, and sound, where p is. False, and nothing, where a series does not settle. */
bool binomial_near(mpfi_t out, unsigned long k, unsigned long n, const share *p, mpfr_prec_t bits);

#endif
