/* SPDX-License-Identifier: MIT */
/* The amplified pair (eps', delta') of one model: enclosed, and exact where it is a number that can
 * be written down. */
#include "num/ival.h"
#include "num/number.h"
#include "sampling/amplify.h"
#include "sampling/amplify_texts.h"
#include "sampling/bagging_ask.h"

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
    amplify_route way = amplify_way(b);
    if (way == AMPLIFY_GROUP_RESULT) {
        amplify_grouped_pair(epsilon, delta, b, eta);
    } else if (way == AMPLIFY_SAME_SIZE && mpq_sgn(eta) > 0) {
        ival_set_number(epsilon, b->base_epsilon);
        mpfi_set_q(delta, b->base_delta);
        mpfi_mul_q(delta, delta, eta);
    } else {
        amplify_learner(epsilon, delta, b);
        mpfi_mul_q(epsilon, epsilon, eta);
        mpfi_log1p(epsilon, epsilon);
        mpfi_mul_q(delta, delta, eta);
    }
    mpq_clear(eta);
}

bool amplify_leak(mpq_t delta, const dp_bagging *b, const mpz_t draws)
{
    bool with = b->sampling == DP_WITH_REPLACEMENT, direct = amplify_is_one_step(b);
    bool only_leaks = dp_number_sgn(b->base_epsilon) == 0;
    if (mpq_sgn(b->base_delta) != 0 && !only_leaks && (with || !direct))
        return false;
    amplify_rate_q(delta, b);
    mpq_t lost;
    mpq_init(lost);
    mpq_set(lost, b->base_delta);
    if (!direct)
        mpq_mul_2exp(lost, lost, 1);
    if (mpq_cmp_ui(lost, 1, 1) > 0)
        mpq_set_ui(lost, 1, 1);
    mpq_mul(delta, delta, lost);
    if (with) { /* so many steps of it */
        mpz_mul(mpq_numref(delta), mpq_numref(delta), draws);
        mpq_canonicalize(delta);
    }
    if (mpq_cmp_ui(delta, 1, 1) > 0)
        mpq_set_ui(delta, 1, 1);
    mpq_clear(lost);
    return true;
}

known_kind bagging_leak_kind(const dp_bagging *b)
{
    return b->adjacency == DP_REPLACE_ONE ? KNOWN_ATTAINED : KNOWN_ONE_WAY;
}

bool bagging_is_pair(known_kind *kind, const dp_bagging *b)
{
    bool blocks = b->sampling == DP_WITHOUT_DISJOINT && mpz_cmp_ui(b->models, 1) > 0;
    if (b->sampling == DP_WITH_REPLACEMENT || amplify_way(b) != AMPLIFY_DIRECT)
        return false;
    mpq_t eta;
    mpq_init(eta);
    amplify_rate_q(eta, b);
    bool whole = mpq_cmp_ui(eta, 1, 1) == 0 && !blocks;
    bool leak = dp_number_sgn(b->base_epsilon) == 0;
    mpq_clear(eta);
    if (kind != NULL)
        *kind = whole ? KNOWN_ATTAINED : bagging_leak_kind(b);
    return whole || leak;
}

/* Puts what is known exactly in place of its enclosure. */
static void take_exact(dp_figure out[2], const dp_bagging *b, const mpz_t draws)
{
    dp_number end;
    mpq_t x;
    dp_number_init(&end);
    mpq_init(x);
    bool known = amplify_end(&end, b);
    if (known && dp_number_sgn(&end) == 0) {
        figure_set_ui(&out[0], 0);
    } else if (known && !end.is_log) {
        mpq_set_z(x, draws);
        mpq_mul(x, x, number_rational(&end));
        figure_set_q(&out[0], x);
    }
    if (amplify_leak(x, b, draws))
        figure_set_q(&out[1], x);
    mpq_clear(x);
    dp_number_clear(&end);
}

dp_status amplify_pair_figures(dp_figure *out, const dp_bagging *b, const wanted *want)
{
    mpfi_ptr epsilon = figure_enclose(&out[0], want->bits);
    mpfi_ptr delta = figure_enclose(&out[1], want->bits);
    mpz_t one;
    mpz_init_set_ui(one, 1);
    amplify_pair(epsilon, delta, b);
    take_exact(out, b, one);
    mpz_clear(one);
    return DP_OK;
}

/* Two steps of the amplified pair (eps', delta'): (2 eps', delta' (1 + e^eps')). */
static void two_steps(mpfi_t epsilon, mpfi_t delta, const dp_bagging *b, const mpq_t eta)
{
    mpfi_t lift;
    mpfi_init2(lift, mpfi_get_prec(delta));
    amplify_learner(lift, delta, b);
    mpfi_mul_q(lift, lift, eta);
    mpfi_log1p(epsilon, lift);
    mpfi_mul_2ui(epsilon, epsilon, 1);
    mpfi_add_ui(lift, lift, 2);
    mpfi_mul_q(delta, delta, eta);
    mpfi_mul(delta, delta, lift);
    ival_clamp_ui(delta, 0, 1);
    mpfi_clear(lift);
}

static dp_status eval_point(dp_figure *out, const void *in, const wanted *want)
{
    const dp_bagging *b = ((const bagging_in *)in)->b;
    mpq_t eta;
    mpq_init(eta);
    amplify_rate_q(eta, b);
    bool grouped = amplify_way(b) == AMPLIFY_GROUP_RESULT && mpq_cmp_ui(eta, 1, 1) < 0 &&
                   dp_number_sgn(b->base_epsilon) > 0;
    if (grouped)
        two_steps(figure_enclose(&out[0], want->bits), figure_enclose(&out[1], want->bits), b, eta);
    mpq_clear(eta);
    return grouped ? DP_OK : amplify_pair_figures(out, b, want);
}

const bound amplify_point = {
    .theorem =
        {.id = "amplify-point",
         .family = "bagging-without",
         .verdict = DP_EXACT,
         .source = BBG ", Theorems 8 and 9; under add-remove derived here",
         .statement = "subsampling at rate eta makes an (eps0, delta0)-DP learner (eps', delta') = "
                      "(ln(1 + eta (e^eps0 - 1)), eta delta0)-DP; Poisson, for a replaced record "
                      "and a learner known under add-remove: (2 eps', delta' (1 + e^eps'))",
         .assumes = RELATIONS SECRET,
         .proof =
             "P = (1-eta) K0 + eta K1 where replacing one member of the sample turns K0 into K1, "
             "so "
             "P - e^eps' K0 = eta (K1 - e^eps0 K0) at eps' = ln(1 + eta(e^eps0 - 1)). N disjoint "
             "blocks are one function of the Nk pooled records, of which a change touches one "
             "block, so eta = Nk/n without composition. A replaced record is one removed and one "
             "added; the least pair for that is amplify-grouped."},
    .eval = eval_point,
    .output = PAIR,
    .also_for = "bagging-poisson|compose"};

static dp_status eval_with_pair(dp_figure *out, const void *in, const wanted *want)
{
    const dp_bagging *b = ((const bagging_in *)in)->b;
    mpz_t draws;
    mpz_init(draws);
    mpz_mul(draws, b->models, b->subsample_size);
    with_pair(figure_enclose(&out[0], want->bits), figure_enclose(&out[1], want->bits), b, draws);
    take_exact(out, b, draws);
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
    .output = PAIR,
    .also_for = "compose"};
