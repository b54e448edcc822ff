/* SPDX-License-Identifier: MIT */
/* Groups of disjoint data: a question about a list with cells is asked about the list of every
 * choice of cells, and every figure is the maximum over these. */
#include "compose/cells.h"

#include "compose/sides.h"
#include "core/mechanism.h"
#include "core/refine.h"
#include "core/result.h"
#include "loss/cells.h"
#include "loss/known.h"
#include "num/limits.h"
#include "num/memory.h"

#define MOST_CHOICES 1000
#define TOO_MANY                                                                                   \
    "have more than 1000 different choices of one in each partition, or of two under "             \
    "replace-one adjacency; give equal cells the same mechanisms in the same order, or fewer "     \
    "partitions"

const bound compose_cells = {
    .theorem =
        {.id = "compose-cells",
         .family = "compose",
         .verdict = DP_EXACT,
         .source = "McSherry 2009, Privacy Integrated Queries, Theorem 4 (parallel composition), "
                   "as privacy profiles",
         .statement = "delta(x) = the maximum, over the choice of one cell in each partition, of "
                      "the delta(x) of the composition of the mechanisms of these cells and of "
                      "those about all data; under replace-one adjacency over the choice of two "
                      "cells in each partition that has several",
         .assumes = "partitions of all possible records, fixed in advance; parameters fixed in "
                    "advance, each mechanism as stated given the outputs of the earlier ones; "
                    "under replace-one adjacency the mechanisms of cells are stated for a record "
                    "that is added, removed or changed in its cell",
         .proof = "A record is in one cell of each partition, so that what is released about the "
                  "others has one law on both data sets, given what was released before. It is "
                  "attained where the mechanisms attain their pairs and the cells of different "
                  "partitions meet. A record that is replaced leaves a cell and enters another, "
                  "which are mechanisms on disjoint data, or stays in one of them."},
    .engine = compose_cells_row,
    .methods = METHOD(OPTIMAL),
    .output = {"epsilon", "delta"},
    .also_for = "curve",
    .of_mechanisms = true};

const bound compose_cells_greatest = {
    .theorem =
        {.id = "compose-cells-greatest",
         .family = "compose",
         .verdict = DP_UNSOUND,
         .source = "tutorials and libraries that state parallel composition without its adjacency",
         .statement = "delta(x) = the maximum over the cells, also under replace-one adjacency",
         .assumes = "a partition of all possible records, fixed in advance",
         .proof =
             "Under replace-one adjacency a record may move from one cell to another: the loss "
             "is that of both cells together.",
         .counterexample = "replace-one, two counts of disjoint records, each with discrete "
                           "Laplace noise of scale 1, stated (1, 0)-DP: a record that moves from "
                           "one to the other has the loss 2, and delta(1) = 0.3378"},
    .engine = compose_cells_greatest_row,
    .output = {"epsilon", "delta"},
    .only_all = true,
    .of_mechanisms = true};

/* ---- choices ---- */

/* The cells of one partition that matter together: one, or two that a record moves between. */
typedef struct choice {
    const dp_composition *first, *second;
} choice;

typedef struct partition {
    choice *choice;
    size_t count, at;
} partition;

typedef struct work {
    const cells_asked *asked;
    const dp_options *opt;
    partition *of;
    size_t partitions, answered, first; /* first: of its rows */
    limits lim;
    dp_result *out;
    bool exact;
    dp_decision holds;
    const char *why;
} work;

static bool push(partition *p, const dp_composition *first, const dp_composition *second)
{
    if (p->count == MOST_CHOICES)
        return false;
    p->choice[p->count++] = (choice){first, second};
    return true;
}

/* The different cells, and which of them stand there more than once. False: too many. */
static bool kinds_of(const dp_composition **kind, bool *twice, size_t *kinds, const dp_cells *p)
{
    *kinds = 0;
    for (size_t i = 0; i < p->count; i++) {
        size_t k = 0;
        while (k < *kinds && !cells_are_same(kind[k], &p->cell[i]))
            k++;
        if (k == MOST_CHOICES)
            return false;
        twice[k] = k < *kinds;
        if (k == *kinds)
            kind[(*kinds)++] = &p->cell[i];
    }
    return true;
}

/* Has what is released there one law in both directions, also where a record is added? */
static dp_status check_moves(const dp_composition *cell, dp_error *err)
{
    bool both = cell->known == NULL;
    for (size_t i = 0; both && i < uses_count(cell); i++) {
        const dp_mechanism *m = cell->uses->use[i].mechanism;
        both = (m->type->relations & RELATION(ADD_REMOVE)) != 0 &&
               (m->type->one_way == NULL || !m->type->one_way(m));
    }
    dp_status status = DP_OK;
    if (both && uses_count(cell) > 0) {
        sides s;
        status = sides_init(&s, cell);
        both = status != DP_OK || s.ways == 1;
        sides_clear(&s);
    }
    if (both)
        return status;
    return fail(err, DP_UNAVAILABLE, "cells",
                "hold a mechanism whose losses differ between a record that is added and "
                "one that is removed, or that is not stated for these: under replace-one "
                "adjacency a record may leave one cell and enter another, which is not "
                "covered for it");
}

/* Of two cells a record that stays in one of them spends no more than one that moves: the order of
 * the two is that of the directions. */
static dp_status choose(partition *to, const dp_cells *p, bool pairs, dp_error *err)
{
    const dp_composition **kind = memory_new(MOST_CHOICES, sizeof *kind);
    bool *twice = memory_zero(MOST_CHOICES, sizeof *twice);
    to->choice = memory_new(MOST_CHOICES, sizeof *to->choice);
    bool ok = kind != NULL && twice != NULL && to->choice != NULL, few = true;
    size_t kinds = 0;
    if (ok)
        few = kinds_of(kind, twice, &kinds, p);
    dp_status status = ok ? DP_OK : DP_MEMORY;
    for (size_t i = 0; few && status == DP_OK && i < kinds; i++) {
        if (pairs && p->count > 1)
            status = check_moves(kind[i], err);
        if (!pairs || p->count == 1)
            few = push(to, kind[i], NULL);
        for (size_t j = i; few && pairs && j < kinds; j++)
            if (j != i || twice[i])
                few = push(to, kind[i], kind[j]);
    }
    memory_free(twice);
    memory_free(kind);
    if (!few)
        return fail(err, DP_UNAVAILABLE, "cells", TOO_MANY);
    return status;
}

static dp_status prepare(work *w, bool pairs)
{
    const dp_composition *list = w->asked->list;
    dp_status status = DP_OK;
    size_t choices = 1;
    for (const dp_cells *p = list->cells; p != NULL; p = p->next)
        w->partitions++;
    w->of = memory_zero(w->partitions, sizeof *w->of);
    if (w->of == NULL)
        return DP_MEMORY;
    size_t n = 0;
    for (const dp_cells *p = list->cells; status == DP_OK && p != NULL; p = p->next, n++) {
        status = choose(&w->of[n], p, pairs, w->asked->err);
        choices *= w->of[n].count;
        if (status == DP_OK && choices > MOST_CHOICES)
            return fail(w->asked->err, DP_UNAVAILABLE, "cells", TOO_MANY);
    }
    return status;
}

static bool next_choice(work *w)
{
    for (size_t i = 0; i < w->partitions; i++) {
        if (++w->of[i].at < w->of[i].count)
            return true;
        w->of[i].at = 0;
    }
    return false;
}

static dp_status flatten(dp_composition *flat, const work *w)
{
    mpz_t one;
    mpz_init_set_ui(one, 1);
    dp_status status = known_append_whole(flat, w->asked->list, one);
    for (size_t i = 0; status == DP_OK && i < w->partitions; i++) {
        const choice *c = &w->of[i].choice[w->of[i].at];
        status = known_append_whole(flat, c->first, one);
        if (status == DP_OK && c->second != NULL)
            status = known_append_whole(flat, c->second, one);
    }
    mpz_clear(one);
    return status;
}

/* ---- the maximum ---- */

static const char *const names[] = {"epsilon", "delta"};

/* Of one row. */
static void raise(const work *w, dp_row *to, const dp_row *row)
{
    for (size_t k = 0; k < 2; k++)
        sides_take_greater(row_figure(to, names[k]), row_figure(row, names[k]),
                           refine_bits(w->opt->digits) + 64);
}

static dp_status take_rows(work *w, const bound *b, const dp_result *r)
{
    size_t first = w->asked->every_row ? 0 : r->guarantee;
    size_t last = w->asked->every_row ? r->count : r->guarantee + 1;
    if (last > r->count)
        return DP_UNAVAILABLE;
    for (size_t i = first; i < last; i++) {
        w->exact = w->exact && r->row[i].verdict == DP_EXACT;
        size_t place = w->first + i - first;
        dp_row *to = w->answered > 0 ? &w->out->row[place] : result_row(w->out, b);
        for (size_t k = 0; to != NULL && w->answered == 0 && k < 2; k++)
            figure_set_ui(row_quantity(to, names[k]), 0);
        if (to == NULL)
            return DP_MEMORY;
        raise(w, to, &r->row[i]);
    }
    for (size_t i = 0; i < r->warnings && i < DP_RESULT_REMARKS; i++)
        result_warn(w->out, r->warning[i]);
    w->out->met |= r->met;
    if (r->check.holds == DP_NO || (r->check.holds == DP_UNKNOWN && w->holds == DP_YES)) {
        w->holds = r->check.holds;
        w->why = r->check.why;
    }
    w->answered++;
    return DP_OK;
}

static dp_status ask_choice(work *w, const bound *b)
{
    dp_composition flat;
    dp_result r;
    dp_result_init(&r);
    dp_composition_init_under(&flat, w->asked->list->adjacency);
    dp_status status = flatten(&flat, w);
    dp_options own = limits_rest(&w->lim, w->opt);
    own.all = false;
    if (status == DP_OK && flat.count + uses_count(&flat) > 0) {
        status = w->asked->ask(&r, &flat, w->asked->in, &own, w->asked->err);
        if (status == DP_OK)
            status = take_rows(w, b, &r);
    }
    dp_composition_clear(&flat);
    dp_result_clear(&r);
    return status;
}

static dp_status maximum(work *w, const bound *b, bool pairs)
{
    w->first = w->out->count;
    limits_start(&w->lim, w->opt);
    dp_status status = prepare(w, pairs);
    do
        if (status == DP_OK)
            status = ask_choice(w, b);
    while (status == DP_OK && next_choice(w));
    for (size_t i = 0; w->of != NULL && i < w->partitions; i++)
        memory_free(w->of[i].choice);
    memory_free(w->of);
    if (status == DP_OK && w->answered == 0)
        return fail(w->asked->err, DP_DOMAIN, "cells",
                    "are empty, and nothing stands beside them; give at least one mechanism");
    return status;
}

dp_status compose_cells_row(dp_result *out, void *in, const dp_options *opt)
{
    const cells_asked *asked = in;
    work w = {.asked = asked, .opt = opt, .out = out, .exact = true, .holds = DP_YES};
    size_t first = out->count;
    dp_status status = maximum(&w, &compose_cells, asked->list->adjacency == DP_REPLACE_ONE);
    if (status == DP_OK && !w.exact)
        result_weaken(out, first);
    if (status == DP_OK && out->check.asked) {
        out->check.holds = w.holds;
        out->check.why = w.why;
    }
    return status;
}

dp_status compose_cells_greatest_row(dp_result *out, void *in, const dp_options *opt)
{
    work w = {.asked = in, .opt = opt, .out = out};
    return maximum(&w, &compose_cells_greatest, false);
}

dp_status cells_answer(dp_result *out, const cells_asked *asked, const dp_options *opt)
{
    cells_asked own = *asked;
    dp_status status = compose_cells.engine(out, &own, opt);
    out->guarantee = asked->every_row ? out->count : 0;
    if (status == DP_OK && opt->all && !asked->every_row &&
        asked->list->adjacency == DP_REPLACE_ONE)
        status = compose_cells_greatest.engine(out, &own, opt);
    return status;
}
