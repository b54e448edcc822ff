/* SPDX-License-Identifier: MIT */
#ifndef LOSS_GAUSSIAN_H
#define LOSS_GAUSSIAN_H

#include "core/bound.h"

/* out = Phi(mu/2 - x/mu) - e^x Phi(-mu/2 - x/mu): the exact privacy profile of a Gaussian whose
 * means lie mu standard deviations apart, mu > 0. */
void gaussian_profile(mpfi_t out, const mpfi_t mu, const mpfi_t x);

/* out = the least x >= 0 whose profile is at most delta, in (0, 1) */
void gaussian_epsilon(mpfi_t out, const mpfi_t mu, const mpq_t delta);

#endif
