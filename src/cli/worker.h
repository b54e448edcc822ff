/* SPDX-License-Identifier: MIT */
/* The processes of batch. */
#ifndef CLI_WORKER_H
#define CLI_WORKER_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Takes the places of standard streams that are closed, where pipes would stand else and what is
 * said would be heard: to read or to write there fails as before. */
void worker_keep_standard(void);

/* As fork, with nothing left to be written twice. What ends the program, even what no process can
 * catch, ends the new process too, also where it was told to pass over SIGTERM. */
pid_t worker_start(void);

/* Ends it, with that signal unless 0, and waits for it. Returns its status. */
int worker_end(pid_t worker, int sign);

/* As poll, with room for one more behind `count`, where *watched: then -1 with EPIPE where standard
 * output is a pipe that nobody reads any more, and nothing else comes for READER_PATIENCE
 * milliseconds, so that who ends by himself is not ended. */
#define READER_PATIENCE 100
int worker_poll(struct pollfd *of, size_t count, bool *watched, int timeout);

#endif
