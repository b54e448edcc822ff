/* SPDX-License-Identifier: MIT */
/* What the forms of an answer use. */
#ifndef CLI_FORM_PARTS_H
#define CLI_FORM_PARTS_H

#include "cli/screen.h"
#include "document/answer.h"

/* No screen: lines of any length, and no colours. */
extern const screen form_screen;

/* The command line of the question, quoted for a shell; "dpacct COMMAND" where there was none. */
void put_question(out *o, const args *a);

/* A word as a shell reads it; what would act on a terminal is shown, not repeated. */
void put_word(out *o, const char *word);

/* The text, with what would act shown; malloc'd. */
char *form_shown(const char *text);

/* Text of one's own, ended by 0; "" without memory. */
const char *form_text(out *scratch);
/* The same without the ends of lines at its end. */
const char *form_lines(out *scratch);

#endif
