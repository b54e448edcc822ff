/* SPDX-License-Identifier: MIT */
/* Figures of an answer as text and as cells. */
#ifndef CLI_FIGURES_H
#define CLI_FIGURES_H

#include "document/answer.h"

/* Is the figure about the count beside it? Where not even 1 fits the count is 0, the figures are
 * not. */
bool shows(const report *r, const dp_quantity *q);
/* An end as a decimal; two cells of CSV, empty where there is nothing to show. */
void put_decimal(out *o, const dp_figure *x, dp_end end, size_t digits);
void put_ends(out *o, const report *r, const dp_quantity *q, char comma);
void put_quantity(out *o, const dp_quantity *q, size_t digits);
/* A cell of a table: also "-" where there is none, and "none" of a count that nothing fits. */
void put_figure(out *o, const report *r, const dp_quantity *q);
/* What a guarantee states: never both ends. Is there a finite one to state? */
void put_safe_end(out *o, const dp_quantity *q, size_t digits);
bool has_safe_end(const dp_quantity *q);
/* The safe end, or "infinite". */
void put_spent(out *o, const dp_quantity *q, size_t digits);

#endif
