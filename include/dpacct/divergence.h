/* SPDX-License-Identifier: MIT */
#ifndef DPACCT_DIVERGENCE_H
#define DPACCT_DIVERGENCE_H

#include "dpacct/compose.h"
#include "dpacct/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The Kullback-Leibler divergence, in nats, between the outputs on neighbouring data sets of a list
 * of pure epsilon_i-DP mechanisms.
 *   rows       kl; first sum epsilon_i tanh(epsilon_i/2), which randomized response attains; with
 *              opt->all the looser published bounds
 *   rounding   each figure encloses the value of its formula; printed ends round outward
 *   errors     DP_DOMAIN: an empty list, an item outside its domain; some delta_i > 0 (the
 * divergence then has no finite bound) theorems   kl-tight (exact), kl-bun-steinke,
 * kl-dwork-rothblum, kl-dwork (proved) */
DP_API dp_status dp_kl(dp_result *out, const dp_composition *list, const dp_options *opt,
                       dp_error *err);

/* The divergences between the outputs on neighbouring data sets of a list of (epsilon_i,
 * delta_i)-DP mechanisms, each with its tight bound: total_variation, kl, chi_squared,
 * squared_hellinger, renyi at the order, max. With delta_i > 0 all but total variation, Hellinger
 * and Renyi of orders below 1 are infinite. With opt->all also the looser published bounds.
 *   errors     DP_DOMAIN: an empty list, an item outside its domain, order <= 0
 *   theorems   divergence-*, kl-* */
DP_API dp_status dp_divergences(dp_result *out, const dp_composition *list, const mpq_t order,
                                const dp_options *opt, dp_error *err);

#ifdef __cplusplus
}
#endif
#endif
