/* SPDX-License-Identifier: MIT */
/* A law with finitely many outcomes, used t times: what is common to all of them. One use has the
 * outcomes j = 0 .. m-1 with losses l_j, ascending, masses P_j of the conditional law (sum 1) and
 * Q_j = e^(-l_j) P_j, all > 0. A law of its own begins with a `discrete`, so that the functions
 * here are members of its loss_ops; it gives
 *   - `enclose`: loss, mass and qmass of outcome j to the relative precision of out;
 *   - `loss`: the exact losses where they are rationals or logarithms, else NULL;
 *   - `closed`: sum Q_j = 1 exactly.
 * What is enclosed is kept in a cache, so one law serves one thread at a time. */
#ifndef LOSS_DISCRETE_H
#define LOSS_DISCRETE_H

#include "loss/loss.h"

/* Some outcomes of one use: qmass = e^(-loss) mass. */
typedef struct outcome {
    mpfi_t loss, mass, qmass;
} outcome;

/* All outcomes of one use, enclosed with `bits`. */
typedef struct outcome_cache {
    mpfr_prec_t bits;
    outcome outcome[];
} outcome_cache;

typedef struct discrete discrete;

struct discrete {
    size_t count;
    mpz_t times;
    dp_number *loss; /* `count` of them, or NULL */
    bool closed;
    void (*enclose)(outcome *out, const discrete *self, size_t j);
    double *near_loss, *near_mass; /* about l_j and ln P_j */
    double reach;                  /* about the largest |l_j| */
    outcome_cache *cache;
    unsigned long *counts; /* scratch, one for each outcome */
};

void outcome_init(outcome *o, mpfr_prec_t bits);
void outcome_clear(outcome *o);

/* Room for so many outcomes, with exact losses or without; `enclose` is the caller's to set. False:
 * out of memory, and the law may be cleared. */
bool discrete_init(discrete *d, size_t count, bool exact, const mpz_t times);
void discrete_clear(discrete *d);
/* Once the law can enclose its outcomes. */
void discrete_ready(discrete *d);

/* All outcomes of one use, enclosed with that many bits; they hold until the next call. */
const outcome *discrete_outcomes(const discrete *d, mpfr_prec_t bits);

/* The same with tau_j = P_j e^(c l_j) / M(c) in place of the masses and no qmass, owned by the
 * caller; NULL: out of memory. */
outcome *discrete_tilted(const discrete *d, double c, mpfr_prec_t bits);
void discrete_drop(outcome *o, size_t count); /* of NULL too */

/* The gcd g of exact numbers: rationals, or logarithms of powers of one rational; zeros count for
 * nothing. False where there is none, or it is too long, or all are 0. g > 0. */
bool discrete_gcd(dp_number *g, const dp_number *x, size_t count);
/* m = x / unit where that is an integer, unit > 0. */
bool discrete_multiple(mpz_t m, const dp_number *x, const dp_number *unit);

/* Members of loss_ops. */
double discrete_factors(const void *self);
void discrete_uses(mpz_t to, const void *self);
void discrete_guess(double k[3], const void *self, double z, unsigned which);
void discrete_guess_range(double *top, double *reach, const void *self);
void discrete_log_moment(mpfi_t k, const void *self, const mpfi_t z, const limits *lim);
dp_status discrete_multiply(cball *phi, const void *self, const line *at, const uint64_t *node,
                            size_t count, const limits *lim);
dp_status discrete_blocks(block_law *out, const void *self, const block_line *at);
size_t discrete_resonances(scan_item *out, size_t room, const void *self, const line *at);
bool discrete_step(dp_number *step, bool *halved, const void *self);
size_t discrete_groups(const void *self);
double discrete_group_size(const void *self, size_t group);
/* Two halves of the uses that are as many. */
bool discrete_equal_groups(const void *self);
/* Uses of a group, which is all of them or half. */
void discrete_group_times(mpz_t times, const discrete *d, size_t group);
void discrete_group(mpfr_t *lost, mpfr_t *p, mpfr_t *q, const void *self, size_t group);
bool discrete_top(logform *to, const void *self);
/* False but of one use. */
bool discrete_profile(mpfi_t s, mpfr_t slope, const void *self, const mpfi_t x);

/* The table of such a law. */
#define DISCRETE_OPS(title, free_self, same_exchanged, exact)                                      \
    {                                                                                              \
        .name = (title), .clear = (free_self), .symmetric = (same_exchanged),                      \
        .factors = discrete_factors, .uses = discrete_uses, .guess = discrete_guess,               \
        .guess_range = discrete_guess_range, .log_moment = discrete_log_moment,                    \
        .multiply = discrete_multiply, .blocks = discrete_blocks,                                  \
        .resonances = discrete_resonances, .step = discrete_step, .groups = discrete_groups,       \
        .group_size = discrete_group_size, .group = discrete_group,                                \
        .equal_groups = discrete_equal_groups, .exact_group = exact, .top = discrete_top,          \
        .profile = discrete_profile,                                                               \
    }

#endif
