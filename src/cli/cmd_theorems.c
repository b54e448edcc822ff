/* SPDX-License-Identifier: MIT */
/* The command theorems: the registry, one row or all. */
#include <string.h>

#include "cli/program.h"
#include "document/answer.h"
#include "document/emit.h"

static void put_theorem(out *o, const dp_theorem *t)
{
    emit_object(o, NULL);
    emit_text(o, "id", t->id);
    emit_text(o, "command", t->family);
    emit_text(o, "verdict", dp_verdict_text(t->verdict));
    emit_text(o, "source", t->source);
    emit_text(o, "statement", t->statement);
    emit_text(o, "assumes", t->assumes);
    emit_text(o, "proof", t->proof);
    if (t->counterexample != NULL)
        emit_text(o, "counterexample", t->counterexample);
    emit_object_end(o);
}

static void put_empty(out *o, const char *key)
{
    emit_array(o, key);
    emit_array_end(o);
}

/* With the keys that every answer has. */
static void write_json(out *o, const dp_theorem *only)
{
    emit_object(o, NULL);
    emit_text(o, "schema", "dpacct/1");
    emit_text(o, "version", DPACCT_VERSION);
    emit_text(o, "command", "theorems");
    emit_object(o, "input");
    if (only != NULL)
        emit_text(o, "theorem", only->id);
    emit_object_end(o);
    emit_null(o, "guarantee");
    put_empty(o, "results");
    emit_null(o, "check");
    emit_array(o, "theorems");
    for (size_t i = 0; i < dp_theorem_count(); i++)
        if (only == NULL || only == dp_theorem_at(i))
            put_theorem(o, dp_theorem_at(i));
    emit_array_end(o);
    put_empty(o, "warnings");
    put_empty(o, "notes");
    emit_object_end(o);
    out_char(o, '\n');
}

/* Text wrapped at 80 columns, continuation lines indented. */
static void wrapped(out *o, const char *label, const char *text)
{
    size_t indent = strlen(label), column = indent;
    out_text(o, label);
    while (*text != '\0') {
        size_t word = strcspn(text, " ");
        if (column > indent && column + 1 + word > 80) {
            out_char(o, '\n');
            out_pad(o, indent);
            column = indent;
        } else if (column > indent) {
            out_char(o, ' ');
            column++;
        }
        out_bytes(o, text, word);
        column += word;
        text += word + (text[word] == ' ');
    }
    out_char(o, '\n');
}

static void explain(out *o, const dp_theorem *t)
{
    out_format(o, "%s [%s]\n", t->id, dp_verdict_text(t->verdict));
    wrapped(o, "  statement  ", t->statement);
    wrapped(o, "  source     ", t->source);
    wrapped(o, "  assumes    ", t->assumes);
    wrapped(o, t->verdict == DP_UNSOUND ? "  why not    " : "  why        ", t->proof);
    if (t->counterexample != NULL)
        wrapped(o, "  fails at   ", t->counterexample);
    out_format(o, "  command    dpacct %s\n", t->family);
}

static void list_all(out *o)
{
    for (size_t i = 0; i < dp_theorem_count(); i++) {
        const dp_theorem *t = dp_theorem_at(i);
        out_format(o, "%s [%s]\n", t->id, dp_verdict_text(t->verdict));
        wrapped(o, "    ", t->statement);
        wrapped(o, "    ", t->source);
    }
}

static void csv_field(out *o, const char *text)
{
    out_char(o, '"');
    for (; *text != '\0'; text++)
        out_text(o, *text == '"' ? "\"\"" : (char[]){*text, '\0'});
    out_char(o, '"');
}

static void write_csv(out *o, const dp_theorem *only)
{
    out_text(o, "id,verdict,source,statement\n");
    for (size_t i = 0; i < dp_theorem_count(); i++) {
        const dp_theorem *t = dp_theorem_at(i);
        if (only != NULL && only != t)
            continue;
        out_format(o, "%s,%s,", t->id, dp_verdict_text(t->verdict));
        csv_field(o, t->source);
        out_char(o, ',');
        csv_field(o, t->statement);
        out_char(o, '\n');
    }
}

static const dp_theorem *nearest(const char *id, fault *f)
{
    const dp_theorem *t = dp_theorem_find(id);
    if (t != NULL)
        return t;
    const char *near = theorem_nearest(id);
    if (near != NULL)
        fault_set(f, "", "'%.60s' is not a theorem; did you mean '%s'?", id, near);
    else
        fault_set(f, "", "'%.60s' is not a theorem; 'dpacct theorems' lists them", id);
    return NULL;
}

static int theorems(args *a, out *o, fault *f)
{
    const dp_theorem *only = NULL;
    if (a->operand != NULL && (only = nearest(a->operand, f)) == NULL)
        return EXIT_INPUT;
    if (args_flag(a, "quiet") && only == NULL) {
        fault_set(f, "--quiet", "there is nothing to check; name a theorem");
        return EXIT_INPUT;
    }
    if (args_flag(a, "quiet"))
        return EXIT_HOLDS;
    if (args_flag(a, "json") || args_is(a, "format", "json"))
        write_json(o, only);
    else if (args_is(a, "format", "csv"))
        write_csv(o, only);
    else if (only != NULL)
        explain(o, only);
    else
        list_all(o);
    return EXIT_HOLDS;
}

static const option options[] = {OPTIONS_OUTPUT, {NULL}};

static const example examples[] = {
    {"theorems", "every statement the program knows, with its verdict"},
    {"theorems bagging-with-exact", "one of them explained"},
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
