/* SPDX-License-Identifier: MIT */
/* The points of a range: they are chosen, and then exact. */
#include "document/range.h"

#include <mpfr.h>
#include <stdio.h>
#include <string.h>

#include "num/number.h"

void range_even(dp_number *x, const value *v, size_t i)
{
    mpq_t part;
    mpq_init(part);
    mpq_set_ui(part, i, v->count > 1 ? v->count - 1 : 1);
    mpq_canonicalize(part);
    mpq_t q;
    mpq_init(q);
    mpq_sub(q, number_rational(&v->second), number_rational(&v->number));
    mpq_mul(q, q, part);
    mpq_add(q, q, number_rational(&v->number));
    number_set_q(x, q);
    mpq_clear(q);
    mpq_clear(part);
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
