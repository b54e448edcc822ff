/* SPDX-License-Identifier: MIT */
/* e^(i n theta) at many n: by the digits of n in base 16, so that each costs a product or two and
 * no sine. The upper digits are kept from one n to the next: best in ascending order. */
#ifndef NUM_TURNS_H
#define NUM_TURNS_H

#include "num/cdisc.h"

#define TURNS_BITS 4
#define TURNS_SIZE 16U

typedef struct turns {
    cdisc *row; /* row[16 k + d] = e^(i d 16^k theta) */
    size_t rows;
    cdisc high, scratch; /* of the digits of `head` */
    uint64_t head;
} turns;

/* For n up to `last`. False: out of memory; to be cleared in any case. */
bool turns_init(turns *t, mpfr_prec_t bits, uint64_t last);
void turns_clear(turns *t);

/* Any real theta of the interval, which has as many bits more than the turns as the largest angle
 * has before the point. */
void turns_set(turns *t, mpfi_srcptr theta);
/* theta = pi turn / period, turn < 2 period < 2^64: each row is placed exactly. */
void turns_place(turns *t, uint64_t turn, uint64_t period);

void turns_at(cdisc *out, turns *t, uint64_t n);

#endif
