/* SPDX-License-Identifier: MIT */
/* How hard the next attempt at a figure tries, and how the attempts add up. */
#ifndef SOLVE_EFFORT_H
#define SOLVE_EFFORT_H

#include "bound/bound.h"
#include "num/limits.h"

#define EFFORT_EXTRA_BITS 1024
#define EFFORT_LAST_GAP 1e-24

/* Exact evaluators rise in bits; a bracket narrows step by step. */
typedef struct effort {
    mpfr_prec_t bits, wanted_bits;
    double gap, least_gap;
    bool exact;
} effort;

/* The first attempt is for few digits, so that something is known where more cannot be had. */
effort effort_start(size_t digits);

/* False when there is no next attempt. */
bool effort_raise(effort *f, mpfr_prec_t most_bits, const limits *lim);

/* Does this attempt aim at all digits that are asked? */
bool effort_is_whole(const effort *f);

/* best = best intersected with next: both enclose the same number */
void effort_tighten(mpfi_t best, const mpfi_t next);

/* The status of a figure that is enclosed as well as it could be. */
dp_status effort_finished(dp_status status, bool agrees);

/* A double inside x, for guesses. */
double effort_middle(const mpfi_t x);

#endif
