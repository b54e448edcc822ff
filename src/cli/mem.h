/* SPDX-License-Identifier: MIT */
/* The memory of the whole program is bounded here: GMP, MPFR and MPFI by their hooks. */
#ifndef CLI_MEM_H
#define CLI_MEM_H

#include <stddef.h>

/* Past `cap` bytes of numbers, or when the system has no more, the process ends with one line on
 * standard error and status 3: GMP's hooks must not return, and longjmp out of GMP is undefined. */
void mem_install(size_t cap);

/* Another cap, for the command that runs now. */
void mem_limit(size_t cap);

/* What the message names, e.g. the command that runs; static text. */
void mem_context(const char *name);

#endif
