/* SPDX-License-Identifier: MIT */
/* References: the works that sources of theorems name, for people and for BibTeX. */
#include "cli/citation.h"

#include <string.h>

#include "cli/markup.h"
#include "dpacct/dpacct.h"

/* The text without the braces that keep capitals in BibTeX. */
static void put_plain(out *o, const char *text)
{
    for (; *text != '\0'; text++)
        if (*text != '{' && *text != '}')
            out_char(o, *text);
}

/* A and B and C as A, B, C */
static void put_authors(out *o, const char *text)
{
    static const char and[] = " and ";
    for (const char *next; (next = strstr(text, and)) != NULL; text = next + strlen(and)) {
        out_bytes(o, text, (size_t)(next - text));
        out_text(o, ", ");
    }
    out_text(o, text);
}

void put_reference(out *o, const work *w)
{
    put_authors(o, w->author);
    out_text(o, ": ");
    put_plain(o, w->title);
    out_format(o, "%s %s, %s", strchr("?!", w->title[strlen(w->title) - 1]) != NULL ? "" : ".",
               w->venue, work_year(w));
    if (w->doi != NULL)
        out_format(o, ", doi:%s", w->doi);
}

bool is_own(const dp_theorem *t)
{
    const char *source = t->source;
    return work_cited(&source) == NULL || strstr(t->source, "derived here") != NULL ||
           strstr(t->source, "this project") != NULL;
}

static const char *venue_field(const work *w)
{
    static const char *const field[][2] = {
        {"article", "journal"}, {"inproceedings", "booktitle"}, {"book", "publisher"}};
    for (size_t i = 0; i < sizeof field / sizeof *field; i++)
        if (strcmp(w->type, field[i][0]) == 0)
            return field[i][1];
    return "howpublished";
}

void put_bibtex_work(out *o, const work *w)
{
    out_format(o, "@%s{%s,\n  author = {%s},\n  title = {%s},\n  %s = {%s},\n  year = {%s}",
               w->type, w->key, w->author, w->title, venue_field(w), w->venue, work_year(w));
    if (w->doi != NULL)
        out_format(o, ",\n  doi = {%s}", w->doi);
    out_text(o, "\n}\n");
}

void put_bibtex_own(out *o, const dp_theorem *t)
{
    out_format(o, "@misc{dpacct:%s,\n  title = {{dpacct} theorem %s},\n", t->id, t->id);
    out_format(o, "  howpublished = {dpacct %s, {dpacct theorems %s}},\n  note = {", DPACCT_VERSION,
               t->id);
    put_latex(o, t->statement);
    out_text(o, "}\n}\n");
}
