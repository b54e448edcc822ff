/* SPDX-License-Identifier: MIT */
/* The budget of a filter in its own currency, rounded down to a decimal. It depends on (epsilon,
 * delta), the split of delta and the order alone, all of which are fixed before the first
 * release. */
#include <math.h>

#include "compose/filter.h"
#include "loss/gaussian.h"
#include "num/decimal.h"
#include "num/ival.h"
#include "num/number.h"
#include "renyi/order.h"

#define BUDGET_BITS 256
#define BUDGET_DIGITS 25
#define FIT_BITS 160
#define MOST_LOST 65536.0

typedef struct rho_goal {
    double epsilon, log_delta;
} rho_goal;

/* -R(alpha)/alpha, R as below, about */
static double less_rho(const void *of, mpq_srcptr alpha, double t)
{
    (void)alpha;
    const rho_goal *g = of;
    return -(g->epsilon + log1p(1 / t) + (g->log_delta + log1p(t)) / t) / (1 + t);
}

/* Where zCDP has its largest budget: doubles choose, any order is sound. */
static void best_order(mpq_t order, double epsilon, double log_delta)
{
    rho_goal g = {epsilon, log_delta};
    if (!order_choose(order, &(order_search){.at = less_rho, .of = &g}))
        mpq_set_ui(order, 2, 1);
}

/* q = max(0, x) rounded down to a decimal. */
static bool round_down(mpq_t q, mpfr_srcptr x)
{
    mpq_set_ui(q, 0, 1);
    if (mpfr_nan_p(x) || mpfr_sgn(x) <= 0)
        return true;
    return dec_round_fr(q, x, DP_LOWER, BUDGET_DIGITS);
}

/* The divergence of order alpha that the improved conversion turns into (epsilon, delta):
 * R = epsilon + ln(alpha/(alpha-1)) + (ln delta + ln alpha)/(alpha-1), of which rho = R/alpha. */
static bool renyi_budget(mpq_t budget, const filter_rule *rule, const dp_number *epsilon,
                         const mpq_t delta)
{
    mpfi_t r, part, t;
    mpfi_ptr all[] = {r, part, t};
    for (size_t i = 0; i < 3; i++)
        mpfi_init2(all[i], BUDGET_BITS);
    mpfi_set_q(t, rule->order);
    mpfi_sub_ui(t, t, 1);
    ival_log_q(r, delta);
    mpfi_log1p(part, t);
    mpfi_add(r, r, part);
    mpfi_div(r, r, t);
    mpfi_ui_div(part, 1, t);
    mpfi_log1p(part, part);
    mpfi_add(r, r, part);
    ival_set_number(part, epsilon);
    mpfi_add(r, r, part);
    if (rule->method == DP_FILTER_ZCDP)
        mpfi_div_q(r, r, rule->order);
    bool ok = round_down(budget, &r->left);
    for (size_t i = 0; i < 3; i++)
        mpfi_clear(all[i]);
    return ok;
}

/* Is a Gaussian of that log2 mu proved to be (epsilon, delta)-DP? Its profile cancels by at most
 * log2(2 + epsilon/mu^2 + 1.3/mu) bits; what is too wide is not proved. */
static bool gaussian_fits(mpfr_srcptr log_mu, const mpfi_t epsilon, const mpq_t delta)
{
    double down = fmax(0, -mpfr_get_d(log_mu, MPFR_RNDN));
    long up = mpfi_is_zero(epsilon) > 0 ? 0 : mpfr_get_exp(&epsilon->right);
    double lost = fmax(down, 2 * down + (double)up) + 8;
    mpfr_prec_t bits = FIT_BITS + (mpfr_prec_t)fmin(lost, MOST_LOST);
    mpfi_t mu, d;
    mpfi_init2(mu, bits);
    mpfi_init2(d, bits);
    mpfi_set_fr(mu, log_mu);
    mpfi_exp2(mu, mu);
    gaussian_profile(d, mu, epsilon);
    bool fits = !ival_bad(d) && mpfr_cmp_q(&d->right, delta) <= 0;
    mpfi_clear(d);
    mpfi_clear(mu);
    return fits;
}

/* mu = delta sqrt(2 pi), rounded down: at epsilon 0 its profile is at most delta, so at all. */
static void least_mu(mpfi_t mu, const mpq_t delta)
{
    mpfi_const_pi(mu);
    mpfi_mul_2ui(mu, mu, 1);
    mpfi_sqrt(mu, mu);
    mpfi_mul_q(mu, mu, delta);
}

/* low fits and high does not, next to a guess; false where the guess is not that good. */
static bool near_guess(mpfr_t low, mpfr_t high, const mpfi_t x, const mpq_t delta)
{
    MPFR_DECL_INIT(mu, FIT_BITS);
    if (!gaussian_guess(mu, x, delta) || !mpfr_regular_p(mu) || mpfr_sgn(mu) < 0)
        return false;
    mpfr_log2(low, mu, MPFR_RNDD);
    mpfr_add_d(high, low, 0x1p-40, MPFR_RNDU);
    mpfr_sub_d(low, low, 0x1p-40, MPFR_RNDD);
    return gaussian_fits(low, x, delta) && !gaussian_fits(high, x, delta);
}

#define NEAR_HALVINGS 36
#define DOUBLINGS 13 /* of log2 mu, to 2^-4096 and up; below that the bound at epsilon 0 serves */
#define HALVINGS 92

/* The largest mu^2 whose exact profile is at most delta at epsilon, by halves of the logarithm of
 * mu. The profile rises with mu; whatever end is kept was proved to fit. */
static bool gaussian_budget(mpq_t budget, const dp_number *epsilon, const mpq_t delta)
{
    mpfi_t x, mu;
    mpfr_t low, high, middle;
    mpfi_init2(x, BUDGET_BITS);
    mpfi_init2(mu, BUDGET_BITS);
    mpfr_inits2(FIT_BITS, low, high, middle, NULL);
    ival_set_number(x, epsilon);
    bool near = near_guess(low, high, x, delta), found = near;
    if (!near) {
        mpfr_set_ui(low, 0, MPFR_RNDN);
        mpfr_set_ui(high, 0, MPFR_RNDN);
    }
    bool first = near || gaussian_fits(low, x, delta);
    for (long step = 1, i = 0; !found && i < DOUBLINGS; i++, step *= 2) { /* from mu = 1 outward */
        mpfr_set(first ? low : high, first ? high : low, MPFR_RNDN);
        mpfr_set_si(first ? high : low, first ? step : -step, MPFR_RNDN);
        found = gaussian_fits(first ? high : low, x, delta) != first;
    }
    for (int i = near ? HALVINGS - NEAR_HALVINGS : 0; found && i < HALVINGS; i++) {
        mpfr_add(middle, low, high, MPFR_RNDN);
        mpfr_div_2ui(middle, middle, 1, MPFR_RNDN);
        mpfr_set(gaussian_fits(middle, x, delta) ? low : high, middle, MPFR_RNDN);
    }
    if (found || first) {
        mpfi_set_fr(mu, low);
        mpfi_exp2(mu, mu);
    } else {
        least_mu(mu, delta);
    }
    mpfi_sqr(mu, mu);
    bool ok = round_down(budget, &mu->left);
    mpfr_clears(low, high, middle, NULL);
    mpfi_clear(mu);
    mpfi_clear(x);
    return ok;
}

static void set_order(filter_rule *rule, const dp_number *epsilon, const mpq_t conversion,
                      mpq_srcptr order)
{
    rule->has_order = rule->method == DP_FILTER_ZCDP || rule->method == DP_FILTER_RDP;
    if (order != NULL)
        mpq_set(rule->order, order);
    else if (rule->has_order)
        best_order(rule->order, ival_guess(epsilon), ival_guess_log(conversion));
}

dp_status filter_rule_init(filter_rule *rule, dp_filter_method method, const dp_number *epsilon,
                           const mpq_t delta, const mpq_t conversion, mpq_srcptr order)
{
    *rule = (filter_rule){.method = method};
    mpq_init(rule->order);
    filter_cost_init(&rule->budget);
    if (method == DP_FILTER_BASIC) {
        mpq_set(rule->budget.delta, delta);
        return logform_add_number(&rule->budget.amount, NULL, epsilon) ? DP_OK : DP_MEMORY;
    }
    set_order(rule, epsilon, conversion, order);
    mpq_sub(rule->budget.delta, delta, conversion);
    mpq_ptr amount = rule->budget.amount.rational;
    bool ok = method == DP_FILTER_GAUSSIAN ? gaussian_budget(amount, epsilon, conversion)
                                           : renyi_budget(amount, rule, epsilon, conversion);
    return ok ? DP_OK : DP_MEMORY;
}

void filter_rule_clear(filter_rule *rule)
{
    filter_cost_clear(&rule->budget);
    mpq_clear(rule->order);
}
