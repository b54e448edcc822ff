/* SPDX-License-Identifier: MIT */
/* Tails of the sum of two binomial laws, in as many steps for 10^9 trials as for 10^4. */
#ifndef ATTACK_BINOMIAL_PAIR_H
#define ATTACK_BINOMIAL_PAIR_H

#include "attack/binomial.h"

/* out = Pr[X + Y >= v], X of n[0] trials and Y of n[1], 0 < v <= n[0] + n[1] <= BINOMIAL_MOST, at
 * their shares: by a sum on a circle, where that is short. False, and nothing, elsewhere. */
bool binomial_pair(mpfi_t out, unsigned long v, const unsigned long n[2], const share p[2]);

/* N numbers on the circle of radius r > 1, from 1 to `used` of them on either side of r summed, 2
 * used + 2 <= N; and for the bounds of the others about the mean and the variance of the tilted
 * law. */
typedef struct circle {
    double tilt, mean, spread; /* ln r */
    unsigned long nodes, used; /* N, even */
} circle;

/* The same by that circle: sound for any, narrow for few. */
void binomial_pair_on(mpfi_t out, const circle *at, unsigned long v, const unsigned long n[2],
                      const share p[2]);

/* About its logarithm, x the logits of the shares: of thousands of trials. */
double guess_log_pair(double v, const double n[2], const double x[2]);

#endif
