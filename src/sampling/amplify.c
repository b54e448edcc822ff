/* SPDX-License-Identifier: MIT */
/* The privacy profile of a private learner on a sample that holds no record twice, the learner
 * known under the relation that the scheme needs. */
#include "sampling/amplify.h"

#include "num/ival.h"
#include "sampling/amplify_texts.h"

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

/* rise as the profile has it: where the samples have the same size, eta times that. */
static void weigh_rise(mpfi_t rise, const dp_bagging *b, const mpq_t eta)
{
    if (amplify_way(b) == AMPLIFY_SAME_SIZE)
        mpfi_mul_q(rise, rise, eta);
}

/* The exact rational value where e^eps0 and e^x are rational, or where delta0 = 1 makes it eta. */
static bool exact_value(mpq_t out, const bagging_in *in)
{
    const dp_bagging *b = in->b;
    mpq_t eta, odds, part, one;
    mpq_inits(eta, odds, part, one, NULL);
    mpq_set_ui(one, 1, 1);
    amplify_rate_q(eta, b);
    bool ok = true;
    if (mpq_cmp(b->base_delta, one) == 0) {
        mpq_set(out, eta);
    } else if (amplify_base_odds(odds, b) && bagging_target_odds(part, in->at)) {
        mpq_sub(part, part, one); /* rise */
        if (amplify_way(b) == AMPLIFY_SAME_SIZE)
            mpq_mul(part, part, eta);
        mpq_sub(out, odds, one); /* growth */
        mpq_mul(out, out, eta);
        mpq_sub(out, out, part);
        if (mpq_sgn(out) < 0)
            mpq_set_ui(out, 0, 1);
        mpq_add(odds, odds, one);
        mpq_div(out, out, odds);
        mpq_sub(part, one, b->base_delta);
        mpq_mul(out, out, part);
        mpq_mul(part, eta, b->base_delta);
        mpq_add(out, out, part);
    } else {
        ok = false;
    }
    mpq_clears(eta, odds, part, one, NULL);
    return ok;
}

/* Beyond eps' the profile is eta delta0, whatever the target. */
static bool is_beyond(const bagging_in *in, const mpfi_t growth, const mpq_t eta, const mpfi_t rise)
{
    mpz_t one;
    mpfi_t gap;
    mpz_init_set_ui(one, 1);
    mpfi_init2(gap, mpfi_get_prec(rise));
    dp_decision beyond = amplify_beyond(in->b, one, in->at);
    mpfi_mul_q(gap, growth, eta);
    mpfi_sub(gap, gap, rise);
    mpz_clear(one);
    bool apart = mpfr_sgn(&gap->right) <= 0;
    mpfi_clear(gap);
    return beyond == DP_YES || (beyond == DP_UNKNOWN && apart);
}

static dp_status eval_profile(dp_figure *out, const void *in, const wanted *want)
{
    const bagging_in *q = in;
    if (q->target != NULL)
        return amplify_inverse(out, q, want);
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
    amplify_rise(rise, q->at);
    amplify_rate_q(eta, q->b);
    weigh_rise(rise, q->b, eta);
    amplify_base(growth, delta, q->b);
    if (is_beyond(q, growth, eta, rise)) {
        mpq_mul(eta, eta, q->b->base_delta);
        figure_set_q(&out[1], eta);
    } else {
        profile_value(figure_enclose(&out[1], want->bits), growth, delta, eta, rise);
    }
    mpq_clear(eta);
    mpfi_clear(rise);
    mpfi_clear(delta);
    mpfi_clear(growth);
    return DP_OK;
}

const bound *amplify_curve(const dp_bagging *b)
{
    amplify_route way = amplify_way(b);
    return way == AMPLIFY_DIRECT      ? &amplify_profile
           : way == AMPLIFY_SAME_SIZE ? &amplify_replaced
                                      : &amplify_grouped;
}

/* Surely at or beyond eps', where the profile is flat. */
static bool surely_beyond(const bagging_in *in)
{
    mpfi_t end, delta, at;
    mpz_t one;
    if (in->at == NULL)
        return false;
    mpz_init_set_ui(one, 1);
    mpfi_init2(end, 128);
    mpfi_init2(delta, 128);
    mpfi_init2(at, 128);
    amplify_pair(end, delta, in->b);
    logform_enclose(at, in->at);
    bool beyond =
        amplify_beyond(in->b, one, in->at) == DP_YES || mpfr_lessequal_p(&end->right, &at->left);
    mpfi_clear(at);
    mpfi_clear(delta);
    mpfi_clear(end);
    mpz_clear(one);
    return beyond;
}

/* With several disjoint blocks the chain of neighbours that attains the formula would have to be
 * seen in the one block that holds the record, and the others answer too: only what leaks is
 * attained. */
bool amplify_attained(const bagging_in *in)
{
    const dp_bagging *b = in->b;
    amplify_route way = amplify_way(b);
    if (b->sampling == DP_WITH_REPLACEMENT || amplify_composes(b) || way == AMPLIFY_NOTHING)
        return false;
    if (b->sampling == DP_POISSON || mpz_cmp_ui(b->models, 1) == 0)
        return true;
    if (way != AMPLIFY_DIRECT)
        return false;
    return mpq_cmp_ui(b->base_delta, 1, 1) == 0 || dp_number_sgn(b->base_epsilon) == 0 ||
           surely_beyond(in);
}

/* The adding direction: kap delta0 + (1 - delta0) (kap E0 - eta e^x)_+ / (1 + E0),
 * kap = 1 - e^x (1 - eta) = eta - rise (1 - eta), 0 where that is negative. */
static dp_status eval_add(dp_figure *out, const void *in, const wanted *want)
{
    const bagging_in *q = in;
    bagging_set_epsilon(&out[0], q, want);
    if (amplify_way(q->b) != AMPLIFY_DIRECT) {
        amplify_grouped_value(&out[1], q, true, want);
        return DP_OK;
    }
    mpq_t eta, rest;
    mpq_inits(eta, rest, NULL);
    amplify_rate_q(eta, q->b);
    if (mpq_cmp_ui(eta, 1, 1) == 0) { /* every sample holds it: c = 1 */
        mpq_clears(eta, rest, NULL);
        return eval_profile(out, in, want);
    }
    mpfi_t growth, delta, rise, kap, part;
    mpfi_ptr all[] = {growth, delta, rise, kap, part};
    for (size_t i = 0; i < 5; i++)
        mpfi_init2(all[i], want->bits);
    mpq_set_ui(rest, 1, 1);
    mpq_sub(rest, rest, eta);
    amplify_base(growth, delta, q->b);
    amplify_rise(rise, q->at);
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

const bound amplify_profile = {
    .theorem =
        {.id = "amplify-profile",
         .family = "bagging-without",
         .verdict = DP_EXACT,
         .source = "derived here from " BBG ", Theorems 8 and 9",
         .statement = "delta(eps) = eta delta0 + (1-delta0) max(0, eta(e^eps0 - 1) - (e^eps - "
                      "1))/(1 + e^eps0)",
         .assumes = RELATIONS SECRET "; exact for one model, an upper bound for several disjoint "
                                     "blocks",
         .proof =
             "The coupling of amplify-point holds with e^t in place of e^eps0, e^t = 1 + (e^eps "
             "- 1)/eta, so delta(eps) = eta d(t), d the worst profile of an (eps0, "
             "delta0)-DP learner. The four-outcome learner on the bit [record in sample] "
             "attains it. Of several disjoint blocks only one holds the record, and which one is "
             "not known: n = 2, two blocks of 1, e^eps0 = 3 shows less than 1/2 at eps = 0."},
    .eval = eval_profile,
    .output = PAIR,
    .also_for = "bagging-poisson|compose|curve"};

static dp_status eval_replaced(dp_figure *out, const void *in, const wanted *want)
{
    const bagging_in *q = in;
    if (q->target == NULL && q->at == NULL)
        return amplify_pair_figures(out, q->b, want);
    return eval_profile(out, in, want);
}

const bound amplify_replaced = {
    .theorem =
        {.id = "amplify-replaced",
         .family = "bagging-poisson",
         .verdict = DP_EXACT,
         .source = "derived here",
         .statement = "Poisson samples at rate q, a record replaced, of a learner that is (eps0, "
                      "delta0)-DP under replace-one adjacency: delta(eps) = q d(eps), d(eps) = "
                      "delta0 + (1-delta0) max(0, e^eps0 - e^eps)/(1 + e^eps0); so (eps0, q "
                      "delta0)-DP",
         .assumes = "the learner under replace-one adjacency, samples of different sizes in any "
                    "way different; result under replace-one; " SECRET,
         .proof =
             "Whatever else is drawn, the sample holds neither record with probability 1 - q, and "
             "else the one or the other, samples of one size that are a replacement apart. So P - "
             "e^eps Q = (1-q)(1 - e^eps) C + q (A - e^eps B) with C the law without either, and "
             "for eps >= 0 the first part is not above 0. On a data set of one record the sample "
             "without it is empty: a learner that says so, and else is randomized response with "
             "what leaks, attains it at every eps, below 0 too, where the first part is at most "
             "(1-q)(1 - e^eps). So the pair (1-q, 1-q), q (P0, Q0), (P0, Q0) the worst of the "
             "learner, dominates and is attained, in compositions too."},
    .eval = eval_replaced,
    .output = PAIR,
    .also_for = "compose|curve"};

const bound amplify_add = {
    .theorem = {.id = "amplify-add",
                .family = "bagging-without",
                .verdict = DP_EXACT,
                .source = "derived here from " BBG ", Theorem 9",
                .statement =
                    "adding a record: delta(eps) = c d(ln(eta e^eps/c)), c = 1 - e^eps (1-eta), d "
                    "the worst profile of the learner (of two of its steps where it is known under "
                    "add-remove adjacency on samples of fixed size); 0 where c <= 0",
                .assumes = "one direction of add-remove adjacency; exact for one model, an upper "
                           "bound for several disjoint blocks; " SECRET,
                .proof = "Q - e^eps P = c K0 - e^eps eta K1 with P = (1-eta) K0 + eta K1, Q = K0."},
    .eval = eval_add,
    .output = PAIR,
    .also_for = "bagging-poisson"};
