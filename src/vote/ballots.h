/* SPDX-License-Identifier: MIT */
/* The certified privacy of monotone noise functions: B and B' of every leaf of corners in doubles
 * with proved errors, and enclosed of those leaves that these leave in question. */
#ifndef VOTE_BALLOTS_H
#define VOTE_BALLOTS_H

#include <mpfi.h>

#include "vote/leaf_sums.h"
#include "vote/ties.h"

/* B and B' of a leaf */
typedef struct leaf_value {
    mpfi_t b, primed;
} leaf_value;

/* One answer function b, or its mirror image. */
typedef struct ballot {
    const noise *g;
    bool mirrored;
    mpfr_t *up, *down; /* b(0..K) in both roundings */
    leaf_sums sums;
    leaf_value *known; /* of the leaves enclosed so far */
    size_t known_count, known_room;
    size_t *place; /* of each leaf among them, less 1; 0: not known */
} ballot;

typedef struct ballots {
    const corners *c;
    mpfr_prec_t bits;
    size_t count;
    ballot *ballot;
    bool full;    /* doubles may not be trusted here, or left too many leaves in question */
    mpfr_t *high; /* then B, rounded up: count values for each leaf */
    mpfr_t *low;  /* and B', rounded down                           */
} ballots;

/* All functions return DP_OK, DP_MEMORY, or DP_UNDECIDED where a limit was met; *v may be closed
 * in any case. */

/* Takes `count` noise functions, each of which may be mirrored. With `full` all leaves are enclosed
 * from the start. */
dp_status ballots_open(ballots *v, const corners *c, const noise *const *g, const bool *mirrored,
                       size_t count, mpfr_prec_t bits, bool full);
void ballots_close(ballots *v);

/* delta = max(0, max over leaves of B - E B'), E = e^x enclosed, and the leaf that attains it (the
 * number of leaves when it is 0). */
dp_status ballots_delta(mpfi_t delta, size_t *leaf, ballots *v, size_t which, const mpfi_t odds);

/* epsilon = max(0, max over leaves with B > delta of ln((B - delta)/B')). *finite is DP_NO where
 * some leaf has B > delta and B' = 0, so that no epsilon is enough; DP_UNKNOWN where a leaf may be
 * one: the upper end is then infinite. */
dp_status ballots_epsilon(mpfi_t epsilon, dp_decision *finite, ballots *v, size_t which,
                          const mpq_t delta);

/* Where the largest B - e^x B' - delta stands, ties decided exactly. */
dp_status ballots_stand(standing *s, ballots *v, size_t which, const logform *x, const mpq_t delta);

#endif
