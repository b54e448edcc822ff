/* SPDX-License-Identifier: MIT */
/* DP-SGD alone by the laws of its privacy loss: the row of what the engine finds. */
#include "compose/pairs.h"

static dp_status dp_sgd_pld_row(dp_result *out, void *in, const dp_options *opt)
{
    return compose_pairs_row(out, in, opt);
}

const bound dp_sgd_pld = {
    .theorem =
        {.id = "dp-sgd-pld",
         .family = "dp-sgd",
         .verdict = DP_EXACT,
         .source = "Zhu, Dong, Wang 2022, Optimal Accounting of Differential Privacy via "
                   "Characteristic Function, Theorems 10 and 11",
         .statement =
             "delta(x) = the maximum over both directions of E[(1 - e^(x-L))_+], L the sum of T "
             "independent losses: ln r(z), z drawn from (1-q) N(0, sigma^2) + q N(1, sigma^2), "
             "where a record is removed, and -ln r(z), z from N(0, sigma^2), where one is added; "
             "r(z) = 1 - q + q e^((2z-1)/(2 sigma^2)). For groups of k records that are all "
             "removed, or all added, a binomial number j of them is in the sample: the mixture of "
             "the N(j, sigma^2), r(z) the sum of C(k,j) q^j (1-q)^(k-j) e^((2jz-j^2)/(2 sigma^2))",
         .assumes =
             "Poisson samples: each record in each batch with probability q, for itself, the "
             "batches secret; continuous Gaussian noise of standard deviation sigma C on the sum "
             "of gradients clipped to C, fresh in each step; add-remove (or a record set to "
             "zero); sigma, q and the number of steps fixed in advance. Not batches of a fixed "
             "size, shuffled epochs or replaced records",
         .proof =
             "The pair of a sampled Gaussian dominates each step in its direction, and products "
             "of dominating pairs dominate the composition, also where a step depends on earlier "
             "outputs. A record whose clipped gradient is the same unit vector in every step, "
             "among others with gradient 0, attains both directions, each for all steps; so they "
             "are composed each for itself, and no smaller figure holds for all data. Groups: a "
             "set of mass a under the noise has mass at most Phi(Phi^-1(a) + |v|/sigma), and at "
             "least Phi(Phi^-1(a) - |v|/sigma), once moved by v, |v| <= j; a half-line attains "
             "that for all j at once, and records with the same unit vector attain the pair "
             "(Ganesh 2024)."},
    .engine = dp_sgd_pld_row,
    .methods = METHOD(OPTIMAL),
    .output = {"epsilon", "delta"},
    .also_for = "compose|curve",
    .of_mechanisms = true,
    .bracket = true};
