/* SPDX-License-Identifier: MIT */
/* The command compose. */
#include "document/commands.h"

#include "num/number.h"

static const option options[] = {
    {.name = "mechanism",
     .letter = 'm',
     .kind = KIND_ITEM,
     .metavar = "EPS[,DELTA][xTIMES]",
     .repeats = true,
     .brief = "add a mechanism to the list; repeatable",
     .manual = "0.1 is pure, 0.1,1e-6 approximate; x35 uses it 35 times."},
    {.name = "target-delta",
     .key = "target_delta",
     .kind = KIND_PROBABILITY,
     .metavar = "D",
     .brief = "report epsilon at this delta",
     .manual = "The smallest epsilon for which the composition is (epsilon, D)-DP."},
    {.name = "target-epsilon",
     .key = "target_epsilon",
     .kind = KIND_LOSS,
     .metavar = "E",
     .brief = "report delta at this epsilon",
     .manual = "The smallest delta for which the composition is (E, delta)-DP."},
    {.name = "slack",
     .kind = KIND_SLACK,
     .metavar = "D",
     .brief = "slack of the theorems that need one",
     .manual = "Without it the slack is what the target leaves."},
    {.name = "method",
     .kind = KIND_CHOICE,
     .metavar = "THEOREM",
     .preset = "optimal",
     .choices = "optimal|basic|advanced|kov|he2021|zcdp|rdp|filter",
     .brief = "the composition theorem that decides",
     .manual = "A check is always decided by the optimum. filter is the theorem that also holds "
               "when parameters depend on earlier outputs."},
    {.name = "claim",
     .kind = KIND_PAIR,
     .metavar = "EPS,DELTA",
     .brief = "audit a claimed guarantee: exit 0 proved, 1 refuted",
     .manual = "Decides at whatever precision it needs; a refuted claim is shown with the optimum "
               "and the set of outcomes that breaks it."},
    {.name = "add",
     .kind = KIND_PAIR,
     .metavar = "EPS[,DELTA]",
     .brief = "does the next release fit the budget, how many do",
     .manual = "The budget is --max-epsilon and --max-delta; the figures are those after one use."},
    {.name = "solve",
     .kind = KIND_CHOICE,
     .metavar = "PARAMETER",
     .choices = "times|epsilon|slack",
     .brief = "largest number of uses or epsilon in the budget",
     .manual =
         "times: how many uses fit --max-epsilon and --max-delta, of --add beside the list, or in "
         "all of the only mechanism. epsilon: the largest epsilon of --uses more "
         "mechanisms. slack: the slack that --method takes from the target."},
    {.name = "uses",
     .kind = KIND_COUNT,
     .metavar = "T",
     .brief = "with --solve epsilon: how many mechanisms share it",
     .manual = "Beside the list, which may be empty."},
    {.name = "use-delta",
     .key = "use_delta",
     .kind = KIND_PROBABILITY,
     .metavar = "D",
     .brief = "with --solve epsilon: delta of each of them",
     .manual = "0 when it is not given."},
    {.name = "adjacency",
     .kind = KIND_CHOICE,
     .role = ROLE_RELATION,
     .metavar = "RELATION",
     .preset = "add-remove",
     .choices = "add-remove|replace-one",
     .brief = "the relation that the mechanisms are stated for",
     .manual = "The composition holds for the relation of its items."},
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

/* What the options of --solve need or exclude. */
static int check_solve(report *r, const args *a)
{
    bool times = args_is(a, "solve", "times"), epsilon = args_is(a, "solve", "epsilon");
    if (args_number(a, "uses") != NULL && !epsilon)
        return refuse(r, "uses", "is only for --solve epsilon");
    if (args_number(a, "use-delta") != NULL && !epsilon)
        return refuse(r, "use-delta", "is only for --solve epsilon");
    if (args_number(a, "add") != NULL && epsilon)
        return refuse(r, "add", "is not for --solve epsilon; give --uses");
    if (args_is(a, "solve", "slack") &&
        (args_is(a, "method", "optimal") || args_is(a, "method", "basic")))
        return refuse(r, "solve", "slack needs a --method that has one, such as kov");
    bool target =
        args_number(a, "target-delta") != NULL || args_number(a, "target-epsilon") != NULL;
    if (args_is(a, "solve", "slack") && !target)
        return refuse(r, "solve", "slack needs --target-delta or --target-epsilon");
    if ((times || epsilon || args_number(a, "add") != NULL) && target)
        return refuse(r, "solve",
                      "and --add take a budget, --max-epsilon and --max-delta, not a "
                      "target");
    return EXIT_HOLDS;
}

/* With --add and --solve the targets of a ledger are the budget where none is given. */
static void settle_budget(args *a)
{
    static const char *const pair[][2] = {{"target-delta", "max-delta"},
                                          {"target-epsilon", "max-epsilon"}};
    if (args_number(a, "add") == NULL && !args_is(a, "solve", "times") &&
        !args_is(a, "solve", "epsilon"))
        return;
    for (size_t i = 0; i < 2; i++)
        if (args_value(a, pair[i][0])->weak && args_value(a, pair[i][0])->given)
            args_move(a, pair[i][0], pair[i][1]);
}

static int run(args *a, report *r)
{
    settle_budget(a);
    int status = check_solve(r, a);
    if (status != EXIT_HOLDS)
        return status;
    dp_options opt = common_options(a, r);
    dp_item add;
    const dp_number *epsilon = args_number(a, "add"), *uses = args_number(a, "uses");
    if (epsilon != NULL) { /* borrows the numbers of the arguments */
        add.epsilon = *epsilon;
        *add.delta = *number_rational(args_second(a, "add"));
        mpz_init_set_ui(add.times, 1);
    }
    dp_compose_query q = {.list = &a->composition,
                          .method = (dp_compose_method)args_value(a, "method")->choice,
                          .target_epsilon = args_number(a, "target-epsilon"),
                          .target_delta = args_number(a, "target-delta"),
                          .slack = args_number(a, "slack"),
                          .claim_epsilon = args_number(a, "claim"),
                          .claim_delta = args_second(a, "claim"),
                          .add = epsilon != NULL ? &add : NULL,
                          .solve = args_is(a, "solve", "times")     ? DP_SOLVE_TIMES
                                   : args_is(a, "solve", "epsilon") ? DP_SOLVE_EPSILON
                                                                    : DP_SOLVE_NOTHING,
                          .uses = number_integer(uses),
                          .use_delta = args_number(a, "use-delta")};
    dp_status outcome = dp_compose(&r->result, &q, &opt, &r->error);
    if (epsilon != NULL)
        mpz_clear(add.times);
    note_described(r, a);
    return report_status(r, outcome);
}

static const rule rules[] = {{RULE_AT_MOST_ONE, "target-delta|target-epsilon"},
                             {RULE_AT_MOST_ONE, "claim|add"},
                             {RULE_AT_MOST_ONE, "claim|solve"},
                             {RULE_AT_MOST_ONE, "claim|max-epsilon"},
                             {RULE_AT_MOST_ONE, "claim|max-delta"},
                             {0, NULL}};

static const example examples[] = {
    {"compose -m 0.1,1e-6x35 --target-delta 1e-5", "epsilon of 35 uses at delta = 1e-5"},
    {"compose -m 'ln(3)x10' --target-epsilon 5", "delta of ten randomized responses"},
    {"compose -m 0.1x3 --max-epsilon 0.3", "exit 0: three times 0.1 is exactly 0.3"},
    {"compose -m 1,1e-5x1000 --claim 697.2,0.0086", "exit 1: refuted, with the reason"},
    {"compose -m 0.1x20 --add 0.2 --max-epsilon 2 --max-delta 1e-6", "may one more be released?"},
    {"compose --solve epsilon --uses 100 --max-epsilon 1 --max-delta 1e-6", "per-use epsilon"},
    {NULL, NULL}};

const command cmd_compose = {
    .name = "compose",
    .brief = "compose (epsilon, delta)-DP mechanisms",
    .manual =
        "What a list of (epsilon, delta)-DP mechanisms spends together. The list comes from -m, or "
        "from FILE, a ledger: a JSON object {\"mechanisms\": [{\"name\": \"...\", \"epsilon\": "
        "\"0.1\", \"delta\": \"1e-6\", \"times\": 35}, ...]}, '-' being standard input.\n\n"
        "An entry may also be bagging: {\"mechanism\": \"bagging-with\", \"n\": 60000, \"k\": 300, "
        "\"N\": 10, \"times\": 3}, with the parameters of that command. It enters by its whole "
        "profile where it stands alone, beside others as the pair of its profile that serves the "
        "question: rows are then proved, not exact, and a budget they do not meet is refuted only "
        "by a lower bound.\n\n"
        "With a target delta it reports epsilon, with a target epsilon it reports delta, with "
        "neither the end point: the sum of the epsilons, and the probability of a leak. The "
        "default is the optimum, which no theorem can improve for mechanisms known only by "
        "their parameters.",
    .options = options,
    .rules = rules,
    .examples = examples,
    .operand = "[FILE]",
    .takes_items = true,
    .batchable = true,
    .run = run};
