/* SPDX-License-Identifier: MIT */
/* What the tests of laws share: enclosures beside digits, and one law by itself. */
#ifndef TESTS_LAW_H
#define TESTS_LAW_H

#include "support.h"

#include <math.h>

#include "loss/product.h"

/* x holds the number that the text gives to about `digits` digits, and is about as narrow as its
 * precision. */
static inline void holds_digits(const mpfi_t x, const char *text, unsigned digits)
{
    mpq_t value, slack, end;
    mpq_inits(value, slack, end, NULL);
    rational_of(value, text);
    mpq_abs(slack, value);
    mpz_ui_pow_ui(mpq_numref(end), 10, digits - 1);
    mpq_div(slack, slack, end);
    mpq_add(end, value, slack);
    assert_true(mpfr_cmp_q(&x->left, end) <= 0);
    mpq_sub(end, value, slack);
    assert_true(mpfr_cmp_q(&x->right, end) >= 0);
    if (mpfr_cmp(&x->left, &x->right) != 0) {
        mpfr_t width;
        mpfr_init2(width, 32);
        mpfr_sub(width, &x->right, &x->left, MPFR_RNDU);
        assert_true(mpfr_regular_p(&x->right));
        assert_true(mpfr_get_exp(width) <= mpfr_get_exp(&x->right) - mpfi_get_prec(x) + 4);
        mpfr_clear(width);
    }
    mpq_clears(value, slack, end, NULL);
}

typedef dp_status law_add(product *to, const mpq_t parameter, const mpz_t times);

static inline void add_law(product *to, law_add *add, const char *parameter, unsigned long times)
{
    mpq_t q;
    mpz_t n;
    mpq_init(q);
    mpz_init_set_ui(n, times);
    rational_of(q, parameter);
    assert_int_equal(add(to, q, n), DP_OK);
    mpz_clear(n);
    mpq_clear(q);
}

typedef dp_status law_of_number(product *to, const dp_number *x, const mpz_t times);

static inline void add_number_law(product *to, law_of_number *add, const char *number,
                                  unsigned long times)
{
    dp_number x;
    mpz_t n;
    dp_number_init(&x);
    mpz_init_set_ui(n, times);
    number_of(&x, number);
    assert_int_equal(add(to, &x, n), DP_OK);
    mpz_clear(n);
    dp_number_clear(&x);
}

static inline const loss *only_law(const product *p)
{
    assert_int_equal(p->count, 1);
    return &p->item[0];
}

/* x encloses the number of the text. */
static inline void number_in(mpfi_t x, const char *text)
{
    mpq_t q;
    mpq_init(q);
    rational_of(q, text);
    mpfi_set_q(x, q);
    mpq_clear(q);
}

/* s(x) of the law, beside digits, and its slope beside the difference of two values. */
static inline void check_profile(const loss *l, const char *x, const char *value, unsigned digits)
{
    mpfi_t s, at;
    mpfr_t slope;
    mpfi_init2(s, 130);
    mpfi_init2(at, 500);
    mpfr_init2(slope, 64);
    number_in(at, x);
    assert_true(l->ops->profile(s, slope, l->self, at));
    holds_digits(s, value, digits);
    double before = mpfi_get_d(s), fall = mpfr_get_d(slope, MPFR_RNDN);
    if (before > 1e-100 && before < 1) {
        double step = 1e-6 * before / fmax(fall, 1e-6 * before);
        mpfi_add_d(at, at, step);
        assert_true(l->ops->profile(s, slope, l->self, at));
        mpfi_t first;
        mpfi_init2(first, 130);
        number_in(first, value);
        mpfi_sub(first, first, s);
        assert_true(fabs(mpfi_get_d(first) / step - fall) <= 1e-3 * fall);
        mpfi_clear(first);
    }
    mpfr_clear(slope);
    mpfi_clear(at);
    mpfi_clear(s);
}

/* An interval of x holds the profile of all its numbers. */
static inline void check_wide_profile(const loss *l, const char *low, const char *high)
{
    mpfi_t s, part, at, end;
    mpfr_t slope;
    mpfi_init2(s, 100);
    mpfi_init2(part, 100);
    mpfi_init2(at, 100);
    mpfi_init2(end, 100);
    mpfr_init2(slope, 64);
    number_in(at, low);
    number_in(end, high);
    mpfi_union(at, at, end);
    assert_true(l->ops->profile(s, slope, l->self, at));
    for (int i = 0; i <= 8; i++) {
        mpfi_sub(end, end, end);
        mpfr_sub(&end->left, &at->right, &at->left, MPFR_RNDD);
        mpfr_mul_d(&end->left, &end->left, i / 8.0, MPFR_RNDD);
        mpfr_add(&end->left, &end->left, &at->left, MPFR_RNDD);
        mpfr_set(&end->right, &end->left, MPFR_RNDN);
        assert_true(l->ops->profile(part, slope, l->self, end));
        assert_true(mpfr_lessequal_p(&s->left, &part->right));
        assert_true(mpfr_greaterequal_p(&s->right, &part->left));
    }
    mpfr_clear(slope);
    mpfi_clear(end);
    mpfi_clear(at);
    mpfi_clear(part);
    mpfi_clear(s);
}

/* K is exactly 0 at 0 and -1, and an interval holds what its numbers have. */
static inline void check_zeros(const loss *l)
{
    const char *const wide[][2] = {{"-1", "1"}, {"-1", "-2/3"}, {"1/4", "5"}, {"-3/4", "-1/3"}};
    mpfi_t k, part, z, end;
    mpfi_init2(k, 100);
    mpfi_init2(part, 100);
    mpfi_init2(z, 100);
    mpfi_init2(end, 100);
    for (int zero = -1; zero <= 0; zero++) {
        mpfi_set_si(z, zero);
        l->ops->log_moment(k, l->self, z, NULL);
        assert_true(mpfi_is_zero(k));
    }
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        number_in(z, wide[i][0]);
        number_in(end, wide[i][1]);
        mpfi_union(z, z, end);
        l->ops->log_moment(k, l->self, z, NULL);
        for (int j = 0; j <= 16; j++) {
            mpfr_sub(&end->left, &z->right, &z->left, MPFR_RNDD);
            mpfr_mul_d(&end->left, &end->left, j / 16.0, MPFR_RNDD);
            mpfr_add(&end->left, &end->left, &z->left, MPFR_RNDD);
            mpfr_set(&end->right, &end->left, MPFR_RNDN);
            l->ops->log_moment(part, l->self, end, NULL);
            assert_true(mpfr_lessequal_p(&k->left, &part->left));
            assert_true(mpfr_greaterequal_p(&k->right, &part->right));
        }
    }
    mpfi_clear(end);
    mpfi_clear(z);
    mpfi_clear(part);
    mpfi_clear(k);
}

/* K' and K'' beside differences of K. */
static inline void check_guess(const loss *l, double z)
{
    double h = 0x1p-12, near[3], at[3] = {0};
    mpfi_t k, point;
    mpfi_init2(k, 200);
    mpfi_init2(point, 60);
    for (int i = 0; i < 3; i++) {
        mpfi_set_d(point, z + (i - 1) * h);
        l->ops->log_moment(k, l->self, point, NULL);
        near[i] = mpfi_get_d(k);
    }
    l->ops->guess(at, l->self, z, LOSS_K | LOSS_K1 | LOSS_K2);
    double first = (near[2] - near[0]) / (2 * h), size = fabs(near[1]) + at[2];
    double second = (near[2] - 2 * near[1] + near[0]) / (h * h);
    assert_true(fabs(at[0] - near[1]) <= 1e-6 * size);
    assert_true(fabs(at[1] - first) <= 1e-5 * (fabs(first) + size));
    assert_true(fabs(at[2] - second) <= 1e-4 * at[2] + 1e-15 * size / (h * h));
    mpfi_clear(point);
    mpfi_clear(k);
}

#endif
