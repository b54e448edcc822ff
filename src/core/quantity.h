/* SPDX-License-Identifier: MIT */
/* What every figure of a row is: the one table of their names, units, safe ends and kinds. The rows
 * take the safe end from it, JSON its form, and the schema of the output all of it. */
#ifndef CORE_QUANTITY_H
#define CORE_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>

#include "dpacct/figure.h"

typedef enum quantity_kind {
    QUANTITY_FIGURE = 0, /* an enclosure                                                    */
    QUANTITY_COUNT,      /* solved for, or chosen: an exact integer, infinite where any serves */
    QUANTITY_DECIMAL     /* the same, with a finite decimal                                 */
} quantity_kind;

typedef struct quantity {
    const char *name;
    const char *unit; /* in the plural, or NULL */
    quantity_kind kind;
    bool lower; /* the lower end is the safe one, wherever a row does not say otherwise */
    bool share; /* at most 1, whatever a theorem says */
    bool sign;  /* may be below 0 */
    bool again; /* a figure that the row has under another name: shown in JSON alone */
    /* Rows show it where their bound lists it; what is solved for stands in the deciding row of
     * these questions, "a|b", whatever its bound. */
    const char *of;
    const char *brief; /* one line: what it is */
} quantity;

/* NULL past the last one. */
const quantity *quantity_at(size_t index);

/* NULL where no row has one of that name. */
const quantity *quantity_find(const char *name);

/* The safe end of its figures; NULL, of a figure without a name of its own, is an upper one. */
dp_end quantity_safe(const quantity *q);

/* Is the name one of "a|b"? NULL holds none. */
bool names_hold(const char *names, const char *name);

bool quantity_is_known(const char *name);
bool quantity_is_share(const char *name);
bool quantity_is_again(const char *name);

#endif
