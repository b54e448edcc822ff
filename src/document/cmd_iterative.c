/* SPDX-License-Identifier: MIT */
/* The command iterative-gaussian. */
#include "document/commands.h"

#include "learning/parameters.h"
#include "num/number.h"

static const option options[] = {
    {&igmm_samples, .letter = 'n', .metavar = "N", .other = "samples", .other_letter = 'N'},
    {&igmm_batch_size, .metavar = "B"},
    {&igmm_times, .letter = 'T', .metavar = "T"},
    {&igmm_diameter, .metavar = "D"},
    {&igmm_sigma, .metavar = "S"},
    {&igmm_delta, .metavar = "D"},
    {&igmm_slack, .metavar = "D"},
    {&igmm_target_epsilon, .metavar = "E"},
    {&igmm_target_delta, .metavar = "D"},
    OPTIONS_CHECK,
    OPTIONS_LIMITS,
    OPTION_DIGITS,
    OPTION_ALL,
    OPTIONS_OUTPUT,
    {NULL}};

static int run(args *a, report *r)
{
    dp_options opt = common_options(a, r);
    dp_igmm g;
    dp_igmm_init(&g);
    mpz_set(g.samples, number_integer(args_number(a, "dataset-size")));
    mpz_set(g.batch, number_integer(args_number(a, "batch-size")));
    mpz_set(g.times, number_integer(args_number(a, "times")));
    mpq_set(g.diameter, number_rational(args_number(a, "diameter")));
    mpq_set(g.sigma, number_rational(args_number(a, "sigma")));
    g.delta = args_number(a, "delta");
    g.slack = args_number(a, "slack");
    g.target_epsilon = args_number(a, "target-epsilon");
    g.target_delta = args_number(a, "target-delta");
    dp_status status = dp_igmm_privacy(&r->result, &g, &opt, &r->error);
    dp_igmm_clear(&g);
    return report_status(r, status);
}

static const rule rules[] = {{RULE_AT_MOST_ONE, "target-epsilon|target-delta"}, {0, NULL}};

static const example examples[] = {
    {"iterative-gaussian -n 60000 --batch-size 600 -T 1000 --diameter 2 --sigma 0.01 "
     "--target-delta 1e-5",
     "a thousand noisy steps on mini-batches of 600"},
    {"iterative-gaussian -n 1 --batch-size 1 -T 1 --diameter 2 --sigma 1 --delta 1e-5 "
     "--slack 0.999999",
     "where the published statement fails"},
    {NULL, NULL}};

const command cmd_iterative_gaussian = {
    .name = "iterative-gaussian",
    .brief = "noisy iterative learning on mini-batches",
    .manual =
        "T steps, each adding N(0, S^2 I) to the mean of the updates of B records drawn without "
        "replacement from N: noisy SGD, stochastic gradient Langevin dynamics, federated "
        "averaging with a central server. Replace-one adjacency.\n\n"
        "The guarantee is certified: the exact Gaussian step, amplified by subsampling and "
        "composed optimally; exact when B is N.",
    .options = options,
    .rules = rules,
    .examples = examples,
    .batchable = true,
    .run = run};
