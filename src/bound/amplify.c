/* SPDX-License-Identifier: MIT */
#include "bound/amplify.h"

#include "num/ival.h"
#include "num/number.h"

amplify_route amplify_way(const dp_bagging *b)
{
    if (b->base_adjacency == DP_BASE_AS_NEEDED || b->base_adjacency == DP_BASE_BOTH)
        return AMPLIFY_DIRECT;
    bool add_remove = b->base_adjacency == DP_BASE_ADD_REMOVE;
    if (b->sampling != DP_POISSON) /* samples of fixed size: neighbours differ by replacement */
        return add_remove ? AMPLIFY_GROUP_BASE : AMPLIFY_DIRECT;
    if (!add_remove)
        return AMPLIFY_NOTHING;
    return b->adjacency == DP_ADD_REMOVE ? AMPLIFY_DIRECT : AMPLIFY_GROUP_RESULT;
}

void amplify_learner(mpfi_t growth, mpfi_t delta, const dp_bagging *b)
{
    mpfi_set_q(delta, b->base_delta);
    ival_expm1_number(growth, b->base_epsilon);
    if (amplify_way(b) != AMPLIFY_GROUP_BASE)
        return;
    mpfi_t lift;
    mpfi_init2(lift, mpfi_get_prec(growth));
    mpfi_add_ui(lift, growth, 2); /* 1 + E0 */
    mpfi_mul(delta, delta, lift);
    ival_clamp_ui(delta, 0, 1);
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
    mpz_set(mpq_denref(eta), b->dataset_size);
    mpq_canonicalize(eta);
}

bool amplify_composes(const dp_bagging *b)
{
    return b->sampling != DP_WITHOUT_DISJOINT && mpz_cmp_ui(b->models, 1) > 0;
}

/* (2 eps, delta (1 + e^eps)) */
static void group_result(mpfi_t epsilon, mpfi_t delta)
{
    mpfi_t lift;
    mpfi_init2(lift, mpfi_get_prec(delta));
    mpfi_exp(lift, epsilon);
    mpfi_add_ui(lift, lift, 1);
    mpfi_mul(delta, delta, lift);
    ival_clamp_ui(delta, 0, 1);
    mpfi_mul_2ui(epsilon, epsilon, 1);
    mpfi_clear(lift);
}

/* k ln(1 + growth/n), and delta ((1 + growth/n)^k - 1)/growth, or k delta/n for growth 0 */
static void with_pair(mpfi_t epsilon, mpfi_t delta, const dp_bagging *b, const mpz_t draws)
{
    mpfi_t growth, base;
    mpfi_init2(growth, mpfi_get_prec(epsilon));
    mpfi_init2(base, mpfi_get_prec(epsilon));
    amplify_learner(growth, base, b);
    mpfi_div_z(epsilon, growth, b->dataset_size);
    mpfi_log1p(epsilon, epsilon);
    ival_mul_z(epsilon, epsilon, draws);
    if (dp_number_sgn(b->base_epsilon) == 0) {
        ival_mul_z(delta, base, draws);
        mpfi_div_z(delta, delta, b->dataset_size);
    } else {
        mpfi_expm1(delta, epsilon);
        mpfi_div(delta, delta, growth);
        mpfi_mul(delta, delta, base);
    }
    ival_clamp_ui(delta, 0, 1);
    mpfi_clear(base);
    mpfi_clear(growth);
}

void amplify_pair(mpfi_t epsilon, mpfi_t delta, const dp_bagging *b)
{
    if (b->sampling == DP_WITH_REPLACEMENT) {
        with_pair(epsilon, delta, b, b->subsample_size);
        return;
    }
    mpq_t eta;
    mpq_init(eta);
    amplify_rate_q(eta, b);
    amplify_learner(epsilon, delta, b);
    mpfi_mul_q(epsilon, epsilon, eta);
    mpfi_log1p(epsilon, epsilon);
    mpfi_mul_q(delta, delta, eta);
    if (amplify_way(b) == AMPLIFY_GROUP_RESULT)
        group_result(epsilon, delta);
    mpq_clear(eta);
}

static dp_status eval_point(dp_figure *out, const void *in, const request *want)
{
    const dp_bagging *b = ((const bagging_in *)in)->b;
    mpfi_ptr epsilon = figure_enclose(&out[0], want->bits);
    mpfi_ptr delta = figure_enclose(&out[1], want->bits);
    amplify_pair(epsilon, delta, b);
    bool exact_delta = b->sampling != DP_WITH_REPLACEMENT && amplify_way(b) == AMPLIFY_DIRECT;
    if (exact_delta && want->rational) {
        amplify_rate_q(out[1].rational, b);
        mpq_mul(out[1].rational, out[1].rational, b->base_delta);
        out[1].kind = DP_RATIONAL;
    }
    if (dp_number_sgn(b->base_epsilon) == 0)
        figure_set_ui(&out[0], 0);
    return DP_OK;
}

/* rise = e^x - 1 at the target */
static void target_rise(mpfi_t rise, const logform *at)
{
    logform_enclose(rise, at);
    mpfi_expm1(rise, rise);
}

/* eta delta0 + (1 - delta0) max(0, eta growth - rise) / (2 + growth) */
static void profile_value(mpfi_t out, const mpfi_t growth, const mpfi_t delta, const mpq_t eta,
                          const mpfi_t rise)
{
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(out));
    mpfi_mul_q(out, growth, eta);
    mpfi_sub(out, out, rise);
    ival_at_least_zero(out);
    mpfi_add_ui(part, growth, 2);
    mpfi_div(out, out, part);
    mpfi_ui_sub(part, 1, delta);
    mpfi_mul(out, out, part);
    mpfi_mul_q(part, delta, eta);
    mpfi_add(out, out, part);
    ival_clamp_ui(out, 0, 1);
    mpfi_clear(part);
}

/* The exact rational value where e^eps0 and e^x are rational, or where delta0 = 1 makes it eta. */
static bool exact_value(mpq_t out, const bagging_in *in)
{
    const dp_bagging *b = in->b;
    const logform *x = in->at;
    bool rational = b->base_epsilon->is_log || dp_number_sgn(b->base_epsilon) == 0;
    bool at_rational =
        mpq_sgn(x->rational) == 0 &&
        (x->count == 0 || (x->count == 1 && mpq_cmp_ui(x->term[0].coefficient, 1, 1) == 0));
    mpq_t eta, odds, part;
    mpq_inits(eta, odds, part, NULL);
    amplify_rate_q(eta, b);
    bool ok = amplify_way(b) == AMPLIFY_DIRECT;
    if (ok && mpq_cmp_ui(b->base_delta, 1, 1) == 0) {
        mpq_set(out, eta);
    } else if (ok && rational && at_rational) {
        mpq_set_ui(odds, 1, 1);
        if (b->base_epsilon->is_log)
            mpq_set(odds, number_odds(b->base_epsilon));
        mpq_set_ui(part, 1, 1);
        mpq_sub(odds, odds, part); /* growth */
        mpq_mul(out, eta, odds);
        if (x->count == 1) {
            mpq_sub(part, x->term[0].base, part); /* rise */
            mpq_sub(out, out, part);
        }
        if (mpq_sgn(out) < 0)
            mpq_set_ui(out, 0, 1);
        mpq_set_ui(part, 2, 1);
        mpq_add(odds, odds, part);
        mpq_div(out, out, odds);
        mpq_set_ui(part, 1, 1);
        mpq_sub(part, part, b->base_delta);
        mpq_mul(out, out, part);
        mpq_mul(part, eta, b->base_delta);
        mpq_add(out, out, part);
    } else {
        ok = false;
    }
    mpq_clears(eta, odds, part, NULL);
    return ok;
}

/* A result known only as the pair (eps', delta') of an (eps', delta')-DP mechanism, at x: after
 * AMPLIFY_GROUP_RESULT. delta' + (1 - delta')(e^eps' - e^x)_+ / (1 + e^eps') */
static void grouped_value(mpfi_t out, const dp_bagging *b, const mpfi_t rise)
{
    mpfi_t epsilon, delta;
    mpq_t one;
    mpfi_init2(epsilon, mpfi_get_prec(out));
    mpfi_init2(delta, mpfi_get_prec(out));
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    amplify_pair(epsilon, delta, b);
    mpfi_expm1(epsilon, epsilon);
    profile_value(out, epsilon, delta, one, rise);
    mpq_clear(one);
    mpfi_clear(delta);
    mpfi_clear(epsilon);
}

/* Beyond eps' the profile is eta delta0, whatever the target. */
static bool is_beyond(const dp_bagging *b, const mpfi_t growth, const mpq_t eta, const mpfi_t rise)
{
    mpfi_t gap;
    mpfi_init2(gap, mpfi_get_prec(rise));
    mpfi_mul_q(gap, growth, eta);
    mpfi_sub(gap, gap, rise);
    bool beyond = amplify_way(b) == AMPLIFY_DIRECT && mpfr_sgn(&gap->right) <= 0;
    mpfi_clear(gap);
    return beyond;
}

static dp_status eval_profile(dp_figure *out, const void *in, const request *want)
{
    const bagging_in *q = in;
    bagging_set_epsilon(&out[0], q, want);
    if (want->rational && exact_value(out[1].rational, q)) {
        out[1].kind = DP_RATIONAL;
        return DP_OK;
    }
    mpfi_t growth, delta, rise;
    mpq_t eta;
    mpfi_init2(growth, want->bits);
    mpfi_init2(delta, want->bits);
    mpfi_init2(rise, want->bits);
    mpq_init(eta);
    target_rise(rise, q->at);
    if (amplify_way(q->b) == AMPLIFY_GROUP_RESULT) {
        grouped_value(figure_enclose(&out[1], want->bits), q->b, rise);
    } else {
        amplify_rate_q(eta, q->b);
        amplify_learner(growth, delta, q->b);
        if (is_beyond(q->b, growth, eta, rise)) {
            mpq_mul(eta, eta, q->b->base_delta);
            figure_set_q(&out[1], eta);
        } else {
            profile_value(figure_enclose(&out[1], want->bits), growth, delta, eta, rise);
        }
    }
    mpq_clear(eta);
    mpfi_clear(rise);
    mpfi_clear(delta);
    mpfi_clear(growth);
    return DP_OK;
}

/* The adding direction: kap delta0 + (1 - delta0) (kap E0 - eta e^x)_+ / (1 + E0),
 * kap = 1 - e^x (1 - eta) = eta - rise (1 - eta), 0 where that is negative. */
static dp_status eval_add(dp_figure *out, const void *in, const request *want)
{
    const bagging_in *q = in;
    bagging_set_epsilon(&out[0], q, want);
    mpfi_t growth, delta, rise, kap, part;
    mpfi_ptr all[] = {growth, delta, rise, kap, part};
    mpq_t eta, rest;
    mpq_inits(eta, rest, NULL);
    for (size_t i = 0; i < 5; i++)
        mpfi_init2(all[i], want->bits);
    amplify_rate_q(eta, q->b);
    mpq_set_ui(rest, 1, 1);
    mpq_sub(rest, rest, eta);
    amplify_learner(growth, delta, q->b);
    target_rise(rise, q->at);
    mpfi_mul_q(kap, rise, rest);
    mpfi_neg(kap, kap);
    mpfi_add_q(kap, kap, eta);
    ival_at_least_zero(kap);
    /* kap E0 - eta e^x = kap growth - rise: kap + rise (1 - eta) = eta */
    mpfi_ptr value = figure_enclose(&out[1], want->bits);
    mpfi_mul(value, kap, growth);
    mpfi_sub(value, value, rise);
    ival_at_least_zero(value);
    mpfi_add_ui(part, growth, 2);
    mpfi_div(value, value, part);
    mpfi_ui_sub(part, 1, delta);
    mpfi_mul(value, value, part);
    mpfi_mul(part, kap, delta);
    mpfi_add(value, value, part);
    if (mpfr_zero_p(&value->right))
        figure_set_ui(&out[1], 0);
    for (size_t i = 0; i < 5; i++)
        mpfi_clear(all[i]);
    mpq_clears(eta, rest, NULL);
    return DP_OK;
}

#define BBG "Balle, Barthe, Gaboardi 2018, Privacy Amplification by Subsampling"
#define SECRET "sampled indices secret and fresh; the learner (eps0, delta0)-DP"
#define RELATIONS                                                                                  \
    "without replacement: learner under replace-one, result under either relation (n the larger "  \
    "data set); Poisson: learner and result under add-remove, or both under both; "
#define PAIR                                                                                       \
    {                                                                                              \
        "epsilon", "delta"                                                                         \
    }

const bound amplify_point = {
    .theorem =
        {.id = "amplify-point",
         .family = "bagging-without",
         .verdict = DP_EXACT,
         .source = BBG ", Theorems 8 and 9; under add-remove derived here",
         .statement = "subsampling at rate eta makes an (eps0, delta0)-DP learner (ln(1 + eta "
                      "(e^eps0 - 1)), eta delta0)-DP",
         .assumes = RELATIONS SECRET,
         .proof =
             "P = (1-eta) K0 + eta K1 where replacing one member of the sample turns K0 into K1, "
             "so "
             "P - e^eps' K0 = eta (K1 - e^eps0 K0) at eps' = ln(1 + eta(e^eps0 - 1)). N disjoint "
             "blocks are one function of the Nk pooled records, of which a change touches one "
             "block, so eta = Nk/n without composition. A learner known only under the other "
             "relation is brought to the needed one as a group of two."},
    .eval = eval_point,
    .output = PAIR};

const bound amplify_profile = {
    .theorem =
        {.id = "amplify-profile",
         .family = "bagging-without",
         .verdict = DP_EXACT,
         .source = "derived here from " BBG ", Theorems 8 and 9",
         .statement = "delta(eps) = eta delta0 + (1-delta0) max(0, eta(e^eps0 - 1) - (e^eps - "
                      "1))/(1 + e^eps0)",
         .assumes = RELATIONS SECRET,
         .proof =
             "The coupling of amplify-point holds with e^t in place of e^eps0, e^t = 1 + (e^eps "
             "- 1)/eta, so delta(eps) = eta d(t), d the worst profile of an (eps0, "
             "delta0)-DP learner. The four-outcome learner on the bit [record in sample] "
             "attains it."},
    .eval = eval_profile,
    .output = PAIR};

const bound amplify_add = {
    .theorem = {.id = "amplify-add",
                .family = "bagging-without",
                .verdict = DP_EXACT,
                .source = "derived here from " BBG ", Theorem 9",
                .statement =
                    "adding a record: delta(eps) = c d(ln(eta e^eps/c)), c = 1 - e^eps (1-eta), d "
                    "the worst profile of the learner; 0 where c <= 0",
                .assumes = "one direction of add-remove adjacency; " SECRET,
                .proof = "Q - e^eps P = c K0 - e^eps eta K1 with P = (1-eta) K0 + eta K1, Q = K0."},
    .eval = eval_add,
    .output = PAIR};

static dp_status eval_with_pair(dp_figure *out, const void *in, const request *want)
{
    const dp_bagging *b = ((const bagging_in *)in)->b;
    mpz_t draws;
    mpz_init(draws);
    mpz_mul(draws, b->models, b->subsample_size);
    with_pair(figure_enclose(&out[0], want->bits), figure_enclose(&out[1], want->bits), b, draws);
    if (dp_number_sgn(b->base_epsilon) == 0)
        figure_set_ui(&out[0], 0);
    if (mpq_sgn(b->base_delta) == 0)
        figure_set_ui(&out[1], 0);
    mpz_clear(draws);
    return DP_OK;
}

const bound amplify_with_pair = {
    .theorem =
        {.id = "amplify-with-pair",
         .family = "bagging-with",
         .verdict = DP_PROVED,
         .source = "derived here",
         .statement = "m = Nk draws with replacement make an (eps0, delta0)-DP learner (m ln(1 + "
                      "(e^eps0 - 1)/n), delta0 ((1 + (e^eps0-1)/n)^m - 1)/(e^eps0 - 1))-DP",
         .assumes = "learner under replace-one, result under either relation (n the larger data "
                    "set); " SECRET,
         .proof = "Replace the draws one at a time: given the others, one draw is sampling without "
                  "replacement of one record, a step (ln(1 + (e^eps0-1)/n), delta0/n); group "
                  "privacy of m steps. For delta0 = 0 no smaller epsilon holds: a learner with "
                  "Pr[1] = c e^(eps0 J), J copies of the record, c to 0."},
    .eval = eval_with_pair,
    .output = PAIR};
