/* SPDX-License-Identifier: MIT */
/* The command generalization. */
#include "document/commands.h"

#include "num/number.h"

static const option options[] = {
    {.name = "epsilon",
     .kind = KIND_LOSS,
     .metavar = "E",
     .required = true,
     .brief = "epsilon of the learner, replace-one adjacency",
     .manual = "An (E, D) guarantee under add-remove adjacency gives (2 E, (1 + e^E) D) here."},
    {.name = "delta",
     .kind = KIND_PROBABILITY,
     .metavar = "D",
     .preset = "0",
     .brief = "delta of the learner",
     .manual = "An upper bound will do, as for epsilon."},
    {.name = "samples",
     .letter = 'N',
     .kind = KIND_COUNT,
     .metavar = "N",
     .brief = "training examples",
     .manual = "Without it only bounds of the mean and minimum sample sizes are shown."},
    {.name = "failure",
     .letter = 'b',
     .kind = KIND_SLACK,
     .metavar = "B",
     .preset = "0.05",
     .brief = "failure probability allowed",
     .manual = "The bound a is such that |Gen| > a has a probability below B."},
    {.name = "gap",
     .letter = 'a',
     .kind = KIND_POSITIVE,
     .metavar = "A",
     .brief = "report the failure probability for this gap",
     .manual = "In place of --failure; with --solve samples, both are needed."},
    {.name = "one-sided",
     .key = "one_sided",
     .kind = KIND_FLAG,
     .brief = "bound Gen from above only",
     .manual = "Gen > a in place of |Gen| > a: half the failure probability."},
    {.name = "sets",
     .letter = 'k',
     .kind = KIND_COUNT,
     .metavar = "K",
     .brief = "sets of the multi-sample bounds",
     .manual = "1 unless given; the certified bound searches for its own."},
    {.name = "selection",
     .kind = KIND_POSITIVE,
     .domain = &domain_short_positive,
     .metavar = "E2",
     .brief = "epsilon of the selection in the certified bound",
     .manual = "Searched for unless given; every value is sound."},
    {.name = "solve",
     .kind = KIND_CHOICE,
     .metavar = "WHAT",
     .choices = "samples",
     .brief = "the least number of samples for --gap and --failure",
     .manual = "For the number of sets and the selection that serve best."},
    OPTIONS_LIMITS,
    OPTION_DIGITS,
    OPTION_ALL,
    OPTIONS_OUTPUT,
    {.name = NULL}};

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
    .batchable = true,
    .run = run};
