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

/* All but the last two are evaluated by engines of their own; see solve/majority.h. */
extern const bound majority_constant, majority_constant_composed, majority_subsample,
    majority_double_subsample, majority_optimal, majority_given, majority_lower_bound,
    majority_lemma_3_2;

#endif
