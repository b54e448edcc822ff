/* SPDX-License-Identifier: MIT */
/* False alarms as exact rationals. */
#ifndef ATTACK_ALARMS_H
#define ATTACK_ALARMS_H

#include "support.h"

/* Is it the decimal to 30 digits? */
static inline void is_about(const mpq_t x, const char *decimal)
{
    mpq_t off, most;
    mpq_inits(off, most, NULL);
    rational_of(off, decimal);
    mpq_set_ui(most, 1, 5);
    for (int i = 0; i < 29; i++) /* half a unit of the 30th digit, of a number above 1/10 of it */
        mpz_mul_ui(mpq_denref(most), mpq_denref(most), 10);
    mpq_canonicalize(most);
    mpq_mul(most, most, off);
    mpq_sub(off, off, x);
    mpq_abs(off, off);
    if (mpq_cmp(off, most) > 0)
        fail_msg("not %s: %.17g", decimal, mpq_get_d(x));
    mpq_clears(off, most, NULL);
}

/* out = Pr[Bin(n, p) >= k], exactly */
static inline void exact_tail(mpq_t out, unsigned long k, unsigned long n, const mpq_t p)
{
    mpz_t fail, sum, term, power;
    mpz_inits(fail, sum, term, power, NULL);
    mpz_sub(fail, mpq_denref(p), mpq_numref(p));
    for (unsigned long j = k; j <= n; j++) {
        mpz_bin_uiui(term, n, j);
        mpz_pow_ui(power, mpq_numref(p), j);
        mpz_mul(term, term, power);
        mpz_pow_ui(power, fail, n - j);
        mpz_addmul(sum, term, power);
    }
    mpq_set_z(out, sum);
    mpz_pow_ui(mpq_denref(out), mpq_denref(p), n);
    mpq_canonicalize(out);
    mpz_clears(fail, sum, term, power, NULL);
}

#endif
