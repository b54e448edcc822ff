/* SPDX-License-Identifier: MIT */
/* Rules of n trials that reject from v right ones on, and v - 1 with some probability. */
#ifndef ATTACK_RANDOMISED_H
#define ATTACK_RANDOMISED_H

#include "attack/binomial.h"

/* spare = how often v - 1 is rejected by the rule that rejects with probability `level` at those
 * odds, 1 <= v <= n: what encloses no number from 0 to 1 belongs to another v. */
void randomised_spare(mpfi_t spare, unsigned long n, unsigned long v, const mpfi_t level,
                      const share *odds);
/* out = how often it rejects at other odds. */
void randomised_tail(mpfi_t out, unsigned long n, unsigned long v, const mpfi_t spare,
                     const share *odds);

#endif
