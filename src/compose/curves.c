/* SPDX-License-Identifier: MIT */
/* Lists of mechanisms by moments. Any order is sound: it is chosen in doubles, kept as a short
 * decimal, and the figures are those at it. */
#include "compose/curves.h"

#include "core/mechanism.h"

#include <math.h>

#include "num/decimal.h"
#include "num/ival.h"
#include "num/number.h"

#define GUESS_BITS 64
#define ORDER_DIGITS 10
#define LEAST_LOG (-14.0) /* of t: where kappa and the rest of the formula cancel */
#define MOST_LOG 60.0
#define GRID 75
#define NARROWINGS 60

typedef enum source { OF_CURVES, OF_ZCDP } source;

/* t (xi + rho (t + 1)) of all items and mechanisms. False where one has no such statement. */
static bool zcdp_moment(mpfi_t k, mpfi_t rho_sum, const curve_in *q, const mpfi_t t)
{
    mpfr_prec_t bits = mpfi_get_prec(k);
    const composed *list = &q->sides->of[FORWARD][DP_UPPER].list;
    composed_sums s;
    mpfi_t xi, rho, total;
    mpfi_ptr all[] = {xi, rho, total};
    for (size_t i = 0; i < 3; i++)
        mpfi_init2(all[i], bits);
    composed_sums_init(&s, list, bits); /* sum of eps tanh(eps/2) of the items */
    mpfi_set(rho_sum, s.mean);
    composed_sums_clear(&s);
    mpfi_set_ui(total, 0);
    bool ok = true;
    for (size_t i = 0; ok && i < uses_count(q->items); i++) {
        const dp_use *u = &q->items->uses->use[i];
        ok = u->mechanism->type->zcdp != NULL &&
             u->mechanism->type->zcdp(xi, rho, u->mechanism) == DP_OK;
        if (ok) {
            ival_mul_z(xi, xi, u->times);
            ival_mul_z(rho, rho, u->times);
            mpfi_add(total, total, xi);
            mpfi_add(rho_sum, rho_sum, rho);
        }
    }
    mpfi_add_ui(k, t, 1);
    mpfi_mul(k, k, rho_sum);
    mpfi_add(k, k, total);
    mpfi_mul(k, k, t);
    for (size_t i = 0; i < 3; i++)
        mpfi_clear(all[i]);
    return ok;
}

/* The sum of rho exactly; false where some part of it has no rational one. */
static bool rho_q(mpq_t sum, const curve_in *q)
{
    if (q->sides->of[FORWARD][DP_UPPER].list.losses > 0)
        return false;
    mpq_t rho, times;
    mpq_inits(rho, times, NULL);
    mpq_set_ui(sum, 0, 1);
    bool ok = true;
    for (size_t i = 0; ok && i < uses_count(q->items); i++) {
        const dp_use *u = &q->items->uses->use[i];
        ok = u->mechanism->type->rho != NULL && u->mechanism->type->rho(rho, u->mechanism);
        mpq_set_z(times, u->times);
        mpq_mul(rho, rho, times);
        mpq_add(sum, sum, rho);
    }
    mpq_clears(rho, times, NULL);
    return ok;
}

/* Of mechanisms that have no pair: t times their Renyi divergence, or what zCDP says of it. */
static bool add_without_pair(mpfi_t k, const curve_in *q, const mpfi_t t)
{
    mpfi_t xi, rho, order;
    mpfi_ptr all[] = {xi, rho, order};
    for (size_t i = 0; i < 3; i++)
        mpfi_init2(all[i], mpfi_get_prec(k));
    mpfi_add_ui(order, t, 1);
    bool ok = true;
    for (size_t i = 0; ok && i < uses_count(q->items); i++) {
        const dp_use *u = &q->items->uses->use[i];
        const mechanism_type *type = u->mechanism->type;
        if (type->pair != NULL)
            continue;
        if (type->curve != NULL) {
            ok = type->curve(rho, u->mechanism, order) == DP_OK;
        } else {
            ok = type->zcdp != NULL && type->zcdp(xi, rho, u->mechanism) == DP_OK;
            mpfi_mul(rho, rho, order);
            mpfi_add(rho, rho, xi);
        }
        ival_mul_z(rho, rho, u->times);
        mpfi_mul(rho, rho, t);
        mpfi_add(k, k, rho);
    }
    for (size_t i = 0; i < 3; i++)
        mpfi_clear(all[i]);
    return ok;
}

static bool curve_moment(mpfi_t k, const curve_in *q, size_t way, const mpfi_t t)
{
    const product *p = &q->sides->of[way][DP_UPPER].list.product;
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(k));
    mpfi_set_ui(k, 0);
    for (size_t i = 0; i < p->count; i++) {
        p->item[i].ops->log_moment(part, p->item[i].self, t, NULL);
        mpfi_add(k, k, part);
    }
    mpfi_clear(part);
    return add_without_pair(k, q, t);
}

/* g = K(t) + ln kappa(t), ln kappa = -t log1p(1/t) - log1p(t) */
static bool enclose(mpfi_t g, mpfi_t rho, const curve_in *q, size_t way, source from,
                    const mpfi_t t)
{
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(g));
    bool ok = from == OF_ZCDP ? zcdp_moment(g, rho, q, t) : curve_moment(g, q, way, t);
    mpfi_ui_div(part, 1, t);
    mpfi_log1p(part, part);
    mpfi_mul(part, part, t);
    mpfi_sub(g, g, part);
    mpfi_log1p(part, t);
    mpfi_sub(g, g, part);
    mpfi_clear(part);
    return ok && !ival_bad(g);
}

/* x = the figure at order 1 + t in that direction: epsilon at the target delta, or delta. False
 * where no slack is left beside the leaks. */
static bool at_order(mpfi_t x, mpfi_t rho, const curve_in *q, size_t way, source from,
                     const mpfi_t t)
{
    mpfr_prec_t bits = mpfi_get_prec(x);
    const product *p = &q->sides->of[way][DP_UPPER].list.product;
    mpfi_t keep, g;
    mpfi_init2(keep, bits);
    mpfi_init2(g, bits);
    bool ok = enclose(g, rho, q, way, from, t);
    product_log_keep(keep, p);
    if (q->target_delta != NULL) { /* d = 1 - (1 - delta) / D */
        bool whole = mpq_cmp_ui(q->target_delta, 1, 1) >= 0;
        if (!whole) {
            ival_log1m_q(x, q->target_delta);
            mpfi_sub(x, x, keep);
            mpfi_expm1(x, x);
            mpfi_neg(x, x);
        }
        ok = ok && !whole && mpfi_is_strictly_pos(x);
        mpfi_log(x, x);
        mpfi_sub(x, g, x);
        mpfi_div(x, x, t);
        ival_at_least_zero(x);
    } else {
        logform_enclose(x, q->target_epsilon);
        mpfi_mul(x, x, t);
        mpfi_sub(x, g, x);
        mpfi_exp(x, x);
        ival_clamp_ui(x, 0, 1);
        mpfi_expm1(keep, keep);
        mpfi_neg(keep, keep); /* 1 - D */
        ival_union(x, x, keep);
        ival_clamp_ui(x, 0, 1);
    }
    mpfi_clear(g);
    mpfi_clear(keep);
    return ok && !ival_bad(x);
}

/* The greater figure of the directions. */
static bool figure_at(mpfi_t x, mpfi_t rho, const curve_in *q, source from, const mpfi_t t)
{
    bool ok = at_order(x, rho, q, FORWARD, from, t);
    if (ok && q->sides->ways == 2) {
        mpfi_t other;
        mpfi_init2(other, mpfi_get_prec(x));
        ok = at_order(other, rho, q, BACKWARD, from, t);
        ival_take_most(x, other);
        mpfi_clear(other);
    }
    return ok;
}

static double estimate_at(const curve_in *q, source from, double less_one)
{
    mpfi_t t, x, rho;
    mpfi_init2(t, GUESS_BITS);
    mpfi_init2(x, GUESS_BITS);
    mpfi_init2(rho, GUESS_BITS);
    mpfi_set_d(t, less_one);
    double least = HUGE_VAL;
    if (figure_at(x, rho, q, from, t)) {
        if (q->target_delta == NULL && !mpfr_zero_p(&x->right))
            mpfr_log(&x->right, &x->right, MPFR_RNDN);
        least = mpfr_get_d(&x->right, MPFR_RNDN);
    }
    mpfi_clear(rho);
    mpfi_clear(x);
    mpfi_clear(t);
    return least;
}

static double estimate(const curve_in *q, source from, double log_t)
{
    return estimate_at(q, from, exp(log_t));
}

/* About the best order less one: a grid, then a golden section about its best point. Orders at
 * which points of a curve are given are its corners. */
static double best_log(const curve_in *q, source from)
{
    double step = (MOST_LOG - LEAST_LOG) / GRID, best = HUGE_VAL, at = 0;
    for (int i = 0; i <= GRID; i++) {
        double found = estimate(q, from, LEAST_LOG + i * step);
        if (found < best) {
            best = found;
            at = LEAST_LOG + i * step;
        }
    }
    double low = at - step, high = at + step, ratio = 0.6180339887498949;
    for (int i = 0; i < NARROWINGS && best < HUGE_VAL; i++) {
        double a = high - ratio * (high - low), b = low + ratio * (high - low);
        if (estimate(q, from, a) <= estimate(q, from, b))
            high = b;
        else
            low = a;
    }
    return (low + high) / 2;
}

/* An order as given to a mechanism that has points of a curve, where that is better; returns what
 * is then best. A double at or below the order stands for it: any interval about the last one would
 * reach beyond, where nothing is known. Subtracting 1 from a double above 1 that is below 2^53 is
 * exact. */
static double corner(mpq_t order, const curve_in *q, source from, double best)
{
    for (size_t i = 0; from == OF_CURVES && i < uses_count(q->items); i++) {
        const value *v = mechanism_value(q->items->uses->use[i].mechanism, "alpha");
        for (size_t k = 0; v != NULL && k < v->count; k++) {
            double a = mpq_get_d(v->list[k]);
            double found = a > 1 && isfinite(a) ? estimate_at(q, from, a - 1) : HUGE_VAL;
            if (found < HUGE_VAL && found <= best) {
                best = found;
                mpq_set_d(order, a);
            }
        }
    }
    return best;
}

static void choose_order(mpq_t order, const curve_in *q, source from)
{
    double at = best_log(q, from);
    mpfr_t t;
    dec d;
    mpfr_init2(t, 53);
    dec_init(&d);
    mpfr_set_d(t, 1 + exp(at), MPFR_RNDN);
    mpq_set_ui(order, 2, 1);
    if (dec_set_fr(&d, t, DP_UPPER, ORDER_DIGITS))
        dec_get_q(order, &d);
    corner(order, q, from, estimate(q, from, at));
    dec_clear(&d);
    mpfr_clear(t);
}

/* out = epsilon, delta, rho for zCDP, alpha */
static dp_status evaluate(dp_figure *out, const curve_in *q, source from, const wanted *want)
{
    mpq_t order;
    mpfi_t t, x, rho;
    mpq_init(order);
    mpfi_init2(t, want->bits);
    mpfi_init2(x, want->bits);
    mpfi_init2(rho, want->bits);
    choose_order(order, q, from);
    mpfi_set_q(t, order);
    mpfi_sub_ui(t, t, 1);
    bool ok = figure_at(x, rho, q, from, t);
    if (ok) {
        dp_figure *given = &out[q->target_delta != NULL ? 1 : 0];
        if (q->target_delta != NULL)
            figure_set_q(given, q->target_delta);
        else if (q->target_epsilon->count == 0)
            figure_set_q(given, q->target_epsilon->rational);
        else
            logform_enclose(figure_enclose(given, want->bits), q->target_epsilon);
        mpfi_set(figure_enclose(&out[q->target_delta != NULL ? 0 : 1], want->bits), x);
        if (from == OF_ZCDP && !rho_q(out[2].rational, q))
            mpfi_set(figure_enclose(&out[2], want->bits), rho);
        else if (from == OF_ZCDP)
            out[2].kind = DP_RATIONAL;
        figure_set_q(&out[from == OF_ZCDP ? 3 : 2], order);
    }
    mpfi_clear(rho);
    mpfi_clear(x);
    mpfi_clear(t);
    mpq_clear(order);
    return ok ? DP_OK : DP_LIMIT;
}

/* At the order that would be taken, is there a figure? */
static bool has_figure(const curve_in *q, source from)
{
    if (q->target_delta == NULL && q->target_epsilon == NULL)
        return false;
    double best = estimate(q, from, best_log(q, from));
    mpq_t order;
    mpq_init(order);
    if (!(best < HUGE_VAL))
        best = corner(order, q, from, best);
    mpq_clear(order);
    return best < HUGE_VAL;
}

static bool renyi_applies(const void *in)
{
    return has_figure(in, OF_CURVES);
}

static bool zcdp_applies(const void *in)
{
    const curve_in *q = in;
    return (sides_routes(q->items) & ROUTE_ZCDP) != 0 && has_figure(q, OF_ZCDP);
}

static dp_status eval_renyi(dp_figure *out, const void *in, const wanted *want)
{
    return evaluate(out, in, OF_CURVES, want);
}

static dp_status eval_zcdp(dp_figure *out, const void *in, const wanted *want)
{
    return evaluate(out, in, OF_ZCDP, want);
}

/* Orders from 1 on are infinite where something leaks; the order 1 is not served. */
static bool sum_applies(const void *in)
{
    const renyi_in *q = in;
    return mpq_cmp_ui(q->order, 1, 1) > 0;
}

static bool leaks(const sides *s)
{
    for (size_t way = 0; way < s->ways; way++) {
        const product *p = &s->of[way][DP_UPPER].list.product;
        if (p->leaks > 0 || p->certain_leak)
            return true;
    }
    return false;
}

static dp_status eval_sum(dp_figure *out, const void *in, const wanted *want)
{
    const renyi_in *q = in;
    figure_set_q(&out[1], q->order);
    if (leaks(q->sides)) {
        figure_set_infinite(&out[0]);
        return DP_OK;
    }
    curve_in list = {q->items, q->sides, NULL, NULL};
    mpfi_t t, k;
    mpfi_init2(t, want->bits);
    mpfi_init2(k, want->bits);
    mpfi_ptr x = figure_enclose(&out[0], want->bits);
    mpfi_set_ui(x, 0);
    mpfi_set_q(t, q->order);
    mpfi_sub_ui(t, t, 1);
    bool ok = true;
    for (size_t way = 0; ok && way < q->sides->ways; way++) {
        ok = curve_moment(k, &list, way, t);
        mpfi_div(k, k, t);
        ival_take_most(x, k);
    }
    mpfi_clear(k);
    mpfi_clear(t);
    if (ok && mpfr_inf_p(&x->left))
        figure_set_infinite(&out[0]);
    return ok ? DP_OK : DP_UNAVAILABLE;
}

#define LIST                                                                                       \
    "parameters fixed in advance, each mechanism as stated given the outputs of the earlier "      \
    "ones; "                                                                                       \
    "the adjacency of the list"

const bound compose_renyi = {
    .theorem = {.id = "compose-renyi",
                .family = "compose",
                .verdict = DP_PROVED,
                .source = "Mironov 2017, Renyi Differential Privacy, with the conversion of "
                          "Canonne, Kamath, Steinke 2020",
                .statement = "for every order alpha = 1+t > 1: epsilon = (K(t) + ln kappa(t) - ln "
                             "d)/t, K(t) = t times the sum of the Renyi divergences of order "
                             "alpha, kappa(t) = t^t/(1+t)^(1+t), delta = 1 - (1-d) prod(1-leak_i)",
                .assumes = LIST,
                .proof = "(1 - e^-u)_+ <= kappa(t) e^(tu) inside the expectation that is delta; "
                         "every order is sound, and the order shown is close to the best."},
    .applies = renyi_applies,
    .eval = eval_renyi,
    .methods = METHOD(RDP),
    .output = {"epsilon", "delta", "alpha"},
    .also_for = "curve|gaussian|laplace",
    .of_mechanisms = true,
    .only_all = true};

const bound compose_zcdp_sum = {
    .theorem = {.id = "compose-zcdp-sum",
                .family = "compose",
                .verdict = DP_PROVED,
                .source = "Bun, Steinke 2016, Concentrated Differential Privacy, with the "
                          "conversion of Canonne, Kamath, Steinke 2020",
                .statement = "xi and rho add; for every order alpha = 1+t > 1: epsilon = (t (xi + "
                             "rho alpha) + ln kappa(t) - ln d)/t, delta = 1 - (1-d) "
                             "prod(1-leak_i)",
                .assumes = LIST,
                .proof = "compose-renyi with the bound xi + rho alpha of each divergence; of pure "
                         "mechanisms rho is epsilon tanh(epsilon/2)."},
    .applies = zcdp_applies,
    .eval = eval_zcdp,
    .methods = METHOD(ZCDP),
    .output = {"epsilon", "delta", "rho", "alpha"},
    .also_for = "curve|gaussian|laplace",
    .of_mechanisms = true,
    .only_all = true};

const bound divergence_renyi_sum = {
    .theorem = {.id = "divergence-renyi-sum",
                .family = "divergence",
                .verdict = DP_PROVED,
                .source = "Mironov 2017, Renyi Differential Privacy, Proposition 1",
                .statement =
                    "D_alpha <= the sum of the Renyi divergences of order alpha > 1 of the "
                    "mechanisms, the larger one of both directions; infinite where "
                    "something leaks",
                .assumes = LIST,
                .proof = "Renyi divergence adds up over adaptive composition; of a dominating pair "
                         "it is ln E_P[e^((alpha-1) L)] / (alpha-1)."},
    .applies = sum_applies,
    .eval = eval_sum,
    .output = {"renyi", "alpha"},
    .of_mechanisms = true};
