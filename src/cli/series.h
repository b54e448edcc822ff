/* SPDX-License-Identifier: MIT */
/* The answers at the points of a range. */
#ifndef CLI_SERIES_H
#define CLI_SERIES_H

#include "cli/text.h"

typedef struct series {
    size_t count, begun; /* begun: how many are initialised */
    args *a;             /* the questions, which differ in one option */
    report *r;
} series;

/* Which rows of an answer it shows: the one that decides; all with --all, or where none does. */
bool series_shows(const report *r, const args *a, size_t row);

/* The form of the answer, also before presets are in force. */
const char *series_form(const args *a);

/* Has the form of the answer room for several, and can all be asked? False with the fault. */
bool series_may(const args *a, fault *f);
void series_write(out *o, const series *x, const screen *s);

#endif
