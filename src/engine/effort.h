/* SPDX-License-Identifier: MIT */
/* How hard the next attempt at a figure tries, and how the attempts add up. */
#ifndef ENGINE_EFFORT_H
#define ENGINE_EFFORT_H

#include "core/bound.h"
#include "num/limits.h"

#define EFFORT_EXTRA_BITS 1024
#define EFFORT_LAST_GAP 1e-24

/* Exact evaluators rise in bits; a bracket narrows step by step. While `cheap`, an exact evaluator
 * that costs more than a bracket is spared; it comes in where the brackets end. */
typedef struct effort {
    mpfr_prec_t bits, wanted_bits;
    double gap, least_gap;
    bool exact, spared; /* of the last attempt */
    bool cheap;
    double step; /* the next gap over the last */
    double had;  /* the narrowest gap that was had, or 0 */
    bool back;   /* the gap is one between those that were and were not had */
} effort;

/* The first attempt is for few digits, so that something is known where more cannot be had. */
effort effort_start(size_t digits);

/* False when there is no next attempt after one that ended with that status. */
bool effort_raise(effort *f, dp_status status, mpfr_prec_t most_bits, const limits *lim);

/* Aims the next gap at what `digits` digits of x need, the width of x being in proportion to it. */
void effort_aim(effort *f, const mpfi_t x, size_t digits);

/* Where the first bracket takes no time at all; where the next gap is known that will do. */
void effort_hasten(effort *f);
void effort_lead(effort *f, double gap);

/* A bracket was opened for that gap in place of f->gap, as no narrower one is to be had in time,
 * which ends the ladder there; false: it says no more than the last one. */
bool effort_reaches(effort *f, double gap);

/* Does this attempt aim at all digits that are asked? */
bool effort_is_whole(const effort *f);

/* best = best intersected with next: both enclose the same number */
void effort_tighten(mpfi_t best, const mpfi_t next);

/* The status of a figure that is enclosed as well as it could be. */
dp_status effort_finished(dp_status status, bool agrees);

/* A double inside x, for guesses. */
double effort_middle(const mpfi_t x);

#endif
