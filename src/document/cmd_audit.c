/* SPDX-License-Identifier: MIT */
/* The command audit. */
#include "document/commands.h"

#include "attack/audit_parameters.h"
#include "num/number.h"

static const option options[] = {
    {&audit_true_positives, .metavar = "TP"},
    {&audit_positives, .metavar = "N1"},
    {&audit_false_positives, .metavar = "FP"},
    {&audit_negatives, .metavar = "N0"},
    {&audit_correct, .metavar = "W"},
    {&audit_trials, .metavar = "N"},
    {.of = &audit_one_run},
    {&audit_canaries, .metavar = "M"},
    {&audit_guesses, .metavar = "R"},
    {&audit_positions, .metavar = "HOW"},
    {&audit_delta, .metavar = "D"},
    {&audit_confidence, .metavar = "C"},
    {&audit_split, .metavar = "S"},
    {&audit_method, .metavar = "NAME"},
    {&audit_looks, .metavar = "K"},
    {&audit_claim, .metavar = "KIND"},
    {&audit_mu, .metavar = "MU", .role = ROLE_CHECK},
    {&audit_claim_point, .metavar = "E,D", .repeats = true, .role = ROLE_CHECK},
    {&audit_inclusion, .metavar = "RHO"},
    {&audit_said_in, .metavar = "K"},
    {&audit_at_epsilon, .metavar = "T"},
    {.of = &audit_assume_gaussian},
    {.of = &audit_plan_flag},
    {&audit_claim_epsilon, .metavar = "E"},
    {&audit_attack_accuracy, .metavar = "A"},
    {&audit_attack_tpr, .metavar = "T"},
    {&audit_attack_fpr, .metavar = "F"},
    {&audit_power, .metavar = "P"},
    {&audit_adjacency, .metavar = "RELATION", .role = ROLE_RELATION},
    {&query_max_epsilon, .metavar = "E", .role = ROLE_CHECK},
    OPTIONS_LIMITS,
    OPTION_DIGITS,
    OPTION_ALL,
    OPTIONS_OUTPUT,
    {NULL}};

/* In the order of the choices. */
static const dp_audit_method methods[] = {DP_AUDIT_FISHER, DP_AUDIT_CP,      DP_AUDIT_SIDAK,
                                          DP_AUDIT_COIN,   DP_AUDIT_EXACT,   DP_AUDIT_ADAPTIVE,
                                          DP_AUDIT_FDP,    DP_AUDIT_PROFILE, DP_AUDIT_2023};

static int run(args *a, report *r)
{
    dp_options opt = common_options(a, r);
    const value *method = args_value(a, "method");
    dp_audit q = {.true_positives = args_number(a, "true-positives"),
                  .positives = args_number(a, "positives"),
                  .false_positives = args_number(a, "false-positives"),
                  .negatives = args_number(a, "negatives"),
                  .correct = args_number(a, "correct"),
                  .trials = args_number(a, "trials"),
                  .one_run = args_flag(a, "one-run"),
                  .canaries = args_number(a, "canaries"),
                  .guesses = args_number(a, "guesses"),
                  .fixed_positions = args_is(a, "positions", "fixed"),
                  .delta = args_number(a, "target-delta"),
                  .confidence = args_number(a, "confidence"),
                  .split = args_number(a, "split"),
                  .looks = args_number(a, "looks"),
                  .gdp = args_is(a, "claim", "gdp"),
                  .mu = args_number(a, "mu"),
                  .inclusion = args_number(a, "inclusion"),
                  .said_in = args_number(a, "said-in"),
                  .at_epsilon = args_number(a, "target-epsilon"),
                  .plan = args_flag(a, "plan"),
                  .claim_epsilon = args_number(a, "claim-epsilon"),
                  .accuracy = args_number(a, "accuracy"),
                  .tpr = args_number(a, "tpr"),
                  .fpr = args_number(a, "fpr"),
                  .power = args_number(a, "power"),
                  .assume_gaussian = args_flag(a, "assume-gaussian"),
                  .replaced = args_is(a, "adjacency", "replace-one"),
                  .method = method->text != NULL ? methods[method->choice] : DP_AUDIT_BY_DESIGN};
    q.claim_point = args_numbers(a, "claim-point", &q.claim_points);
    return report_status(r, dp_audit_evaluate(&r->result, &q, &opt, &r->error));
}

static const example examples[] = {
    {"audit --true-positives 90 --positives 100 --false-positives 10 --negatives 100",
     "from the confusion matrix of an attack"},
    {"audit --correct 150 --trials 200 --max-epsilon 0.5",
     "is the claim refuted? Exit 1 where it is"},
    {"audit --one-run --canaries 1000 --guesses 100 --correct 75 --target-delta 1e-4",
     "canaries of one training run"},
    {"audit --true-positives 300 --positives 300 --false-positives 2 --negatives 300 --method cp "
     "--split 1/10 --target-epsilon 1 --looks 2 --adjacency replace-one",
     "two figures were announced, this is one of them"},
    {"audit --plan --claim-epsilon 8 --confidence 0.99", "how many trials can refute a claim"},
    {NULL, NULL}};

const command cmd_audit = {
    .name = "audit",
    .brief = "what the outcomes of an attack prove against a claim",
    .manual =
        "From counts to a certified lower bound on the least epsilon of a mechanism at delta D. "
        "It is one-sided, and it guarantees nothing: 0 says that nothing was shown. The printed "
        "epsilon exceeds the true one with a probability of at most 1 - C over the audit, "
        "whatever the mechanism, where the printed assumptions hold.\n\n"
        "With --max-epsilon the claim is checked: exit 1 where it is refuted, 0 where it is not, "
        "which proves nothing about it.",
    .options = options,
    .examples = examples,
    .batchable = true,
    .run = run};
