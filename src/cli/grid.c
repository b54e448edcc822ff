/* SPDX-License-Identifier: MIT */
/* Tables: numbers aligned at the point; rows below one another where the screen is too narrow. */
#include "cli/text.h"

#include <string.h>

#include "cli/figures.h"
#include "core/quantity.h"

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
            if (quantity_is_again(own))
                continue;
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

/* Column 0 and 1 are theorem and verdict. */
static void put_cell(out *o, const table *t, long line, size_t column)
{
    static const char *const fixed[] = {"theorem", "verdict"};
    const rows_of *rows = t->of;
    const report *r = rows->r;
    if (line < 0) {
        out_text(o, column < 2 ? fixed[column] : rows->name[column - 2]);
        return;
    }
    const dp_row *row = &r->result.row[line];
    const char *name = column < 2 ? NULL : rows->name[column - 2];
    if (column == 0)
        out_text(o, row->theorem->id);
    else if (column == 1)
        out_text(o, row->verdict == DP_UNSOUND ? "UNSOUND" : dp_verdict_text(row->verdict));
    else if (row->vacuous && column == 2)
        out_text(o, "vacuous");
    else if (name == r->kinds && row->count > 0)
        out_text(o, row->quantity[0].name);
    else
        put_figure(o, r, cell(r, row, name));
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
    const table *t;
    size_t before[TABLE_COLUMNS], width[TABLE_COLUMNS];
    out one; /* the cell at hand */
} grid;

static void set_cell(grid *g, long line, size_t column)
{
    g->one.used = 0;
    g->t->cell(&g->one, g->t, line, column);
}

static size_t width_of(const grid *g)
{
    return g->one.failed ? 0 : screen_columns(g->one.data, g->one.used);
}

static size_t indent_of(const grid *g, size_t column, long line)
{
    size_t before = line >= 0 && column >= g->t->texts ? before_point(&g->one) : 0;
    return before > 0 ? g->before[column] - before : 0;
}

/* Cells are measured twice: before the point, then as a whole. */
static size_t measure(grid *g)
{
    size_t total = 0;
    for (size_t c = 0; c < g->t->columns; c++) {
        for (long line = 0; c >= g->t->texts && line < (long)g->t->lines; line++) {
            set_cell(g, line, c);
            size_t before = before_point(&g->one);
            if (before > g->before[c])
                g->before[c] = before;
        }
        for (long line = -1; line < (long)g->t->lines; line++) {
            set_cell(g, line, c);
            size_t width = indent_of(g, c, line) + width_of(g);
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

static void put_lines(out *o, grid *g, const screen *s)
{
    for (long line = -1; line < (long)g->t->lines; line++) {
        size_t gap = 0;
        for (size_t c = 0; c < g->t->columns; c++) {
            set_cell(g, line, c);
            size_t indent = indent_of(g, c, line);
            out_pad(o, gap + indent);
            put_text(o, g, s);
            gap = g->width[c] - indent - width_of(g) + 2;
        }
        out_char(o, '\n');
    }
}

/* Each row by itself, its figures below one another. */
static void put_turned(out *o, grid *g, const screen *s)
{
    size_t widest = 0;
    for (size_t c = 1; c < g->t->columns; c++) {
        set_cell(g, -1, c);
        widest = g->one.used > widest ? g->one.used : widest;
    }
    for (long line = 0; line < (long)g->t->lines; line++)
        for (size_t c = 0; c < g->t->columns; c++) {
            set_cell(g, line, c);
            if (c > 0 && is_one(&g->one, "-"))
                continue;
            if (c > 0) {
                set_cell(g, -1, c);
                out_text(o, "  ");
                out_bytes(o, g->one.data, g->one.used);
                out_pad(o, widest - g->one.used + 2);
                set_cell(g, line, c);
            }
            put_text(o, g, s);
            out_char(o, '\n');
        }
}

void put_table(out *o, const table *t, const screen *s)
{
    grid g = {.t = t};
    out_init(&g.one);
    size_t total = measure(&g);
    o->failed = o->failed || g.one.failed;
    if (!o->failed && s->table > 0 && total > s->table)
        put_turned(o, &g, s);
    else if (!o->failed)
        put_lines(o, &g, s);
    o->failed = o->failed || g.one.failed;
    out_clear(&g.one);
}

table rows_table(out *o, rows_of *rows, const report *r)
{
    *rows = (rows_of){.r = r};
    size_t figures = columns(o, r, rows->name);
    return (table){
        .of = rows, .lines = r->result.count, .columns = figures + 2, .texts = 2, .cell = put_cell};
}

void text_rows(out *o, const report *r, const screen *s)
{
    rows_of rows;
    const table t = rows_table(o, &rows, r);
    put_table(o, &t, s);
}
