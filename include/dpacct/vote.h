/* SPDX-License-Identifier: MIT */
#ifndef DPACCT_VOTE_H
#define DPACCT_VOTE_H

#include <gmp.h>

#include "dpacct/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dp_vote_composition {
    DP_VOTE_SIMPLE = 0, /* (K epsilon, K delta)                                     */
    DP_VOTE_GENERAL     /* Kairouz, Oh, Viswanath, with a slack: their Theorem 3.4  */
} dp_vote_composition;

/* Private majority by randomized response: K mechanisms, each (epsilon, delta)-DP with a one-bit
 * vote; with some probability the true majority is published, else a fair coin. */
typedef struct dp_response {
    mpz_t mechanisms; /* K, odd */
    dp_number epsilon;
    mpq_t delta;
    const dp_number *allowance;      /* m: the target is m epsilon; or NULL */
    const dp_number *target_epsilon; /* the target itself; exactly one of the two */
    mpq_t target_delta;
    dp_vote_composition composition;
    const dp_number *slack; /* for DP_VOTE_GENERAL; NULL otherwise */
} dp_response;

DP_API void dp_response_init(dp_response *r);
DP_API void dp_response_clear(dp_response *r);

/* The largest probability with which the true majority may be published within the target.
 *   rows       probability, with the (epsilon, delta) it keeps:
 *                rr-prob-simple, rr-prob-general  from composition alone: each mechanism is
 *                                     (epsilon, delta)-DP given the outputs of the earlier ones
 *                rr-prob-independent  for independent mechanisms with delta = 0
 *                rr-prob-printed      the published formula without its clamps (opt->all; unsound)
 *   rounding   figures are enclosures; a probability is safe at its lower end
 *   errors     DP_DOMAIN: K even or < 1, epsilon or target_epsilon < 0, delta or target_delta
 *              outside [0, 1], allowance <= 0, both or neither target, slack outside (0, 1), a
 *              slack without general composition or general composition without one
 *   theorem    Jiang, Zhang, Joshi 2024, Lemma A.1 */
DP_API dp_status dp_response_probability(dp_result *out, const dp_response *r,
                                         const dp_options *opt, dp_error *err);

#ifdef __cplusplus
}
#endif
#endif
