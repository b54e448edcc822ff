/* SPDX-License-Identifier: MIT */
/* A bracket of the profile for any product, no common step needed: compose with one more Gaussian
 * loss Z ~ N(-w^2/2, w^2) and take it away again. s_w(x) = E s(x + Z) satisfies, since s is convex
 * in e^x and E e^Z = 1, s(x) <= s_w(x),   s(x) >= s_w(x) - (s_rw(x) - s_w(x)) / (r/kappa - 1),
 * kappa = e^((r^2-1) w^2/8), for any r > kappa. Proof of the right half: s_w - s = E[b_w(x - L)],
 * b_w(y) = int_0^w V(v, y) dv with V = (2 pi)^(-1/2) e^(y/2 - y^2/(2v^2) - v^2/8), and V(v/r, y) <=
 * kappa V(v, y) for v <= rw, so r b_w <= kappa b_rw. The width is of order w^2. */
#ifndef ENGINE_SMOOTH_H
#define ENGINE_SMOOTH_H

#include <stdint.h>

#include "engine/totals.h"
#include "num/limits.h"

#define SMOOTH_RATIO 1.25 /* r */

typedef struct smooth {
    const totals *all;
    double c, above, below, width; /* width: w, 24 bits */
    double lambda;
    uint64_t last;  /* nodes beyond it are bounded by the Gaussian factor */
    mpfr_t spacing; /* theta_n = n spacing, spacing = 2 pi / R to within u */
    mpfr_t width2;  /* w^2, exact */
    mpfr_prec_t work;
    node_list nodes;
    cx *narrow, *wide;                /* phi times the kernel of w and of r w, at each node */
    mpfr_t error;                     /* of each phi */
    mpfi_t k, k_above[2], k_below[2]; /* without and with the Gaussian: [1] for r w */
} smooth;

/* Prepared for x near `x` and a bracket of about the relative width `gap` of s. */
dp_status smooth_open(smooth *p, const totals *all, double x, double gap, const limits *lim);
void smooth_close(smooth *p);

/* s encloses s at every number of x; slope is about -ds/dx = e^x Q(L > x). */
void smooth_profile(mpfi_t s, mpfr_t slope, const smooth *p, const mpfi_t x);

/* Bounds |computed sum - full sum| at the number x for both widths, rounded up. */
bool smooth_error(mpfr_t error, const smooth *p, mpfr_srcptr x);

#endif
