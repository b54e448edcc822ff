/* SPDX-License-Identifier: MIT */
/* The points of A:B:N. */
#ifndef DOCUMENT_RANGE_H
#define DOCUMENT_RANGE_H

#include "core/value.h"

/* A + (B - A) i / (N - 1), exact where it is a decimal, else to the nearest one within 10^-5 of a
 * step; the ends are themselves. */
void range_even(dp_number *x, const value *v, size_t i);

/* A (B/A)^(i/(N-1)) to six digits; the ends themselves are exact. Both must be above 0. */
void range_log(dp_number *x, const value *v, size_t i);

#endif
