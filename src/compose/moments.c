/* SPDX-License-Identifier: MIT */
/* Composition through moments of the loss: with K(t) a bound of ln E_P e^(tL) and
 * kappa(t) = t^t/(1+t)^(1+t), for every t = alpha - 1 > 0
 *     epsilon(d) = (K(t) + ln kappa(t) - ln d) / t,      d(x) = kappa(t) e^(K(t) - t x),
 * because (1 - e^-u)_+ <= kappa(t) e^(tu). Any order is sound, so it is searched for in doubles and
 * polished without proof; the order kept is a short decimal and the figures are those at it. */
#include <math.h>

#include "compose/slack.h"
#include "engine/tilt.h"
#include "num/decimal.h"
#include "num/ival.h"

/* K(t) of the list itself, or rho t (t+1) with rho = sum eps tanh(eps/2). */
typedef enum moment_kind { MOMENT_EXACT, MOMENT_ZCDP } moment_kind;

typedef struct moment {
    moment_kind kind;
    const compose_in *q;
    buckets list;
    loss law;
    tilt tilt;
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
    composed_sums s;
    composed_sums_init(&s, q->list, bits);
    mpfi_set(m->rho, s.mean);
    composed_sums_clear(&s);
    bool ok = buckets_init(&m->list, q->list->response);
    tilt_init_buckets(&m->tilt, &m->law, &m->list);
    if (m->at_epsilon) {
        logform_enclose(m->x, q->target_epsilon);
        mpfi_sub(m->d, m->x, m->rho); /* the loss must exceed its mean for a slack below 1 */
        return ok && mpfi_is_strictly_pos(m->d);
    }
    slack_from_delta(m->d, q, JOIN_PRODUCT);
    return ok && mpfi_is_strictly_pos(m->d) && mpfr_cmp_ui(&m->d->right, 1) < 0;
}

static void moment_clear(moment *m)
{
    buckets_clear(&m->list);
    mpfi_clear(m->rho);
    mpfi_clear(m->d);
    mpfi_clear(m->x);
}

/* K, K', K'' at t */
static void moment_real(mpfr_t k[3], const moment *m, mpfr_srcptr t)
{
    mpfr_prec_t bits = mpfr_get_prec(k[0]);
    mpfr_t eps, a, part;
    mpfr_init2(eps, bits);
    mpfr_init2(a, bits);
    mpfr_init2(part, bits);
    mpfi_t e;
    mpfi_init2(e, bits);
    for (size_t i = 0; i < 3; i++)
        mpfr_set_ui(k[i], 0, MPFR_RNDN);
    if (m->kind == MOMENT_ZCDP) {
        mpfi_get_fr(eps, m->rho);
        mpfr_mul_2ui(k[2], eps, 1, MPFR_RNDN);
        mpfr_mul(k[1], k[2], t, MPFR_RNDN);
        mpfr_add(k[1], k[1], eps, MPFR_RNDN);
        mpfr_add_ui(k[0], t, 1, MPFR_RNDN);
        mpfr_mul(k[0], k[0], t, MPFR_RNDN);
        mpfr_mul(k[0], k[0], eps, MPFR_RNDN);
    } else {
        mpfi_set_fr(e, t);
        mpfi_t sum;
        mpfi_init2(sum, bits);
        composed_moment(sum, m->q->list, e);
        mpfi_get_fr(k[0], sum);
        mpfi_clear(sum);
        for (size_t i = 0; i < m->q->list->losses; i++) {
            ival_set_number(e, &m->q->list->loss[i].epsilon);
            mpfi_get_fr(eps, e);
            mpfr_add_d(a, t, 0.5, MPFR_RNDN);
            mpfr_mul(a, a, eps, MPFR_RNDN);
            mpfr_tanh(part, a, MPFR_RNDN);
            mpfr_mul(part, part, eps, MPFR_RNDN);
            mpfr_mul_z(part, part, m->q->list->loss[i].times, MPFR_RNDN);
            mpfr_add(k[1], k[1], part, MPFR_RNDN);
            mpfr_cosh(part, a, MPFR_RNDN);
            mpfr_div(part, eps, part, MPFR_RNDN);
            mpfr_sqr(part, part, MPFR_RNDN);
            mpfr_mul_z(part, part, m->q->list->loss[i].times, MPFR_RNDN);
            mpfr_add(k[2], k[2], part, MPFR_RNDN);
        }
    }
    mpfi_clear(e);
    mpfr_clear(part);
    mpfr_clear(a);
    mpfr_clear(eps);
}

/* Stationarity: t g' - g = 0 with g = K + ln kappa - ln d, or K' + ln(t/(1+t)) - x = 0; both grow
 * with t. Doubles bracket the root. */
static double slope_double(const moment *m, double t, double rho, double target)
{
    double k = rho * t * (t + 1), k1 = rho * (2 * t + 1);
    if (m->kind == MOMENT_EXACT) {
        k = tilt_k(&m->tilt, t);
        k1 = tilt_k1(&m->tilt, t);
    }
    double log_ratio = -log1p(1 / t);
    if (m->at_epsilon)
        return k1 + log_ratio - target;
    double log_kappa = t * log_ratio - log1p(t);
    return t * (k1 + log_ratio) - k - log_kappa + target;
}

static double start(const moment *m)
{
    mpfr_t part;
    mpfr_init2(part, 64);
    mpfi_get_fr(part, m->rho);
    double rho = mpfr_get_d(part, MPFR_RNDN), target;
    if (m->at_epsilon) {
        mpfi_get_fr(part, m->x);
    } else {
        mpfi_get_fr(part, m->d);
        mpfr_log(part, part, MPFR_RNDN);
    }
    target = mpfr_get_d(part, MPFR_RNDN);
    mpfr_clear(part);
    double low = -60, high = 80;
    for (int i = 0; i < 70; i++) {
        double middle = (low + high) / 2;
        if (slope_double(m, exp(middle), rho, target) < 0)
            low = middle;
        else
            high = middle;
    }
    return exp((low + high) / 2);
}

/* Newton on the same equation, for orders longer than a double. */
static void polish(mpfr_t t, const moment *m)
{
    mpfr_prec_t bits = mpfr_get_prec(t);
    mpfr_t k[3], f, f1, part;
    for (size_t i = 0; i < 3; i++)
        mpfr_init2(k[i], bits);
    mpfr_init2(f, bits);
    mpfr_init2(f1, bits);
    mpfr_init2(part, bits);
    for (mpfr_prec_t good = 40; good < bits; good *= 2) {
        moment_real(k, m, t);
        mpfr_add_ui(f1, t, 1, MPFR_RNDN);
        mpfr_div(f, t, f1, MPFR_RNDN);
        mpfr_log(f, f, MPFR_RNDN); /* ln(t/(1+t)) */
        mpfr_mul(f1, f1, t, MPFR_RNDN);
        mpfr_ui_div(f1, 1, f1, MPFR_RNDN);
        mpfr_add(f1, f1, k[2], MPFR_RNDN); /* g'' */
        if (m->at_epsilon) {
            mpfi_get_fr(part, m->x);
            mpfr_add(f, f, k[1], MPFR_RNDN);
            mpfr_sub(f, f, part, MPFR_RNDN);
        } else { /* t K' + ln(1+t) - K + ln d, as t ln(t/(1+t)) cancels */
            mpfr_mul(f, k[1], t, MPFR_RNDN);
            mpfr_sub(f, f, k[0], MPFR_RNDN);
            mpfr_log1p(part, t, MPFR_RNDN);
            mpfr_add(f, f, part, MPFR_RNDN);
            mpfi_get_fr(part, m->d);
            mpfr_log(part, part, MPFR_RNDN);
            mpfr_add(f, f, part, MPFR_RNDN);
            mpfr_mul(f1, f1, t, MPFR_RNDN);
        }
        mpfr_div(f, f, f1, MPFR_RNDN);
        mpfr_sub(part, t, f, MPFR_RNDN);
        if (mpfr_number_p(part) && mpfr_sgn(part) > 0)
            mpfr_set(t, part, MPFR_RNDN);
    }
    for (size_t i = 0; i < 3; i++)
        mpfr_clear(k[i]);
    mpfr_clear(f);
    mpfr_clear(f1);
    mpfr_clear(part);
}

/* The order less one, as a decimal of about half the digits asked for: the figures depend on it to
 * second order only. */
static void choose_order(mpq_t t, const moment *m, mpfr_prec_t bits)
{
    size_t digits = (size_t)(bits > 60 ? bits - 30 : 30) * 3 / 20 + 6;
    mpfr_t x;
    mpfr_init2(x, bits / 2 + 64);
    mpfr_set_d(x, start(m), MPFR_RNDN);
    if (digits > 14)
        polish(x, m);
    dec d;
    dec_init(&d);
    mpz_t ten;
    mpz_init(ten);
    mpq_set_ui(t, 0, 1);
    if (dec_set_fr(&d, x, DP_UPPER, digits)) {
        for (size_t i = 0; i < d.count; i++) {
            mpz_mul_ui(mpq_numref(t), mpq_numref(t), 10);
            mpz_add_ui(mpq_numref(t), mpq_numref(t), (unsigned long)(d.digit[i] - '0'));
        }
        long scale = d.point - (long)d.count;
        mpz_ui_pow_ui(ten, 10, (unsigned long)(scale < 0 ? -scale : scale));
        if (scale < 0)
            mpz_set(mpq_denref(t), ten);
        else
            mpz_mul(mpq_numref(t), mpq_numref(t), ten);
        mpq_canonicalize(t);
    }
    mpz_clear(ten);
    dec_clear(&d);
    mpfr_clear(x);
}

/* g = K(t) + ln kappa(t), enclosed */
static void enclose_moment(mpfi_t g, const moment *m, const mpfi_t t)
{
    mpfi_t part, more;
    mpfi_init2(part, mpfi_get_prec(g));
    mpfi_init2(more, mpfi_get_prec(g));
    if (m->kind == MOMENT_EXACT) {
        composed_moment(g, m->q->list, t);
    } else {
        mpfi_add_ui(g, t, 1);
        mpfi_mul(g, g, t);
        mpfi_mul(g, g, m->rho);
    }
    /* ln kappa = -t log1p(1/t) - log1p(t) */
    mpfi_ui_div(part, 1, t);
    mpfi_log1p(part, part);
    mpfi_mul(part, part, t);
    mpfi_log1p(more, t);
    mpfi_add(part, part, more);
    mpfi_sub(g, g, part);
    mpfi_clear(more);
    mpfi_clear(part);
}

/* out = epsilon, delta, slack, then rho for zCDP, alpha */
static bool evaluate(dp_figure *out, const compose_in *q, moment_kind kind, const wanted *want)
{
    moment m;
    mpfi_t g, t;
    mpq_t order;
    bool ok = moment_init(&m, kind, q, want->bits);
    mpfi_init2(g, want->bits);
    mpfi_init2(t, want->bits);
    mpq_init(order);
    if (ok) {
        choose_order(order, &m, want->bits);
        ok = mpq_sgn(order) > 0;
    }
    if (ok) {
        mpfi_set_q(t, order);
        enclose_moment(g, &m, t);
        if (m.at_epsilon) { /* d = e^(g - t x) */
            mpfi_mul(m.x, m.x, t);
            mpfi_sub(m.d, g, m.x);
            mpfi_exp(m.d, m.d);
            ok = mpfr_cmp_ui(&m.d->right, 1) < 0;
            slack_set_target(&out[0], q->target_epsilon, want->bits);
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
        mpz_add(mpq_numref(order), mpq_numref(order), mpq_denref(order));
        figure_set_q(&out[next], order);
    }
    mpq_clear(order);
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
