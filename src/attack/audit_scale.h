/* SPDX-License-Identifier: MIT */
/* Certificates of one slope alone, and those for many guesses by those for few. */
#ifndef ATTACK_AUDIT_SCALE_H
#define ATTACK_AUDIT_SCALE_H

#include "attack/audit_layers.h"

#define ALONE_LEAST 1e-280 /* of lambda: what is less is not sought */

/* About one slope alone, lambda = Pr[Bin >= v] = beta: its height is U(v) = beta (1-beta)/(v
 * pi(v)).
 */
typedef struct alone {
    size_t slope;
    double cost, lambda, height;
} alone;

void alone_best(alone *best, const layers_goal *goal);

/* Are there so many guesses that certificates for fewer are about the same? */
bool scale_is_large(const layers_goal *goal);

/* small = about the same goal of fewer guesses: a place there is `wide` as far from v, a height
 * `over` as high. False where no slope is near v: then one alone is best, or nearly so. */
bool scale_down(layers_goal *small, double *wide, double over[LAYERS_MOST],
                const layers_goal *goal);

#endif
