/* SPDX-License-Identifier: MIT */
/* The command dp-sgd: one mechanism of the type of the same name, as a list of it alone by the laws
 * of its losses, or by its Renyi divergences. */
#include <string.h>

#include "catalog/types.h"
#include "compose/parameters.h"
#include "core/result.h"
#include "document/commands.h"
#include "mechanism/dp_sgd.h"
#include "mechanism/parameters.h"
#include "num/number.h"

static const option options[] = {{&sgd_noise_multiplier, .metavar = "S"},
                                 {&sgd_sampling_rate, .metavar = "Q"},
                                 {&sgd_steps, .metavar = "T"},
                                 {&sgd_dataset_size, .letter = 'n', .metavar = "SIZE"},
                                 {&sgd_batch_size, .metavar = "B"},
                                 {&sgd_epochs, .metavar = "E"},
                                 {&sgd_group_size, .metavar = "K"},
                                 {&compose_target_delta, .metavar = "D"},
                                 {&compose_target_epsilon, .metavar = "E"},
                                 {&sgd_method, .metavar = "METHOD"},
                                 {&sgd_sampling, .metavar = "HOW"},
                                 {&sgd_solve, .metavar = "PARAMETER"},
                                 {&sgd_adjacency, .metavar = "RELATION", .role = ROLE_RELATION},
                                 OPTIONS_CHECK,
                                 OPTIONS_LIMITS,
                                 OPTION_DIGITS,
                                 OPTION_WIDTH,
                                 OPTION_ALL,
                                 OPTIONS_OUTPUT,
                                 {NULL}};

static const rule rules[] = {{RULE_AT_MOST_ONE, "target-epsilon|target-delta"},
                             {RULE_AT_MOST_ONE, "solve|width"},
                             {0, NULL}};

static int refuse(report *r, const char *argument, const char *message)
{
    r->error = (dp_error){DP_DOMAIN, argument, message};
    return EXIT_INPUT;
}

/* The mechanism of the options, with 1 for what is solved for. NULL: out of memory. */
static dp_mechanism *read_mechanism(const args *a, const char *solved)
{
    dp_mechanism *m = mechanism_new(mechanism_type_find("dp-sgd"));
    for (size_t i = 0; m != NULL && i < m->count; i++) {
        value_fault f;
        const value *v = args_value(a, m->given[i].of->name);
        bool unknown = solved != NULL && strcmp(solved, v->of->name) == 0;
        const char *text = unknown ? "1" : v->text;
        if (text != NULL && value_set(&m->given[i], text, &f) != DP_OK) {
            mechanism_free(m);
            return NULL;
        }
    }
    return m;
}

/* What does not go together, before the mechanism is looked at. */
static int refuse_options(args *a, report *r, const char *solved)
{
    static const char *const sizes[] = {"dataset-size", "batch-size"};
    if (solved == NULL)
        return EXIT_HOLDS;
    if (args_value(a, solved)->given)
        return refuse(r, solved, "is what --solve is to find; leave it out");
    if (strcmp(solved, "steps") == 0 && args_value(a, "epochs")->given)
        return refuse(r, "epochs", "are what --solve is to find; leave them out");
    if (strcmp(solved, "sampling-rate") != 0)
        return EXIT_HOLDS;
    for (size_t i = 0; i < 2; i++)
        if (args_value(a, sizes[i])->given)
            return refuse(r, sizes[i],
                          "gives the rate that --solve is to find; leave it out: batches are the "
                          "rate times the records");
    if (args_value(a, "epochs")->given)
        return refuse(r, "epochs", "depend on the rate that --solve is to find; give steps");
    if (args_is(a, "method", "rdp"))
        return refuse(r, "solve", "finds the sampling rate by the method pld alone");
    return EXIT_HOLDS;
}

static dp_status by_pld(args *a, report *r, const dp_mechanism *m, const char *solved)
{
    dp_options opt = common_options(a, r);
    mpz_t one;
    mpz_init_set_ui(one, 1);
    dp_mechanism *copy = mechanism_copy(m); /* a list completes what it takes */
    dp_status status =
        copy != NULL ? account_enter(&a->composition, copy, one, &r->error) : DP_MEMORY;
    mechanism_free(copy);
    mpz_clear(one);
    if (status != DP_OK)
        return status;
    dp_compose_query q = {.list = &a->composition,
                          .target_epsilon = args_number(a, "target-epsilon"),
                          .target_delta = args_number(a, "target-delta"),
                          .solve = solved != NULL ? DP_SOLVE_PARAMETER : DP_SOLVE_NOTHING,
                          .parameter = solved};
    width_begin(&opt, a, r);
    do
        status = dp_compose(&r->result, &q, &opt, &r->error);
    while (status == DP_OK && width_goes_on(&opt, a, r));
    if (status == DP_OK) {
        note_usual(r, a, &q, &opt);
        result_note(&r->result, SGD_ABOUT);
        if (dp_sgd_is_group(m))
            result_note(&r->result, NOTE_ONE_SIDE);
    }
    return status;
}

static dp_status by_rdp(args *a, report *r, const dp_mechanism *m, dp_sgd_unknown unknown)
{
    dp_options opt = common_options(a, r);
    dp_status status;
    width_begin(&opt, a, r);
    do
        status = dp_sgd_privacy(&r->result, m, args_number(a, "target-epsilon"),
                                args_number(a, "target-delta"), unknown, &opt, &r->error);
    while (status == DP_OK && width_goes_on(&opt, a, r));
    if (status == DP_OK) {
        note_usual(r, a, NULL, NULL);
        result_note(&r->result, SGD_ABOUT);
    }
    return status;
}

static int run(args *a, report *r)
{
    const value *solve = args_value(a, "solve");
    const char *solved = solve->text;
    int exit = refuse_options(a, r, solved);
    if (exit != EXIT_HOLDS)
        return exit;
    if (solved != NULL) { /* targets are the budget where none is given */
        args_move(a, "target-delta", "max-delta");
        args_move(a, "target-epsilon", "max-epsilon");
    }
    dp_mechanism *m = read_mechanism(a, solved);
    if (m == NULL)
        return report_status(r, DP_MEMORY);
    dp_sgd_unknown unknown = solved == NULL ? DP_SGD_NOTHING : DP_SGD_NOISE + solve->choice;
    dp_options opt = common_options(a, r);
    dp_status status = mechanism_complete(m, &r->error);
    if (status == DP_OK && solved != NULL)
        status = dp_sgd_solvable(m, unknown, &opt, &r->error);
    if (status == DP_OK)
        status = args_is(a, "method", "rdp") ? by_rdp(a, r, m, unknown) : by_pld(a, r, m, solved);
    mechanism_free(m);
    width_end(a);
    return report_status(r, status);
}

static const example examples[] = {
    {"dp-sgd --noise-multiplier 1 --sampling-rate 0.01 --steps 1000 --target-delta 1e-5",
     "epsilon of a thousand steps"},
    {"dp-sgd --noise-multiplier 1.1 -n 60000 --batch-size 256 --epochs 60 --target-delta 1e-5",
     "the same from the sizes of a training run"},
    {"dp-sgd --noise-multiplier 1 --sampling-rate 0.01 --steps 1000 --target-delta 1e-5 "
     "--group-size 2",
     "for a person with two records"},
    {"dp-sgd --solve noise-multiplier --sampling-rate 0.01 --steps 1000 --max-epsilon 2 "
     "--max-delta 1e-5",
     "the noise to add"},
    {"dp-sgd --noise-multiplier 1 --sampling-rate 0.01 --solve steps --max-epsilon 2 "
     "--max-delta 1e-5",
     "how long to train"},
    {"dp-sgd --noise-multiplier 1 --steps 1000 --solve sampling-rate --max-epsilon 2 "
     "--max-delta 1e-5",
     "how large batches may be"},
    {NULL, NULL}};

const command cmd_dp_sgd = {
    .name = "dp-sgd",
    .brief = "DP-SGD: epsilon, delta, noise, steps or rate for a budget",
    .manual =
        "What T steps of DP-SGD spend: each adds Gaussian noise of standard deviation S times the "
        "clipping norm to the sum of the clipped gradients of a batch, in which each record is "
        "with probability Q, for itself (Poisson sampling). Under add-remove, or where a record "
        "is set to zero.\n\n"
        "With a target delta it reports epsilon, with a target epsilon delta; with --solve and a "
        "budget, --max-epsilon and --max-delta, the least noise multiplier, the most steps or the "
        "largest sampling rate that keep it: the value is proved to fit, and the next one not "
        "to.\n\n"
        "By the law of the privacy loss, --method pld, figures are exact, in the direction in "
        "which more is lost, and a budget that is not kept is refuted. --method rdp adds up Renyi "
        "divergences, at the order alpha that is shown: its figures prove that a budget is kept, "
        "and never that it is not. --all shows both.\n\n"
        "They are about Poisson samples. Batches of a fixed size, epochs of shuffled records and "
        "replaced records spend other and larger amounts, which are not covered; programs that "
        "shuffle and report these figures are wrong. With --epochs the steps are rounded up.",
    .options = options,
    .rules = rules,
    .examples = examples,
    .lapses = "digits",
    .batchable = true,
    .run = run};
