/* SPDX-License-Identifier: MIT */
/* The command divergence. */
#include "document/commands.h"

#include "compose/parameters.h"
#include "num/number.h"

static const option options[] = {
    {&single_epsilon, .metavar = "E", .single = true},
    {&divergence_delta, .metavar = "D", .single = true},
    {&single_times, .metavar = "T", .single = true},
    {&divergence_mechanism, .letter = 'm', .metavar = "EPS[,DELTA][xTIMES]", .repeats = true},
    {&divergence_order, .metavar = "ALPHA"},
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
    return report_status(r,
                         dp_divergences(&r->result, &a->composition,
                                        number_rational(args_number(a, "order")), &opt, &r->error));
}

static const example examples[] = {
    {"divergence --epsilon 0.1", "every divergence of one mechanism"},
    {"divergence -m 0.1x100 -m 'ln(3)' --order 8", "a list, and Renyi of order 8"},
    {"divergence --epsilon 1 --delta 1e-5", "what stays finite when delta is not 0"},
    {NULL, NULL}};

const command cmd_divergence = {
    .name = "divergence",
    .brief = "divergences implied by differential privacy",
    .manual =
        "The largest total variation, Kullback-Leibler, chi-squared, Hellinger, Renyi and max "
        "divergence between the outputs on neighbouring data sets of (epsilon, delta)-DP "
        "mechanisms, each with its tight bound.",
    .options = options,
    .examples = examples,
    .lapses = "delta|times",
    .kinds = "divergence",
    .takes_items = true,
    .batchable = true,
    .run = run};
