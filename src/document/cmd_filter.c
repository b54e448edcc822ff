/* SPDX-License-Identifier: MIT */
/* The command filter. */
#include "document/commands.h"

#include "compose/parameters.h"
#include "num/number.h"

static const option options[] = {
    {&filter_mechanism, .letter = 'm', .metavar = "EPS[,DELTA][xTIMES]", .repeats = true},
    {&filter_add, .metavar = "EPS[,DELTA][xTIMES]", .repeats = true},
    {&filter_method, .metavar = "METHOD"},
    {&filter_order, .metavar = "ALPHA"},
    {&filter_slack, .metavar = "D"},
    {&list_adjacency, .metavar = "RELATION", .role = ROLE_RELATION},
    OPTIONS_CHECK,
    OPTIONS_LIMITS,
    OPTION_DIGITS,
    OPTION_ALL,
    OPTIONS_OUTPUT,
    {NULL}};

/* Without a delta the only filter is that of epsilon. */
static bool settle_method(args *a)
{
    fault f;
    const dp_number *delta = args_number(a, "max-delta");
    return (delta != NULL && dp_number_sgn(delta) > 0) ||
           args_set_weak(a, option_find(a->command, "method"), "basic", &f);
}

static int run(args *a, report *r)
{
    if (!settle_method(a))
        return report_status(r, DP_MEMORY);
    dp_options opt = common_options(a, r);
    dp_filter_query q = {.spent = &a->composition,
                         .add = args_any_added(a) ? &a->added : NULL,
                         .method = (dp_filter_method)args_value(a, "method")->choice,
                         .order = args_number(a, "order"),
                         .slack = args_number(a, "slack")};
    dp_composition_clear(&r->state);
    dp_composition_init(&r->state);
    dp_status outcome = dp_filter(&r->result, &r->state, &q, &opt, &r->error);
    r->has_state = outcome == DP_OK;
    note_described(r, a);
    return report_status(r, outcome);
}

static const example examples[] = {
    {"filter -m 0.1x5 --add 0.2 --max-epsilon 2 --max-delta 1e-6", "may it be released?"},
    {"filter --add gaussian:sigma=20x10 --method gaussian --max-epsilon 1 --max-delta 1e-6",
     "Gaussian noise, sharply"},
    {"filter -m 0.1x9 --add 0.1 --max-epsilon 1", "exactly 1: it fits"},
    {NULL, NULL}};

const command cmd_filter = {
    .name = "filter",
    .brief = "may the next release still be made?",
    .manual =
        "A privacy filter: whether the next release fits a budget that was fixed before the first "
        "one, when mechanisms, their parameters, and whether anything is released at all may "
        "depend on earlier outputs. Whatever is released within it is private at that budget, and "
        "a filter says nothing sharper than that: the optimal composition of what was released is "
        "no bound here (see theorem filter-optimal).\n\n"
        "What was released comes from FILE, '-' being standard input, or from -m. The answer in "
        "text is the new state, itself a ledger of one or two entries whatever was spent, with the "
        "budget, method and order: it is FILE of the next question, which so takes no longer "
        "than the first. Where the addition does not fit, nothing is printed, the exit status is "
        "1 and it must not be released; a smaller one may be tried. With --json the state is a key "
        "of the answer, beside what is spent and how often the addition fits.",
    .options = options,
    .examples = examples,
    .operand = "[FILE]",
    .takes_items = true,
    .batchable = true,
    .run = run};
