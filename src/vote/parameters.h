/* SPDX-License-Identifier: MIT */
/* The parameters of dp_majority and dp_response. */
#ifndef VOTE_PARAMETERS_H
#define VOTE_PARAMETERS_H

#include "core/parameter.h"

extern const parameter majority_mechanisms, majority_epsilon, majority_delta, majority_mechanism,
    majority_allowance, majority_target_epsilon, majority_target_delta, majority_design,
    majority_sample, majority_slack, majority_class, majority_prior, majority_means, majority_gamma,
    majority_votes, majority_vote_mean;
extern const parameter response_mechanisms, response_epsilon, response_delta, response_allowance,
    response_target_epsilon, response_target_delta, response_composition, response_slack;
extern const parameter pate_aggregator, pate_inverse_scale, pate_sigma, pate_sigma_threshold,
    pate_queries, pate_answered, pate_teachers, pate_threshold, pate_votes_given, pate_instance,
    pate_classes, pate_target_epsilon, pate_target_delta, pate_solve;

extern const parameter *const vote_parameters[]; /* all of them, ended by NULL */

#endif
