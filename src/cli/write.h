/* SPDX-License-Identifier: MIT */
#ifndef CLI_WRITE_H
#define CLI_WRITE_H

#include <stdio.h>

#include "document/out.h"

/* Is what failed with errno to be tried again? Of what another program made not blocking that is
 * waited for, without trying in between. */
bool wait_again(int fd, short for_what);

/* Writes all of it, false on an error, whose errno then stands. */
bool write_all(int fd, const char *from, size_t bytes);

/* Writes and flushes all of it; false on any error of the stream or of memory, with `closed` set
 * where the reader has gone. Empties o. */
bool out_write(out *o, FILE *stream);

#endif
