/* SPDX-License-Identifier: MIT */
/* Gaussian noise on a Poisson sample: with standard normal density phi, noise multiplier s > 0,
 * rate q in (0, 1] and
 *     r(y) = 1 - q + q e^(y/s - 1/(2s^2)),   G(w) = integral of phi(y) r(y)^w dy,
 * the pair is P = (1-q) N(0, s^2) + q N(1, s^2), Q = N(0, s^2), whose likelihood ratio is r, where
 * a record is removed, and the exchanged pair where it is added:
 *     M(z) = G(1+z) or G(-z).
 * G is entire, G(0) = G(1) = 1; no mass of either lies outside the other. Both directions are laws
 * of their own, to be composed each for itself.
 *     For groups of k records that are all removed, or all added, r has the binomial number of them
 * in the sample:
 *     r(y) = sum_j w_j e^(jy/s - j^2/(2s^2)),   w_j = C(k,j) q^j (1-q)^(k-j). */
#ifndef LOSS_SAMPLED_GAUSSIAN_H
#define LOSS_SAMPLED_GAUSSIAN_H

#include "loss/product.h"

/* Adds `times` uses; rate 0 adds nothing, rate 1 the Gaussian. Equal uses are merged. `add`: the
 * exchanged pair. DP_MEMORY. */
dp_status sampled_gaussian_add(product *to, const mpq_t sigma, const mpq_t rate, const mpz_t times,
                               bool add);

/* What the rows about steps of DP-SGD assume. */
#define SAMPLED_STEPS                                                                              \
    "Poisson samples: each record in each batch with probability q, for itself, the batches "      \
    "secret; continuous Gaussian noise of standard deviation sigma C on the sum of gradients "     \
    "clipped to C, fresh in each step; add-remove (or a record set to zero); sigma, q and the "    \
    "number of steps fixed in advance. Not batches of a fixed size, shuffled epochs or replaced "  \
    "records"

#define SAMPLED_MOST_GROUP 100

/* The same for groups of that many records, 1 to SAMPLED_MOST_GROUP. */
dp_status sampled_gaussian_add_group(product *to, const mpq_t sigma, const mpq_t rate,
                                     unsigned long group, const mpz_t times, bool add);

#endif
