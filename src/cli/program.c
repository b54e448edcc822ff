/* SPDX-License-Identifier: MIT */
/* The table of all commands. */
#include "cli/program.h"

#include "document/commands.h"

const command *const commands[] = {QUERY_COMMANDS, &cmd_theorems, &cmd_batch, &cmd_completion,
                                   NULL};

const command *command_find(const char *name)
{
    return command_in(commands, name);
}
