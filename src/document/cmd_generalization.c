/* SPDX-License-Identifier: MIT */
/* The command generalization. */
#include "document/commands.h"

#include "learning/parameters.h"
#include "num/number.h"

static const option options[] = {
    {&learner_epsilon, .metavar = "E"},
    {&learner_delta, .metavar = "D"},
    {&learner_samples, .letter = 'N', .metavar = "N", .other = "dataset-size", .other_letter = 'n'},
    {&learner_failure, .letter = 'b', .metavar = "B"},
    {&learner_gap, .letter = 'a', .metavar = "A"},
    {.of = &learner_one_sided},
    {&learner_sets, .letter = 'k', .metavar = "K"},
    {&learner_selection, .metavar = "E2"},
    {&learner_solve, .metavar = "WHAT"},
    OPTIONS_LIMITS,
    OPTION_DIGITS,
    OPTION_ALL,
    OPTIONS_OUTPUT,
    {NULL}};

/* With a gap the failure probability is the answer, unless both are given to solve. */
static bool settle_failure(args *a, report *r, bool solve)
{
    const value *failure = args_value(a, "failure");
    if (args_number(a, "gap") == NULL || solve)
        return true;
    if (failure != NULL && failure->given) {
        r->error = (dp_error){DP_DOMAIN, "failure",
                              "excludes --gap; give one of them, or --solve samples"};
        return false;
    }
    args_forget(a, "failure");
    return true;
}

static int run(args *a, report *r)
{
    dp_options opt = common_options(a, r);
    dp_generalization g;
    dp_generalization_init(&g);
    const value *solve = args_value(a, "solve");
    g.solve_samples = solve != NULL && solve->given;
    if (!settle_failure(a, r, g.solve_samples)) {
        dp_generalization_clear(&g);
        return EXIT_INPUT;
    }
    dp_number_set(&g.epsilon, args_number(a, "epsilon"));
    mpq_set(g.delta, number_rational(args_number(a, "delta")));
    g.samples = args_number(a, "samples");
    g.failure = args_number(a, "failure");
    g.gap = args_number(a, "gap");
    g.sets = args_number(a, "sets");
    g.selection = args_number(a, "selection");
    g.one_sided = args_flag(a, "one-sided");
    dp_status status = dp_generalization_bound(&r->result, &g, &opt, &r->error);
    dp_generalization_clear(&g);
    return report_status(r, status);
}

static const example examples[] = {
    {"generalization --epsilon 0.5 --delta 1e-6 -N 95727",
     "how far training and true loss may differ"},
    {"generalization --epsilon 0.1 --delta 1e-6 --gap 0.2 -N 60000",
     "the probability of a gap above 0.2"},
    {"generalization --epsilon 0.1 --delta 1e-6 --gap 0.2 --failure 0.01 --solve samples",
     "the samples needed"},
    {"generalization --epsilon 2 --delta 1e-6 --all", "what the published bounds say, or do not"},
    {NULL, NULL}};

const command cmd_generalization = {
    .name = "generalization",
    .brief = "generalization bounds from differential privacy",
    .manual =
        "Gen is the expected risk less the empirical risk of an (E, D)-DP learner with loss in "
        "[0, 1]. The certified bound needs no condition on E, D or N; the published theorems stand "
        "beside it, corrected where their proofs need it.\n\n"
        "Replace-one adjacency. A bound of 1 or more says nothing and is shown as vacuous.",
    .options = options,
    .examples = examples,
    .lapses = "failure",
    .batchable = true,
    .run = run};
