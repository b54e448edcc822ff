/* SPDX-License-Identifier: MIT */
/* The command pate. */
#include "document/commands.h"

#include "num/number.h"
#include "vote/parameters.h"

static const option options[] = {{&pate_aggregator, .metavar = "AGGREGATOR"},
                                 {&pate_inverse_scale, .metavar = "L"},
                                 {&pate_sigma, .metavar = "S"},
                                 {&pate_sigma_threshold, .metavar = "S"},
                                 {&pate_teachers, .metavar = "N"},
                                 {&pate_threshold, .metavar = "T"},
                                 {&pate_votes_given, .metavar = "FILE"},
                                 {&pate_instance, .metavar = "FILE"},
                                 {&pate_classes, .metavar = "C"},
                                 {&pate_queries, .metavar = "Q"},
                                 {&pate_answered, .metavar = "Q"},
                                 {&pate_target_delta, .metavar = "D"},
                                 {&pate_target_epsilon, .metavar = "E"},
                                 {&pate_solve, .metavar = "PARAMETER"},
                                 {&list_adjacency, .metavar = "RELATION", .role = ROLE_RELATION},
                                 OPTIONS_CHECK,
                                 OPTIONS_LIMITS,
                                 OPTION_DIGITS,
                                 OPTION_ALL,
                                 OPTIONS_OUTPUT,
                                 {NULL}};

/* With --solve targets are the budget where none is given. */
static void settle(args *a)
{
    if (args_value(a, "solve")->text == NULL)
        return;
    args_move(a, "target-delta", "max-delta");
    args_move(a, "target-epsilon", "max-epsilon");
}

/* As many as are solved for, or as there are votes. */
static void settle_queries(args *a)
{
    if ((args_is(a, "solve", "queries") || args_value(a, "votes")->text != NULL ||
         args_value(a, "instance")->text != NULL) &&
        !args_value(a, "queries")->given)
        args_forget(a, "queries");
}

static const dp_number *in_force(const args *a, const char *name)
{
    return args_value(a, name)->text != NULL ? args_number(a, name) : NULL;
}

static int run(args *a, report *r)
{
    settle(a);
    settle_queries(a);
    dp_options opt = common_options(a, r);
    const value *solve = args_value(a, "solve");
    dp_pate p = {.aggregator = (dp_aggregator)args_value(a, "aggregator")->choice,
                 .adjacency =
                     args_is(a, "adjacency", "replace-one") ? DP_REPLACE_ONE : DP_ADD_REMOVE,
                 .inverse_scale = args_number(a, "inverse-scale"),
                 .sigma = args_number(a, "sigma"),
                 .sigma_threshold = args_number(a, "sigma-threshold"),
                 .queries = in_force(a, "queries"),
                 .answered = args_number(a, "answered"),
                 .target_epsilon = args_number(a, "target-epsilon"),
                 .target_delta = args_number(a, "target-delta"),
                 .solve = solve->text == NULL  ? DP_PATE_NOTHING
                          : solve->choice == 0 ? DP_PATE_QUERIES
                                               : DP_PATE_SIGMA};
    p.teachers = args_number(a, "teachers");
    p.threshold = args_number(a, "threshold");
    p.votes = args_table(a, "votes", &p.vote_count, &p.vote_classes);
    p.instance = args_table(a, "instance", &p.instance_count, &p.instance_line);
    p.classes = args_number(a, "classes");
    dp_status status = dp_pate_privacy(&r->result, &p, &opt, &r->error);
    if (status == DP_OK)
        note_usual(r, a, NULL, &opt);
    return report_status(r, status);
}

static const example examples[] = {
    {"pate --aggregator gnmax --sigma 40 --queries 1000 --target-delta 1e-5",
     "epsilon of 1000 answers"},
    {"pate --aggregator confident-gnmax --sigma 40 --sigma-threshold 150 --queries 3000 "
     "--answered 200 --target-delta 1e-5",
     "of 3000 queries of which 200 at most are answered"},
    {"pate --aggregator lnmax --inverse-scale 2/50 --solve queries --max-epsilon 1 --max-delta "
     "1e-3 --all",
     "how many labels fit, by each bound"},
    {"pate --aggregator gnmax --solve sigma --max-epsilon 0.2676 --max-delta 3e-4 --all",
     "the least noise for one answer"},
    {NULL, NULL}};

const command cmd_pate = {
    .name = "pate",
    .brief = "noisy votes of teachers trained on disjoint records",
    .manual =
        "Teachers are trained on disjoint records; their votes on a query become one answer "
        "(PATE, subsample and aggregate). lnmax adds Laplace noise of scale 1/L to the votes and "
        "answers with the class that then has most, gnmax adds Gaussian noise, and confident-gnmax "
        "answers only where the most votes, with noise of their own, reach a threshold.\n\n"
        "One record moves one vote of each query from a class to another, under either relation, "
        "as long as the assignment of the other records to teachers does not move. With Gaussian "
        "noise the figures are exact for the noisy votes; with Laplace noise the smaller of two "
        "bounds is shown.\n\n"
        "With --solve and a budget, --max-epsilon and --max-delta, it reports the most queries, "
        "the last that still fits, or the least sigma.",
    .options = options,
    .examples = examples,
    .lapses = "queries",
    .batchable = true,
    .run = run};
