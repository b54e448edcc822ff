/* SPDX-License-Identifier: MIT */
/* The profile up to and beyond the sum of the epsilons, from where on it is 1 - D. Where no
 * precision in reach tells an epsilon from the sum, nothing is decided that depends on it. */
#include "engine/invert.h"
#include "num/ival.h"

#define DECISION_BITS (1L << 16)

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

dp_decision optimal_beyond(const engine *e, const logform *x, const limits *lim)
{
    logform gap;
    int sign;
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
    dp_status status = set_gap(&gap, e, x) ? DP_LIMIT : DP_MEMORY;
    logform_enclose(s, &gap);
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
