/* SPDX-License-Identifier: MIT */
/* What a learner that is known only under the other relation shows: the two samples are two of its
 * neighbouring steps apart, and what two steps do at worst is exact. */
#include "sampling/amplify.h"

#include "num/ival.h"

/* Every event goes along g(p) = min(1, delta0 + E0 p, 1 - (1-delta0-p)/E0) from one neighbour to
 * the next: from g^-1(p) over p to g(p). What is asked is, with e^x = 1 + rise,
 *     sup over p of F(p) = up g(p) - mid p - down g^-1(p),
 *     fixed size   up = eta, mid = 0,              down = eta e^t = eta + rise
 *     adding       up = c,   mid = 0,              down = c + rise,  c = eta - rise (1-eta) >= 0
 *     Poisson      up = q,   mid = (1-q) rise,     down = q e^x
 * because g(p) is what the data set with the record shows, g^-1(p) the other. F is concave: g is,
 * and g^-1(p) = 1 - g(1-p) is convex. So the maximum is at a bend or an end: at 0, delta0, a* =
 * (1-delta0)/(1+E0), 1-a*, 1-delta0 or 1. Since 0 <= up <= down, mid >= 0 and a* <= 1/2, F(1-a*) <=
 * F(a*) and F(1) <= F(0), and F(1-delta0) <= F(delta0) unless delta0 > 1/2. With r = g^-1(a*) =
 * max(0, (a*-delta0)/E0) and s = g(delta0) there remain
 *     F(0) = up delta0, F(delta0) = up s - mid delta0, F(a*) = up (1-a*) - mid a* - down r,
 *     F(1-delta0) = up - mid (1-delta0)   for delta0 >= 1/2, where g(delta0) = 1.
 * A learner with two outcomes attains it: its probability of one of them is g^-1(p), p or g(p) by
 * the step that the sample is at. Samples of size k with the record are at 2, without at 0, all
 * other sizes at 1; for Poisson those with the one record but not the other at 2, with the other
 * alone at 0, all others at 1. Neighbours are then at most one step apart. */
typedef struct weights {
    mpfi_t up, mid, down;
} weights;

static void weights_init(weights *w, mpfr_prec_t bits)
{
    mpfi_init2(w->up, bits);
    mpfi_init2(w->mid, bits);
    mpfi_init2(w->down, bits);
}

static void weights_clear(weights *w)
{
    mpfi_clear(w->up);
    mpfi_clear(w->mid);
    mpfi_clear(w->down);
}

static void weights_set(weights *w, const mpq_t eta, const mpfi_t rise, bool poisson, bool adding)
{
    mpq_t rest;
    mpq_init(rest);
    mpq_set_ui(rest, 1, 1);
    mpq_sub(rest, rest, eta);
    mpfi_mul_q(w->mid, rise, rest);
    mpfi_set_q(w->up, eta);
    mpfi_mul_q(w->down, rise, eta);
    mpfi_add(w->down, w->down, w->up);
    if (!poisson) {
        if (adding) {
            mpfi_sub(w->up, w->up, w->mid);
            ival_at_least_zero(w->up);
        }
        mpfi_add(w->down, w->up, rise);
        mpfi_set_ui(w->mid, 0);
    }
    mpq_clear(rest);
}

/* F(a*) */
static void at_knee(mpfi_t out, const mpfi_t growth, const mpfi_t delta, const weights *w)
{
    mpfi_t knee, part;
    mpfr_prec_t bits = mpfi_get_prec(out);
    mpfi_init2(knee, bits);
    mpfi_init2(part, bits);
    amplify_knee(knee, part, growth, delta);
    mpfi_mul(part, part, w->down);
    mpfi_ui_sub(out, 1, knee);
    mpfi_mul(out, out, w->up);
    mpfi_sub(out, out, part);
    mpfi_mul(part, w->mid, knee);
    mpfi_sub(out, out, part);
    mpfi_clear(part);
    mpfi_clear(knee);
}

static void greatest(mpfi_t out, const mpfi_t growth, const mpfi_t delta, const weights *w,
                     bool beyond)
{
    mpfi_t f, part;
    mpfr_prec_t bits = mpfi_get_prec(out);
    mpfi_init2(f, bits);
    mpfi_init2(part, bits);
    mpfi_mul(out, w->up, delta);
    amplify_twice(f, growth, delta);
    mpfi_mul(f, f, w->up);
    mpfi_mul(part, w->mid, delta);
    mpfi_sub(f, f, part);
    ival_take_most(out, f);
    if (!beyond) {
        at_knee(f, growth, delta, w);
        ival_take_most(out, f);
    }
    mpfi_mul_2ui(part, delta, 1);
    if (mpfr_cmp_ui(&part->left, 1) >= 0) {
        mpfi_ui_sub(part, 1, delta);
        mpfi_mul(part, part, w->mid);
        mpfi_sub(f, w->up, part);
        ival_take_most(out, f);
    }
    ival_clamp_ui(out, 0, 1);
    mpfi_clear(part);
    mpfi_clear(f);
}

/* The same in rationals. */
typedef struct exactly {
    mpq_t odds, delta, up, mid, down, f, one;
} exactly;

static void exactly_init(exactly *e)
{
    mpq_inits(e->odds, e->delta, e->up, e->mid, e->down, e->f, e->one, NULL);
    mpq_set_ui(e->one, 1, 1);
}

static void exactly_clear(exactly *e)
{
    mpq_clears(e->odds, e->delta, e->up, e->mid, e->down, e->f, e->one, NULL);
}

/* out = max(out, F(p)) */
static void take_value(mpq_t out, exactly *e, const mpq_t p)
{
    mpq_t back;
    mpq_init(back);
    mpq_sub(back, e->one, p);
    amplify_step_q(back, back, e->odds, e->delta);
    mpq_sub(back, e->one, back);
    mpq_mul(back, back, e->down);
    amplify_step_q(e->f, p, e->odds, e->delta);
    mpq_mul(e->f, e->f, e->up);
    mpq_sub(e->f, e->f, back);
    mpq_mul(back, e->mid, p);
    mpq_sub(e->f, e->f, back);
    if (mpq_cmp(e->f, out) > 0)
        mpq_set(out, e->f);
    mpq_clear(back);
}

static void greatest_q(mpq_t out, exactly *e)
{
    mpq_t p;
    mpq_init(p);
    mpq_mul(out, e->up, e->delta);
    take_value(out, e, e->delta);
    mpq_sub(p, e->one, e->delta);
    take_value(out, e, p);
    mpq_add(e->f, e->one, e->odds);
    mpq_div(p, p, e->f);
    take_value(out, e, p);
    mpq_clear(p);
}

static void weights_set_q(exactly *e, const mpq_t eta, const mpq_t rise, bool poisson, bool adding)
{
    mpq_sub(e->mid, e->one, eta);
    mpq_mul(e->mid, e->mid, rise);
    mpq_set(e->up, eta);
    mpq_mul(e->down, eta, rise);
    mpq_add(e->down, e->down, eta);
    if (poisson)
        return;
    if (adding)
        mpq_sub(e->up, e->up, e->mid);
    if (mpq_sgn(e->up) < 0)
        mpq_set_ui(e->up, 0, 1);
    mpq_add(e->down, e->up, rise);
    mpq_set_ui(e->mid, 0, 1);
}

/* Where e^eps0 and e^x are rational. */
static bool value_q(mpq_t out, const bagging_in *in, const mpq_t eta, bool adding)
{
    const dp_bagging *b = in->b;
    mpq_t rise;
    mpq_init(rise);
    exactly e;
    exactly_init(&e);
    bool ok = amplify_base_odds(e.odds, b) && bagging_target_odds(rise, in->at);
    if (ok) {
        mpq_set(e.delta, b->base_delta);
        mpq_sub(rise, rise, e.one);
        weights_set_q(&e, eta, rise, amplify_way(b) == AMPLIFY_GROUP_RESULT, adding);
        greatest_q(out, &e);
    }
    exactly_clear(&e);
    mpq_clear(rise);
    return ok;
}

void amplify_grouped_value(dp_figure *out, const bagging_in *in, bool adding, const wanted *want)
{
    mpq_t eta;
    mpz_t one;
    mpq_init(eta);
    mpz_init_set_ui(one, 1);
    amplify_rate_q(eta, in->b);
    if (want->rational && value_q(out->rational, in, eta, adding)) {
        out->kind = DP_RATIONAL;
    } else {
        mpfi_t growth, delta, rise;
        weights w;
        mpfi_init2(growth, want->bits);
        mpfi_init2(delta, want->bits);
        mpfi_init2(rise, want->bits);
        weights_init(&w, want->bits);
        amplify_base(growth, delta, in->b);
        amplify_rise(rise, in->at);
        weights_set(&w, eta, rise, amplify_way(in->b) == AMPLIFY_GROUP_RESULT, adding);
        mpfi_ptr value = figure_enclose(out, want->bits);
        /* at eps' and beyond F falls from 0 on for delta0 = 0: a tie that no enclosure settles */
        bool beyond =
            mpq_sgn(in->b->base_delta) == 0 && amplify_beyond(in->b, one, in->at) == DP_YES;
        greatest(value, growth, delta, &w, beyond);
        if (mpfr_zero_p(&value->right))
            figure_set_ui(out, 0);
        weights_clear(&w);
        mpfi_clear(rise);
        mpfi_clear(delta);
        mpfi_clear(growth);
    }
    mpz_clear(one);
    mpq_clear(eta);
}

void amplify_grouped_pair(mpfi_t epsilon, mpfi_t delta, const dp_bagging *b, const mpq_t eta)
{
    mpfi_t growth, base, rise, odds;
    mpfr_prec_t bits = mpfi_get_prec(epsilon);
    weights w;
    mpfi_init2(growth, bits);
    mpfi_init2(base, bits);
    mpfi_init2(rise, bits);
    mpfi_init2(odds, bits);
    weights_init(&w, bits);
    amplify_base(growth, base, b);
    /* e^eps' - 1 = q (E0 - 1/E0)/(1 - q (1 - 1/E0)) = q growth (2 + growth)/(1 + (1-q) growth) */
    mpq_t rest;
    mpq_init(rest);
    mpq_set_ui(rest, 1, 1);
    mpq_sub(rest, rest, eta);
    mpfi_mul_q(odds, growth, rest);
    mpfi_add_ui(odds, odds, 1);
    mpfi_add_ui(rise, growth, 2);
    mpfi_mul(rise, rise, growth);
    mpfi_mul_q(rise, rise, eta);
    mpfi_div(rise, rise, odds);
    mpfi_log1p(epsilon, rise);
    weights_set(&w, eta, rise, true, false);
    greatest(delta, growth, base, &w, mpq_sgn(b->base_delta) == 0);
    mpq_clear(rest);
    weights_clear(&w);
    mpfi_clear(odds);
    mpfi_clear(rise);
    mpfi_clear(base);
    mpfi_clear(growth);
}
