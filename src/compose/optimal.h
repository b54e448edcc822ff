/* SPDX-License-Identifier: MIT */
/* The rows of a composition, and what is asked of it. */
#ifndef COMPOSE_OPTIMAL_H
#define COMPOSE_OPTIMAL_H

#include "compose/claims.h"
#include "compose/composing.h"

/* Appends the row of the optimum, or of the only item's own profile where that is sharper: at the
 * target epsilon, at the target delta, or at the end point. */
dp_status composing_at_epsilon(composing *c, const logform *x);
dp_status composing_at_delta(composing *c, const mpq_t delta);
dp_status composing_end_point(composing *c);

/* Its engine, of a composing whose targets are set, appends that row. */
extern const bound compose_optimal;

/* What --solve and --add ask: what they need, and, the result started, the answer. */
dp_status budget_domain(const dp_compose_query *q, const dp_options *opt, dp_error *err);
dp_status budget_answer(dp_result *out, const dp_compose_query *q, const dp_options *opt,
                        dp_error *err);
dp_status calibrate_domain(const dp_compose_query *q, const dp_options *opt, dp_error *err);
dp_status calibrate_answer(dp_result *out, const dp_compose_query *q, const dp_options *opt,
                           dp_error *err);

#endif
