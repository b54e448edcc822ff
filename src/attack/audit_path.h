/* SPDX-License-Identifier: MIT */
/* One run whose attack chooses how many guesses it makes: the thresholds v(r) of a rule, r = 1, 2,
 * ... */
#ifndef ATTACK_AUDIT_PATH_H
#define ATTACK_AUDIT_PATH_H

#include "attack/audit.h"
#include "attack/audit_gap.h"
#include "attack/audit_order.h"

#define PATH_SAMPLES 320
#define UNTOLD 32 /* what cannot be told from a tie is one to all bits but these, and more */

/* Some of a path: one step after another, or the first outcome of each run of v(r) = r - d, whose
 * tails fall along it. */
typedef struct stretch {
    unsigned long from, to; /* r: first and last that are kept */
    unsigned long v, end;   /* v(from), v(to) */
    bool *stay;             /* [r - from - 1], from < r <= to: v(r) is v(r-1) */
    walk there;             /* from there at the reference, where it goes step by step */
    unsigned long *start;   /* r of each run, with one miss more than the one before; or NULL */
    size_t runs;
} stretch;

/* v(r) is the least v whose tail at the reference is at most that of the outcome. It is v(r-1) or
 * one more, from v(1) = 1 on; below `first` not even r right are enough, and v(r) = r does not
 * count. All of it is one part that begins at r = v = 0, or at `first`; a long one has two parts,
 * from `first` on and up to all canaries, and what is between them is bounded. */
typedef struct path {
    const audit_in *in;
    order order;
    unsigned long first;
    stretch part[2];
    size_t parts;        /* 0: there is none yet */
    bool late;           /* time ended before it was complete: nothing is known of it */
    gap between;         /* two parts */
    unsigned long steps; /* of each of two parts */
    unsigned long runs;  /* more than 0: of each of them, in place of steps */
    unsigned long r[PATH_SAMPLES], v[PATH_SAMPLES]; /* some of it, from `first` on */
    size_t samples;
} path;

/* How much of it is kept at either end: steps, or runs where these are more than 0; all of it where
 * both are 0 or reach that far. Tails are compared to so many bits or more. */
typedef struct path_size {
    unsigned long steps, runs;
    mpfr_prec_t bits;
} path_size;

/* The reference is the epsilon of the claim, else 1. What cannot be told from a tie counts as one,
 * which makes the rule larger and its level no smaller. DP_MEMORY */
dp_status path_init(path *p, const audit_in *in, const path_size *size);
void path_clear(path *p);
/* The one that is kept, or own, which is to be cleared; made where it is not, or not for so many
 * bits. */
dp_status path_of(path **p, path *own, const audit_in *in, mpfr_prec_t bits);

/* most >= all tails of the path at the reference: that of the outcome, and what is not told from
 * it. */
void path_most(mpfr_t most, const order *o);

bool path_can_widen(const path *p);
/* The same path with longer parts, or all of it. DP_MEMORY */
dp_status path_widen(path *p);

#endif
