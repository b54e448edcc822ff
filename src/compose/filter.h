/* SPDX-License-Identifier: MIT */
/* Privacy filters: mechanisms whose parameters depend on earlier outputs, released while a budget
 * fixed in advance holds them. Each filter has a currency of its own, in which costs add up and
 * the budget is one number; delta of the mechanisms adds up beside it. */
#ifndef COMPOSE_FILTER_H
#define COMPOSE_FILTER_H

#include "core/bound.h"
#include "dpacct/filter.h"
#include "num/logform.h"

/* What mechanisms cost. Rounded up where it is no rational and no sum of logarithms. */
typedef struct filter_cost {
    logform amount; /* epsilon, rho, mu^2, or the Renyi divergence of the order */
    mpq_t delta;
} filter_cost;

typedef struct filter_rule {
    dp_filter_method method;
    mpq_t order; /* of the Renyi filter, and of the conversion of the zCDP filter */
    filter_cost budget;
    bool has_order;
} filter_rule;

/* Of a filter row: (epsilon, delta) is the budget, what is released within it. */
typedef struct filter_in {
    const filter_rule *rule;
    const filter_cost *spent;
    const dp_number *epsilon;
    mpq_srcptr delta;
} filter_in;

void filter_cost_init(filter_cost *c);
void filter_cost_clear(filter_cost *c);
/* Rounded up where a number would grow long; false when out of memory. */
bool filter_cost_add(filter_cost *c, const filter_cost *more);

/* Adds what the list costs. DP_UNAVAILABLE: the filter has no statement about a mechanism of it. */
dp_status filter_charge(filter_cost *c, const filter_rule *rule, const dp_composition *list);

/* The list that costs just that much, for the filter: appended to an empty one. */
dp_status filter_state(dp_composition *state, const filter_rule *rule, const filter_cost *spent);

/* The budget of the currency that (epsilon, delta) gives, rounded down. `conversion` is the part of
 * delta that turns it into (epsilon, delta), the rest is for mechanisms; order NULL: that which
 * gives zCDP most. */
dp_status filter_rule_init(filter_rule *rule, dp_filter_method method, const dp_number *epsilon,
                           const mpq_t delta, const mpq_t conversion, mpq_srcptr order);
void filter_rule_clear(filter_rule *rule);

/* DP_UNAVAILABLE for DP_FILTER_ZCDP and so on with conversion 0. */
extern const bound filter_basic, filter_zcdp, filter_renyi, filter_gaussian, filter_optimal,
    odometer_optimal;

#endif
