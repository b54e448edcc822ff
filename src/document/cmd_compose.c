/* SPDX-License-Identifier: MIT */
/* The command compose. */
#include "document/commands.h"

#include <stdio.h>
#include <string.h>

#include "catalog/types.h"
#include "compose/parameters.h"
#include "core/result.h"
#include "core/uses.h"
#include "num/memory.h"
#include "num/number.h"

static const option options[] = {
    {&compose_mechanism, .letter = 'm', .metavar = "EPS[,DELTA][xTIMES]", .repeats = true},
    OPTIONS_SINGLE,
    {&compose_target_delta, .metavar = "D"},
    {&compose_target_epsilon, .metavar = "E"},
    {&compose_slack, .metavar = "D"},
    {&compose_method, .metavar = "THEOREM"},
    {&compose_claim, .metavar = "EPS,DELTA"},
    {&compose_add, .metavar = "EPS[,DELTA][xTIMES]", .repeats = true},
    {&compose_solve, .metavar = "PARAMETER"},
    {&compose_uses, .metavar = "T"},
    {&compose_use_delta, .metavar = "D"},
    {&compose_adaptive, .metavar = "WHAT"},
    {&compose_by_entry, .role = ROLE_EXTENT},
    {&compose_from, .metavar = "DATE", .role = ROLE_EXTENT},
    {&compose_to, .metavar = "DATE", .role = ROLE_EXTENT},
    {&list_group_size, .metavar = "K"},
    {&list_adjacency, .metavar = "RELATION", .role = ROLE_RELATION},
    OPTIONS_CHECK,
    OPTIONS_LIMITS,
    OPTION_DIGITS,
    OPTION_WIDTH,
    OPTION_ALL,
    OPTIONS_OUTPUT,
    {NULL}};

static int refuse(report *r, const char *argument, const char *message)
{
    r->error = (dp_error){DP_DOMAIN, argument, message};
    return EXIT_INPUT;
}

/* The noise of the next release? */
static bool solves_noise(const args *a)
{
    return args_is(a, "solve", "sigma") || args_is(a, "solve", "scale");
}

/* What the options of --solve need or exclude. */
static int check_solve(report *r, const args *a)
{
    bool times = args_is(a, "solve", "times"), epsilon = args_is(a, "solve", "epsilon");
    bool noise = solves_noise(a), more = epsilon || noise;
    bool grouped = args_number(a, "group-size") != NULL, added = args_any_added(a);
    if (added && args_number(a, "claim") != NULL)
        return refuse(r, "--claim, --add", "exclude each other; give one of them");
    if (times && args_value(a, "times")->given)
        return refuse(r, "times", "is what --solve is to find; leave it out");
    if (args_number(a, "uses") != NULL && !more)
        return refuse(r, "uses", "is only for --solve epsilon, sigma and scale");
    if (args_number(a, "use-delta") != NULL && !epsilon)
        return refuse(r, "use-delta", "is only for --solve epsilon");
    if (added && more)
        return refuse(r, "add",
                      "is not for --solve epsilon, sigma or scale, which find the next release; "
                      "give --uses");
    if (grouped && (more || added))
        return refuse(r, "group-size",
                      "is for the mechanisms of the list; --add, and --solve epsilon, sigma and "
                      "scale ask about one that is not in it");
    if (args_is(a, "solve", "slack") &&
        (args_is(a, "method", "optimal") || args_is(a, "method", "basic")))
        return refuse(r, "solve", "slack needs a --method that has one, such as kov");
    bool target =
        args_number(a, "target-delta") != NULL || args_number(a, "target-epsilon") != NULL;
    if (args_is(a, "solve", "slack") && !target)
        return refuse(r, "solve", "slack needs --target-delta or --target-epsilon");
    if ((times || more || added) && target)
        return refuse(r, "solve",
                      "and --add take a budget, --max-epsilon and --max-delta, not a "
                      "target");
    return EXIT_HOLDS;
}

/* What --by-entry needs and excludes, and that --from and --to leave something. */
static int check_entries(report *r, const args *a)
{
    const value *from = args_value(a, "from"), *to = args_value(a, "to");
    size_t kept = 0, left = 0, dated = 0;
    for (size_t i = 0; i < a->item_count; i++) {
        kept += item_counts(&a->items[i]);
        left += a->items[i].left_out;
        dated += a->items[i].day[0] != '\0';
    }
    if ((from->given || to->given) && kept > 0 && dated == 0)
        return refuse(r, from->given ? "from" : "to",
                      "needs dates: no entry of the list has one; give a ledger whose entries do");
    if (from->given && to->given && strcmp(from->text, to->text) > 0)
        return refuse(r, "to", "is before --from");
    if (left > 0 && kept == 0)
        return refuse(r, from->given ? "from" : "to",
                      "leaves no entry of the list: all are of other days");
    if (!args_flag(a, "by-entry"))
        return EXIT_HOLDS;
    if (kept == 0)
        return refuse(r, "by-entry", "needs a list; give a ledger, or -m");
    if (args_any_added(a) || args_value(a, "solve")->given || args_value(a, "claim")->given)
        return refuse(r, "by-entry", "excludes --add, --solve and --claim");
    if (args_number(a, "target-delta") == NULL && args_number(a, "target-epsilon") == NULL)
        return refuse(r, "by-entry",
                      "needs a target at which costs compare; give --target-delta or "
                      "--target-epsilon");
    return EXIT_HOLDS;
}

/* Which entries the figures are about. */
static void note_dates(report *r, args *a)
{
    const value *from = args_value(a, "from"), *to = args_value(a, "to");
    size_t left = 0, kept = 0;
    for (size_t i = 0; i < a->item_count; i++) {
        kept += item_counts(&a->items[i]);
        left += a->items[i].left_out;
    }
    char text[200];
    if (left == 0)
        return;
    snprintf(text, sizeof text,
             "about entries dated%s%s%s%s alone: %zu of %zu, the others are left out",
             from->given ? " from " : "", from->given ? from->text : "", to->given ? " up to " : "",
             to->given ? to->text : "", kept, kept + left);
    char *copy = memory_copy(text);
    if (copy != NULL && args_own(a, copy))
        result_note(&r->result, copy);
    else
        memory_free(copy);
}

/* With --add and --solve the targets of a ledger are the budget where none is given. */
static void settle_budget(args *a)
{
    static const char *const pair[][2] = {{"target-delta", "max-delta"},
                                          {"target-epsilon", "max-epsilon"}};
    if (!args_any_added(a) && !args_is(a, "solve", "times") && !args_is(a, "solve", "epsilon") &&
        !solves_noise(a))
        return;
    for (size_t i = 0; i < 2; i++)
        if (args_value(a, pair[i][0])->weak && args_value(a, pair[i][0])->given)
            args_move(a, pair[i][0], pair[i][1]);
}

/* Adaptive parameters: filter, where no method is named; the library refuses the others. */
static bool settle_method(args *a)
{
    fault f;
    return !args_is(a, "adaptive", "parameters") ||
           args_set_weak(a, option_find(a->command, "method"), "filter", &f);
}

/* --times of mechanisms that are solved for is --uses. */
static void settle_uses(args *a)
{
    if ((args_is(a, "solve", "epsilon") || solves_noise(a)) && args_number(a, "epsilon") == NULL &&
        args_value(a, "times")->given && !args_value(a, "uses")->given)
        args_move(a, "times", "uses");
}

/* A method that says nothing about the end point must not look as if it had answered. */
static void warn_method(report *r, const args *a, const dp_compose_query *q)
{
    const value *method = args_value(a, "method");
    bool asked = method->given && !method->weak && q->method != DP_COMPOSE_BASIC;
    bool several = q->list->count + uses_count(q->list) > 1 ||
                   (q->list->count == 1 && mpz_cmp_ui(q->list->item[0].times, 1) > 0) ||
                   (uses_count(q->list) == 1 && mpz_cmp_ui(q->list->uses->use[0].times, 1) > 0);
    bool plain = several && q->target_delta == NULL && q->target_epsilon == NULL &&
                 q->slack == NULL && q->claim_epsilon == NULL && q->solve == DP_SOLVE_NOTHING &&
                 q->add == NULL && q->added == NULL;
    for (size_t i = 0; i < r->result.count; i++)
        asked = asked && strcmp(r->result.row[i].theorem->id, "compose-basic") == 0;
    if (asked && plain && r->result.count > 0)
        result_warn(&r->result, "the method needs target-delta, target-epsilon or slack; without "
                                "them these are the figures of basic composition");
}

/* One use of one pair. */
static bool is_one_pair(const dp_composition *list)
{
    return list->count == 1 && uses_count(list) == 0 && list->known == NULL &&
           mpz_cmp_ui(list->item[0].times, 1) == 0;
}

static dp_compose_unknown unknown_of(const args *a)
{
    return solves_noise(a)                  ? DP_SOLVE_PARAMETER
           : args_is(a, "solve", "times")   ? DP_SOLVE_TIMES
           : args_is(a, "solve", "epsilon") ? DP_SOLVE_EPSILON
                                            : DP_SOLVE_NOTHING;
}

/* The release whose noise is solved for: of sensitivity 1, which is no less than any. Cleared where
 * it fails. */
static dp_status begin_next(dp_composition *next, const args *a, report *r)
{
    const dp_number *uses = args_number(a, "uses");
    dp_composition_init_under(next, a->composition.adjacency);
    if (!solves_noise(a))
        return DP_OK;
    value_fault wrong;
    mpz_t one;
    mpz_init_set_ui(one, 1);
    dp_mechanism *m =
        mechanism_new(mechanism_type_find(args_is(a, "solve", "sigma") ? "gaussian" : "laplace"));
    dp_status status = m != NULL ? value_set(&m->given[0], "1", &wrong) : DP_MEMORY;
    if (status == DP_OK)
        status = account_enter(next, m, uses != NULL ? number_integer(uses) : one, &r->error);
    mechanism_free(m);
    mpz_clear(one);
    if (status != DP_OK)
        dp_composition_clear(next);
    return status;
}

static int run(args *a, report *r)
{
    settle_budget(a);
    settle_uses(a);
    if (!settle_method(a))
        return report_status(r, DP_MEMORY);
    int status = check_solve(r, a);
    if (status == EXIT_HOLDS)
        status = check_entries(r, a);
    if (status == EXIT_HOLDS)
        status = single_or_list(a, r);
    if (status != EXIT_HOLDS)
        return status;
    if (args_is(a, "solve", "times"))
        args_forget(a, "times"); /* of one use at a time */
    dp_options opt = common_options(a, r);
    dp_status outcome = group_records(a, r);
    dp_composition next;
    if (outcome != DP_OK || (outcome = begin_next(&next, a, r)) != DP_OK)
        return report_status(r, outcome);
    bool one = is_one_pair(&a->added), noise = solves_noise(a);
    dp_compose_query q = {.list = &a->composition,
                          .method = (dp_compose_method)args_value(a, "method")->choice,
                          .target_epsilon = args_number(a, "target-epsilon"),
                          .target_delta = args_number(a, "target-delta"),
                          .slack = args_number(a, "slack"),
                          .claim_epsilon = args_number(a, "claim"),
                          .claim_delta = args_second(a, "claim"),
                          .add = one ? &a->added.item[0] : NULL,
                          .added = noise                       ? &next
                                   : !one && args_any_added(a) ? &a->added
                                                               : NULL,
                          .solve = unknown_of(a),
                          .parameter = noise ? args_value(a, "solve")->text : NULL,
                          .adaptive = args_is(a, "adaptive", "parameters"),
                          .uses = number_integer(args_number(a, "uses")),
                          .use_delta = args_number(a, "use-delta")};
    width_begin(&opt, a, r);
    do
        outcome = dp_compose(&r->result, &q, &opt, &r->error);
    while (outcome == DP_OK && width_goes_on(&opt, a, r));
    if (outcome == DP_OK && args_any_added(a) && !args_flag(a, "quiet"))
        remaining_find(&r->remaining, &r->result, &q, &opt, a);
    if (outcome == DP_OK && args_flag(a, "by-entry") && !args_flag(a, "quiet"))
        outcome = by_entry_find(&r->entries, &q, &opt, a);
    if (r->entries.late)
        result_warn(&r->result, "the time limit was met: some entries lack figures; raise it");
    note_described(r, a);
    note_groups(r, a);
    note_dates(r, a);
    if (outcome == DP_OK)
        warn_method(r, a, &q);
    if (outcome == DP_OK)
        note_usual(r, a, q.adaptive ? NULL : &q, &opt); /* an optimum */
    dp_composition_clear(&next);
    width_end(a);
    return report_status(r, outcome);
}

static const rule rules[] = {{RULE_AT_MOST_ONE, "target-delta|target-epsilon"},
                             {RULE_AT_MOST_ONE, "claim|solve"},
                             {RULE_AT_MOST_ONE, "solve|width"},
                             {RULE_AT_MOST_ONE, "claim|target-delta"},
                             {RULE_AT_MOST_ONE, "claim|target-epsilon"},
                             {RULE_AT_MOST_ONE, "claim|max-epsilon"},
                             {RULE_AT_MOST_ONE, "claim|max-delta"},
                             {0, NULL}};

static const example examples[] = {
    {"compose -m 0.1,1e-6x35 --target-delta 1e-5", "epsilon of 35 uses at delta = 1e-5"},
    {"compose --epsilon 0.1 --delta 1e-6 --times 35 --target-delta 1e-5", "the same"},
    {"compose -m 'ln(3)x10' --target-epsilon 5", "delta of ten randomized responses"},
    {"compose -m 0.1x3 --max-epsilon 0.3", "exit 0: three times 0.1 is exactly 0.3"},
    {"compose -m 1,1e-5x1000 --claim 697.2,0.0086", "exit 1: refuted, with the reason"},
    {"compose -m 0.1x20 --add 0.2 --max-epsilon 2 --max-delta 1e-6", "what is left?"},
    {"compose -m 0.1x20 -m gaussian:sigma=8 --by-entry --target-delta 1e-5", "what costs what?"},
    {"compose -m 0.1x20 --group-size 3 --target-delta 1e-6", "for a person with three records"},
    {"compose -m 0.1x20 --adaptive parameters --target-delta 1e-6", "parameters from outputs"},
    {"compose --solve epsilon --uses 100 --max-epsilon 1 --max-delta 1e-6", "per-use epsilon"},
    {"compose -m 0.1x20 --solve sigma --max-epsilon 3 --max-delta 1e-6",
     "the noise of the next release"},
    {NULL, NULL}};

const command cmd_compose = {
    .name = "compose",
    .brief = "compose (epsilon, delta)-DP mechanisms",
    .manual =
        "What a list of (epsilon, delta)-DP mechanisms spends together. The list comes from -m, "
        "from --epsilon, --delta and --times where all of it is one mechanism, or "
        "from FILE, a ledger: a JSON object {\"mechanisms\": [{\"name\": \"...\", \"epsilon\": "
        "\"0.1\", \"delta\": \"1e-6\", \"times\": 35}, ...]}, or a CSV table with the names of the "
        "fields in its first row; '-' is "
        "standard input.\n\n"
        "An entry may also be bagging: {\"mechanism\": \"bagging-with\", \"n\": 60000, \"k\": 300, "
        "\"N\": 10, \"times\": 3}, with the parameters of that command. It enters by its whole "
        "profile where it stands alone, beside others as the pair of its profile that serves the "
        "question: rows are then proved, not exact, and a budget they do not meet is refuted only "
        "by a lower bound.\n\n"
        "With a target delta it reports epsilon, with a target epsilon it reports delta, with "
        "neither the end point: the sum of the epsilons, and the probability of a leak. The "
        "default is the optimum, which no theorem can improve for mechanisms known only by "
        "their parameters.",
    .options = options,
    .rules = rules,
    .examples = examples,
    .operand = "[FILE]",
    .lapses = "delta|times|digits",
    .takes_items = true,
    .batchable = true,
    .run = run};
