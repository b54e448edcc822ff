/* SPDX-License-Identifier: MIT */
/* The law of a hockey-stick curve H that is piecewise linear in u = e^x: where H' jumps by J at u,
 * an atom with loss ln u, mass J of Q and u J of P; the leak H(inf), which the product keeps; mass
 * 1 + H'(0+) of Q where P has none. What a curve's owner knows of its kinks is given by a callback
 * that encloses them to any precision, so that one law serves both ends of a mechanism that is only
 * bracketed: the upper end is given a curve above, the lower end one below (product.h). */
#ifndef LOSS_STEPS_H
#define LOSS_STEPS_H

#include "loss/discrete.h"
#include "loss/product.h"

typedef struct steps {
    size_t count;          /* kinks with mass under P, losses ascending, at least one */
    const dp_number *loss; /* the losses where they are numbers, else NULL: copied */
    bool closed;           /* Q keeps what P keeps: all its mass at the kinks and no leak, or as
                            * much mass elsewhere as leaks */
    bool symmetric;        /* the exchanged pair has the same curve */
    /* Kink j to the relative precision of out; masses divided by 1 - leak. */
    void (*enclose)(outcome *out, const void *state, size_t j);
    void *state;
    void (*clear)(void *state);
    /* Uses of one curve merge: do these states of one callback mean the same? NULL: never. */
    bool (*same)(const void *state, const void *other);
} steps;

/* `times` uses; the state is taken over, also where it fails. DP_MEMORY. */
dp_status steps_add(product *to, const steps *curve, const mpz_t times);

/* A learner known as (eps0, delta0)-DP on a Poisson sample of rate q: with (P, Q) its worst pair,
 *     (1 - q) Q + q P  over  Q,  or the exchanged pair with `reverse`,
 * whose curves no learner of that guarantee exceeds and this pair attains (bagging.md 3.1). In
 * exact rationals where e^eps0 is one, and the learner itself at q = 1. DP_DOMAIN but for 0 <= q <=
 * 1, eps0 >= 0, 0 <= delta0 <= 1. DP_MEMORY. */
dp_status steps_poisson_add(product *to, const dp_number *eps0, const mpq_t delta0, const mpq_t q,
                            bool reverse, const mpz_t times);

/* The same learner, which with probability 1 - q is given a sample without what changes, and says
 * so: of (1 - q, 1 - q) and q (P, Q). Its own mirror image. DP_DOMAIN and DP_MEMORY as above. */
dp_status steps_missed_add(product *to, const dp_number *eps0, const mpq_t delta0, const mpq_t q,
                           const mpz_t times);

/* As pair_add where the losses of so many uses are few. Where they are many their common step is
 * too fine for any engine, and each loss is shared out between its neighbours on a coarser lattice:
 * upper_only, and for the lower end nothing. `symmetric`: the exchanged pair is the same. */
dp_status steps_shared_add(product *to, const mpq_t *p, const mpq_t *q, size_t count, bool swap,
                           bool symmetric, dp_end end, const mpz_t times);

/* A learner that is (eps0, delta0)-DP on a sample in which the record stands J ~ Bin(draws, rate)
 * times; samples with one copy more or less are `steps` of its neighbouring steps apart, 1 or 2.
 * Rate times draws > 0. */
typedef struct copies {
    const dp_number *eps0;
    mpq_srcptr delta0;
    mpz_srcptr draws;
    mpq_srcptr rate;
    unsigned long steps;
} copies;

/* Can the three functions below make a law of it? */
bool steps_copies_fit(const copies *of);

/* With the record against without it, or with `reverse` exchanged: the pair that no learner of that
 * guarantee exceeds and one attains, in exact rationals where e^eps0 is one and the draws are few;
 * elsewhere towards `end`, and the product is bracketed. DP_UNAVAILABLE: it would be too long.
 * DP_MEMORY. */
dp_status steps_copies_add(product *to, const copies *of, dp_end end, bool reverse,
                           const mpz_t times);

/* With the record against with another in its place, where a replaced copy is `steps` steps too:
 * the curve that no learner exceeds in either order; upper_only. DP_UNAVAILABLE, DP_MEMORY. */
dp_status steps_replaced_add(product *to, const copies *of, const mpz_t times);

/* The same for Poisson samples of that rate, where a replaced copy is two steps, by way of the
 * sample without either: the pair is attained, and its own mirror image. Ends as above. */
dp_status steps_exchanged_add(product *to, const dp_number *eps0, const mpq_t delta0, const mpq_t q,
                              dp_end end, const mpz_t times);

/* Groups of `size` records of a mechanism that is (eps0, delta0)-DP: the curve that none exceeds
 * and some chain of data sets attains (Dong, Roth, Su 2022, Theorem 2.14). In exact rationals where
 * e^eps0 is one; elsewhere a leak is rounded towards `end` and the product is bracketed. DP_DOMAIN
 * but for 1 <= size <= STEPS_MOST_GROUP, eps0 > 0, 0 <= delta0 < 1. DP_UNAVAILABLE: size times eps0
 * is too large to be formed. DP_UNDECIDED: two pieces of the curve cannot be told apart.
 * DP_MEMORY. */
#define STEPS_MOST_GROUP 1000
dp_status steps_group_add(product *to, const dp_number *eps0, const mpq_t delta0,
                          unsigned long size, dp_end end, const mpz_t times);

#endif
