/* SPDX-License-Identifier: MIT */
/* Mechanisms that are known by (epsilon, delta) alone: items of a list as they are. */
#include "core/parameters.h"
#include "mechanism/types.h"
#include "num/number.h"

static bool pure_item(dp_number *epsilon, mpq_t delta, const dp_mechanism *m)
{
    dp_number_set(epsilon, mechanism_number(m, "epsilon"));
    mpq_set_ui(delta, 0, 1);
    return true;
}

static bool approx_item(dp_number *epsilon, mpq_t delta, const dp_mechanism *m)
{
    dp_number_set(epsilon, mechanism_number(m, "epsilon"));
    mpq_set(delta, number_rational(mechanism_number(m, "delta")));
    return true;
}

static const parameter *const approx_parameters[] = {&item_epsilon, &item_delta, NULL};
static const parameter *const pure_parameters[] = {&item_epsilon, NULL};

const mechanism_type mechanism_approx_dp = {
    .name = "approx-dp",
    .brief = "any (epsilon, delta)-DP mechanism",
    .manual = "Nothing more is known of it; the figures hold for the worst such mechanism.",
    .parameters = approx_parameters,
    .relations = RELATION(ADD_REMOVE) | RELATION(REPLACE_ONE),
    .item = approx_item,
};

const mechanism_type mechanism_pure_dp = {
    .name = "pure-dp",
    .brief = "any epsilon-DP mechanism",
    .manual = "Nothing more is known of it; the figures hold for the worst such mechanism, which "
              "is randomized response with two answers.",
    .parameters = pure_parameters,
    .relations = RELATION(ADD_REMOVE) | RELATION(REPLACE_ONE),
    .item = pure_item,
};
