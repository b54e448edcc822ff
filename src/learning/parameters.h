/* SPDX-License-Identifier: MIT */
/* The parameters of dp_generalization and dp_igmm. */
#ifndef LEARNING_PARAMETERS_H
#define LEARNING_PARAMETERS_H

#include "core/parameter.h"

extern const parameter learner_epsilon, learner_delta, learner_samples, learner_failure,
    learner_gap, learner_one_sided, learner_sets, learner_selection, learner_solve;
extern const parameter igmm_samples, igmm_batch_size, igmm_times, igmm_diameter, igmm_sigma,
    igmm_delta, igmm_slack, igmm_target_epsilon, igmm_target_delta;

extern const parameter *const learning_parameters[]; /* all of them, ended by NULL */

#endif
