/* SPDX-License-Identifier: MIT */
/* Sizes of powers, told before they are formed. */
#include "num/guard.h"

bool guard_pow_fits(const mpz_t base, const mpz_t exponent, unsigned long limit)
{
    if (mpz_cmpabs_ui(base, 1) <= 0 || mpz_sgn(exponent) == 0)
        return true;
    if (!mpz_fits_ulong_p(exponent) || mpz_sgn(exponent) < 0)
        return false;
    /* |base| < 2^bits, so the power has at most bits * exponent bits. */
    unsigned long bits = mpz_sizeinbase(base, 2);
    return mpz_get_ui(exponent) <= limit / bits;
}

bool guard_pow_fits_q(const mpq_t base, const mpz_t exponent, unsigned long limit)
{
    return guard_pow_fits(mpq_numref(base), exponent, limit) &&
           guard_pow_fits(mpq_denref(base), exponent, limit);
}
