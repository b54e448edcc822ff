/* SPDX-License-Identifier: MIT */
/* Time and memory of a query. */
#include "num/limits.h"

#include <math.h>
#include <time.h>

static double seconds(const struct timespec *t)
{
    return (double)t->tv_sec + 1e-9 * (double)t->tv_nsec;
}

/* To ask for processor time is a call of the system, ten for a short question. The wall costs far
 * less, and no more time than that has passed since. */
#define STALE 1e-4
#define NEVER (-1e9)

/* Processor time, so that a busy machine changes no answer; the wall where there is no such clock.
 */
double limits_clock(void)
{
    struct timespec t = {0, 0};
#if defined CLOCK_THREAD_CPUTIME_ID && defined CLOCK_MONOTONIC
    static _Thread_local double asked = NEVER, spent;
    bool known = clock_gettime(CLOCK_MONOTONIC, &t) == 0;
    double now = known ? seconds(&t) : NEVER;
    if (known && now >= asked && now < asked + STALE)
        return spent;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) == 0) {
        asked = now;
        return spent = seconds(&t);
    }
#endif
    timespec_get(&t, TIME_UTC);
    return seconds(&t);
}

void limits_share(dp_options *opt)
{
    opt->deadline = opt->max_seconds > 0 ? limits_clock() + opt->max_seconds : 0;
}

void limits_start(limits *lim, const dp_options *opt)
{
    lim->started = limits_clock();
    lim->deadline = opt->deadline > 0      ? opt->deadline
                    : opt->max_seconds > 0 ? lim->started + opt->max_seconds
                                           : 0;
    lim->memory = opt->max_bytes;
    lim->threads = opt->threads;
    lim->progress = opt->progress;
    lim->narrowed = opt->narrowed;
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
    return limits_clock() - lim->started;
}

double limits_left(const limits *lim)
{
    return lim->deadline > 0 ? lim->deadline - limits_clock() : 1e300;
}

bool limits_time_for(const limits *lim, double seconds)
{
    if (limits_left(lim) + LIMITS_GRACE >= seconds)
        return true;
    limits_note(lim, DP_MET_TIME);
    return false;
}

#define MANY_BITS (1L << 16)
#define LOG_SECONDS 1e-6 /* about, of a bit, where there are many */
bool limits_logs(const limits *lim, double count, mpfr_prec_t bits)
{
    return lim == NULL || bits < MANY_BITS ||
           limits_time_for(lim, LOG_SECONDS * count * (double)bits);
}

bool limits_remain(const limits *lim, double count, mpfr_prec_t bits)
{
    return lim == NULL || (!limits_expired(lim) && limits_logs(lim, count, bits));
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
    limits_share(&rest);
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

void limits_narrowed(const limits *lim, const char *what, const mpfi_t x)
{
    if (lim->narrowed != NULL && !mpfi_nan_p(x))
        lim->narrowed(lim->context, what, mpfr_get_d(&x->left, MPFR_RNDD),
                      mpfr_get_d(&x->right, MPFR_RNDU));
}

static double end_of(mpq_srcptr q, mpfr_rnd_t way)
{
    mpfr_t x;
    mpfr_init2(x, 53);
    mpfr_set_q(x, q, way);
    double end = mpfr_get_d(x, way);
    mpfr_clear(x);
    return end;
}

void limits_narrowed_q(const limits *lim, const char *what, mpq_srcptr lower, mpq_srcptr upper)
{
    if (lim->narrowed != NULL)
        lim->narrowed(lim->context, what, lower != NULL ? end_of(lower, MPFR_RNDD) : 0,
                      upper != NULL ? end_of(upper, MPFR_RNDU) : HUGE_VAL);
}

bool limits_late(const limits *lim, size_t step, mpfr_prec_t bits)
{
    /* a look at the clock costs as much as some operations of few bits */
    bool look = bits > 4096 || (bits > LATE_BITS && step % 32 == 31);
    return lim != NULL && look && limits_expired(lim);
}

bool limits_allow(const limits *lim, double bytes)
{
    bool allowed = lim->memory == 0 || bytes <= (double)lim->memory;
    if (!allowed)
        limits_note(lim, DP_MET_MEMORY);
    return allowed;
}
