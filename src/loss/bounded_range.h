/* SPDX-License-Identifier: MIT */
/* The pair above all mechanisms of bounded range: losses of any two neighbours within some window
 * of width eta. Under P its loss has the density e^(y/2) / (4 sinh(eta/2)) on [-eta, eta]: that of
 * the second derivative in e^x of the class's profile (1 - e^((x - eta)/2))^2 / (1 - e^-eta), so
 * one pair has that profile at every real x, and its composition bounds adaptive ones. */
#ifndef LOSS_BOUNDED_RANGE_H
#define LOSS_BOUNDED_RANGE_H

#include "loss/product.h"

/* The law of `times` uses, eta >= 0: to that of an equal eta where there is one. With w = (z + 1/2)
 * eta one use has
 *     M(z) = sinh(w) / ((2z + 1) sinh(eta/2)),
 * even in w. Marks the product as an upper bound. DP_MEMORY. */
dp_status bounded_range_add(product *to, const dp_number *eta, const mpz_t times);

/* s encloses (1 - e^((x - eta)/2))^2 / (1 - e^-eta), |x| <= eta; 0 beyond eta and 1 - e^x below. */
void bounded_range_profile(mpfi_t s, mpfr_t slope, const dp_number *eta, const mpfi_t x);

#endif
