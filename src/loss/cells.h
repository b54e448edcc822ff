/* SPDX-License-Identifier: MIT */
/* Groups of disjoint data in a list: partitions fixed in advance, each with what is released about
 * each of its cells. */
#ifndef LOSS_CELLS_H
#define LOSS_CELLS_H

#include "dpacct/compose.h"

typedef struct dp_cells {
    char *partition; /* its name; NULL: another one than all others */
    dp_composition *cell;
    size_t count;
    unsigned long group; /* for so many records, which may be in different cells */
    struct dp_cells *next;
} dp_cells;

/* Appends the partitions of `from`, each cell `times` as often: those of a name that the list has
 * become the same partition. DP_DOMAIN where it has another number of cells there. */
dp_status cells_append(dp_composition *to, const dp_composition *from, const mpz_t times);

/* Appends every item of `from`, `times` as often, with what is known of it, and the partitions. */
dp_status known_append(dp_composition *to, const dp_composition *from, const mpz_t times);

/* Appends the partitions of `from` for groups of so many times as many records. DP_UNAVAILABLE:
 * far too many. */
dp_status cells_append_groups(dp_composition *to, const dp_composition *from, const mpz_t size);

/* Do both cells hold the same mechanisms, in the same order? False where that is not plain. */
bool cells_are_same(const dp_composition *a, const dp_composition *b);

void cells_free(dp_cells *p); /* this one alone */

#endif
