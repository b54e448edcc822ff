/* SPDX-License-Identifier: MIT */
/* Mechanisms in a list, beside its (epsilon, delta) items. */
#ifndef CORE_USES_H
#define CORE_USES_H

#include "dpacct/compose.h"
#include "dpacct/mechanism.h"

typedef struct dp_use {
    dp_mechanism *mechanism; /* owned */
    mpz_t times;
    bool turned; /* where the others of the list are asked about in one direction, it is in the
                  * other: a record enters what is released there, and leaves what is released
                  * elsewhere */
} dp_use;

typedef struct dp_uses {
    size_t count, room;
    dp_use *use;
} dp_uses;

/* Appends a copy of a complete mechanism. */
dp_status uses_add(dp_composition *c, const dp_mechanism *m, const mpz_t times);
dp_status uses_append(dp_composition *to, const dp_composition *from, const mpz_t times);
/* Turns those from that one on. */
void uses_turn(dp_composition *c, size_t first);
void uses_clear(dp_composition *c);
size_t uses_count(const dp_composition *c);

/* Neither items nor mechanisms, nor cells of disjoint data? */
bool list_is_empty(const dp_composition *c);

#endif
