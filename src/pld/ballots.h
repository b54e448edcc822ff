/* SPDX-License-Identifier: MIT */
/* The certified privacy of monotone noise functions: B and B' of every leaf of corners, once for
 * all noise functions asked about. */
#ifndef PLD_BALLOTS_H
#define PLD_BALLOTS_H

#include <mpfi.h>

#include "pld/corners.h"

/* One answer function b, or its mirror image, in both roundings. */
typedef struct ballot {
    mpfr_t *up, *down; /* b(0..K) */
} ballot;

typedef struct ballots {
    const corners *c;
    mpfr_prec_t bits;
    size_t count;
    ballot *ballot;
    mpfr_t *high; /* B, rounded up: count values for each leaf  */
    mpfr_t *low;  /* B', rounded down                           */
} ballots;

/* Fills the tables for `count` noise functions, each of which may be mirrored. */
dp_status ballots_open(ballots *v, const corners *c, const noise *const *g, const bool *mirrored,
                       size_t count, mpfr_prec_t bits);
void ballots_close(ballots *v);

/* delta = max(0, max over leaves of B - E B'), E = e^x enclosed, and the leaf that attains it (the
 * number of leaves when it is 0). */
void ballots_delta(mpfi_t delta, size_t *leaf, const ballots *v, size_t which, const mpfi_t odds);

/* epsilon = max(0, max over leaves with B > delta of ln((B - delta)/B')). False where a B' is 0, so
 * that no epsilon is enough. */
bool ballots_epsilon(mpfi_t epsilon, size_t *leaf, const ballots *v, size_t which,
                     const mpq_t delta);

/* B and B' of one leaf, enclosed. */
void ballots_leaf(mpfi_t b, mpfi_t primed, const ballots *v, size_t which, size_t leaf);

#endif
