/* SPDX-License-Identifier: MIT */
/* Laplace noise on a Poisson sample: with e = sensitivity / scale and rate q in (0, 1],
 *     r(l) = 1 - q + q e^l,   l the loss of Laplace noise,
 * the pair is P = (1-q) Q + q P_1 against Q, whose likelihood ratio is r, where a record is
 * removed, and the exchanged pair where it is added. With G(w) = E_Q r^w = r(-e)^w / 2 + e^-e
 * r(e)^w / 2 + (e/2) integral over [0, 1] of e^(-ex) r((2x-1)e)^w dx, M(z) = G(1+z) or G(-z). Both
 * directions are laws of their own, to be composed each for itself. */
#ifndef LOSS_SAMPLED_LAPLACE_H
#define LOSS_SAMPLED_LAPLACE_H

#include "loss/product.h"

#define SAMPLED_LAPLACE_MOST 100UL /* of epsilon */

/* Adds `times` uses, 0 <= epsilon <= SAMPLED_LAPLACE_MOST: rate 0 adds nothing, rate 1 Laplace
 * noise. Equal uses are merged. `add`: the exchanged pair. DP_MEMORY. */
dp_status sampled_laplace_add(product *to, const mpq_t epsilon, const mpq_t rate, const mpz_t times,
                              bool add);

#endif
