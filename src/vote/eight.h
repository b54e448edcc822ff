/* SPDX-License-Identifier: MIT */
/* Worst cases of a private majority whose answer b is not monotone: all multisets of the eight
 * vertices (p, p') of a mechanism's region, in groups that differ in n3 and n4 alone: B depends on
 * n3 there and B' on n4, so that a table of the largest B and one of the least B' bound a group. In
 * doubles with a proved error bound; whatever lies within it is evaluated again. */
#ifndef VOTE_EIGHT_H
#define VOTE_EIGHT_H

#include "vote/corners.h"

/* Counts of (0,0), (1,1), (delta,0), (0,delta), (c,d), (d,c), (1,1-delta), (1-delta,1). */
typedef struct octet {
    size_t n[VERTICES];
    double value; /* about B/(1+E) - B' E/(1+E) */
} octet;

typedef struct eight {
    const dp_item *m;
    size_t voters;
    bool pure;         /* delta = 0: four vertices */
    double *most;      /* the largest B over n3, by n8, n5, n6 and the ones */
    double *least;     /* the least B' over n4, by n7, n6, n5 and the ones */
    size_t *row;       /* where the ones start, of each composition in three parts */
    size_t *before[2]; /* how many compositions come before, by what is left and the next part */
    double *b;         /* b(0..K), with room to work */
    double p[4], q[4]; /* delta, 1 - delta, c, d with their complements */
    const limits *lim;
} eight;

/* DP_UNAVAILABLE where the scan would go through more than some hundred millions of groups. */
dp_status eight_open(eight *t, const dp_item *m, size_t voters, const limits *lim);
void eight_close(eight *t);

/* Fills the tables for b(0..K), each the double next to it. DP_OK, DP_MEMORY, or DP_UNDECIDED when
 * time ran out; the same holds below. */
dp_status eight_fill(eight *t, const double *b);

/* The multisets of largest value at weight = 1/(1+E), at most `room` of them in no order and one of
 * each group. *count tells how many there are. */
dp_status eight_top(octet *list, size_t room, size_t *count, const eight *t, double weight);

/* All multisets that may have the largest value: every other one is truly below one of these. */
typedef struct octets {
    octet *list;
    size_t count;
    double most; /* no value is above this */
    bool full;   /* there are more, of at most this value */
} octets;
dp_status eight_near(octets *out, const eight *t, double weight);

/* How far a scanned value may be from the true one. */
double eight_margin(const eight *t);

/* The law of the number of ones, K + 1 values. */
dp_status eight_law(mpfr_t *law, const eight *t, const octet *o, bool primed, mpfr_rnd_t way);

#endif
