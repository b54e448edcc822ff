/* SPDX-License-Identifier: MIT */
/* Functions of numbers of one word: bit for bit what MPFR and MPFI give. */
#include "support.h"

#include "num/word.h"

typedef int function(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t way);

static void same(function *f, function *g, mpfr_srcptr x, mpfr_prec_t bits)
{
    mpfr_t a, b;
    mpfr_inits2(bits, a, b, (mpfr_ptr)NULL);
    for (int up = 0; up < 2; up++) {
        mpfr_rnd_t way = up ? MPFR_RNDU : MPFR_RNDD;
        int one = f(a, x, way), two = g(b, x, way);
        assert_true(mpfr_equal_p(a, b) || (mpfr_nan_p(a) && mpfr_nan_p(b)));
        assert_int_equal((one > 0) - (one < 0), (two > 0) - (two < 0));
    }
    mpfr_clears(a, b, (mpfr_ptr)NULL);
}

/* A number of one word, with runs of equal bits more often than not. */
static void draw(mpfr_t x, rng *r)
{
    mpfr_prec_t bits = 1 + (mpfr_prec_t)rng_below(r, 70);
    mpfr_set_prec(x, bits);
    mpfr_set_ui(x, (unsigned long)rng_wide(r, 1ULL << 32) | 1, MPFR_RNDN);
    if (rng_below(r, 2) == 0)
        mpfr_mul_2ui(x, x, 32, MPFR_RNDN);
    mpfr_add_ui(x, x, (unsigned long)rng_wide(r, 1ULL << 32), MPFR_RNDN);
    if (rng_below(r, 3) == 0)
        mpfr_set_ui(x, 1 + (unsigned long)rng_below(r, 100), MPFR_RNDN);
    if (rng_below(r, 4) == 0)
        mpfr_nextbelow(x);
    mpfr_set_exp(x, 3 - (mpfr_exp_t)rng_below(r, rng_below(r, 2) == 0 ? 12 : 70));
    if (rng_below(r, 2) == 0)
        mpfr_neg(x, x, MPFR_RNDN);
}

static void test_functions(void **state)
{
    (void)state;
    rng r = rng_make(1);
    mpfr_t x;
    mpfr_init2(x, 64);
    for (int i = 0; i < rounds(20000); i++) {
        mpfr_prec_t bits = i % 3 == 0 ? 1 + (mpfr_prec_t)rng_below(&r, 70) : 63;
        draw(x, &r);
        same(word_exp, mpfr_exp, x, bits);
        same(word_expm1, mpfr_expm1, x, bits);
        same(word_log1p, mpfr_log1p, x, bits);
        mpfr_set_exp(x, 1 + (mpfr_exp_t)rng_below(&r, 15)); /* far, and beyond what is one's own */
        same(word_exp, mpfr_exp, x, bits);
        same(word_expm1, mpfr_expm1, x, bits);
    }
    static const double special[] = {0, -1, 1, 2, -2, 0.0625, -0.0625, 0.03125, 0.00390625};
    mpfr_set_prec(x, 53);
    for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
        mpfr_set_d(x, special[i], MPFR_RNDN);
        same(word_exp, mpfr_exp, x, 64);
        same(word_expm1, mpfr_expm1, x, 64);
        same(word_log1p, mpfr_log1p, x, 64);
    }
    /* next to 2^14, to 2^-49, where no bit is cut, and to multiples of ln 2, where e^x is next to a
     * power of two */
    mpfr_set_prec(x, 64);
    for (int i = -30000; i <= 30000; i += i > -150 && i < 150 ? 1 : 71) {
        mpfr_const_log2(x, MPFR_RNDN);
        mpfr_mul_si(x, x, i, MPFR_RNDN);
        for (int j = 0; j < 5; j++, mpfr_nextabove(x)) {
            same(word_exp, mpfr_exp, x, 64);
            same(word_expm1, mpfr_expm1, x, 64);
        }
    }
    for (int i = 0; i < 4; i++) {
        mpfr_set_si_2exp(x, i % 2 == 0 ? 1 : -1, i < 2 ? 14 : -49, MPFR_RNDN);
        mpfr_nextbelow(x);
        for (int j = 0; j < 3; j++, mpfr_nextabove(x)) {
            same(word_exp, mpfr_exp, x, 64);
            same(word_expm1, mpfr_expm1, x, 64);
        }
    }
    mpfr_clear(x);
}

static void test_tanh_half(void **state)
{
    (void)state;
    rng r = rng_make(3);
    mpfr_t x, half, a, b;
    mpfr_inits2(64, x, half, a, b, (mpfr_ptr)NULL);
    size_t found = 0;
    for (int i = 0; i < rounds(20000); i++) {
        draw(x, &r);
        mpfr_set_prec(half, mpfr_get_prec(x));
        mpfr_div_2ui(half, x, 1, MPFR_RNDN);
        if (!word_tanh_half(a, x))
            continue;
        mpfr_tanh(b, half, MPFR_RNDD);
        assert_true(mpfr_equal_p(a, b));
        found++;
    }
    assert_true(found > (size_t)rounds(20000) / 8 || sizeof(void *) < 8);
    mpfr_clears(x, half, a, b, (mpfr_ptr)NULL);
}

static void test_products(void **state)
{
    (void)state;
    rng r = rng_make(4);
    mpq_t a, b, c;
    mpz_t n;
    mpq_inits(a, b, c, NULL);
    mpz_init(n);
    for (int i = 0; i < rounds(20000); i++) {
        mpz_set_ui(mpq_numref(a), (unsigned long)rng_below(&r, 1ULL << (i % 32)));
        mpz_set_ui(mpq_denref(a), 1 + (unsigned long)rng_below(&r, 1ULL << (i / 3 % 32)));
        mpz_mul_2exp(mpq_denref(a), mpq_denref(a), rng_below(&r, 40));
        mpz_set_ui(n, (unsigned long)rng_below(&r, 1ULL << (i / 5 % 32)));
        mpz_mul_2exp(n, n, rng_below(&r, 40));
        if (i % 3 == 0)
            mpz_neg(n, n);
        if (i % 2 == 0)
            mpz_neg(mpq_numref(a), mpq_numref(a));
        mpq_canonicalize(a);
        mpq_set_z(b, n);
        mpq_mul(b, b, a);
        word_mul_z(c, a, n);
        assert_true(mpq_equal(b, c));
        word_mul_z(a, a, n);
        assert_true(mpq_equal(a, b));
    }
    mpz_clear(n);
    mpq_clears(a, b, c, NULL);
}

static void test_quotients(void **state)
{
    (void)state;
    rng r = rng_make(2);
    mpq_t q;
    mpfi_t a, b;
    mpq_init(q);
    mpfi_init2(a, 64);
    mpfi_init2(b, 64);
    for (int i = 0; i < rounds(20000); i++) {
        mpfr_prec_t bits = 2 + (mpfr_prec_t)rng_below(&r, 66);
        mpfi_set_prec(a, bits);
        mpfi_set_prec(b, bits);
        mpz_set_ui(mpq_numref(q), (unsigned long)rng_below(&r, 1ULL << (i % 32)));
        mpz_set_ui(mpq_denref(q), 1 + (unsigned long)rng_below(&r, 1ULL << (i / 3 % 32)));
        mpz_mul_2exp(mpq_numref(q), mpq_numref(q), rng_below(&r, 34));
        mpz_mul_2exp(mpq_denref(q), mpq_denref(q), rng_below(&r, 34));
        if (i % 5 == 0)
            mpz_sub_ui(mpq_numref(q), mpq_numref(q), 1);
        if (i % 2 == 0)
            mpz_neg(mpq_numref(q), mpq_numref(q));
        mpq_canonicalize(q);
        word_set_q(a, q);
        mpfi_set_q(b, q);
        assert_true(mpfr_equal_p(&a->left, &b->left) && mpfr_equal_p(&a->right, &b->right));
    }
    mpfi_clear(b);
    mpfi_clear(a);
    mpq_clear(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions), cmocka_unit_test(test_tanh_half),
        cmocka_unit_test(test_products), cmocka_unit_test(test_quotients)};
    return cmocka_run_group_tests_name("word", tests, NULL, NULL);
}
