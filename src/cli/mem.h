/* SPDX-License-Identifier: MIT */
/* The memory of the whole program is bounded here. */
#ifndef CLI_MEM_H
#define CLI_MEM_H

#include <stdbool.h>
#include <stddef.h>

#define MEM_CAP ((size_t)1 << 30 << 1) /* 2 GiB, unless told otherwise */

/* Every library takes its blocks here from now on. Past the limit, or when the system has no more,
 * the process ends with one line on standard error and status 3: GMP's hooks must not return, and
 * longjmp out of GMP is undefined. */
void mem_install(void);

/* Another limit, for the command that runs now, of what is in use then and was not at the mark. */
void mem_limit(size_t bytes);

/* What is in use now, but for so many bytes of it, counts no more: another line of a batch begins.
 */
void mem_mark(size_t own);

/* What the message names, e.g. the command that runs; static text. */
void mem_context(const char *name);

/* Is the message a JSON object, as errors are with --json? */
void mem_json(bool on);

/* What is done before the process ends so; it takes no memory. NULL: nothing. */
void mem_at_end(void (*last)(void));

#endif
