/* SPDX-License-Identifier: MIT */
/* What each entry of a list costs, as a table. */
#ifndef CLI_ENTRIES_H
#define CLI_ENTRIES_H

#include "cli/text.h"

/* The table, for which `x` is room. */
typedef struct costs {
    const report *r;
    const args *a;
    bool dated; /* days stand only where some entry has one */
} costs;
table entries_table(costs *x, const report *r, const args *a);

void entries_text(out *o, const report *r, const args *a, const screen *s);
void entries_csv(out *o, const report *r, const args *a, char comma);

#endif
