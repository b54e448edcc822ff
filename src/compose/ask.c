/* SPDX-License-Identifier: MIT */
/* Questions about a composition: targets, methods, curves. */
#include "compose/optimal.h"

#include <string.h>

#include "compose/cells.h"
#include "compose/pairs.h"
#include "compose/parameters.h"
#include "core/door.h"
#include "num/decimal.h"
#include "num/ival.h"
#include "num/number.h"

static dp_status parameters(const dp_compose_query *q, dp_error *err)
{
    const given all[] = {
        {&compose_target_epsilon, .number = q->target_epsilon},
        {&compose_target_delta, .number = q->target_delta},
        {&compose_slack, .number = q->slack},
        {&item_epsilon, "claim_epsilon", .number = q->claim_epsilon},
        {&item_delta, "claim_delta", .number = q->claim_delta},
        {&item_epsilon, "add", .number = q->add != NULL ? &q->add->epsilon : NULL},
        {&item_delta, "add", .q = q->add != NULL ? q->add->delta : NULL},
        {&compose_uses, .z = q->uses},
        {&compose_use_delta, .number = q->use_delta},
    };
    dp_status status = door_cells("list", q->list, err);
    if (status == DP_OK && q->added != NULL)
        status = door_list("added", q->added, err);
    if (status == DP_OK)
        status = door_choice(&compose_method, (int)q->method, err);
    if (status == DP_OK)
        status = door_enum("solve", (int)q->solve, DP_SOLVE_PARAMETER, err);
    return status == DP_OK ? DOOR_GIVEN(all, err) : status;
}

/* Parameters that depend on earlier outputs: what the filter is not about is refused. */
static dp_status validate_adaptive(const dp_compose_query *q, dp_error *err)
{
    if (!q->adaptive)
        return DP_OK;
    if (q->method != DP_COMPOSE_FILTER)
        return fail(err, DP_UNAVAILABLE, "method",
                    "must be filter where parameters depend on earlier outputs: the other theorems "
                    "are about parameters fixed in advance (see theorem filter-optimal); the "
                    "command filter has sharper filters");
    if (q->claim_epsilon != NULL || q->add != NULL || q->added != NULL ||
        q->solve != DP_SOLVE_NOTHING)
        return fail(err, DP_UNAVAILABLE, "adaptive",
                    "excludes claim, add and solve, which the optimum decides; ask with a budget");
    if (uses_count(q->list) > 0)
        return fail(err, DP_UNAVAILABLE, "adaptive",
                    "is not covered for mechanisms of other types or for groups: the filter is "
                    "about (epsilon, delta) alone");
    return DP_OK;
}

static dp_status validate(const dp_compose_query *q, const dp_options *opt, dp_error *err)
{
    dp_status status = parameters(q, err);
    if (status != DP_OK)
        return status;
    if ((status = validate_adaptive(q, err)) != DP_OK)
        return status;
    bool budget = q->add != NULL || q->added != NULL || q->solve != DP_SOLVE_NOTHING;
    if (q->list->cells != NULL && q->solve == DP_SOLVE_PARAMETER)
        status = door_list("list", q->list, err); /* which refuses it */
    if (status != DP_OK)
        return status;
    bool target = q->target_epsilon != NULL || q->target_delta != NULL;
    if (list_is_empty(q->list) && !budget)
        return fail(err, DP_DOMAIN, "mechanism", "is missing; give at least one mechanism");
    if (q->target_epsilon != NULL && q->target_delta != NULL)
        return fail(err, DP_DOMAIN, "target_epsilon", "excludes target_delta; give one of them");
    if (q->claim_epsilon != NULL && target)
        return fail(err, DP_DOMAIN, "claim", "excludes a target; the claim names both figures");
    if ((q->claim_epsilon == NULL) != (q->claim_delta == NULL))
        return fail(err, DP_DOMAIN, "claim", "names both figures; one of them is missing");
    if (q->claim_epsilon != NULL && (budget || opt->max_epsilon != NULL || opt->max_delta != NULL))
        return fail(err, DP_DOMAIN, "claim", "excludes a budget; ask for one of them");
    if (q->solve == DP_SOLVE_PARAMETER)
        return calibrate_domain(q, opt, err);
    return budget ? budget_domain(q, opt, err) : DP_OK;
}

/* Is there time for a closed form? It looks at every item, for about this long; what takes no time
 * is always shown. */
#define ITEM_SECONDS 1.2e-5
static bool has_time(const composing *c)
{
    return limits_time_for(&c->limits, ITEM_SECONDS * (double)(c->list.losses + c->list.leaks));
}

/* Every closed form that the method and --all ask for, the basic one always; of adaptive parameters
 * that of the method alone. */
static dp_status closed_forms(composing *c, dp_compose_method method, bool adaptive)
{
    curve_in curves;
    bool left_out = false;
    dp_status status = curves_init(&curves, c->items, &c->list, &c->sides, c->in.target_epsilon,
                                   c->in.target_delta);
    curves.lim = &c->limits;
    const void *in = c->general ? (const void *)&curves : &c->in;
    bool rivals = (c->general && !c->sides.complete) || pairs_have_rivals(c);
    for (const bound *const *row = compose_rows; status == DP_OK && *row != NULL; row++) {
        const bound *b = *row;
        bool named = (b->methods >> method & 1) != 0 || rivals;
        if (!(named || c->opt->all || b == &compose_basic) || b->eval == NULL ||
            b->of_mechanisms != c->general || (adaptive && !named) ||
            (!named && b == &compose_renyi && pairs_are_steps(c)) || /* it has its own */
            strcmp(b->theorem.family, "compose") != 0)
            continue;
        if (!named && b != &compose_basic && !has_time(c))
            left_out = true;
        else if (b->applies == NULL || b->applies(in))
            status = result_evaluate(c->out, b, in, c->opt);
    }
    curves_clear(&curves);
    if (left_out)
        result_warn(c->out, "the time limit was met: some bounds are left out; raise it");
    return status;
}

/* A theorem is the first member of its bound. */
static const bound *bound_of(const dp_row *row)
{
    return (const bound *)row->theorem;
}

/* Proved: the row's pair is within the target. */
static bool meets_target(const composing *c, const dp_row *row)
{
    if (row->verdict == DP_UNSOUND)
        return false;
    if (c->in.target_delta != NULL)
        return dp_figure_le(row_figure(row, "delta"), c->in.target_delta) == DP_YES;
    if (c->in.target_epsilon == NULL)
        return true;
    const bound *b = bound_of(row);
    if (b->end_point)
        return composing_beyond(c, &c->at) == DP_YES;
    if (c->in.slack == NULL || b == &compose_optimal || b == &compose_pairs ||
        strcmp(b->theorem.family, "compose") != 0)
        return true; /* evaluated at the target itself */
    return c->at.count == 0 && dp_figure_le(row_figure(row, "epsilon"), c->at.rational) == DP_YES;
}

/* As printed: what the digits do not tell apart is equal. */
static bool prints_less(const dp_figure *a, const dp_figure *b, size_t digits)
{
    dec x, y;
    dec_init(&x);
    dec_init(&y);
    bool less = dec_set_figure(&x, a, DP_UPPER, digits) &&
                dec_set_figure(&y, b, DP_UPPER, digits) && dec_cmp(&x, &y) < 0;
    dec_clear(&y);
    dec_clear(&x);
    return less;
}

static bool is_before(const composing *c, const dp_row *a, const dp_row *b)
{
    bool sound_a = a->verdict != DP_UNSOUND, sound_b = b->verdict != DP_UNSOUND;
    if (sound_a != sound_b)
        return sound_a;
    bool meets_a = meets_target(c, a), meets_b = meets_target(c, b);
    if (meets_a != meets_b)
        return meets_a;
    const char *name = c->in.target_epsilon != NULL ? "delta" : "epsilon";
    const dp_figure *x = row_figure(a, name), *y = row_figure(b, name);
    return bound_of(a)->end_point && !bound_of(b)->end_point /* the answer is for the target */
               ? prints_less(x, y, c->opt->digits)
               : figure_compare_upper(x, y) < 0;
}

/* Strongest first; the registry's order, which has the optimum first, among equals. */
static void sort_rows(const composing *c)
{
    dp_result *r = c->out;
    for (size_t i = 1; i < r->count; i++)
        for (size_t j = i; j > 0 && is_before(c, &r->row[j], &r->row[j - 1]); j--) {
            dp_row swap = r->row[j];
            r->row[j] = r->row[j - 1];
            r->row[j - 1] = swap;
        }
}

/* The budget is kept where the row is within it; a bound refutes nothing. */
static void check_by_row(composing *c, const dp_row *row)
{
    const dp_check *check = &c->out->check;
    const dp_figure *epsilon = row_figure(row, "epsilon"), *delta = row_figure(row, "delta");
    mpfi_t most;
    mpfi_init2(most, 256);
    ival_set_number(most, &check->max_epsilon);
    bool holds = dp_figure_le(delta, number_rational(&check->max_delta)) == DP_YES;
    if (number_rational(&check->max_epsilon) != NULL)
        holds = holds && dp_figure_le(epsilon, number_rational(&check->max_epsilon)) == DP_YES;
    else if (epsilon->kind == DP_RATIONAL)
        holds = holds && mpfr_cmp_q(&most->left, epsilon->rational) >= 0;
    else
        holds = holds && epsilon->kind == DP_ENCLOSED &&
                mpfr_lessequal_p(&epsilon->enclosure->right, &most->left);
    mpfi_clear(most);
    result_decide(c->out, holds ? DP_YES : DP_UNKNOWN, holds ? 0 : DP_MET_BOUND);
}

static dp_status answer(composing *c, const dp_compose_query *q, dp_error *err)
{
    dp_status status = DP_OK;
    bool best = (q->method == DP_COMPOSE_OPTIMAL || c->opt->all) && !q->adaptive;
    const bound *first = c->general ? pairs_bound(c) : &compose_optimal;
    if (best && !(c->general && !c->sides.complete))
        status = first->engine(c->out, c, c->opt);
    if (status == DP_UNAVAILABLE)
        return fail(err, status, "target_delta",
                    "is missing: losses without bound have no finite epsilon of their own; give "
                    "target_delta or target_epsilon");
    if (status == DP_OK)
        status = closed_forms(c, q->method, q->adaptive);
    bool wide = c->out->warnings > 0;
    if (status == DP_OK && c->general && (c->opt->all || wide))
        status = pairs_others(c, c->in.target_epsilon, c->in.target_delta);
    if (status == DP_OK && wide && best && pairs_are_steps(c))
        dp_sgd_pld_narrow(c);
    if (status != DP_OK)
        return result_fail(c->out, err, status);
    sort_rows(c);
    c->out->guarantee = c->out->count > 0 && meets_target(c, &c->out->row[0]) ? 0 : c->out->count;
    bool none = c->out->guarantee == c->out->count;
    bool curves = q->method == DP_COMPOSE_OPTIMAL || q->method == DP_COMPOSE_ZCDP ||
                  q->method == DP_COMPOSE_RDP;
    if (none && c->general && curves && q->target_epsilon == NULL && q->target_delta == NULL)
        return fail(err, DP_UNAVAILABLE, "target_delta",
                    "is missing: what is known of this list by curves alone gives no epsilon "
                    "without a delta; give target_delta or target_epsilon");
    if (none && c->general)
        return fail(err, DP_UNAVAILABLE, "method",
                    "gives no guarantee for this list and target: optimal needs a pair of every "
                    "mechanism, zcdp and rdp a curve and a target; the others are about lists of "
                    "(epsilon, delta) alone");
    if (none)
        return fail(err, DP_UNAVAILABLE, "method",
                    "gives no guarantee for this target: it needs a slack between 0 and 1 beyond "
                    "the deltas of the mechanisms");
    if (c->out->check.asked && q->adaptive)
        check_by_row(c, &c->out->row[0]);
    else if (c->out->check.asked)
        composing_check(c);
    return DP_OK;
}

/* The least number of plus signs with (2 j - k) eps > x: the refuting set of equal items. */
static void add_witness(composing *c)
{
    if (c->list.losses != 1 || c->list.certain_leak)
        return;
    const composed_loss *l = &c->list.loss[0];
    mpfi_t x, eps;
    mpz_t j;
    mpfi_init2(x, 128 + (mpfr_prec_t)mpz_sizeinbase(l->times, 2));
    mpfi_init2(eps, mpfi_get_prec(x));
    mpz_init(j);
    logform_enclose(x, &c->at);
    ival_set_number(eps, &l->epsilon);
    mpfi_div(x, x, eps);
    mpfi_add_z(x, x, l->times);
    mpfi_div_2ui(x, x, 1);
    mpfr_get_z(j, &x->right, MPFR_RNDD); /* at a tie (2j - k) eps = x is not in the set */
    mpz_add_ui(j, j, 1);
    if (mpz_cmp(j, l->times) <= 0) {
        dp_row *row = &c->out->row[0];
        dp_figure *count = row_quantity(row, "witness_plus");
        count->kind = DP_RATIONAL;
        mpq_set_z(count->rational, j);
    }
    mpz_clear(j);
    mpfi_clear(eps);
    mpfi_clear(x);
}

static dp_status audit(composing *c, const dp_compose_query *q, dp_error *err)
{
    dp_check *check = &c->out->check;
    dp_number_set(&check->max_epsilon, q->claim_epsilon);
    dp_number_set(&check->max_delta, q->claim_delta);
    check->asked = check->is_claim = true;
    dp_status status = composing_at_epsilon(c, &c->at);
    if (status == DP_OK)
        status = composing_at_delta(c, number_rational(q->claim_delta));
    if (status != DP_OK)
        return result_fail(c->out, err, status);
    composing_check(c);
    if (check->holds == DP_NO && c->general) {
        result_note(c->out, "refuted in one direction by what the mechanisms spend at least");
    } else if (check->holds == DP_NO && !composed_is_attained(&c->list)) {
        result_note(c->out, "refuted by what such mechanisms are known to spend at least");
    } else if (check->holds == DP_NO) {
        add_witness(c);
        result_note(
            c->out,
            "refuted by the mechanisms that leak with probability delta_i and else answer "
            "a yes-or-no question about the record truthfully with odds e^epsilon_i, and by "
            "the set of outcomes in which one leaks or the epsilons of the truthful-looking "
            "answers exceed those of the others by more than the claimed epsilon: its "
            "probability on one data set exceeds e^epsilon times that on the neighbour by "
            "the delta of the first row");
    }
    return DP_OK;
}

/* Where no end point is finite a budget that is asked about is the target: its epsilon, or, where
 * only its delta is given, that. */
static dp_compose_query with_target(const composing *c, const dp_compose_query *q,
                                    const dp_options *opt)
{
    dp_compose_query own = *q;
    if (q->adaptive && q->target_epsilon == NULL && q->target_delta == NULL)
        own.target_delta = opt->max_delta;
    if (!c->general || q->claim_epsilon != NULL || q->target_epsilon != NULL ||
        q->target_delta != NULL || (c->sides.complete && sides_bounded(&c->sides)))
        return own;
    own.target_epsilon = opt->max_epsilon;
    own.target_delta = opt->max_epsilon == NULL ? opt->max_delta : NULL;
    return own;
}

static dp_status set_targets(composing *c, const dp_compose_query *q)
{
    const dp_number *x = q->claim_epsilon != NULL ? q->claim_epsilon : q->target_epsilon;
    bool ok = x == NULL || logform_add_number(&c->at, NULL, x);
    c->in.target_epsilon = q->target_epsilon != NULL ? &c->at : NULL;
    c->in.target_delta = number_rational(q->target_delta);
    c->in.slack = number_rational(q->slack);
    c->choice[0].made = c->choice[1].made = false;
    return ok ? DP_OK : DP_MEMORY;
}

/* The same question about the list without cells of one choice. */
static dp_status ask_list(dp_result *out, const dp_composition *list, const void *in,
                          const dp_options *opt, dp_error *err)
{
    dp_compose_query q = *(const dp_compose_query *)in;
    q.list = list;
    return dp_compose(out, &q, opt, err);
}

static dp_status answer_cells(dp_result *out, const dp_compose_query *q, const dp_options *opt,
                              dp_error *err)
{
    bool claim = q->claim_epsilon != NULL;
    if (claim) {
        dp_number_set(&out->check.max_epsilon, q->claim_epsilon);
        dp_number_set(&out->check.max_delta, q->claim_delta);
        out->check.asked = out->check.is_claim = true;
    }
    cells_asked asked = {.list = q->list, .ask = ask_list, .in = q, .every_row = claim, .err = err};
    dp_status status = cells_answer(out, &asked, opt);
    if (claim)
        out->guarantee = 0;
    return status;
}

/* Basic composition alone, with nothing to be decided. */
static bool is_closed(const dp_compose_query *q, const dp_options *opt)
{
    return q->method == DP_COMPOSE_BASIC && !opt->all && q->target_epsilon == NULL &&
           q->claim_epsilon == NULL && opt->max_epsilon == NULL && opt->max_delta == NULL;
}

dp_status dp_compose(dp_result *out, const dp_compose_query *q, const dp_options *opt,
                     dp_error *err)
{
    dp_options own;
    dp_status status = door_open(&own, out, "query", q, opt, err);
    opt = &own;
    if (status == DP_OK)
        status = validate(q, opt, err);
    if (status != DP_OK)
        return status;
    result_start(out);
    out->adjacency = dp_relation_text(q->list->adjacency);
    result_check_start(out, opt, q->target_epsilon, q->target_delta);
    bool budget = q->add != NULL || q->added != NULL || q->solve == DP_SOLVE_TIMES ||
                  q->solve == DP_SOLVE_EPSILON;
    if (q->list->cells != NULL)
        return result_end(
            out, budget ? cells_budget(out, q, ask_list, opt, err) : answer_cells(out, q, opt, err),
            err);
    if (q->solve == DP_SOLVE_PARAMETER)
        return result_end(out, calibrate_answer(out, q, opt, err), err);
    if (budget)
        return result_end(out, budget_answer(out, q, opt, err), err);
    composing c;
    status = is_closed(q, opt) ? composing_init_closed(&c, q->list, opt, out)
                               : composing_init(&c, q->list, opt, out);
    dp_compose_query own_query = with_target(&c, q, opt);
    if (status == DP_OK)
        status = set_targets(&c, &own_query);
    if (status == DP_OK)
        status = q->claim_epsilon != NULL ? audit(&c, q, err) : answer(&c, &own_query, err);
    composing_clear(&c);
    return result_end(out, status, err);
}

static dp_status validate_curve(const dp_composition *list, const dp_number *epsilon,
                                const dp_number *delta, size_t count, dp_error *err)
{
    dp_status status = door_cells("list", list, err);
    if (status == DP_OK && list_is_empty(list))
        status = fail(err, DP_DOMAIN, "mechanism", "is missing; give at least one mechanism");
    if (status == DP_OK && count > 0 && delta == NULL)
        status = door_pointer("epsilon", epsilon, err);
    for (size_t i = 0; status == DP_OK && i < count; i++) {
        const given all[] = {
            {&item_delta, .number = delta != NULL ? &delta[i] : NULL},
            {&item_epsilon, .number = delta == NULL ? &epsilon[i] : NULL},
        };
        status = DOOR_GIVEN(all, err);
    }
    return status;
}

typedef struct curve_points {
    const dp_number *epsilon, *delta;
    size_t count;
} curve_points;

static dp_status ask_points(dp_result *out, const dp_composition *list, const void *in,
                            const dp_options *opt, dp_error *err)
{
    const curve_points *p = in;
    return dp_compose_curve(out, list, p->epsilon, p->delta, p->count, opt, err);
}

dp_status dp_compose_curve(dp_result *out, const dp_composition *list, const dp_number *epsilon,
                           const dp_number *delta, size_t count, const dp_options *opt,
                           dp_error *err)
{
    dp_options own;
    dp_status status = door_open(&own, out, "list", list, opt, err);
    opt = &own;
    if (status == DP_OK)
        status = validate_curve(list, epsilon, delta, count, err);
    if (status != DP_OK)
        return status;
    result_start(out);
    out->adjacency = dp_relation_text(list->adjacency);
    result_check_start(out, opt, NULL, NULL);
    if (list->cells != NULL) {
        curve_points points = {epsilon, delta, count};
        cells_asked asked = {
            .list = list, .ask = ask_points, .in = &points, .every_row = true, .err = err};
        return result_end(out, cells_answer(out, &asked, opt), err);
    }
    composing c;
    status = composing_init(&c, list, opt, out);
    for (size_t i = 0; status == DP_OK && i < count; i++) {
        if (delta != NULL) {
            status = composing_at_delta(&c, number_rational(&delta[i]));
            continue;
        }
        logform_clear(&c.at);
        logform_init(&c.at);
        status = logform_add_number(&c.at, NULL, &epsilon[i]) ? composing_at_epsilon(&c, &c.at)
                                                              : DP_MEMORY;
    }
    out->guarantee = out->count; /* a curve has no single guarantee */
    if (status == DP_OK && out->check.asked)
        composing_check(&c);
    composing_clear(&c);
    return result_end(out, status, err);
}
