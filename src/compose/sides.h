/* SPDX-License-Identifier: MIT */
/* A list that holds mechanisms beside its (epsilon, delta) items, as products of losses: one for
 * each direction, and where a mechanism is known by a pair above and one below it, one for each
 * end. What is asked is the maximum over the directions, each composed on its own. */
#ifndef COMPOSE_SIDES_H
#define COMPOSE_SIDES_H

#include "core/uses.h"
#include "engine/invert.h"
#include "loss/response_list.h"

typedef struct one_side {
    product product; /* of the items and the mechanisms */
    engine engine;
} one_side;

typedef struct sides {
    one_side of[2][2]; /* [direction][end] */
    bool open[2][2];
    size_t ways;    /* 1: the directions are the same, or only one is asked about */
    bool attained;  /* the upper ends are what some mechanism spends */
    bool bracketed; /* there are lower ends beside them: attained to within these */
    bool complete;  /* every mechanism has a pair; else only those are here that do */
    bool of_class;  /* some pair is above a class, of which curves may say more */
} sides;

/* Is zCDP known of every mechanism of the list? */
bool sides_have_zcdp(const dp_composition *list);

/* Always leaves *s safe to clear. */
dp_status sides_init(sides *s, const dp_composition *list);
/* The same, but items whose notes have laws enter as these. The others enter as they stand in
 * `pairs`, which holds the items of the list in its order. */
dp_status sides_init_laws(sides *s, const dp_composition *list, const dp_composition *pairs);
void sides_clear(sides *s);

/* delta at x >= 0, and the least epsilon >= 0 for delta: infinite where a leak exceeds delta.
 * DP_LIMIT leaves wide enclosures. */
dp_status sides_delta(dp_figure *out, const sides *s, const logform *x, size_t digits,
                      const limits *lim);
dp_status sides_epsilon(dp_figure *out, const sides *s, const mpq_t delta, size_t digits,
                        const limits *lim);

/* The largest loss, and delta from there on; false where it is not bounded. */
bool sides_end(dp_figure *epsilon, dp_figure *delta, const sides *s, size_t digits);

/* Have the losses a largest value? */
bool sides_bounded(const sides *s);

/* out = max(out, other), with enclosures of that precision. */
void sides_take_greater(dp_figure *out, const dp_figure *other, mpfr_prec_t bits);

/* Is every direction (x, delta)-DP? No is proved by a direction's lower end. */
dp_decision sides_meet(const sides *s, const logform *x, const mpq_t delta, const limits *lim);

#endif
