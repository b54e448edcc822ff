/* SPDX-License-Identifier: MIT */
/* What still fits a budget beside groups of disjoint data: a record may be in any cell, so that
 * what fits is the least over the choices of cells, and the row is that of the list with it. */
#include "compose/cells.h"
#include "core/result.h"
#include "core/uses.h"
#include "loss/cells.h"
#include "num/limits.h"
#include "num/number.h"

/* copy = the list and so many uses of what is added, or of the solved epsilon */
static dp_status extend(dp_composition *copy, const dp_compose_query *q, const dp_figure *solved,
                        const mpz_t times)
{
    dp_number epsilon;
    mpq_t delta;
    mpz_t one;
    mpz_init_set_ui(one, 1);
    dp_number_init(&epsilon);
    mpq_init(delta);
    dp_status status = known_append(copy, q->list, one);
    if (q->solve == DP_SOLVE_EPSILON) {
        number_set_q(&epsilon, solved->rational);
        if (q->use_delta != NULL)
            mpq_set(delta, number_rational(q->use_delta));
    } else if (q->add != NULL) {
        dp_number_set(&epsilon, &q->add->epsilon);
        mpq_set(delta, q->add->delta);
    }
    if (status == DP_OK)
        status = q->added != NULL ? known_append(copy, q->added, times)
                                  : dp_composition_add(copy, &epsilon, delta, times, NULL);
    mpq_clear(delta);
    dp_number_clear(&epsilon);
    mpz_clear(one);
    return status;
}

/* The row of the list with what fits, or with one where none does or where that is what was asked,
 * at the budget's epsilon. */
static dp_status show(dp_result *out, const dp_compose_query *q, const dp_figure *solved,
                      cells_ask ask, const dp_options *opt, dp_error *err)
{
    dp_composition copy;
    mpz_t times;
    dp_options own = *opt;
    dp_decision holds = out->check.holds;
    const char *why = out->check.why;
    dp_compose_query at = {.target_epsilon = &out->check.max_epsilon};
    own.max_epsilon = own.max_delta = NULL;
    own.all = false;
    mpz_init_set_ui(times, 1);
    if (q->solve == DP_SOLVE_EPSILON)
        mpz_set(times, q->uses);
    else if (q->solve == DP_SOLVE_TIMES && solved->kind == DP_RATIONAL &&
             mpq_sgn(solved->rational) > 0)
        mpz_set_q(times, solved->rational);
    dp_composition_init_under(&copy, q->list->adjacency);
    dp_status status = extend(&copy, q, solved, times);
    cells_asked asked = {.list = &copy, .ask = ask, .in = &at, .err = err};
    if (status == DP_OK)
        status = cells_answer(out, &asked, &own);
    out->check.holds = holds;
    out->check.why = why;
    dp_composition_clear(&copy);
    mpz_clear(times);
    return status;
}

dp_status cells_budget(dp_result *out, const dp_compose_query *q, cells_ask ask,
                       const dp_options *opt, dp_error *err)
{
    dp_figure least;
    dp_options own = *opt;
    limits_share(&own);
    dp_figure_init(&least);
    cells_asked asked = {q->list, ask, q,
                         false,   err, q->solve == DP_SOLVE_EPSILON ? "use_epsilon" : "times",
                         &least};
    dp_status status = cells_least(out, &asked, &own);
    if (status == DP_OK)
        status = show(out, q, &least, ask, &own, err);
    dp_figure *to = status == DP_OK ? row_quantity(&out->row[0], asked.solved) : NULL;
    if (to != NULL && least.kind == DP_INFINITE)
        figure_set_infinite(to);
    else if (to != NULL)
        figure_set_q(to, least.rational);
    if (to != NULL && least.kind == DP_INFINITE && q->solve == DP_SOLVE_TIMES &&
        mpq_cmp_ui(number_rational(&out->check.max_delta), 1, 1) >= 0) /* of any number of uses */
        figure_set_ui(row_figure(&out->row[0], "delta"), 1);
    dp_figure_clear(&least);
    return status;
}
