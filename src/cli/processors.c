/* SPDX-License-Identifier: MIT */
/* How many processors this process may run on. */
#if defined(__linux__)
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sched.h>
#endif
#include <unistd.h>

#include "cli/query.h"

#define MOST_THREADS 8

static long count_processors(void)
{
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) /* unlike sysconf it opens no file */
        return CPU_COUNT(&set);
#endif
    return sysconf(_SC_NPROCESSORS_ONLN);
}

size_t query_threads_free(void)
{
    long count = count_processors();
    return count < 1 ? 1 : count < MOST_THREADS ? (size_t)count : MOST_THREADS;
}
