/* SPDX-License-Identifier: MIT */
/* The largest true positive rate at a false positive rate, and 1 less it. */
#include "attack/tpr.h"

#include <math.h>

#include "attack/odds.h"
#include "attack/quantile.h"
#include "attack/tail.h"
#include "core/refine.h"
#include "num/ival.h"
#include "num/number.h"

/* ---- (epsilon, delta) ---- */

bool attacker_corner_sign(int *sign, const attacker *a, mpq_srcptr x)
{
    mpq_t rest;
    mpq_init(rest);
    mpq_set_ui(rest, 1, 1);
    mpq_sub(rest, rest, a->leak);
    mpq_sub(rest, rest, x); /* x E against it */
    bool known = true;
    if (mpq_sgn(rest) <= 0) {
        *sign = mpq_sgn(x) == 0 ? 0 : 1;
    } else if (mpq_sgn(x) == 0) {
        *sign = -1;
    } else {
        mpq_div(rest, rest, x);
        known = attacker_epsilon_sign(sign, a, rest);
    }
    mpq_clear(rest);
    return known;
}

/* y and 1 - y of a rational y */
static void set_both(dp_figure *out, mpq_srcptr y)
{
    mpq_t own, rest;
    mpq_inits(own, rest, NULL);
    mpq_set(own, y);
    mpq_set_ui(rest, 1, 1);
    mpq_sub(rest, rest, y);
    figure_set_q(&out[0], own);
    figure_set_q(&out[1], rest);
    mpq_clears(own, rest, NULL);
}

/* delta + E x up to the corner, 1 - (1 - delta - x)/E beyond, 1 from x = 1 - delta on */
static void pair_rational(dp_figure *out, const attacker *a, mpq_srcptr odds, int corner)
{
    mpq_t y, one;
    mpq_inits(y, one, NULL);
    mpq_set_ui(one, 1, 1);
    if (corner <= 0) {
        mpq_mul(y, odds, a->x);
        mpq_add(y, y, a->leak);
    } else {
        mpq_sub(y, one, a->leak);
        mpq_sub(y, y, a->x);
        mpq_div(y, y, odds);
        mpq_sub(y, one, y);
    }
    set_both(out, y);
    mpq_clears(y, one, NULL);
}

static void pair_enclosed(dp_figure *out, const attacker *a, int corner, mpfr_prec_t bits)
{
    mpq_t rest;
    mpq_init(rest);
    mpq_set_ui(rest, 1, 1);
    mpq_sub(rest, rest, a->leak);
    mpfi_ptr y = figure_enclose(&out[0], bits), less = figure_enclose(&out[1], bits);
    if (corner <= 0) {
        ival_exp_number(y, &a->epsilon);
        mpfi_mul_q(y, y, a->x);
        mpfi_add_q(y, y, a->leak);
        mpfi_ui_sub(less, 1, y);
    } else {
        mpq_sub(rest, rest, a->x);
        ival_set_number(less, &a->epsilon);
        mpfi_neg(less, less);
        mpfi_exp(less, less);
        mpfi_mul_q(less, less, rest);
        mpfi_ui_sub(y, 1, less);
    }
    ival_clamp_ui(y, 0, 1);
    ival_clamp_ui(less, 0, 1);
    mpq_clear(rest);
}

static dp_status of_pair(dp_figure *out, const attacker *a, const wanted *want)
{
    int corner = 0;
    mpq_t odds, rest;
    mpq_inits(odds, rest, NULL);
    mpq_set_ui(rest, 1, 1);
    mpq_sub(rest, rest, a->leak);
    dp_status status = DP_OK;
    mpq_set_ui(odds, 1, 1);
    if (mpq_cmp(a->x, rest) >= 0)
        set_both(out, odds);
    else if (mpq_sgn(a->x) == 0)
        set_both(out, a->leak);
    else if (!attacker_corner_sign(&corner, a, a->x))
        status = DP_UNDECIDED;
    else if (attacker_odds(odds, a))
        pair_rational(out, a, odds, corner);
    else
        pair_enclosed(out, a, corner, want->bits);
    mpq_clears(odds, rest, NULL);
    return status;
}

/* ---- Gaussian ---- */

bool attacker_quantile(mpfi_t z, mpq_srcptr x)
{
    mpq_t own;
    share s;
    mpq_init(own);
    share_init(&s, mpfi_get_prec(z) + 32);
    mpq_set(own, x);
    share_set_q(&s, own);
    share_swap(&s); /* Phi(z) = x where Phi(-z) = 1 - x */
    bool half = mpq_cmp_ui(own, 1, 2) == 0, ok = half || upper_quantile(z, &s);
    if (half)
        mpfi_set_ui(z, 0);
    share_clear(&s);
    mpq_clear(own);
    return ok;
}

static dp_status of_gaussian(dp_figure *out, const attacker *a, const wanted *want)
{
    mpfi_t z, mu;
    mpfi_init2(z, want->bits);
    mpfi_init2(mu, want->bits);
    bool ok = attacker_quantile(z, a->x);
    if (ok) {
        mpfi_ptr y = figure_enclose(&out[0], want->bits),
                 less = figure_enclose(&out[1], want->bits);
        attacker_mu(mu, a);
        mpfi_add(z, z, mu);
        attacker_phi(y, z);
        mpfi_neg(z, z);
        attacker_phi(less, z);
        ival_clamp_ui(y, 0, 1);
        ival_clamp_ui(less, 0, 1);
    }
    mpfi_clear(mu);
    mpfi_clear(z);
    return ok ? DP_OK : DP_LIMIT;
}

static dp_status of_moments(dp_figure *out, const attacker *a, const wanted *want)
{
    mpfi_ptr y = figure_enclose(&out[0], want->bits), rest = figure_enclose(&out[1], want->bits);
    tpr_of_moments(y, rest, a);
    return DP_OK;
}

/* Nothing is told, or all. */
static bool is_plain(const attacker *a)
{
    return mpq_sgn(a->x) == 0 || mpz_cmp(mpq_numref(a->x), mpq_denref(a->x)) == 0 ||
           (a->by == BY_GDP && mpq_sgn(a->mu_squared) == 0);
}

static dp_status eval_tpr(dp_figure *out, const void *in, const wanted *want)
{
    const attacker *a = in;
    if (a->by == BY_PAIR)
        return of_pair(out, a, want);
    if (is_plain(a) || tail_is_none(a)) {
        set_both(out, a->x);
        return DP_OK;
    }
    return a->by == BY_GDP ? of_gaussian(out, a, want) : of_moments(out, a, want);
}

/* ---- a list: F(x) <= k x + delta(ln k), convex in k ---- */

#define GUESS_DIGITS 8

static double upper_double(const dp_figure *x)
{
    return x->kind == DP_INFINITE   ? HUGE_VAL
           : x->kind == DP_RATIONAL ? mpq_get_d(x->rational)
                                    : mpfr_get_d(&x->enclosure->right, MPFR_RNDU);
}

typedef struct at_rate {
    attacker *a;
    mpq_srcptr x;
} at_rate;

/* About k x + delta(ln k) */
static double line_at(void *of, const mpq_t k)
{
    const at_rate *r = of;
    dp_figure delta;
    dp_figure_init(&delta);
    bool exact;
    double found = HUGE_VAL;
    if (!limits_expired(&r->a->lim) && attacker_delta_at(&delta, &exact, r->a, k) == DP_OK)
        found = mpq_get_d(k) * mpq_get_d(r->x) + upper_double(&delta);
    dp_figure_clear(&delta);
    return found;
}

/* k = about where it is least. */
static void choose_odds(mpq_t k, attacker *a, mpq_srcptr x)
{
    size_t digits = a->own.digits;
    a->own.digits = GUESS_DIGITS;
    double least = mpq_get_d(x);
    odds_least(k, -12, least > 1e-300 ? -log(least) : 690, line_at, &(at_rate){a, x});
    a->own.digits = digits;
}

/* out = delta + k x, at most 1, and 1 - that */
static void add_line(dp_figure out[2], mpq_srcptr k, mpq_srcptr x)
{
    mpq_t rise;
    mpq_init(rise);
    mpq_mul(rise, k, x);
    if (out[0].kind == DP_RATIONAL) {
        mpq_add(rise, rise, out[0].rational);
        if (mpq_cmp_ui(rise, 1, 1) > 0)
            mpq_set_ui(rise, 1, 1);
        set_both(out, rise);
    } else {
        mpfi_ptr y = out[0].enclosure, less = figure_enclose(&out[1], mpfi_get_prec(y));
        mpfi_add_q(y, y, rise);
        ival_clamp_ui(y, 0, 1);
        mpfi_ui_sub(less, 1, y);
    }
    mpq_clear(rise);
}

/* Bagging: delta + x where a record is replaced, delta + (1-delta) x where it is in or out. */
static dp_status of_bagging(dp_figure out[2], bool *exact, attacker *a, mpq_srcptr x)
{
    mpq_t k, part;
    mpq_inits(k, part, NULL);
    mpq_set_ui(k, 1, 1);
    dp_status status = attacker_delta(&out[0], exact, a, k);
    if (status == DP_OK && a->replaced) {
        add_line(out, k, x);
    } else if (status == DP_OK) {
        mpq_sub(part, k, x);
        if (out[0].kind == DP_RATIONAL) {
            mpq_mul(out[0].rational, out[0].rational, part);
            mpq_add(part, out[0].rational, x);
            set_both(out, part);
        } else {
            mpfi_mul_q(out[0].enclosure, out[0].enclosure, part);
            add_line(out, k, x);
        }
    }
    mpq_clears(k, part, NULL);
    return status;
}

static dp_status of_profile(dp_figure out[2], bool *exact, attacker *a, mpq_srcptr x)
{
    if (a->leaks)
        return of_bagging(out, exact, a, x);
    mpq_t k;
    mpq_init(k);
    if (mpq_cmp_ui(x, 1, 1) == 0)
        mpq_set_ui(k, 1, 1);
    else
        choose_odds(k, a, x);
    dp_status status = attacker_delta_at(&out[0], exact, a, k);
    *exact = false;
    if (status == DP_OK)
        add_line(out, k, x);
    mpq_clear(k);
    return status;
}

/* ---- all of them ---- */

/* From F(x/(1-delta)) that of delta-approximate zCDP: delta + (1-delta) of it. */
static void add_leak(dp_figure out[2], const attacker *a)
{
    mpq_t keep;
    mpq_init(keep);
    mpq_set_ui(keep, 1, 1);
    mpq_sub(keep, keep, a->leak);
    if (out[1].kind == DP_RATIONAL) {
        mpq_mul(keep, keep, out[1].rational);
        mpq_set(out[1].rational, keep);
        mpq_set_ui(out[0].rational, 1, 1);
        mpq_sub(out[0].rational, out[0].rational, keep);
    } else {
        mpfi_mul_q(out[1].enclosure, out[1].enclosure, keep);
        attacker_union(out[0].enclosure, a, out[0].enclosure);
    }
    mpq_clear(keep);
}

/* x/(1-delta), at most 1 */
static void without_leak(mpq_t to, const attacker *a, mpq_srcptr x)
{
    mpq_t keep;
    mpq_init(keep);
    mpq_set_ui(keep, 1, 1);
    mpq_sub(keep, keep, a->leak);
    if (mpq_cmp(x, keep) >= 0)
        mpq_set_ui(to, 1, 1);
    else
        mpq_div(to, x, keep);
    mpq_clear(keep);
}

dp_status attacker_tpr_at(dp_figure out[2], bool *exact, attacker *a, mpq_srcptr x)
{
    *exact = true;
    if (a->by == BY_PROFILE)
        return of_profile(out, exact, a, x);
    mpq_set(a->x, x);
    bool leak = a->by == BY_ZCDP && mpq_sgn(a->leak) > 0;
    if (leak)
        without_leak(a->x, a, x);
    if (a->by == BY_ZCDP) {
        *exact = is_plain(a);
        if (!is_plain(a) && !tpr_choose(a))
            mpq_set_ui(a->alpha, 2, 1);
    }
    dp_options own = options_meeting(a->opt, &a->rows.met);
    own.digits += 4;
    /* beyond mu = 63246 what is left of F has no exponent, at any rate that can be written */
    bool none_left = a->by == BY_GDP && mpq_cmp_ui(a->mu_squared, 4000000000, 1) > 0;
    dp_status status =
        refine(out, 2, eval_tpr, a, &own, none_left ? REFINE_BRACKET : REFINE_CLOSED_FORM);
    if (status == DP_LIMIT) {
        result_warn_wide(&a->rows);
        status = DP_OK;
    }
    for (size_t i = 0; i < 2; i++)
        if (out[i].kind == DP_ENCLOSED)
            ival_clamp_ui(out[i].enclosure, 0, 1);
    if (status == DP_OK && leak)
        add_leak(out, a);
    return status;
}
