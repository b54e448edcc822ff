/* SPDX-License-Identifier: MIT */
/* 64-bit integers beside GMP, MPFR and MPFI, whose own functions take a `long`, which has 32 bits
 * on some machines, and products of two of them. */
#ifndef NUM_WIDE_H
#define NUM_WIDE_H

#include <gmp.h>
#include <mpfi.h>
#include <stdbool.h>
#include <stdint.h>

void wide_set_z(mpz_t out, uint64_t k);
bool wide_get_z(uint64_t *out, const mpz_t x); /* false, and nothing set, when x does not fit */
void wide_mul_z(mpz_t out, const mpz_t x, uint64_t k);
uint64_t wide_mod_z(const mpz_t x, uint64_t modulus); /* in [0, modulus), also for x < 0 */

/* As mpfr_cmp_ui, mpfr_set_ui, mpfr_mul_ui and mpfr_div_ui: exact, and correctly rounded. */
int wide_cmp_fr(mpfr_srcptr x, uint64_t k);
int wide_set_fr(mpfr_t out, uint64_t k, mpfr_rnd_t way);
int wide_mul_fr(mpfr_t out, mpfr_srcptr x, uint64_t k, mpfr_rnd_t way);
int wide_div_fr(mpfr_t out, mpfr_srcptr x, uint64_t k, mpfr_rnd_t way);

/* *out = x, an integer; false, and nothing set, when it is none that fits. */
bool wide_get_fr(uint64_t *out, mpfr_srcptr x);

/* As mpfi_mul_ui and mpfi_div_ui: rounded outward. */
void wide_mul(mpfi_t out, mpfi_srcptr x, uint64_t k);
void wide_div(mpfi_t out, mpfi_srcptr x, uint64_t k);

/* a b = high 2^64 + low, and a b mod m for m > 0: exact. The _portable forms are for compilers
 * without a 128-bit type, and for the test that compares. */
uint64_t wide_product_portable(uint64_t *low, uint64_t a, uint64_t b);
uint64_t wide_product_mod_portable(uint64_t a, uint64_t b, uint64_t m);

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide_u128;

static inline uint64_t wide_product(uint64_t *low, uint64_t a, uint64_t b)
{
    wide_u128 x = (wide_u128)a * b;
    *low = (uint64_t)x;
    return (uint64_t)(x >> 64);
}

static inline uint64_t wide_product_mod(uint64_t a, uint64_t b, uint64_t m)
{
    return (uint64_t)((wide_u128)a * b % m);
}
#else
#define wide_product wide_product_portable
#define wide_product_mod wide_product_mod_portable
#endif

#endif
