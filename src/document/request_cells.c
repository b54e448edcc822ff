/* SPDX-License-Identifier: MIT */
/* Entries about groups of disjoint data: {"mechanism": "parallel", "cells": [[...], [...]]}. */
#include <stdio.h>
#include <string.h>

#include "compose/parameters.h"
#include "core/parameters.h"
#include "document/item_types.h"
#include "document/request.h"
#include "num/memory.h"
#include "num/number.h"

static bool enter_cell(args *a, dp_composition *to, json list, fault *f)
{
    bool ok = true;
    size_t index = 0;
    for (json c = json_first(list); ok && json_exists(c); c = json_next(c)) {
        item it;
        index++;
        ok = args_in_time(a, f) && cells_read(&it, a->queries, c, index, f) &&
             item_enter_one(a, to, &it, index, f);
    }
    return ok;
}

/* Says which cell the fault is in. */
static void place_fault(fault *f, const char *where, size_t cell)
{
    char what[sizeof f->what];
    snprintf(what, sizeof what, "cell %zu: %.80s%s%.300s", cell, f->where,
             f->where[0] != '\0' ? ": " : "", f->what);
    fault_set(f, where, "%s", what);
}

static bool add_cells(dp_composition *to, const item *it, const dp_composition *cell, size_t count,
                      const char *where, fault *f)
{
    dp_number times;
    dp_error err = {DP_DOMAIN, item_times.name, NULL};
    dp_number_init(&times);
    dp_number_set_ui(&times, 1);
    bool ok = it->times == NULL || args_part(&times, where, &item_times, it->times, f);
    if (ok) {
        err.message = domain_fault(parameter_domain(&item_times), &times);
        ok = err.message == NULL &&
             dp_composition_add_cells(to, json_text(json_find(it->source, cells_partition.name)),
                                      cell, count, number_integer(&times), &err) == DP_OK;
        if (!ok)
            fault_set(f, where, "%s %s", err.argument != NULL ? err.argument : "", err.message);
    }
    dp_number_clear(&times);
    return ok;
}

bool cells_enter(args *a, dp_composition *to, const item *it, size_t index, fault *f)
{
    char where[ITEM_WHERE];
    json cells;
    size_t count = 0, n = 0;
    item_where(where, it, index);
    if (!cells_find(&cells, it, where, f))
        return false;
    for (json c = json_first(cells); json_exists(c); c = json_next(c))
        count++;
    dp_composition *cell = memory_zero(count, sizeof *cell);
    bool ok = cell != NULL;
    if (!ok)
        fault_set(f, where, "out of memory");
    for (json c = json_first(cells); ok && json_exists(c); c = json_next(c), n++) {
        dp_composition_init_under(&cell[n], to->adjacency);
        ok = enter_cell(a, &cell[n], c, f);
        if (!ok)
            place_fault(f, where, n + 1);
    }
    ok = ok && add_cells(to, it, cell, count, where, f);
    for (size_t i = 0; cell != NULL && i < count; i++)
        dp_composition_clear(&cell[i]);
    memory_free(cell);
    return ok;
}
