/* SPDX-License-Identifier: MIT */
/* Randomized response in doubles, for guesses: epsilons and their numbers of uses, a long list in
 * buckets of neighbours. It chooses and never decides. */
#ifndef LOSS_BUCKETS_H
#define LOSS_BUCKETS_H

#include "loss/loss.h"

struct response;

typedef struct buckets {
    size_t count;
    double *epsilon, *times;
    double total;   /* sum of times epsilon */
    double largest; /* epsilon */
} buckets;

/* Of a law, or of none for NULL; there is room for one more. False: out of memory. */
bool buckets_init(buckets *b, const struct response *r);
void buckets_clear(buckets *b);

/* total and largest anew, of epsilons that were changed. */
void buckets_sum(buckets *b);

/* k += K and its derivatives, K(z) = sum t ln(cosh(eps (z + 1/2)) / cosh(eps / 2)): loss.h. */
void buckets_guess(double k[3], const void *self, double z, unsigned which);
void buckets_range(double *top, double *reach, const void *self);

/* For guesses alone: `self` is the buckets, which belong to others. */
extern const loss_ops buckets_ops;

#endif
