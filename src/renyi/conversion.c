/* SPDX-License-Identifier: MIT */
/* Rows at one order, and the search for an order. With t = alpha - 1 and kappa(t) =
 * t^t / (1+t)^(1+t) the improved row is epsilon = r + (ln kappa - ln delta)/t, for
 * (1 - e^-u)_+ <= kappa(t) e^(tu); the classic one has kappa(t) <= 1. */
#include "renyi/conversion.h"

#include <math.h>

#include "num/decimal.h"
#include "num/ival.h"

/* t encloses alpha - 1, one rounding away */
static void less_one(mpfi_t t, const mpq_t alpha)
{
    mpq_t q;
    mpq_init(q);
    mpz_sub(mpq_numref(q), mpq_numref(alpha), mpq_denref(alpha));
    mpz_set(mpq_denref(q), mpq_denref(alpha));
    mpfi_set_q(t, q);
    mpq_clear(q);
}

/* out = ln kappa(t) = -t log1p(1/t) - log1p(t) */
static void log_kappa(mpfi_t out, const mpfi_t t)
{
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(out));
    mpfi_log1p(part, t);
    mpfi_ui_div(out, 1, t);
    mpfi_log1p(out, out);
    mpfi_mul(out, out, t);
    mpfi_add(out, out, part);
    mpfi_neg(out, out);
    mpfi_clear(part);
}

static void row_epsilon(mpfi_t out, const mpfi_t r, const mpq_t alpha, const mpq_t delta,
                        bool improved)
{
    mpfi_t t, part, sum;
    mpfi_init2(t, mpfi_get_prec(out));
    mpfi_init2(part, mpfi_get_prec(out));
    mpfi_init2(sum, mpfi_get_prec(out));
    less_one(t, alpha);
    ival_log_q(sum, delta);
    mpfi_neg(sum, sum);
    if (improved) {
        log_kappa(part, t);
        mpfi_add(sum, sum, part);
    }
    mpfi_div(sum, sum, t);
    mpfi_add(out, sum, r);
    ival_at_least_zero(out);
    mpfi_clear(sum);
    mpfi_clear(part);
    mpfi_clear(t);
}

void renyi_classic_epsilon(mpfi_t out, const mpfi_t r, const mpq_t alpha, const mpq_t delta)
{
    row_epsilon(out, r, alpha, delta, false);
}

void renyi_improved_epsilon(mpfi_t out, const mpfi_t r, const mpq_t alpha, const mpq_t delta)
{
    row_epsilon(out, r, alpha, delta, true);
}

static void row_delta(mpfi_t out, const mpfi_t r, const mpq_t alpha, const mpfi_t x, bool improved)
{
    mpfi_t t, part;
    mpfi_init2(t, mpfi_get_prec(out));
    mpfi_init2(part, mpfi_get_prec(out));
    less_one(t, alpha);
    mpfi_sub(part, r, x);
    mpfi_mul(part, part, t);
    if (improved) {
        log_kappa(out, t);
        mpfi_add(part, part, out);
    }
    mpfi_exp(out, part);
    ival_clamp_ui(out, 0, 1);
    mpfi_clear(part);
    mpfi_clear(t);
}

void renyi_classic_delta(mpfi_t out, const mpfi_t r, const mpq_t alpha, const mpfi_t x)
{
    row_delta(out, r, alpha, x, false);
}

void renyi_improved_delta(mpfi_t out, const mpfi_t r, const mpq_t alpha, const mpfi_t x)
{
    row_delta(out, r, alpha, x, true);
}

void renyi_total_variation(mpfi_t out, const mpfi_t r)
{
    mpfi_neg(out, r);
    mpfi_expm1(out, out);
    mpfi_neg(out, out);
    ival_at_least_zero(out);
    mpfi_sqrt(out, out);
}

/* ---- the order ------------------------------------------------------------------------------ */
/* Orders are searched for between 1 + 10^-6, below which the row is sound and of no use, and where
 * the doubles end to help. */
#define LEAST_LOG (-13.8)
#define MOST_LOG 32.0
#define LOG_STEP 0.4
#define GOLDEN_STEPS 48
#define ORDER_BITS 64
#define ORDER_DIGITS 10

typedef struct search {
    const renyi_curve *curve;
    bool at_epsilon;
    double given; /* ln delta, or x */
    double low, high;
} search;

/* About the logarithm of what is minimised, or that itself, at t = e^u. */
static double objective(const search *s, double u)
{
    double t = exp(u), kappa = -t * log1p(1 / t) - log1p(t);
    mpfi_t r, alpha;
    mpfi_init2(r, ORDER_BITS);
    mpfi_init2(alpha, ORDER_BITS);
    mpfi_set_d(alpha, t);
    mpfi_add_ui(alpha, alpha, 1);
    s->curve->at(r, s->curve->of, alpha);
    double bound = mpfr_get_d(&r->right, MPFR_RNDU);
    mpfi_clear(alpha);
    mpfi_clear(r);
    double f = s->at_epsilon ? t * (bound - s->given) + kappa : bound + (kappa - s->given) / t;
    return isnan(f) ? HUGE_VAL : f;
}

/* The least of a grid, then by golden section around it: the objective has one valley, or nearly.
 */
static double best_log(const search *s)
{
    double best = s->low, least = HUGE_VAL;
    for (double u = s->low;; u = fmin(u + LOG_STEP, s->high)) {
        double f = objective(s, u);
        if (f < least) {
            least = f;
            best = u;
        }
        if (!(u < s->high))
            break;
    }
    double a = fmax(best - LOG_STEP, s->low), b = fmin(best + LOG_STEP, s->high);
    const double share = 0.6180339887498949;
    double c = b - share * (b - a), d = a + share * (b - a);
    double at_c = objective(s, c), at_d = objective(s, d);
    for (int i = 0; i < GOLDEN_STEPS; i++) {
        if (at_c < at_d) {
            b = d;
            d = c;
            at_d = at_c;
            c = b - share * (b - a);
            at_c = objective(s, c);
        } else {
            a = c;
            c = d;
            at_c = at_d;
            d = a + share * (b - a);
            at_d = objective(s, d);
        }
    }
    double found = fmin(at_c, at_d) < least ? (at_c < at_d ? c : d) : best;
    return found;
}

/* About ln(alpha - 1) */
static double log_order(mpq_srcptr alpha, double none)
{
    if (alpha == NULL)
        return none;
    mpfi_t t;
    mpfi_init2(t, ORDER_BITS);
    less_one(t, alpha);
    mpfi_log(t, t);
    double u = mpfi_get_d(t);
    mpfi_clear(t);
    return fmax(fmin(u, MOST_LOG), LEAST_LOG);
}

/* alpha = 1 + e^u as a decimal, within the orders of the curve; false when out of memory */
static bool freeze(mpq_t alpha, const renyi_curve *c, double u)
{
    mpfr_t x;
    dec d;
    mpfr_init2(x, ORDER_BITS);
    mpfr_set_d(x, u, MPFR_RNDN);
    mpfr_exp(x, x, MPFR_RNDN);
    dec_init(&d);
    bool ok = dec_set_fr(&d, x, DP_UPPER, ORDER_DIGITS) && dec_get_q(alpha, &d);
    dec_clear(&d);
    mpfr_clear(x);
    if (!ok)
        return false;
    mpz_add(mpq_numref(alpha), mpq_numref(alpha), mpq_denref(alpha));
    if (c->most != NULL && mpq_cmp(alpha, c->most) > 0)
        mpq_set(alpha, c->most);
    if (c->least != NULL && mpq_cmp(alpha, c->least) < 0)
        mpq_set(alpha, c->least);
    return true;
}

static bool find_order(mpq_t alpha, search *s)
{
    s->low = log_order(s->curve->least, LEAST_LOG);
    s->high = log_order(s->curve->most, MOST_LOG);
    return s->low <= s->high && freeze(alpha, s->curve, best_log(s));
}

static void curve_at(mpfi_t r, const renyi_curve *c, const mpq_t alpha)
{
    mpfi_t order;
    mpfi_init2(order, mpfi_get_prec(r));
    mpfi_set_q(order, alpha);
    c->at(r, c->of, order);
    mpfi_clear(order);
}

/* r bounds the divergence of the least order that is looked at, for total variation. */
static bool least_order(mpfi_t r, mpq_t alpha, const renyi_curve *c)
{
    if (!freeze(alpha, c, LEAST_LOG))
        return false;
    curve_at(r, c, alpha);
    return true;
}

bool renyi_epsilon(mpfi_t out, mpq_t alpha, const renyi_curve *c, const mpq_t delta)
{
    mpfi_t r, near;
    mpfi_init2(r, mpfi_get_prec(out));
    mpfi_init2(near, mpfi_get_prec(out));
    search s = {.curve = c};
    ival_log_q(r, delta);
    s.given = mpfi_get_d(r);
    bool ok = least_order(r, alpha, c);
    if (ok)
        renyi_total_variation(near, r);
    if (ok && mpfr_cmp_q(&near->right, delta) <= 0) {
        mpfi_set_ui(out, 0);
    } else if (ok) {
        ok = find_order(alpha, &s);
        if (ok) {
            curve_at(r, c, alpha);
            renyi_improved_epsilon(out, r, alpha, delta);
            ok = mpfr_number_p(&out->right) != 0;
        }
    }
    mpfi_clear(near);
    mpfi_clear(r);
    return ok;
}

bool renyi_delta(mpfi_t out, mpq_t alpha, const renyi_curve *c, const mpfi_t x)
{
    mpfi_t r, near;
    mpq_t order;
    mpfi_init2(r, mpfi_get_prec(out));
    mpfi_init2(near, mpfi_get_prec(out));
    mpq_init(order);
    search s = {.curve = c, .at_epsilon = true, .given = mpfi_get_d(x)};
    bool ok = least_order(r, order, c) && find_order(alpha, &s);
    if (ok) {
        renyi_total_variation(near, r);
        curve_at(r, c, alpha);
        renyi_improved_delta(out, r, alpha, x);
        ok = !ival_bad(out);
        /* both bounds hold of every x >= 0 */
        if (ok && mpfr_sgn(&x->left) >= 0 && mpfr_less_p(&near->right, &out->right)) {
            ival_take_least(out, near);
            mpq_set(alpha, order);
        }
    }
    mpq_clear(order);
    mpfi_clear(near);
    mpfi_clear(r);
    return ok;
}

/* ---- zero-concentrated privacy -------------------------------------------------------------- */
void zcdp_init(zcdp *z)
{
    mpq_init(z->xi);
    mpq_init(z->rho);
}

void zcdp_clear(zcdp *z)
{
    mpq_clear(z->xi);
    mpq_clear(z->rho);
}

/* A divergence is at least 0 whatever xi is. */
static void line_at(mpfi_t r, const void *of, const mpfi_t alpha)
{
    const zcdp *z = of;
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(r));
    mpfi_set_q(part, z->rho);
    mpfi_mul(r, alpha, part);
    mpfi_set_q(part, z->xi);
    mpfi_add(r, r, part);
    ival_at_least_zero(r);
    mpfi_clear(part);
}

renyi_curve zcdp_curve(const zcdp *z)
{
    return (renyi_curve){.at = line_at, .of = z};
}

void zcdp_classic_epsilon(mpfi_t out, const zcdp *z, const mpq_t delta)
{
    mpfi_t part;
    mpq_t sum;
    mpq_init(sum);
    mpfi_init2(part, mpfi_get_prec(out));
    ival_log_q(out, delta);
    mpfi_neg(out, out);
    mpfi_set_q(part, z->rho);
    mpfi_mul(out, out, part);
    mpfi_sqrt(out, out);
    mpfi_mul_2ui(out, out, 1);
    mpq_add(sum, z->xi, z->rho);
    mpfi_set_q(part, sum);
    mpfi_add(out, out, part);
    ival_at_least_zero(out);
    mpfi_clear(part);
    mpq_clear(sum);
}

void zcdp_of_cdp(zcdp *z, const mpq_t mean, const mpq_t tau)
{
    mpq_mul(z->rho, tau, tau);
    mpq_div_2exp(z->rho, z->rho, 1);
    mpq_sub(z->xi, mean, z->rho);
}
