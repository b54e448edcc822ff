/* SPDX-License-Identifier: MIT */
/* The parameters that every query takes, which are fields of dp_options, those of an item of
 * a list, and of the list. */
#ifndef CORE_PARAMETERS_H
#define CORE_PARAMETERS_H

#include "core/parameter.h"

extern const parameter query_digits, query_all, query_max_time, query_max_memory, query_threads,
    query_max_epsilon, query_max_delta;
extern const parameter item_epsilon, item_delta, item_times;
extern const parameter list_adjacency, list_group_size;

extern const parameter *const core_parameters[]; /* all of them, ended by NULL */

#endif
