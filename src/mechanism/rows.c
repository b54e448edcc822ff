/* SPDX-License-Identifier: MIT */
/* The types of mechanisms of one release, and the theorems that they rest on. */
#include "mechanism/types.h"

const mechanism_type *const mechanism_types[] = {
    &mechanism_approx_dp,
    &mechanism_pure_dp,
    &mechanism_gaussian,
    &mechanism_laplace,
    &mechanism_discrete_laplace,
    &mechanism_discrete_gaussian,
    &mechanism_randomized_response,
    &mechanism_pair,
    &mechanism_bounded_range,
    &mechanism_zcdp,
    &mechanism_rdp,
    &mechanism_dp_sgd,
    &mechanism_sampled_laplace,
    NULL,
};

const bound *const mechanism_rows[] = {&gaussian_exact,
                                       &gaussian_classic,
                                       &laplace_exact,
                                       &discrete_laplace_exact,
                                       &discrete_gaussian_exact,
                                       &discrete_gaussian_continuous,
                                       &bounded_range_exact,
                                       &dp_sgd_renyi,
                                       &dp_sgd_basic,
                                       &dp_sgd_moments,
                                       &dp_sgd_moments_printed,
                                       &dp_sgd_clt,
                                       NULL};
