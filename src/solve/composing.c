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

bool composing_beyond(const composing *c, const logform *x)
{
    logform gap;
    mpq_t k;
    int sign = 1;
    logform_init(&gap);
    mpq_init(k);
    mpq_set_ui(k, 1, 1);
    bool ok = logform_add_form(&gap, k, &c->list.total);
    mpq_set_si(k, -1, 1);
    ok = ok && logform_add_form(&gap, k, x) && logform_sign(&sign, &gap, 1L << 16);
    mpq_clear(k);
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
    return limited(
        c, optimal_delta(delta, &c->engine, x, composing_beyond(c, x), c->opt->digits, &c->limits));
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

dp_answer composing_meets(const composing *c, const dp_number *epsilon, const mpq_t delta)
{
    logform x;
    logform_init(&x);
    dp_answer answer = DP_UNKNOWN;
    if (logform_add_number(&x, NULL, epsilon))
        answer = optimal_meets(&c->engine, &x, composing_beyond(c, &x), delta, &c->limits);
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
