/* SPDX-License-Identifier: MIT */
/* What the evaluators of a product share: sums over its laws. */
#ifndef ENGINE_TOTALS_H
#define ENGINE_TOTALS_H

#include "engine/scan.h"
#include "engine/tilt.h"
#include "loss/product.h"

typedef struct totals {
    const product *product;
    bool symmetric;       /* every law is */
    bool bounded, placed; /* the losses are bounded, and top is known; some loss is known */
    bool capped;          /* they are bounded, and top is not known */
    logform top; /* the largest loss, where they are bounded, else some loss where one is known */
    mpz_t uses;  /* in all: whose roundings add up */
    double factors;      /* work of a node */
    double free_factors; /* on no lattice */
    tilt tilt;
} totals;

/* Prepares the laws. DP_MEMORY; *t is then still safe to clear. */
dp_status totals_init(totals *t, const product *p);
void totals_clear(totals *t);

/* Are the losses bounded? */
bool totals_end(const totals *t);
/* out encloses the largest loss; [0, infinity] where they are not bounded. */
void totals_top(mpfi_t out, const totals *t);

/* Bits that the roundings of all uses may cost. */
mpfr_prec_t totals_bits(const totals *t);

/* low <= -ln|M(c+iu)/M(c)| for all |u| >= height: factors that nothing is known of are at most 1.
 */
void totals_decay(mpfr_t low, const totals *t, double c, mpfr_srcptr height);

/* Does some law take long for its nodes and its decay? */
bool totals_are_dear(const totals *t);
/* A near atom of the product, which is then of one law (loss.h), and what is beside it. */
bool totals_near_atom(mpfi_t log, mpfi_t place, const totals *t);
void totals_decay_beside(mpfr_t low, const totals *t, double c, mpfr_srcptr height,
                         mpfr_srcptr far);
/* About the decay, for plans. */
double totals_near_decay(const totals *t, double c, double height);

/* n <= at->last, not on a lattice, with |M(z)/M(c)| <= e^-lambda at every node beyond n: by what
 * the laws know of their decay. */
uint64_t totals_last(const totals *t, const line *at, double lambda);

/* The items of a scan (engine/scan.h) of all laws. NULL: out of memory. Freed by memory_free. */
scan_item *totals_items(size_t *count, const totals *t, const line *at);

/* phi[k] = M(z_n) / M(c) at the nodes, at->work bits each */
dp_status totals_values(cball *phi, const totals *t, const line *at, const node_list *nodes,
                        const limits *lim);

#endif
