/* SPDX-License-Identifier: MIT */
#ifndef CLI_TABLES_H
#define CLI_TABLES_H

#include "cli/text.h"

/* Any table; `r` where its rows are those of the answer, one of which decides, or NULL. */
void markdown_table(out *o, const table *t, const report *r);
void latex_table(out *o, const table *t, const report *r);

/* What stands around the table of an answer: the command, and what follows the rows of the text. */
void markdown_tail(out *o, out *tail, const args *a);
void latex_head(out *o, const args *a);
void latex_tail(out *o, out *tail);

#endif
