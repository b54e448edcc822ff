/* SPDX-License-Identifier: MIT */
/* Complex balls in MPFR. A ball holds every complex number z with
 *     |z - (re + i im)| <= radius  and  |z| <= size.
 * The midpoint has the precision that the ball was made with and is rounded to nearest; radius and
 * size are rounded up. Each function makes a ball that holds the value of the function at all
 * points of its inputs, at the precision of the output; outputs may be inputs. The bound of the
 * modulus is carried along through products, where the errors are relative to it: taken afresh it
 * would cost a square root each time.
 *     Nothing fails: where nothing is known (a pole, an overflow, a NaN) radius or size is infinite
 * and the midpoint 0. No part of a ball is ever a NaN. */
#ifndef NUM_CBALL_H
#define NUM_CBALL_H

#include <gmp.h>
#include <mpfi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CBALL_BOUND_BITS 32 /* of radius and size */

typedef struct cball {
    mpfr_t re, im, radius, size;
} cball;

void cball_init(cball *z, mpfr_prec_t bits); /* 0 */
void cball_clear(cball *z);
/* `count` of them; NULL: out of memory. A NULL may be freed, too. */
cball *cball_list_new(size_t count, mpfr_prec_t bits);
void cball_list_free(cball *list, size_t count);

void cball_set(cball *out, const cball *a);
void cball_set_ui(cball *out, unsigned long x);
void cball_set_fr(cball *out, mpfr_srcptr re, mpfr_srcptr im);
void cball_set_i(cball *out, mpfi_srcptr x);                      /* a real number */
void cball_set_parts(cball *out, mpfi_srcptr re, mpfi_srcptr im); /* measured, see below */
/* whatever is within `radius` of re + i im and at most `size` */
void cball_set_disc(cball *out, mpfr_srcptr re, mpfr_srcptr im, mpfr_srcptr radius,
                    mpfr_srcptr size);

/* out = e^(i pi r / n) for 0 <= r < 2n < 2^64; exact at r = 0 and r = n */
void cball_unit(cball *out, uint64_t r, uint64_t n);
/* out = e^(i theta), e^(x + i theta). An angle known to 1 only, or beyond 2^65536, has turned any
 * way: the whole disc. */
void cball_turn(cball *out, mpfi_srcptr theta);
void cball_exp(cball *out, mpfi_srcptr x, mpfi_srcptr theta);

void cball_add(cball *out, const cball *a, const cball *b);
void cball_sub(cball *out, const cball *a, const cball *b);
void cball_mul(cball *out, const cball *a, const cball *b);
void cball_mul_i(cball *out, const cball *a, mpfi_srcptr x);
void cball_pow(cball *out, const cball *a, const mpz_t times); /* times >= 0; a^0 = 1 */
void cball_inv(cball *out, const cball *a);                    /* 1 / a */
void cball_one_minus(cball *out, const cball *a);              /* measured, see below */

/* |z| <= bound is known of every number that matters: the others are dropped. */
void cball_cap(cball *z, mpfr_srcptr bound);
/* The bound of the modulus taken afresh from the midpoint, where that is smaller: after sums. */
void cball_measure(cball *z);

/* out = a b + c d, or a b - c d, rounded to nearest; 0 when exact. Not one of the inputs. */
int cball_two_products(mpfr_t out, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr c, mpfr_srcptr d,
                       bool minus);

/* out encloses the real part. */
void cball_real(mpfi_t out, const cball *z);

#endif
