/* SPDX-License-Identifier: MIT */
/* How many misses an outcome of r guesses has at most whose tail is at most a level: a curve. */
#ifndef ATTACK_AUDIT_MISSES_H
#define ATTACK_AUDIT_MISSES_H

#include "attack/binomial.h"

/* With q the odds and L the level, Phi(-z) = L: D(r) is where r KL(1 - D/r || q) = z^2/2 in nats, D
 * <= r (1-q) for z > 0, and D >= r (1-q) for z < 0. By Zubkov and Serov (2013) the tail from v on
 * is at least Phi(-z) of its own r KL(v/r || q) = z^2/2, z < 0 where v < r q; so that where it is
 * at most L, r - v is at most D(r). As r KL(v/r || q) is convex in (r, v), D is convex in r for z >
 * 0, and concave for z < 0. */
typedef struct miss_curve {
    const share *odds;
    mpfr_t most; /* z^2/2 */
    bool few;    /* z > 0 */
} miss_curve;

/* False where z is not known. */
bool misses_init(miss_curve *m, const share *odds, const share *level);
void misses_clear(miss_curve *m);

/* r KL(1 - d/r || q) */
void misses_divergence(mpfi_t out, unsigned long r, mpfr_srcptr d, const share *q);

/* d >= D(r), or d <= D(r) of many, about; false where it is not proved. */
bool misses_above(mpfr_t d, const miss_curve *m, unsigned long r);
bool misses_below(mpfr_t d, const miss_curve *m, unsigned long r);

#endif
