/* SPDX-License-Identifier: MIT */
/* The optimal composition of (epsilon_i, delta_i)-DP mechanisms:
 *     delta(x) = 1 - D (1 - s(x)),  D = prod (1 - delta_i),  s(x) = E_P[(1 - e^(x-L))_+]
 * with L the sum of the randomized-response losses. No smaller value holds for the class. */
#ifndef PLD_OPTIMAL_H
#define PLD_OPTIMAL_H

#include "pld/lattice.h"

typedef struct optimal {
    const composed *list;
    lattice lattice;
    bool available; /* an evaluator exists for this list */
    bool rational;  /* all losses are logarithms of rationals: values can be exact */
} optimal;

void optimal_init(optimal *o, const composed *list);
void optimal_clear(optimal *o);

/* delta(x) at x >= 0. `beyond`: x >= sum of epsilon, decided exactly by the caller; then s = 0. */
typedef struct optimal_at {
    const optimal *engine;
    const logform *x;
    bool beyond;
} optimal_at;
dp_status optimal_delta(dp_figure *out, const void *at, const request *want);

/* The smallest x >= 0 with delta(x) <= delta, where 1 - D < delta < 1 is known. */
typedef struct optimal_inverse {
    const optimal *engine;
    mpq_srcptr delta;
} optimal_inverse;
dp_status optimal_epsilon(dp_figure *out, const void *inverse, const request *want);

/* out = s(x) exactly for a list of logarithms and rational e^x, when it is small enough to form. */
bool exact_profile(mpq_t out, const composed *list, const mpq_t exp_x);

#endif
