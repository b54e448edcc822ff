/* SPDX-License-Identifier: MIT */
/* Worst cases of a private majority: for a monotone answer b every mechanism of the worst case is
 * at one of three corners (p, p') of its region, so only their counts in each group matter. */
#ifndef VOTE_CORNERS_H
#define VOTE_CORNERS_H

#include "num/limits.h"
#include "vote/noise.h"

typedef enum corner_kind {
    CORNER_LOW = 0, /* (delta, 0)                                                          */
    CORNER_MIDDLE,  /* (c, d), c = (e^eps + delta)/(e^eps + 1), d = 1 - c                  */
    CORNER_HIGH,    /* (1, 1 - delta)                                                      */
    CORNER_KINDS
} corner_kind;

#define VERTICES 8

/* Mechanisms of equal parameters: how many are at (0,0), (1,1), (delta,0), (0,delta), (c,d), (d,c),
 * (1,1-delta), (1-delta,1). */
typedef struct seats {
    const dp_item *m;
    size_t n[VERTICES];
} seats;

typedef struct corners {
    const dp_composition *groups;
    size_t count;    /* groups */
    size_t voters;   /* K */
    size_t *members; /* of each group */
    size_t leaves;   /* prod C(K_g + 2, 2) */
    const limits *lim;
} corners;

/* DP_UNAVAILABLE when there are more leaves than `most`. */
dp_status corners_init(corners *c, const dp_composition *groups, size_t voters, size_t most,
                       const limits *lim);
void corners_clear(corners *c);

/* The place of (low, middle) among the leaves of a group of m: that of a leaf is made of these, the
 * last group's varying fastest. */
size_t corners_place(size_t m, size_t low, size_t middle_count);

/* The counts of a leaf: CORNER_KINDS for each group. */
void corners_counts(size_t *counts, const corners *c, size_t leaf);
/* The same as vertices: one entry for each group. DP_OK or DP_MEMORY. */
dp_status corners_seats(seats *list, const corners *c, size_t leaf);

/* Visits the law of the number of ones at every leaf, under p, or under p' when `primed`, every
 * value rounded `way`: law[l - shift] is Pr[l ones] for shift <= l < shift + length, and 0
 * elsewhere. DP_OK, DP_MEMORY, or DP_UNDECIDED when time ran out. */
typedef void (*corner_visit)(void *context, size_t leaf, mpfr_t *law, size_t length, size_t shift);
dp_status corners_walk(const corners *c, bool primed, mpfr_rnd_t way, mpfr_prec_t bits,
                       corner_visit visit, void *context);

/* The law at one leaf, K + 1 values. DP_MEMORY, or DP_UNDECIDED when time ran out. */
dp_status corners_law(mpfr_t *law, const corners *c, const size_t *counts, bool primed,
                      mpfr_rnd_t way);

/* Arrays of numbers of one precision. */
mpfr_t *reals_new(size_t count, mpfr_prec_t bits); /* all 0; NULL: out of memory */
void reals_free(mpfr_t *x, size_t count);

/* The p and p' of a corner with their complements, rounded `way`. */
typedef struct corner_odds {
    mpfr_t hit, miss, part; /* part is room to work */
} corner_odds;
void corner_odds_init(corner_odds *o, mpfr_prec_t bits);
void corner_odds_clear(corner_odds *o);
void corner_odds_set(corner_odds *o, const dp_item *m, corner_kind kind, bool primed,
                     mpfr_rnd_t way);

/* law <- law of n more votes with these odds, which are used up; its values from `length` on are 0.
 * `room` has n + 1 values. False when time ran out. */
bool corner_add_votes(mpfr_t *law, size_t *length, size_t n, mpfr_t *room, corner_odds *o,
                      mpfr_rnd_t way, const limits *lim);

/* law <- law of one more vote: length grows by one. */
void corner_convolve(mpfr_t *law, size_t length, corner_odds *o, mpfr_rnd_t way);

#endif
