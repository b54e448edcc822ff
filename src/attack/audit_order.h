/* SPDX-License-Identifier: MIT */
/* The order of outcomes (r, v) of one run: by Pr[Bin(r, q) >= v] at the reference epsilon, beside
 * the outcome that was seen. */
#ifndef ATTACK_AUDIT_ORDER_H
#define ATTACK_AUDIT_ORDER_H

#include "attack/audit.h"
#include "attack/audit_walk.h"

typedef struct order {
    unsigned long hits, members; /* the outcome */
    share odds, tail;            /* the reference, and the tail of the outcome there */
    bool lower;                  /* it is above 1/2: complements are compared, */
    scaled low, high;            /* ... of which this is the lesser side */
    double logit, log_side;      /* about the same */
    bool even;                   /* it is 1/2 at epsilon 0: a tie of all v with 2v = r + 1 */
} order;

/* The reference is the epsilon of the claim, else 1. */
void order_reference(mpfi_t epsilon, const audit_in *in);
/* To so many bits, or more. */
void order_init(order *o, const audit_in *in, mpfr_prec_t bits);
void order_clear(order *o);

/* What follows says of a tail whether it is at most that of the outcome, or not to be told from it.
 */
bool order_is_within(const walk *w, const order *o);
/* The least r of which r right are within, which is at most `most`. */
unsigned long order_first(const order *o, unsigned long most);
/* The least v of r guesses, of which r right are within. */
unsigned long order_threshold(const order *o, unsigned long r);
/* The least r with d misses: above `last`, which is not within, and at most `all`, which is. */
unsigned long order_start(const order *o, unsigned long d, unsigned long last, unsigned long all);

#endif
