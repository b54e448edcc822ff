/* SPDX-License-Identifier: MIT */
/* The command rr-prob. */
#include "document/commands.h"

#include "num/number.h"
#include "vote/parameters.h"

static const option options[] = {{&response_mechanisms, .letter = 'K', .metavar = "K"},
                                 {&response_epsilon, .metavar = "E"},
                                 {&response_delta, .metavar = "D"},
                                 {&response_allowance, .metavar = "M"},
                                 {&response_target_epsilon, .metavar = "E"},
                                 {&response_target_delta, .metavar = "D"},
                                 {&response_composition, .metavar = "HOW"},
                                 {&response_slack, .metavar = "D"},
                                 OPTIONS_CHECK,
                                 OPTIONS_LIMITS,
                                 OPTION_DIGITS,
                                 OPTION_ALL,
                                 OPTIONS_OUTPUT,
                                 {NULL}};

static int run(args *a, report *r)
{
    dp_options opt = common_options(a, r);
    dp_response q;
    dp_response_init(&q);
    mpz_set(q.mechanisms, number_integer(args_number(a, "mechanisms")));
    dp_number_set(&q.epsilon, args_number(a, "epsilon"));
    mpq_set(q.delta, number_rational(args_number(a, "delta")));
    q.allowance = args_number(a, "allowance");
    q.target_epsilon = args_number(a, "target-epsilon");
    mpq_set(q.target_delta, number_rational(args_number(a, "target-delta")));
    q.composition = args_is(a, "composition", "general") ? DP_VOTE_GENERAL : DP_VOTE_SIMPLE;
    q.slack = args_number(a, "slack");
    dp_status status = dp_response_probability(&r->result, &q, &opt, &r->error);
    dp_response_clear(&q);
    return report_status(r, status);
}

static const rule rules[] = {{RULE_EXACTLY_ONE, "allowance|target-epsilon"}, {0, NULL}};

static const example examples[] = {
    {"rr-prob -K 11 --epsilon 0.1 --allowance 3", "eleven votes within three times their epsilon"},
    {"rr-prob -K 35 --epsilon 0.1 --delta 1e-5 --target-epsilon 0.65 --target-delta 0.1001 "
     "--composition general --slack 0.1",
     "general composition"},
    {NULL, NULL}};

const command cmd_rr_prob = {
    .name = "rr-prob",
    .brief = "truthful probability of randomized response for a majority",
    .manual =
        "K mechanisms, each (E, D)-DP, vote with one bit. Their majority is published with "
        "probability p, a fair coin otherwise. This is the largest p for which the published bit "
        "is within the target.\n\n"
        "The guarantee needs no independence, but each mechanism must be (E, D)-DP given what the "
        "earlier ones have answered: votes that are private one by one, or even in pairs, may tell "
        "everything together. The row rr-prob-independent is the exact largest constant for "
        "independent mechanisms when D is 0.",
    .options = options,
    .rules = rules,
    .examples = examples,
    .batchable = true,
    .run = run};
