/* SPDX-License-Identifier: MIT */
/* Which form the answer takes, and the command line that asked for it. */
#include "cli/forms.h"

#include <stdint.h>
#include <string.h>

#include "cli/entries.h"
#include "cli/text.h"
#include "document/escape.h"
#include "num/memory.h"

static void write_json(out *o, const report *r, const args *a)
{
    report_json(o, r, a, (json){0});
}

static void write_table(out *o, const report *r, const args *a, char comma)
{
    if (r->entries.has)
        entries_csv(o, r, a, comma);
    else
        report_csv(o, r, comma);
}

static void write_csv(out *o, const report *r, const args *a)
{
    write_table(o, r, a, ',');
}

/* Figures and ids hold no tabs. */
static void write_tsv(out *o, const report *r, const args *a)
{
    write_table(o, r, a, '\t');
}

const screen form_screen = {.width = SIZE_MAX};

void form_write(out *o, const report *r, const args *a, const screen *s)
{
    static const struct {
        const char *name;
        void (*write)(out *o, const report *r, const args *a);
    } form[] = {{"json", write_json},        {"csv", write_csv},    {"tsv", write_tsv},
                {"markdown", form_markdown}, {"latex", form_latex}, {"statement", form_statement},
                {"github", form_github},     {"junit", form_junit}};
    const char *name = args_flag(a, "json") ? "json" : args_value(a, "format")->text;
    for (size_t i = 0; i < sizeof form / sizeof *form; i++)
        if (strcmp(form[i].name, name) == 0) {
            form[i].write(o, r, a);
            return;
        }
    report_text(o, r, a, s);
}

const char *form_text(out *scratch)
{
    out_char(scratch, '\0');
    return scratch->failed ? "" : scratch->data;
}

const char *form_lines(out *scratch)
{
    while (scratch->used > 0 && scratch->data[scratch->used - 1] == '\n')
        scratch->used--;
    return form_text(scratch);
}

char *form_shown(const char *text)
{
    size_t size = 4 * strlen(text) + 1;
    char *shown = memory_new(size, 1);
    if (shown != NULL)
        escape_text(shown, size, text);
    return shown;
}

/* A word as a shell reads it; what would act on a terminal is shown, not repeated. */
static void put_word(out *o, const char *word)
{
    static const char safe[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                               "-_./,:=+@^%";
    char *shown = form_shown(word);
    if (shown == NULL) {
        o->failed = true;
        return;
    }
    bool plain = shown[0] != '\0' && shown[strspn(shown, safe)] == '\0';
    out_text(o, plain ? "" : "'");
    for (const char *p = shown; *p != '\0'; p++)
        if (*p == '\'')
            out_text(o, "'\\''");
        else
            out_char(o, *p);
    out_text(o, plain ? "" : "'");
    memory_free(shown);
}

void put_question(out *o, const args *a)
{
    out_format(o, "dpacct %s", a->command->name);
    for (int i = 0; i < a->words; i++) {
        out_char(o, ' ');
        put_word(o, a->word[i]);
    }
}
