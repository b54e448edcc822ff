/* SPDX-License-Identifier: MIT */
/* A composition prepared for its figures. Its pairs may be upper bounds of what was released: then
 * its rows are proved and not exact, and what it cannot prove is refuted only by a lower bound. */
#ifndef COMPOSE_OPTIMAL_H
#define COMPOSE_OPTIMAL_H

#include "compose/closed_forms.h"
#include "compose/curves.h"
#include "core/result.h"
#include "engine/invert.h"
#include "loss/known.h"

typedef struct composing {
    const dp_composition *items;
    composed list; /* the items as pairs */
    engine engine; /* unless general, where the sides have theirs, or for closed forms alone */
    bool has_engine;
    /* The same with pairs chosen for the question that was asked last; see choosing.h. */
    composed chosen_list;
    engine chosen;
    bool has_chosen;
    /* A list that holds mechanisms of other types too: see pairs.h. */
    bool general;
    sides sides;
    /* Some items have laws of their own: the list with these, for questions with a target. */
    bool has_laws, laws_open;
    sides laws;
    limits limits;
    logform at; /* the target epsilon */
    compose_in in;
    order_choice choice[2]; /* of `in` */
    const dp_options *opt;
    dp_result *out;
} composing;

dp_status composing_init(composing *c, const dp_composition *items, const dp_options *opt,
                         dp_result *out);
/* The same for closed forms alone, which no engine answers; nor what is beyond the losses, nor what
 * is within a budget. */
dp_status composing_init_closed(composing *c, const dp_composition *items, const dp_options *opt,
                                dp_result *out);
void composing_clear(composing *c);

/* Is x >= sum of epsilon, from where on the profile is 1 - D? Unknown where the list is general. */
dp_decision composing_beyond(const composing *c, const logform *x);

/* Appends the row of the optimum, or of the only item's own profile where that is sharper: at the
 * target epsilon, at the target delta, or at the end point. */
dp_status composing_at_epsilon(composing *c, const logform *x);
dp_status composing_at_delta(composing *c, const mpq_t delta);
dp_status composing_end_point(composing *c);

/* Is the composition (epsilon, delta)-DP? No only where that is proved; where the bound is not met
 * and not known to be tight, unknown with DP_MET_BOUND. */
dp_decision composing_meets(composing *c, const dp_number *epsilon, const mpq_t delta);

/* Decides the check of the result. */
void composing_check(composing *c);

/* ---- for the files that answer these ---- */

/* A limit leaves a wider enclosure, which is shown as it is: then DP_OK, with a warning. */
dp_status composing_limited(composing *c, dp_status status);

/* The engine whose pairs suit the question, the plain one where nothing is to be chosen. */
const engine *composing_engine(composing *c, const dp_number *epsilon, mpq_srcptr delta);

/* The products in which items with laws stand as such, the others as pairs that suit the question;
 * NULL: no item has a law. */
const sides *composing_laws(composing *c, const dp_number *epsilon, mpq_srcptr delta);

/* The limits with half the time that is left: the rest is for another bound. */
limits composing_half_time(const composing *c);

/* The only item as a mechanism with a profile of its own. *all: no composition of pairs is
 * sharper. False where the list is not such an item. */
bool own_profile(dp_bagging *b, mpz_t models, bool *all, const composing *c);
/* Has it a law that is sharper than its rows? Records that may be drawn more than once. */
bool own_is_drawn(const composing *c);
/* Appends the row of that profile, at the target epsilon or delta or at its end point. */
dp_status own_row(composing *c, const dp_bagging *b, const dp_number *epsilon,
                  const dp_number *delta);

/* Is it proved that the composition is not (x, delta)-DP, by what is known from below? */
bool composing_refutes(const composing *c, const logform *x, const mpq_t delta);

/* What --solve and --add ask: what they need, and, the result started, the answer. */
dp_status budget_domain(const dp_compose_query *q, const dp_options *opt, dp_error *err);
dp_status budget_answer(dp_result *out, const dp_compose_query *q, const dp_options *opt,
                        dp_error *err);
dp_status calibrate_domain(const dp_compose_query *q, const dp_options *opt, dp_error *err);
dp_status calibrate_answer(dp_result *out, const dp_compose_query *q, const dp_options *opt,
                           dp_error *err);

#endif
