/* SPDX-License-Identifier: MIT */
/* The epsilon at a target delta, where the profile is the greatest of a few functions that are
 * linear in e^x: each asks for a least e^x - 1, and the greatest of these is the answer. */
#include "num/ival.h"
#include "sampling/amplify.h"

/* What is asked, above what is met at every x. */
typedef struct inverse {
    const bagging_in *in;
    mpq_t eta;
    mpfi_t growth, delta, rise, height, slope;
} inverse;

static void inverse_init(inverse *v, const bagging_in *in, mpfr_prec_t bits)
{
    v->in = in;
    mpq_init(v->eta);
    mpfi_init2(v->growth, bits);
    mpfi_init2(v->delta, bits);
    mpfi_init2(v->rise, bits);
    mpfi_init2(v->height, bits);
    mpfi_init2(v->slope, bits);
    amplify_rate_q(v->eta, in->b);
    amplify_base(v->growth, v->delta, in->b);
    mpfi_set_ui(v->rise, 0);
}

static void inverse_clear(inverse *v)
{
    mpfi_clear(v->slope);
    mpfi_clear(v->height);
    mpfi_clear(v->rise);
    mpfi_clear(v->delta);
    mpfi_clear(v->growth);
    mpq_clear(v->eta);
}

/* rise = max(rise, the least with height - slope rise <= target), slope >= 0 */
static void demand(inverse *v)
{
    mpfi_sub_q(v->height, v->height, v->in->target);
    if (mpfr_sgn(&v->height->right) <= 0)
        return;
    ival_at_least_zero(v->height);
    if (mpfr_sgn(&v->slope->left) > 0) {
        mpfi_div(v->height, v->height, v->slope);
    } else {
        if (mpfr_sgn(&v->slope->right) > 0)
            mpfr_div(&v->height->left, &v->height->left, &v->slope->right, MPFR_RNDD);
        else if (mpfr_sgn(&v->height->left) > 0)
            mpfr_set_inf(&v->height->left, 1);
        mpfr_set_inf(&v->height->right, 1);
    }
    ival_take_most(v->rise, v->height);
}

/* eta delta0 + (1 - delta0)(eta growth - rise)/(2 + growth), delta0 < 1; with eta rise where the
 * samples have the same size */
static void demand_direct(inverse *v)
{
    mpfi_add_ui(v->height, v->growth, 2);
    mpfi_ui_sub(v->slope, 1, v->delta);
    mpfi_div(v->slope, v->slope, v->height);
    mpfi_mul(v->height, v->growth, v->slope);
    mpfi_add(v->height, v->height, v->delta);
    mpfi_mul_q(v->height, v->height, v->eta);
    if (amplify_way(v->in->b) == AMPLIFY_SAME_SIZE)
        mpfi_mul_q(v->slope, v->slope, v->eta);
    demand(v);
}

/* The values of F that amplify_two_steps.c has, by what stands before rise in them. */
static void demand_grouped(inverse *v)
{
    bool poisson = amplify_way(v->in->b) == AMPLIFY_GROUP_RESULT;
    mpfi_t knee, back, rest;
    mpq_t keep;
    mpfr_prec_t bits = mpfi_get_prec(v->rise);
    mpq_init(keep);
    mpfi_init2(knee, bits);
    mpfi_init2(back, bits);
    mpfi_init2(rest, bits);
    mpq_set_ui(keep, 1, 1);
    mpq_sub(keep, keep, v->eta); /* 1 - q; 0 for samples of fixed size */
    if (!poisson)
        mpq_set_ui(keep, 0, 1);
    amplify_twice(v->height, v->growth, v->delta); /* F(delta0) */
    mpfi_mul_q(v->height, v->height, v->eta);
    mpfi_mul_q(v->slope, v->delta, keep);
    demand(v);
    amplify_knee(knee, back, v->growth, v->delta); /* F(a*) */
    mpfi_ui_sub(v->height, 1, knee);
    mpfi_sub(v->height, v->height, back);
    mpfi_mul_q(v->height, v->height, v->eta);
    mpfi_mul_q(v->slope, knee, keep);
    if (poisson)
        mpfi_mul_q(back, back, v->eta);
    mpfi_add(v->slope, v->slope, back);
    demand(v);
    if (mpq_cmp_ui(v->in->b->base_delta, 1, 2) >= 0) { /* F(1 - delta0) */
        mpfi_set_q(v->height, v->eta);
        mpfi_ui_sub(rest, 1, v->delta);
        mpfi_mul_q(v->slope, rest, keep);
        demand(v);
    }
    mpfi_clear(rest);
    mpfi_clear(back);
    mpfi_clear(knee);
    mpq_clear(keep);
}

/* Is the target below what no x brings it to? Exact where what leaks is rational. */
static bool is_below(const inverse *v)
{
    mpq_t least, odds;
    mpq_inits(least, odds, NULL);
    const dp_bagging *b = v->in->b;
    bool whole = amplify_way(b) == AMPLIFY_GROUP_BASE ||
                 (!amplify_is_one_step(b) && mpq_cmp_ui(v->eta, 1, 1) == 0);
    mpq_set(least, b->base_delta);
    bool below = false;
    if (!whole || mpq_sgn(least) == 0 || amplify_base_odds(odds, b)) {
        if (whole && mpq_sgn(least) != 0)
            amplify_step_q(least, least, odds, b->base_delta);
        mpq_mul(least, least, v->eta);
        below = mpq_cmp(v->in->target, least) < 0;
    }
    mpq_clears(least, odds, NULL);
    return below;
}

dp_status amplify_inverse(dp_figure *out, const bagging_in *in, const wanted *want)
{
    const dp_bagging *b = in->b;
    bool direct = amplify_is_one_step(b);
    inverse v;
    inverse_init(&v, in, want->bits);
    mpq_t leak;
    mpq_init(leak);
    mpq_mul(leak, v.eta, b->base_delta);
    bool end = mpq_equal(in->target, leak) && (direct || mpq_sgn(leak) == 0);
    if (is_below(&v)) {
        figure_set_infinite(&out[0]);
    } else if (end) {
        amplify_point.eval(out, in, want);
    } else {
        if (direct)
            demand_direct(&v);
        else
            demand_grouped(&v);
        mpfi_log1p(figure_enclose(&out[0], want->bits), v.rise);
    }
    figure_set_q(&out[1], in->target);
    mpq_clear(leak);
    inverse_clear(&v);
    return DP_OK;
}
