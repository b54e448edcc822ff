/* SPDX-License-Identifier: MIT */
/* In which cells of a partition the records may be about whose privacy it is: one record, or a
 * group of several. */
#ifndef COMPOSE_CELLS_CHOICES_H
#define COMPOSE_CELLS_CHOICES_H

#include "loss/cells.h"

typedef struct cell_part {
    const dp_composition *cell;
    unsigned long records; /* that are there, or move from or to it */
} cell_part;

typedef struct cell_choices {
    cell_part *part; /* those of choice i from first[i] to first[i + 1] */
    size_t *first;
    size_t count, parts, room;
    size_t at; /* which is looked at */
    /* One of the two cells that a record moves between is looked at the other way: where it is
     * entered; `ordered`, either of them, by a choice each. */
    bool turns, ordered;
} cell_choices;

#define MOST_CHOICES 1000

/* Each of `group` records is in one cell; with `pairs` it leaves one and enters another.
 * DP_UNAVAILABLE where they are too many, or where a mechanism is not stated for both directions
 * and more than one record or cell counts, or its directions are not known to agree and it is one
 * of a group. *to is cleared by the caller. */
dp_status choices_find(cell_choices *to, const dp_cells *p, bool pairs, dp_error *err);

/* Other losses of the list have directions too, which either order may meet. */
void choices_order(cell_choices *c);

/* Appends what is released about the cells of the choice at `at`. */
dp_status choices_append(dp_composition *flat, const cell_choices *c, dp_error *err);

void choices_clear(cell_choices *c);

#endif
