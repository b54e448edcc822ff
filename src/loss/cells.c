/* SPDX-License-Identifier: MIT */
/* Partitions of a list: adding, copying, comparing. */
#include "loss/cells.h"

#include <string.h>

#include "core/door.h"
#include "core/mechanism.h"
#include "core/parameters.h"
#include "loss/known.h"
#include "num/memory.h"
#include "num/number.h"

static dp_cells *make(const char *partition, size_t count, unsigned long group,
                      dp_relation relation)
{
    dp_cells *p = memory_zero(1, sizeof *p);
    if (p == NULL)
        return NULL;
    p->count = count;
    p->group = group;
    p->cell = memory_zero(count, sizeof *p->cell);
    p->partition = partition != NULL ? memory_copy(partition) : NULL;
    if (p->cell == NULL || (partition != NULL && p->partition == NULL)) {
        cells_free(p);
        return NULL;
    }
    for (size_t i = 0; i < count; i++)
        dp_composition_init_under(&p->cell[i], relation);
    return p;
}

static dp_status append(dp_cells *p, const dp_composition *cell, const mpz_t times)
{
    dp_status status = DP_OK;
    for (size_t i = 0; status == DP_OK && i < p->count; i++)
        status = known_append(&p->cell[i], &cell[i], times);
    return status;
}

/* Where the partition of that name, for the same groups, stands, or where the list of them ends. */
static dp_cells **find(dp_composition *c, const char *partition, unsigned long group)
{
    dp_cells **at = &c->cells;
    while (*at != NULL && (partition == NULL || (*at)->partition == NULL || (*at)->group != group ||
                           strcmp((*at)->partition, partition) != 0))
        at = &(*at)->next;
    return at;
}

/* The list changes only where all of it is made. */
static dp_status add(dp_composition *to, const char *partition, const dp_composition *cell,
                     size_t count, unsigned long group, const mpz_t times)
{
    mpz_t one;
    dp_cells **at = find(to, partition, group), *old = *at;
    if (old != NULL && old->count != count)
        return DP_DOMAIN;
    dp_cells *p = make(partition, count, group, to->adjacency);
    if (p == NULL)
        return DP_MEMORY;
    mpz_init_set_ui(one, 1);
    dp_status status = old != NULL ? append(p, old->cell, one) : DP_OK;
    mpz_clear(one);
    if (status == DP_OK)
        status = append(p, cell, times);
    if (status != DP_OK) {
        cells_free(p);
        return status;
    }
    p->next = old != NULL ? old->next : NULL;
    *at = p;
    cells_free(old);
    return DP_OK;
}

dp_status cells_append(dp_composition *to, const dp_composition *from, const mpz_t times)
{
    dp_status status = DP_OK;
    for (const dp_cells *p = from->cells; status == DP_OK && p != NULL; p = p->next)
        status = add(to, p->partition, p->cell, p->count, p->group, times);
    return status;
}

dp_status known_append(dp_composition *to, const dp_composition *from, const mpz_t times)
{
    dp_status status = known_append_whole(to, from, times);
    return status == DP_OK ? cells_append(to, from, times) : status;
}

dp_status cells_append_groups(dp_composition *to, const dp_composition *from, const mpz_t size)
{
    static const unsigned long most = 1000000000;
    dp_status status = DP_OK;
    mpz_t one;
    mpz_init_set_ui(one, 1);
    for (const dp_cells *p = from->cells; status == DP_OK && p != NULL; p = p->next)
        status = mpz_cmp_ui(size, most / p->group) > 0
                     ? DP_UNAVAILABLE
                     : add(to, p->partition, p->cell, p->count, mpz_get_ui(size) * p->group, one);
    mpz_clear(one);
    return status;
}

dp_status dp_composition_add_cells(dp_composition *c, const char *partition,
                                   const dp_composition *cell, size_t count, const mpz_t times,
                                   dp_error *err)
{
    const given all[] = {{&item_times, .z = times}};
    dp_status status = door_pointer("list", c, err);
    if (status == DP_OK)
        status = door_pointer("cells", cell, err);
    if (status == DP_OK)
        status = door_pointer("times", times, err);
    if (status == DP_OK)
        status = DOOR_GIVEN(all, err);
    if (status == DP_OK && count == 0)
        status = fail(err, DP_DOMAIN, "cells", "are none; give at least one");
    for (size_t i = 0; status == DP_OK && i < count; i++) {
        status = door_list("cells", &cell[i], err);
        if (status == DP_OK && cell[i].adjacency != c->adjacency)
            status = fail(err, DP_DOMAIN, "cells", "are lists of another relation");
    }
    if (status != DP_OK)
        return status;
    status = add(c, partition, cell, count, 1, times);
    if (status == DP_DOMAIN)
        return fail(err, status, "cells",
                    "are more or fewer than those of the same partition earlier in the list");
    return status == DP_OK ? DP_OK : fail(err, status, NULL, dp_status_text(status));
}

/* ---- equal cells ---- */

static bool same_value(const value *a, const value *b)
{
    if (a->text == NULL || b->text == NULL)
        return a->text == b->text;
    return strcmp(a->text, b->text) == 0 && number_order(&a->number, &b->number) == 0;
}

static bool same_use(const dp_use *a, const dp_use *b)
{
    const dp_mechanism *m = a->mechanism, *n = b->mechanism;
    bool same = m->type == n->type && mpz_cmp(a->times, b->times) == 0;
    for (size_t i = 0; same && i < m->count; i++)
        same = same_value(&m->given[i], &n->given[i]);
    return same;
}

bool cells_are_same(const dp_composition *a, const dp_composition *b)
{
    bool same = a->count == b->count && uses_count(a) == uses_count(b) && a->known == NULL &&
                b->known == NULL;
    for (size_t i = 0; same && i < a->count; i++)
        same = number_order(&a->item[i].epsilon, &b->item[i].epsilon) == 0 &&
               mpq_equal(a->item[i].delta, b->item[i].delta) != 0 &&
               mpz_cmp(a->item[i].times, b->item[i].times) == 0;
    for (size_t i = 0; same && i < uses_count(a); i++)
        same = same_use(&a->uses->use[i], &b->uses->use[i]);
    return same;
}
