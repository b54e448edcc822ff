/* SPDX-License-Identifier: MIT */
/* The names of all figures, each with the end that is safe to rely on. A name that is missing here
 * is treated as a loss: its upper end is shown. */
#include <string.h>

#include "solve/result.h"

typedef struct descriptor {
    const char *name;
    dp_end safe;
} descriptor;

static const descriptor quantities[] = {
    /* what is lost, or how far apart the outputs are */
    {"epsilon", DP_UPPER},
    {"delta", DP_UPPER},
    {"rho", DP_UPPER},
    {"kl", DP_UPPER},
    {"renyi", DP_UPPER},
    {"max", DP_UPPER},
    {"total_variation", DP_UPPER},
    {"chi_squared", DP_UPPER},
    {"squared_hellinger", DP_UPPER},
    {"epsilon_one", DP_UPPER},
    {"epsilon_step", DP_UPPER},
    {"slack", DP_UPPER},
    {"alpha", DP_UPPER},
    /* errors, bounds, and what is needed at least */
    {"error", DP_UPPER},
    {"disagreement", DP_UPPER},
    {"bound", DP_UPPER},
    {"failure_probability", DP_UPPER},
    {"objective_bound", DP_UPPER},
    {"minimum_samples", DP_UPPER},
    {"minimum_samples_printed", DP_UPPER},
    {"samples", DP_UPPER},
    {"sets", DP_UPPER},
    {"selection", DP_UPPER},
    {"witness_plus", DP_UPPER},
    /* what may be used, or is reached at least */
    {"probability", DP_LOWER},
    {"objective", DP_LOWER},
    {"times", DP_LOWER},
    {"k", DP_LOWER},
    {"N", DP_LOWER},
    {"q", DP_LOWER},
    {"use_epsilon", DP_LOWER},
};

static const descriptor *find(const char *name)
{
    for (size_t i = 0; i < sizeof quantities / sizeof *quantities; i++)
        if (strcmp(quantities[i].name, name) == 0)
            return &quantities[i];
    return NULL;
}

bool quantity_is_known(const char *name)
{
    return find(name) != NULL;
}

dp_end dp_quantity_safe(const char *name)
{
    const descriptor *d = name != NULL ? find(name) : NULL;
    return d != NULL ? d->safe : DP_UPPER;
}

void row_set_lower_bounds(dp_row *row)
{
    for (size_t i = 0; i < row->count; i++)
        row->quantity[i].safe = DP_LOWER;
}
