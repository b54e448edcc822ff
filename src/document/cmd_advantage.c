/* SPDX-License-Identifier: MIT */
/* The command advantage. */
#include "document/commands.h"

#include <string.h>

#include "attack/parameters.h"
#include "num/number.h"
#include "renyi/parameters.h"

static const option options[] = {
    {&convert_approx, .metavar = "E,D"},
    {&convert_pure, .metavar = "E"},
    {&convert_gdp, .metavar = "MU"},
    {&convert_zcdp, .metavar = "RHO[,XI]"},
    {&convert_rdp, .metavar = "ALPHA,R", .repeats = true},
    {&attacker_of, .letter = 'm', .metavar = "MECHANISM", .other = "mechanism", .repeats = true},
    {&attacker_delta_given, .metavar = "D"},
    {&attacker_prior, .metavar = "P"},
    {&attacker_fpr, .metavar = "X", .repeats = true},
    {&attacker_tpr, .metavar = "Y"},
    {&attacker_secrets, .metavar = "N"},
    {&attacker_kappa, .metavar = "K"},
    {&attacker_belief, .metavar = "T"},
    {&attacker_members, .metavar = "M"},
    {&attacker_trainings, .metavar = "R"},
    {&attacker_group, .metavar = "G", .other = "group-size"},
    {&attacker_game, .metavar = "GAME"},
    {&attacker_solve, .metavar = "WHAT"},
    {&attacker_max_advantage, .metavar = "A", .role = ROLE_CHECK},
    {&list_adjacency, .metavar = "RELATION", .role = ROLE_RELATION},
    OPTIONS_LIMITS,
    OPTION_DIGITS,
    OPTION_ALL,
    OPTIONS_OUTPUT,
    {NULL}};

static int run(args *a, report *r)
{
    dp_options opt = common_options(a, r);
    dp_conversion s = {.pure = args_number(a, "pure"),
                       .approx = args_number(a, "approx"),
                       .approx_delta = args_second(a, "approx"),
                       .gdp = args_number(a, "gdp")};
    s.zcdp = args_list(a, "zcdp", &s.zcdp_count);
    s.rdp = args_list(a, "rdp", &s.rdp_count);
    bool stated =
        s.pure != NULL || s.approx != NULL || s.gdp != NULL || s.zcdp_count > 0 || s.rdp_count > 0;
    dp_attacker q = {.list = &a->composition,
                     .statement = stated ? &s : NULL,
                     .adjacency =
                         args_is(a, "adjacency", "replace-one") ? DP_REPLACE_ONE : DP_ADD_REMOVE,
                     .group = number_integer(args_number(a, "group")),
                     .game = args_is(a, "game", "in-out")     ? DP_GAME_IN_OUT
                             : args_is(a, "game", "replaced") ? DP_GAME_REPLACED
                                                              : DP_GAME_OF_RELATION,
                     .delta = args_number(a, "delta"),
                     .prior = args_number(a, "prior"),
                     .tpr = args_number(a, "tpr"),
                     .secrets = args_number(a, "secrets"),
                     .kappa = args_number(a, "kappa"),
                     .belief = args_number(a, "belief"),
                     .members = args_number(a, "members"),
                     .trainings = args_number(a, "trainings"),
                     .max_advantage = args_number(a, "max-advantage"),
                     .solve = args_is(a, "solve", "epsilon") ? DP_ATTACKER_EPSILON
                              : args_is(a, "solve", "rho")   ? DP_ATTACKER_RHO
                              : args_is(a, "solve", "mu")    ? DP_ATTACKER_MU
                                                             : DP_ATTACKER_NOTHING};
    q.fpr = args_list(a, "fpr", &q.fpr_count);
    dp_status status = dp_advantage(&r->result, &q, &opt, &r->error);
    note_described(r, a);
    return report_status(r, status);
}

static const rule rules[] = {{RULE_AT_MOST_ONE, "pure|approx|zcdp|rdp|gdp|solve"}, {0, NULL}};

static const example examples[] = {
    {"advantage --approx 3,1e-5", "what epsilon = 3 means for one person"},
    {"advantage --approx 1,1e-5 --prior 0.01 --fpr 0.001 --all",
     "at a prior and a false positive rate, beside published bounds"},
    {"advantage --zcdp 0.1 --max-advantage 0.25", "does a zCDP guarantee keep it?"},
    {"advantage --rdp 2,0.1 --rdp 8,0.5", "from points of a Renyi curve"},
    {"advantage --gdp 1 --prior 0.1 --belief 1", "from Gaussian privacy"},
    {"advantage --of gaussian --sigma 2 --times 10", "of a mechanism"},
    {"advantage --of bagging-with -n 60000 -k 300", "of bagging, whatever the learner"},
    {"advantage --approx 1,1e-5 --secrets 10 --adjacency replace-one",
     "guessing one of ten equally likely values"},
    {"advantage --solve epsilon --max-advantage 0.05 --delta 1e-5", "the largest epsilon for it"},
    {NULL, NULL}};

const command cmd_advantage = {
    .name = "advantage",
    .brief = "what an attacker gains from a guarantee, at most",
    .manual =
        "The most that an attacker gains who sees the output and knows everything but one record: "
        "the advantage (true less false positive rate) of telling whether the record is in, the "
        "accuracy at any prior, what he reaches at a false positive rate, what he may believe "
        "afterwards, and how well he guesses an attribute or a secret. Published bounds stand "
        "beside the least ones, with verdicts.\n\n"
        "The figures bound the best attacker; they say nothing of how well a given attack does. "
        "The record's presence must be independent of the other records: copies of it, or a "
        "family, are a group. A record against another in its place is a matter of replace-one "
        "adjacency.",
    .options = options,
    .rules = rules,
    .examples = examples,
    .operand = "[FILE]",
    .takes_items = true,
    .batchable = true,
    .run = run};
