/* SPDX-License-Identifier: MIT */
/* The commands bagging-with, bagging-without and bagging-poisson. */
#include "document/commands.h"

#include "core/result.h"
#include "num/number.h"
#include "sampling/parameters.h"

#define OPTION_SIZES                                                                               \
    {&bagging_dataset_size, .letter = 'n', .metavar = "SIZE"},                                     \
    {                                                                                              \
        &bagging_subsample_size, .letter = 'k', .metavar = "SUBSAMPLE"                             \
    }
#define OPTION_MODELS                                                                              \
    {                                                                                              \
        &bagging_models, .letter = 'N', .metavar = "MODELS"                                        \
    }
#define OPTIONS_LEARNER                                                                            \
    {&bagging_target_epsilon, .metavar = "E"}, {&bagging_target_delta, .metavar = "D"},            \
        {&bagging_base_epsilon, .metavar = "E"}, {&bagging_base_delta, .metavar = "D"},            \
    {                                                                                              \
        &bagging_base_adjacency, .metavar = "RELATION"                                             \
    }
#define OPTION_ADJACENCY                                                                           \
    {                                                                                              \
        &bagging_adjacency, .metavar = "RELATION", .role = ROLE_RELATION                           \
    }
#define OPTION_SOLVE(which)                                                                        \
    {                                                                                              \
        which, .metavar = "PARAMETER"                                                              \
    }

static const option options_with[] = {
    OPTION_SIZES,     OPTION_MODELS,  OPTIONS_LEARNER, OPTION_SOLVE(&bagging_solve),
    OPTION_ADJACENCY, OPTIONS_CHECK,  OPTIONS_LIMITS,  OPTION_DIGITS,
    OPTION_ALL,       OPTIONS_OUTPUT, {NULL}};

static const option options_without[] = {OPTION_SIZES,
                                         OPTION_MODELS,
                                         {&bagging_subsamples, .metavar = "HOW"},
                                         OPTIONS_LEARNER,
                                         OPTION_SOLVE(&bagging_solve),
                                         OPTION_ADJACENCY,
                                         OPTIONS_CHECK,
                                         OPTIONS_LIMITS,
                                         OPTION_DIGITS,
                                         OPTION_ALL,
                                         OPTIONS_OUTPUT,
                                         {NULL}};

static const option options_poisson[] = {{&bagging_sampling_rate, .metavar = "Q"},
                                         OPTION_MODELS,
                                         OPTIONS_LEARNER,
                                         OPTION_SOLVE(&bagging_poisson_solve),
                                         OPTION_ADJACENCY,
                                         OPTIONS_CHECK,
                                         OPTIONS_LIMITS,
                                         OPTION_DIGITS,
                                         OPTION_ALL,
                                         OPTIONS_OUTPUT,
                                         {NULL}};

/* One argument that some forms of the command need and others forbid. */
static int demand(report *r, args *a, const char *name, bool needed)
{
    static const char missing[] = "is missing; give it, or solve for it with --solve";
    static const char solved[] = "is what --solve asks for; leave it out";
    if (needed ? args_number(a, name) != NULL : !args_value(a, name)->given)
        return EXIT_HOLDS;
    r->error = (dp_error){DP_DOMAIN, name, needed ? missing : solved};
    return EXIT_INPUT;
}

/* The unknown of --solve, and that it alone is left out. */
static int read_unknown(report *r, args *a, bool poisson, dp_bagging_unknown *unknown, bool *solve)
{
    bool models = args_is(a, "solve", "N");
    const char *own = poisson ? "sampling-rate" : "subsample-size";
    *solve = args_value(a, "solve")->text != NULL;
    *unknown = models ? DP_SOLVE_MODELS : poisson ? DP_SOLVE_RATE : DP_SOLVE_SUBSAMPLE_SIZE;
    int status = demand(r, a, own, !*solve || models);
    if (status == EXIT_HOLDS && models) {
        status = demand(r, a, "models", false);
        args_forget(a, "models"); /* the preset is not in force */
    }
    return status;
}

static int check_learner(report *r, args *a)
{
    if (args_number(a, "base-epsilon") != NULL)
        return EXIT_HOLDS;
    if (args_value(a, "base-delta")->given || args_value(a, "base-adjacency")->given) {
        r->error =
            (dp_error){DP_DOMAIN, "base-epsilon", "is missing; it makes the learner private"};
        return EXIT_INPUT;
    }
    args_forget(a, "base-delta");
    args_forget(a, "base-adjacency");
    return EXIT_HOLDS;
}

static void set_integer(mpz_t to, const args *a, const char *name)
{
    const dp_number *x = args_number(a, name);
    if (x != NULL)
        mpz_set(to, number_integer(x));
}

static void fill(dp_bagging *b, const args *a, dp_sampling sampling)
{
    b->sampling = sampling;
    b->adjacency = args_is(a, "adjacency", "replace-one") ? DP_REPLACE_ONE : DP_ADD_REMOVE;
    set_integer(b->dataset_size, a, "dataset-size");
    set_integer(b->subsample_size, a, "subsample-size");
    set_integer(b->models, a, "models");
    if (args_number(a, "sampling-rate") != NULL)
        mpq_set(b->sampling_rate, number_rational(args_number(a, "sampling-rate")));
    b->target_epsilon = args_number(a, "target-epsilon");
    b->target_delta = args_number(a, "target-delta");
    b->base_epsilon = args_number(a, "base-epsilon");
    if (b->base_epsilon != NULL) {
        mpq_set(b->base_delta, number_rational(args_number(a, "base-delta")));
        b->base_adjacency = (dp_base_adjacency)args_value(a, "base-adjacency")->choice;
    }
}

static dp_sampling sampling_of(const args *a)
{
    if (a->command == &cmd_bagging_with)
        return DP_WITH_REPLACEMENT;
    if (a->command == &cmd_bagging_poisson)
        return DP_POISSON;
    return args_is(a, "subsamples", "independent") ? DP_WITHOUT_INDEPENDENT : DP_WITHOUT_DISJOINT;
}

static int run(args *a, report *r)
{
    dp_sampling sampling = sampling_of(a);
    dp_bagging_unknown unknown;
    bool solve;
    int status = read_unknown(r, a, sampling == DP_POISSON, &unknown, &solve);
    if (status == EXIT_HOLDS)
        status = check_learner(r, a);
    if (status != EXIT_HOLDS)
        return status;
    dp_options opt = common_options(a, r);
    dp_bagging b;
    dp_bagging_init(&b);
    fill(&b, a, sampling);
    dp_status outcome = solve ? dp_bagging_solve(&r->result, &b, unknown, &opt, &r->error)
                              : dp_bagging_privacy(&r->result, &b, &opt, &r->error);
    mpz_mul_2exp(b.dataset_size, b.dataset_size, 1);
    if (outcome == DP_OK && sampling == DP_WITH_REPLACEMENT &&
        mpz_cmp(b.subsample_size, b.dataset_size) > 0)
        result_warn(&r->result, "more than twice as many records are drawn for a model as there "
                                "are: were n and k swapped?");
    dp_bagging_clear(&b);
    return report_status(r, outcome);
}

/* As an item of a composition. */
static dp_status describe(dp_composition *list, args *own, const mpz_t times, size_t digits,
                          dp_error *err)
{
    report r = {0};
    const char *drawn = own->command == &cmd_bagging_poisson ? "sampling-rate" : "subsample-size";
    if (demand(&r, own, drawn, true) != EXIT_HOLDS || check_learner(&r, own) != EXIT_HOLDS) {
        *err = r.error;
        if (args_number(own, drawn) == NULL)
            err->message = "is missing";
        return DP_DOMAIN;
    }
    dp_bagging b;
    dp_bagging_init(&b);
    fill(&b, own, sampling_of(own));
    dp_status status = dp_composition_add_bagging(list, &b, times, digits, err);
    dp_bagging_clear(&b);
    return status;
}

static const rule rules[] = {{RULE_AT_MOST_ONE, "target-delta|target-epsilon"},
                             {RULE_AT_MOST_ONE, "solve|target-epsilon"},
                             {RULE_AT_MOST_ONE, "solve|target-delta"},
                             {0, NULL}};

static const example examples_with[] = {
    {"bagging-with -n 60000 -k 300", "one model on 300 of 60000 records"},
    {"bagging-with -n 60000 -k 300 -N 10 --max-delta 0.05", "ten models; exit 1 if delta > 0.05"},
    {"bagging-with -n 60000 --solve k --max-delta 0.005", "the largest subsample within delta"},
    {"bagging-with -n 60000 -k 600 --base-epsilon 1 --base-delta 1e-5", "a private base learner"},
    {NULL, NULL}};

static const example examples_without[] = {
    {"bagging-without -n 60000 -k 300 -N 10", "ten models on disjoint subsamples"},
    {"bagging-without -n 60000 -k 300 --solve N --max-delta 1/4", "how many models fit"},
    {"bagging-without -n 60000 -k 600 -N 10 --subsamples independent --base-epsilon 1 "
     "--target-delta 1e-6",
     "ten private models, composed"},
    {NULL, NULL}};

static const example examples_poisson[] = {
    {"bagging-poisson --sampling-rate 0.01 -N 5", "five models, each record in 1 % of them"},
    {"bagging-poisson --base-epsilon 1 --solve q --max-epsilon 0.1 --max-delta 0", "the rate"},
    {NULL, NULL}};

#define PRIVATE_LEARNER                                                                            \
    "\n\nWith --base-epsilon the learner is itself private, and subsampling amplifies its "        \
    "privacy; the profile for any learner still bounds the result."

const command cmd_bagging_with = {
    .name = "bagging-with",
    .brief = "bagging that samples with replacement",
    .manual =
        "The privacy of training N base models, each on k records drawn with replacement from n, "
        "with any learner.\n\n"
        "The guarantee is exact: (0, delta) with delta = 1 - ((n-1)/n)^(Nk), and no smaller delta "
        "holds at any epsilon. The published pair of the bagging paper is shown beside "
        "it." PRIVATE_LEARNER,
    .options = options_with,
    .rules = rules,
    .examples = examples_with,
    .lapses = "models|base-delta|base-adjacency",
    .batchable = true,
    .run = run,
    .describe = describe};

const command cmd_bagging_without = {
    .name = "bagging-without",
    .brief = "bagging that samples without replacement",
    .manual = "The privacy of training N base models, each on k records drawn without replacement, "
              "with any learner: disjoint subsamples (the Nk records are distinct) or independent "
              "ones.\n\n"
              "The guarantee is exact: (0, Nk/n) for disjoint, (0, 1 - (1-k/n)^N) for independent "
              "subsamples." PRIVATE_LEARNER,
    .options = options_without,
    .rules = rules,
    .examples = examples_without,
    .lapses = "models|base-delta|base-adjacency",
    .batchable = true,
    .run = run,
    .describe = describe};

const command cmd_bagging_poisson = {
    .name = "bagging-poisson",
    .brief = "bagging that samples each record independently",
    .manual = "The privacy of training N base models, each on a Poisson subsample, with any "
              "learner.\n\n"
              "The guarantee is exact: (0, 1 - (1-q)^N), whatever the size of the data "
              "set." PRIVATE_LEARNER,
    .options = options_poisson,
    .rules = rules,
    .examples = examples_poisson,
    .lapses = "models|base-delta|base-adjacency",
    .batchable = true,
    .run = run,
    .describe = describe};
