/* SPDX-License-Identifier: MIT */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/program.h"
#include "document/out.h"

void help_short(out *o);
void help_all(out *o);
void help_command(out *o, const command *c);
void help_version(out *o);

/* "dpacct kl-bound --epsilon E [OPTION]..." without the program's name */
void help_usage(out *o, const command *c);

#endif
