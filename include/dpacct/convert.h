/* SPDX-License-Identifier: MIT */
#ifndef DPACCT_CONVERT_H
#define DPACCT_CONVERT_H

#include <gmp.h>

#include "dpacct/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dp_convert_to { DP_CONVERT_ANY = 0, DP_CONVERT_ZCDP } dp_convert_to;

/* What is stated of a mechanism, exactly one of the six, and what is asked of it, exactly one of
 * the four; the others are NULL, 0, false. All of them hold for both directions of the relation. */
typedef struct dp_conversion {
    const dp_number *pure;         /* epsilon-DP */
    const dp_number *approx;       /* (epsilon, delta)-DP; may be ln(R) as `pure` may */
    const dp_number *approx_delta; /* its delta, in [0, 1]; NULL: 0 */
    const mpq_t *zcdp;             /* rho >= 0, or rho and xi: D_alpha <= xi + rho alpha */
    size_t zcdp_count;
    const mpq_t *rdp; /* alpha > 1, r >= 0, alpha, r, ...: D_alpha <= r */
    size_t rdp_count;
    const mpq_t *cdp; /* mean and tau >= 0: loss of at most that mean, tau-subgaussian about it */
    size_t cdp_count;
    const dp_number *gdp;            /* mu >= 0: no better told apart than N(0, 1) and N(mu, 1) */
    const dp_number *target_epsilon; /* delta there */
    const dp_number *target_delta;   /* epsilon there */
    const dp_number *order;          /* the Renyi divergence of that order > 1 */
    dp_convert_to to;                /* DP_CONVERT_ZCDP: rho and xi */
} dp_conversion;

/* From one statement of privacy to another.
 *   rows       the conversions that apply, the strongest first, which is the guarantee; epsilon and
 *              delta, or rdp, or rho and xi; alpha where an order was chosen or asked; with
 *              opt->all also published ones that are unsound, marked
 *   rounding   figures are enclosures of each formula at its order
 *   check      is every mechanism of the statement (max_epsilon, max_delta)-DP? Without a question
 *              the budget is the target
 *   errors     DP_DOMAIN: not one statement, not one question, numbers outside their domains;
 *              DP_UNAVAILABLE: nothing of that kind follows (delta > 0 bounds no Renyi divergence,
 *              points bound no higher order, delta = 0 has no epsilon)
 *   theorems   pure-to-*, approx-profile, zcdp-to-*, rdp-to-*, rdp-between, cdp-to-*, gdp-* */
DP_API dp_status dp_convert(dp_result *out, const dp_conversion *q, const dp_options *opt,
                            dp_error *err);

#ifdef __cplusplus
}
#endif
#endif
