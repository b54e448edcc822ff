/* SPDX-License-Identifier: MIT */
#ifndef DPACCT_NUMBER_H
#define DPACCT_NUMBER_H

#include <gmp.h>
#include <stddef.h>

#include "dpacct/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An exact input: the rational `value`, or ln(value) when `is_log` is 1, not 0 (then value > 0).
 * The rational is in lowest terms with a denominator above 0, as mpq_canonicalize leaves it.
 * Privacy-loss parameters may be logarithms, because randomized response with odds R has
 * epsilon = ln(R). */
typedef struct dp_number {
    mpq_t value;
    int is_log;
} dp_number;

DP_API void dp_number_init(dp_number *x);
DP_API void dp_number_clear(dp_number *x);
DP_API void dp_number_set(dp_number *x, const dp_number *from);
DP_API void dp_number_set_ui(dp_number *x, unsigned long value);

/* Reads `length` bytes of text exactly: integers, decimals, exponents, fractions, integer powers
 * (2^-40), and ln(R). Decimal point only, in every locale.
 * Returns DP_OK, or DP_DOMAIN with err->message saying which rule the text breaks; x is then
 * unchanged. Sizes are judged before anything large is formed: at most 100,000 characters,
 * decimal exponents within +-1,000,000, results within 3,500,000 bits. */
DP_API dp_status dp_number_parse(dp_number *x, const char *text, size_t length, dp_error *err);

/* Sign of x, exact: ln(R) is compared with 0 through R and 1. 0 for NULL. */
DP_API int dp_number_sgn(const dp_number *x);

#ifdef __cplusplus
}
#endif
#endif
