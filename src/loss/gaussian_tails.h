/* SPDX-License-Identifier: MIT */
/* Tails of the normal distribution at many numbers, at one precision. */
#ifndef LOSS_GAUSSIAN_TAILS_H
#define LOSS_GAUSSIAN_TAILS_H

#include <mpfi.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct gaussian_tails {
    double h;
    size_t count;
    mpfi_t *factor; /* e^(-n^2 h^2), n >= 1 */
    mpfr_t missed, rest;
} gaussian_tails;

/* False: out of memory; cleared then all the same. */
bool gaussian_tails_init(gaussian_tails *t, mpfr_prec_t bits);
void gaussian_tails_clear(gaussian_tails *t);

/* out encloses Phi(-x), narrow to about the bits where x is. */
void gaussian_tail(mpfi_t out, const gaussian_tails *t, const mpfi_t x);

#endif
