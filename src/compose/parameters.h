/* SPDX-License-Identifier: MIT */
/* The parameters of dp_compose_query, of curves, divergences and KL bounds. */
#ifndef COMPOSE_PARAMETERS_H
#define COMPOSE_PARAMETERS_H

#include "core/parameter.h"

extern const parameter compose_mechanism, compose_target_delta, compose_target_epsilon,
    compose_slack, compose_method, compose_claim, compose_add, compose_solve, compose_uses,
    compose_use_delta, compose_adaptive, compose_by_entry, compose_from, compose_to;
extern const parameter filter_mechanism, filter_add, filter_method, filter_order, filter_slack;
extern const parameter curve_mechanism, curve_epsilon_range, curve_delta_range;
extern const parameter single_epsilon, single_delta, divergence_delta, single_times,
    divergence_mechanism, divergence_order;
extern const parameter cells_partition;
extern const parameter kl_epsilon, kl_times, kl_mechanism;

extern const parameter *const compose_parameters[]; /* all of them, ended by NULL */

#endif
