/* SPDX-License-Identifier: MIT */
/* Complex numbers in MPFR. */
#include "num/complex.h"

#include "num/wide.h"

void cx_init(cx *z, mpfr_prec_t bits)
{
    mpfr_init2(z->re, bits);
    mpfr_init2(z->im, bits);
}

void cx_clear(cx *z)
{
    mpfr_clear(z->re);
    mpfr_clear(z->im);
}

void cx_set_ui(cx *z, unsigned long x)
{
    mpfr_set_ui(z->re, x, MPFR_RNDN);
    mpfr_set_ui(z->im, 0, MPFR_RNDN);
}

void cx_set(cx *z, const cx *a)
{
    mpfr_set(z->re, a->re, MPFR_RNDN);
    mpfr_set(z->im, a->im, MPFR_RNDN);
}

void cx_mul(cx *z, const cx *a, const cx *b, cx *t)
{
    mpfr_fmms(t->re, a->re, b->re, a->im, b->im, MPFR_RNDN);
    mpfr_fmma(t->im, a->re, b->im, a->im, b->re, MPFR_RNDN);
    mpfr_swap(z->re, t->re);
    mpfr_swap(z->im, t->im);
}

/* z = z^2, as cx_mul rounds it: the imaginary part is 2 re im. */
static void square(cx *z, cx *t)
{
    mpfr_fmms(t->re, z->re, z->re, z->im, z->im, MPFR_RNDN);
    mpfr_mul(z->im, z->re, z->im, MPFR_RNDN);
    mpfr_mul_2ui(z->im, z->im, 1, MPFR_RNDN);
    mpfr_swap(z->re, t->re);
}

void cx_pow(cx *z, const cx *a, const mpz_t times, cx *t)
{
    cx_set(z, a);
    for (size_t bit = mpz_sizeinbase(times, 2) - 1; bit-- > 0;) {
        square(z, t);
        if (mpz_tstbit(times, bit))
            cx_mul(z, z, a, t);
    }
}

void cx_unit(cx *z, uint64_t r, uint64_t n, mpfr_srcptr pi)
{
    /* |r'| <= n keeps the angle within pi, where its error is at most 3u pi < 10u */
    if (r > n)
        wide_mul_fr(z->re, pi, 2 * n - r, MPFR_RNDN);
    else
        wide_mul_fr(z->re, pi, r, MPFR_RNDN);
    wide_div_fr(z->re, z->re, n, MPFR_RNDN);
    mpfr_sin_cos(z->im, z->re, z->re, MPFR_RNDN);
    if (r > n)
        mpfr_neg(z->im, z->im, MPFR_RNDN);
}
