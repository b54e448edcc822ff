/* SPDX-License-Identifier: MIT */
#include "pld/limits.h"

#include <time.h>

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void limits_start(limits *lim, const dp_options *opt)
{
    lim->started = now();
    lim->deadline = opt->max_seconds > 0 ? lim->started + opt->max_seconds : 0;
    lim->memory = opt->max_bytes;
    lim->progress = opt->progress;
    lim->context = opt->progress_context;
    lim->met = opt->met;
}

void limits_note(const limits *lim, unsigned met)
{
    if (lim->met != NULL)
        *lim->met |= met;
}

double limits_spent(const limits *lim)
{
    return now() - lim->started;
}

double limits_left(const limits *lim)
{
    return lim->deadline > 0 ? lim->deadline - now() : 1e300;
}

size_t limits_count(const limits *lim, double seconds, size_t most)
{
    double count = limits_left(lim) / seconds;
    return count < 1 ? 1 : count < (double)most ? (size_t)count : most;
}

dp_options limits_rest(const limits *lim, const dp_options *opt)
{
    dp_options rest = *opt;
    double left = limits_left(lim), least = opt->max_seconds / 20;
    if (opt->max_seconds > 0)
        rest.max_seconds = left > least ? left : least;
    return rest;
}

bool limits_expired(const limits *lim)
{
    if (lim->progress != NULL)
        lim->progress(lim->context, limits_spent(lim));
    bool expired = limits_left(lim) <= 0;
    if (expired)
        limits_note(lim, DP_MET_TIME);
    return expired;
}

bool limits_allow(const limits *lim, double bytes)
{
    bool allowed = lim->memory == 0 || bytes <= (double)lim->memory;
    if (!allowed)
        limits_note(lim, DP_MET_MEMORY);
    return allowed;
}
