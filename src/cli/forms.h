/* SPDX-License-Identifier: MIT */
/* Answers in the forms that other programs and documents take: all of them are made from the same
 * answer as text and JSON, and the text in them is that of the text. */
#ifndef CLI_FORMS_H
#define CLI_FORMS_H

#include "cli/screen.h"
#include "document/answer.h"

/* The answer in the form of --format; text for that screen. */
void form_write(out *o, const report *r, const args *a, const screen *s);

/* ---- tables.c: a table for a pull request, for a paper ---- */

void form_markdown(out *o, const report *r, const args *a);
void form_latex(out *o, const report *r, const args *a);

/* ---- checks.c: what a pipeline shows ---- */

void form_github(out *o, const report *r, const args *a);
void form_junit(out *o, const report *r, const args *a);

/* ---- statement.c: a paragraph for a report ---- */

void form_statement(out *o, const report *r, const args *a);

#endif
