/* SPDX-License-Identifier: MIT */
#ifndef DPACCT_BAGGING_H
#define DPACCT_BAGGING_H

#include <gmp.h>

#include "dpacct/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dp_sampling {
    DP_WITH_REPLACEMENT = 0, /* every draw uniform on the data set, independent             */
    DP_WITHOUT_DISJOINT      /* N * k distinct records cut into N subsamples                */
} dp_sampling;

/* Bagging: N base models, each trained by any learner on a subsample of k of the n records. */
typedef struct dp_bagging {
    dp_sampling sampling;
    mpz_t dataset_size;   /* n >= 1 */
    mpz_t subsample_size; /* k >= 1 */
    mpz_t models;         /* N >= 1 */
    dp_adjacency adjacency;
} dp_bagging;

DP_API void dp_bagging_init(dp_bagging *b);
DP_API void dp_bagging_clear(dp_bagging *b);

/* The privacy of bagging with any base learner.
 *   rows       (epsilon, delta); first the exact profile, which holds for every epsilon >= 0:
 *                with replacement     delta = 1 - ((n-1)/n)^(N k)
 *                without, disjoint    delta = N k / n
 *              then the published pair of the bagging paper, and with opt->all its pair from
 *              naive composition
 *   rounding   each figure encloses the value of its formula; printed ends round outward
 *   errors     DP_DOMAIN: n, k or N < 1; N k > n without replacement
 *   theorems   bagging-with-exact, bagging-without-exact (exact); Liu, Jia, Gong 2021,
 *              Theorems 2 to 6 */
DP_API dp_status dp_bagging_privacy(dp_result *out, const dp_bagging *b, const dp_options *opt,
                                    dp_error *err);

typedef enum dp_bagging_unknown { DP_SOLVE_SUBSAMPLE_SIZE, DP_SOLVE_MODELS } dp_bagging_unknown;

/* The largest k or N whose exact delta is at most opt->max_delta; the field solved for is not
 * read. Decided in integers at ties. The answer is the quantity "k" or "N" of the exact row: 0
 * when even one draw spends more, infinite when any number will do. */
DP_API dp_status dp_bagging_solve(dp_result *out, const dp_bagging *b, dp_bagging_unknown unknown,
                                  const dp_options *opt, dp_error *err);

#ifdef __cplusplus
}
#endif
#endif
