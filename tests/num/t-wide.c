/* SPDX-License-Identifier: MIT */
/* 64-bit integers and their products against GMP's own arithmetic; on a machine whose `long` has
 * 32 bits the ways through an integer of GMP are taken. */
#include "support.h"

#include "num/wide.h"

static uint64_t state = 1;

/* Numbers near powers of two more often than not: the ends of the halves are where a carry is. */
static uint64_t next(void)
{
    state = state * 6364136223846793005U + 1442695040888963407U;
    uint64_t x = state ^ state >> 29;
    unsigned shift = (unsigned)(x >> 58);
    switch (x % 4) {
    case 0:
        return UINT64_MAX << shift;
    case 1:
        return UINT64_MAX >> shift;
    case 2:
        return (UINT64_C(1) << shift) + (x >> 20 & 3) - 1;
    default:
        return x;
    }
}

static void gmp_set(mpz_t out, uint64_t k) /* in two halves: no function of wide.h */
{
    mpz_set_ui(out, (unsigned long)(k >> 32));
    mpz_mul_2exp(out, out, 32);
    mpz_add_ui(out, out, (unsigned long)(k & 0xffffffffU));
}

static void products(void **unused)
{
    (void)unused;
    mpz_t x, y, z;
    mpz_inits(x, y, z, NULL);
    for (int i = 0; i < 20000; i++) {
        uint64_t a = next(), b = next(), m = next() | 1, low, slow;
        uint64_t high = wide_product(&low, a, b);
        assert_int_equal(wide_product_portable(&slow, a, b), high);
        assert_int_equal(slow, low);
        gmp_set(x, a);
        gmp_set(y, b);
        mpz_mul(x, x, y);
        gmp_set(y, high);
        mpz_mul_2exp(y, y, 64);
        gmp_set(z, low);
        mpz_add(y, y, z);
        assert_int_equal(mpz_cmp(x, y), 0);
        gmp_set(z, m);
        mpz_mod(x, x, z);
        gmp_set(y, wide_product_mod(a, b, m));
        assert_int_equal(mpz_cmp(x, y), 0);
        assert_int_equal(wide_product_mod_portable(a, b, m), wide_product_mod(a, b, m));
    }
    mpz_clears(x, y, z, NULL);
}

static void integers(void **unused)
{
    (void)unused;
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    for (int i = 0; i < 20000; i++) {
        uint64_t a = next(), b = next() | 1, back = 0;
        gmp_set(y, a);
        wide_set_z(x, a);
        assert_int_equal(mpz_cmp(x, y), 0);
        assert_true(wide_get_z(&back, x) && back == a);
        wide_mul_z(x, x, b);
        assert_int_equal(wide_mod_z(x, b), 0);
        mpz_neg(x, x);
        mpz_sub_ui(x, x, 1);
        assert_int_equal(wide_mod_z(x, b), b - 1);
        assert_false(wide_get_z(&back, x));
    }
    mpz_set_ui(x, 1);
    mpz_mul_2exp(x, x, 64);
    uint64_t kept = 7;
    assert_false(wide_get_z(&kept, x));
    assert_int_equal(kept, 7);
    mpz_clears(x, y, NULL);
}

/* At 40 bits most results are inexact: each end is on its side of the exact number. */
static void floats(void **unused)
{
    (void)unused;
    mpfr_t low, high, third, product;
    mpfi_t in, out;
    mpz_t z;
    mpz_init(z);
    mpfr_inits2(40, low, high, third, (mpfr_ptr)0);
    mpfr_init2(product, 200);
    mpfi_init2(in, 40);
    mpfi_init2(out, 40);
    mpfr_set_ui(third, 1, MPFR_RNDN);
    mpfr_div_ui(third, third, 3, MPFR_RNDN);
    mpfi_set_fr(in, third);
    for (int i = 0; i < 20000; i++) {
        uint64_t a = next() | 1;
        gmp_set(z, a);
        wide_set_fr(low, a, MPFR_RNDD);
        wide_set_fr(high, a, MPFR_RNDU);
        assert_true(mpfr_cmp_z(low, z) <= 0 && mpfr_cmp_z(high, z) >= 0);
        assert_int_equal(wide_cmp_fr(low, a) > 0, mpfr_cmp_z(low, z) > 0);
        assert_int_equal(wide_cmp_fr(high, a) > 0, mpfr_cmp_z(high, z) > 0);
        uint64_t back = 0;
        mpfr_set_z(product, z, MPFR_RNDN); /* 200 bits: exact, as the products below */
        assert_true(wide_cmp_fr(product, a) == 0 && wide_get_fr(&back, product) && back == a);
        mpfr_add_d(product, product, 0.5, MPFR_RNDN);
        assert_false(wide_get_fr(&back, product));
        mpfr_mul_z(product, third, z, MPFR_RNDN);
        wide_mul_fr(low, third, a, MPFR_RNDD);
        wide_mul_fr(high, third, a, MPFR_RNDU);
        assert_true(mpfr_lessequal_p(low, product) && mpfr_lessequal_p(product, high));
        wide_mul(out, in, a);
        assert_true(mpfr_equal_p(low, &out->left) && mpfr_equal_p(high, &out->right));
        wide_div_fr(low, third, a, MPFR_RNDD);
        wide_div_fr(high, third, a, MPFR_RNDU);
        mpfr_mul_z(product, low, z, MPFR_RNDN);
        assert_true(mpfr_lessequal_p(product, third));
        mpfr_mul_z(product, high, z, MPFR_RNDN);
        assert_true(mpfr_greaterequal_p(product, third));
        wide_div(out, in, a);
        assert_true(mpfr_equal_p(low, &out->left) && mpfr_equal_p(high, &out->right));
    }
    mpfi_clear(in);
    mpfi_clear(out);
    mpfr_clears(low, high, third, product, (mpfr_ptr)0);
    mpz_clear(z);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products),
        cmocka_unit_test(integers),
        cmocka_unit_test(floats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
