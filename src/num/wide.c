/* SPDX-License-Identifier: MIT */
/* 64-bit integers beside GMP, MPFR and MPFI: through their `long` where it holds them, else exactly
 * through an integer of GMP. */
#include "num/wide.h"

/* Whether a `long` of this machine holds k. */
static bool fits(uint64_t k)
{
    return (uint64_t)(unsigned long)k == k;
}

void wide_set_z(mpz_t out, uint64_t k)
{
    if (fits(k))
        mpz_set_ui(out, (unsigned long)k);
    else
        mpz_import(out, 1, -1, sizeof k, 0, 0, &k);
}

bool wide_get_z(uint64_t *out, const mpz_t x)
{
    if (mpz_sgn(x) < 0 || mpz_sizeinbase(x, 2) > 64)
        return false;
    uint64_t k = mpz_getlimbn(x, 0);
#if GMP_NUMB_BITS < 64
    mpz_export(&k, NULL, -1, sizeof k, 0, 0, x);
#endif
    *out = k;
    return true;
}

void wide_mul_z(mpz_t out, const mpz_t x, uint64_t k)
{
    if (fits(k)) {
        mpz_mul_ui(out, x, (unsigned long)k);
        return;
    }
    mpz_t z;
    mpz_init(z);
    wide_set_z(z, k);
    mpz_mul(out, x, z);
    mpz_clear(z);
}

uint64_t wide_mod_z(const mpz_t x, uint64_t modulus)
{
    if (fits(modulus))
        return mpz_fdiv_ui(x, (unsigned long)modulus);
    uint64_t out = 0;
    mpz_t z;
    mpz_init(z);
    wide_set_z(z, modulus);
    mpz_fdiv_r(z, x, z);
    wide_get_z(&out, z);
    mpz_clear(z);
    return out;
}

int wide_cmp_fr(mpfr_srcptr x, uint64_t k)
{
    if (fits(k))
        return mpfr_cmp_ui(x, (unsigned long)k);
    mpz_t z;
    mpz_init(z);
    wide_set_z(z, k);
    int order = mpfr_cmp_z(x, z);
    mpz_clear(z);
    return order;
}

int wide_set_fr(mpfr_t out, uint64_t k, mpfr_rnd_t way)
{
    if (fits(k))
        return mpfr_set_ui(out, (unsigned long)k, way);
    mpz_t z;
    mpz_init(z);
    wide_set_z(z, k);
    int inexact = mpfr_set_z(out, z, way);
    mpz_clear(z);
    return inexact;
}

int wide_mul_fr(mpfr_t out, mpfr_srcptr x, uint64_t k, mpfr_rnd_t way)
{
    if (fits(k))
        return mpfr_mul_ui(out, x, (unsigned long)k, way);
    mpz_t z;
    mpz_init(z);
    wide_set_z(z, k);
    int inexact = mpfr_mul_z(out, x, z, way);
    mpz_clear(z);
    return inexact;
}

int wide_div_fr(mpfr_t out, mpfr_srcptr x, uint64_t k, mpfr_rnd_t way)
{
    if (fits(k))
        return mpfr_div_ui(out, x, (unsigned long)k, way);
    mpz_t z;
    mpz_init(z);
    wide_set_z(z, k);
    int inexact = mpfr_div_z(out, x, z, way);
    mpz_clear(z);
    return inexact;
}

bool wide_get_fr(uint64_t *out, mpfr_srcptr x)
{
    if (!mpfr_integer_p(x) || mpfr_sgn(x) < 0 || (!mpfr_zero_p(x) && mpfr_get_exp(x) > 64))
        return false;
    if (mpfr_fits_ulong_p(x, MPFR_RNDD)) {
        *out = mpfr_get_ui(x, MPFR_RNDD);
        return true;
    }
    mpz_t z;
    mpz_init(z);
    mpfr_get_z(z, x, MPFR_RNDD);
    bool fitted = wide_get_z(out, z);
    mpz_clear(z);
    return fitted;
}

/* 64 bits hold k, so that its interval is a point. */
static void point(mpfi_t out, uint64_t k)
{
    mpfi_init2(out, 64);
    wide_set_fr(&out->left, k, MPFR_RNDD);
    wide_set_fr(&out->right, k, MPFR_RNDU);
}

void wide_mul(mpfi_t out, mpfi_srcptr x, uint64_t k)
{
    if (fits(k)) {
        mpfi_mul_ui(out, x, (unsigned long)k);
        return;
    }
    mpfi_t z;
    point(z, k);
    mpfi_mul(out, x, z);
    mpfi_clear(z);
}

void wide_div(mpfi_t out, mpfi_srcptr x, uint64_t k)
{
    if (fits(k)) {
        mpfi_div_ui(out, x, (unsigned long)k);
        return;
    }
    mpfi_t z;
    point(z, k);
    mpfi_div(out, x, z);
    mpfi_clear(z);
}

uint64_t wide_product_portable(uint64_t *low, uint64_t a, uint64_t b)
{
    const uint64_t half = 0xffffffffU;
    uint64_t ll = (a & half) * (b & half), lh = (a & half) * (b >> 32), hl = (a >> 32) * (b & half);
    uint64_t middle = (ll >> 32) + (lh & half) + (hl & half); /* below 3 2^32 */
    *low = middle << 32 | (ll & half);
    return (a >> 32) * (b >> 32) + (lh >> 32) + (hl >> 32) + (middle >> 32);
}

/* Binary long division of high 2^64 + low: the remainder stays below m, and doubling it may carry
 * out of 64 bits, in which case m is below what is subtracted from. */
uint64_t wide_product_mod_portable(uint64_t a, uint64_t b, uint64_t m)
{
    uint64_t low, r = wide_product_portable(&low, a, b) % m;
    for (int i = 63; i >= 0; i--) {
        bool carry = r >> 63 != 0;
        r = r << 1 | (low >> i & 1);
        if (carry || r >= m)
            r -= m;
    }
    return r;
}
