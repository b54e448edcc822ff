/* SPDX-License-Identifier: MIT */
/* Parameters that mechanisms of one release have, each declared once. */
#ifndef MECHANISM_PARAMETERS_H
#define MECHANISM_PARAMETERS_H

#include "core/parameter.h"

extern const parameter noise_sigma, noise_scale, noise_sensitivity;
extern const parameter kary_categories, kary_epsilon;
extern const parameter pair_p, pair_q, pair_directions;
extern const parameter noise_times, noise_method, gaussian_solve, laplace_solve;
extern const parameter zcdp_rho, zcdp_xi, rdp_alpha, rdp_value;

extern const parameter *const mechanism_parameters[]; /* all of them, ended by NULL */

#endif
