/* SPDX-License-Identifier: MIT */
/* Complex numbers of the closed unit disc whose roundings are counted, for long products: what a
 * ball (num/cball.h) costs a product is charged once, when a ball is made of the end. With
 * u = 2^-p, p the precision of both parts, which is the same for all that meet, re + i im stands
 * for a number z with
 *     |z| <= 1  and  |z - (re + i im)| <= (1 + u)^count - 1.
 * Products then add counts, whatever the order, and two more for their own rounding: the proof is
 * with the function that counts. A count is units 2^shift, rounded up: no number of factors is too
 * large for it. Numbers that enter are known to be in the disc; outputs may be inputs. */
#ifndef NUM_CDISC_H
#define NUM_CDISC_H

#include "num/cball.h"

typedef struct cdisc {
    mpfr_t re, im;
    uint64_t units, shift;
} cdisc;

void cdisc_init(cdisc *z, mpfr_prec_t bits); /* 1 */
void cdisc_clear(cdisc *z);
/* `count` of them; NULL: out of memory. A NULL may be freed, too. */
cdisc *cdisc_list_new(size_t count, mpfr_prec_t bits);
void cdisc_list_free(cdisc *list, size_t count);

void cdisc_set_one(cdisc *out);
void cdisc_set(cdisc *out, const cdisc *a);
void cdisc_set_i(cdisc *out, mpfi_srcptr x); /* a real number */

/* out = e^(i pi r / n) for 0 <= r < 2n < 2^64; exact at r = 0 and r = n */
void cdisc_unit(cdisc *out, uint64_t r, uint64_t n);
/* out = e^(i n theta) for any real theta within `away` of `middle`. The angle is rounded to the
 * bits of the middle, which should be more than p by what it has before the point. */
void cdisc_turn(cdisc *out, mpfr_srcptr middle, mpfr_srcptr away, uint64_t n);

/* out = a b; scratch is none of the others, and is overwritten */
void cdisc_mul(cdisc *out, const cdisc *a, const cdisc *b, cdisc *scratch);
/* out = a^times, times >= 1; out is not a */
void cdisc_pow(cdisc *out, const cdisc *a, const mpz_t times, cdisc *scratch);
/* out = Re a + i t Im a for a real t of the disc: the mean of a and its conjugate with the weights
 * (1 + t)/2 and (1 - t)/2 */
void cdisc_lean(cdisc *out, const cdisc *a, const cdisc *t);

void cdisc_ball(cball *out, const cdisc *z);
void cdisc_set_ball(cdisc *out, const cball *a); /* of which what is in the disc counts */

#endif
