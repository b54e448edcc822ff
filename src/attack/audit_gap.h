/* SPDX-License-Identifier: MIT */
/* What tails come to at most between two places of a path of thresholds, none of which is looked
 * at. */
#ifndef ATTACK_AUDIT_GAP_H
#define ATTACK_AUDIT_GAP_H

#include "attack/binomial.h"

typedef struct gap_end {
    unsigned long r, v;
    mpfi_t spare; /* the share of v - 1 that a rule of the full level rejects too */
    bool known;   /* spare is set */
} gap_end;

#define GAP_PARTS 1024
#define GAP_POINTS 64

/* At r the path is at or above v + part/GAP_PARTS, a point of a line or curve below it. */
typedef struct gap_point {
    unsigned long r, v;
    unsigned part;
} gap_point;

typedef struct gap {
    share reference, level; /* the odds, and the largest tail there */
    gap_end end[2];
    gap_point point[GAP_POINTS]; /* between which the path is; none where that is not known */
    size_t points;
} gap;

/* From v[0] of r[0] guesses to v[1] of r[1], r[0] < r[1]; at the reference the tails of all v(r)
 * are at most `level`, below 1. To the bits of `level`. */
void gap_init(gap *g, const share *reference, mpfr_srcptr level, const unsigned long r[2],
              const unsigned long v[2]);
void gap_clear(gap *g);

/* most >= Pr[Bin(r, q) >= v(r)] for all r from r[0] to r[1]; infinite where that is not known. */
void gap_most(mpfr_t most, const gap *g, const share *odds);
/* best >= Pr[Bin(r, q) >= v(r)]/(v(r) Pr[Bin(r, q) = v(r)]) likewise, and >= known. */
void gap_best(mpfr_t best, const gap *g, const share *odds, mpfr_srcptr known);

#endif
