/* SPDX-License-Identifier: MIT */
/* The command curve. */
#include "compose/parameters.h"
#include "document/commands.h"
#include "document/range.h"
#include "num/memory.h"
#include "num/number.h"

#define MOST_POINTS 10000UL

static const option options[] = {
    {&curve_mechanism, .letter = 'm', .metavar = "EPS[,DELTA][xTIMES]", .repeats = true},
    OPTIONS_SINGLE,
    {&curve_epsilon_range, .metavar = "A:B:N"},
    {&curve_delta_range, .metavar = "A:B:N"},
    {&list_group_size, .metavar = "K"},
    {&list_adjacency, .metavar = "RELATION", .role = ROLE_RELATION},
    OPTIONS_CHECK,
    OPTIONS_LIMITS,
    OPTION_DIGITS,
    OPTION_WIDTH,
    OPTIONS_OUTPUT,
    {NULL}};

static int refuse(report *r, const char *argument, const char *message)
{
    r->error = (dp_error){DP_DOMAIN, argument, message};
    return EXIT_INPUT;
}

static int check_range(report *r, const value *v, bool delta)
{
    if (v->count > MOST_POINTS)
        return refuse(r, v->of->name, "asks for more than 10,000 points");
    int low = dp_number_sgn(&v->number), high = dp_number_sgn(&v->second);
    if (low < 0 || high < 0)
        return refuse(r, v->of->name, "must not be negative");
    if (delta && (low == 0 || high == 0 || domain_fault(&domain_probability, &v->number) != NULL ||
                  domain_fault(&domain_probability, &v->second) != NULL))
        return refuse(r, v->of->name, "must run between numbers above 0 and at most 1");
    return EXIT_HOLDS;
}

static int run(args *a, report *r)
{
    const value *v = args_value(a, "delta-range");
    bool delta = v->text != NULL;
    if (!delta)
        v = args_value(a, "epsilon-range");
    int status = check_range(r, v, delta);
    if (status != EXIT_HOLDS)
        return status;
    if ((status = single_or_list(a, r)) != EXIT_HOLDS)
        return status;
    args_forget_weak(a, "max-epsilon"); /* the budget of a ledger is about its target */
    args_forget_weak(a, "max-delta");
    dp_options opt = common_options(a, r);
    dp_status outcome = group_records(a, r);
    if (outcome != DP_OK)
        return report_status(r, outcome);
    dp_number *point = memory_new(v->count, sizeof *point);
    if (point == NULL)
        return EXIT_UNFINISHED;
    for (size_t i = 0; i < v->count; i++) {
        dp_number_init(&point[i]);
        (delta ? range_log : range_even)(&point[i], v, i);
    }
    width_begin(&opt, a, r);
    do
        outcome = dp_compose_curve(&r->result, &a->composition, delta ? NULL : point,
                                   delta ? point : NULL, v->count, &opt, &r->error);
    while (outcome == DP_OK && width_goes_on(&opt, a, r));
    width_end(a);
    note_described(r, a);
    note_groups(r, a);
    for (size_t i = 0; i < v->count; i++)
        dp_number_clear(&point[i]);
    memory_free(point);
    return report_status(r, outcome);
}

static const rule rules[] = {{RULE_EXACTLY_ONE, "epsilon-range|delta-range"}, {0, NULL}};

static const example examples[] = {
    {"curve -m 0.1x100 --epsilon-range 0:5:11", "delta at eleven epsilons"},
    {"curve --epsilon 0.1 --times 100 --delta-range 1e-9:1e-3:7", "epsilon at seven deltas"},
    {"curve -m 0.1x100 --epsilon-range 0:5:11 --group-size 2", "for pairs of records"},
    {"curve -m 0.1,1e-9x100 --delta-range 1e-10:1e-3:8 --plot-data", "columns for a plot"},
    {NULL, NULL}};

const command cmd_curve = {
    .name = "curve",
    .brief = "the privacy profile of a composition as rows",
    .manual = "The optimal (epsilon, delta) curve of a list of mechanisms, at points of one axis: "
              "with --epsilon-range the smallest delta at each epsilon, with --delta-range the "
              "smallest epsilon at each delta. --plot draws it.",
    .options = options,
    .rules = rules,
    .examples = examples,
    .operand = "[FILE]",
    .lapses = "delta|times|digits",
    .takes_items = true,
    .needs_items = true,
    .batchable = true,
    .run = run};
