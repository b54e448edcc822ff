/* SPDX-License-Identifier: MIT */
/* A finite pair: the masses that a mechanism's outcomes have under P and under Q, exact rationals.
 * Outcomes of equal ratio are one; mass of P where q = 0 is a leak, exactly; mass of Q where p = 0
 * shows in M(-1) alone. Losses are ln(p/q), exact logarithms. */
#ifndef LOSS_PAIR_H
#define LOSS_PAIR_H

#include "loss/product.h"

/* Integers that the masses become over one denominator, and the denominator itself, have at most
 * this many bits. */
#define PAIR_BITS 65536

/* What is wrong with the masses: static text that follows the name "p" or "q", which *at tells.
 * NULL when nothing is: at least one outcome, no mass below 0, each sum exactly 1. */
const char *pair_fault(const char **at, const mpq_t *p, const mpq_t *q, size_t count);

/* The pair (P, Q), or (Q, P) with `swap`, used `times` >= 1 times. Equal pairs merge; a pair whose
 * exchanged pair has the same law, as randomized response has, is known as symmetric. A pair of
 * equal laws adds nothing, and binary randomized response is added as that (response.h). DP_DOMAIN
 * for a fault, DP_MEMORY. */
dp_status pair_add(product *to, const mpq_t *p, const mpq_t *q, size_t count, bool swap,
                   const mpz_t times);

#endif
