/* SPDX-License-Identifier: MIT */
/* What standard output is: how wide, and whether it takes colours. */
#ifndef CLI_SCREEN_H
#define CLI_SCREEN_H

#include "document/out.h"

#define SCREEN_WIDTH 80 /* of prose where there is no terminal */

typedef struct screen {
    size_t width; /* of prose */
    size_t table; /* of tables; 0: as wide as they are, for they may be read by a program */
    bool colour;  /* a terminal, and neither NO_COLOR nor a dumb one */
} screen;

screen screen_of_output(void);

/* Columns that the text takes: UTF-8, one for each character. */
size_t screen_columns(const char *text, size_t bytes);

/* Words broken before the width, where `column` columns of the line are taken already and further
 * lines are indented; a newline in the text begins a line, an empty line stays one. Words longer
 * than a line stay whole, but for lists of choices. Ends the line. */
void put_wrapped(out *o, size_t width, size_t column, size_t indent, const char *text);
/* The same after a label, below which it goes on. */
void put_labelled(out *o, size_t width, const char *label, const char *text);

/* In red where the screen has colours. */
void put_alarm(out *o, const screen *s, const char *text);

#endif
