/* SPDX-License-Identifier: MIT */
#ifndef NUM_GUARD_H
#define NUM_GUARD_H

#include <gmp.h>
#include <stdbool.h>

/* No integer that the library forms may have more bits than this: 10^1000000 has 3,321,929. */
#define GUARD_MAX_BITS 3500000UL

/* True when base^exponent certainly has at most `limit` bits. Judged from the bit length of the
 * base, before the power is formed: GMP aborts the process where a result would overflow. */
bool guard_pow_fits(const mpz_t base, const mpz_t exponent, unsigned long limit);

/* The same for the numerator and the denominator of a rational base. */
bool guard_pow_fits_q(const mpq_t base, const mpz_t exponent, unsigned long limit);

#endif
