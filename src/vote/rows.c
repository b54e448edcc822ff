/* SPDX-License-Identifier: MIT */
/* The rows of private majorities and of teachers' votes, in the order of the documentation. */
#include "core/bound.h"
#include "vote/majority.h"
#include "vote/pate_instance.h"
#include "vote/rr_prob.h"

const bound *const vote_rows[] = {
    &majority_optimal,
    &majority_constant,
    &majority_constant_composed,
    &majority_double_subsample,
    &majority_subsample,
    &majority_given,
    &majority_lower_bound,
    &majority_lemma_3_2,
    &rr_prob_simple,
    &rr_prob_general,
    &rr_prob_independent,
    &rr_prob_printed,
    &pate_gaussian,
    &pate_laplace,
    &pate_pure,
    &pate_renyi,
    &pate_moments,
    &pate_stop_after,
    &pate_lnmax_instance,
    &pate_gnmax_instance,
    &pate_lnmax_script,
    &pate_bagging_instance,
    &pate_bagging_published,
    NULL,
};
