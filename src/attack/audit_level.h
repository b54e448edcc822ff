/* SPDX-License-Identifier: MIT */
/* The level of the rule that a path of thresholds is. */
#ifndef ATTACK_AUDIT_LEVEL_H
#define ATTACK_AUDIT_LEVEL_H

#include "attack/audit_path.h"

/* out = lambda + m delta (1 - lambda) best at epsilon, lambda the largest tail, best the largest
 * tail/(v mass) along the path; its upper end at least that, where more than 1 is 1 or more. False
 * where what is between two parts may make more of it than is seen in them. */
bool path_level(mpfi_t out, const path *p, const mpfi_t epsilon);
/* The same at the reference. */
bool path_level_there(mpfi_t out, const path *p);

/* Where the largest ones are, about: all of the path, or of some of its samples. */
typedef struct path_top {
    unsigned long r[2], v[2]; /* of the tail, and of tail/(v mass) */
} path_top;

/* out = the level from what those places come to: at least that, and at most 1. */
void path_level_from(mpfi_t out, const path *p, const path_top *top, const mpfi_t epsilon);

void path_guess(path_top *top, const path *p, double epsilon);
void path_glance(path_top *top, const path *p, double epsilon);

#endif
