/* SPDX-License-Identifier: MIT */
#ifndef LOSS_LAPLACE_NODES_H
#define LOSS_LAPLACE_NODES_H

#include "loss/part.h"

typedef struct laplace_item {
    mpq_t epsilon; /* > 0, distinct */
    mpz_t times;
    double guess, count; /* of both, within the squares of doubles */
} laplace_item;

/* All Laplace noise of a product. */
typedef struct laplace {
    laplace_item *item;
    size_t items, room;
} laplace;

/* whole = (1 + e^-2w) / 2 and half = (eps/2) (1 - e^-2w) / 2w, for w = |z + 1/2| eps: together they
 * are e^(eps/2 - w) M(z). */
void laplace_scaled(mpfi_t whole, mpfi_t half, const mpfi_t w, const mpfi_t eps);

/* The profile of all uses at the number x, and about -ds/dx; and how many terms it is a sum of. */
void laplace_profile_number(mpfi_t s, mpfr_t slope, const laplace *l, mpfr_srcptr x);
double laplace_terms(const void *self);

/* The part of it with few losses strictly between their ends. */
extern const part_ops laplace_part;
dp_status laplace_part_take(cball *phi, const void *self, unsigned order, const line *at,
                            const uint64_t *node, size_t count);

/* Operations of the law. */
dp_status laplace_multiply(cball *phi, const void *self, const line *at, const uint64_t *node,
                           size_t count, const limits *lim);
dp_status laplace_blocks(block_law *out, const void *self, const block_line *at);
void laplace_decay(mpfr_t low, const void *self, double c, mpfr_srcptr t);
size_t laplace_resonances(scan_item *out, size_t room, const void *self, const line *at);

#endif
