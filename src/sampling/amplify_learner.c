/* SPDX-License-Identifier: MIT */
/* A private learner and the scheme that it stands in: which steps of it samples are apart, how far
 * these go, and how often a record is drawn. */
#include "num/ival.h"
#include "num/number.h"
#include "sampling/amplify.h"

amplify_route amplify_way(const dp_bagging *b)
{
    if (b->base_adjacency == DP_BASE_AS_NEEDED || b->base_adjacency == DP_BASE_BOTH)
        return AMPLIFY_DIRECT;
    bool add_remove = b->base_adjacency == DP_BASE_ADD_REMOVE;
    if (b->sampling != DP_POISSON) /* samples of fixed size: neighbours differ by replacement */
        return add_remove ? AMPLIFY_GROUP_BASE : AMPLIFY_DIRECT;
    if (!add_remove)
        return b->adjacency == DP_REPLACE_ONE ? AMPLIFY_SAME_SIZE : AMPLIFY_NOTHING;
    return b->adjacency == DP_ADD_REMOVE ? AMPLIFY_DIRECT : AMPLIFY_GROUP_RESULT;
}

bool amplify_is_one_step(const dp_bagging *b)
{
    return amplify_way(b) == AMPLIFY_DIRECT || amplify_way(b) == AMPLIFY_SAME_SIZE;
}

void amplify_base(mpfi_t growth, mpfi_t delta, const dp_bagging *b)
{
    mpfi_set_q(delta, b->base_delta);
    ival_expm1_number(growth, b->base_epsilon);
}

bool amplify_base_odds(mpq_t odds, const dp_bagging *b)
{
    if (dp_number_sgn(b->base_epsilon) == 0)
        mpq_set_ui(odds, 1, 1);
    else if (number_odds(b->base_epsilon) != NULL)
        mpq_set(odds, number_odds(b->base_epsilon));
    else
        return false;
    return true;
}

void amplify_twice(mpfi_t out, const mpfi_t growth, const mpfi_t delta)
{
    mpfi_t low, high, odds;
    mpfi_init2(low, mpfi_get_prec(out));
    mpfi_init2(high, mpfi_get_prec(out));
    mpfi_init2(odds, mpfi_get_prec(out));
    mpfi_add_ui(low, growth, 2);
    mpfi_mul(low, low, delta); /* delta0 (1 + E0) */
    mpfi_add_ui(odds, growth, 1);
    mpfi_mul_2ui(high, delta, 1);
    mpfi_ui_sub(high, 1, high);
    mpfi_div(high, high, odds);
    mpfi_ui_sub(high, 1, high); /* 1 - (1 - 2 delta0)/E0 */
    ival_take_least(low, high);
    ival_clamp_ui(low, 0, 1);
    mpfi_set(out, low);
    mpfi_clear(odds);
    mpfi_clear(high);
    mpfi_clear(low);
}

void amplify_knee(mpfi_t knee, mpfi_t back, const mpfi_t growth, const mpfi_t delta)
{
    mpfi_t odds;
    mpfi_init2(odds, mpfi_get_prec(knee));
    mpfi_add_ui(odds, growth, 2);
    mpfi_ui_sub(knee, 1, delta);
    mpfi_div(knee, knee, odds);
    mpfi_sub(back, knee, delta);
    ival_at_least_zero(back);
    mpfi_add_ui(odds, growth, 1);
    mpfi_div(back, back, odds);
    mpfi_clear(odds);
}

void amplify_step_q(mpq_t out, const mpq_t p, const mpq_t odds, const mpq_t delta)
{
    mpq_t low, high, one;
    mpq_inits(low, high, one, NULL);
    mpq_set_ui(one, 1, 1);
    mpq_mul(low, odds, p);
    mpq_add(low, low, delta);
    mpq_sub(high, one, delta);
    mpq_sub(high, high, p);
    mpq_div(high, high, odds);
    mpq_sub(high, one, high);
    if (mpq_cmp(high, low) < 0)
        mpq_swap(low, high);
    mpq_set(out, mpq_cmp(low, one) < 0 ? low : one);
    mpq_clears(low, high, one, NULL);
}

void amplify_learner(mpfi_t growth, mpfi_t delta, const dp_bagging *b)
{
    amplify_base(growth, delta, b);
    if (amplify_way(b) != AMPLIFY_GROUP_BASE)
        return;
    mpfi_t lift;
    mpfi_init2(lift, mpfi_get_prec(growth));
    mpfi_add_ui(lift, growth, 2); /* 1 + E0 */
    amplify_twice(delta, growth, delta);
    mpfi_mul(growth, growth, lift); /* E0^2 - 1 */
    mpfi_clear(lift);
}

void amplify_rate_q(mpq_t eta, const dp_bagging *b)
{
    if (b->sampling == DP_POISSON) {
        mpq_set(eta, b->sampling_rate);
        return;
    }
    mpz_set(mpq_numref(eta), b->subsample_size);
    if (b->sampling == DP_WITHOUT_DISJOINT)
        mpz_mul(mpq_numref(eta), mpq_numref(eta), b->models);
    if (b->sampling == DP_WITH_REPLACEMENT)
        mpz_set_ui(mpq_numref(eta), 1);
    mpz_set(mpq_denref(eta), b->dataset_size);
    mpq_canonicalize(eta);
}

bool amplify_composes(const dp_bagging *b)
{
    return b->sampling != DP_WITHOUT_DISJOINT && mpz_cmp_ui(b->models, 1) > 0;
}

void amplify_rise(mpfi_t rise, const logform *at)
{
    logform_enclose(rise, at);
    mpfi_expm1(rise, rise);
}
