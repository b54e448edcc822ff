/* SPDX-License-Identifier: MIT */
/* B = E b(ones) under p and B' = E b(ones) under p' of every leaf of corners, in doubles with
 * proved errors. */
#ifndef VOTE_LEAF_SUMS_H
#define VOTE_LEAF_SUMS_H

#include "vote/corners.h"

typedef struct leaf_sums {
    double *sum[4]; /* of each leaf: B, B', max b - B, B' - min b                      */
    double error;   /* each is within so much of itself of the true one,              */
    double least;   /* and within this: 0, where no product can be below the normal numbers; then a
                       sum is 0 only where the true one is */
} leaf_sums;

/* f(s) <- miss f(s) + hit f(s + 1) for s < length: one more vote is drawn. f has room for length +
 * 2 LEAF_LANES values, all of them set. */
#define LEAF_LANES 8
typedef void leaf_draw(double *f, size_t length, double hit, double miss);
leaf_draw *leaf_drawer(void);

/* sum[leaf] for b(0..K), from 0 to 1. The error is as it is below. DP_OK, DP_MEMORY, or
 * DP_UNDECIDED when time ran out. */
dp_status leaf_sums_fill(double *sum, const corners *c, const double *b, bool primed);

/* All for the answer of a noise function or its mirror image, which is monotone. */
dp_status leaf_sums_open(leaf_sums *s, const corners *c, const noise *g, bool mirrored);
void leaf_sums_close(leaf_sums *s);

#endif
