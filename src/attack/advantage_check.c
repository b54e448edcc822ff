/* SPDX-License-Identifier: MIT */
/* Is the advantage at most so much? Ties are decided exactly. */
#include "attack/advantage.h"

#include "attack/tpr.h"
#include "core/refine.h"
#include "num/ival.h"
#include "num/number.h"
#include "renyi/convert.h"

#define CHECK_BITS 4096

/* t = (a - delta)/(1 - delta); false: it is below 0, or delta is 1 */
static bool beside_leak(mpq_t t, mpq_srcptr a, mpq_srcptr leak)
{
    mpq_t keep;
    mpq_init(keep);
    mpq_set_ui(keep, 1, 1);
    mpq_sub(keep, keep, leak);
    mpq_sub(t, a, leak);
    bool possible = mpq_sgn(t) >= 0 && mpq_sgn(keep) > 0;
    if (possible)
        mpq_div(t, t, keep);
    mpq_clear(keep);
    return possible;
}

/* k = (1+t)/(1-t), t < 1 */
static void odds_of(mpq_t k, mpq_srcptr t)
{
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    mpq_sub(k, one, t);
    mpq_add(one, one, t);
    mpq_div(k, one, k);
    mpq_clear(one);
}

/* Is D_alpha of the randomized response of the odds k, t its advantage, at least r? e^r is no
 * algebraic number for r > 0, so enclosures tell. */
static dp_decision order_within(mpq_srcptr t, const dp_number *k, mpq_srcptr alpha, mpq_srcptr r)
{
    dp_decision is = mpq_sgn(r) == 0 ? DP_YES : mpq_sgn(t) == 0 ? DP_NO : DP_UNKNOWN;
    for (mpfr_prec_t bits = 128; is == DP_UNKNOWN && bits <= CHECK_BITS; bits *= 2) {
        mpfi_t x;
        mpfi_init2(x, bits);
        renyi_of_pure(x, k, alpha);
        mpfi_sub_q(x, x, r);
        is = mpfr_sgn(&x->left) >= 0 ? DP_YES : mpfr_sgn(&x->right) < 0 ? DP_NO : DP_UNKNOWN;
        mpfi_clear(x);
    }
    return is;
}

#define WITNESS_BITS 256

/* Is t less than the advantage of something that keeps the statements, loose as they are: Gaussian
 * noise with mu^2 = 2 rho, whatever it is composed of, and of a group of g one step g mu; or, of
 * one statement, randomized response of epsilon xi? Both for xi >= 0. */
static bool is_exceeded(const attacker *a, mpq_srcptr t)
{
    dp_figure x[2];
    mpfi_t by;
    if (mpq_sgn(a->line.xi) < 0)
        return false;
    dp_figure_init(&x[0]);
    dp_figure_init(&x[1]);
    mpfi_init2(by, WITNESS_BITS);
    mpfi_set_q(by, a->line.rho);
    mpfi_mul_2ui(by, by, 1);
    mpfi_sqrt(by, by);
    advantage_of_mu(x, by, WITNESS_BITS);
    bool is = mpfr_cmp_q(&x[0].enclosure->left, t) > 0;
    if (!is && a->q->statement != NULL && a->q->statement->zcdp_count > 0) {
        mpfi_set_q(by, a->line.xi);
        ival_tanh_half(by, by);
        is = mpfr_cmp_q(&by->left, t) > 0;
    }
    mpfi_clear(by);
    dp_figure_clear(&x[1]);
    dp_figure_clear(&x[0]);
    return is;
}

/* Does the order say so? */
static bool order_says(const attacker *a, mpq_srcptr t, mpq_srcptr odds)
{
    dp_number k;
    mpq_t r;
    dp_number_init(&k);
    mpq_init(r);
    number_set_log(&k, odds);
    attacker_level(r, a, a->order);
    bool is = order_within(t, &k, a->order, r) == DP_YES;
    mpq_clear(r);
    dp_number_clear(&k);
    return is;
}

/* xi + rho <= t ln((1+t)/(1-t)): no tie is left open; or what one order says. */
static dp_decision zcdp_within(const attacker *a, mpq_srcptr t)
{
    logform f;
    mpq_t k, one;
    int sign = 0;
    logform_init(&f);
    mpq_inits(k, one, NULL);
    mpq_set_si(one, -1, 1);
    odds_of(k, t);
    bool known = logform_add_q(&f, one, a->line.rho) && logform_add_q(&f, one, a->line.xi) &&
                 logform_add_log(&f, t, k) && logform_sign(&sign, &f, CHECK_BITS);
    bool within = (known && sign >= 0) || (mpq_sgn(a->order) > 0 && order_says(a, t, k));
    mpq_clears(k, one, NULL);
    logform_clear(&f);
    if (within)
        return DP_YES;
    return a->loose ? (is_exceeded(a, t) ? DP_NO : DP_UNKNOWN) : known ? DP_NO : DP_UNKNOWN;
}

/* At some order? */
static dp_decision rdp_within(const attacker *a, mpq_srcptr t)
{
    dp_decision answer = DP_NO;
    dp_number e;
    mpq_t k;
    dp_number_init(&e);
    mpq_init(k);
    odds_of(k, t);
    number_set_log(&e, k);
    for (size_t i = 0; answer != DP_YES && i < a->points; i += 2) {
        dp_decision order = order_within(t, &e, a->point[i], a->point[i + 1]);
        if (order != DP_NO)
            answer = order;
    }
    mpq_clear(k);
    dp_number_clear(&e);
    return answer;
}

dp_decision advantage_within(attacker *a, const dp_number *most)
{
    mpq_srcptr limit = number_rational(most);
    if (mpq_cmp_ui(limit, 1, 1) >= 0)
        return DP_YES;
    if (a->by == BY_PROFILE) {
        dp_number none;
        dp_number_init(&none);
        dp_decision answer = composing_meets(&a->c, &none, limit);
        dp_number_clear(&none);
        return answer;
    }
    dp_decision answer = DP_UNKNOWN;
    mpq_t t, k;
    mpq_inits(t, k, NULL);
    int sign = 0;
    if (a->by == BY_GDP) {
        if (refine_decide(&answer, adv_gdp.eval, 2, 0, a, limit, CHECK_BITS, &a->lim) != DP_OK)
            answer = DP_UNKNOWN;
    } else if (!beside_leak(t, limit, a->leak)) {
        answer = DP_NO;
    } else if (a->by == BY_ZCDP) {
        answer = zcdp_within(a, t);
    } else if (a->by == BY_RDP) {
        answer = rdp_within(a, t);
    } else {
        odds_of(k, t);
        if (attacker_epsilon_sign(&sign, a, k))
            answer = sign <= 0 ? DP_YES : DP_NO;
    }
    mpq_clears(t, k, NULL);
    return answer;
}
