/* SPDX-License-Identifier: MIT */
/* Where a bound that holds at all odds k is least. */
#ifndef ATTACK_ODDS_H
#define ATTACK_ODDS_H

#include <gmp.h>

/* About the bound at k, by what is asked for `of`. */
typedef double (*odds_bound)(void *of, const mpq_t k);

/* k = a short number, about where the bound is least, ln k between low and high, finite and at most
 * 700 from 0; it falls and then rises. Few evaluations. */
void odds_least(mpq_t k, double low, double high, odds_bound bound, void *of);

#endif
