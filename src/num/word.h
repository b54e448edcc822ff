/* SPDX-License-Identifier: MIT */
/* Functions of numbers of one word, in integers of two: the same bits as MPFR, which answers where
 * they cannot decide or the numbers are longer. */
#ifndef NUM_WORD_H
#define NUM_WORD_H

#include <gmp.h>
#include <mpfi.h>

/* As mpfr_expm1 and mpfr_log1p, correctly rounded; `way` is MPFR_RNDD or MPFR_RNDU. Never exact but
 * at 0. */
int word_expm1(mpfr_t out, mpfr_srcptr x, mpfr_rnd_t way);
int word_log1p(mpfr_t out, mpfr_srcptr x, mpfr_rnd_t way);

/* As mpfi_set_q. */
void word_set_q(mpfi_t out, mpq_srcptr q);

#endif
