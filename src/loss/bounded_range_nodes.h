/* SPDX-License-Identifier: MIT */
#ifndef LOSS_BOUNDED_RANGE_NODES_H
#define LOSS_BOUNDED_RANGE_NODES_H

#include "loss/loss.h"

typedef struct window {
    dp_number eta; /* > 0, distinct */
    mpz_t times;
    double guess, count; /* of both, within the squares of doubles */
} window;

/* All of a product. */
typedef struct bounded_range {
    window *item; /* in number_order */
    size_t items, room;
} bounded_range;

/* s(x) of all uses of one item, as bounded_range_profile has it of one; false where they are too
 * many, or too wide. */
bool bounded_range_sum(mpfi_t s, mpfr_t slope, const window *l, const mpfi_t x);

/* Operations of the law. */
dp_status bounded_range_multiply(cball *phi, const void *self, const line *at, const uint64_t *node,
                                 size_t count, const limits *lim);
void bounded_range_decay(mpfr_t low, const void *self, double c, mpfr_srcptr t);

#endif
