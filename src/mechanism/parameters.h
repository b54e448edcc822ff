/* SPDX-License-Identifier: MIT */
/* Parameters that mechanisms of one release have, each declared once. */
#ifndef MECHANISM_PARAMETERS_H
#define MECHANISM_PARAMETERS_H

#include "core/parameter.h"

extern const parameter noise_sigma, noise_scale, noise_sensitivity;
extern const parameter kary_categories, kary_epsilon;
extern const parameter pair_p, pair_q, pair_directions;
extern const parameter noise_times, noise_method, gaussian_solve, laplace_solve;
extern const parameter discrete_sigma2, discrete_sensitivity, discrete_solve;
extern const parameter sgd_noise_multiplier, sgd_sampling_rate, sgd_steps, sgd_dataset_size,
    sgd_batch_size, sgd_epochs, sgd_group_size, sgd_method, sgd_sampling, sgd_solve, sgd_adjacency;

/* Why DP-SGD has no statement under replace-one, and what holds there. */
#define SGD_ELSEWHERE                                                                              \
    "must be add-remove: under replace-one no bound of Poisson batches is proved here; a "         \
    "replacement is a removal and an addition, so (E, D) under add-remove is (2 E, (1 + e^E) D) "  \
    "under replace-one"

#define SGD_ABOUT                                                                                  \
    "about Poisson samples: each record in each batch for itself; not batches of a fixed size, "   \
    "shuffled epochs or replaced records"

extern const parameter range_eta, zcdp_rho, zcdp_xi, rdp_alpha, rdp_value;

extern const parameter *const mechanism_parameters[]; /* all of them, ended by NULL */

#endif
