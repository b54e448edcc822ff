/* SPDX-License-Identifier: MIT */
/* Plans of many trials of two samples: numbers that are proved enough, and proved too few, by
 * normal bounds of binomial tails. For 0 <= k < n, Zubkov and Serov 2013,
 *     Phi(sqrt(n) g(k/n)) <= Pr[Bin(n, p) <= k] <= Phi(sqrt(n) g((k + 1)/n)),
 *     g(a) = sign(a - p) sqrt(2 KL(a, p)).
 * So there are Z1, Z2, normal and independent, with D and F misses and false positives of which
 *     n A - 1 <= D <= n A + 1,   sqrt(n) g(A) = Z1,
 * and likewise F with B and Z2; A is 0, or 1, where g has no such value. And of D = n a, F = n b
 * the tails at a point of the curve are at least those of a and b as reals, and at most those of a
 * + 1/n and b + 1/n. In a, b and 1/n nothing but the factor sqrt(n) of g is left of n. */
#ifndef ATTACK_AUDIT_MANY_H
#define ATTACK_AUDIT_MANY_H

#include "attack/audit.h"

/* Between two doubles. */
typedef struct span {
    double low, high;
} span;

/* sign(u - a) sqrt(2 KL(a, u)), 0 <= a <= 1; without bounds where nothing is told. */
span span_root(double a, double u);

/* ln Phi(-t), concave and falling, at places FIRST, FIRST + STEP, ... */
#define NORMAL_FIRST (-6.0)
#define NORMAL_STEP 0.0625
#define NORMAL_MOST 1024
typedef struct normal {
    int count;
    span at[NORMAL_MOST];
} normal;

/* Up to t = most and a little more, most <= 30. */
void normal_fill(normal *t, double most);
/* ln Phi(-t), at least and at most. */
double normal_low(const normal *t, double x);
double normal_high(const normal *t, double x);
/* The t with ln Phi(-t) = y, about. */
double normal_guess(const normal *t, double y);

/* A point of a line of what refutes, or does not: of all shares up to, or from, two of them on, as
 * Z1 and Z2. */
#define MANY_POINTS 8192
typedef struct many_corner {
    span x;
    double y;
} many_corner;

#define MANY_FIRST (-6.0)
#define MANY_STEP 0.125
#define MANY_TRIES 400

/* What refutes. The tails at x are e^L(t1), e^L(t2), L(t) = ln Phi(-t), t1 = sqrt(n) root(a, 1 -
 * F(x)), t2 = sqrt(n) root(b, x); (a, b) refutes where at no x of the curve (t1, t2) is in a convex
 * set: t1 < z[0] and t2 < z[1] of the rectangle, L(t1) + L(t2) > level of the product. The set has
 * (0, 0) in it: so what refutes grows with n. */
typedef struct many {
    const audit_in *in;
    bool fisher;
    span odds, delta, missed, alarmed;
    span z[2];    /* of the rectangle */
    span level;   /* of the product */
    bool none[2]; /* there is no miss, or no false positive, ever: the tail is (1 - x)^n, and L(t)
                     is -t^2/2 for t = sqrt(n) root(0, x) */
    double alone[2]; /* about the t beyond which one tail alone is below the level */
    double n, root;  /* trials, and about sqrt(n) */
    double more;     /* the same of the largest number that is looked at together with n */
    bool turned;  /* the two samples are exchanged: misses are false positives. The curve is its own
                     mirror image */
    bool counted; /* not a share of misses, but `count` of them */
    unsigned long count;
    span part_log[2]; /* of the rectangle: ln of the levels */
    double far;       /* so many standard deviations are looked at */
    normal law;
    double log_level[2]; /* about the level, of what refutes and of what does not; */
    int tries[2], last;  /* t1 that are tried, of what refutes and what does not; the last one */
    double tried[2][MANY_TRIES];
    double reach[2]
                [MANY_TRIES]; /* about the least t2 there that refutes, or the most that does not */
    many_corner at[MANY_POINTS];
} many;

/* False where the proofs do not hold: alpha too large, or other doubles. */
bool many_init(many *m, const audit_in *in, bool turned);
void many_set(many *m, double n);
/* The same for all numbers from n to `most`, of a count of misses. */
void many_set_count(many *m, double n, double most, unsigned long count);

/* 1 - F(x) */
span many_passed(const many *m, double x);
/* About the largest b that refutes with a, or the least that does not, and the x which shows the
 * latter; -1: none refutes, and *x still tells. `sign` is 1 or -1; both are on the safe side a
 * little. */
double many_boundary(many *m, double a, int sign, double *x);
/* Does (a, b) refute, for certain? Then so it does for all larger n. */
bool many_refutes(const many *m, double a, double b, double x);
/* Does it certainly not, by what is at x? */
bool many_spares(const many *m, double a, double b, double x);

/* About the a with sqrt(n) g(a) = z for the rate p, and bounds of the reverse. */
double many_place(const many *m, double p, double z);
span many_height(const many *m, const span *p, double a);

/* 1 - the power of n trials and of all larger numbers is at most this: 1 where nothing is told. By
 * points `fine` standard deviations from each other. */
double many_lack_most(many *m, double n, double fine);
/* 1 - the power of n trials is at least this. */
double many_lack_least(many *m, double n, double fine);

/* `enough` trials are, up to twice as many; from none up to `few` on is the power that asked up
 * to twice as many. 0 where none is found. */
typedef struct many_bounds {
    unsigned long few, enough;
} many_bounds;

/* The same where misses are few: by each count of them, and what refutes with it. Of all numbers
 * from n to `most`; of n. */
bool rare_fits(const many *m, double n);
double rare_lack_most(many *m, double n, double most);
double rare_lack_least(many *m, double n);

struct power;
/* Neither is looked for where it seems to be below `least`. Powers of few trials are those of p.
 * False: out of memory. */
bool many_bound(many_bounds *b, const audit_in *in, struct power *p, double least);

#endif
