/* SPDX-License-Identifier: MIT */
/* The certified privacy of monotone noise functions: B and B' of every leaf of corners, once for
 * all noise functions asked about. */
#ifndef VOTE_BALLOTS_H
#define VOTE_BALLOTS_H

#include <mpfi.h>

#include "vote/ties.h"

/* One answer function b, or its mirror image, in both roundings. */
typedef struct ballot {
    const noise *g;
    bool mirrored;
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

/* All functions return DP_OK, DP_MEMORY, or DP_UNDECIDED where a limit was met; *v may be closed
 * in any case. */

/* Fills the tables for `count` noise functions, each of which may be mirrored. */
dp_status ballots_open(ballots *v, const corners *c, const noise *const *g, const bool *mirrored,
                       size_t count, mpfr_prec_t bits);
void ballots_close(ballots *v);

/* delta = max(0, max over leaves of B - E B'), E = e^x enclosed, and the leaf that attains it (the
 * number of leaves when it is 0). */
dp_status ballots_delta(mpfi_t delta, size_t *leaf, const ballots *v, size_t which,
                        const mpfi_t odds);

/* epsilon = max(0, max over leaves with B > delta of ln((B - delta)/B')). *finite is DP_NO where
 * some leaf has B > delta and B' = 0, so that no epsilon is enough; DP_UNKNOWN where a leaf may be
 * one: the upper end is then infinite. */
dp_status ballots_epsilon(mpfi_t epsilon, dp_decision *finite, const ballots *v, size_t which,
                          const mpq_t delta);

/* Where the largest B - e^x B' - delta stands, ties decided exactly. */
dp_status ballots_stand(standing *s, const ballots *v, size_t which, const logform *x,
                        const mpq_t delta);

/* B and B' of one leaf, enclosed. */
dp_status ballots_leaf(mpfi_t b, mpfi_t primed, const ballots *v, size_t which, size_t leaf);

#endif
