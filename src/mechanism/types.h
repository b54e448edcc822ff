/* SPDX-License-Identifier: MIT */
/* The types of mechanisms of one release, and the theorems that they rest on. */
#ifndef MECHANISM_TYPES_H
#define MECHANISM_TYPES_H

#include "core/mechanism.h"
#include "loss/product.h"

extern const mechanism_type mechanism_approx_dp, mechanism_pure_dp, mechanism_gaussian;
extern const mechanism_type mechanism_laplace, mechanism_randomized_response, mechanism_pair;
extern const mechanism_type mechanism_zcdp, mechanism_rdp, mechanism_bounded_range,
    mechanism_discrete_laplace, mechanism_discrete_gaussian, mechanism_dp_sgd,
    mechanism_sampled_laplace;

extern const bound gaussian_exact, gaussian_classic, laplace_exact, discrete_laplace_exact;
extern const bound discrete_gaussian_exact, discrete_gaussian_continuous, bounded_range_exact;
extern const bound dp_sgd_renyi, dp_sgd_basic, dp_sgd_moments, dp_sgd_moments_printed, dp_sgd_clt;

/* mu^2 = (sensitivity / sigma)^2 and epsilon = sensitivity / scale, of one use */
void noise_mu_squared(mpq_t mu2, const dp_mechanism *m);
void noise_epsilon(mpq_t epsilon, const dp_mechanism *m);

#endif
