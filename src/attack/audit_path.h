/* SPDX-License-Identifier: MIT */
/* One run whose attack chooses how many guesses it makes: the thresholds v(r) of a rule, r = 1, 2,
 * ..., and the largest tails along them. */
#ifndef ATTACK_AUDIT_PATH_H
#define ATTACK_AUDIT_PATH_H

#include "attack/audit.h"

#define PATH_SAMPLES 320

/* v(r) is the least v whose tail at the reference is at most that of the outcome. It is v(r-1) or
 * one more, from v(1) = 1 on; below `first` not even r right are enough, and v(r) = r does not
 * count. */
typedef struct path {
    const audit_in *in;
    bool *stay; /* [r-1]: v(r) is v(r-1) */
    unsigned long first;
    unsigned long r[PATH_SAMPLES], v[PATH_SAMPLES]; /* some of it, from `first` on */
    size_t samples;
} path;

/* The reference is the epsilon of the claim, else 1. What cannot be told from a tie counts as one,
 * which makes the rule larger and its level no smaller. DP_MEMORY */
dp_status path_init(path *p, const audit_in *in);
void path_clear(path *p);
/* The one that is kept, or own, which is to be cleared; made where it is not. */
dp_status path_of(path **p, path *own, const audit_in *in);

/* out = lambda + m delta (1 - lambda) best at epsilon, lambda the largest tail, best the largest
 * tail/(v mass) along the path; at most 1. */
void path_level(mpfi_t out, const path *p, const mpfi_t epsilon);

/* Where the largest ones are, about: all of the path, or of its samples. */
typedef struct path_top {
    unsigned long r[2], v[2]; /* of the tail, and of tail/(v mass) */
} path_top;

/* out = the level from what those places come to: at least that, and at most 1. */
void path_level_from(mpfi_t out, const path *p, const path_top *top, const mpfi_t epsilon);

void path_guess(path_top *top, const path *p, double epsilon);
void path_glance(path_top *top, const path *p, double epsilon);

#endif
