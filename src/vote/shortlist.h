/* SPDX-License-Identifier: MIT */
/* Which leaves may be the worst, by their sums in doubles and the proved errors of these. */
#ifndef VOTE_SHORTLIST_H
#define VOTE_SHORTLIST_H

#include <mpfi.h>

#include "vote/leaf_sums.h"

/* What is looked for: the largest (B - E B')/(1 + E), or the largest (B - delta)/B'. */
typedef struct aim {
    bool ratio;
    double own, other;   /* 1/(1+E) and E/(1+E), rounded once */
    double below, above; /* delta, rounded both ways */
    double spread;       /* of other, besides its rounding */
    double floor;        /* what is below does not matter, */
    double ceiling;      /* nor does what is farther from the largest value that b allows, */
    bool best;           /* nor what is below any other one */
} aim;

/* own and other from E; false where its enclosure is wider than doubles see. */
bool aim_at(aim *t, const mpfi_t odds);

/* Leaves in their order; all of them where there is no list. */
typedef struct shortlist {
    size_t *leaf, count;
} shortlist;

/* Those that may be the best, or are not below the floor: any other one is below a leaf of the
 * list, or below the floor. *few: there are not too many of them; else there is no list. DP_OK or
 * DP_MEMORY. */
dp_status shortlist_open(shortlist *l, bool *few, const leaf_sums *s, size_t leaves, aim *t);
void shortlist_close(shortlist *l);

static inline size_t leaf_at(const shortlist *l, size_t i)
{
    return l->leaf != NULL ? l->leaf[i] : i;
}

#endif
