/* SPDX-License-Identifier: MIT */
/* A bracket of the profile for any product, no common step needed. Where the line is at c > 0, by
 * functions below and above the payoff whose transforms end (engine/extremal.h): the width is of
 * order h^2. Elsewhere compose with one more Gaussian loss Z ~ N(-w^2/2, w^2) and take it away
 * again. s_w(x) = E s(x + Z) satisfies, since s is convex in e^x and E e^Z = 1, s(x) <= s_w(x),
 * s(x) >= s_w(x) - (s_rw(x) - s_w(x)) / (r/kappa - 1), kappa = e^((r^2-1) w^2/8), for any r >
 * kappa. Proof of the right half: s_w - s = E[b_w(x - L)], b_w(y) = int_0^w V(v, y) dv with V = (2
 * pi)^(-1/2) e^(y/2 - y^2/(2v^2) - v^2/8), and V(v/r, y) <= kappa V(v, y) for v <= rw, so r b_w <=
 * kappa b_rw. The width is of order w^2. */
#ifndef ENGINE_SMOOTH_H
#define ENGINE_SMOOTH_H

#include "engine/trapezoid.h"

/* Prepared for x near `x` and a bracket of about the relative width `gap` of s, or where far nodes
 * would take too long p->gap. To be closed in any case. */
dp_status smooth_open(trapezoid *p, const totals *all, double x, double gap, const limits *lim);

/* h^2 of extremal functions, else 0 */
double smooth_area(const trapezoid *p);

/* Where far nodes are in doubles: one pass over them for all points, FAR_POINTS at most. */
dp_status smooth_foresee(trapezoid *p, mpfr_srcptr const *x, size_t count, const limits *lim);

/* s encloses s at every number of x; slope is about -ds/dx = e^x Q(L > x). */
void smooth_profile(mpfi_t s, mpfr_t slope, const trapezoid *p, const mpfi_t x);

#endif
