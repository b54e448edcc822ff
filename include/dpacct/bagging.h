/* SPDX-License-Identifier: MIT */
#ifndef DPACCT_BAGGING_H
#define DPACCT_BAGGING_H

#include <gmp.h>

#include "dpacct/compose.h"
#include "dpacct/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dp_sampling {
    DP_WITH_REPLACEMENT = 0, /* every draw uniform on the data set, independent          */
    DP_WITHOUT_DISJOINT,     /* N k distinct records cut into N subsamples               */
    DP_WITHOUT_INDEPENDENT,  /* N independent uniform subsets of k records               */
    DP_POISSON               /* each record enters each subsample with probability q     */
} dp_sampling;

/* The relation under which the base learner's own guarantee holds, on its subsample. */
typedef enum dp_base_adjacency {
    DP_BASE_AS_NEEDED = 0, /* the one that the scheme's amplification needs */
    DP_BASE_ADD_REMOVE,
    DP_BASE_REPLACE_ONE,
    DP_BASE_BOTH
} dp_base_adjacency;

/* Bagging: N base models, each trained by a learner on a subsample of the n records. */
typedef struct dp_bagging {
    dp_sampling sampling;
    mpz_t dataset_size;   /* n >= 1, the larger of two neighbouring data sets; not for Poisson */
    mpz_t subsample_size; /* k >= 1; not for Poisson */
    mpz_t models;         /* N >= 1 */
    mpq_t sampling_rate;  /* q in [0, 1], Poisson only */
    dp_relation adjacency;
    const dp_number *target_epsilon; /* delta at this epsilon, or NULL */
    const dp_number *target_delta;   /* epsilon at this delta, or NULL: private learners only */
    const dp_number *base_epsilon;   /* the learner is (base_epsilon, base_delta)-DP; NULL: any */
    mpq_t base_delta;
    dp_base_adjacency base_adjacency;
} dp_bagging;

DP_API void dp_bagging_init(dp_bagging *b);
DP_API void dp_bagging_clear(dp_bagging *b);

/* The privacy of bagging. s is the probability that a fixed record is in no subsample.
 *   any learner    the exact profile: delta(epsilon) = 1 - s for every epsilon >= 0, by direction
 *                  at a target epsilon; beside it the published pair of the bagging paper
 *   private one    amplification by subsampling, exact for one model without replacement and
 *                  Poisson, proved with replacement; N models by the scheme's own argument or by
 *                  optimal composition; always intersected with the profile for any learner
 *   rounding       each figure encloses the value of its formula; printed ends round outward
 *   errors         DP_DOMAIN: n, k or N < 1; N k > n (disjoint), k > n (independent), q outside
 *                  [0, 1]; base_epsilon < 0 or above 10^8, target_epsilon < 0, base_delta or
 *                  target_delta outside [0, 1] or a logarithm; two targets, or a target_delta with
 *                  any learner; DP_UNAVAILABLE: the learner's adjacency gives nothing here
 *   theorems       bagging-*, amplify-*: see dp_theorem_at */
DP_API dp_status dp_bagging_privacy(dp_result *out, const dp_bagging *b, const dp_options *opt,
                                    dp_error *err);

/* Appends bagging, released `times` times on fresh samples, to a composition. Any learner enters as
 * mechanisms that reveal with the probability of one draw; a private one as its amplified pair,
 * rounded up well below `digits` significant digits. The list remembers what was added: alone it
 * answers by its whole profile, and beside others each question takes the pair of that profile that
 * serves it best. Where the pairs are upper bounds the rows' verdict is DP_PROVED. Targets have no
 * part in it. digits 0 is the default.
 *   errors  those of dp_bagging_privacy and dp_composition_add; DP_DOMAIN where b->adjacency is not
 *           the relation of the list, and for digits above DP_MOST_DIGITS */
DP_API dp_status dp_composition_add_bagging(dp_composition *c, const dp_bagging *b,
                                            const mpz_t times, size_t digits, dp_error *err);

typedef enum dp_bagging_unknown {
    DP_SOLVE_SUBSAMPLE_SIZE,
    DP_SOLVE_MODELS,
    DP_SOLVE_RATE
} dp_bagging_unknown;

/* The largest k, N or q that stays within opt->max_delta (and opt->max_epsilon, for a private
 * learner); the field solved for is not read. Decided exactly at ties. The answer is the quantity
 * "k" or "N" of the deciding row, infinite when any number will do; or the figure "q", safe at its
 * lower end. Where no value fits it is 0, check.holds is DP_NO, and the pair of the row is that of
 * the least value, 1: the budget that would do.
 *   errors  those of dp_bagging_privacy; DP_DOMAIN: max_delta missing, max_epsilon missing with a
 *           private learner, an unknown that the way of sampling does not have */
DP_API dp_status dp_bagging_solve(dp_result *out, const dp_bagging *b, dp_bagging_unknown unknown,
                                  const dp_options *opt, dp_error *err);

#ifdef __cplusplus
}
#endif
#endif
