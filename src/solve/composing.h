/* SPDX-License-Identifier: MIT */
#ifndef SOLVE_COMPOSING_H
#define SOLVE_COMPOSING_H

#include "bound/compose.h"
#include "solve/optimal.h"
#include "solve/result.h"

/* One composition, prepared for its figures. */
typedef struct composing {
    composed list;
    engine engine;
    limits limits;
    logform at; /* the target epsilon */
    compose_in in;
    const dp_options *opt;
    dp_result *out;
} composing;

dp_status composing_init(composing *c, const dp_composition *items, const dp_options *opt,
                         dp_result *out);
void composing_clear(composing *c);

/* Is x >= sum of epsilon, from where on the profile is 1 - D? */
dp_answer composing_beyond(const composing *c, const logform *x);

/* The row of the optimum: at the target epsilon, at the target delta, or at the end point. */
dp_status composing_at_epsilon(composing *c, const logform *x);
dp_status composing_at_delta(composing *c, const mpq_t delta);
dp_status composing_end_point(composing *c);

/* Is the composition (epsilon, delta)-DP? */
dp_answer composing_meets(const composing *c, const dp_number *epsilon, const mpq_t delta);

/* Decides the check of the result. */
void composing_check(composing *c);

/* What --solve and --add ask; called with the result started. */
dp_status budget_answer(dp_result *out, const dp_compose_query *q, const dp_options *opt,
                        dp_error *err);

#endif
