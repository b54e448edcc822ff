/* SPDX-License-Identifier: MIT */
/* What each entry of a list costs, as text and CSV. */
#include "cli/entries.h"

#include <string.h>

#include "cli/figures.h"
#include "cli/form_parts.h"
#include "document/escape.h"
#include "num/memory.h"

enum { ENTRY, NAME, DATE, USES, FIGURES };
#define NAME_SHOWN 40

/* What it is, where nobody gave it a name. */
static void put_kind(out *o, const item *it)
{
    const char *type = json_text(json_find(it->source, "mechanism"));
    if (type != NULL)
        out_text(o, type);
    else
        out_format(o, "%s%s%s", it->epsilon, it->delta != NULL ? "," : "",
                   it->delta != NULL ? it->delta : "");
}

/* The first characters of a name, whatever it holds. */
static void put_name(out *o, const item *it)
{
    char shown[4 * NAME_SHOWN + 1];
    if (it->name == NULL) {
        put_kind(o, it);
        return;
    }
    escape_text(shown, sizeof shown, it->name);
    size_t length = strlen(shown), end = 0;
    for (size_t n = 0; end < length && n < NAME_SHOWN; n++)
        do
            end++;
        while (((unsigned char)shown[end] & 0xc0) == 0x80);
    out_bytes(o, shown, end);
    out_text(o, end < length || strlen(it->name) > length ? "..." : "");
}

static const char *heading(const report *r, size_t column)
{
    static const char *const fixed[] = {"entry", "name", "date", "times"};
    return column < FIGURES ? fixed[column] : r->entries.entry[0].part[column - FIGURES].name;
}

static void put_cell(out *o, const table *t, long line, size_t column)
{
    const costs *x = t->of;
    size_t c = column >= DATE && !x->dated ? column + 1 : column;
    if (line < 0) {
        out_text(o, heading(x->r, c));
        return;
    }
    const entry_cost *e = &x->r->entries.entry[line];
    const item *it = &x->a->items[e->item];
    if (c == ENTRY)
        out_format(o, "%zu", e->item + 1);
    else if (c == NAME)
        put_name(o, it);
    else if (c == DATE)
        out_text(o, it->day[0] != '\0' ? it->day : "-");
    else if (c == USES)
        out_text(o, it->times != NULL ? it->times : "1");
    else if (e->has[c - FIGURES])
        put_quantity(o, &e->part[c - FIGURES], x->r->digits);
    else
        out_char(o, '-');
}

table entries_table(costs *x, const report *r, const args *a)
{
    *x = (costs){.r = r, .a = a};
    for (size_t i = 0; i < r->entries.count; i++)
        x->dated = x->dated || a->items[r->entries.entry[i].item].day[0] != '\0';
    return (table){.of = x,
                   .lines = r->entries.count,
                   .columns = FIGURES + COSTS - !x->dated,
                   .texts = x->dated ? USES : DATE,
                   .cell = put_cell};
}

void entries_text(out *o, const report *r, const args *a, const screen *s)
{
    costs x;
    const table t = entries_table(&x, r, a);
    out_char(o, '\n');
    put_table(o, &t, s);
}

/* What acts is shown, also what would end a cell. RFC 4180: quotes stand twice; between tabs
 * nothing is quoted. */
static void put_name_cell(out *o, const char *text, char comma)
{
    bool quoted = comma == ',';
    char *shown = form_shown(text);
    if (shown == NULL)
        o->failed = true;
    if (quoted)
        out_char(o, '"');
    for (const char *p = shown; p != NULL && *p != '\0'; p++) {
        if (*p == '"' && quoted)
            out_char(o, '"');
        out_char(o, *p);
    }
    if (quoted)
        out_char(o, '"');
    memory_free(shown);
}

void entries_csv(out *o, const report *r, const args *a, char comma)
{
    out_format(o, "entry%cname%cdate%ctimes", comma, comma, comma);
    for (size_t k = 0; k < COSTS; k++)
        out_format(o, "%c%s_lower%c%s_upper", comma, heading(r, FIGURES + k), comma,
                   heading(r, FIGURES + k));
    out_char(o, '\n');
    for (size_t i = 0; i < r->entries.count; i++) {
        const entry_cost *e = &r->entries.entry[i];
        const item *it = &a->items[e->item];
        out_format(o, "%zu%c", e->item + 1, comma);
        put_name_cell(o, it->name != NULL ? it->name : "", comma);
        out_format(o, "%c%s%c%s", comma, it->day, comma, it->times != NULL ? it->times : "1");
        for (size_t k = 0; k < COSTS; k++)
            for (int end = DP_LOWER; end <= DP_UPPER; end++) {
                out_char(o, comma);
                if (e->has[k])
                    put_decimal(o, &e->part[k].figure, (dp_end)end, r->digits);
            }
        out_char(o, '\n');
    }
}
