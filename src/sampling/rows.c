/* SPDX-License-Identifier: MIT */
/* The rows of bagging and amplification by subsampling, in the order of the documentation. */
#include "core/bound.h"
#include "sampling/amplify.h"
#include "sampling/bagging.h"

const bound *const sampling_rows[] = {
    &bagging_with_exact,
    &bagging_with_published,
    &bagging_with_naive,
    &bagging_without_exact,
    &bagging_without_published,
    &bagging_independent_exact,
    &bagging_independent_published,
    &bagging_independent_tightness,
    &bagging_poisson_exact,
    &bagging_remove,
    &bagging_add,
    &bagging_replace,
    &amplify_point,
    &amplify_profile,
    &amplify_grouped,
    &amplify_replaced,
    &amplify_add,
    &amplify_with_pair,
    &amplify_with_bbg,
    &amplify_with_hybrid,
    &amplify_composed,
    &amplify_dominating,
    &amplify_with_mixture,
    NULL,
};
