/* SPDX-License-Identifier: MIT */
#ifndef BOUND_MAJORITY_H
#define BOUND_MAJORITY_H

#include "bound/bound.h"

/* Evaluated by engines of their own; see solve/majority.h. */
extern const bound majority_constant, majority_constant_composed, majority_subsample,
    majority_double_subsample, majority_optimal, majority_given, majority_lower_bound,
    majority_lemma_3_2;

#endif
