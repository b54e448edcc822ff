/* SPDX-License-Identifier: MIT */
#ifndef CORE_SEARCH_H
#define CORE_SEARCH_H

#include <gmp.h>

#include "dpacct/status.h"

/* Does candidate z >= 0 fit? True for all z up to some point, false beyond. */
typedef dp_decision (*search_test)(const void *context, const mpz_t z);

/* z = the largest candidate that fits, -1 when not even 0 does, found from the guess z outward by
 * growing steps and then by halves: z fits and z + 1 does not, each by the test itself.
 * DP_UNKNOWN when a test is, and when 2^4096 still fits: then z is the largest that is known to
 * fit, -1 for none. */
dp_decision search_largest(mpz_t z, search_test test, const void *context);

#endif
