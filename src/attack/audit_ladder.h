/* SPDX-License-Identifier: MIT */
/* Binomial tails one trial after another: few products each, in place of a tail from the start. */
#ifndef ATTACK_AUDIT_LADDER_H
#define ATTACK_AUDIT_LADDER_H

#include "attack/binomial.h"

/* tail = Pr[Bin(r, q) >= v] and mass = Pr[Bin(r, q) = v], v <= r, q = odds.yes, which is to be set
 * once, at r = 0. */
typedef struct ladder {
    unsigned long r, v;
    share odds;
    mpfi_t tail, mass, part;
} ladder;

void ladder_init(ladder *l, mpfr_prec_t bits);
void ladder_clear(ladder *l);
/* r + 1 trials and v, 1 <= v <= r + 1 or r = 0; r + 1 trials and v + 1. */
void ladder_climb(ladder *l);
void ladder_climb_both(ladder *l);

#endif
