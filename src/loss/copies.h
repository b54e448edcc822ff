/* SPDX-License-Identifier: MIT */
/* What a learner that is (eps0, delta0)-DP does with a record that stands J times in its sample:
 * with E = e^eps0, an event of probability p without the record has at most g^J(p) with it, g^J the
 * J-fold of
 *     g(p) = min(delta0 + E p, 1 - (1 - delta0 - p)/E, 1),
 * which is concave and its own mirror image, (a, b) -> (1-b, 1-a). It is bent at v_0 =
 * (1-delta0)/(1+E), where g(v_0) = 1 - v_0, and at 1 - delta0; so g^J is bent at
 *     v_i = g^-i(v_0), that is v_(i+1) = (v_i - delta0)/E, for i < J and v_i > 0,
 *     1 - z_i for 1 <= i <= J and z_i < 1,  z_i = g^i(0),
 * and its values there are known:
 *     g^J(v_i) = v_(i-J) for J <= i, 1 - v_(J-i-1) beyond (1 where that v is not above 0),
 *     g^J(1 - z_i) = 1 - z_(i-J) for J < i, 1 beyond. */
#ifndef LOSS_COPIES_H
#define LOSS_COPIES_H

#include "loss/steps.h"

/* Positions are integers over `one`, weights over `unit`. Where all is rational and short they are
 * exact and both ends are equal; else ends are rounded outward. */
typedef struct chain {
    unsigned long kept, top; /* most copies, and steps of the learner, that are looked at */
    bool exact;
    bool whole;      /* no greater number of copies has any weight */
    bool lossless;   /* delta0 = 0 */
    mpq_t odds[2];   /* of E, below and above */
    mpz_t one, unit; /* what stands for 1 */
    mpz_t *v[2];     /* v_0 .. v_top, 0 from where they are not above it */
    mpz_t *z[2];     /* z_0 .. z_top */
    mpz_t *w[2];     /* the weights of 0 .. kept copies */
    mpz_t tail;      /* above that of all others */
    mpz_t *all;
    size_t count;
} chain;

enum { BELOW, ABOVE };

/* `above`: e^eps0 is taken for a short rational above it, and positions are exact. DP_UNAVAILABLE
 * where that would be too long. DP_MEMORY. Always leaves *c safe to clear. */
dp_status chain_init(chain *c, const copies *of, bool above);
void chain_clear(chain *c);

/* The sum of weight[j] g^(each j) at v_i, at 1 - z_i, and at 0, over one * unit, rounded towards
 * that end; of copies that are not kept 1 above and 0 below. */
void chain_at_bend(mpz_t sum, const chain *c, unsigned long each, unsigned long i, int end);
void chain_at_mirror(mpz_t sum, const chain *c, unsigned long each, unsigned long i, int end);
void chain_at_zero(mpz_t sum, const chain *c, unsigned long each, int end);

#endif
