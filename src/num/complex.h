/* SPDX-License-Identifier: MIT */
/* Complex numbers in MPFR, rounded to nearest. Hot loops only: an a-priori bound of the rounding
 * error is stated where they are used, in units of u = 2^-precision.
 *   cx_mul    |error| <= 2u |a b|       (two correctly rounded fmma/fmms)
 *   cx_unit   |error| <= 12u            (angle, then a correctly rounded sine and cosine)
 *   cx_pow    |error| <= t (e + 4u) (1 + o(1)) for |z| <= 1 known to e: squaring doubles the error
 *             and adds 2u, the at most log2 t products add theirs */
#ifndef NUM_COMPLEX_H
#define NUM_COMPLEX_H

#include <gmp.h>
#include <mpfr.h>
#include <stdint.h>

typedef struct cx {
    mpfr_t re, im;
} cx;

void cx_init(cx *z, mpfr_prec_t bits);
void cx_clear(cx *z);
void cx_set_ui(cx *z, unsigned long x);
void cx_set(cx *z, const cx *a);

/* z = a b; z may be a or b; t is scratch of the same precision */
void cx_mul(cx *z, const cx *a, const cx *b, cx *t);
/* z = a^times, times >= 1; z must not be a */
void cx_pow(cx *z, const cx *a, const mpz_t times, cx *t);
/* z = exp(i pi r / n), 0 <= r < 2n < 2^63 */
void cx_unit(cx *z, uint64_t r, uint64_t n, mpfr_srcptr pi);

#endif
