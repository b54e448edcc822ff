/* SPDX-License-Identifier: MIT */
/* What was probably meant by words that are no command, no option, or stand in the wrong place. */
#ifndef CLI_HINTS_H
#define CLI_HINTS_H

#include "document/request.h"

#define HINT_ROOM 400

/* Each appends "; did you mean ...?" or "; see ..." to what is wrong, or nothing. */
void hint_command(char to[HINT_ROOM], int argc, char **argv);
void hint_long(char to[HINT_ROOM], const args *a, const char *name);
void hint_letter(char to[HINT_ROOM], const args *a, const char *letters);
void hint_operand(char to[HINT_ROOM], const args *a, const char *word);

/* The long option that a word with one dash names in full, or NULL. */
const option *hint_single_dash(const args *a, const char *word);

#endif
