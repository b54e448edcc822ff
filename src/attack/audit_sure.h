/* SPDX-License-Identifier: MIT */
/* Whether counts of two samples refute a claim, in doubles with a proved bound of what they are
 * off: most counts are far enough from the edge. DP_UNKNOWN where that does not tell. */
#ifndef ATTACK_AUDIT_SURE_H
#define ATTACK_AUDIT_SURE_H

#include "attack/audit_side.h"

/* A number, and what the true one may differ from it. */
typedef struct sure {
    double x, off;
} sure;

/* A probability and its complement, and what share of it each may be off. */
typedef struct sure_rate {
    double yes, no, yes_off, no_off;
} sure_rate;

/* ln x of a number whose double is off by a share of at most `off`. */
sure sure_log(double x, double off);
/* ln Pr[Bin(n, p) = k] */
sure sure_log_mass(double k, double n, const sure_rate *p);
/* ln Pr[Bin(n, p) >= k] and its derivative by the logit of p; both infinitely off where nothing is
 * known. */
void sure_tail(sure *log_tail, sure *slope, unsigned long k, unsigned long n, const sure_rate *p);

/* A claim, and the logarithms of what tails are compared with, each between two doubles. */
typedef struct sure_claim {
    double odds, delta;
    double level[2][2];
} sure_claim;

void sure_claim_set(sure_claim *c, const audit_in *in);

/* Does the product of the two tails stay below level[0] all along the curve? By one point of the
 * side, or by the corner for NULL. */
dp_decision sure_product(const sure_claim *c, const audit_in *in, const audit_side *side, double w);

/* What a limit is between. */
typedef struct sure_limit {
    sure_rate low, high;
    bool told[2];
} sure_limit;

/* low(k, n, a), ln a = level[which], about at a logit. */
sure_limit sure_limit_of(const sure_claim *c, unsigned long k, unsigned long n, int which,
                         double logit);
/* y and 1 - x between these: does the rectangle refute? */
dp_decision sure_rectangle(const sure_claim *c, const sure_limit *y, const sure_limit *pass);

#endif
