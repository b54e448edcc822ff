/* SPDX-License-Identifier: MIT */
/* Exact numbers of the form  r + sum c_i ln(b_i)  with rational r, c_i and positive rational b_i.
 * Every tie that a closed form can meet is a question about the sign of such a number, and that
 * sign is decidable: intervals never separate equal sides, so zero is settled in integers. */
#ifndef NUM_LOGFORM_H
#define NUM_LOGFORM_H

#include <gmp.h>
#include <mpfi.h>
#include <stdbool.h>
#include <stddef.h>

#include "dpacct/number.h"

typedef struct logterm {
    mpq_t coefficient, base;
} logterm;

typedef struct logform {
    mpq_t rational;
    logterm *term;
    size_t count, room;
    const struct limits *lim; /* of the time that its logarithms take; NULL: none. Not copied. */
} logform;

void logform_init(logform *f);
void logform_clear(logform *f);
/* to = from; false when out of memory */
bool logform_set(logform *to, const logform *from);

/* f += c * x and f += c * ln(b), b > 0; equal bases are merged. False when out of memory. */
bool logform_add_q(logform *f, const mpq_t c, const mpq_t x);
bool logform_add_log(logform *f, const mpq_t c, const mpq_t b);
/* f += c * ln(b) for a base that f does not hold yet: no search. */
bool logform_push_log(logform *f, const mpq_t c, const mpq_t b);
/* f += c * x, or f += x for c NULL */
bool logform_add_number(logform *f, mpq_srcptr c, const dp_number *x);
bool logform_add_form(logform *f, const mpq_t c, const logform *g);

/* out encloses the value, rounded outward at out's precision; where time is over, by less. */
void logform_enclose(mpfi_t out, const logform *f);

/* True when the value is the rational f->rational: no logarithms left, or only logarithms that
 * cancel (decided exactly, see logform_is_zero). */
bool logform_is_rational(const logform *f);

/* Is the value exactly 0? e^r is transcendental for rational r != 0 while prod b_i^c_i is
 * algebraic (Lindemann), so r != 0 answers no. Otherwise the b_i are written over pairwise coprime
 * integers by gcds alone, and the value is 0 iff every exponent is. */
bool logform_is_zero(const logform *f);

/* The sign of the value: exact, and always found, because a non-zero value is separated from 0 at
 * some precision. Returns false only when `max_bits` of precision do not separate it. */
bool logform_sign(int *sign, const logform *f, mpfr_prec_t max_bits);

/* The same by enclosures alone: false when the value is 0 or too near to it. */
bool logform_sign_apart(int *sign, const logform *f, mpfr_prec_t max_bits);

#endif
