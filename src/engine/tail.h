/* SPDX-License-Identifier: MIT */
/* Certified bounds through the moment function: K(z) = ln E_P e^(zL) at doubles z, and what a
 * period of a trapezoidal sum folds in. */
#ifndef ENGINE_TAIL_H
#define ENGINE_TAIL_H

#include <mpfi.h>

#include "engine/tilt.h"
#include "loss/product.h"

/* out = K(z), exactly 0 at z = 0, z >= -1, also at enclosed z; and out = k + width2 z (z + 1) / 2,
 * the same with a Gaussian loss more. */
void tail_k(mpfi_t out, const product *p, double z, const limits *lim);
void tail_k_at(mpfi_t out, const product *p, const mpfi_t z, const limits *lim);
void tail_widen(mpfi_t out, const mpfi_t k, double z, mpfr_srcptr width2);

/* out = e^(k - z x) for k = tail_k at z */
void tail_chernoff(mpfi_t out, const mpfi_t k, const mpfi_t x, double z);

/* most += e^(k - z x) y / (1 - y), y = e^(-|z - c| period): the sum of all aliases on the side of
 * z, each a period further. Rounded up. */
void tail_alias(mpfr_t most, const mpfi_t k, const mpfi_t x, double z, double c,
                const mpfi_t period);

/* z > c with about the least K(z) - z x - (z - c) period, and that value. */
double tail_best_above(const tilt *t, double width2, double c, double x, double period, double *z);

/* The same in two steps, for several periods: orders with K(z) - z x. */
#define TAIL_TRIALS 100
typedef struct tail_trials {
    int count;
    double c, z[TAIL_TRIALS], log[TAIL_TRIALS];
} tail_trials;

void tail_trials_init(tail_trials *all, const tilt *t, double width2, double c, double x);
double tail_trials_best(const tail_trials *all, double period, double *z);

/* x with 24 significant bits: exact wherever it is used. */
double tail_short(double x);

#endif
