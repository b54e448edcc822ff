/* SPDX-License-Identifier: MIT */
/* The profile by the trapezoidal rule on Re z = c, spacing 2 pi / R, where the laws themselves make
 * the nodes small enough to be left out from some height on:
 *     (e^(K(c) - cx) / R) sum_n phi(t_n) e^(-i t_n x) / (z (z+1)) = s(x) + sum of aliases,
 * z = c + i t_n, phi = M(z)/M(c); all aliases >= 0 and bounded through K. For -1 < c < 0 the sum is
 * s - 1 less the aliases of 1 - s. Beyond the last node |phi| <= e^-decay. */
#ifndef ENGINE_PLAIN_H
#define ENGINE_PLAIN_H

#include "engine/totals.h"
#include "num/limits.h"

typedef struct plain {
    const totals *all;
    double c, above, below; /* the line, and the orders of the moments that bound the aliases */
    double period;          /* R, 24 bits */
    double lambda;          /* nodes with |phi| <= e^-lambda may be left out */
    uint64_t last;          /* and all beyond this one */
    mpfr_prec_t work;
    mpfr_t spacing, dropped; /* 2 pi / R to within u; all that is left out, in units of the sum */
    node_list nodes;
    cball *term; /* phi / (z (z+1)) at each node */
    mpfi_t k, k_above, k_below;
    bool dear; /* not opened, but with more nodes it could be */
} plain;

/* Prepared for x near `x` and a relative width 2^-bits of s, or of 1 - s on the left, by at most
 * `most` nodes; 0: by not many more than the smoothing of such a width would look at. DP_LIMIT
 * where that does not suffice, or time does not. */
dp_status plain_open(plain *p, const totals *all, double x, double bits, double most,
                     const limits *lim);
/* The same with the plan, the fields before `spacing`, made by the caller: any is sound. */
dp_status plain_prepare(plain *p, const limits *lim);
void plain_close(plain *p);

/* s encloses s at every number of x; slope is about -ds/dx. */
void plain_profile(mpfi_t s, mpfr_t slope, const plain *p, const mpfi_t x);

#endif
