/* SPDX-License-Identifier: MIT */
/* What each entry of a list costs. */
#ifndef DOCUMENT_BY_ENTRY_H
#define DOCUMENT_BY_ENTRY_H

#include "document/request.h"

enum { OWN_EPSILON, OWN_DELTA, MARGINAL, CUMULATIVE, COSTS };

/* All at the target. Own: the pair of all uses of the entry, without the others. Cumulative: the
 * figure of the entries up to it. Marginal: that of the whole list less that of the list without
 * it. A figure that is not known, in the time that is left or because infinity less infinity is
 * none, is not there. */
typedef struct entry_cost {
    size_t item; /* its place in the list */
    bool has[COSTS];
    dp_quantity part[COSTS];
} entry_cost;

typedef struct by_entry {
    bool has, late;
    size_t count;
    entry_cost *entry;
} by_entry;

void by_entry_clear(by_entry *x);

/* DP_MEMORY; else what could be found is there. */
dp_status by_entry_find(by_entry *x, const dp_compose_query *asked, const dp_options *opt, args *a);

#endif
