/* SPDX-License-Identifier: MIT */
/* The command majority, with the files that it reads and the plot data that it writes. */
#include "core/uses.h"
#include "document/commands.h"

#include "num/number.h"
#include "vote/parameters.h"

static const option options[] = {
    {&majority_mechanisms, .letter = 'K', .metavar = "K"},
    {&majority_epsilon, .metavar = "E"},
    {&majority_delta, .metavar = "D"},
    {&majority_mechanism, .letter = 'm', .metavar = "EPS[,DELTA][xCOUNT]", .repeats = true},
    {&majority_allowance, .letter = 'M', .metavar = "M"},
    {&majority_target_epsilon, .metavar = "E"},
    {&majority_target_delta, .metavar = "D"},
    {&majority_design, .metavar = "DESIGN"},
    {&majority_sample, .letter = 'k', .metavar = "K"},
    {&majority_slack, .metavar = "D"},
    {&majority_class, .metavar = "CLASS"},
    {&majority_prior, .metavar = "PRIOR"},
    {&majority_means, .metavar = "MU[,MU...]"},
    {&majority_gamma, .metavar = "FILE"},
    {&majority_votes, .metavar = "P[,P...]"},
    {&majority_vote_mean, .metavar = "P"},
    OPTIONS_CHECK,
    OPTIONS_LIMITS,
    OPTION_DIGITS,
    OPTION_ALL,
    OPTIONS_OUTPUT,
    {NULL}};

static int refuse(report *r, const char *argument, const char *message)
{
    r->error = (dp_error){DP_DOMAIN, argument, message};
    return EXIT_INPUT;
}

/* --mechanisms, --epsilon and --delta as one group, or the groups of -m. */
static int read_groups(args *a, report *r)
{
    const dp_number *count = args_number(a, "mechanisms"), *epsilon = args_number(a, "epsilon");
    if (!list_is_empty(&a->composition)) {
        if (count != NULL || epsilon != NULL || args_value(a, "delta")->given)
            return refuse(
                r, "mechanism",
                "excludes --mechanisms, --epsilon and --delta; give groups or equal ones");
        args_forget(a, "delta");
        return EXIT_HOLDS;
    }
    if (count == NULL)
        return refuse(r, "mechanisms", "is missing; give it, or groups by -m");
    if (epsilon == NULL)
        return refuse(r, "epsilon", "is missing; give it, or groups by -m");
    dp_status status =
        dp_composition_add(&a->composition, epsilon, number_rational(args_number(a, "delta")),
                           number_integer(count), &r->error);
    return status == DP_OK ? EXIT_HOLDS : report_status(r, status);
}

static int run(args *a, report *r)
{
    int status = read_groups(a, r);
    if (status != EXIT_HOLDS)
        return status;
    dp_options opt = common_options(a, r);
    dp_majority m;
    dp_majority_init(&m);
    m.groups = &a->composition;
    m.allowance = args_number(a, "allowance");
    m.target_epsilon = args_number(a, "target-epsilon");
    mpq_set(m.target_delta, number_rational(args_number(a, "target-delta")));
    m.design = (dp_design)args_value(a, "design")->choice;
    m.sample = args_number(a, "sample");
    m.slack = args_number(a, "slack");
    m.free_class = args_is(a, "class", "free");
    m.prior = (dp_vote_prior)args_value(a, "prior")->choice;
    m.gamma = args_list(a, "gamma", &m.gamma_count);
    m.means = args_list(a, "means", &m.mean_count);
    m.votes = args_list(a, "votes", &m.vote_count);
    if (m.vote_count == 0)
        m.votes = args_list(a, "vote-mean", &m.vote_count);
    dp_status outcome = dp_majority_designs(&r->result, &m, &opt, &r->error);
    dp_majority_clear(&m);
    return report_status(r, outcome);
}

static const rule rules[] = {{RULE_EXACTLY_ONE, "allowance|target-epsilon"},
                             {RULE_AT_MOST_ONE, "votes|vote-mean"},
                             {0, NULL}};

static const example examples[] = {
    {"majority -K 11 --epsilon 0.1 --delta 1e-5 --allowance 3 --target-delta 3e-5",
     "every design side by side"},
    {"majority -K 35 --epsilon 0.1 --delta 1e-5 --allowance 3 --target-delta 3e-5 --design optimal",
     "the best noise function, with proof"},
    {"majority -K 11 --epsilon 0.1 --allowance 3 --design double-subsample --plot-data",
     "a noise function for a plot"},
    {"majority -K 3 --epsilon 1 --allowance 1 --design constant --vote-mean 0.6 --all",
     "the error at given votes, and the published bound that fails"},
    {NULL, NULL}};

const command cmd_majority = {
    .name = "majority",
    .brief = "noise functions for a private majority",
    .manual =
        "K independent mechanisms, each (E, D)-DP, vote with one bit. When l of them say 1, their "
        "majority is published with probability gamma(l), a fair coin otherwise. This designs "
        "gamma for a target and certifies what each design spends in the worst case.\n\n"
        "delta is the smallest at the target epsilon, epsilon_at_target_delta the smallest epsilon "
        "at the target delta, error the expected one under the prior, without sampling.",
    .options = options,
    .rules = rules,
    .examples = examples,
    .lapses = "delta",
    .takes_items = true,
    .batchable = true,
    .run = run};
