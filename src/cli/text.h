/* SPDX-License-Identifier: MIT */
/* Answers as text and CSV, made from the same answer as JSON. */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include "cli/screen.h"
#include "document/answer.h"

void report_text(out *o, const report *r, const args *a, const screen *s);
void report_csv(out *o, const report *r, char comma);
/* Parts of the text: what was asked of the figures, "check: (1, 0)-DP"; that with the verdict, a
 * line; guarantee and check; what follows the table. */
void text_asked(out *o, const report *r, const args *a);
void text_check(out *o, const report *r, const args *a, const screen *s);
void text_head(out *o, const report *r, const args *a, const screen *s);
void text_tail(out *o, const report *r, const args *a, const screen *s);

#define TEXT_COLUMNS 14

/* What stands above the figures of all rows: the kind, where they have one, and their distinct
 * names, in order of first use; more than fit are refused. */
size_t columns(out *o, const report *r, const char **name);
/* The quantity under that name, or NULL. */
const dp_quantity *cell(const report *r, const dp_row *row, const char *name);

#define TABLE_COLUMNS (TEXT_COLUMNS + 2)

/* A table of cells, which are made as often as they are looked at; line -1 is the heading. */
typedef struct table {
    const void *of;
    size_t lines, columns;
    size_t texts; /* columns of words, before those of numbers */
    void (*cell)(out *o, const struct table *t, long line, size_t column);
} table;
void put_table(out *o, const table *t, const screen *s);

/* The rows of an answer as such a table, for which `rows` is room. */
typedef struct rows_of {
    const report *r;
    const char *name[TEXT_COLUMNS];
} rows_of;
table rows_table(out *o, rows_of *rows, const report *r);

/* The table of all rows. */
void text_rows(out *o, const report *r, const screen *s);

#endif
