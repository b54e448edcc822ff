/* SPDX-License-Identifier: MIT */
/* What a person asks next: the words of the question without some, and with others behind them. */
#include "cli/next.h"

#include <string.h>

#include "cli/form_parts.h"
#include "core/quantity.h"
#include "document/table.h"
#include "num/memory.h"

#define MOST_WORDS 60 /* of a line that is still short enough to read */

typedef enum outcome { ANSWERED = 1, HOLDS = 2, FAILS = 4, ANY = 7 } outcome;
typedef enum entries { ONE = 1, MANY = 2, ANY_NUMBER = 3 } entries;

/* Lists are separated by '|'. In `add` stands {option} for what that option was given. */
typedef struct step {
    const char *commands; /* NULL: all */
    outcome after;
    entries of;
    const char *given;  /* one of them at least; NULL: any */
    const char *absent; /* none of them */
    const char *drop;   /* options of the question, with their values */
    const char *add, *why;
} step;

#define NOISE "solve|method|group-size"

static const step steps[] = {
    {"compose", FAILS, ONE, "max-epsilon",
     "solve|add|claim|by-entry|adaptive|method|target-epsilon", "times", "--solve times",
     "how many uses fit"},
    {"compose", FAILS, MANY, "max-delta", "solve|add|claim|by-entry|adaptive",
     "max-epsilon|max-delta|target-epsilon|target-delta|digits",
     "--by-entry --target-delta {max-delta}", "what each entry costs"},
    {"compose", FAILS, MANY, "target-delta", "solve|add|claim|by-entry|adaptive",
     "max-epsilon|max-delta|target-delta|digits", "--by-entry --target-delta {target-delta}",
     "what each entry costs"},
    {"compose", FAILS, ANY_NUMBER, "max-epsilon",
     "solve|add|claim|by-entry|adaptive|max-delta|target-delta", "", "--max-delta 1e-6",
     "with a small delta"},
    {"compose", FAILS, ANY_NUMBER, "add", "max-delta|target-delta|solve|adaptive", "",
     "--max-delta 1e-6", "with a small delta"},
    {"compose", HOLDS, ANY_NUMBER, "max-epsilon", "solve|add|claim|by-entry|adaptive|epsilon", "",
     "--add 0.1", "what is left, and does one more fit?"},
    {"compose", HOLDS, ANY_NUMBER, "max-delta",
     "solve|claim|by-entry|adaptive|method|group-size|target-delta|target-epsilon", "add",
     "--solve sigma", "the Gaussian noise of one release more"},
    {"compose", ANSWERED, ANY_NUMBER, NULL, "target-delta|target-epsilon|solve|by-entry|adaptive",
     "", "--target-delta 1e-6", "epsilon at a delta, in place of the sum"},
    {"compose", ANSWERED, MANY, NULL, "by-entry|solve|method|slack|adaptive|all", "", "--by-entry",
     "what each entry costs"},
    {"gaussian", FAILS, ANY_NUMBER, "max-epsilon", NOISE, "sigma", "--solve sigma",
     "the noise that keeps it"},
    {"laplace", FAILS, ANY_NUMBER, "max-epsilon", NOISE, "scale", "--solve scale",
     "the noise that keeps it"},
    {"dp-sgd", FAILS, ANY_NUMBER, "max-epsilon", NOISE, "noise-multiplier",
     "--solve noise-multiplier", "the noise that keeps it"},
    {"discrete-gaussian", FAILS, ANY_NUMBER, "max-epsilon", NOISE, "sigma2", "--solve sigma2",
     "noise that keeps it"},
    {"gaussian", ANSWERED, ANY_NUMBER, NULL, NOISE, "sigma|target-delta",
     "--solve sigma --max-epsilon 1 --max-delta {target-delta}", "the noise for epsilon = 1"},
    {"laplace", ANSWERED, ANY_NUMBER, NULL, NOISE, "scale|target-delta",
     "--solve scale --max-epsilon 1 --max-delta {target-delta}", "the noise for epsilon = 1"},
    {"dp-sgd", ANSWERED, ANY_NUMBER, NULL, NOISE, "noise-multiplier|target-delta",
     "--solve noise-multiplier --max-epsilon 1 --max-delta {target-delta}",
     "the noise for epsilon = 1"},
    {"bagging-with|bagging-without", FAILS, ANY_NUMBER, "max-delta", "solve", "subsample-size",
     "--solve k", "the largest subsample that fits"},
    {"bagging-poisson", FAILS, ANY_NUMBER, "max-delta", "solve", "sampling-rate", "--solve q",
     "the largest rate that fits"},
    {"pate", FAILS, ANY_NUMBER, "queries", "solve|votes|instance|answered", "queries",
     "--solve queries", "how many answers fit"},
    {"curve|majority", ANY, ANY_NUMBER, NULL, "plot|plot-data", "", "--plot -",
     "the same as a picture"},
    {"audit|filter", ANY, ANY_NUMBER, NULL, "all|plan", "", "--all", "beside the other bounds"},
    {"kl-bound|convert|divergence|generalization|compose|iterative-gaussian|pate|rr-prob|"
     "bagging-with|bagging-without|bagging-poisson|advantage",
     ANSWERED, ANY_NUMBER, NULL, "all|by-entry|solve|plan", "", "--all", "beside the other bounds"},
    {NULL, ANSWERED | HOLDS, ANY_NUMBER, NULL, "plan", "", "--format statement",
     "a paragraph for a report"},
};

static bool is_given(const args *a, const char *names)
{
    if (names_hold(names, "add") && args_any_added(a))
        return true;
    for (const option *o = a->command->options; o->of != NULL; o++)
        if (names_hold(names, o->of->name) && args_value_named(a, o->of->name)->given)
            return true;
    return false;
}

static bool has_placeholders(const args *a, const char *add)
{
    const char *open = strchr(add, '{');
    if (open == NULL)
        return true;
    size_t n = strcspn(open, "}");
    for (const option *o = a->command->options; o->of != NULL; o++)
        if (strlen(o->of->name) == n - 1 && memcmp(o->of->name, open + 1, n - 1) == 0)
            return args_value_named(a, o->of->name)->text != NULL;
    return false;
}

static bool fits(const step *t, const args *a, const dp_check *c)
{
    outcome is = !c->asked ? ANSWERED : c->holds == DP_YES ? HOLDS : c->holds == DP_NO ? FAILS : 0;
    return (t->commands == NULL || names_hold(t->commands, a->command->name)) && (t->after & is) &&
           (t->of & (a->item_count > 1 ? MANY : ONE)) &&
           (t->given == NULL || is_given(a, t->given)) && !is_given(a, t->absent) &&
           has_placeholders(a, t->add);
}

/* The option that the word names, or NULL; *attached: its value stands in the word too. */
static const option *option_of(const command *c, const char *word, bool *attached)
{
    size_t n = strcspn(word, "=");
    *attached = word[n] == '=';
    for (const option *o = c->options; o->of != NULL; o++) {
        if (strncmp(word, "--", 2) == 0 && strlen(o->of->name) == n - 2 &&
            memcmp(o->of->name, word + 2, n - 2) == 0)
            return o;
        if (word[0] == '-' && word[1] != '-' && word[1] != '\0' &&
            (o->letter == word[1] || o->other_letter == word[1])) {
            *attached = word[2] != '\0';
            return o;
        }
    }
    return NULL;
}

static void put_added(out *o, const args *a, const char *add)
{
    const char *open = strchr(add, '{');
    if (open == NULL) {
        out_text(o, add);
        return;
    }
    char name[40];
    size_t n = strcspn(open + 1, "}");
    out_bytes(o, add, (size_t)(open - add));
    memcpy(name, open + 1, n);
    name[n] = '\0';
    put_word(o, args_value_named(a, name)->text);
    out_text(o, open + n + 2);
}

/* Would it be repeated as it is? */
static bool is_shown(const char *word)
{
    char *shown = form_shown(word);
    bool same = shown != NULL && strcmp(shown, word) == 0;
    memory_free(shown);
    return same;
}

/* Can words be left out of the line, and others be put behind it? */
static bool is_plain(const args *a)
{
    bool attached;
    if (a->words > MOST_WORDS || (a->operand != NULL && strcmp(a->operand, "-") == 0))
        return false;
    for (int i = 0; i < a->words; i++) {
        const option *o = option_of(a->command, a->word[i], &attached);
        if (strcmp(a->word[i], "--") == 0 || !is_shown(a->word[i]) ||
            (o != NULL && o->of->kind == KIND_FLAG && attached))
            return false; /* the end of options, letters in one word */
        i += o != NULL && o->of->kind != KIND_FLAG && !attached;
    }
    return true;
}

static void put_line(out *o, const args *a, const step *t)
{
    bool attached;
    out_format(o, "\nnext: dpacct %s", a->command->name);
    for (int i = 0; i < a->words; i++) {
        const option *named = option_of(a->command, a->word[i], &attached);
        int more = named != NULL && named->of->kind != KIND_FLAG && !attached;
        if (named == NULL || !names_hold(t->drop, named->of->name))
            for (int j = 0; j <= more && i + j < a->words; j++) {
                out_char(o, ' ');
                put_word(o, a->word[i + j]);
            }
        i += more;
    }
    out_char(o, ' ');
    put_added(o, a, t->add);
    out_format(o, "  # %s\n", t->why);
}

void put_next(out *o, const series *x, const screen *s)
{
    static const step picture = {NULL, ANY, ANY_NUMBER, NULL,
                                 "",   "",  "--plot -", "the same as a picture"};
    const args *a = &x->a[0];
    const report *r = &x->r[0];
    if (s->table == 0 || args_flag(a, "json") || !args_is(a, "format", "text") || r->has_state ||
        is_given(a, "plot|plot-data|quiet") || !is_plain(a))
        return;
    if (a->range != NULL) {
        put_line(o, a, &picture);
        return;
    }
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (fits(&steps[i], a, &r->result.check)) {
            put_line(o, a, &steps[i]);
            return;
        }
}
