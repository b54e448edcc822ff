/* SPDX-License-Identifier: MIT */
/* What is known of an item of a list beyond its (epsilon, delta): an item without such a note is
 * known by its pair alone, and the worst mechanism of that pair attains whatever is proved of it.
 * Bagging is known better, and its pair is an upper bound of it. */
#ifndef LOSS_KNOWN_H
#define LOSS_KNOWN_H

#include "dpacct/bagging.h"

typedef enum known_kind {
    KNOWN_ATTAINED, /* by the pair, in both directions                                          */
    KNOWN_ONE_WAY,  /* epsilon is 0, and delta leaks from the larger data set alone: exact in a
                     * list without losses, an upper bound beside them                          */
    KNOWN_ABOVE     /* the pair is a point of a curve that lies below the pair's own             */
} known_kind;

typedef struct dp_known {
    struct dp_known *next;
    size_t item;
    known_kind kind;
    dp_bagging b; /* without targets */
    dp_number base_epsilon;
    mpz_t releases; /* the item's times = releases, or releases * models, or the draws of all */
} dp_known;

/* Notes about the item that was added last. */
dp_status known_add(dp_composition *c, known_kind kind, const dp_bagging *b, const mpz_t releases);

/* The note about each item, NULL where there is none; free the array. NULL when out of memory. */
const dp_known **known_index(const dp_composition *c);

/* Appends every item of `from`, `times` as often, with what is known of it. */
dp_status known_append(dp_composition *to, const dp_composition *from, const mpz_t times);

/* to, which is empty, = one use of the only item of `from`, or one release of it. */
dp_status known_single(dp_composition *to, const dp_composition *from);

void known_clear(dp_known *list);

#endif
