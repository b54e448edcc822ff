/* SPDX-License-Identifier: MIT */
/* The command kl-bound. */
#include "document/commands.h"

#include "compose/parameters.h"

static const option options[] = {
    {&kl_epsilon, .metavar = "E", .single = true},
    {&kl_times, .metavar = "T", .single = true},
    {&kl_mechanism, .letter = 'm', .metavar = "EPS[xTIMES]", .repeats = true},
    OPTIONS_LIMITS,
    OPTION_DIGITS,
    OPTION_ALL,
    OPTIONS_OUTPUT,
    {NULL}};

static int run(args *a, report *r)
{
    int status = single_or_list(a, r);
    if (status != EXIT_HOLDS)
        return status;
    dp_options opt = common_options(a, r);
    return report_status(r, dp_kl(&r->result, &a->composition, &opt, &r->error));
}

static const example examples[] = {
    {"kl-bound --epsilon 0.1", "the divergence of one mechanism"},
    {"kl-bound --epsilon 0.1 --times 100 --all", "a hundred uses, beside the looser bounds"},
    {"kl-bound -m 0.1x10 -m 'ln(2)'", "a list"},
    {NULL, NULL}};

const command cmd_kl_bound = {
    .name = "kl-bound",
    .brief = "Kullback-Leibler divergence of pure DP mechanisms",
    .manual = "The largest Kullback-Leibler divergence, in nats, between the outputs on "
              "neighbouring data sets of pure epsilon-DP mechanisms: epsilon tanh(epsilon/2) each, "
              "which randomized response attains.",
    .options = options,
    .examples = examples,
    .lapses = "times",
    .takes_items = true,
    .batchable = true,
    .run = run};
