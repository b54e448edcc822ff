/* SPDX-License-Identifier: MIT */
/* The types of mechanisms of all rooms. */
#ifndef CATALOG_TYPES_H
#define CATALOG_TYPES_H

#include "core/mechanism.h"

/* NULL beyond the last one. */
const mechanism_type *mechanism_type_at(size_t i);
/* By name, dashes or underscores; NULL where there is none. */
const mechanism_type *mechanism_type_find(const char *name);

/* Enters a list: as a plain item where it is one, or by its type. */
dp_status account_enter(dp_composition *list, dp_mechanism *m, const mpz_t times, dp_error *err);

#endif
