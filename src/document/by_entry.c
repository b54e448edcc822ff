/* SPDX-License-Identifier: MIT */
/* What each entry of a list costs: differences between certified figures of lists, which are
 * enclosures as they are. */
#include "document/by_entry.h"

#include <string.h>

#include "core/bound.h"
#include "core/uses.h"
#include "loss/cells.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/number.h"

/* Differences lose digits: the figures of lists have so many more. */
#define GUARD_DIGITS 8

typedef struct work {
    by_entry *x;
    const dp_compose_query *asked;
    const dp_options *opt;
    args *a;
    dp_composition *alone; /* of each entry */
    bool at_epsilon;
    mpz_t one;
} work;

void by_entry_clear(by_entry *x)
{
    for (size_t i = 0; i < x->count; i++)
        for (size_t k = 0; k < COSTS; k++)
            dp_figure_clear(&x->entry[i].part[k].figure);
    memory_free(x->entry);
    *x = (by_entry){0};
}

static void take(dp_figure *to, dp_figure *from)
{
    dp_figure held = *to;
    *to = *from;
    *from = held;
}

static dp_figure *figure_of(dp_row *row, const char *name)
{
    for (size_t i = 0; i < row->count; i++)
        if (strcmp(row->quantity[i].name, name) == 0)
            return &row->quantity[i].figure;
    return NULL;
}

/* The pair of a list at the target; either may be NULL. An empty one spends nothing. */
static bool ask(work *w, dp_figure *epsilon, dp_figure *delta, const dp_composition *list)
{
    if (list_is_empty(list)) {
        if (epsilon != NULL)
            figure_set_ui(epsilon, 0);
        if (delta != NULL)
            figure_set_ui(delta, 0);
        return true;
    }
    dp_options own = *w->opt;
    own.max_seconds = args_time_left(w->a);
    own.all = false;
    own.max_epsilon = own.max_delta = NULL;
    own.digits = w->opt->digits + GUARD_DIGITS;
    if (own.digits > DP_MOST_DIGITS)
        own.digits = DP_MOST_DIGITS;
    w->x->late = w->x->late || own.max_seconds <= 0;
    if (w->x->late)
        return false;
    dp_compose_query q = *w->asked;
    q.list = list;
    dp_result r;
    dp_error err;
    dp_result_init(&r);
    bool ok = dp_compose(&r, &q, &own, &err) == DP_OK && r.guarantee < r.count;
    dp_row *row = ok ? &r.row[r.guarantee] : NULL;
    if (ok && epsilon != NULL)
        take(epsilon, figure_of(row, "epsilon"));
    if (ok && delta != NULL)
        take(delta, figure_of(row, "delta"));
    w->x->late = w->x->late || (r.met & DP_MET_TIME) != 0;
    dp_result_clear(&r);
    return ok;
}

/* The figure that the target leaves open. */
static bool ask_figure(work *w, dp_figure *to, const dp_composition *list)
{
    return ask(w, w->at_epsilon ? NULL : to, w->at_epsilon ? to : NULL, list);
}

static void enclose(mpfi_t to, const dp_figure *x)
{
    if (x->kind == DP_RATIONAL)
        mpfi_set_q(to, x->rational);
    else
        mpfi_set(to, x->enclosure);
}

/* all - without, and not below 0: no list costs more than one that it is part of. False where both
 * are infinite. */
static bool subtract(dp_figure *to, const dp_figure *all, const dp_figure *without)
{
    if (all->kind == DP_INFINITE && without->kind == DP_INFINITE)
        return false;
    if (all->kind == DP_INFINITE || without->kind == DP_INFINITE) {
        figure_set_infinite(to);
        return all->kind == DP_INFINITE;
    }
    if (all->kind == DP_RATIONAL && without->kind == DP_RATIONAL) {
        mpq_t q;
        mpq_init(q);
        mpq_sub(q, all->rational, without->rational);
        if (mpq_sgn(q) < 0)
            mpq_set_ui(q, 0, 1);
        figure_set_q(to, q);
        mpq_clear(q);
        return true;
    }
    mpfr_prec_t bits = 64 + (all->kind == DP_RATIONAL ? mpfi_get_prec(without->enclosure)
                                                      : mpfi_get_prec(all->enclosure));
    mpfi_t other;
    mpfi_init2(other, bits);
    mpfi_ptr difference = figure_enclose(to, bits);
    enclose(difference, all);
    enclose(other, without);
    mpfi_sub(difference, difference, other);
    ival_at_least_zero(difference);
    mpfi_clear(other);
    return true;
}

static bool same_text(const char *a, const char *b, const char *otherwise)
{
    return strcmp(a != NULL ? a : otherwise, b != NULL ? b : otherwise) == 0;
}

/* An earlier entry with the same pair and uses, which costs the same; its own place where there is
 * none. */
static size_t first_like(const work *w, size_t i)
{
    const item *it = &w->a->items[w->x->entry[i].item];
    for (size_t j = 0; j < i && !json_exists(it->source); j++) {
        const item *like = &w->a->items[w->x->entry[j].item];
        if (!json_exists(like->source) && same_text(it->epsilon, like->epsilon, "") &&
            same_text(it->delta, like->delta, "0") && same_text(it->times, like->times, "1"))
            return j;
    }
    return i;
}

static void copy_part(entry_cost *to, const entry_cost *from, size_t k)
{
    dp_figure *x = &to->part[k].figure;
    const dp_figure *y = &from->part[k].figure;
    to->has[k] = from->has[k];
    x->kind = y->kind;
    mpq_set(x->rational, y->rational);
    mpfi_set_prec(x->enclosure, mpfi_get_prec(y->enclosure));
    mpfi_set(x->enclosure, y->enclosure);
}

static dp_status find_cumulative(work *w)
{
    dp_composition list;
    dp_status status = DP_OK;
    dp_composition_init_under(&list, w->a->composition.adjacency);
    for (size_t i = 0; status == DP_OK && !w->x->late && i < w->x->count; i++) {
        entry_cost *e = &w->x->entry[i];
        status = known_append(&list, &w->alone[i], w->one);
        if (status == DP_OK)
            e->has[CUMULATIVE] = ask_figure(w, &e->part[CUMULATIVE].figure, &list);
    }
    dp_composition_clear(&list);
    return status;
}

static void find_own(work *w)
{
    for (size_t i = 0; !w->x->late && i < w->x->count; i++) {
        entry_cost *e = &w->x->entry[i];
        size_t like = first_like(w, i);
        if (like != i) {
            copy_part(e, &w->x->entry[like], OWN_EPSILON);
            copy_part(e, &w->x->entry[like], OWN_DELTA);
            w->x->late = args_time_left(w->a) <= 0;
            continue;
        }
        e->has[OWN_EPSILON] = e->has[OWN_DELTA] =
            ask(w, &e->part[OWN_EPSILON].figure, &e->part[OWN_DELTA].figure, &w->alone[i]);
    }
}

static dp_status find_marginal(work *w, size_t i)
{
    entry_cost *e = &w->x->entry[i], *last = &w->x->entry[w->x->count - 1];
    size_t like = first_like(w, i);
    if (like != i) {
        copy_part(e, &w->x->entry[like], MARGINAL);
        return DP_OK;
    }
    dp_composition others;
    dp_figure without;
    dp_status status = DP_OK;
    dp_composition_init_under(&others, w->a->composition.adjacency);
    dp_figure_init(&without);
    for (size_t j = 0; status == DP_OK && j < w->x->count; j++)
        if (j != i)
            status = known_append(&others, &w->alone[j], w->one);
    if (status == DP_OK)
        e->has[MARGINAL] =
            ask_figure(w, &without, &others) &&
            subtract(&e->part[MARGINAL].figure, &last->part[CUMULATIVE].figure, &without);
    dp_figure_clear(&without);
    dp_composition_clear(&others);
    return status;
}

static dp_status find_costs(work *w)
{
    find_own(w);
    dp_status status = find_cumulative(w);
    bool known = w->x->count > 0 && w->x->entry[w->x->count - 1].has[CUMULATIVE];
    for (size_t i = 0; known && status == DP_OK && !w->x->late && i < w->x->count; i++)
        status = find_marginal(w, i);
    return status;
}

/* Each entry as a list, in the relation and for the groups of the question. */
static dp_status enter_alone(work *w, size_t i)
{
    fault ignored;
    mpz_srcptr size = number_integer(args_number(w->a, "group-size"));
    dp_composition one;
    dp_composition_init_under(&one, w->a->composition.adjacency);
    dp_status status =
        args_enter_alone(w->a, &one, w->x->entry[i].item, &ignored)
            ? dp_composition_for_groups(&w->alone[i], &one, size != NULL ? size : w->one, NULL)
            : DP_MEMORY;
    dp_composition_clear(&one);
    return status;
}

static void start(by_entry *x, bool at_epsilon, const args *a)
{
    static const char *const names[2][COSTS] = {
        {"own_epsilon", "own_delta", "marginal_epsilon", "cumulative_epsilon"},
        {"own_epsilon", "own_delta", "marginal_delta", "cumulative_delta"}};
    for (size_t i = 0; i < a->item_count; i++) {
        if (!item_counts(&a->items[i]))
            continue;
        entry_cost *e = &x->entry[x->count++];
        e->item = i;
        for (size_t k = 0; k < COSTS; k++) {
            e->part[k] = (dp_quantity){.name = names[at_epsilon][k], .safe = DP_UPPER};
            dp_figure_init(&e->part[k].figure);
        }
    }
}

dp_status by_entry_find(by_entry *x, const dp_compose_query *asked, const dp_options *opt, args *a)
{
    work w = {.x = x,
              .asked = asked,
              .opt = opt,
              .a = a,
              .alone = memory_zero(a->item_count + 1, sizeof *w.alone),
              .at_epsilon = asked->target_epsilon != NULL};
    by_entry_clear(x);
    x->has = true;
    x->entry = memory_zero(a->item_count + 1, sizeof *x->entry);
    dp_status status = x->entry != NULL && w.alone != NULL ? DP_OK : DP_MEMORY;
    if (status == DP_OK)
        start(x, w.at_epsilon, a);
    mpz_init_set_ui(w.one, 1);
    for (size_t i = 0; i < x->count; i++)
        dp_composition_init_under(&w.alone[i], a->composition.adjacency);
    for (size_t i = 0; status == DP_OK && i < x->count; i++)
        status = enter_alone(&w, i);
    if (status == DP_OK)
        status = find_costs(&w);
    for (size_t i = 0; i < x->count; i++)
        dp_composition_clear(&w.alone[i]);
    mpz_clear(w.one);
    memory_free(w.alone);
    return status;
}
