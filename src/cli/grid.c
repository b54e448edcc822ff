/* SPDX-License-Identifier: MIT */
/* The rows of an answer as a table, numbers aligned at the point; one below the other where the
 * screen is too narrow. */
#include "cli/text.h"

#include <string.h>

size_t columns(out *o, const report *r, const char **name)
{
    const dp_result *res = &r->result;
    size_t n = 0;
    if (r->kinds != NULL)
        name[n++] = r->kinds;
    for (size_t i = 0; i < res->count; i++)
        for (size_t j = 0; j < res->row[i].count; j++) {
            size_t k = 0;
            const char *own = figure_name(r, &res->row[i], j);
            while (k < n && strcmp(name[k], own) != 0)
                k++;
            if (k == TEXT_COLUMNS)
                o->failed = true;
            else if (k == n)
                name[n++] = own;
        }
    return n;
}

const dp_quantity *cell(const report *r, const dp_row *row, const char *name)
{
    for (size_t j = 0; j < row->count; j++)
        if (strcmp(figure_name(r, row, j), name) == 0)
            return &row->quantity[j];
    return NULL;
}

void put_cell(out *o, const report *r, long line, size_t column, const char *const *name)
{
    static const char *const fixed[] = {"theorem", "verdict"};
    o->used = 0;
    if (line < 0) {
        out_text(o, column < 2 ? fixed[column] : name[column - 2]);
        return;
    }
    const dp_row *row = &r->result.row[line];
    if (column == 0)
        out_text(o, row->theorem->id);
    else if (column == 1)
        out_text(o, row->verdict == DP_UNSOUND ? "UNSOUND" : dp_verdict_text(row->verdict));
    else if (row->vacuous && column == 2)
        out_text(o, "vacuous");
    else if (name[column - 2] == r->kinds && row->count > 0)
        out_text(o, row->quantity[0].name);
    else if (cell(r, row, name[column - 2]) != NULL)
        put_quantity(o, cell(r, row, name[column - 2]), r->digits);
    else
        out_char(o, '-');
}

static bool is_one(const out *o, const char *text)
{
    return o->used == strlen(text) && memcmp(o->data, text, o->used) == 0;
}

/* How much of a number stands before its point; 0: the text is none. */
static size_t before_point(const out *o)
{
    if (is_one(o, "-") || is_one(o, "any"))
        return o->used;
    size_t n = o->used > 0 && o->data[0] == '-', first = n;
    while (n < o->used && o->data[n] >= '0' && o->data[n] <= '9')
        n++;
    return n > first ? n : 0;
}

typedef struct grid {
    const char *name[TEXT_COLUMNS];
    size_t columns;
    size_t before[TEXT_COLUMNS + 2], width[TEXT_COLUMNS + 2];
    out one; /* the cell at hand */
} grid;

static void set_cell(grid *g, const report *r, long line, size_t column)
{
    put_cell(&g->one, r, line, column, g->name);
}

static size_t indent_of(const grid *g, size_t column, long line)
{
    size_t before = line >= 0 && column >= 2 ? before_point(&g->one) : 0;
    return before > 0 ? g->before[column] - before : 0;
}

/* Cells are measured twice: before the point, then as a whole. */
static size_t measure(grid *g, const report *r)
{
    size_t total = 0;
    for (size_t c = 0; c < g->columns; c++) {
        for (long line = 0; c >= 2 && line < (long)r->result.count; line++) {
            set_cell(g, r, line, c);
            size_t before = before_point(&g->one);
            if (before > g->before[c])
                g->before[c] = before;
        }
        for (long line = -1; line < (long)r->result.count; line++) {
            set_cell(g, r, line, c);
            size_t width = indent_of(g, c, line) + g->one.used;
            if (width > g->width[c])
                g->width[c] = width;
        }
        total += g->width[c] + (c > 0 ? 2 : 0);
    }
    return total;
}

static void put_text(out *o, const grid *g, const screen *s)
{
    if (s->colour && is_one(&g->one, "UNSOUND"))
        put_alarm(o, s, "UNSOUND");
    else
        out_bytes(o, g->one.data, g->one.used);
}

static void put_table(out *o, grid *g, const report *r, const screen *s)
{
    for (long line = -1; line < (long)r->result.count; line++) {
        size_t gap = 0;
        for (size_t c = 0; c < g->columns; c++) {
            set_cell(g, r, line, c);
            size_t indent = indent_of(g, c, line);
            out_pad(o, gap + indent);
            put_text(o, g, s);
            gap = g->width[c] - indent - g->one.used + 2;
        }
        out_char(o, '\n');
    }
}

/* Each row by itself, its figures below one another. */
static void put_turned(out *o, grid *g, const report *r, const screen *s)
{
    size_t widest = 0;
    for (size_t c = 1; c < g->columns; c++) {
        set_cell(g, r, -1, c);
        widest = g->one.used > widest ? g->one.used : widest;
    }
    for (long line = 0; line < (long)r->result.count; line++)
        for (size_t c = 0; c < g->columns; c++) {
            set_cell(g, r, line, c);
            if (c > 0 && is_one(&g->one, "-"))
                continue;
            if (c > 0) {
                set_cell(g, r, -1, c);
                out_text(o, "  ");
                out_bytes(o, g->one.data, g->one.used);
                out_pad(o, widest - g->one.used + 2);
                set_cell(g, r, line, c);
            }
            put_text(o, g, s);
            out_char(o, '\n');
        }
}

void text_rows(out *o, const report *r, const screen *s)
{
    grid g = {0};
    out_init(&g.one);
    g.columns = columns(o, r, g.name) + 2;
    size_t total = measure(&g, r);
    if (g.one.failed)
        o->failed = true;
    if (!o->failed && s->table > 0 && total > s->table)
        put_turned(o, &g, r, s);
    else if (!o->failed)
        put_table(o, &g, r, s);
    o->failed = o->failed || g.one.failed;
    out_clear(&g.one);
}
