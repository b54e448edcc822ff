/* SPDX-License-Identifier: MIT */
/* Binomial tails in doubles, one trial after another, with a bound of what they are off. */
#ifndef ATTACK_AUDIT_WALK_H
#define ATTACK_AUDIT_WALK_H

#include "attack/binomial.h"

#define WALK_SCALE 512 /* bits */

/* side = Pr[Bin(r, q) >= v], or Pr[Bin(r, q) < v] of a lower one, and mass = Pr[Bin(r, q) = v],
 * both times 2^(WALK_SCALE scale), so that the side is between 2^-WALK_SCALE and 1. The true one is
 * within `off` of it but for a share 2^-30 of `off`, as what adds up here is rounded itself; the
 * true mass within a share `doubt`. */
typedef struct walk {
    double yes, no, side, mass, off, doubt;
    long scale;
    unsigned long r, v;
    bool lower;
} walk;

/* From r = v = 0. What a share is off as a double is below 2^-52 of it. */
walk walk_from(const share *odds, bool lower);
/* From any r and v, by enclosures. */
walk walk_from_there(const share *odds, bool lower, unsigned long r, unsigned long v);
/* r + 1 trials, and v where it stays, v >= 1, else v + 1. */
void walk_step(walk *w, bool stay);
/* Where doubles end nothing is told. */
static inline bool walk_is_lost(const walk *w)
{
    return !(w->no > 1e-280 && w->yes > 1e-280 && w->side > 0 && w->off < w->side / 2 &&
             w->mass > 1e-280);
}

/* One number that was taken from a walk. */
typedef struct scaled {
    double x;
    long scale;
} scaled;

/* What the side is at most, and at least; where it is not lost. */
static inline scaled walk_above(const walk *w)
{
    return (scaled){(w->side + w->off * (1 + 0x1p-30)) * (1 + 0x1p-51), w->scale};
}

static inline scaled walk_below(const walk *w)
{
    return (scaled){(w->side - w->off * (1 + 0x1p-30)) * (1 - 0x1p-51), w->scale};
}

/* x rounded down or up, of 0 to 1. */
scaled scaled_of(mpfr_srcptr x, mpfr_rnd_t way);
/* Is a below b, both between 2^-WALK_SCALE and 2, about? */
bool scaled_is_less(scaled a, scaled b);

#endif
