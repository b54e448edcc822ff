/* SPDX-License-Identifier: MIT */
/* The profile of laws that decay: the trapezoidal rule without smoothing, as the laws themselves
 * make the nodes small enough to be left out from some height on, |phi| <= e^-decay. */
#ifndef ENGINE_PLAIN_H
#define ENGINE_PLAIN_H

#include "engine/trapezoid.h"
#include "loss/part.h"

/* Prepared for x near `x` and a relative width 2^-bits of s, or of 1 - s on the left, by at most
 * `most` nodes; 0: by not many more than the smoothing of such a width would look at. DP_LIMIT
 * where that does not suffice, or time does not. To be closed in any case. */
dp_status plain_open(trapezoid *p, const totals *all, double x, double bits, double most,
                     const limits *lim);

/* The part that may be left out of the sum, and is added in closed form; NULL: none. */
const part_ops *plain_part(const totals *all);

/* s encloses s at every number of x; slope is about -ds/dx. */
void plain_profile(mpfi_t s, mpfr_t slope, const trapezoid *p, const mpfi_t x);

#endif
