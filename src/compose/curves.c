/* SPDX-License-Identifier: MIT */
/* Lists of mechanisms by moments. Any order is sound: it is chosen once for a question, and the
 * figures are those at it. */
#include "compose/curves.h"

#include <math.h>
#include <stdlib.h>

#include "core/mechanism.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/number.h"

#define GUESS_BITS 64

typedef enum source { OF_CURVES, OF_ZCDP } source;

/* t (xi + rho (t + 1)) of all items and mechanisms. False where one has no such statement. */
static bool zcdp_moment(mpfi_t k, mpfi_t rho_sum, const curve_in *q, const mpfi_t t)
{
    mpfr_prec_t bits = mpfi_get_prec(k);
    mpfi_t xi, rho, total;
    mpfi_ptr all[] = {xi, rho, total};
    for (size_t i = 0; i < 3; i++)
        mpfi_init2(all[i], bits);
    composed_sum(rho_sum, q->list, SUM_MEAN); /* of eps tanh(eps/2) of the items */
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
    if (q->list->losses > 0)
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

/* The divergence of one mechanism without a pair: between points that are known, as its type says,
 * or what zCDP says of it. */
static bool divergence_of(mpfi_t r, const curve_in *q, size_t i, mpq_srcptr order)
{
    const dp_mechanism *m = q->items->uses->use[i].mechanism;
    if (q->points[i].count > 0) {
        renyi_curve c = renyi_points_curve(&q->points[i]);
        c.at(r, c.of, order);
        return true;
    }
    mpfi_t alpha, xi;
    mpfi_init2(alpha, mpfi_get_prec(r) + 256); /* a form may cancel much of it */
    mpfi_init2(xi, mpfi_get_prec(r));
    mpfi_set_q(alpha, order);
    bool ok = true;
    if (q->near && m->type->near_curve != NULL) {
        order_less_one(xi, order);
        mpfi_set_d(r, m->type->near_curve(m, mpfi_get_d(xi)));
    } else if (m->type->curve != NULL) {
        ok = m->type->curve(r, m, alpha) == DP_OK;
    } else {
        ok = m->type->zcdp != NULL && m->type->zcdp(xi, r, m) == DP_OK;
        mpfi_mul(r, r, alpha);
        mpfi_add(r, r, xi);
    }
    mpfi_clear(xi);
    mpfi_clear(alpha);
    return ok;
}

/* Of mechanisms that have no pair, or one that is above their class: t times their divergences. */
static bool add_without_pair(mpfi_t k, const curve_in *q, mpq_srcptr order, const mpfi_t t)
{
    mpfi_t r;
    mpfi_init2(r, mpfi_get_prec(k));
    bool ok = true;
    for (size_t i = 0; ok && i < uses_count(q->items); i++) {
        const dp_use *u = &q->items->uses->use[i];
        if (u->mechanism->type->pair != NULL && !u->mechanism->type->of_class)
            continue;
        ok = divergence_of(r, q, i, order);
        ival_mul_z(r, r, u->times);
        mpfi_mul(r, r, t);
        mpfi_add(k, k, r);
    }
    mpfi_clear(r);
    return ok;
}

/* ln M(t) of a law, or about that */
static void law_moment(mpfi_t k, const loss *l, const mpfi_t t, bool near, const limits *lim)
{
    double guess[3] = {0, 0, 0};
    if (near)
        l->ops->guess(guess, l->self, mpfi_get_d(t), LOSS_K);
    if (near && guess[0] < HUGE_VAL)
        mpfi_set_d(k, guess[0]);
    else
        l->ops->log_moment(k, l->self, t, lim);
}

static bool curve_moment(mpfi_t k, const curve_in *q, size_t way, mpq_srcptr order, const mpfi_t t)
{
    const product *p = &q->sides->of[way][DP_UPPER].product;
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(k));
    mpfi_set_ui(k, 0);
    for (size_t i = 0; i < p->count; i++) {
        if (p->item[i].ops->of_class)
            continue;
        law_moment(part, &p->item[i], t, q->near, q->lim);
        mpfi_add(k, k, part);
    }
    mpfi_clear(part);
    return add_without_pair(k, q, order, t);
}

/* g = K(t) + ln kappa(t) */
static bool enclose(mpfi_t g, mpfi_t rho, const curve_in *q, size_t way, source from,
                    mpq_srcptr order, const mpfi_t t)
{
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(g));
    bool ok = from == OF_ZCDP ? zcdp_moment(g, rho, q, t) : curve_moment(g, q, way, order, t);
    renyi_log_kappa(part, t);
    mpfi_add(g, g, part);
    mpfi_clear(part);
    return ok && !ival_bad(g);
}

/* x = the figure at order 1 + t in that direction: epsilon at the target delta, or delta. False
 * where no slack is left beside the leaks. */
static bool at_order(mpfi_t x, mpfi_t rho, const curve_in *q, size_t way, source from,
                     mpq_srcptr order)
{
    mpfr_prec_t bits = mpfi_get_prec(x);
    const product *p = &q->sides->of[way][DP_UPPER].product;
    mpfi_t keep, g, t;
    mpfi_init2(keep, bits);
    mpfi_init2(g, bits);
    mpfi_init2(t, bits);
    order_less_one(t, order);
    bool ok = enclose(g, rho, q, way, from, order, t);
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
    mpfi_clear(t);
    mpfi_clear(g);
    mpfi_clear(keep);
    return ok && !ival_bad(x);
}

/* The greater figure of the directions. */
static bool figure_at(mpfi_t x, mpfi_t rho, const curve_in *q, source from, mpq_srcptr order)
{
    bool ok = at_order(x, rho, q, FORWARD, from, order);
    if (ok && q->sides->ways == 2) {
        mpfi_t other;
        mpfi_init2(other, mpfi_get_prec(x));
        ok = at_order(other, rho, q, BACKWARD, from, order);
        ival_take_most(x, other);
        mpfi_clear(other);
    }
    return ok;
}

/* ---- the order ---- */

typedef struct goal {
    const curve_in *q;
    source from;
    double began; /* on limits_clock */
} goal;

/* Of a search that takes long what was found must do when the time is over. */
#define SHORT_SEARCH 0.1 /* seconds */
static bool is_late(const goal *g)
{
    return g->q->lim != NULL && limits_expired(g->q->lim) &&
           limits_clock() - g->began > SHORT_SEARCH;
}

/* Epsilon, or the logarithm of delta, about */
static double value_at(const void *of, mpq_srcptr alpha, double t)
{
    const goal *g = of;
    (void)t;
    if (is_late(g))
        return HUGE_VAL;
    mpfi_t x, rho;
    mpfi_init2(x, GUESS_BITS);
    mpfi_init2(rho, GUESS_BITS);
    double found = HUGE_VAL;
    curve_in q = *g->q;
    q.near = true;
    if (figure_at(x, rho, &q, g->from, alpha)) {
        if (g->q->target_delta == NULL && !mpfr_zero_p(&x->right))
            mpfr_log(&x->right, &x->right, MPFR_RNDN);
        found = mpfr_get_d(&x->right, MPFR_RNDN);
    }
    mpfi_clear(rho);
    mpfi_clear(x);
    return found;
}

/* The order of the row, chosen when it is first asked for; NULL: none gives anything. */
static mpq_srcptr order_of(const curve_in *q, source from)
{
    order_choice *c = &q->choice[from];
    if (!c->made && (q->target_delta != NULL || q->target_epsilon != NULL)) {
        goal g = {q, from, limits_clock()};
        order_search s = {.at = value_at, .of = &g};
        if (from == OF_CURVES) {
            s.most = q->most;
            s.corner = (const mpq_t *)q->corner;
            s.corners = q->corners;
        }
        c->found = order_choose(c->alpha, &s);
        c->made = true;
    }
    return c->found ? c->alpha : NULL;
}

static int compare(const void *a, const void *b)
{
    return mpq_cmp(*(const mpq_t *)a, *(const mpq_t *)b);
}

/* The orders of all points, each once. */
static bool collect_corners(curve_in *q, size_t uses)
{
    size_t room = 0, kept = 0;
    for (size_t i = 0; i < uses; i++)
        room += q->points[i].count;
    if ((q->corner = memory_new(room, sizeof *q->corner)) == NULL)
        return false;
    for (size_t i = 0; i < uses; i++)
        for (size_t k = 0; k < q->points[i].count; k++) {
            mpq_init(q->corner[q->corners]);
            mpq_set(q->corner[q->corners++], q->points[i].alpha[k]);
        }
    qsort(q->corner, q->corners, sizeof *q->corner, compare);
    for (size_t i = 0; i < q->corners; i++)
        if (kept == 0 || mpq_cmp(q->corner[i], q->corner[kept - 1]) != 0)
            mpq_swap(q->corner[kept++], q->corner[i]);
    while (q->corners > kept)
        mpq_clear(q->corner[--q->corners]);
    return true;
}

dp_status curves_init(curve_in *q, const dp_composition *items, const composed *list,
                      const sides *s, const logform *target_epsilon, mpq_srcptr target_delta)
{
    size_t uses = uses_count(items);
    *q = (curve_in){items,          list,         s,
                    target_epsilon, target_delta, .choice = memory_zero(2, sizeof *q->choice)};
    q->points = memory_zero(uses, sizeof *q->points);
    bool ok = q->choice != NULL && q->points != NULL;
    for (size_t i = 0; q->choice != NULL && i < 2; i++)
        mpq_init(q->choice[i].alpha);
    for (size_t i = 0; ok && i < uses; i++) {
        const dp_mechanism *m = items->uses->use[i].mechanism;
        if (m->type->points == NULL)
            continue;
        ok = m->type->points(&q->points[i], m);
        mpq_srcptr most = ok ? q->points[i].alpha[q->points[i].count - 1] : NULL;
        if (ok && (q->most == NULL || mpq_cmp(most, q->most) < 0))
            q->most = most;
    }
    ok = ok && collect_corners(q, uses);
    return ok ? DP_OK : DP_MEMORY;
}

void curves_clear(curve_in *q)
{
    for (size_t i = 0; q->points != NULL && i < uses_count(q->items); i++)
        renyi_points_clear(&q->points[i]);
    for (size_t i = 0; i < q->corners; i++)
        mpq_clear(q->corner[i]);
    for (size_t i = 0; q->choice != NULL && i < 2; i++)
        mpq_clear(q->choice[i].alpha);
    memory_free(q->corner);
    memory_free(q->points);
    memory_free(q->choice);
}

/* ---- rows ---- */

/* out = epsilon, delta, rho for zCDP, alpha */
static dp_status evaluate(dp_figure *out, const curve_in *q, source from, const wanted *want)
{
    mpq_srcptr order = order_of(q, from);
    if (order == NULL)
        return DP_LIMIT;
    mpfi_t x, rho;
    mpfi_init2(x, want->bits);
    mpfi_init2(rho, want->bits);
    bool ok = figure_at(x, rho, q, from, order);
    if (ok) {
        if (q->target_delta != NULL)
            figure_set_q(&out[1], q->target_delta);
        else
            figure_set_form(&out[0], q->target_epsilon, want->bits);
        mpfi_set(figure_enclose(&out[q->target_delta != NULL ? 0 : 1], want->bits), x);
        if (from == OF_ZCDP && !rho_q(out[2].rational, q))
            mpfi_set(figure_enclose(&out[2], want->bits), rho);
        else if (from == OF_ZCDP)
            out[2].kind = DP_RATIONAL;
        figure_set_q(&out[from == OF_ZCDP ? 3 : 2], order);
    }
    mpfi_clear(rho);
    mpfi_clear(x);
    return ok ? DP_OK : DP_LIMIT;
}

static bool renyi_applies(const void *in)
{
    return order_of(in, OF_CURVES) != NULL;
}

static bool zcdp_applies(const void *in)
{
    const curve_in *q = in;
    return sides_have_zcdp(q->items) && order_of(q, OF_ZCDP) != NULL;
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
        const product *p = &s->of[way][DP_UPPER].product;
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
    curve_in list;
    mpfi_t t, k;
    bool ok = curves_init(&list, q->items, NULL, q->sides, NULL, NULL) == DP_OK;
    mpfi_init2(t, want->bits);
    mpfi_init2(k, want->bits);
    mpfi_ptr x = figure_enclose(&out[0], want->bits);
    mpfi_set_ui(x, 0);
    mpfi_set_q(t, q->order);
    mpfi_sub_ui(t, t, 1);
    for (size_t way = 0; ok && way < q->sides->ways; way++) {
        ok = curve_moment(k, &list, way, q->order, t);
        mpfi_div(k, k, t);
        ival_take_most(x, k);
    }
    mpfi_clear(k);
    mpfi_clear(t);
    curves_clear(&list);
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
    .also_for = "curve|discrete-gaussian|gaussian|laplace",
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
    .also_for = "curve|discrete-gaussian|gaussian|laplace",
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
