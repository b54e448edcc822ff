/* SPDX-License-Identifier: MIT */
#include "solve/composing.h"

#include "num/ival.h"
#include "solve/refine.h"

dp_status composing_init(composing *c, const dp_composition *items, const dp_options *opt,
                         dp_result *out)
{
    c->opt = opt;
    c->out = out;
    logform_init(&c->at);
    limits_start(&c->limits, opt);
    if (c->limits.met == NULL)
        c->limits.met = &out->met;
    dp_status status = composed_init(&c->list, items);
    dp_status ready = engine_init(&c->engine, &c->list);
    c->in = (compose_in){&c->list, items, NULL, NULL, NULL};
    return status == DP_OK ? ready : status;
}

void composing_clear(composing *c)
{
    engine_clear(&c->engine);
    composed_clear(&c->list);
    logform_clear(&c->at);
}

#define DECISION_BITS (1L << 16)

/* gap = sum of epsilon - x */
static bool set_gap(logform *gap, const composing *c, const logform *x)
{
    mpq_t minus;
    mpq_init(minus);
    mpq_set_si(minus, -1, 1);
    bool ok = logform_set(gap, &c->list.total) && logform_add_form(gap, minus, x);
    mpq_clear(minus);
    return ok;
}

dp_answer composing_beyond(const composing *c, const logform *x)
{
    logform gap;
    int sign;
    logform_init(&gap);
    bool known = set_gap(&gap, c, x) && logform_sign(&sign, &gap, DECISION_BITS);
    logform_clear(&gap);
    if (!known)
        limits_note(&c->limits, DP_MET_PRECISION);
    return !known ? DP_UNKNOWN : sign <= 0 ? DP_YES : DP_NO;
}

/* delta(x) where x cannot be told from the sum: 0 <= s(x) <= 1 - e^(x - sum) <= max(0, sum - x). */
static dp_status delta_at_sum(dp_figure *out, const composing *c, const logform *x)
{
    logform gap;
    mpfi_t s;
    mpfi_ptr delta = figure_enclose(out, DECISION_BITS);
    logform_init(&gap);
    mpfi_init2(s, DECISION_BITS);
    dp_status status = set_gap(&gap, c, x) ? DP_LIMIT : DP_MEMORY;
    logform_enclose(s, &gap);
    mpfr_set_zero(&s->left, 1);
    ival_clamp_ui(s, 0, 1);
    composed_log_keep(delta, &c->list);
    mpfi_expm1(delta, delta);
    mpfi_neg(delta, delta);
    ival_union(delta, delta, s);
    ival_clamp_ui(delta, 0, 1);
    mpfi_clear(s);
    logform_clear(&gap);
    return status;
}

static dp_status delta_at(dp_figure *out, const composing *c, const logform *x)
{
    dp_answer beyond = composing_beyond(c, x);
    return beyond == DP_UNKNOWN
               ? delta_at_sum(out, c, x)
               : optimal_delta(out, &c->engine, x, beyond == DP_YES, c->opt->digits, &c->limits);
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
    result_warn_wide(c->out);
    return DP_OK;
}

static dp_row *optimal_row(composing *c, dp_figure **epsilon, dp_figure **delta)
{
    dp_row *row = result_row(c->out, &compose_optimal);
    if (row != NULL) {
        *epsilon = row_quantity(row, "epsilon");
        *delta = row_quantity(row, "delta");
    }
    return row;
}

dp_status composing_at_epsilon(composing *c, const logform *x)
{
    dp_figure *epsilon, *delta;
    if (optimal_row(c, &epsilon, &delta) == NULL)
        return DP_MEMORY;
    set_loss(epsilon, x, c->opt->digits);
    return limited(c, delta_at(delta, c, x));
}

dp_status composing_end_point(composing *c)
{
    return composing_at_epsilon(c, &c->list.total);
}

dp_status composing_at_delta(composing *c, const mpq_t target)
{
    dp_figure *epsilon, *delta;
    if (optimal_row(c, &epsilon, &delta) == NULL)
        return DP_MEMORY;
    figure_set_q(delta, target);
    if (mpq_cmp_ui(target, 1, 1) >= 0) {
        figure_set_ui(epsilon, 0);
        return DP_OK;
    }
    int sign;
    if (!composed_compare_leak(&sign, &c->list, target)) {
        mpfi_ptr open = figure_enclose(epsilon, 64); /* infinite below the leak, else finite */
        mpfr_set_zero(&open->left, 1);
        mpfr_set_inf(&open->right, 1);
        limits_note(&c->limits, DP_MET_PRECISION);
        return limited(c, DP_LIMIT);
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

/* Is 1 - D <= delta? */
static dp_answer leak_meets(const composing *c, const mpq_t delta)
{
    int sign;
    if (composed_compare_leak(&sign, &c->list, delta))
        return sign <= 0 ? DP_YES : DP_NO;
    limits_note(&c->limits, DP_MET_PRECISION);
    return DP_UNKNOWN;
}

static dp_answer meets_at_sum(const composing *c, const logform *x, const mpq_t delta)
{
    dp_figure f;
    dp_figure_init(&f);
    dp_answer answer = leak_meets(c, delta);
    if (answer == DP_YES)
        answer = delta_at_sum(&f, c, x) == DP_LIMIT ? dp_figure_le(&f, delta) : DP_UNKNOWN;
    dp_figure_clear(&f);
    return answer;
}

dp_answer composing_meets(const composing *c, const dp_number *epsilon, const mpq_t delta)
{
    logform x;
    logform_init(&x);
    dp_answer answer = DP_UNKNOWN;
    int sign;
    if (logform_add_number(&x, NULL, epsilon)) {
        dp_answer beyond = composing_beyond(c, &x);
        answer = beyond == DP_YES  ? leak_meets(c, delta)
                 : beyond == DP_NO ? optimal_meets(&c->engine, &x, delta, &c->limits)
                                   : meets_at_sum(c, &x, delta);
        if (answer == DP_UNKNOWN && beyond == DP_NO && !c->list.certain_leak &&
            composed_compare_leak(&sign, &c->list, delta) && sign >= 0)
            answer = DP_NO; /* below the sum the profile is above 1 - D */
    }
    logform_clear(&x);
    return answer;
}

void composing_check(composing *c)
{
    dp_check *check = &c->out->check;
    unsigned met = 0, *all = c->limits.met;
    c->limits.met = &met;
    dp_answer holds = composing_meets(c, &check->max_epsilon, check->max_delta.value);
    c->limits.met = all;
    result_decide(c->out, holds, met);
}
