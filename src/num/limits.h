/* SPDX-License-Identifier: MIT */
/* How long an engine may work and how much memory it may take. */
#ifndef NUM_LIMITS_H
#define NUM_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

#include <mpfi.h>
#include <mpfr.h>

#include "dpacct/result.h"

typedef struct limits {
    double deadline; /* on limits_clock; 0: none */
    size_t memory;   /* bytes for tables; 0: none */
    size_t threads;  /* that may work on it; 0 and 1: one */
    void (*progress)(void *context, double seconds);
    void (*narrowed)(void *context, const char *what, double lower, double upper);
    void *context;
    double started;
    unsigned *met; /* gathers DP_MET_*; may be NULL */
} limits;

/* Seconds of processor time of this thread, from some start. */
double limits_clock(void);

void limits_start(limits *lim, const dp_options *opt);

/* From now on all work under these options has one deadline together. */
void limits_share(dp_options *opt);

/* Notes that a limit was met: DP_MET_*. */
void limits_note(const limits *lim, unsigned met);

/* Reports progress and tells whether time is up. Cheap enough for every few thousand steps. */
bool limits_expired(const limits *lim);

/* For long sums: is time over at the step-th term of that precision? What is left of the sum then
 * takes LATE_BITS, which is still sound. NULL: never. */
#define LATE_BITS 64
bool limits_late(const limits *lim, size_t step, mpfr_prec_t bits);

/* Says where the quantity of that name is known to lie, for a line of progress; nothing where
 * nobody listens. */
void limits_narrowed(const limits *lim, const char *what, const mpfi_t x);
/* The same between rational ends; NULL is 0 and infinity. */
void limits_narrowed_q(const limits *lim, const char *what, mpq_srcptr lower, mpq_srcptr upper);

/* Whether a table of that many bytes may be made. */
bool limits_allow(const limits *lim, double bytes);

/* How many steps of so many seconds there is time for: at least 1, at most `most`. */
size_t limits_count(const limits *lim, double seconds, size_t most);

/* Seconds since the start, and seconds left (huge when there is no deadline). */
double limits_spent(const limits *lim);
double limits_left(const limits *lim);

/* Seconds by which work that nothing interrupts may outlast the time. */
#define LIMITS_GRACE 0.25

/* Does work of so many seconds end within the time and its grace? Where it does not, the time is
 * noted as met. */
bool limits_time_for(const limits *lim, double seconds);

/* The same of `count` logarithms of so many bits, and what else takes about as long. NULL: always.
 */
bool limits_logs(const limits *lim, double count, mpfr_prec_t bits);

/* Is time not over, and enough left for these? NULL: yes. */
bool limits_remain(const limits *lim, double count, mpfr_prec_t bits);

/* The options for one of several queries under these limits: what is left of the time, but never
 * less than a twentieth of it, so that the last one can still say something. */
dp_options limits_rest(const limits *lim, const dp_options *opt);

#endif
