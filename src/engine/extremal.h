/* SPDX-License-Identifier: MIT */
/* Functions below and above the payoff of a tilted profile whose transforms end: for
 *     g(y) = e^(-cy) - e^(-(c+1)y) for y > 0, else 0,    c > 0,
 * and any h > 0 there are integrable entire m <= g <= M on the real line with transforms
 *     m^(t) = integral of m(y) e^(-ity) dy,   M^(t) likewise,
 * that are continuous and 0 for |t| >= 2 pi / h, so that for every law of L whatsoever
 *     E m(L-x) <= E g(L-x) <= E M(L-x),   E (M - m)(L-x) of order h^2/8 times the density about x,
 * is known from its transform at |t| < 2 pi / h alone. None of that type are nearer to g: m touches
 * g at the multiples of h, M halfway or so between them (Graham and Vaaler 1981, Littmann 2006).
 * The proof is at the head of extremal.c. */
#ifndef ENGINE_EXTREMAL_H
#define ENGINE_EXTREMAL_H

#include "num/cball.h"

/* With w = e^(-iht), q = 1 - e^(-(c+it)h), q' = 1 - e^(-(c+1+it)h), v = 1 - ht / 2 pi, t >= 0:
 *     h m^ = w ((v + i chi) below_pole - i below_edge q) / (q q') - i below_kink,
 *     h M^ = e^(-(c+it) shift) ((v + i chi)(above_first + above_second w) - i above_edge q) / (q
 * q'). All are positive. */
typedef enum extremal_number {
    EXTREMAL_DECAY,        /* e^(-ch) */
    EXTREMAL_GROUND,       /* 1 - e^(-ch), of q = ground + decay (1 - w) */
    EXTREMAL_OTHER_DECAY,  /* the same with c+1, of q' */
    EXTREMAL_OTHER_GROUND, /* */
    EXTREMAL_CHI,          /* ch / 2 pi */
    EXTREMAL_BELOW_POLE,   /* h e^(-ch) (1 - e^-h) */
    EXTREMAL_BELOW_EDGE,   /* h^2/2 pi e^(-(c+1)h) */
    EXTREMAL_BELOW_KINK,   /* h/2 pi of m's slope over h at 0 */
    EXTREMAL_ABOVE_FIRST,  /* h (1 - e^-shift) */
    EXTREMAL_ABOVE_SECOND, /* h e^(-ch) (e^-shift - e^-h) */
    EXTREMAL_ABOVE_EDGE,   /* h^2/2 pi e^-shift */
    EXTREMAL_MOST_POLE,    /* h (1 - e^-h) and h^2/2 pi: bounds of the others */
    EXTREMAL_MOST_EDGE,
    EXTREMAL_SHIFT, /* where M first touches */
    EXTREMAL_TURN,  /* shift times the spacing */
    EXTREMAL_FALL,  /* c shift */
    EXTREMAL_NUMBERS
} extremal_number;

typedef struct extremal {
    uint64_t count; /* N: h = 2 pi / (N spacing) */
    mpfr_prec_t work;
    mpfi_t number[EXTREMAL_NUMBERS];
} extremal;

/* For nodes t = n spacing, n < count < 2^63, to about `bits`. */
void extremal_init(extremal *e, double c, mpfr_srcptr spacing, uint64_t count, mpfr_prec_t bits);
void extremal_clear(extremal *e);

/* below = h m^ and above = h M^ at node n < count: about 1 / (z (z+1)) at first, z = c + it. */
void extremal_node(cball *below, cball *above, const extremal *e, uint64_t n);

/* The sum over |n| < N of a bound of both, and so of what nodes may leave out where |phi| <= 1
 * there, is at most so many times R/2c + 1/c^2, R = 2 pi / spacing, for (c+1) h <= 1/2. */
#define EXTREMAL_SUM 10

#endif
