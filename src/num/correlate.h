/* SPDX-License-Identifier: MIT */
/* Sums of products of two sequences of complex balls at all shifts, by products of long integers.
 */
#ifndef NUM_CORRELATE_H
#define NUM_CORRELATE_H

#include "num/cball.h"

/* out[m] = sum of a[n] b[n + m stride] over n < count, for m < shifts, in fixed point with so many
 * bits behind the point: b has count + (shifts - 1) stride elements. False where a ball has no
 * finite size. */
bool correlate(cball *out, size_t shifts, size_t stride, const cball *a, size_t count,
               const cball *b, mpfr_prec_t bits);

#endif
