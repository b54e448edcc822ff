/* SPDX-License-Identifier: MIT */
/* The command convert. */
#include "document/commands.h"

#include "num/number.h"
#include "renyi/parameters.h"

static const option options[] = {{&convert_pure, .metavar = "E"},
                                 {&convert_approx, .metavar = "E,D"},
                                 {&convert_zcdp, .metavar = "RHO[,XI]"},
                                 {&convert_rdp, .metavar = "ALPHA,R", .repeats = true},
                                 {&convert_cdp, .metavar = "MU,TAU"},
                                 {&convert_gdp, .metavar = "MU"},
                                 {&convert_target_delta, .metavar = "D"},
                                 {&convert_target_epsilon, .metavar = "E"},
                                 {&convert_order, .metavar = "ALPHA"},
                                 {&convert_to, .metavar = "FORM"},
                                 OPTIONS_CHECK,
                                 OPTIONS_LIMITS,
                                 OPTION_DIGITS,
                                 OPTION_ALL,
                                 OPTIONS_OUTPUT,
                                 {NULL}};

/* Beside a budget without delta: epsilon at a usual one. */
static void note_beside(report *r, const args *a, dp_conversion q, dp_options opt)
{
    dp_number delta;
    dp_result usual;
    dp_error err;
    dp_number_init(&delta);
    dp_result_init(&usual);
    q.target_delta = &delta;
    q.target_epsilon = NULL;
    if (note_wants_usual(&delta, &opt, r, a) && q.order == NULL && q.to == DP_CONVERT_ANY &&
        dp_convert(&usual, &q, &opt, &err) == DP_OK && usual.warnings == 0)
        note_usual_epsilon(r, dp_result_figure(&usual, "epsilon"));
    dp_result_clear(&usual);
    dp_number_clear(&delta);
}

static int run(args *a, report *r)
{
    dp_options opt = common_options(a, r);
    dp_conversion q = {.pure = args_number(a, "pure"),
                       .approx = args_number(a, "approx"),
                       .approx_delta = args_second(a, "approx"),
                       .gdp = args_number(a, "gdp"),
                       .target_epsilon = args_number(a, "target-epsilon"),
                       .target_delta = args_number(a, "target-delta"),
                       .order = args_number(a, "order"),
                       .to = args_is(a, "to", "zcdp") ? DP_CONVERT_ZCDP : DP_CONVERT_ANY};
    q.zcdp = args_list(a, "zcdp", &q.zcdp_count);
    q.rdp = args_list(a, "rdp", &q.rdp_count);
    q.cdp = args_list(a, "cdp", &q.cdp_count);
    dp_status status = dp_convert(&r->result, &q, &opt, &r->error);
    if (status == DP_OK)
        note_beside(r, a, q, opt);
    return report_status(r, status);
}

static const rule rules[] = {{RULE_EXACTLY_ONE, "pure|approx|zcdp|rdp|cdp|gdp"},
                             {RULE_AT_MOST_ONE, "target-epsilon|target-delta|order|to"},
                             {0, NULL}};

static const example examples[] = {
    {"convert --pure 0.1 --to zcdp", "the best rho of pure differential privacy"},
    {"convert --pure 1 --order 10", "and its Renyi divergence"},
    {"convert --zcdp 0.1 --target-delta 1e-5", "epsilon of a budget of zCDP"},
    {"convert --rdp 2,0.05 --rdp 8,0.4 --rdp 32,2 --target-delta 1e-5", "of a Renyi curve"},
    {"convert --cdp 0.5,1 --target-epsilon 5", "delta of concentrated privacy"},
    {"convert --gdp 1 --max-epsilon 4.4 --max-delta 1e-5", "does 1-GDP keep a budget?"},
    {NULL, NULL}};

const command cmd_convert = {
    .name = "convert",
    .brief = "from one statement of privacy to another",
    .manual =
        "What a statement of privacy says in another form: pure and approximate differential "
        "privacy, zCDP, points of a Renyi curve, concentrated (CDP) and Gaussian (GDP) privacy, as "
        "epsilon at a delta, delta at an epsilon, the Renyi divergence of an order, or zCDP.\n\n"
        "Every conversion that applies is shown with its verdict, the strongest first: today's "
        "beside the classic ones, so that the cost of each is seen. Orders are searched over a "
        "continuous range and shown as alpha, with which each figure can be computed again.",
    .options = options,
    .rules = rules,
    .examples = examples,
    .batchable = true,
    .run = run};
