/* SPDX-License-Identifier: MIT */
/* Points of the trade-off curve of (epsilon, delta): F(x) = min(E x + delta, 1 - (1-x-delta)/E),
 * E = e^epsilon. Its two sides meet at x = (1-delta)/(1+E) and are mirror images: the second one is
 * the first with true positives for rejected outsiders. */
#ifndef ATTACK_AUDIT_SIDE_H
#define ATTACK_AUDIT_SIDE_H

#include "attack/audit.h"

/* The first side, seen from the two samples: what is caught of the members, and what is let pass of
 * the outsiders. */
typedef struct audit_side {
    unsigned long caught, members, passed, outsiders;
    mpq_srcptr delta;
    double epsilon, less;            /* for guesses: ln E and delta, */
    double more_caught, more_passed; /* ... and what is added to both numbers */
} audit_side;

audit_side audit_first_side(const audit_in *in, double epsilon);
audit_side audit_mirrored(const audit_side *s);

/* The point x = e^w (1-delta)/(1+E), w <= 0: F(x), and 1 - x. `odds` is E/(1+E). */
void audit_point(share *f, share *pass, const audit_side *s, const share *odds, const mpfi_t w);

/* Where the product of the two tails is largest: on which of two mirrored sides; w < 0, or 0 where
 * it is not known. */
typedef struct audit_top {
    bool second;
    double w;
} audit_top;

/* No w is looked at below. */
#define AUDIT_LOWEST -700.0

/* Where it seems to be, first looked for near *top; false: at the corner, or nothing is to be
 * asked. */
bool audit_fisher_place(audit_top *top, audit_side *side, const audit_in *in);
/* Does no outcome refute? */
bool audit_is_idle(const audit_in *in);

/* The slope of the logarithm of the product by w. */
double audit_slope(const void *side, double w);
/* ln of the two tails there, about; *slope and *curve the first two derivatives of their sum by w;
 * each may be NULL. */
void guess_point(double log_tail[2], double *slope, double *curve, const audit_side *s, double w);

#endif
