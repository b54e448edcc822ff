/* SPDX-License-Identifier: MIT */
/* All commands of the program: the queries, and those that write or stream what is theirs. */
#ifndef CLI_PROGRAM_H
#define CLI_PROGRAM_H

#include "document/table.h"

extern const command cmd_theorems, cmd_batch, cmd_completion;

extern const command *const commands[]; /* ends with NULL */

const command *command_find(const char *name);

#endif
