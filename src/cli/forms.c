/* SPDX-License-Identifier: MIT */
/* Which form the answer takes. */
#include "cli/forms.h"

#include <string.h>

#include "cli/entries.h"
#include "cli/text.h"

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
