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
}

double limits_spent(const limits *lim)
{
    return now() - lim->started;
}

double limits_left(const limits *lim)
{
    return lim->deadline > 0 ? lim->deadline - now() : 1e300;
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
    return limits_left(lim) <= 0;
}

bool limits_allow(const limits *lim, double bytes)
{
    return lim->memory == 0 || bytes <= (double)lim->memory;
}
