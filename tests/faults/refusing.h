/* SPDX-License-Identifier: MIT */
#ifndef REFUSING_H
#define REFUSING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Blocks asked for and refused so far; blocks held, those of GMP included. */
extern size_t taken, refused, live;
/* Which block is refused: the `only`-th, and with `exhausted` all from there on; with only = 0 one
 * in sixteen by the random `state`. */
extern size_t only;
extern bool exhausted;
extern uint64_t state;

/* The blocks of GMP are counted from now on. */
void count_numbers(void);

#endif
