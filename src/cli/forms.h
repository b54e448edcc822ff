/* SPDX-License-Identifier: MIT */
/* Answers in the forms that other programs and documents take: all of them are made from the same
 * answer as text and JSON, and the text in them is that of the text. */
#ifndef CLI_FORMS_H
#define CLI_FORMS_H

#include "cli/screen.h"
#include "document/answer.h"

/* The answer in the form of --format; text for that screen. */
void form_write(out *o, const report *r, const args *a, const screen *s);

/* No screen: lines of any length, and no colours. */
extern const screen form_screen;

/* ---- tables.c: a table for a pull request, for a paper ---- */

void form_markdown(out *o, const report *r, const args *a);
void form_latex(out *o, const report *r, const args *a);

/* Text as markdown, and as LaTeX, shows it as it is. */
void put_markdown(out *o, const char *text);
void put_latex(out *o, const char *text);

/* ---- checks.c: what a pipeline shows ---- */

void form_github(out *o, const report *r, const args *a);
void form_junit(out *o, const report *r, const args *a);

/* ---- statement.c: a paragraph for a report ---- */

void form_statement(out *o, const report *r, const args *a);

/* The command line of the question, quoted for a shell; "dpacct COMMAND" where there was none. */
void put_question(out *o, const args *a);

/* The text, with what would act shown; malloc'd. */
char *form_shown(const char *text);

/* Text of one's own, ended by 0; "" without memory. */
const char *form_text(out *scratch);
/* The same without the ends of lines at its end. */
const char *form_lines(out *scratch);

#endif
