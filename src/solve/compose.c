/* SPDX-License-Identifier: MIT */
#include "bound/compose.h"

#include <string.h>

#include "num/ival.h"
#include "solve/optimal.h"
#include "solve/refine.h"
#include "solve/result.h"

/* One query, prepared. */
typedef struct composing {
    composed list;
    engine engine;
    limits limits;
    logform at; /* the target epsilon */
    compose_in in;
    const dp_compose_query *query;
    const dp_options *opt;
    dp_result *out;
} composing;

static dp_status validate(const dp_compose_query *q, dp_error *err)
{
    if (q->list->count == 0)
        return fail(err, DP_DOMAIN, "mechanism", "is missing; give at least one mechanism");
    if (q->target_epsilon != NULL && q->target_delta != NULL)
        return fail(err, DP_DOMAIN, "target_epsilon", "excludes target_delta; give one of them");
    return DP_OK;
}

static dp_status prepare(composing *c)
{
    const dp_compose_query *q = c->query;
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    logform_init(&c->at);
    dp_status status = composed_init(&c->list, q->list);
    dp_status ready = engine_init(&c->engine, &c->list);
    status = status == DP_OK ? ready : status;
    limits_start(&c->limits, c->opt);
    if (q->target_epsilon != NULL && !logform_add_number(&c->at, one, q->target_epsilon))
        status = DP_MEMORY;
    c->in = (compose_in){&c->list, q->target_epsilon != NULL ? &c->at : NULL,
                         q->target_delta != NULL ? q->target_delta->value : NULL,
                         q->slack != NULL ? q->slack->value : NULL};
    mpq_clear(one);
    return status;
}

static void release(composing *c)
{
    engine_clear(&c->engine);
    composed_clear(&c->list);
    logform_clear(&c->at);
}

/* Is x >= sum of epsilon? Undecided counts as no: the profile is then evaluated, soundly. */
static bool beyond_total(const composed *list, const logform *x)
{
    logform gap;
    mpq_t c;
    int sign = 1;
    logform_init(&gap);
    mpq_init(c);
    mpq_set_ui(c, 1, 1);
    bool ok = logform_add_form(&gap, c, &list->total);
    mpq_set_si(c, -1, 1);
    ok = ok && logform_add_form(&gap, c, x) && logform_sign(&sign, &gap, 1L << 16);
    mpq_clear(c);
    logform_clear(&gap);
    return ok && sign <= 0;
}

static void set_loss(dp_figure *f, const logform *x, size_t digits)
{
    if (x->count == 0)
        figure_set_q(f, x->rational);
    else
        logform_enclose(figure_enclose(f, refine_bits(digits) + 16), x);
}

/* A limit leaves a wider enclosure, which is shown as it is. */
static dp_status limited(composing *c, dp_status status)
{
    if (status != DP_LIMIT)
        return status;
    result_warn(c->out, "a limit was met before all asked digits of the optimum were proved; the "
                        "enclosure is shown as it is");
    return DP_OK;
}

/* Row figures of the optimum at a target delta. */
static dp_status optimal_at_delta(composing *c, dp_figure *epsilon, dp_figure *delta)
{
    mpq_srcptr target = c->in.target_delta;
    int sign;
    figure_set_q(delta, target);
    if (mpq_cmp_ui(target, 1, 1) >= 0) {
        figure_set_ui(epsilon, 0);
        return DP_OK;
    }
    if (!composed_compare_leak(&sign, &c->list, target)) {
        result_warn(c->out, "the target delta could not be told from the probability of a leak; "
                            "epsilon is reported as infinite");
        sign = 1;
    }
    if (sign > 0) {
        figure_set_infinite(epsilon);
        result_note(c->out, "no epsilon is finite: the target delta is below the probability "
                            "1 - prod(1-delta_i) that some mechanism leaks");
        return DP_OK;
    }
    if (sign == 0 || c->list.losses == 0) {
        set_loss(epsilon, &c->list.total, c->opt->digits);
        return DP_OK;
    }
    return limited(c, optimal_epsilon(epsilon, &c->engine, target, c->opt->digits, &c->limits));
}

static dp_status optimal_row(composing *c)
{
    dp_row *row = result_row(c->out, &compose_optimal);
    if (row == NULL)
        return DP_MEMORY;
    dp_figure *epsilon = row_quantity(row, "epsilon"), *delta = row_quantity(row, "delta");
    if (c->in.target_delta != NULL)
        return optimal_at_delta(c, epsilon, delta);
    const logform *x = c->in.target_epsilon != NULL ? &c->at : &c->list.total;
    set_loss(epsilon, x, c->opt->digits);
    bool beyond = x == &c->list.total || beyond_total(&c->list, x);
    return limited(c, optimal_delta(delta, &c->engine, x, beyond, c->opt->digits, &c->limits));
}

static const char *method_prefix(dp_compose_method method)
{
    switch (method) {
    case DP_COMPOSE_BASIC:
        return "compose-basic";
    case DP_COMPOSE_ADVANCED:
        return "compose-advanced";
    case DP_COMPOSE_KOV:
        return "compose-kov";
    case DP_COMPOSE_OPTIMAL:
        break;
    }
    return "compose-";
}

/* Every closed form that the method and --all ask for, the basic one always. */
static dp_status closed_forms(composing *c, bool all)
{
    dp_status status = DP_OK;
    const char *prefix = method_prefix(c->query->method);
    bool by_name = c->query->method != DP_COMPOSE_OPTIMAL;
    for (size_t i = 0; status == DP_OK && i < registry_count; i++) {
        const bound *b = registry[i];
        bool named = by_name && strncmp(b->theorem.id, prefix, strlen(prefix)) == 0;
        if (strcmp(b->theorem.family, "compose") != 0 || b->eval == NULL ||
            !(named || all || b == &compose_basic) || (b->applies != NULL && !b->applies(&c->in)))
            continue;
        status = result_evaluate(c->out, b, &c->in, c->opt);
    }
    return status;
}

/* Proved: the row's pair is within the target. Equal ends of target figures count as within. */
static bool meets_target(const composing *c, const dp_row *row)
{
    if (row->theorem->verdict == DP_UNSOUND)
        return false;
    if (c->in.target_delta != NULL)
        return dp_figure_le(row_figure(row, "delta"), c->in.target_delta) == DP_YES;
    if (c->in.target_epsilon == NULL || row->theorem == &compose_optimal.theorem)
        return true;
    const dp_figure *epsilon = row_figure(row, "epsilon");
    if (c->in.slack == NULL && row->theorem->id != compose_basic.theorem.id &&
        row->theorem->id != compose_basic_sum.theorem.id &&
        row->theorem->id != compose_kov_sum.theorem.id)
        return true; /* evaluated at the target itself */
    if (epsilon->kind == DP_ENCLOSED || c->at.count > 0)
        return beyond_total(&c->list, &c->at);
    return dp_figure_le(epsilon, c->at.rational) == DP_YES;
}

/* The upper end that rows are ranked by: epsilon, or delta at a target epsilon. */
static void rank_key(mpfr_t key, const composing *c, const dp_row *row)
{
    const dp_figure *f = row_figure(row, c->in.target_epsilon != NULL ? "delta" : "epsilon");
    if (f->kind == DP_INFINITE)
        mpfr_set_inf(key, 1);
    else if (f->kind == DP_RATIONAL)
        mpfr_set_q(key, f->rational, MPFR_RNDU);
    else
        mpfr_set(key, &f->enclosure->right, MPFR_RNDU);
}

static bool is_before(const composing *c, const dp_row *a, const dp_row *b)
{
    bool meets_a = meets_target(c, a), meets_b = meets_target(c, b);
    if (meets_a != meets_b)
        return meets_a;
    mpfr_t x, y;
    mpfr_init2(x, 256);
    mpfr_init2(y, 256);
    rank_key(x, c, a);
    rank_key(y, c, b);
    bool before = mpfr_cmp(x, y) < 0;
    mpfr_clear(y);
    mpfr_clear(x);
    return before;
}

/* Strongest first, the optimum before what equals it: insertion sort keeps the registry's order. */
static void sort_rows(composing *c, size_t from)
{
    dp_result *r = c->out;
    for (size_t i = from + 1; i < r->count; i++)
        for (size_t j = i; j > from && is_before(c, &r->row[j], &r->row[j - 1]); j--) {
            dp_row swap = r->row[j];
            r->row[j] = r->row[j - 1];
            r->row[j - 1] = swap;
        }
}

static dp_status decide_check(composing *c)
{
    dp_check *check = &c->out->check;
    logform x;
    mpq_t one;
    logform_init(&x);
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    bool ok = logform_add_number(&x, one, &check->max_epsilon);
    if (ok)
        check->holds = optimal_meets(&c->engine, &x, beyond_total(&c->list, &x),
                                     check->max_delta.value, &c->limits);
    mpq_clear(one);
    logform_clear(&x);
    return ok ? DP_OK : DP_MEMORY;
}

static dp_status answer(composing *c, dp_error *err)
{
    dp_status status = DP_OK;
    bool optimal_wanted = c->query->method == DP_COMPOSE_OPTIMAL || c->opt->all;
    if (optimal_wanted)
        status = optimal_row(c);
    if (status == DP_OK)
        status = closed_forms(c, c->opt->all);
    if (status != DP_OK)
        return fail(err, status, NULL, dp_status_text(status));
    sort_rows(c, 0);
    c->out->guarantee = c->out->count > 0 && meets_target(c, &c->out->row[0]) ? 0 : c->out->count;
    if (c->out->guarantee == c->out->count)
        return fail(err, DP_UNAVAILABLE, "method",
                    "gives no guarantee for this target: it needs a slack between 0 and 1 beyond "
                    "the deltas of the mechanisms");
    return c->out->check.asked ? decide_check(c) : DP_OK;
}

dp_status dp_compose(dp_result *out, const dp_compose_query *q, const dp_options *opt,
                     dp_error *err)
{
    result_start(out);
    result_check_start(out, opt, q->target_epsilon, q->target_delta);
    dp_status status = validate(q, err);
    if (status != DP_OK)
        return status;
    composing c = {.query = q, .opt = opt, .out = out};
    status = prepare(&c);
    status = status == DP_OK ? answer(&c, err) : fail(err, status, NULL, dp_status_text(status));
    release(&c);
    return status;
}
