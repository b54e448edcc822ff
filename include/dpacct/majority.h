/* SPDX-License-Identifier: MIT */
#ifndef DPACCT_MAJORITY_H
#define DPACCT_MAJORITY_H

#include <gmp.h>

#include "dpacct/compose.h"
#include "dpacct/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dp_design {
    DP_DESIGN_ALL = 0,
    DP_DESIGN_CONSTANT,         /* gamma the same for every count                              */
    DP_DESIGN_SUBSAMPLE,        /* the majority of a random sample of the votes                */
    DP_DESIGN_DOUBLE_SUBSAMPLE, /* of min(2m - 1, K) votes, m = target/epsilon rounded down    */
    DP_DESIGN_OPTIMAL           /* the solution of the linear program                          */
} dp_design;

/* What the expected error is averaged over: the votes' probabilities p_i. */
typedef enum dp_vote_prior {
    DP_PRIOR_HALF = 0, /* uniform on [1/2, 1], independent; or on either side of 1/2 alike    */
    DP_PRIOR_COMMON,   /* all p_i equal, uniform on [0, 1]                                     */
    DP_PRIOR_MEAN,     /* independent on [1/2, 1] with the given means                         */
    DP_PRIOR_VOTE      /* disagreement with the majority, p_i uniform on [0, 1]                */
} dp_vote_prior;

/* Private majority of K one-bit mechanisms: with probability gamma(l), l the number of ones, the
 * majority is published, else a fair coin. The mechanisms are independent. */
typedef struct dp_majority {
    const dp_composition *groups;    /* K mechanisms: item i stands for `times` of them; K odd   */
    const dp_number *allowance;      /* m: the target epsilon is m times that of one mechanism   */
    const dp_number *target_epsilon; /* or the target itself; exactly one of the two             */
    mpq_t target_delta;
    dp_design design;
    const dp_number *sample; /* size k of the subsample; NULL: the target over epsilon           */
    const dp_number *slack;  /* of general composition, in (0, 1); NULL: simple only */
    bool free_class;         /* optimal: over all symmetric gamma, not only monotone ones        */
    dp_vote_prior prior;
    const mpq_t *gamma; /* a given noise function instead: K+1 values, or the upper (K+1)/2      */
    size_t gamma_count; /* 0: none                                                               */
    const mpq_t *means; /* of DP_PRIOR_MEAN: one for all, or K                                   */
    size_t mean_count;
    const mpq_t *votes; /* probabilities at which the exact error is asked: one for all, or K    */
    size_t vote_count;
} dp_majority;

DP_API void dp_majority_init(dp_majority *m);
DP_API void dp_majority_clear(dp_majority *m);

/* Designs and their certificates, over all independent mechanisms of the stated parameters.
 *   rows       one for each design, with its gamma (exact) and: delta, the smallest at the target
 *              epsilon; epsilon, the smallest at the target delta; error, the expected one under
 *              the prior; for the optimum objective = sum w gamma and objective_bound, above which
 *              no gamma of the class comes; for given votes total_variation and disagreement
 *   check      without thresholds a given gamma is checked against the target
 *   rounding   figures are enclosures, rational where they are short decimals; an epsilon is
 *              infinite only where that is proved; gamma is exact, and certified as it is shown
 *   errors     DP_DOMAIN: no groups, K even or above 301, allowance <= 0, both or neither target,
 *              target_epsilon < 0, target_delta outside [0, 1], a sample that is no integer from 1
 *              to K, slack outside (0, 1); gamma, votes or means outside [0, 1], of another length
 *              or of more than 1024 bits, means below 1/2, or without their prior;
 *              DP_UNAVAILABLE: K beyond what the design serves
 *   theorems   majority-*: Jiang, Zhang, Joshi 2024, and what is proved beside them */
DP_API dp_status dp_majority_designs(dp_result *out, const dp_majority *m, const dp_options *opt,
                                     dp_error *err);

#ifdef __cplusplus
}
#endif
#endif
