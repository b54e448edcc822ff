/* SPDX-License-Identifier: MIT */
#ifndef DPACCT_FILTER_H
#define DPACCT_FILTER_H

#include "dpacct/compose.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is added up: rho of zCDP, epsilon, the Renyi divergence of one order, mu^2 of Gaussians. */
typedef enum dp_filter_method {
    DP_FILTER_ZCDP = 0,
    DP_FILTER_BASIC,
    DP_FILTER_RDP,
    DP_FILTER_GAUSSIAN
} dp_filter_method;

typedef struct dp_filter_query {
    const dp_composition *spent; /* what was released: in full, or the state of an earlier answer */
    const dp_composition *add;   /* what is to be released next, all of it or nothing; or NULL */
    dp_filter_method method;
    const dp_number *order; /* of DP_FILTER_RDP; NULL: that at which zCDP has its largest budget */
    const dp_number *slack; /* part of max_delta that converts to (epsilon, delta), in (0, 1);
                               the rest is for deltas of mechanisms. NULL: all of max_delta */
} dp_filter_query;

/* May the next mechanisms be released, when their parameters, and whether they are released at all,
 * depend on earlier outputs? The budget (opt->max_epsilon, opt->max_delta), method, order and slack
 * must be those of the first question: fixed before anything was released.
 *   rows       one: the budget, which all that is ever released within it keeps, what is spent with
 *              the addition and how much there is, both in the unit of the method; delta of
 *              mechanisms spent; the order; `times`, how often the addition fits in all;
 *              with opt->all the other filters that have a statement about everything too
 *   check      holds tells whether the addition fits; where it does not it must not be released,
 *              and another, smaller one may be asked about
 *   state      NULL, or an empty list, which becomes one of at most a few entries that costs what
 *              is spent now: with the addition where it fits, else without it
 *   rounding   costs up, the budget down; rationals and sums of ln(R) as they are
 *   errors     DP_DOMAIN: no budget, numbers outside their domains; lists of different adjacency;
 *              DP_UNAVAILABLE: the filter has no statement about a mechanism, or max_delta is 0 and
 *              the method is not DP_FILTER_BASIC
 *   theorems   filter-* */
DP_API dp_status dp_filter(dp_result *out, dp_composition *state, const dp_filter_query *q,
                           const dp_options *opt, dp_error *err);

#ifdef __cplusplus
}
#endif
#endif
