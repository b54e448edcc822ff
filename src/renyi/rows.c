/* SPDX-License-Identifier: MIT */
/* The rows of conversions, in the order of the documentation. */
#include "core/bound.h"
#include "renyi/convert.h"

const bound *const renyi_rows[] = {
    &approx_profile,       &gdp_profile, &zcdp_to_dp,       &zcdp_to_dp_classic,
    &zcdp_to_dp_gaussian,  &rdp_to_dp,   &rdp_to_dp_single, &rdp_to_dp_classic,
    &rdp_to_dp_variation,  &cdp_to_dp,   &pure_to_rdp,      &pure_to_rdp_quadratic,
    &pure_to_rdp_mironov,  &zcdp_to_rdp, &rdp_between,      &pure_to_zcdp,
    &pure_to_zcdp_classic, &gdp_to_zcdp, &cdp_to_zcdp,      NULL,
};
