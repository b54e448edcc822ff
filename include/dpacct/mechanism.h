/* SPDX-License-Identifier: MIT */
#ifndef DPACCT_MECHANISM_H
#define DPACCT_MECHANISM_H

#include <stddef.h>

#include "dpacct/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A mechanism by its type and exact parameters, both named by text: "gaussian" with "sigma" = "2".
 * The types and their parameters are those of `compose -m TYPE:name=value` and of ledgers. */
typedef struct dp_mechanism dp_mechanism;

/* NULL where there is no such type (DP_DOMAIN) or no memory (DP_MEMORY); to be freed. */
DP_API dp_mechanism *dp_mechanism_new(const char *type, dp_error *err);
DP_API void dp_mechanism_free(dp_mechanism *m);

/* Sets a parameter (dashes or underscores) from text as the program reads it; lists are separated
 * by commas. What is set again takes the place of what was.
 *   errors   DP_DOMAIN: no such parameter, or no value of its domain; the mechanism is as it was.
 *            DP_MEMORY */
DP_API dp_status dp_mechanism_set(dp_mechanism *m, const char *parameter, const char *value,
                                  dp_error *err);

/* Names of the types: NULL from dp_mechanism_types() on. Static. */
DP_API size_t dp_mechanism_types(void);
DP_API const char *dp_mechanism_type(size_t i);

#ifdef __cplusplus
}
#endif
#endif
