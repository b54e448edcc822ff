/* SPDX-License-Identifier: MIT */
/* Composition of a mechanism whose (epsilon, delta) is only enclosed: the pair is rounded up for
 * the upper end of the figures and down for the lower one, because the optimum grows with both. */
#ifndef COMPOSE_ENCLOSED_PAIR_H
#define COMPOSE_ENCLOSED_PAIR_H

#include "compose/optimal.h"
#include "compose/round_pair.h"

/* The pair at the chosen end, as exact numbers; false where it is out of range. */
typedef bool (*pair_source)(dp_number *epsilon, mpq_t delta, const void *context, dp_end end,
                            mpfr_prec_t bits);

typedef struct pairs {
    pair_source source;
    const void *context;
    mpz_srcptr times;
    const dp_number *target_epsilon, *target_delta; /* at most one; neither: the end point */
} pairs;

/* Appends the row of `b` with quantities epsilon and delta. Where the time does not reach for a
 * pair of all digits, one of fewer is composed, and the row is wider. */
dp_status pairs_row(dp_result *out, const bound *b, const pairs *p, const dp_options *opt);

/* Is the composition of the pair (epsilon, delta)-DP? Both answers are proved of the pair itself,
 * whatever its rounding. */
dp_decision pairs_meet(const pairs *p, const dp_number *epsilon, const mpq_t delta,
                       const dp_options *opt);

#endif
