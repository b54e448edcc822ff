/* SPDX-License-Identifier: MIT */
/* The parameters of dp_convert. */
#ifndef RENYI_PARAMETERS_H
#define RENYI_PARAMETERS_H

#include "core/parameter.h"

extern const parameter convert_pure, convert_approx, convert_zcdp, convert_rdp, convert_cdp,
    convert_gdp;
extern const parameter convert_target_epsilon, convert_target_delta, convert_order, convert_to;

extern const parameter *const renyi_parameters[]; /* all of them, ended by NULL */

#endif
