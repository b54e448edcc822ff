/* SPDX-License-Identifier: MIT */
/* The door of the library: what a query is given is looked at once, here, and whatever is refused
 * leaves the result as it was. Behind it every value is in its domain. */
#ifndef CORE_DOOR_H
#define CORE_DOOR_H

#include "core/parameters.h"
#include "core/result.h"
#include "dpacct/compose.h"

/* A parameter as it came: in one of the three forms, or in none where it may be left out. */
typedef struct given {
    const parameter *of;
    const char *name; /* in errors; NULL: that of its field */
    const dp_number *number;
    mpq_srcptr q;
    mpz_srcptr z;
} given;

dp_status door_given(const given *all, size_t count, dp_error *err);
#define DOOR_GIVEN(all, err) door_given(all, sizeof(all) / sizeof *(all), err)

/* The numbers of a list. */
dp_status door_array(const parameter *of, const mpq_t *q, size_t count, dp_error *err);

/* A value of an enumeration: of that whose values are the choices, or whose last one is given. */
dp_status door_choice(const parameter *of, int chosen, dp_error *err);
dp_status door_enum(const char *name, int chosen, int last, dp_error *err);

/* Digits to prove: at most so many, and 0 becomes the default. */
dp_status door_digits(size_t *digits, dp_error *err);

/* What must be there. */
dp_status door_pointer(const char *name, const void *pointer, dp_error *err);

/* A list, which may be empty; one that may hold cells of disjoint data, and one that may not. */
dp_status door_cells(const char *name, const dp_composition *list, dp_error *err);
dp_status door_list(const char *name, const dp_composition *list, dp_error *err);

/* The same without mechanisms that are known otherwise than by (epsilon, delta). */
dp_status door_items(const char *name, const dp_composition *list, dp_error *err);

/* What every query takes: the result, the question, the options. `own` becomes the options with
 * their defaults. */
dp_status door_open(dp_options *own, const dp_result *out, const char *name, const void *question,
                    const dp_options *opt, dp_error *err);

#endif
