/* SPDX-License-Identifier: MIT */
#ifndef VOTE_MAJORITY_H
#define VOTE_MAJORITY_H

#include "core/bound.h"
#include "dpacct/number.h"

/* The lower bound on an answer's error: c_j - win, c_0 = 1/2, c_(j+1) = e^-eps (c_j - delta), for
 * the largest c_j that is at most the mean. */
typedef struct chain_in {
    const dp_number *epsilon; /* above 0 */
    mpq_srcptr delta, mean, win;
    mpz_srcptr steps; /* that j; NULL where it is not known */
} chain_in;

/* The engines of the designs, on `proposing` (council.h): each appends its noise function, and rows
 * are made of those that are certified together. */
dp_status majority_propose_constant(dp_result *out, void *in, const dp_options *opt);
dp_status majority_propose_composed(dp_result *out, void *in, const dp_options *opt);
dp_status majority_propose_subsample(dp_result *out, void *in, const dp_options *opt);
dp_status majority_propose_double(dp_result *out, void *in, const dp_options *opt);
dp_status majority_propose_optimal(dp_result *out, void *in, const dp_options *opt);
dp_status majority_propose_given(dp_result *out, void *in, const dp_options *opt);

/* The last two are evaluated on a chain_in, of which the last reads mean and win alone: there the
 * mean of all votes. */
extern const bound majority_constant, majority_constant_composed, majority_subsample,
    majority_double_subsample, majority_optimal, majority_given, majority_lower_bound,
    majority_lemma_3_2;

#endif
