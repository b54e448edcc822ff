/* SPDX-License-Identifier: MIT */
/* What a composition keeps, and what its only item says of itself. */
#ifndef COMPOSE_CLAIMS_H
#define COMPOSE_CLAIMS_H

#include "compose/composing.h"

/* Is the composition (epsilon, delta)-DP? No only where that is proved; where the bound is not met
 * and not known to be tight, unknown with DP_MET_BOUND. */
dp_decision composing_meets(composing *c, const dp_number *epsilon, const mpq_t delta);

/* Decides the check of the result. */
void composing_check(composing *c);

/* Is it proved that the composition is not (x, delta)-DP, by what is known from below? */
bool composing_refutes(const composing *c, const logform *x, const mpq_t delta);

/* The only item as a mechanism with a profile of its own. *all: no composition of pairs is
 * sharper. False where the list is not such an item. */
bool own_profile(dp_bagging *b, mpz_t models, bool *all, const composing *c);
/* Has it a law that is sharper than its rows? Records that may be drawn more than once. */
bool own_is_drawn(const composing *c);
/* Appends the row of that profile, at the target epsilon or delta or at its end point. */
dp_status own_row(composing *c, const dp_bagging *b, const dp_number *epsilon,
                  const dp_number *delta);

#endif
