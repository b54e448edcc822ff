/* SPDX-License-Identifier: MIT */
/* Is the advantage at most so much? Ties are decided exactly. */
#include "attack/advantage.h"

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

/* xi + rho <= t ln((1+t)/(1-t)): no tie is left open */
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
    mpq_clears(k, one, NULL);
    logform_clear(&f);
    if (known && sign >= 0)
        return DP_YES;
    return known && !a->loose ? DP_NO : DP_UNKNOWN;
}

/* Is D_alpha of the randomized response of that advantage at least r, at some order? e^r is no
 * algebraic number for r > 0, so enclosures tell. */
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
        dp_decision order = mpq_sgn(a->point[i + 1]) == 0 ? DP_YES
                            : mpq_sgn(t) == 0             ? DP_NO
                                                          : DP_UNKNOWN;
        for (mpfr_prec_t bits = 128; order == DP_UNKNOWN && bits <= CHECK_BITS; bits *= 2) {
            mpfi_t r;
            mpfi_init2(r, bits);
            renyi_of_pure(r, &e, a->point[i]);
            mpfi_sub_q(r, r, a->point[i + 1]);
            order = mpfr_sgn(&r->left) >= 0 ? DP_YES : mpfr_sgn(&r->right) < 0 ? DP_NO : DP_UNKNOWN;
            mpfi_clear(r);
        }
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
