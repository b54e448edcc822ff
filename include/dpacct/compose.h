/* SPDX-License-Identifier: MIT */
#ifndef DPACCT_COMPOSE_H
#define DPACCT_COMPOSE_H

#include <gmp.h>

#include "dpacct/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One mechanism: (epsilon, delta)-DP, used `times` times. */
typedef struct dp_mechanism {
    dp_number epsilon;
    mpq_t delta;
    mpz_t times;
} dp_mechanism;

/* A list of mechanisms, fixed in advance; they may be chosen adaptively. */
typedef struct dp_composition {
    dp_mechanism *item;
    size_t count, room;
} dp_composition;

DP_API void dp_composition_init(dp_composition *c);
DP_API void dp_composition_clear(dp_composition *c);

/* Appends (epsilon, delta) used `times` times; equal neighbours are not merged here.
 * DP_DOMAIN: epsilon < 0, delta outside [0, 1], times < 1. DP_MEMORY. */
DP_API dp_status dp_composition_add(dp_composition *c, const dp_number *epsilon, const mpq_t delta,
                                    const mpz_t times, dp_error *err);

typedef enum dp_compose_method {
    DP_COMPOSE_OPTIMAL = 0,
    DP_COMPOSE_BASIC,
    DP_COMPOSE_ADVANCED,
    DP_COMPOSE_KOV
} dp_compose_method;

/* What is asked about the composition. At most one target: with neither, the end point. */
typedef struct dp_compose_query {
    const dp_composition *list;
    dp_compose_method method;
    const dp_number *target_epsilon; /* report delta there, or NULL */
    const dp_number *target_delta;   /* report epsilon there, or NULL */
    const dp_number *slack;          /* for theorems that need one; NULL: from the target */
} dp_compose_query;

DP_API dp_status dp_compose(dp_result *out, const dp_compose_query *q, const dp_options *opt,
                            dp_error *err);

#ifdef __cplusplus
}
#endif
#endif
