/* SPDX-License-Identifier: MIT */
/* Rows at one order, and what is least at the best one. With t = alpha - 1 and kappa(t) =
 * t^t / (1+t)^(1+t) the improved row is epsilon = r + (ln kappa - ln delta)/t, for
 * (1 - e^-u)_+ <= kappa(t) e^(tu); the classic one has kappa(t) <= 1. */
#include "renyi/conversion.h"

#include <math.h>

#include "num/ival.h"
#include "renyi/order.h"

void renyi_log_kappa(mpfi_t out, const mpfi_t t)
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
    order_less_one(t, alpha);
    ival_log_q(sum, delta);
    mpfi_neg(sum, sum);
    if (improved) {
        renyi_log_kappa(part, t);
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
    order_less_one(t, alpha);
    mpfi_sub(part, r, x);
    mpfi_mul(part, part, t);
    if (improved) {
        renyi_log_kappa(out, t);
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
#define GUESS_BITS 64

typedef struct goal {
    const renyi_curve *curve;
    bool improved, at_epsilon;
    double given; /* ln delta, or x */
} goal;

/* About r at alpha = 1 + t */
static double near(const renyi_curve *c, mpq_srcptr alpha, double t)
{
    if (c->guess != NULL)
        return c->guess(c->of, t);
    mpfi_t r;
    mpfi_init2(r, GUESS_BITS);
    c->at(r, c->of, alpha);
    double bound = mpfr_get_d(&r->right, MPFR_RNDU);
    mpfi_clear(r);
    return bound;
}

/* About epsilon, or ln delta, at alpha = 1 + t */
static double value_at(const void *of, mpq_srcptr alpha, double t)
{
    const goal *g = of;
    double kappa = g->improved ? -t * log1p(1 / t) - log1p(t) : 0;
    double bound = near(g->curve, alpha, t);
    return g->at_epsilon ? t * (bound - g->given) + kappa : bound + (kappa - g->given) / t;
}

static bool choose(mpq_t alpha, const goal *g)
{
    const renyi_curve *c = g->curve;
    return order_choose(alpha,
                        &(order_search){value_at, g, c->least, c->most, c->corner, c->corners});
}

bool renyi_order_epsilon(mpq_t alpha, const renyi_curve *c, bool improved, const mpq_t delta)
{
    mpfi_t log_delta;
    mpfi_init2(log_delta, GUESS_BITS);
    ival_log_q(log_delta, delta);
    goal g = {c, improved, false, mpfi_get_d(log_delta)};
    mpfi_clear(log_delta);
    return choose(alpha, &g);
}

bool renyi_order_delta(mpq_t alpha, const renyi_curve *c, bool improved, const mpfi_t x)
{
    return choose(alpha, &(goal){c, improved, true, mpfi_get_d(x)});
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
static void line_at(mpfi_t r, const void *of, mpq_srcptr alpha)
{
    const zcdp *z = of;
    mpq_t sum;
    mpq_init(sum);
    mpq_mul(sum, z->rho, alpha);
    mpq_add(sum, sum, z->xi);
    mpfi_set_q(r, sum);
    ival_at_least_zero(r);
    mpq_clear(sum);
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
