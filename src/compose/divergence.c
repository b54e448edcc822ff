/* SPDX-License-Identifier: MIT */
/* KL divergence of a list: the tight value and the published bounds. */
#include "compose/divergence.h"

/* Every bound is a multiple of a sum that is 0 exactly when all epsilons are. */
static dp_status kl(dp_figure *out, const composed *c, composed_part part, unsigned halvings,
                    const wanted *want)
{
    if (c->losses == 0) {
        figure_set_ui(out, 0);
        return DP_OK;
    }
    mpfi_ptr sum = figure_enclose(out, want->bits);
    composed_sum(sum, c, part);
    mpfi_div_2ui(sum, sum, halvings);
    return DP_OK;
}

static dp_status eval_tight(dp_figure *out, const void *in, const wanted *want)
{
    return kl(out, in, SUM_MEAN, 0, want);
}

static dp_status eval_bun_steinke(dp_figure *out, const void *in, const wanted *want)
{
    if (want->rational && composed_half_square_q(out->rational, in)) {
        out->kind = DP_RATIONAL;
        return DP_OK;
    }
    return kl(out, in, SUM_SQUARE, 1, want);
}

static dp_status eval_dwork_rothblum(dp_figure *out, const void *in, const wanted *want)
{
    return kl(out, in, SUM_GROWTH, 1, want);
}

static dp_status eval_dwork(dp_figure *out, const void *in, const wanted *want)
{
    return kl(out, in, SUM_GROWTH, 0, want);
}

#define PURE GIVEN_EARLIER ", all delta_i = 0; the adjacency of the mechanisms"

const bound kl_tight = {
    .theorem = {.id = "kl-tight",
                .family = "kl-bound",
                .verdict = DP_EXACT,
                .source = "He, Wang, Tao 2021 (iterative learning), Lemma 2; the mean term of "
                          "Kairouz, Oh, Viswanath 2015",
                .statement = "KL <= sum epsilon_i tanh(epsilon_i/2), and randomized response "
                             "attains it",
                .assumes = PURE,
                .proof = "Every pure epsilon-DP pair is a post-processing of randomized response "
                         "with odds e^epsilon, whose KL divergence is epsilon tanh(epsilon/2); KL "
                         "does not grow under post-processing and adds up over independent (and "
                         "adaptive) steps."},
    .eval = eval_tight,
    .output = {"kl"},
    .also_for = "divergence"};

const bound kl_bun_steinke = {
    .theorem = {.id = "kl-bun-steinke",
                .family = "kl-bound",
                .verdict = DP_PROVED,
                .source = "Bun, Steinke 2016, Concentrated Differential Privacy, Proposition 1.4",
                .statement = "KL <= sum epsilon_i^2/2",
                .assumes = PURE,
                .proof = "tanh(x) <= x, so it is never below kl-tight."},
    .eval = eval_bun_steinke,
    .output = {"kl"},
    .only_all = true,
    .also_for = "divergence"};

const bound kl_dwork_rothblum = {
    .theorem = {.id = "kl-dwork-rothblum",
                .family = "kl-bound",
                .verdict = DP_PROVED,
                .source = "Dwork, Rothblum 2016, Concentrated Differential Privacy, Lemma 3.8",
                .statement = "KL <= sum epsilon_i (e^epsilon_i - 1)/2",
                .assumes = PURE,
                .proof = "e^x - 1 >= x, so it is never below kl-bun-steinke."},
    .eval = eval_dwork_rothblum,
    .output = {"kl"},
    .only_all = true,
    .also_for = "divergence"};

const bound kl_dwork = {
    .theorem = {.id = "kl-dwork",
                .family = "kl-bound",
                .verdict = DP_PROVED,
                .source = "Dwork, Rothblum, Vadhan 2010, Boosting and Differential Privacy, "
                          "Lemma III.2",
                .statement = "KL <= sum epsilon_i (e^epsilon_i - 1)",
                .assumes = PURE,
                .proof = "Twice kl-dwork-rothblum."},
    .eval = eval_dwork,
    .output = {"kl"},
    .only_all = true,
    .also_for = "divergence"};
