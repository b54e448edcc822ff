/* SPDX-License-Identifier: MIT */
/* The command theorems: the registry, one row or all. */
#include <string.h>

#include "cli/json_write.h"
#include "cli/program.h"
#include "document/answer.h"

static void theorem_json(cJSON *to, const dp_theorem *t)
{
    json_add_static(to, "id", t->id);
    json_add_static(to, "command", t->family);
    json_add_static(to, "verdict", dp_verdict_text(t->verdict));
    json_add_static(to, "source", t->source);
    json_add_static(to, "statement", t->statement);
    json_add_static(to, "assumes", t->assumes);
    json_add_static(to, "proof", t->proof);
    if (t->counterexample != NULL)
        json_add_static(to, "counterexample", t->counterexample);
}

static void write_json(out *o, const dp_theorem *only)
{
    cJSON *top = cJSON_CreateObject();
    json_add_static(top, "schema", "dpacct/1");
    json_add_static(top, "version", DPACCT_VERSION);
    json_add_static(top, "command", "theorems");
    cJSON *list = json_add_array(top, "theorems");
    for (size_t i = 0; i < dp_theorem_count(); i++)
        if (only == NULL || only == dp_theorem_at(i))
            theorem_json(json_add_object(list, NULL), dp_theorem_at(i));
    char *text = json_print(top);
    if (text == NULL)
        o->failed = true;
    else
        out_text(o, text);
    out_char(o, '\n');
    cJSON_free(text);
    cJSON_Delete(top);
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
