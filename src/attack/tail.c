/* SPDX-License-Identifier: MIT */
/* The tail of the loss of a class. */
#include "attack/tail.h"

#include <math.h>

#include "attack/odds.h"
#include "attack/root.h"
#include "attack/tpr.h"
#include "num/ival.h"
#include "num/number.h"

bool tail_is_none(const attacker *a)
{
    if (a->by == BY_GDP)
        return mpq_sgn(a->mu_squared) == 0;
    for (size_t i = 0; a->by == BY_RDP && i < a->points; i += 2)
        if (mpq_sgn(a->point[i + 1]) == 0)
            return true;
    if (a->by != BY_ZCDP)
        return false;
    mpq_t kl;
    mpq_init(kl);
    mpq_add(kl, a->line.rho, a->line.xi);
    bool none = mpq_sgn(kl) <= 0;
    mpq_clear(kl);
    return none;
}

/* ---- Gaussian: y = Phi(mu - c) = e^t Phi(-c); the ratio grows with c ---- */

#define MOST_GUESS 1e8
#define NEXT_BITS 128 /* next to the least number that there is */

/* out = ln of Phi(-x) over the density at x */
static void log_over_density(mpfi_t out, const mpfi_t x)
{
    if (ival_mills(out, x)) {
        mpfi_log(out, out);
        return;
    }
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(out));
    mpfi_neg(part, x);
    attacker_phi(part, part);
    mpfi_sqr(part, part);
    mpfi_const_pi(out);
    mpfi_mul_2ui(out, out, 1);
    mpfi_mul(part, part, out);
    mpfi_log(part, part);
    mpfi_sqr(out, x);
    mpfi_add(out, out, part);
    mpfi_div_2ui(out, out, 1);
    mpfi_clear(part);
}

/* ln of Phi(mu - c)/Phi(-c), less t: the densities differ by e^(mu c - mu^2/2), so that nothing
 * cancels, or is below all numbers, where c is large. */
static void ratio_less(mpfi_t out, const mpfi_t c, const void *of)
{
    const attacker *a = of;
    mpfi_t mu, part;
    mpfi_init2(mu, mpfi_get_prec(out));
    mpfi_init2(part, mpfi_get_prec(out));
    attacker_mu(mu, a);
    mpfi_sub(part, c, mu);
    log_over_density(out, part);
    mpfi_div_2ui(part, mu, 1);
    mpfi_sub(part, c, part);
    mpfi_mul(part, part, mu);
    mpfi_add(out, out, part);
    log_over_density(part, c);
    mpfi_sub(out, out, part);
    ival_set_number(part, a->t);
    mpfi_sub(out, out, part);
    mpfi_clear(part);
    mpfi_clear(mu);
}

/* About ln of Phi(-x) over the density at x: at large x by a continued fraction. */
static double log_mills(double x)
{
    if (x < 8)
        return log(erfc(x / 1.4142135623730951) / 2) + x * x / 2 + 0.91893853320467274178;
    double part = x;
    for (int i = 40; i > 0; i--)
        part = x + i / part;
    return -log(part);
}

/* About ln of Phi(mu - c)/Phi(-c), less t: the densities differ by e^(mu c - mu^2/2), so that
 * nothing cancels where c is large. */
typedef struct gaussian_guess {
    double mu, t;
} gaussian_guess;

static double near_ratio(const void *of, double c)
{
    const gaussian_guess *g = of;
    return g->mu * (c - g->mu / 2) + log_mills(c - g->mu) - log_mills(c) - g->t;
}

static gaussian_guess guess_from(const attacker *a)
{
    mpfr_t mu;
    mpfr_init2(mu, 64);
    mpfr_set_q(mu, a->mu_squared, MPFR_RNDN);
    mpfr_sqrt(mu, mu, MPFR_RNDN);
    gaussian_guess g = {.mu = mpfr_get_d(mu, MPFR_RNDN), .t = ival_guess(a->t)};
    mpfr_clear(mu);
    return g;
}

/* About c, or no number. */
static double guess_gaussian(const gaussian_guess *g)
{
    double high = g->t / g->mu + g->mu / 2 + 1, low = fmax(high - 4 - 2 * g->mu, -20);
    bool told = g->mu < MOST_GUESS && near_ratio(g, low) < 0 && near_ratio(g, high) > 0;
    return told ? root_guess(near_ratio, g, low, high) : NAN;
}

/* Is y next to the least number that there is, or below it? Then c is beyond mu + out. */
static bool is_out(mpfi_t c, const attacker *a, const gaussian_guess *g)
{
    double out = sqrt(-2 * M_LN2 * ((double)mpfr_get_emin() + NEXT_BITS));
    if (!(out > 0 && g->mu < MOST_GUESS && near_ratio(g, g->mu + out) < 0))
        return false;
    mpfi_t y;
    mpfi_init2(y, mpfi_get_prec(c));
    attacker_mu(c, a);
    mpfi_add_d(c, c, out);
    mpfr_set(&c->right, &c->left, MPFR_RNDU);
    ratio_less(y, c, a);
    bool is = mpfr_number_p(&y->left) && mpfr_sgn(&y->right) < 0;
    if (is)
        mpfr_set_inf(&c->right, 1);
    mpfi_clear(y);
    return is;
}

/* y changes by about c times as much as c, of itself, and c by 1/mu of what the logarithms do. */
static mpfr_prec_t more_bits(const gaussian_guess *g, double near)
{
    int at = 0, small = 0;
    if (!isnan(near))
        frexp(near, &at);
    if (g->mu > 0)
        frexp(g->mu, &small);
    return 32 + (at > 0 ? 2 * at : 0) + (small < 0 ? -small : 0);
}

static void enclose_gaussian(mpfi_t c, const attacker *a, double near)
{
    mpfr_t guess;
    mpfr_init2(guess, 64);
    mpfr_set_ui(guess, 0, MPFR_RNDN);
    const root_start beside = {.near = near, .error = 1e-12 * fmax(fabs(near), 1)};
    if (isnan(near) || !root_enclose(c, ratio_less, a, &beside))
        root_enclose(c, ratio_less, a, &(root_start){.from = guess, .real = true});
    mpfr_clear(guess);
}

static void of_gaussian(mpfi_t y, const attacker *a)
{
    const gaussian_guess g = guess_from(a);
    double near = guess_gaussian(&g);
    mpfr_prec_t bits = mpfi_get_prec(y) + more_bits(&g, near);
    mpfi_t c, mu;
    mpfi_init2(c, bits);
    mpfi_init2(mu, bits);
    if (!is_out(c, a, &g))
        enclose_gaussian(c, a, near);
    attacker_mu(mu, a);
    mpfi_sub(c, mu, c); /* an end that is not told is infinite, and Phi 0 or 1 there */
    attacker_phi(c, c);
    mpfi_set(y, c);
    ival_clamp_ui(y, 0, 1);
    mpfi_clear(mu);
    mpfi_clear(c);
}

/* ---- moments: the divergences of y and x = e^-t y, which grow with y ---- */

typedef struct level {
    const attacker *a;
    mpq_srcptr alpha, most;
} level;

/* w = logit(y). With q = (1-x)/(1-y) and p = alpha - 1:
 *     D(y || x) = ln(y e^(p t) + (1-y) q^-p)/p,  D(x || y) = ln(x e^(-p t) + (1-x) q^p)/p */
static void divergence_less(mpfi_t out, const mpfi_t w, const void *of)
{
    const level *l = of;
    mpfi_t y, rest, x, p, t, q;
    mpfi_ptr all[] = {y, rest, x, p, t, q};
    for (size_t i = 0; i < 6; i++)
        mpfi_init2(all[i], mpfi_get_prec(out));
    mpfi_neg(y, w);
    mpfi_exp(y, y);
    mpfi_add_ui(y, y, 1);
    mpfi_ui_div(y, 1, y);
    mpfi_exp(rest, w);
    mpfi_add_ui(rest, rest, 1);
    mpfi_ui_div(rest, 1, rest);
    ival_set_number(t, l->a->t);
    mpfi_neg(x, t);
    mpfi_exp(x, x);
    mpfi_mul(x, x, y);
    mpfi_set_q(p, l->alpha);
    mpfi_sub_ui(p, p, 1);
    mpfi_mul(t, t, p); /* p t */
    mpfi_ui_sub(q, 1, x);
    mpfi_div(q, q, rest);
    mpfi_log(q, q);
    mpfi_mul(q, q, p); /* p ln q */
    mpfi_exp(out, t);
    mpfi_mul(out, out, y);
    mpfi_neg(y, q);
    mpfi_exp(y, y);
    mpfi_mul(y, y, rest);
    mpfi_add(out, out, y);
    mpfi_log(out, out); /* D(y || x) p */
    mpfi_neg(t, t);
    mpfi_exp(t, t);
    mpfi_mul(t, t, x);
    mpfi_exp(q, q);
    mpfi_ui_sub(x, 1, x);
    mpfi_mul(q, q, x);
    mpfi_add(t, t, q);
    mpfi_log(t, t);
    ival_take_most(out, t);
    mpfi_div(out, out, p);
    mpfi_sub_q(out, out, l->most);
    for (size_t i = 0; i < 6; i++)
        mpfi_clear(all[i]);
}

static double near_divergence(double w, double t, double p)
{
    double y = 1 / (1 + exp(-w)), rest = 1 / (1 + exp(w)), x = exp(-t) * y;
    double q = p * log((1 - x) / rest);
    double forward = p * t < 600 ? log(exp(p * t) * y + exp(-q) * rest) : p * t + log(y);
    double back = q < 600 ? log(exp(-p * t) * x + exp(q) * (1 - x)) : q + log(1 - x);
    return fmax(forward, back) / p;
}

/* About the logit of y where the divergence is r. */
static double logit_guess(const void *of, double p, double r)
{
    const attacker *a = of;
    double t = ival_guess(a->t), low = -700, high = 30;
    for (int i = 0; i < 50; i++) {
        double middle = (low + high) / 2;
        *(near_divergence(middle, t, p) < r ? &low : &high) = middle;
    }
    return high;
}

/* w = the logit of y there */
static void at_level(mpfi_t w, const attacker *a, mpq_srcptr alpha, mpq_srcptr most)
{
    const level l = {a, alpha, most};
    mpfr_t guess;
    mpq_t p;
    mpfr_init2(guess, 64);
    mpq_init(p);
    mpq_set_ui(p, 1, 1);
    mpq_sub(p, alpha, p);
    double near = logit_guess(a, mpq_get_d(p), mpq_get_d(most));
    mpfr_set_d(guess, isfinite(near) ? near : 0, MPFR_RNDN);
    root_enclose(w, divergence_less, &l, &(root_start){.from = guess, .real = true});
    mpq_clear(p);
    mpfr_clear(guess);
}

bool tail_choose(attacker *a)
{
    return attacker_order(a->alpha, a, logit_guess, a);
}

/* The least over the points. */
static void least_of_points(mpfi_t w, const attacker *a)
{
    size_t first = attacker_least_point(a, logit_guess, a);
    mpfi_t other;
    mpfi_init2(other, mpfi_get_prec(w));
    at_level(w, a, a->point[first], a->point[first + 1]);
    for (size_t i = 0; i < a->points; i += 2) {
        const level l = {a, a->point[i], a->point[i + 1]};
        if (i == first || root_is_beyond(w, divergence_less, &l))
            continue;
        at_level(other, a, l.alpha, l.most);
        ival_take_least(w, other);
    }
    mpfi_clear(other);
}

static void of_moments(mpfi_t y, const attacker *a)
{
    mpq_t r;
    mpfi_t w;
    mpq_init(r);
    mpfi_init2(w, mpfi_get_prec(y));
    if (a->by == BY_ZCDP) {
        attacker_level(r, a, a->alpha);
        at_level(w, a, a->alpha, r);
    } else {
        least_of_points(w, a);
    }
    mpfi_neg(w, w);
    mpfi_exp(w, w);
    mpfi_add_ui(w, w, 1);
    mpfi_ui_div(y, 1, w);
    ival_clamp_ui(y, 0, 1);
    mpfi_clear(w);
    mpq_clear(r);
}

void tail_of_class(mpfi_t y, const attacker *a)
{
    if (a->by == BY_GDP)
        of_gaussian(y, a);
    else
        of_moments(y, a);
}

/* ---- any profile ---- */

#define GUESS_DIGITS 8
#define FARTHEST 690.0 /* e^690 is a double */

/* out = delta(ln k)/(1 - k e^-t), k < e^t; infinite where that is not positive */
static dp_status at_odds(dp_figure *out, attacker *a, mpq_srcptr k)
{
    bool exact;
    dp_status status = attacker_delta_at(out, &exact, a, k);
    if (status != DP_OK)
        return status;
    mpfr_prec_t bits = (mpfr_prec_t)(a->opt->digits * 4 + 64);
    mpfi_t y, down;
    mpfi_init2(y, bits);
    mpfi_init2(down, bits);
    if (out->kind == DP_RATIONAL)
        mpfi_set_q(y, out->rational);
    else
        mpfi_set(y, out->enclosure);
    ival_set_number(down, a->t);
    mpfi_neg(down, down);
    mpfi_exp(down, down);
    mpfi_mul_q(down, down, k);
    mpfi_ui_sub(down, 1, down);
    bool room = mpfr_sgn(&down->left) > 0;
    mpfi_div(y, y, down);
    if (!room)
        mpfi_set_ui(y, 1);
    ival_clamp_ui(y, 0, 1);
    mpfi_set(figure_enclose(out, bits), y);
    mpfi_clear(down);
    mpfi_clear(y);
    return status;
}

static double tail_at(void *of, const mpq_t k)
{
    attacker *a = of;
    dp_figure y;
    dp_figure_init(&y);
    double found = !limits_expired(&a->lim) && at_odds(&y, a, k) == DP_OK
                       ? mpfr_get_d(&y.enclosure->right, MPFR_RNDU)
                       : HUGE_VAL;
    dp_figure_clear(&y);
    return found;
}

dp_status tail_of_profile(dp_figure *out, attacker *a)
{
    size_t digits = a->own.digits;
    a->own.digits = GUESS_DIGITS;
    mpq_t k;
    mpq_init(k);
    double t = ival_guess(a->t);
    odds_least(k, fmax(-t - 2, -FARTHEST), fmin(t, FARTHEST), tail_at, a);
    a->own.digits = digits;
    dp_status status = at_odds(out, a, k);
    mpq_clear(k);
    return status;
}
