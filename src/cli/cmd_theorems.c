/* SPDX-License-Identifier: MIT */
/* The command theorems: the registry, one row or all. */
#include <string.h>

#include "catalog/types.h"
#include "cli/citation.h"
#include "cli/form_parts.h"
#include "cli/markup.h"
#include "cli/program.h"
#include "cli/screen.h"
#include "core/bound.h"
#include "document/answer.h"
#include "document/emit.h"

static void put_works(out *o, const dp_theorem *t)
{
    const char *source = t->source;
    emit_array(o, "works");
    for (const work *w; (w = work_cited(&source)) != NULL;) {
        emit_object(o, NULL);
        emit_text(o, "key", w->key);
        emit_text(o, "author", w->author);
        emit_text(o, "title", w->title);
        emit_text(o, "venue", w->venue);
        emit_text(o, "year", work_year(w));
        if (w->doi != NULL)
            emit_text(o, "doi", w->doi);
        emit_object_end(o);
    }
    emit_array_end(o);
}

static void put_theorem(out *o, const dp_theorem *t)
{
    emit_object(o, NULL);
    emit_text(o, "id", t->id);
    emit_text(o, "command", t->family);
    emit_text(o, "verdict", dp_verdict_text(t->verdict));
    emit_text(o, "source", t->source);
    put_works(o, t);
    emit_text(o, "statement", t->statement);
    emit_text(o, "assumes", t->assumes);
    emit_text(o, "proof", t->proof);
    if (t->counterexample != NULL)
        emit_text(o, "counterexample", t->counterexample);
    emit_object_end(o);
}

/* What is listed. */
typedef struct selection {
    const dp_theorem *only;
    const char *id; /* a part of it */
    const char *search, *verdict, *command;
} selection;

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Capitals are no difference. */
static bool holds(const char *text, const char *part)
{
    size_t n = strlen(part);
    for (; text != NULL && strlen(text) >= n; text++) {
        size_t i = 0;
        while (i < n && lower(text[i]) == lower(part[i]))
            i++;
        if (i == n)
            return true;
    }
    return false;
}

/* The row of the registry that has it as its first member. */
static const bound *bound_of(const dp_theorem *t)
{
    return (const bound *)t;
}

static bool is_listed(const selection *s, const dp_theorem *t)
{
    const char *const texts[] = {t->id, t->statement, t->source, t->assumes, t->proof};
    bool found = s->search == NULL;
    for (size_t i = 0; !found && i < sizeof texts / sizeof *texts; i++)
        found = holds(texts[i], s->search);
    return found && (s->only == NULL || s->only == t) && (s->id == NULL || holds(t->id, s->id)) &&
           (s->verdict == NULL || strcmp(s->verdict, dp_verdict_text(t->verdict)) == 0) &&
           (s->command == NULL || bound_is_for(bound_of(t), s->command));
}

static size_t listed(const selection *s)
{
    size_t count = 0;
    for (size_t i = 0; i < dp_theorem_count(); i++)
        count += is_listed(s, dp_theorem_at(i));
    return count;
}

static void put_empty(out *o, const char *key)
{
    emit_array(o, key);
    emit_array_end(o);
}

/* With the keys that every answer has. */
static void write_json(out *o, const selection *s)
{
    emit_object(o, NULL);
    emit_text(o, "schema", "dpacct/1");
    emit_text(o, "version", DPACCT_VERSION);
    emit_text(o, "command", "theorems");
    emit_object(o, "input");
    if (s->only != NULL)
        emit_text(o, "theorem", s->only->id);
    if (s->search != NULL || s->id != NULL)
        emit_text(o, "search", s->search != NULL ? s->search : s->id);
    if (s->verdict != NULL)
        emit_text(o, "verdict", s->verdict);
    if (s->command != NULL)
        emit_text(o, "command", s->command);
    emit_object_end(o);
    emit_null(o, "guarantee");
    put_empty(o, "results");
    emit_null(o, "check");
    emit_array(o, "theorems");
    for (size_t i = 0; i < dp_theorem_count(); i++)
        if (is_listed(s, dp_theorem_at(i)))
            put_theorem(o, dp_theorem_at(i));
    emit_array_end(o);
    put_empty(o, "warnings");
    put_empty(o, "notes");
    emit_object_end(o);
    out_char(o, '\n');
}

static void wrapped(out *o, const char *label, const char *text)
{
    put_labelled(o, screen_of_output().width, label, text);
}

static void explain(out *o, const dp_theorem *t)
{
    out_format(o, "%s [%s]\n", t->id, dp_verdict_text(t->verdict));
    wrapped(o, "  statement  ", t->statement);
    wrapped(o, "  source     ", t->source);
    const char *source = t->source;
    for (const work *w; (w = work_cited(&source)) != NULL;) {
        out one;
        out_init(&one);
        put_reference(&one, w);
        wrapped(o, "  reference  ", form_text(&one));
        o->failed = o->failed || one.failed;
        out_clear(&one);
    }
    wrapped(o, "  assumes    ", t->assumes);
    wrapped(o, t->verdict == DP_UNSOUND ? "  why not    " : "  why        ", t->proof);
    if (t->counterexample != NULL)
        wrapped(o, "  fails at   ", t->counterexample);
    out_format(o, "  command    dpacct %s\n", t->family);
}

static void list_them(out *o, const selection *s)
{
    for (size_t i = 0; i < dp_theorem_count(); i++) {
        const dp_theorem *t = dp_theorem_at(i);
        if (!is_listed(s, t))
            continue;
        out_format(o, "%s [%s]\n", t->id, dp_verdict_text(t->verdict));
        wrapped(o, "    ", t->statement);
        wrapped(o, "    ", t->source);
    }
}

static void put_csv(out *o, const char *text)
{
    out_char(o, '"');
    for (; *text != '\0'; text++)
        out_text(o, *text == '"' ? "\"\"" : (char[]){*text, '\0'});
    out_char(o, '"');
}

/* A table of one line for each theorem. */
typedef struct shape {
    const char *name, *head, *start, *between, *end, *foot;
    void (*put)(out *o, const char *text);
} shape;

static const shape shapes[] = {
    {"csv", "id,verdict,source,statement\n", "", ",", "\n", "", put_csv},
    {"tsv", "id\tverdict\tsource\tstatement\n", "", "\t", "\n", "", out_text},
    {"markdown", "| id | verdict | source | statement |\n| --- | --- | --- | --- |\n", "| ", " | ",
     " |\n", "", put_markdown},
    {"latex",
     "% \\usepackage{longtable}\n\\begin{longtable}{llp{5cm}p{7cm}}\n\\hline\nid & verdict & "
     "source & statement \\\\\n\\hline\n\\endhead\n",
     "", " & ", " \\\\\n", "\\hline\n\\end{longtable}\n", put_latex},
};

static void write_table(out *o, const selection *s, const shape *as)
{
    out_text(o, as->head);
    for (size_t i = 0; i < dp_theorem_count(); i++) {
        const dp_theorem *t = dp_theorem_at(i);
        if (!is_listed(s, t))
            continue;
        out_format(o, "%s%s%s%s%s", as->start, t->id, as->between, dp_verdict_text(t->verdict),
                   as->between);
        as->put(o, t->source);
        out_text(o, as->between);
        as->put(o, t->statement);
        out_text(o, as->end);
    }
    out_text(o, as->foot);
}

static bool cites(const selection *s, const work *of)
{
    for (size_t i = 0; i < dp_theorem_count(); i++) {
        const dp_theorem *t = dp_theorem_at(i);
        const char *source = t->source;
        const work *w = NULL;
        while (is_listed(s, t) && w != of && (w = work_cited(&source)) != NULL)
            ;
        if (w == of)
            return true;
    }
    return false;
}

/* Each work once. */
static void write_bibtex(out *o, const selection *s)
{
    for (size_t i = 0; work_at(i) != NULL; i++)
        if (cites(s, work_at(i)))
            put_bibtex_work(o, work_at(i));
    for (size_t i = 0; i < dp_theorem_count(); i++)
        if (is_listed(s, dp_theorem_at(i)) && is_own(dp_theorem_at(i)))
            put_bibtex_own(o, dp_theorem_at(i));
}

static bool no_theorem(const char *id, fault *f)
{
    char near[NEAR_ROOM];
    if (theorem_near(near, id))
        fault_set(f, "", "'%.60s' is not a theorem; did you mean %s?", id, near);
    else
        fault_set(f, "", "'%.60s' is not a theorem; 'dpacct theorems' lists them", id);
    return false;
}

static bool no_command(const char *name, const command *const *all, fault *f)
{
    char near[NEAR_ROOM];
    bool found = command_near(near, all, name);
    fault_set(f, "--command", "'%.60s' is not a command%s%s%s", name,
              found ? "; did you mean " : "; see 'dpacct --help'", found ? near : "",
              found ? "?" : "");
    return false;
}

/* An id that is not whole is looked for among them. */
static bool select_them(selection *s, const args *a, const command *const *all, fault *f)
{
    s->search = args_value(a, "search")->text;
    s->verdict = args_value(a, "verdict")->text;
    s->command = args_value(a, "command")->text;
    if (s->command != NULL && command_in(all, s->command) == NULL)
        return no_command(s->command, all, f);
    s->only = a->operand != NULL ? dp_theorem_find(a->operand) : NULL;
    s->id = s->only == NULL ? a->operand : NULL;
    selection alone = {.id = s->id};
    if (s->id != NULL && (s->id[0] == '\0' || listed(&alone) == 0))
        return no_theorem(s->id, f);
    if (listed(s) > 0)
        return true;
    fault_set(f, "", "no theorem is of that kind; 'dpacct theorems' lists all of them");
    return false;
}

static void write_as(out *o, const selection *s, const char *form)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (strcmp(shapes[i].name, form) == 0) {
            write_table(o, s, &shapes[i]);
            return;
        }
    if (strcmp(form, "json") == 0)
        write_json(o, s);
    else if (strcmp(form, "bibtex") == 0)
        write_bibtex(o, s);
    else if (s->only != NULL)
        explain(o, s->only);
    else
        list_them(o, s);
}

static int theorems(args *a, out *o, const command *const *all, fault *f)
{
    selection s = {0};
    if (!select_them(&s, a, all, f))
        return EXIT_INPUT;
    if (args_flag(a, "quiet") && s.only == NULL) {
        fault_set(f, "--quiet", "there is nothing to check; name a theorem");
        return EXIT_INPUT;
    }
    if (args_flag(a, "quiet"))
        return EXIT_HOLDS;
    write_as(o, &s, args_flag(a, "json") ? "json" : args_value(a, "format")->text);
    return EXIT_HOLDS;
}

static const option options[] = {{&theorems_search, .metavar = "WORDS", .role = ROLE_CONTROL},
                                 {&theorems_verdict, .metavar = "VERDICT", .role = ROLE_CONTROL},
                                 {&theorems_command, .metavar = "COMMAND", .role = ROLE_CONTROL},
                                 {&theorems_format, .metavar = "FORM", .role = ROLE_CONTROL},
                                 {&output_json, .role = ROLE_CONTROL},
                                 {&output_quiet, .letter = 'q', .role = ROLE_CONTROL},
                                 {&output_help, .letter = 'h', .role = ROLE_CONTROL},
                                 {NULL}};

static const example examples[] = {
    {"theorems", "every statement the program knows, with its verdict"},
    {"theorems bagging-with-exact", "one of them explained"},
    {"theorems kov", "those with that in their names"},
    {"theorems --command compose --verdict unsound", "published, and false"},
    {"theorems --search Kairouz", "those of that author"},
    {"theorems compose-optimal --format bibtex", "what to cite"},
    {NULL, NULL}};

const command cmd_theorems = {
    .name = "theorems",
    .brief = "list or explain the theorems behind the figures",
    .manual = "Every figure rests on a theorem of this list. Its verdict is exact (proved, and no "
              "smaller value is possible), proved (sound, may be loose) or unsound (as published "
              "it fails; the counterexample is shown).",
    .options = options,
    .examples = examples,
    .operand = "[ID]",
    .act = theorems};
