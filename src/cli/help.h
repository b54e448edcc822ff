/* SPDX-License-Identifier: MIT */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/program.h"
#include "cli/screen.h"

/* Where no command is given. */
void help_none(out *o);
/* Of the program and of a command; whole: all that is to be said. */
void help_program(out *o, const screen *s, bool whole);
void help_command(out *o, const command *c, const screen *s, bool whole);
void help_version(out *o);

/* "exactly one of --a, --b and --c" */
void help_rule(out *o, const rule *r);

/* "dpacct kl-bound --epsilon E [OPTION]..." without the program's name */
void help_usage(out *o, const command *c);

#endif
