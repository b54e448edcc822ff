/* SPDX-License-Identifier: MIT */
/* The parameters of dp_convert. */
#include "renyi/parameters.h"

#include <stddef.h>

const parameter convert_pure = {
    .name = "pure",
    .kind = KIND_LOSS,
    .unit = "nats",
    .brief = "from E-DP",
    .manual = "Pure differential privacy: no loss is above E.",
};

const parameter convert_approx = {
    .name = "approx",
    .kind = KIND_PAIR,
    .brief = "from (E, D)-DP",
    .manual = "Without D it is pure.",
};

const parameter convert_zcdp = {
    .name = "zcdp",
    .kind = KIND_LIST,
    .domain = &domain_real,
    .brief = "from (XI, RHO)-zCDP",
    .manual = "D_alpha <= XI + RHO alpha for every alpha > 1, in both directions; XI is 0 unless "
              "given, and may be negative.",
};

const parameter convert_rdp = {
    .name = "rdp",
    .kind = KIND_LIST,
    .domain = &domain_not_negative,
    .brief = "from a point of a Renyi curve; repeatable",
    .manual = "D_ALPHA <= R, in both directions. Given several times, the curve between the points "
              "is used too: (alpha-1) R is convex.",
};

const parameter convert_cdp = {
    .name = "cdp",
    .kind = KIND_LIST,
    .domain = &domain_not_negative,
    .brief = "from (MU, TAU)-CDP",
    .manual = "The loss has a mean of at most MU and is TAU-subgaussian about it, in both "
              "directions.",
};

const parameter convert_gdp = {
    .name = "gdp",
    .kind = KIND_REAL,
    .domain = &domain_not_negative,
    .brief = "from MU-GDP",
    .manual = "The outputs are told apart no better than N(0, 1) and N(MU, 1). A MU from a central "
              "limit theorem is an estimate, not such a statement.",
};

const parameter convert_target_epsilon = {
    .name = "target-epsilon",
    .key = "target_epsilon",
    .kind = KIND_LOSS,
    .unit = "nats",
    .brief = "report delta at this epsilon",
    .manual = "By every conversion that applies.",
};

const parameter convert_target_delta = {
    .name = "target-delta",
    .key = "target_delta",
    .kind = KIND_PROBABILITY,
    .brief = "report epsilon at this delta",
    .manual = "In place of --target-epsilon.",
};

const parameter convert_order = {
    .name = "order",
    .kind = KIND_REAL,
    .domain = &domain_order,
    .brief = "report the Renyi divergence of this order",
    .manual = "Any order above 1.",
};

static const choice_other to_elsewhere[] = {
    {"dp|approx|approx-dp|epsilon|eps|delta|pure",
     "is asked as --target-delta D, or --target-epsilon E, in place of --to"},
    {"rdp|renyi", "is asked as --order ALPHA, in place of --to"},
    {NULL, NULL}};

const parameter convert_to = {
    .name = "to",
    .kind = KIND_CHOICE,
    .choices = "zcdp",
    .other = to_elsewhere,
    .brief = "report rho and xi",
    .manual = "zcdp: zero-concentrated differential privacy.",
};

const parameter *const renyi_parameters[] = {
    &convert_pure, &convert_approx,         &convert_zcdp,         &convert_rdp,   &convert_cdp,
    &convert_gdp,  &convert_target_epsilon, &convert_target_delta, &convert_order, &convert_to,
    NULL};
