/* SPDX-License-Identifier: MIT */
/* The names of all figures, each with the end that is safe to rely on. A name that is missing here
 * is treated as a loss: its upper end is shown. */
#include <string.h>

#include "core/result.h"

typedef struct descriptor {
    const char *name;
    dp_end safe;
    bool share; /* at most 1, whatever a theorem says */
} descriptor;

static const descriptor quantities[] = {
    /* what is lost, or how far apart the outputs are */
    {"epsilon", DP_UPPER, false},
    {"delta", DP_UPPER, true},
    {"rho", DP_UPPER, false},
    {"kl", DP_UPPER, false},
    {"renyi", DP_UPPER, false},
    {"max", DP_UPPER, false},
    {"total_variation", DP_UPPER, true},
    {"chi_squared", DP_UPPER, false},
    {"squared_hellinger", DP_UPPER, true},
    {"epsilon_one", DP_UPPER, false},
    {"epsilon_step", DP_UPPER, false},
    {"slack", DP_UPPER, false},
    {"alpha", DP_UPPER, false},
    /* errors, bounds, and what is needed at least */
    {"error", DP_UPPER, false},
    {"disagreement", DP_UPPER, false},
    {"bound", DP_UPPER, false},
    {"failure_probability", DP_UPPER, false},
    {"objective_bound", DP_UPPER, false},
    {"minimum_samples", DP_UPPER, false},
    {"minimum_samples_printed", DP_UPPER, false},
    {"samples", DP_UPPER, false},
    {"sets", DP_UPPER, false},
    {"selection", DP_UPPER, false},
    {"witness_plus", DP_UPPER, false},
    /* what may be used, or is reached at least */
    {"probability", DP_LOWER, true},
    {"objective", DP_LOWER, false},
    {"times", DP_LOWER, false},
    {"k", DP_LOWER, false},
    {"N", DP_LOWER, false},
    {"q", DP_LOWER, false},
    {"use_epsilon", DP_LOWER, false},
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

bool quantity_is_share(const char *name)
{
    const descriptor *d = find(name);
    return d != NULL && d->share;
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
