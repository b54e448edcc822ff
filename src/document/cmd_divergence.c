/* SPDX-License-Identifier: MIT */
/* The command divergence. */
#include "document/commands.h"

#include "num/number.h"

static const option options[] = {
    {.name = "epsilon",
     .kind = KIND_LOSS,
     .metavar = "E",
     .brief = "privacy loss of the mechanism",
     .manual = "For one mechanism; a list is given by -m."},
    {.name = "delta",
     .kind = KIND_PROBABILITY,
     .metavar = "D",
     .preset = "0",
     .brief = "delta of the mechanism",
     .manual = "With delta above 0 most divergences are infinite."},
    {.name = "times",
     .kind = KIND_COUNT,
     .metavar = "T",
     .preset = "1",
     .brief = "uses of the mechanism",
     .manual = "The mechanism is used T times."},
    {.name = "mechanism",
     .letter = 'm',
     .kind = KIND_ITEM,
     .metavar = "EPS[,DELTA][xTIMES]",
     .repeats = true,
     .brief = "add a mechanism to a list; repeatable",
     .manual = "In place of --epsilon, --delta and --times."},
    {.name = "order",
     .kind = KIND_POSITIVE,
     .metavar = "ALPHA",
     .preset = "2",
     .brief = "order of the Renyi divergence",
     .manual = "Any order above 0; 1 is the Kullback-Leibler divergence."},
    OPTIONS_LIMITS,
    OPTION_DIGITS,
    OPTION_ALL,
    OPTIONS_OUTPUT,
    {.name = NULL}};

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
    .takes_items = true,
    .batchable = true,
    .run = run};
