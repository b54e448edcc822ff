/* SPDX-License-Identifier: MIT */
/* Groups of disjoint data: a question about a list with cells is asked about the list of every
 * choice of cells, and every figure is the maximum over these. */
#include "compose/cells.h"

#include "compose/cells_choices.h"
#include "compose/sides.h"
#include "core/mechanism.h"
#include "core/refine.h"
#include "core/result.h"
#include "loss/cells.h"
#include "loss/known.h"
#include "num/limits.h"
#include "num/memory.h"

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
                      "cells in each partition that has several; of a group of records over how "
                      "many of them are in which cells, each list for groups of so many",
         .assumes = "partitions of all possible records, fixed in advance; parameters fixed in "
                    "advance, or, where the filter answers, chosen by earlier outputs; each "
                    "mechanism as stated given the outputs of the earlier ones; "
                    "under replace-one adjacency the mechanisms of cells are stated for a record "
                    "that is added, removed or changed in its cell, and what is p and q of pairs "
                    "is so of all: of the data with the record and without it, or the other way",
         .proof =
             "A record is in one cell of each partition, so that what is released about the "
             "others has one law on both data sets, given what was released before: to a "
             "filter of its cells such a release is one of (0, 0). It is "
             "attained where the mechanisms attain their pairs and the cells of different "
             "partitions meet. A record that is replaced leaves a cell and enters another, "
             "which are mechanisms on disjoint data, each with its own direction of removal and "
             "addition, or stays in one of them, whose law is what is left of theirs where the "
             "other is not looked at."},
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

typedef struct work {
    const cells_asked *asked;
    const dp_options *opt;
    cell_choices *of;
    size_t partitions, answered, first; /* first: of its rows */
    limits lim;
    dp_result *out;
    bool exact;
    dp_decision holds;
    const char *why;
} work;

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
    bool alone = w->partitions == 1 && uses_count(list) == 0 && w->asked->solved == NULL;
    for (const dp_cells *p = list->cells; status == DP_OK && p != NULL; p = p->next, n++) {
        status = choices_find(&w->of[n], p, pairs, w->asked->err);
        if (!alone)
            choices_order(&w->of[n]);
        choices *= w->of[n].count;
        if (status == DP_OK && choices > MOST_CHOICES)
            return fail(w->asked->err, DP_UNAVAILABLE, "cells",
                        "have more than 1000 different choices, one of each partition; give fewer "
                        "partitions");
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
    for (size_t i = 0; status == DP_OK && i < w->partitions; i++)
        status = choices_append(flat, &w->of[i], w->asked->err);
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

static void take_check(work *w, const dp_result *r)
{
    for (size_t i = 0; i < r->warnings && i < DP_RESULT_REMARKS; i++)
        result_warn(w->out, r->warning[i]);
    w->out->met |= r->met;
    if (r->check.holds == DP_NO || (r->check.holds == DP_UNKNOWN && w->holds == DP_YES)) {
        w->holds = r->check.holds;
        w->why = r->check.why;
    }
    w->answered++;
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
    return DP_OK;
}

/* What fits whatever the choice. */
static dp_status take_least(work *w, dp_result *r)
{
    dp_figure *x =
        r->guarantee < r->count ? row_figure(&r->row[r->guarantee], w->asked->solved) : NULL;
    if (x == NULL)
        return DP_UNAVAILABLE;
    dp_figure *least = w->asked->least, held = *least;
    bool less = w->answered == 0 || least->kind == DP_INFINITE ||
                (x->kind == DP_RATIONAL && mpq_cmp(x->rational, least->rational) < 0);
    if (!less)
        return DP_OK;
    *least = *x;
    *x = held;
    w->out->notes = 0; /* of the choice that decides alone */
    for (size_t i = 0; i < r->notes && i < DP_RESULT_REMARKS; i++)
        result_note(w->out, r->note[i]);
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
            status = b != NULL ? take_rows(w, b, &r) : take_least(w, &r);
        if (status == DP_OK)
            take_check(w, &r);
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
        choices_clear(&w->of[i]);
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

dp_status cells_least(dp_result *out, const cells_asked *asked, const dp_options *opt)
{
    work w = {.asked = asked, .opt = opt, .out = out, .holds = DP_YES};
    dp_status status = maximum(&w, NULL, asked->list->adjacency == DP_REPLACE_ONE);
    if (status == DP_OK) {
        out->check.asked = true;
        out->check.holds = w.holds;
        out->check.why = w.why;
    }
    return status;
}

/* Of one record, not of groups. */
static bool has_groups(const dp_composition *list)
{
    for (const dp_cells *p = list->cells; p != NULL; p = p->next)
        if (p->group > 1)
            return true;
    return false;
}

dp_status cells_answer(dp_result *out, const cells_asked *asked, const dp_options *opt)
{
    cells_asked own = *asked;
    dp_status status = compose_cells.engine(out, &own, opt);
    out->guarantee = asked->every_row ? out->count : 0;
    if (status == DP_OK && opt->all && !asked->every_row &&
        asked->list->adjacency == DP_REPLACE_ONE && !has_groups(asked->list))
        status = compose_cells_greatest.engine(out, &own, opt);
    return status;
}
