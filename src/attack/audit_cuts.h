/* SPDX-License-Identifier: MIT */
/* The least of a convex function by cutting planes: from the analytic centre of where it is. */
#ifndef ATTACK_AUDIT_CUTS_H
#define ATTACK_AUDIT_CUTS_H

#include <stddef.h>

#include "attack/audit_layers.h"

#define CUTS_MOST 240

/* a y <= b, and H of the logarithmic barrier at x, as L L^T. */
typedef struct cuts {
    size_t n, count;
    double a[CUTS_MOST][LAYERS_MOST], b[CUTS_MOST], x[LAYERS_MOST], l[LAYERS_MOST][LAYERS_MOST];
} cuts;

/* Of n numbers none is negative, and all together are at most 2. */
void cuts_init(cuts *z, size_t n);

/* x = about the centre. */
void cuts_centre(cuts *z);

/* What lies where slope (y - x) <= 0 is kept, and x moves into it. How much slope x changes by
 * within what the barrier tells of. */
double cuts_add(cuts *z, const double *slope);

#endif
