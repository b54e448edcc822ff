/* SPDX-License-Identifier: MIT */
/* How long an engine may work and how much memory it may take. */
#ifndef PLD_LIMITS_H
#define PLD_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

#include "dpacct/result.h"

typedef struct limits {
    double deadline; /* seconds on the monotonic clock; 0: none */
    size_t memory;   /* bytes for tables; 0: none */
    void (*progress)(void *context, double seconds);
    void *context;
    double started;
    unsigned *met; /* gathers DP_MET_*; may be NULL */
} limits;

void limits_start(limits *lim, const dp_options *opt);

/* Notes that a limit was met: DP_MET_*. */
void limits_note(const limits *lim, unsigned met);

/* Reports progress and tells whether time is up. Cheap enough for every few thousand steps. */
bool limits_expired(const limits *lim);

/* Whether a table of that many bytes may be made. */
bool limits_allow(const limits *lim, double bytes);

/* How many steps of so many seconds there is time for: at least 1, at most `most`. */
size_t limits_count(const limits *lim, double seconds, size_t most);

/* Seconds since the start, and seconds left (huge when there is no deadline). */
double limits_spent(const limits *lim);
double limits_left(const limits *lim);

/* The options for one of several queries under these limits: what is left of the time, but never
 * less than a twentieth of it, so that the last one can still say something. */
dp_options limits_rest(const limits *lim, const dp_options *opt);

#endif
