/* SPDX-License-Identifier: MIT */
/* Composition through moments of the loss: with K(t) a bound of ln E_P e^(tL) and
 * kappa(t) = t^t/(1+t)^(1+t), for every t = alpha - 1 > 0
 *     epsilon(d) = (K(t) + ln kappa(t) - ln d) / t,      d(x) = kappa(t) e^(K(t) - t x),
 * because (1 - e^-u)_+ <= kappa(t) e^(tu). Any order is sound: it is chosen once for a question,
 * and the figures are those at it. */
#include <math.h>

#include "compose/slack.h"
#include "engine/tilt.h"
#include "num/ival.h"
#include "renyi/conversion.h"

/* K(t) of the list itself, or rho t (t+1) with rho = sum eps tanh(eps/2). */
typedef enum moment_kind { MOMENT_EXACT, MOMENT_ZCDP } moment_kind;

typedef struct moment {
    moment_kind kind;
    const compose_in *q;
    mpfi_t rho, d, x; /* the slack, or the target epsilon */
    bool at_epsilon;
} moment;

static bool moment_init(moment *m, moment_kind kind, const compose_in *q, mpfr_prec_t bits)
{
    m->kind = kind;
    m->q = q;
    m->at_epsilon = q->target_epsilon != NULL && q->slack == NULL;
    mpfi_init2(m->rho, bits);
    mpfi_init2(m->d, bits);
    mpfi_init2(m->x, bits);
    composed_sum(m->rho, q->list, SUM_MEAN);
    if (m->at_epsilon) {
        logform_enclose(m->x, q->target_epsilon);
        mpfi_sub(m->d, m->x, m->rho); /* the loss must exceed its mean for a slack below 1 */
        return mpfi_is_strictly_pos(m->d);
    }
    slack_from_delta(m->d, q, JOIN_PRODUCT);
    return mpfi_is_strictly_pos(m->d) && mpfr_cmp_ui(&m->d->right, 1) < 0;
}

static void moment_clear(moment *m)
{
    mpfi_clear(m->rho);
    mpfi_clear(m->d);
    mpfi_clear(m->x);
}

/* ---- the order ---- */

typedef struct goal {
    const tilt *tilt; /* NULL: rho t (t+1) */
    double rho, target;
    bool at_epsilon;
} goal;

/* Epsilon, or ln d, about */
static double value_at(const void *of, mpq_srcptr alpha, double t)
{
    (void)alpha;
    const goal *g = of;
    double k = g->tilt != NULL ? tilt_k(g->tilt, t) : g->rho * t * (t + 1);
    double sum = k - t * log1p(1 / t) - log1p(t);
    return g->at_epsilon ? sum - t * g->target : (sum - g->target) / t;
}

static bool choose_order(mpq_t alpha, const moment *m)
{
    buckets list;
    loss law;
    tilt around;
    goal g = {.rho = mpfi_get_d(m->rho), .at_epsilon = m->at_epsilon};
    mpfr_t part;
    mpfr_init2(part, 64);
    mpfi_get_fr(part, m->at_epsilon ? m->x : m->d);
    if (!m->at_epsilon) /* beyond the doubles where d is tiny */
        mpfr_log(part, part, MPFR_RNDN);
    g.target = mpfr_get_d(part, MPFR_RNDN);
    mpfr_clear(part);
    bool ok = buckets_init(&list, m->q->list->response);
    tilt_init_buckets(&around, &law, &list);
    if (m->kind == MOMENT_EXACT)
        g.tilt = &around;
    ok = ok && order_choose(alpha, &(order_search){.at = value_at, .of = &g});
    buckets_clear(&list);
    return ok;
}

/* The order of the row, chosen when it is first asked for; NULL: none. */
static mpq_srcptr order_of(const moment *m)
{
    order_choice *c = &m->q->choice[m->kind];
    if (!c->made)
        c->found = choose_order(c->alpha, m);
    c->made = true;
    return c->found ? c->alpha : NULL;
}

/* g = K(t) + ln kappa(t), enclosed */
static void enclose_moment(mpfi_t g, const moment *m, const mpfi_t t)
{
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(g));
    if (m->kind == MOMENT_EXACT) {
        composed_moment(g, m->q->list, t);
    } else {
        mpfi_add_ui(g, t, 1);
        mpfi_mul(g, g, t);
        mpfi_mul(g, g, m->rho);
    }
    renyi_log_kappa(part, t);
    mpfi_add(g, g, part);
    mpfi_clear(part);
}

/* out = epsilon, delta, slack, then rho for zCDP, alpha */
static bool evaluate(dp_figure *out, const compose_in *q, moment_kind kind, const wanted *want)
{
    moment m;
    mpfi_t g, t;
    bool ok = moment_init(&m, kind, q, want->bits);
    mpfi_init2(g, want->bits);
    mpfi_init2(t, want->bits);
    mpq_srcptr order = ok ? order_of(&m) : NULL;
    ok = order != NULL;
    if (ok) {
        order_less_one(t, order);
        enclose_moment(g, &m, t);
        if (m.at_epsilon) { /* d = e^(g - t x) */
            mpfi_mul(m.x, m.x, t);
            mpfi_sub(m.d, g, m.x);
            mpfi_exp(m.d, m.d);
            ok = mpfr_cmp_ui(&m.d->right, 1) < 0;
            figure_set_form(&out[0], q->target_epsilon, want->bits);
        } else {
            mpfi_ptr x = figure_enclose(&out[0], want->bits);
            mpfi_log(x, m.d);
            mpfi_sub(x, g, x);
            mpfi_div(x, x, t);
            ival_at_least_zero(x);
        }
        slack_join(&out[1], q, JOIN_PRODUCT, m.d, want);
        slack_set(&out[2], q, JOIN_PRODUCT, m.d, want);
        size_t next = 3;
        if (kind == MOMENT_ZCDP)
            mpfi_set(figure_enclose(&out[next++], want->bits), m.rho);
        figure_set_q(&out[next], order);
    }
    mpfi_clear(t);
    mpfi_clear(g);
    moment_clear(&m);
    return ok;
}

static bool applies(const compose_in *q, moment_kind kind)
{
    if ((q->slack == NULL && q->target_delta == NULL && q->target_epsilon == NULL) ||
        q->list->certain_leak || q->list->losses == 0)
        return false;
    dp_figure out[BOUND_OUTPUTS];
    for (size_t i = 0; i < BOUND_OUTPUTS; i++)
        dp_figure_init(&out[i]);
    bool ok = evaluate(out, q, kind, &(wanted){192, false});
    for (size_t i = 0; i < BOUND_OUTPUTS; i++)
        dp_figure_clear(&out[i]);
    return ok;
}

static bool rdp_applies(const void *in)
{
    return applies(in, MOMENT_EXACT);
}

static bool zcdp_applies(const void *in)
{
    return applies(in, MOMENT_ZCDP);
}

static dp_status eval_rdp(dp_figure *out, const void *in, const wanted *want)
{
    return evaluate(out, in, MOMENT_EXACT, want) ? DP_OK : DP_LIMIT;
}

static dp_status eval_zcdp(dp_figure *out, const void *in, const wanted *want)
{
    return evaluate(out, in, MOMENT_ZCDP, want) ? DP_OK : DP_LIMIT;
}

static const deviation_rule simple = {DEVIATION_TAIL, JOIN_PRODUCT, CENTRE_MEAN, true};
static const deviation_rule classic = {DEVIATION_TAIL, JOIN_PRODUCT, CENTRE_HALF_SQUARE, false};

static bool simple_applies(const void *in)
{
    return slack_applies(in, &simple);
}

static bool classic_applies(const void *in)
{
    return slack_applies(in, &classic);
}

static dp_status eval_simple(dp_figure *out, const void *in, const wanted *want)
{
    return slack_evaluate(out, in, &simple, want);
}

static dp_status eval_classic(dp_figure *out, const void *in, const wanted *want)
{
    return slack_evaluate(out, in, &classic, want);
}

#define LIST                                                                                       \
    "parameters fixed in advance, " GIVEN_EARLIER "; the adjacency of the items; d is the slack"

const bound compose_rdp = {
    .theorem =
        {.id = "compose-rdp",
         .family = "compose",
         .verdict = DP_PROVED,
         .source = "Mironov 2017, Renyi Differential Privacy, with the exact Renyi divergence of "
                   "randomized response and the conversion of Canonne, Kamath, Steinke 2020",
         .statement =
             "for every order alpha = 1+t > 1: epsilon = (K(t) + ln kappa(t) - ln d)/t, K(t) "
             "= sum ln(cosh(epsilon_i(t+1/2))/cosh(epsilon_i/2)), kappa(t) = "
             "t^t/(1+t)^(1+t), delta = 1 - (1-d) prod(1-delta_i)",
         .assumes = LIST,
         .proof = "(1 - e^-u)_+ <= kappa(t) e^(tu) inside the expectation that is the optimum; "
                  "every order is sound, and the order shown is close to the best. Leaks join as "
                  "in compose-kov."},
    .applies = rdp_applies,
    .eval = eval_rdp,
    .methods = METHOD(RDP),
    .output = {"epsilon", "delta", "slack", "alpha"},
    .only_all = true};

const bound compose_zcdp = {
    .theorem =
        {.id = "compose-zcdp",
         .family = "compose",
         .verdict = DP_PROVED,
         .source =
             "Bun, Steinke 2016, Concentrated Differential Privacy, with the best rho of pure "
             "mechanisms and the conversion of Canonne, Kamath, Steinke 2020",
         .statement = "rho = sum epsilon_i tanh(epsilon_i/2); for every alpha = 1+t > 1: epsilon = "
                      "(rho t (t+1) + ln kappa(t) - ln d)/t, delta = 1 - (1-d) prod(1-delta_i)",
         .assumes = LIST,
         .proof = "The Renyi divergence of randomized response is at most alpha rho, with equality "
                  "as alpha tends to 1; then as compose-rdp."},
    .applies = zcdp_applies,
    .eval = eval_zcdp,
    .methods = METHOD(ZCDP),
    .output = {"epsilon", "delta", "slack", "rho", "alpha"},
    .only_all = true};

const bound compose_zcdp_simple = {
    .theorem = {.id = "compose-zcdp-simple",
                .family = "compose",
                .verdict = DP_PROVED,
                .source =
                    "Bun, Steinke 2016, Proposition 1.3, with the best rho of pure mechanisms",
                .statement = "(rho + 2 sqrt(rho ln(1/d)), 1 - (1-d) prod(1-delta_i))-DP, rho = sum "
                             "epsilon_i tanh(epsilon_i/2)",
                .assumes = LIST,
                .proof = "compose-zcdp at alpha = 1 + sqrt(ln(1/d)/rho) with kappa(t) <= 1."},
    .applies = simple_applies,
    .eval = eval_simple,
    .methods = METHOD(ZCDP),
    .output = {"epsilon", "delta", "slack"},
    .only_all = true};

const bound compose_zcdp_classic = {
    .theorem = {.id = "compose-zcdp-classic",
                .family = "compose",
                .verdict = DP_PROVED,
                .source = "Bun, Steinke 2016, Propositions 1.3 and 1.4",
                .statement = "(rho + 2 sqrt(rho ln(1/d)), 1 - (1-d) prod(1-delta_i))-DP, rho = sum "
                             "epsilon_i^2/2",
                .assumes = LIST,
                .proof = "compose-zcdp-simple with a larger rho."},
    .applies = classic_applies,
    .eval = eval_classic,
    .methods = METHOD(ZCDP),
    .output = {"epsilon", "delta", "slack"},
    .only_all = true};
