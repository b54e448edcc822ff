/* SPDX-License-Identifier: MIT */
/* Quantiles of the normal law. */
#ifndef ATTACK_QUANTILE_H
#define ATTACK_QUANTILE_H

#include "attack/binomial.h"

/* z with Phi(-z) = s.yes, strictly between 0 and 1; false, and an end of z infinite, where the
 * precision of s does not tell. */
bool upper_quantile(mpfi_t z, const share *s);

#endif
