/* SPDX-License-Identifier: MIT */
/* The command majority, with the files that it reads and the plot data that it writes. */
#include "document/commands.h"

#include "num/number.h"

static const option options[] = {
    {.name = "mechanisms",
     .letter = 'K',
     .kind = KIND_COUNT,
     .metavar = "K",
     .brief = "number of voting mechanisms, odd",
     .manual = "At most 301. An even number has ties; leave one mechanism out."},
    {.name = "epsilon",
     .kind = KIND_LOSS,
     .metavar = "E",
     .brief = "epsilon of each mechanism",
     .manual = "With --mechanisms; groups of different parameters are given by -m."},
    {.name = "delta",
     .kind = KIND_PROBABILITY,
     .metavar = "D",
     .preset = "0",
     .brief = "delta of each mechanism",
     .manual = "With --mechanisms."},
    {.name = "mechanism",
     .letter = 'm',
     .kind = KIND_ITEM,
     .metavar = "EPS[,DELTA][xCOUNT]",
     .repeats = true,
     .brief = "add a group of mechanisms; repeatable",
     .manual = "In place of --mechanisms, --epsilon and --delta. Needs --target-epsilon."},
    {.name = "allowance",
     .letter = 'M',
     .kind = KIND_POSITIVE,
     .metavar = "M",
     .brief = "target epsilon as a multiple of --epsilon",
     .manual = "In place of --target-epsilon."},
    {.name = "target-epsilon",
     .key = "target_epsilon",
     .kind = KIND_LOSS,
     .metavar = "E",
     .brief = "target epsilon of the answer",
     .manual = "In place of --allowance."},
    {.name = "target-delta",
     .key = "target_delta",
     .kind = KIND_PROBABILITY,
     .metavar = "D",
     .preset = "0",
     .brief = "target delta of the answer",
     .manual = "Together with the target epsilon."},
    {.name = "design",
     .kind = KIND_CHOICE,
     .metavar = "DESIGN",
     .preset = "all",
     .choices = "all|constant|subsample|double-subsample|optimal",
     .brief = "how the noise depends on the votes",
     .manual = "All of them side by side, or one."},
    {.name = "sample",
     .letter = 'k',
     .kind = KIND_COUNT,
     .metavar = "K",
     .brief = "votes drawn by the subsample design",
     .manual = "The target over epsilon, rounded down, unless given."},
    {.name = "slack",
     .kind = KIND_SLACK,
     .metavar = "D",
     .brief = "slack of general composition, for a constant",
     .manual = "Adds the row rr-prob-general: what composition alone allows."},
    {.name = "class",
     .kind = KIND_CHOICE,
     .metavar = "CLASS",
     .preset = "monotone",
     .choices = "monotone|free",
     .brief = "the noise functions that the optimum is over",
     .manual =
         "Monotone: a clearer majority is never published with less truth. Free: all "
         "symmetric noise functions; with delta above 0 for up to about 50 mechanisms within the "
         "time limit."},
    {.name = "prior",
     .kind = KIND_CHOICE,
     .metavar = "PRIOR",
     .preset = "half",
     .choices = "half|common|mean|vote",
     .brief = "what the expected error is averaged over",
     .manual =
         "half: the votes' probabilities independent and uniform on [1/2, 1]. common: all equal, "
         "uniform on [0, 1]. mean: independent on [1/2, 1] with --means. vote: disagreement with "
         "the majority, the probabilities uniform on [0, 1]."},
    {.name = "means",
     .kind = KIND_LIST,
     .domain = &domain_vote_mean,
     .metavar = "MU[,MU...]",
     .brief = "means for --prior mean: one, or one for each vote",
     .manual = "At least 1/2 each."},
    {.name = "gamma",
     .kind = KIND_LIST_FILE,
     .domain = &domain_short_share,
     .metavar = "FILE",
     .brief = "certify the noise function in FILE instead",
     .manual = "A JSON array of numbers from 0 to 1, for 0 to K votes or for the upper half. It is "
               "checked against the target, or against --max-epsilon and --max-delta."},
    {.name = "votes",
     .kind = KIND_LIST,
     .domain = &domain_short_share,
     .metavar = "P[,P...]",
     .brief = "report the exact error at these vote probabilities",
     .manual = "Total variation and disagreement of every design."},
    {.name = "vote-mean",
     .key = "vote_mean",
     .kind = KIND_LIST,
     .domain = &domain_short_share,
     .metavar = "P",
     .brief = "the same for equal vote probabilities",
     .manual = "With allowance 1 also the lower bound of Lemma 3.2, corrected."},
    {.name = "plot-data",
     .key = "plot_data",
     .kind = KIND_FLAG,
     .role = ROLE_CONTROL,
     .brief = "print gamma by votes as CSV for a plot",
     .manual = "One line for each number of votes, one column for each design."},
    OPTIONS_CHECK,
    OPTIONS_LIMITS,
    OPTION_DIGITS,
    OPTION_ALL,
    OPTIONS_OUTPUT,
    {.name = NULL}};

static int refuse(report *r, const char *argument, const char *message)
{
    r->error = (dp_error){DP_DOMAIN, argument, message};
    return EXIT_INPUT;
}

/* --mechanisms, --epsilon and --delta as one group, or the groups of -m. */
static int read_groups(args *a, report *r)
{
    const dp_number *count = args_number(a, "mechanisms"), *epsilon = args_number(a, "epsilon");
    if (a->composition.count > 0) {
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
        "delta is the smallest at the target epsilon, epsilon the smallest at the target delta, "
        "error the expected one under the prior, without sampling.",
    .options = options,
    .rules = rules,
    .examples = examples,
    .takes_items = true,
    .batchable = true,
    .run = run};
