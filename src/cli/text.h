/* SPDX-License-Identifier: MIT */
/* Answers as text and CSV, made from the same answer as JSON. */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include "cli/screen.h"
#include "document/answer.h"

void report_text(out *o, const report *r, const args *a, const screen *s);
void report_csv(out *o, const report *r);
/* The noise functions as columns over the number of votes: CSV that gnuplot reads. */
void report_plot(out *o, const report *r);

/* An end as a decimal. */
void put_decimal(out *o, const dp_figure *x, dp_end end, size_t digits);
void put_quantity(out *o, const dp_quantity *q, size_t digits);

#define TEXT_COLUMNS 14

/* What stands above the figures of all rows: the kind, where they have one, and their distinct
 * names, in order of first use; more than fit are refused. */
size_t columns(out *o, const report *r, const char **name);
/* The quantity under that name, or NULL. */
const dp_quantity *cell(const report *r, const dp_row *row, const char *name);
/* The table of all rows. */
void text_rows(out *o, const report *r, const screen *s);

#endif
