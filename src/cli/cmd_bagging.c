/* SPDX-License-Identifier: MIT */
#include "cli/commands.h"

#define OPTIONS_BAGGING                                                                            \
    {.name = "dataset-size",                                                                       \
     .key = "n",                                                                                   \
     .letter = 'n',                                                                                \
     .kind = KIND_COUNT,                                                                           \
     .metavar = "SIZE",                                                                            \
     .required = true,                                                                             \
     .brief = "records in the training set (n)",                                                   \
     .manual = "The size of the larger of two neighbouring data sets; delta falls as it grows, "   \
               "so for \"at least SIZE records\" give SIZE."},                                     \
        {.name = "subsample-size",                                                                 \
         .key = "k",                                                                               \
         .letter = 'k',                                                                            \
         .kind = KIND_COUNT,                                                                       \
         .metavar = "SUBSAMPLE",                                                                   \
         .brief = "records drawn for each base model (k)",                                         \
         .manual = "Needed unless it is solved for."},                                             \
        {.name = "models",                                                                         \
         .key = "N",                                                                               \
         .letter = 'N',                                                                            \
         .kind = KIND_COUNT,                                                                       \
         .metavar = "MODELS",                                                                      \
         .preset = "1",                                                                            \
         .brief = "number of base models (N)",                                                     \
         .manual = "Each is trained on a subsample of its own."},                                  \
        {.name = "solve",                                                                          \
         .kind = KIND_CHOICE,                                                                      \
         .metavar = "PARAMETER",                                                                   \
         .choices = "k|N",                                                                         \
         .brief = "largest k or N that meets --max-delta",                                         \
         .manual = "Decided in integers where delta equals the threshold."},                       \
    {                                                                                              \
        .name = "adjacency", .kind = KIND_CHOICE, .role = ROLE_RELATION, .metavar = "RELATION",    \
        .preset = "add-remove", .choices = "add-remove|replace-one",                               \
        .brief = "neighbouring data sets",                                                         \
        .manual = "The guarantee is the same for both relations."                                  \
    }

static const option options[] = {OPTIONS_BAGGING, OPTIONS_CHECK,  OPTION_DIGITS,
                                 OPTION_ALL,      OPTIONS_OUTPUT, {.name = NULL}};

/* One argument that some forms of the command need and others forbid. */
static int demand(report *r, args *a, const char *name, bool needed, const char *message)
{
    if (needed ? args_number(a, name) != NULL : !args_value(a, name)->given)
        return EXIT_HOLDS;
    r->error = (dp_error){DP_DOMAIN, name, message};
    return EXIT_INPUT;
}

static int run(args *a, report *r, dp_sampling sampling)
{
    static const char needed[] = "is missing; give it, or solve for it with --solve";
    static const char solved[] = "is what --solve asks for; leave it out";
    bool for_k = args_is(a, "solve", "k"), for_models = args_is(a, "solve", "N");
    int status = demand(r, a, "subsample-size", !for_k, for_k ? solved : needed);
    if (status == EXIT_HOLDS && for_models) {
        status = demand(r, a, "models", false, solved);
        args_forget(a, "models"); /* the preset is not in force */
    }
    if (status != EXIT_HOLDS)
        return status;
    dp_options opt = common_options(a, r);
    dp_bagging b;
    dp_bagging_init(&b);
    b.sampling = sampling;
    b.adjacency = args_is(a, "adjacency", "replace-one") ? DP_REPLACE_ONE : DP_ADD_REMOVE;
    mpz_set(b.dataset_size, mpq_numref(args_number(a, "dataset-size")->value));
    if (!for_models)
        mpz_set(b.models, mpq_numref(args_number(a, "models")->value));
    if (!for_k)
        mpz_set(b.subsample_size, mpq_numref(args_number(a, "subsample-size")->value));
    dp_status outcome =
        for_k || for_models
            ? dp_bagging_solve(&r->result, &b, for_k ? DP_SOLVE_SUBSAMPLE_SIZE : DP_SOLVE_MODELS,
                               &opt, &r->error)
            : dp_bagging_privacy(&r->result, &b, &opt, &r->error);
    dp_bagging_clear(&b);
    return report_status(r, outcome);
}

static int run_with(args *a, report *r)
{
    return run(a, r, DP_WITH_REPLACEMENT);
}

static int run_without(args *a, report *r)
{
    return run(a, r, DP_WITHOUT_DISJOINT);
}

static const example examples_with[] = {
    {"bagging-with -n 60000 -k 300", "one model on 300 of 60000 records"},
    {"bagging-with -n 60000 -k 300 -N 10 --max-delta 0.05", "ten models; exit 1 if delta > 0.05"},
    {"bagging-with -n 60000 --solve k --max-delta 0.005", "the largest subsample within delta"},
    {NULL, NULL}};

static const example examples_without[] = {
    {"bagging-without -n 60000 -k 300 -N 10", "ten models on disjoint subsamples"},
    {"bagging-without -n 60000 -k 300 --solve N --max-delta 1/4", "how many models fit"},
    {NULL, NULL}};

const command cmd_bagging_with = {
    .name = "bagging-with",
    .brief = "bagging that samples with replacement",
    .manual =
        "The privacy of training N base models, each on k records drawn with replacement from n, "
        "with any learner.\n\n"
        "The guarantee is exact: (0, delta) with delta = 1 - ((n-1)/n)^(Nk), and no smaller delta "
        "holds at any epsilon. The published pair of the bagging paper is shown beside it.",
    .options = options,
    .examples = examples_with,
    .batchable = true,
    .run = run_with};

const command cmd_bagging_without = {
    .name = "bagging-without",
    .brief = "bagging that samples without replacement",
    .manual = "The privacy of training N base models, each on k records, where the Nk records are "
              "distinct (disjoint subsamples), with any learner.\n\n"
              "The guarantee is exact: (0, Nk/n). Nk must not exceed n.",
    .options = options,
    .examples = examples_without,
    .batchable = true,
    .run = run_without};
