/* SPDX-License-Identifier: MIT */
/* The commands gaussian, laplace and discrete-gaussian: one mechanism of the type of the same name.
 */
#include <string.h>

#include "catalog/types.h"
#include "compose/parameters.h"
#include "document/commands.h"
#include "mechanism/parameters.h"
#include "num/number.h"

#define NOISE_OPTIONS                                                                              \
    {&noise_times, .metavar = "T"}, {&compose_target_delta, .metavar = "D"},                       \
        {&compose_target_epsilon, .metavar = "E"}, {&noise_method, .metavar = "THEOREM"},          \
        {&list_group_size, .metavar = "K"},                                                        \
        {&list_adjacency, .metavar = "RELATION", .role = ROLE_RELATION}, OPTIONS_CHECK,            \
        OPTIONS_LIMITS, OPTION_DIGITS, OPTION_ALL, OPTIONS_OUTPUT,                                 \
    {                                                                                              \
        NULL                                                                                       \
    }

static const option gaussian_options[] = {{&noise_sigma, .metavar = "S"},
                                          {&gaussian_solve, .metavar = "PARAMETER"},
                                          {&noise_sensitivity, .metavar = "D"},
                                          NOISE_OPTIONS};

static const option laplace_options[] = {{&noise_scale, .metavar = "B"},
                                         {&laplace_solve, .metavar = "PARAMETER"},
                                         {&noise_sensitivity, .metavar = "D"},
                                         NOISE_OPTIONS};

static const option discrete_options[] = {{&discrete_sigma2, .metavar = "S2"},
                                          {&discrete_solve, .metavar = "PARAMETER"},
                                          {&discrete_sensitivity, .metavar = "D"},
                                          NOISE_OPTIONS};

static int refuse(report *r, const char *argument, const char *message)
{
    r->error = (dp_error){DP_DOMAIN, argument, message};
    return EXIT_INPUT;
}

/* With --solve targets are the budget where none is given. */
static void settle_budget(args *a)
{
    if (args_value(a, "solve")->text == NULL)
        return;
    args_move(a, "target-delta", "max-delta");
    args_move(a, "target-epsilon", "max-epsilon");
}

/* The mechanism with the values of the options of its parameters; the size of the noise is 1 where
 * it is solved for. NULL: out of memory. */
static dp_mechanism *read_mechanism(const args *a, const mechanism_type *type, const char *solved)
{
    dp_mechanism *m = mechanism_new(type);
    for (size_t i = 0; m != NULL && i < m->count; i++) {
        value_fault f;
        const value *v = args_value(a, m->given[i].of->name);
        const char *text = v->text;
        if (solved != NULL && strcmp(solved, v->of->name) == 0)
            text = "1";
        if (text != NULL && value_set(&m->given[i], text, &f) != DP_OK) {
            mechanism_free(m);
            return NULL;
        }
    }
    return m;
}

static int ask(args *a, report *r, const char *solved)
{
    dp_options opt = common_options(a, r);
    const value *solve = args_value(a, "solve");
    dp_compose_query q = {.list = &a->composition,
                          .method = args_is(a, "method", "rdp")    ? DP_COMPOSE_RDP
                                    : args_is(a, "method", "zcdp") ? DP_COMPOSE_ZCDP
                                                                   : DP_COMPOSE_OPTIMAL,
                          .target_epsilon = args_number(a, "target-epsilon"),
                          .target_delta = args_number(a, "target-delta"),
                          .solve = solved != NULL        ? DP_SOLVE_PARAMETER
                                   : solve->text != NULL ? DP_SOLVE_TIMES
                                                         : DP_SOLVE_NOTHING,
                          .parameter = solved};
    dp_status status = dp_compose(&r->result, &q, &opt, &r->error);
    note_groups(r, a);
    if (status == DP_OK)
        note_usual(r, a, &q, &opt);
    return report_status(r, status);
}

static int run(args *a, report *r)
{
    settle_budget(a);
    const value *solve = args_value(a, "solve");
    const char *noise = a->command->options[0].of->name; /* of the size of the noise */
    const char *solved = solve->text != NULL && solve->choice == 0 ? noise : NULL;
    if (solved != NULL && args_number(a, noise) != NULL)
        return refuse(r, noise, "is what --solve is to find; leave it out");
    if (solve->text != NULL && solved == NULL && args_value(a, "times")->given)
        return refuse(r, "times", "is what --solve is to find; leave it out");
    if (args_is(a, "adjacency", "replace-one"))
        a->composition.adjacency = DP_REPLACE_ONE;
    dp_mechanism *m = read_mechanism(a, mechanism_type_find(a->command->name), solved);
    if (m == NULL)
        return report_status(r, DP_MEMORY);
    dp_status status =
        account_enter(&a->composition, m, number_integer(args_number(a, "times")), &r->error);
    mechanism_free(m);
    if (solve->text != NULL && solved == NULL)
        args_forget(a, "times"); /* of what is added, one use at a time */
    if (status == DP_OK)
        status = group_records(a, r);
    return status == DP_OK ? ask(a, r, solved) : report_status(r, status);
}

static const example gaussian_examples[] = {
    {"gaussian --sigma 2 --target-delta 1e-5", "epsilon of one use at delta = 1e-5"},
    {"gaussian --sigma 2 --times 10 --target-epsilon 1", "delta of ten uses at epsilon = 1"},
    {"gaussian --sigma 6 --group-size 3 --target-delta 1e-5", "for groups of three records"},
    {"gaussian --solve sigma --times 10 --max-epsilon 1 --max-delta 1e-6", "the noise to add"},
    {"gaussian --sigma 50 --solve times --max-epsilon 1 --max-delta 1e-6", "how many queries fit"},
    {NULL, NULL}};

static const example laplace_examples[] = {
    {"laplace --scale 2 --times 3 --target-delta 1e-6", "epsilon of three uses"},
    {"laplace --scale 10 --sensitivity 2 --target-epsilon 0.1", "delta of one use"},
    {"laplace --scale 6 --group-size 3 --target-epsilon 1", "for groups of three records"},
    {"laplace --solve scale --max-epsilon 0.3 --max-delta 1e-6", "the noise to add"},
    {NULL, NULL}};

static const example discrete_examples[] = {
    {"discrete-gaussian --sigma2 4 --target-delta 1e-5", "epsilon of one use"},
    {"discrete-gaussian --solve sigma2 --times 10 --max-epsilon 1 --max-delta 1e-6",
     "the noise to add"},
    {NULL, NULL}};

const command cmd_gaussian = {
    .name = "gaussian",
    .brief = "Gaussian noise: epsilon, delta, or sigma for a budget",
    .manual = "What Gaussian noise of standard deviation --sigma on a query of L2 sensitivity "
              "--sensitivity spends: the exact privacy profile, in both directions. Ten uses are "
              "one with the noise divided by sqrt(10), exactly.\n\n"
              "With a target delta it reports epsilon, with a target epsilon delta; with --solve "
              "and a budget, --max-epsilon and --max-delta, the least sigma or the most uses that "
              "keep it. --method zcdp or rdp gives what accountants of Renyi curves would "
              "print.\n\n"
              "The noise is continuous. Discrete noise of the same sigma spends more: its profile "
              "lies above this one.",
    .options = gaussian_options,
    .examples = gaussian_examples,
    .lapses = "times",
    .batchable = true,
    .run = run};

const command cmd_laplace = {
    .name = "laplace",
    .brief = "Laplace noise: epsilon, delta, or the scale for a budget",
    .manual = "What Laplace noise of scale --scale on a query of L1 sensitivity --sensitivity "
              "spends: the exact privacy profile, in both directions, of one use or of many.\n\n"
              "With a target delta it reports epsilon, with a target epsilon delta, with neither "
              "the end point, sensitivity / scale for each use. With --solve and a budget, "
              "--max-epsilon and --max-delta, the least scale or the most uses that keep it.",
    .options = laplace_options,
    .examples = laplace_examples,
    .lapses = "times",
    .batchable = true,
    .run = run};

const command cmd_discrete_gaussian = {
    .name = "discrete-gaussian",
    .brief = "discrete Gaussian noise: epsilon, delta, or the variance",
    .manual = "What discrete Gaussian noise of --sigma2 on a query of integers spends: the exact "
              "privacy profile, of one use or of many.\n\n"
              "With a target delta it reports epsilon, with a target epsilon delta; with --solve "
              "and a budget, --max-epsilon and --max-delta, a sigma^2 that keeps it or the most "
              "uses that do. More of this noise is not always more private: take the value as it "
              "is.",
    .options = discrete_options,
    .examples = discrete_examples,
    .lapses = "times",
    .batchable = true,
    .run = run};
