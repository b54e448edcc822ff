/* SPDX-License-Identifier: MIT */
/* The table of the commands that answer a question: above all that reads one, which it is handed
 * to. */
#include "document/commands.h"

const command *const query_commands[] = {QUERY_COMMANDS, NULL};
