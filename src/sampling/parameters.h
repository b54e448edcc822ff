/* SPDX-License-Identifier: MIT */
/* The parameters of dp_bagging. */
#ifndef SAMPLING_PARAMETERS_H
#define SAMPLING_PARAMETERS_H

#include "core/parameter.h"

extern const parameter bagging_dataset_size, bagging_subsample_size, bagging_models,
    bagging_target_epsilon, bagging_target_delta, bagging_base_epsilon, bagging_base_delta,
    bagging_base_adjacency, bagging_adjacency, bagging_solve, bagging_poisson_solve,
    bagging_subsamples, bagging_sampling_rate;

extern const parameter *const sampling_parameters[]; /* all of them, ended by NULL */

#endif
