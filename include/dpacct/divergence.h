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
 *   errors     DP_DOMAIN: an empty list; some delta_i > 0 (the divergence then has no finite bound)
 *   theorems   kl-tight (exact), kl-bun-steinke, kl-dwork-rothblum, kl-dwork (proved) */
DP_API dp_status dp_kl(dp_result *out, const dp_composition *list, const dp_options *opt,
                       dp_error *err);

#ifdef __cplusplus
}
#endif
#endif
