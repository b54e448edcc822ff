/* SPDX-License-Identifier: MIT */
/* The command rr-prob. */
#include "document/commands.h"

#include "num/number.h"

static const option options[] = {
    {.name = "mechanisms",
     .letter = 'K',
     .kind = KIND_COUNT,
     .domain = &domain_odd_count,
     .metavar = "K",
     .required = true,
     .brief = "number of voting mechanisms, odd",
     .manual = "An even number is refused: a tie has no majority."},
    {.name = "epsilon",
     .kind = KIND_LOSS,
     .metavar = "E",
     .required = true,
     .brief = "privacy loss of each mechanism",
     .manual = "Each mechanism publishes one bit and is (E, D)-DP."},
    {.name = "delta",
     .kind = KIND_PROBABILITY,
     .metavar = "D",
     .preset = "0",
     .brief = "delta of each mechanism",
     .manual = "With 0 the row for independent mechanisms is shown too."},
    {.name = "allowance",
     .kind = KIND_POSITIVE,
     .metavar = "M",
     .brief = "target: M times the epsilon of one mechanism",
     .manual = "Any positive number."},
    {.name = "target-epsilon",
     .key = "target_epsilon",
     .kind = KIND_LOSS,
     .metavar = "E",
     .brief = "target: this epsilon",
     .manual = "In place of --allowance."},
    {.name = "target-delta",
     .key = "target_delta",
     .kind = KIND_PROBABILITY,
     .metavar = "D",
     .preset = "0",
     .brief = "target delta",
     .manual = "The published bit is then (target epsilon, D)-DP."},
    {.name = "composition",
     .kind = KIND_CHOICE,
     .metavar = "HOW",
     .preset = "simple",
     .choices = "simple|general",
     .brief = "how the privacy of the majority is bounded",
     .manual = "Simple: (K E, K D). General: the closed form of Kairouz, Oh and Viswanath at "
               "--slack."},
    {.name = "slack",
     .kind = KIND_SLACK,
     .metavar = "D",
     .brief = "slack of general composition",
     .manual = "Needed with --composition general, and only there."},
    OPTIONS_CHECK,
    OPTIONS_LIMITS,
    OPTION_DIGITS,
    OPTION_ALL,
    OPTIONS_OUTPUT,
    {.name = NULL}};

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
