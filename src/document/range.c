/* SPDX-License-Identifier: MIT */
/* The points of a range: they are chosen, as decimals where they can be, and then exact. */
#include "document/range.h"

#include <mpfr.h>
#include <stdio.h>
#include <string.h>

#include "num/number.h"

static bool is_decimal(const mpq_t q)
{
    mpz_t rest, five;
    mpz_init(rest);
    mpz_init_set_ui(five, 5);
    mpz_fdiv_q_2exp(rest, mpq_denref(q), mpz_scan1(mpq_denref(q), 0));
    mpz_remove(rest, rest, five);
    bool is = mpz_cmp_ui(rest, 1) == 0;
    mpz_clear(five);
    mpz_clear(rest);
    return is;
}

/* q to the nearest decimal, off by less than 10^-5 of a step. */
static void round_point(mpq_t q, const mpq_t step)
{
    mpz_t unit;
    size_t above = mpz_sizeinbase(mpq_numref(step), 10),
           below = mpz_sizeinbase(mpq_denref(step), 10) + 6;
    mpz_init(unit);
    mpz_ui_pow_ui(unit, 10, below > above ? below - above : 0);
    mpz_mul(mpq_numref(q), mpq_numref(q), unit);
    mpz_mul_2exp(mpq_numref(q), mpq_numref(q), 1);
    mpz_add(mpq_numref(q), mpq_numref(q), mpq_denref(q));
    mpz_mul_2exp(mpq_denref(q), mpq_denref(q), 1);
    mpz_fdiv_q(mpq_numref(q), mpq_numref(q), mpq_denref(q));
    mpz_set(mpq_denref(q), unit);
    mpq_canonicalize(q);
    mpz_clear(unit);
}

void range_even(dp_number *x, const value *v, size_t i)
{
    bool end = i == 0 || i + 1 == v->count;
    mpq_t q, step;
    mpq_init(q);
    mpq_init(step);
    mpq_set_ui(q, 1, v->count > 1 ? v->count - 1 : 1);
    mpq_sub(step, number_rational(&v->second), number_rational(&v->number));
    mpq_mul(step, step, q);
    mpq_set_ui(q, i, 1);
    mpq_mul(q, q, step);
    mpq_add(q, q, number_rational(&v->number));
    if (!end && !is_decimal(q))
        round_point(q, step);
    number_set_q(x, q);
    mpq_clear(step);
    mpq_clear(q);
}

void range_log(dp_number *x, const value *v, size_t i)
{
    if (i == 0 || i + 1 == v->count) {
        dp_number_set(x, i == 0 ? &v->number : &v->second);
        return;
    }
    mpfr_t a, b;
    mpfr_init2(a, 128);
    mpfr_init2(b, 128);
    mpfr_set_q(a, number_rational(&v->number), MPFR_RNDN);
    mpfr_set_q(b, number_rational(&v->second), MPFR_RNDN);
    mpfr_log(a, a, MPFR_RNDN);
    mpfr_log(b, b, MPFR_RNDN);
    mpfr_sub(b, b, a, MPFR_RNDN);
    mpfr_mul_ui(b, b, i, MPFR_RNDN);
    mpfr_div_ui(b, b, v->count - 1, MPFR_RNDN);
    mpfr_add(a, a, b, MPFR_RNDN);
    mpfr_exp(a, a, MPFR_RNDN);
    char digits[16], text[64];
    mpfr_exp_t point;
    mpfr_get_str(digits, &point, 10, 6, a, MPFR_RNDN);
    snprintf(text, sizeof text, ".%se%d", digits, (int)point);
    dp_number_parse(x, text, strlen(text), NULL);
    mpfr_clear(b);
    mpfr_clear(a);
}
