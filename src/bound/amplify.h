/* SPDX-License-Identifier: MIT */
/* Amplification by subsampling of a learner that is itself (eps0, delta0)-DP. E0 = e^eps0, eta the
 * probability that a fixed record is in the subsample. */
#ifndef BOUND_AMPLIFY_H
#define BOUND_AMPLIFY_H

#include "bound/bagging.h"

/* What relation the learner's guarantee must be brought to, and how. */
typedef enum amplify_route {
    AMPLIFY_DIRECT,       /* as it is                                                        */
    AMPLIFY_GROUP_BASE,   /* replace = remove + add: (2 eps0, delta0 (1 + E0)) first          */
    AMPLIFY_GROUP_RESULT, /* amplify, then the same for the result (Poisson)                 */
    AMPLIFY_NOTHING       /* the learner's relation says nothing about this scheme           */
} amplify_route;

amplify_route amplify_way(const dp_bagging *b);

/* The learner after AMPLIFY_GROUP_BASE where that applies: growth = E0 - 1, delta = delta0. */
void amplify_learner(mpfi_t growth, mpfi_t delta, const dp_bagging *b);

/* eta of one subsample, or of all N disjoint ones together; rational but for with replacement. */
void amplify_rate_q(mpq_t eta, const dp_bagging *b);

/* True when the N models need composition: all schemes but disjoint blocks, N > 1. */
bool amplify_composes(const dp_bagging *b);

/* One model's pair (eps', delta'): what is composed N times. Enclosed. */
void amplify_pair(mpfi_t epsilon, mpfi_t delta, const dp_bagging *b);

/* delta(x) of a chain of j neighbouring steps, each (growth + 1, delta)-DP, at e^x = 1 + rise: the
 * exact worst case over all learners. */
void amplify_group(mpfi_t out, const mpfi_t growth, const mpfi_t delta, const mpz_t j,
                   const mpfi_t rise);

extern const bound amplify_point, amplify_profile, amplify_add;
/* Evaluated by composing amplify_pair: no eval of its own. */
extern const bound amplify_composed;
extern const bound amplify_with_pair, amplify_with_bbg, amplify_with_hybrid, amplify_with_mixture;

#endif
