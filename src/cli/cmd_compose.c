/* SPDX-License-Identifier: MIT */
#include "cli/commands.h"

static const option options[] = {
    {.name = "mechanism",
     .letter = 'm',
     .kind = KIND_ITEM,
     .metavar = "EPS[,DELTA][xTIMES]",
     .repeats = true,
     .brief = "add a mechanism to the list; repeatable",
     .manual = "0.1 is pure, 0.1,1e-6 approximate; x35 uses it 35 times."},
    {.name = "target-delta",
     .key = "target_delta",
     .kind = KIND_PROBABILITY,
     .metavar = "D",
     .brief = "report epsilon at this delta",
     .manual = "The smallest epsilon for which the composition is (epsilon, D)-DP."},
    {.name = "target-epsilon",
     .key = "target_epsilon",
     .kind = KIND_LOSS,
     .metavar = "E",
     .brief = "report delta at this epsilon",
     .manual = "The smallest delta for which the composition is (E, delta)-DP."},
    {.name = "slack",
     .kind = KIND_SLACK,
     .metavar = "D",
     .brief = "slack of the theorems that need one",
     .manual = "Without it the slack is what the target leaves."},
    {.name = "method",
     .kind = KIND_CHOICE,
     .metavar = "THEOREM",
     .preset = "optimal",
     .choices = "optimal|basic|advanced|kov",
     .brief = "the composition theorem that decides",
     .manual = "A check is always decided by the optimum."},
    {.name = "adjacency",
     .kind = KIND_CHOICE,
     .role = ROLE_RELATION,
     .metavar = "RELATION",
     .preset = "add-remove",
     .choices = "add-remove|replace-one",
     .brief = "the relation that the mechanisms are stated for",
     .manual = "The composition holds for the relation of its items."},
    OPTIONS_CHECK,
    OPTION_DIGITS,
    OPTION_ALL,
    OPTIONS_OUTPUT,
    {.name = NULL}};

static int run(args *a, report *r)
{
    static const struct {
        const char *name;
        dp_compose_method method;
    } methods[] = {{"optimal", DP_COMPOSE_OPTIMAL},
                   {"basic", DP_COMPOSE_BASIC},
                   {"advanced", DP_COMPOSE_ADVANCED},
                   {"kov", DP_COMPOSE_KOV}};
    dp_options opt = common_options(a, r);
    dp_compose_query q = {.list = &a->composition,
                          .method = methods[args_value(a, "method")->choice].method,
                          .target_epsilon = args_number(a, "target-epsilon"),
                          .target_delta = args_number(a, "target-delta"),
                          .slack = args_number(a, "slack")};
    dp_status status = dp_compose(&r->result, &q, &opt, &r->error);
    r->result.adjacency = args_value(a, "adjacency")->text;
    return report_status(r, status);
}

static const rule rules[] = {{RULE_AT_MOST_ONE, "target-delta|target-epsilon"}, {0, NULL}};

static const example examples[] = {
    {"compose -m 0.1,1e-6x35 --target-delta 1e-5", "epsilon of 35 uses at delta = 1e-5"},
    {"compose -m 'ln(3)x10' --target-epsilon 5", "delta of ten randomized responses"},
    {"compose -m 0.1x3 --max-epsilon 0.3", "exit 0: three times 0.1 is exactly 0.3"},
    {NULL, NULL}};

const command cmd_compose = {
    .name = "compose",
    .brief = "compose (epsilon, delta)-DP mechanisms",
    .manual =
        "What a list of (epsilon, delta)-DP mechanisms spends together. The list comes from -m, or "
        "from FILE, a ledger: a JSON object {\"mechanisms\": [{\"name\": \"...\", \"epsilon\": "
        "\"0.1\", \"delta\": \"1e-6\", \"times\": 35}, ...]}, '-' being standard input.\n\n"
        "With a target delta it reports epsilon, with a target epsilon it reports delta, with "
        "neither the end point: the sum of the epsilons, and the probability of a leak. The "
        "default is the optimum, which no theorem can improve for mechanisms known only by "
        "their parameters.",
    .options = options,
    .rules = rules,
    .examples = examples,
    .operand = "[FILE]",
    .takes_items = true,
    .batchable = true,
    .run = run};
