/* SPDX-License-Identifier: MIT */
/* The ways to read and to set a number, so that a logarithm is never taken for a rational: outside
 * the files that tests/arch lists nothing touches `value` itself. */
#ifndef NUM_NUMBER_H
#define NUM_NUMBER_H

#include "dpacct/number.h"

/* The rational that x is. NULL for a logarithm, which is then read by nothing, and for NULL. */
mpq_srcptr number_rational(const dp_number *x);

/* R where x is ln(R), else NULL. */
mpq_srcptr number_odds(const dp_number *x);

/* The integer that x is, else NULL. */
mpz_srcptr number_integer(const dp_number *x);

/* A total order for lists, not that of the values: rationals stand before logarithms. */
int number_order(const dp_number *a, const dp_number *b);

/* Bits of the two integers that x is written with. */
size_t number_bits(const dp_number *x);

void number_set_q(dp_number *x, mpq_srcptr value);
void number_set_d(dp_number *x, double value); /* finite; the double is that rational */
void number_set_log(dp_number *x, mpq_srcptr odds);

#endif
