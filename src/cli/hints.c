/* SPDX-License-Identifier: MIT */
/* What was probably meant, said and never run. */
#include "cli/hints.h"

#include <stdio.h>
#include <string.h>

#include "cli/program.h"
#include "document/commands.h"
#include "document/elsewhere.h"
#include "document/item_types.h"

/* ---- commands ---- */

/* Words of other programs and of papers. */
static const char *const commands_elsewhere[][2] = {
    {"version", "--version"},
    {"-V", "--version"},
    {"-v", "--version"},
    {"-help", "--help"},
    {"-?", "--help"},
    {"--usage", "--help"},
    {"man", "--help"},
    {"check", "compose FILE --max-epsilon E --max-delta D"},
    {"ledger", "compose FILE"},
    {"account", "compose FILE"},
    {"accountant", "compose FILE"},
    {"budget", "compose FILE --add EPS --max-epsilon E --max-delta D"},
    {"remaining", "compose FILE --add EPS --max-epsilon E --max-delta D"},
    {"basic", "compose --method basic"},
    {"advanced", "compose --method advanced"},
    {"kov", "compose --method kov"},
    {"rdp", "convert"},
    {"zcdp", "convert"},
    {"gdp", "convert"},
    {"renyi", "divergence"},
    {"profile", "curve"},
    {"plot", "curve"},
    {"subsampling", "bagging-poisson"},
    {"subsample", "bagging-poisson"},
    {"ensemble", "majority"},
    {"vote", "majority"},
    {"composition", "compose"},
    {"composing", "compose"},
    {"cost", "compose FILE --by-entry --target-delta D"},
    {"attack", "advantage"},
    {"membership", "advantage"},
    {"kl-divergence", "kl-bound"},
    {"amplification", "bagging-poisson"},
    {"list", "theorems"},
    {"explain", "theorems"},
    {"spend", "compose FILE --add EPS --max-epsilon E --max-delta D"},
    {"add", "compose FILE --add EPS --max-epsilon E --max-delta D"},
    {"report", "compose FILE --by-entry --target-delta D"},
    {"spent", "compose FILE --by-entry --target-delta D"},
    {"opacus", "dp-sgd"},
    {"tf-privacy", "dp-sgd"},
    {"sgd", "dp-sgd"},
    {"dpsgd", "dp-sgd"},
    {"dp-adam", "dp-sgd"},
    {"training", "dp-sgd"},
    {"train", "dp-sgd"},
    {"compute-dp-sgd-privacy", "dp-sgd"},
    {"compute-epsilon", "compose --target-delta D"},
    {"get-epsilon", "compose --target-delta D"},
    {"compute-delta", "compose --target-epsilon E"},
    {"get-delta", "compose --target-epsilon E"},
    {"epsilon", "compose --target-delta D"},
    {"delta", "compose --target-epsilon E"},
    {"get-noise-multiplier", "dp-sgd --solve noise-multiplier --max-epsilon E --max-delta D"},
    {"noise-multiplier", "dp-sgd --solve noise-multiplier --max-epsilon E --max-delta D"},
    {"calibrate", "gaussian --solve sigma --max-epsilon E --max-delta D"},
    {"sigma", "gaussian --solve sigma --max-epsilon E --max-delta D"},
    {"bootstrap", "bagging-with"},
    {"teachers", "pate"},
    {"odometer", "filter"},
    {"adaptive", "filter"},
    {"mia", "advantage"},
    {"serve", "batch"},
    {"jsonl", "batch"},
};

static const char *command_elsewhere(const char *name)
{
    for (size_t i = 0; i < sizeof commands_elsewhere / sizeof *commands_elsewhere; i++)
        if (parameter_same_name(commands_elsewhere[i][0], name))
            return commands_elsewhere[i][1];
    return NULL;
}

void hint_command(char to[HINT_ROOM], int argc, char **argv)
{
    const char *name = argv[1], *other = command_elsewhere(name);
    char near[NEAR_ROOM];
    item_type type;
    int place = 2;
    while (name[0] == '-' && place < argc && command_find(argv[place]) == NULL)
        place++;
    if (other != NULL)
        snprintf(to, HINT_ROOM, "; did you mean 'dpacct %s'?", other);
    else if (name[0] == '-' && place < argc)
        snprintf(to, HINT_ROOM, "; options stand behind the command: dpacct %s %.60s", argv[place],
                 name);
    else if (command_near(near, commands, name))
        snprintf(to, HINT_ROOM, "; did you mean %s?", near);
    else if (item_type_find(&type, query_commands, name) && type.fields->of != NULL)
        snprintf(to, HINT_ROOM, "; did you mean 'dpacct compose -m %s:%s=...'?", name,
                 option_key(type.fields));
    else if (elsewhere_type(name) != NULL)
        snprintf(to, HINT_ROOM, "; mechanisms are given as dpacct compose -m TYPE:...; %s",
                 elsewhere_type(name));
    else
        snprintf(to, HINT_ROOM, "; see 'dpacct --help'");
}

/* ---- options ---- */

#define MOST_OWNERS 3

/* The other commands that have it, where they are few. */
static bool name_owners(char to[HINT_ROOM], const char *name)
{
    size_t count = 0, used = 0;
    for (size_t i = 0; commands[i] != NULL; i++)
        for (const option *o = commands[i]->options; o->of != NULL; o++) {
            if (strcmp(o->of->name, name) != 0)
                continue;
            if (++count > MOST_OWNERS)
                return false;
            used += (size_t)snprintf(to + used, HINT_ROOM - used, "%s%s",
                                     count == 1 ? "; it is one of " : ", ", commands[i]->name);
        }
    return count > 0;
}

static const parameter files_elsewhere = {
    .name = "file", .kind = KIND_CHOICE, .choices = "file|input|ledger|config"};

/* Words that are no option's name anywhere, and what is right. */
static const char *const notes_elsewhere[][2] = {
    {"version", "did you mean 'dpacct --version'?"},
    {"color", "colour is for terminals, and NO_COLOR=1 in the environment turns it off"},
    {"no-color", "colour is for terminals, and NO_COLOR=1 in the environment turns it off"},
    {"columns", "what is printed is as wide as the terminal, and 80 columns in a pipe"},
    {"fnr", "it is 1 - tpr"},
    {"tnr", "it is 1 - fpr"},
    {"seed", "nothing is drawn at random, and the same question has the same answer"},
};

#define AUDIT_COUNTS                                                                               \
    "give --true-positives and --positives, all with the record, --false-positives and "           \
    "--negatives, all without"
#define AUDIT_THRESHOLD                                                                            \
    "give the counts at one threshold, fixed on other data; of K that are tried each is --looks K"

/* The same of one command. */
static const struct {
    const char *command, *name, *note;
} notes_of[] = {
    {"audit", "false-negatives",
     "give --positives, all trials with the record: true positives and false negatives together"},
    {"audit", "fn",
     "give --positives, all trials with the record: true positives and false negatives together"},
    {"audit", "true-negatives",
     "give --negatives, all trials without the record: false positives and true negatives "
     "together"},
    {"audit", "tn",
     "give --negatives, all trials without the record: false positives and true negatives "
     "together"},
    {"audit", "alpha", "it is 1 - C of --confidence C"},
    {"audit", "confusion", AUDIT_COUNTS},
    {"audit", "confusion-matrix", AUDIT_COUNTS},
    {"audit", "counts", AUDIT_COUNTS},
    {"audit", "matrix", AUDIT_COUNTS},
    {"audit", "wrong", "give --trials, or --guesses of one run: all of them, right or wrong"},
    {"audit", "incorrect", "give --trials, or --guesses of one run: all of them, right or wrong"},
    {"audit", "errors", "give --trials, or --guesses of one run: all of them, right or wrong"},
    {"audit", "abstain", "canaries without a guess are in --canaries and not in --guesses"},
    {"audit", "abstentions", "canaries without a guess are in --canaries and not in --guesses"},
    {"audit", "threshold", AUDIT_THRESHOLD},
    {"audit", "thresholds", AUDIT_THRESHOLD},
    {"audit", "score", AUDIT_THRESHOLD},
    {"audit", "scores", AUDIT_THRESHOLD},
    {"audit", "group", "canaries that enter together show the epsilon of a group of so many"},
    {"audit", "group-size", "canaries that enter together show the epsilon of a group of so many"},
    {"audit", "prior", "the coin of a trial is fair; canaries of one run may have --inclusion"},
    {"audit", "max-delta", "the delta of the claim is --target-delta"},
    {"gaussian", "epsilon",
     "the noise that a budget needs is --solve sigma --max-epsilon E --max-delta D"},
    {"laplace", "epsilon",
     "the noise that a budget needs is --solve scale --max-epsilon E; of one use epsilon is "
     "sensitivity / scale"},
    {"advantage", "max-epsilon", "what is checked here is --max-advantage"},
    {"advantage", "max-accuracy",
     "it is (1 + A)/2 at a prior of 1/2; what is checked is A, --max-advantage"},
    {"advantage", "accuracy", "it is shown at --prior; what is checked is --max-advantage"},
    {"advantage", "ppv", "it is shown at each --fpr and --prior"},
    {"advantage", "precision", "it is shown at each --fpr and --prior; --digits are of the answer"},
    {"advantage", "recall", "it is --tpr, and shown at each --fpr"},
    {"advantage", "posterior", "it is shown for a pure guarantee at --prior; otherwise --belief T"},
    {"advantage", "attribute",
     "guesses of an attribute are --secrets N, or --kappa K of any prior"},
    {"advantage", "guesses", "guesses of an attribute are --secrets N, or --kappa K of any prior"},
    {"advantage", "reconstruction",
     "guesses of a secret are --secrets N, or --kappa K of any prior"},
    {"advantage", "max-delta", "what is checked here is --max-advantage"},
};

static bool hint_note(char to[HINT_ROOM], const args *a, const char *name)
{
    for (size_t i = 0; i < sizeof notes_of / sizeof *notes_of; i++)
        if (strcmp(notes_of[i].name, name) == 0 &&
            strcmp(notes_of[i].command, a->command->name) == 0)
            return snprintf(to, HINT_ROOM, "; %s", notes_of[i].note) > 0;
    for (size_t i = 0; i < sizeof notes_elsewhere / sizeof *notes_elsewhere; i++)
        if (strcmp(notes_elsewhere[i][0], name) == 0)
            return snprintf(to, HINT_ROOM, "; %s", notes_elsewhere[i][1]) > 0;
    const char *note = elsewhere_note(a->command->name, name);
    return note != NULL && snprintf(to, HINT_ROOM, "; %s", note) > 0;
}

/* --csv for --format csv, --kov for --method kov, --file F for F */
static bool hint_value(char to[HINT_ROOM], const args *a, const char *name)
{
    const command *c = a->command;
    item_type type;
    if (option_find(c, "of") != NULL && item_type_find(&type, a->queries, name))
        return snprintf(to, HINT_ROOM, "; did you mean --of %s?", name) > 0;
    if (c->operand != NULL && strcmp(c->operand, "[FILE]") == 0 &&
        parameter_choice(&(size_t){0}, &files_elsewhere, name))
        return snprintf(to, HINT_ROOM, "; the file stands by itself: dpacct %s FILE", c->name) > 0;
    for (const option *o = c->options; o->of != NULL; o++)
        if (parameter_choice(&(size_t){0}, o->of, name) && strcmp(o->of->name, "solve") != 0)
            return snprintf(to, HINT_ROOM, "; did you mean --%s %s?", o->of->name, name) > 0;
    return false;
}

static bool hint_value_elsewhere(char to[HINT_ROOM], const args *a, const char *name)
{
    char near[NEAR_ROOM];
    for (const option *o = a->command->options; o->of != NULL; o++)
        if (o->of->kind == KIND_CHOICE && near_choice_is(near, name, o->of->choices))
            return snprintf(to, HINT_ROOM, "; did you mean --%s %.60s?", o->of->name, near) > 0;
    return false;
}

void hint_long(char to[HINT_ROOM], const args *a, const char *name)
{
    char near[NEAR_ROOM];
    const option *letter =
        name[0] != '\0' && name[1] == '\0' ? option_find(a->command, name) : NULL;
    if (letter != NULL && letter->role != ROLE_CONTROL)
        snprintf(to, HINT_ROOM, "; did you mean -%s, which is --%s?", name, letter->of->name);
    else if (hint_note(to, a, name))
        return;
    else if (option_near(near, a->command, a->queries, name, false))
        snprintf(to, HINT_ROOM, "; did you mean %s?", near);
    else if (!hint_value(to, a, name) && !name_owners(to, name) &&
             !hint_value_elsewhere(to, a, name))
        snprintf(to, HINT_ROOM, "; see 'dpacct %s --help'", a->command->name);
}

static char other_case(char c)
{
    bool low = c >= 'a' && c <= 'z', high = c >= 'A' && c <= 'Z';
    return low ? (char)(c - 'a' + 'A') : high ? (char)(c - 'A' + 'a') : '\0';
}

void hint_letter(char to[HINT_ROOM], const args *a, const char *letters)
{
    char name[2] = {letters[0], '\0'}, other = other_case(letters[0]), near[NEAR_ROOM];
    for (const option *o = a->command->options; o->of != NULL; o++)
        if (other != '\0' && o->letter == other) {
            snprintf(to, HINT_ROOM, "; did you mean -%c, which is --%s?", other, o->of->name);
            return;
        }
    const char *note = elsewhere_note(a->command->name, letters[0] == 'o' ? "output" : name);
    if (note != NULL)
        snprintf(to, HINT_ROOM, "; %s", note);
    else if (other != '\0' && option_near(near, a->command, a->queries, name, false))
        snprintf(to, HINT_ROOM, "; did you mean %s?", near);
    else
        snprintf(to, HINT_ROOM, "; see 'dpacct %s --help'", a->command->name);
}

const option *hint_single_dash(const args *a, const char *word)
{
    size_t n = strcspn(word, "=");
    for (const option *o = a->command->options; n > 2 && o->of != NULL; o++)
        if (strlen(o->of->name) == n - 1 && memcmp(o->of->name, word + 1, n - 1) == 0)
            return o;
    return NULL;
}

/* ---- operands ---- */

static bool would_take(const option *o, const char *word)
{
    value v;
    value_fault ignored;
    if (o->of->kind == KIND_FLAG || o->of->kind == KIND_ITEM || o->of->kind == KIND_CHOICE ||
        o->of->kind == KIND_TEXT || o->of->kind == KIND_DATE)
        return false;
    value_init(&v, o->of);
    bool ok = value_set(&v, word, &ignored) == DP_OK;
    value_clear(&v);
    return ok;
}

/* The first option that is needed, not given, and could have that value. */
static const option *lacking(const args *a, const char *word)
{
    for (size_t i = 0; i < a->count; i++) {
        const option *o = &a->command->options[i];
        if (o->of->required && !a->values[i].given && would_take(o, word))
            return o;
    }
    return NULL;
}

static bool is_typed(const args *a, const char *word)
{
    item_type type;
    char name[40];
    size_t n = strcspn(word, ":");
    if (word[n] != ':' || n >= sizeof name)
        return false;
    memcpy(name, word, n);
    name[n] = '\0';
    return item_type_find(&type, a->queries, name);
}

static const option *long_option(const command *c, const char *name, size_t n)
{
    for (const option *o = c->options; o->of != NULL; o++)
        if (strlen(o->of->name) == n && memcmp(o->of->name, name, n) == 0)
            return o;
    return NULL;
}

/* --rdp 2 0.1 for --rdp 2,0.1; 0.1 x 35 for -m 0.1x35 */
static bool hint_joined(char to[HINT_ROOM], const args *a, const char *word)
{
    int at = 0;
    while (at < a->words && a->word[at] != word)
        at++;
    if (at == a->words || at < 1)
        return false;
    const char *last = a->word[at - 1], *name = at > 1 ? a->word[at - 2] : "";
    const option *o =
        strncmp(name, "--", 2) == 0 ? long_option(a->command, name + 2, strlen(name + 2)) : NULL;
    char both[HINT_ROOM];
    bool pair = o != NULL && (o->of->kind == KIND_PAIR || o->of->kind == KIND_LIST);
    if (strlen(last) > 40 || strlen(word) > 40)
        return false;
    snprintf(both, sizeof both, "%s,%s", last, word);
    if (pair && strchr(last, ',') == NULL && would_take(o, word) && would_take(o, both))
        return snprintf(to, HINT_ROOM, "; did you mean --%s %s?", o->of->name, both) > 0;
    snprintf(both, sizeof both, "%s%s%s", last, word, at + 1 < a->words ? a->word[at + 1] : "");
    if (!a->command->takes_items || strcmp(word, "x") != 0 || strlen(both) > 80 ||
        !item_text_reads(both))
        return false;
    return snprintf(to, HINT_ROOM, "; did you mean -m %s?", both) > 0;
}

void hint_operand(char to[HINT_ROOM], const args *a, const char *word)
{
    const command *c = a->command;
    size_t n = strcspn(word, "=");
    const option *named = long_option(c, word, n), *needed = lacking(a, word);
    to[0] = '\0';
    if (strlen(word) > 100)
        return;
    if (hint_joined(to, a, word))
        return;
    if (c->takes_items && (item_text_reads(word) || is_typed(a, word)))
        snprintf(to, HINT_ROOM, "; did you mean -m %s?", word);
    else if (named != NULL)
        snprintf(to, HINT_ROOM, "; did you mean --%s?", word);
    else if (needed != NULL && needed->letter != 0)
        snprintf(to, HINT_ROOM, "; did you mean -%c %s?", needed->letter, word);
    else if (needed != NULL)
        snprintf(to, HINT_ROOM, "; did you mean --%s %s?", needed->of->name, word);
    else if (option_find(c, "sampling-rate") != NULL && args_flag(a, "quiet") &&
             would_take(option_find(c, "sampling-rate"), word))
        snprintf(to, HINT_ROOM, "; did you mean --sampling-rate %s? -q is --quiet", word);
    else if (c == &cmd_batch)
        snprintf(to, HINT_ROOM, "; it reads standard input: dpacct batch < %s", word);
    else if (strcmp(c->name, "audit") == 0)
        snprintf(to, HINT_ROOM, "; %s", AUDIT_COUNTS);
}
