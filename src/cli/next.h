/* SPDX-License-Identifier: MIT */
/* After an answer on a terminal: the question that people ask next, as a command. */
#ifndef CLI_NEXT_H
#define CLI_NEXT_H

#include "cli/screen.h"
#include "cli/series.h"

/* One line, "next: dpacct ...  # why", where the answer is text on a terminal: what reads a pipe
 * gets the answer alone. Nothing where no command follows. */
void put_next(out *o, const series *x, const screen *s);

#endif
