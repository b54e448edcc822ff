/* SPDX-License-Identifier: MIT */
/* The privacy profile of one use of noise on a Poisson sample, from that of the noise. */
#ifndef LOSS_SAMPLED_PROFILE_H
#define LOSS_SAMPLED_PROFILE_H

#include <gmp.h>
#include <mpfi.h>
#include <stdbool.h>

/* d encloses the profile of the noise, the same in both directions, at every number of y; slope is
 * about -dd/dy. */
typedef void base_profile(mpfi_t d, mpfr_t slope, const void *of, const mpfi_t y);

/* s encloses, at every number of x, with E = e^x and d the profile of the noise,
 *     removed    1 - E where E <= 1 - q, else q d(ln(1 + (E-1)/q))
 *     added      0 where (1-q) E >= 1, else k d(ln(q E / k)), k = 1 - (1-q) E
 * as r > E where the first sum of the loss is positive, and both are linear in e^.. there. 0 < q
 * < 1. slope is about -ds/dx. Balle, Barthe, Gaboardi 2018. Verdict: exact. */
void sampled_profile(mpfi_t s, mpfr_t slope, const mpq_t rate, bool add, base_profile *base,
                     const void *of, const mpfi_t x);

#endif
