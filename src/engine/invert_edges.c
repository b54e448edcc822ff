/* SPDX-License-Identifier: MIT */
/* The profile up to and beyond the largest loss, from where on it is 1 - D, and targets at the
 * leak. Where no precision in reach tells an epsilon from that loss, nothing is decided that
 * depends on it. */
#include "core/refine.h"
#include "engine/invert.h"
#include "num/ival.h"

#define DECISION_BITS (1L << 16)
#define CAP_BITS 8192

/* gap = top - x */
static bool set_gap(logform *gap, const engine *e, const logform *x)
{
    mpq_t minus;
    mpq_init(minus);
    mpq_set_si(minus, -1, 1);
    bool ok = logform_set(gap, &e->all.top) && logform_add_form(gap, minus, x);
    mpq_clear(minus);
    return ok;
}

/* The same where the largest loss is enclosed alone. */
static dp_decision beyond_cap(const engine *e, const logform *x, const limits *lim)
{
    dp_decision answer = DP_UNKNOWN;
    for (mpfr_prec_t bits = 128; answer == DP_UNKNOWN && bits <= CAP_BITS; bits *= 4) {
        mpfi_t top, at;
        mpfi_init2(top, bits);
        mpfi_init2(at, bits);
        engine_top(top, e);
        logform_enclose(at, x);
        if (mpfr_greaterequal_p(&at->left, &top->right))
            answer = DP_YES;
        else if (mpfr_less_p(&at->right, &top->left))
            answer = DP_NO;
        mpfi_clear(at);
        mpfi_clear(top);
    }
    if (answer == DP_UNKNOWN)
        limits_note(lim, DP_MET_PRECISION);
    return answer;
}

dp_decision optimal_beyond(const engine *e, const logform *x, const limits *lim)
{
    logform gap;
    int sign;
    if (e->all.capped)
        return beyond_cap(e, x, lim);
    if (!e->all.bounded)
        return DP_NO;
    logform_init(&gap);
    bool known = set_gap(&gap, e, x) && logform_sign(&sign, &gap, DECISION_BITS);
    logform_clear(&gap);
    if (!known)
        limits_note(lim, DP_MET_PRECISION);
    return !known ? DP_UNKNOWN : sign <= 0 ? DP_YES : DP_NO;
}

/* delta(x) where x cannot be told from the sum: 0 <= s(x) <= 1 - e^(x - sum) <= max(0, sum - x). */
static dp_status delta_at_sum(dp_figure *out, const engine *e, const logform *x)
{
    logform gap;
    mpfi_t s;
    mpfi_ptr delta = figure_enclose(out, DECISION_BITS);
    logform_init(&gap);
    mpfi_init2(s, DECISION_BITS);
    dp_status status = DP_LIMIT;
    if (e->all.capped) {
        mpfi_set_prec(s, CAP_BITS);
        engine_top(s, e);
        logform_enclose(delta, x);
        mpfi_sub(s, s, delta);
    } else {
        status = set_gap(&gap, e, x) ? DP_LIMIT : DP_MEMORY;
        logform_enclose(s, &gap);
    }
    mpfr_set_zero(&s->left, 1);
    ival_clamp_ui(s, 0, 1);
    product_log_keep(delta, e->product);
    mpfi_expm1(delta, delta);
    mpfi_neg(delta, delta);
    ival_union(delta, delta, s);
    ival_clamp_ui(delta, 0, 1);
    mpfi_clear(s);
    logform_clear(&gap);
    return status;
}

dp_status optimal_delta_at(dp_figure *out, const engine *e, const logform *x, size_t digits,
                           const limits *lim)
{
    dp_decision beyond = optimal_beyond(e, x, lim);
    return beyond == DP_UNKNOWN ? delta_at_sum(out, e, x)
                                : optimal_delta(out, e, x, beyond == DP_YES, digits, lim);
}

/* Is 1 - D <= delta? */
static dp_decision leak_meets(const product *p, const mpq_t delta, const limits *lim)
{
    int sign;
    if (product_compare_leak(&sign, p, delta))
        return sign <= 0 ? DP_YES : DP_NO;
    limits_note(lim, DP_MET_PRECISION);
    return DP_UNKNOWN;
}

static dp_decision meets_at_sum(const engine *e, const logform *x, const mpq_t delta,
                                const limits *lim)
{
    dp_figure f;
    dp_figure_init(&f);
    dp_decision answer = leak_meets(e->product, delta, lim);
    if (answer == DP_YES)
        answer = delta_at_sum(&f, e, x) == DP_LIMIT ? dp_figure_le(&f, delta) : DP_UNKNOWN;
    dp_figure_clear(&f);
    return answer;
}

dp_decision optimal_meets_at(const engine *e, const logform *x, const mpq_t delta,
                             const limits *lim)
{
    int sign;
    dp_decision beyond = optimal_beyond(e, x, lim);
    if (beyond == DP_YES)
        return leak_meets(e->product, delta, lim);
    if (beyond == DP_UNKNOWN)
        return meets_at_sum(e, x, delta, lim);
    dp_decision answer = optimal_meets(e, x, delta, lim);
    if (answer == DP_UNKNOWN && !e->product->certain_leak &&
        product_compare_leak(&sign, e->product, delta) && sign >= 0)
        return DP_NO; /* below the sum the profile is above 1 - D */
    return answer;
}

/* Is the largest loss at most 0? That of a symmetric law is not. */
static bool is_low(const engine *e, const limits *lim)
{
    if (e->product->count == 0 || e->all.symmetric || !totals_end(&e->all))
        return e->product->count == 0;
    logform zero;
    logform_init(&zero);
    bool low = optimal_beyond(e, &zero, lim) == DP_YES;
    logform_clear(&zero);
    return low;
}

void optimal_top(dp_figure *out, const engine *e, size_t digits)
{
    const totals *all = &e->all;
    if (!totals_end(all))
        figure_set_infinite(out);
    else if (all->capped)
        totals_top(figure_enclose(out, refine_bits(digits) + 64), all);
    else
        figure_set_form(out, &all->top, refine_bits(digits) + 16);
    if (out->kind == DP_RATIONAL && mpq_sgn(out->rational) < 0)
        figure_set_ui(out, 0);
    if (out->kind == DP_ENCLOSED)
        ival_at_least_zero(out->enclosure);
}

dp_status optimal_epsilon_at(dp_figure *out, const engine *e, const mpq_t delta, size_t digits,
                             const limits *lim)
{
    int sign;
    if (mpq_cmp_ui(delta, 1, 1) >= 0) {
        figure_set_ui(out, 0);
        return DP_OK;
    }
    if (!product_compare_leak(&sign, e->product, delta)) {
        mpfi_ptr open = figure_enclose(out, 64); /* infinite below the leak, else finite */
        mpfr_set_zero(&open->left, 1);
        mpfr_set_inf(&open->right, 1);
        limits_note(lim, DP_MET_PRECISION);
        return DP_LIMIT;
    }
    if (sign > 0) {
        figure_set_infinite(out);
        return DP_OK;
    }
    if (is_low(e, lim)) {
        figure_set_ui(out, 0);
        return DP_OK;
    }
    if (sign == 0) { /* from the largest loss on, the profile is the leak */
        optimal_top(out, e, digits);
        return DP_OK;
    }
    if (optimal_near_top(out, e, delta, digits, lim))
        return DP_OK;
    return optimal_epsilon(out, e, delta, digits, lim);
}
