/* SPDX-License-Identifier: MIT */
#ifndef LOSS_DISCRETE_GAUSSIAN_NODES_H
#define LOSS_DISCRETE_GAUSSIAN_NODES_H

#include "loss/loss.h"

typedef struct integer_noise {
    mpq_t sigma2;
    mpz_t distance, times;  /* D */
    dp_number half;         /* D / (2 sigma2): losses are multiples of it, 2 of them apart */
    double variance, moved; /* about sigma2 and D */
    double count;           /* about times */
} integer_noise;

/* All discrete Gaussian noise of a product. */
typedef struct discrete_gaussian {
    integer_noise *item; /* ascending, distinct in sigma2 and D */
    size_t items, room;
} discrete_gaussian;

/* norm = theta(0) and fall = theta(0) - theta(w), nothing cancels. */
void discrete_gaussian_waves(mpfi_t norm, mpfi_t fall, const mpfi_t sigma2, const mpfi_t w);
/* Bits by which theta(w) may be smaller than theta(0). */
mpfr_prec_t discrete_gaussian_lost(double variance);

/* Operations of the law. */
dp_status discrete_gaussian_multiply(cball *phi, const void *self, const line *at,
                                     const uint64_t *node, size_t count, const limits *lim);
size_t discrete_gaussian_resonances(scan_item *out, size_t room, const void *self, const line *at);

#endif
