/* SPDX-License-Identifier: MIT */
/* What a budget has left: the pairs spent, and the largest epsilon of one more pure release, by the
 * same certified decisions as every budget. */
#include "core/bound.h"
#include "core/result.h"
#include "core/uses.h"
#include "document/answer.h"
#include "loss/cells.h"
#include "num/decimal.h"
#include "num/number.h"

#include <string.h>

enum { SPENT_EPSILON, SPENT_DELTA, MORE };

void remaining_init(remaining *x)
{
    static const char *const names[] = {"spent_epsilon", "spent_delta", "epsilon"};
    x->has = x->nothing = x->counted = false;
    x->count = 0;
    x->times = (dp_quantity){.name = "times", .is_solved = true, .safe = DP_LOWER};
    dp_figure_init(&x->times.figure);
    for (size_t i = 0; i < 3; i++) {
        x->part[i] = (dp_quantity){
            .name = names[i], .is_solved = i == MORE, .safe = i == MORE ? DP_LOWER : DP_UPPER};
        dp_figure_init(&x->part[i].figure);
    }
    dp_figure_init(&x->next);
}

void remaining_clear(remaining *x)
{
    for (size_t i = 0; i < 3; i++)
        dp_figure_clear(&x->part[i].figure);
    dp_figure_clear(&x->times.figure);
    dp_figure_clear(&x->next);
}

static void take(dp_figure *to, dp_figure *from)
{
    dp_figure held = *to;
    *to = *from;
    *from = held;
}

/* The figure of that name; false where there is none in the time that is left. */
static bool ask(dp_figure *to, dp_decision *holds, const char *name, const dp_compose_query *q,
                const dp_options *opt, const args *a)
{
    dp_options own = *opt;
    dp_result r;
    dp_error err;
    double left = args_time_left(a);
    if (left <= 0)
        return false;
    own.max_seconds = left;
    own.all = false;
    dp_result_init(&r);
    bool ok = dp_compose(&r, q, &own, &err) == DP_OK && r.guarantee < r.count;
    *holds = r.check.holds;
    dp_row *row = ok ? &r.row[r.guarantee] : NULL;
    size_t i = 0;
    while (ok && i < row->count && strcmp(row->quantity[i].name, name) != 0)
        i++;
    ok = ok && i < row->count;
    if (ok)
        take(to, &row->quantity[i].figure);
    dp_result_clear(&r);
    return ok;
}

/* What is spent at the budget's delta and epsilon; nothing by an empty list. */
static void find_spent(remaining *x, const dp_check *budget, const dp_composition *list,
                       const dp_options *opt, const args *a)
{
    dp_options own = *opt;
    dp_decision ignored;
    dp_compose_query at_delta = {.list = list, .target_delta = &budget->max_delta};
    dp_compose_query at_epsilon = {.list = list, .target_epsilon = &budget->max_epsilon};
    own.max_epsilon = own.max_delta = NULL;
    bool empty = list_is_empty(list);
    for (size_t i = 0; i < 2 && empty; i++)
        figure_set_ui(&x->part[i].figure, 0);
    bool both =
        empty || (ask(&x->part[SPENT_EPSILON].figure, &ignored, "epsilon", &at_delta, &own, a) &&
                  ask(&x->part[SPENT_DELTA].figure, &ignored, "delta", &at_epsilon, &own, a));
    x->count = both ? 2 : 0;
}

/* One unit of the last digit more. */
static bool step_up(dp_figure *next, const dp_figure *x, size_t digits)
{
    dec d;
    mpq_t unit;
    dec_init(&d);
    mpq_init(unit);
    bool ok = x->kind == DP_RATIONAL && mpq_sgn(x->rational) > 0 &&
              dec_set_q(&d, x->rational, DP_LOWER, digits);
    long power = ok ? d.point - (long)digits : 0;
    if (ok) {
        mpz_ui_pow_ui(mpq_numref(unit), 10, (unsigned long)(power < 0 ? -power : power));
        if (power < 0)
            mpq_inv(unit, unit);
        mpq_add(unit, unit, x->rational);
        figure_set_q(next, unit);
    }
    mpq_clear(unit);
    dec_clear(&d);
    return ok;
}

/* Is it proved that the list with one release of that epsilon more is not within the budget? */
static dp_decision check_next(const dp_figure *next, const dp_composition *list,
                              const dp_options *opt, const args *a)
{
    dp_composition copy;
    dp_number epsilon;
    mpq_t none;
    mpz_t one;
    dp_figure ignored;
    dp_decision holds = DP_UNKNOWN;
    dp_options own = *opt;
    own.digits = 2;
    dp_composition_init_under(&copy, list->adjacency);
    dp_number_init(&epsilon);
    mpq_init(none);
    mpz_init_set_ui(one, 1);
    dp_figure_init(&ignored);
    number_set_q(&epsilon, next->rational);
    dp_compose_query q = {.list = &copy};
    if (known_append(&copy, list, one) == DP_OK &&
        dp_composition_add(&copy, &epsilon, none, one, NULL) == DP_OK)
        ask(&ignored, &holds, "epsilon", &q, &own, a);
    dp_figure_clear(&ignored);
    mpz_clear(one);
    mpq_clear(none);
    dp_number_clear(&epsilon);
    dp_composition_clear(&copy);
    return holds;
}

/* The row is of one use more, its number of uses of what is left. */
static void take_times(remaining *x, dp_result *r)
{
    dp_figure *times = r->guarantee < r->count ? row_figure(&r->row[r->guarantee], "times") : NULL;
    x->counted = times != NULL;
    if (times == NULL)
        return;
    take(&x->times.figure, times);
    row_drop(&r->row[r->guarantee], "times");
}

void remaining_find(remaining *x, dp_result *r, const dp_compose_query *asked,
                    const dp_options *opt, const args *a)
{
    const dp_check *budget = &r->check;
    mpz_t one;
    dp_decision holds;
    mpz_init_set_ui(one, 1);
    dp_compose_query more = {.list = asked->list, .solve = DP_SOLVE_EPSILON, .uses = one};
    x->has = true;
    x->nothing = x->counted = false;
    if (asked->solve == DP_SOLVE_NOTHING)
        take_times(x, r);
    x->next_fits = DP_UNKNOWN;
    find_spent(x, budget, asked->list, opt, a);
    bool found = x->count == 2 && mpq_cmp_ui(number_rational(&budget->max_delta), 1, 1) < 0 &&
                 ask(&x->part[MORE].figure, &holds, "use_epsilon", &more, opt, a);
    if (found && holds == DP_YES) {
        x->count = 3;
        if (step_up(&x->next, &x->part[MORE].figure, opt->digits))
            x->next_fits = check_next(&x->next, asked->list, opt, a);
        else
            figure_set_ui(&x->next, 0);
    }
    x->nothing = found && holds == DP_NO;
    mpz_clear(one);
}
