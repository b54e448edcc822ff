/* SPDX-License-Identifier: MIT */
/* A composition prepared for its figures. Its pairs may be upper bounds of what was released: then
 * its rows are proved and not exact, and what it cannot prove is refuted only by a lower bound. */
#ifndef COMPOSE_COMPOSING_H
#define COMPOSE_COMPOSING_H

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

/* A limit leaves a wider enclosure, which is shown as it is: then DP_OK, with a warning. */
dp_status composing_limited(composing *c, dp_status status);

/* The engine whose pairs suit the question, the plain one where nothing is to be chosen. */
const engine *composing_engine(composing *c, const dp_number *epsilon, mpq_srcptr delta);

/* The products in which items with laws stand as such, the others as pairs that suit the question;
 * NULL: no item has a law. */
const sides *composing_laws(composing *c, const dp_number *epsilon, mpq_srcptr delta);

/* The limits with half the time that is left: the rest is for another bound. */
limits composing_half_time(const composing *c);

#endif
