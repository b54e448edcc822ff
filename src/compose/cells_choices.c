/* SPDX-License-Identifier: MIT */
/* The choices of cells, each once up to cells that are equal: one cell for a record that is added
 * or removed, two for one that moves. Of a group of g records a choice says how many are in which
 * cell: g in all; where they move, 2g in all and at most g in one, which is every way in which g
 * records may each leave a cell and enter another (numbers are the degrees of a graph without loops
 * if and only if their sum is even and none is above half of it). Fewer spend no more.
 *     Where the directions of a cell's losses differ, one record that moves from c to c' has the
 * losses of what is removed in c and of what is added in c', which are independent, and the other
 * way round on the exchanged data sets: the law of c and that of c' turned, asked about in both
 * directions, are both moves between the two. What stands beside them has a direction of its own,
 * and so have the moves in other partitions: then each of both orders is a choice. A record that
 * stays in c spends what is left of the choice where c' is not looked at, which is no more. */
#include "compose/cells_choices.h"

#include "compose/sides.h"
#include "core/door.h"
#include "core/mechanism.h"
#include "loss/known.h"
#include "num/memory.h"

#define TOO_MANY                                                                                   \
    "have more than 1000 different choices of one in each partition, or of two under "             \
    "replace-one adjacency, or of those of each record of a group; give equal cells the same "     \
    "mechanisms in the same order, or fewer partitions"

/* Is what is released there stated for a record that is added, in both directions? */
static bool may_move(const dp_composition *cell)
{
    bool both = cell->known == NULL;
    for (size_t i = 0; both && i < uses_count(cell); i++) {
        const dp_mechanism *m = cell->uses->use[i].mechanism;
        both = (m->type->relations & RELATION(ADD_REMOVE)) != 0 &&
               (m->type->one_way == NULL || !m->type->one_way(m));
    }
    return both;
}

/* to->turns where some cell's losses have two laws. */
static dp_status check_moves(cell_choices *to, const dp_composition *cell, unsigned long group,
                             dp_error *err)
{
    if (!may_move(cell))
        return fail(err, DP_UNAVAILABLE, "cells",
                    "hold a mechanism that is not stated for a record that is added and for one "
                    "that is removed: under replace-one adjacency, and in a group, a record may "
                    "leave one cell while another is entered, which is not covered for it");
    sides s;
    if (uses_count(cell) == 0 || to->turns)
        return DP_OK;
    dp_status status = sides_init(&s, cell);
    to->turns = status == DP_OK && s.ways > 1;
    sides_clear(&s);
    if (!to->turns || group == 1)
        return status;
    return fail(err, DP_UNAVAILABLE, "cells",
                "hold a mechanism whose losses differ between a record that is added and one that "
                "is removed: of a group some may leave a cell that others enter, which is not "
                "covered for it");
}

/* The cells that differ, and how often each stands there, as far as it matters. */
typedef struct kinds {
    const dp_composition **of;
    size_t *copies;
    size_t count;
} kinds;

/* False: too many. */
static bool find_kinds(kinds *k, const dp_cells *p, unsigned long total)
{
    for (size_t i = 0; i < p->count; i++) {
        size_t j = 0;
        while (j < k->count && !cells_are_same(k->of[j], &p->cell[i]))
            j++;
        if (j == MOST_CHOICES)
            return false;
        if (j == k->count) {
            k->of[k->count++] = &p->cell[i];
            k->copies[j] = 0;
        }
        k->copies[j] += k->copies[j] < total;
    }
    return true;
}

typedef struct placing {
    cell_choices *to;
    const kinds *of;
    unsigned long most; /* records of one cell */
    size_t depth;       /* parts so far */
    dp_status status;   /* DP_LIMIT: too many */
} placing;

/* Room for one part more, with those before it as they are. */
static bool put_part(placing *p, const dp_composition *cell, unsigned long records)
{
    cell_choices *to = p->to;
    size_t at = to->first[to->count] + p->depth;
    if (at >= to->room) {
        cell_part *grown = memory_grow(to->part, 2 * at + 16, sizeof *grown);
        if (grown == NULL) {
            p->status = DP_MEMORY;
            return false;
        }
        to->part = grown;
        to->room = 2 * at + 16;
    }
    to->part[at] = (cell_part){cell, records};
    return true;
}

/* The choice is complete: the next one begins as it does. */
static void keep(placing *p)
{
    cell_choices *to = p->to;
    if (to->count == MOST_CHOICES) {
        p->status = DP_LIMIT;
        return;
    }
    size_t begin = to->first[to->count], end = begin + p->depth;
    to->first[++to->count] = end;
    size_t depth = p->depth;
    for (p->depth = 0; p->depth < depth && p->status == DP_OK; p->depth++) {
        cell_part part = to->part[begin + p->depth];
        put_part(p, part.cell, part.records);
    }
    p->depth = depth;
}

/* How many records the cells from this one on may hold: the copies that are left of the kind, no
 * more than `last` each, and all others. Too many stay too many. */
static bool have_room(const placing *p, size_t kind, size_t copy, unsigned long last,
                      unsigned long records)
{
    unsigned long room = 0;
    for (; kind < p->of->count; kind++, copy = 0, last = p->most)
        for (size_t i = copy; i < p->of->copies[kind]; i++) {
            if (last >= records - room)
                return true;
            room += last;
        }
    return records <= room;
}

/* Places the records in the cells from that copy of that kind on; of equal cells the next one has
 * no more than the one before, `last`. */
static void place(placing *p, size_t kind, size_t copy, unsigned long last, unsigned long records)
{
    if (records == 0) {
        keep(p);
        return;
    }
    for (; p->status == DP_OK && kind < p->of->count; kind++, copy = 0, last = p->most) {
        if (copy >= p->of->copies[kind])
            continue;
        for (unsigned long n = last < records ? last : records;
             n > 0 && p->status == DP_OK && have_room(p, kind, copy + 1, n, records - n); n--) {
            if (!put_part(p, p->of->of[kind], n))
                return;
            p->depth++;
            place(p, kind, copy + 1, n, records - n);
            p->depth--;
        }
    }
}

dp_status choices_find(cell_choices *to, const dp_cells *p, bool pairs, dp_error *err)
{
    kinds k = {memory_new(MOST_CHOICES, sizeof *k.of), memory_new(MOST_CHOICES, sizeof *k.copies),
               0};
    bool moves = pairs && p->count > 1;
    unsigned long total = moves ? 2 * p->group : p->group;
    *to = (cell_choices){.first = memory_zero(MOST_CHOICES + 1, sizeof *to->first)};
    placing all = {.to = to, .of = &k, .most = p->group};
    dp_status status = k.of != NULL && k.copies != NULL && to->first != NULL ? DP_OK : DP_MEMORY;
    if (status == DP_OK && !find_kinds(&k, p, total))
        status = DP_LIMIT;
    for (size_t i = 0; status == DP_OK && p->count > 1 && (pairs || p->group > 1) && i < k.count;
         i++)
        status = check_moves(to, k.of[i], p->group, err);
    if (status == DP_OK) {
        place(&all, 0, 0, all.most, total);
        status = all.status;
    }
    memory_free(k.copies);
    memory_free(k.of);
    return status == DP_LIMIT ? fail(err, DP_UNAVAILABLE, "cells", TOO_MANY) : status;
}

static dp_status append_part(dp_composition *flat, const cell_part *part, bool turned,
                             dp_error *err)
{
    size_t first = uses_count(flat);
    dp_composition group;
    mpz_t n;
    mpz_init_set_ui(n, part->records);
    dp_composition_init_under(&group, flat->adjacency);
    dp_status status = dp_composition_for_groups(&group, part->cell, n, err);
    mpz_set_ui(n, 1);
    if (status == DP_OK)
        status = known_append_whole(flat, &group, n);
    if (turned)
        uses_turn(flat, first);
    dp_composition_clear(&group);
    mpz_clear(n);
    return status;
}

void choices_order(cell_choices *c)
{
    if (!c->turns || c->ordered)
        return;
    c->ordered = true;
    c->count *= 2;
}

dp_status choices_append(dp_composition *flat, const cell_choices *c, dp_error *err)
{
    size_t at = c->ordered ? c->at / 2 : c->at, begin = c->first[at], end = c->first[at + 1];
    size_t turned = c->ordered && c->at % 2 == 1 ? begin : end - 1;
    dp_status status = DP_OK;
    for (size_t i = begin; status == DP_OK && i < end; i++)
        status = append_part(flat, &c->part[i], c->turns && i == turned, err);
    return status;
}

void choices_clear(cell_choices *c)
{
    memory_free(c->first);
    memory_free(c->part);
}
