/* SPDX-License-Identifier: MIT */
/* Functions of numbers of one word, in integers of two: the same bits as MPFR, which answers where
 * they cannot decide or the numbers are longer. */
#ifndef NUM_WORD_H
#define NUM_WORD_H

#include <gmp.h>
#include <mpfi.h>
#include <stdbool.h>

/* As mpfr_exp, mpfr_expm1 and mpfr_log1p, correctly rounded; `way` is MPFR_RNDD or MPFR_RNDU. Never
 * exact but at 0. */
int word_exp(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t way);
int word_expm1(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t way);
int word_log1p(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t way);

/* out = tanh(x/2) rounded down, never exact. False, and nothing set, where x is not positive and
 * below 2, the numbers are longer, or it is not decided. */
bool word_tanh_half(mpfr_t out, mpfr_srcptr x);

/* out = a n in lowest terms, as a is. */
void word_mul_z(mpq_t out, mpq_srcptr a, mpz_srcptr n);

/* As mpfi_set_q. */
void word_set_q(mpfi_t out, mpq_srcptr q);

#endif
