/* SPDX-License-Identifier: MIT */
/* From zCDP, Renyi divergences and CDP to (epsilon, delta). */
#include "num/ival.h"
#include "renyi/convert.h"

/* out = epsilon, delta, alpha */
static dp_status at_order(dp_figure *out, const conversion *c, chosen_row row, bool improved,
                          const wanted *want)
{
    mpq_srcptr alpha = c->alpha[row];
    mpfi_ptr x = conversion_asked(out, c, want->bits);
    mpfi_t r, at;
    mpfi_init2(r, want->bits);
    mpfi_init2(at, want->bits);
    if (row == CHOSEN_LINE)
        conversion_line(r, c, alpha);
    else
        c->curve.at(r, c->curve.of, alpha);
    if (c->delta == NULL)
        logform_enclose(at, &c->form);
    if (row == CHOSEN_SINGLE)
        renyi_single_epsilon(x, r, alpha, c->delta);
    else if (c->delta != NULL)
        (improved ? renyi_improved_epsilon : renyi_classic_epsilon)(x, r, alpha, c->delta);
    else
        (improved ? renyi_improved_delta : renyi_classic_delta)(x, r, alpha, at);
    figure_set_q(&out[2], alpha);
    mpfi_clear(at);
    mpfi_clear(r);
    return DP_OK;
}

static bool improved_applies(const void *in)
{
    const conversion *c = in;
    return conversion_is_inner(c) && c->found[CHOSEN_IMPROVED];
}

static dp_status eval_improved(dp_figure *out, const void *in, const wanted *want)
{
    return at_order(out, in, CHOSEN_IMPROVED, true, want);
}

static bool classic_applies(const void *in)
{
    const conversion *c = in;
    return conversion_is_inner(c) && c->found[CHOSEN_CLASSIC];
}

static dp_status eval_classic(dp_figure *out, const void *in, const wanted *want)
{
    return at_order(out, in, CHOSEN_CLASSIC, false, want);
}

static bool single_applies(const void *in)
{
    const conversion *c = in;
    return conversion_is_inner(c) && c->delta != NULL && c->found[CHOSEN_SINGLE];
}

static dp_status eval_single(dp_figure *out, const void *in, const wanted *want)
{
    return at_order(out, in, CHOSEN_SINGLE, true, want);
}

static bool line_applies(const void *in)
{
    const conversion *c = in;
    return conversion_is_inner(c) && c->found[CHOSEN_LINE];
}

static dp_status eval_line(dp_figure *out, const void *in, const wanted *want)
{
    return at_order(out, in, CHOSEN_LINE, true, want);
}

#define JUDGE_BITS 256

/* Bounds the total variation, which is delta at every epsilon; shows epsilon 0 from there on. */
static bool variation_applies(const void *in)
{
    const conversion *c = in;
    if (c->to != TO_PAIR || !(c->is_line || c->is_curve))
        return false;
    mpfi_t x;
    mpfi_init2(x, JUDGE_BITS);
    conversion_kl(x, c);
    renyi_total_variation(x, x);
    bool ok = c->delta == NULL || mpfr_cmp_q(&x->right, c->delta) <= 0;
    mpfi_clear(x);
    return ok;
}

static dp_status eval_variation(dp_figure *out, const void *in, const wanted *want)
{
    const conversion *c = in;
    mpfi_ptr x = conversion_asked(out, c, want->bits);
    if (c->delta != NULL) {
        figure_set_ui(&out[0], 0);
        return DP_OK;
    }
    conversion_kl(x, c);
    renyi_total_variation(x, x);
    return DP_OK;
}

/* xi + rho + 2 sqrt(rho ln(1/delta)), or e^(-(x - xi - rho)^2 / (4 rho)) where x is beyond them. */
static bool tail(mpfi_t out, const conversion *c)
{
    mpfi_t rho, part;
    mpfi_init2(rho, mpfi_get_prec(out));
    mpfi_init2(part, mpfi_get_prec(out));
    conversion_rho(rho, c);
    mpfi_add_q(part, rho, c->line.xi);
    bool ok = true;
    if (c->delta != NULL) {
        ival_log_q(out, c->delta);
        mpfi_neg(out, out);
        mpfi_mul(out, out, rho);
        mpfi_sqrt(out, out);
        mpfi_mul_2ui(out, out, 1);
        mpfi_add(out, out, part);
        ival_at_least_zero(out);
    } else {
        logform_enclose(out, &c->form);
        mpfi_sub(out, out, part);
        ok = mpfi_is_strictly_pos(out);
        mpfi_sqr(out, out);
        mpfi_mul_2ui(rho, rho, 2);
        mpfi_div(out, out, rho);
        mpfi_neg(out, out);
        mpfi_exp(out, out);
    }
    mpfi_clear(part);
    mpfi_clear(rho);
    return ok && !ival_bad(out);
}

static bool tail_applies(const conversion *c, bool cdp)
{
    if (!conversion_is_inner(c) || !c->is_line || c->is_cdp != cdp)
        return false;
    mpfi_t x;
    mpfi_init2(x, JUDGE_BITS);
    bool ok = tail(x, c);
    mpfi_clear(x);
    return ok;
}

static bool zcdp_classic_applies(const void *in)
{
    return tail_applies(in, false);
}

static bool cdp_applies(const void *in)
{
    return tail_applies(in, true);
}

static dp_status eval_tail(dp_figure *out, const void *in, const wanted *want)
{
    const conversion *c = in;
    mpfi_ptr x = conversion_asked(out, c, want->bits);
    return tail(x, c) ? DP_OK : DP_LIMIT;
}

#define BOTH "each divergence bounded in both directions; the adjacency of the statement"
#define ORDER                                                                                      \
    "Every order is sound; the one shown was chosen for the target and is close to the best."

const bound zcdp_to_dp = {
    .theorem = {.id = "zcdp-to-dp",
                .family = "convert",
                .verdict = DP_PROVED,
                .source = "Bun, Steinke 2016, Concentrated Differential Privacy, with the "
                          "conversion of Canonne, Kamath, Steinke 2020, Proposition 12",
                .statement = "for every order alpha > 1: epsilon = r + ln(1 - 1/alpha) - (ln delta "
                             "+ ln alpha)/(alpha-1) with r = max(0, xi + rho alpha)",
                .assumes = BOTH,
                .proof = "rdp-to-dp with the line of zCDP. " ORDER},
    .applies = line_applies,
    .eval = eval_line,
    .output = {"epsilon", "delta", "alpha"}};

const bound zcdp_to_dp_classic = {
    .theorem = {.id = "zcdp-to-dp-classic",
                .family = "convert",
                .verdict = DP_PROVED,
                .source = "Bun, Steinke 2016, Concentrated Differential Privacy, Proposition 1.3",
                .statement = "epsilon = xi + rho + 2 sqrt(rho ln(1/delta))",
                .assumes = BOTH,
                .proof = "rdp-to-dp-classic at alpha = 1 + sqrt(ln(1/delta)/rho); zcdp-to-dp is "
                         "never above it."},
    .applies = zcdp_classic_applies,
    .eval = eval_tail,
    .output = {"epsilon", "delta"}};

const bound rdp_to_dp = {
    .theorem = {.id = "rdp-to-dp",
                .family = "convert",
                .verdict = DP_PROVED,
                .source = "Canonne, Kamath, Steinke 2020, The Discrete Gaussian for Differential "
                          "Privacy, Proposition 12; Balle et al. 2020",
                .statement = "epsilon = r + ln(1 - 1/alpha) - (ln delta + ln alpha)/(alpha-1), r "
                             "the Renyi divergence of order alpha > 1, at least 0",
                .assumes = BOTH,
                .proof = "(1 - e^-u)_+ <= kappa(t) e^(tu) with t = alpha-1 and kappa(t) = "
                         "t^t/(1+t)^(1+t), inside the expectation that is delta. " ORDER},
    .applies = improved_applies,
    .eval = eval_improved,
    .output = {"epsilon", "delta", "alpha"}};

const bound rdp_to_dp_classic = {
    .theorem = {.id = "rdp-to-dp-classic",
                .family = "convert",
                .verdict = DP_PROVED,
                .source = "Mironov 2017, Renyi Differential Privacy, Proposition 3; the moments "
                          "accountant of Abadi et al. 2016 is the same",
                .statement = "epsilon = r + ln(1/delta)/(alpha-1), r the Renyi divergence of order "
                             "alpha > 1",
                .assumes = BOTH,
                .proof = "rdp-to-dp with kappa(t) <= 1, so it is never below it. " ORDER},
    .applies = classic_applies,
    .eval = eval_classic,
    .output = {"epsilon", "delta", "alpha"}};

const bound rdp_to_dp_single = {
    .theorem =
        {.id = "rdp-to-dp-single",
         .family = "convert",
         .verdict = DP_PROVED,
         .source = "Asoodeh, Liao, Calmon, Kosut, Sankar 2021, Three Variants of Differential "
                   "Privacy: Lossless Conversion and Applications",
         .statement = "the least epsilon such that p^alpha q^(1-alpha) + (1-p)^alpha "
                      "(1-q)^(1-alpha) > e^((alpha-1) r) with q = (p - delta) e^-epsilon for every "
                      "p in [delta, 1]",
         .assumes = BOTH,
         .proof = "Two events carry delta, and the divergence of two events is at most that of the "
                  "pair. No smaller epsilon follows from one order and one direction; more orders "
                  "or both directions may give one."},
    .applies = single_applies,
    .eval = eval_single,
    .output = {"epsilon", "delta", "alpha"},
    .bracket = true};

const bound rdp_to_dp_variation = {
    .theorem = {.id = "rdp-to-dp-variation",
                .family = "convert",
                .verdict = DP_PROVED,
                .source = "Bretagnolle, Huber 1979",
                .statement = "delta = sqrt(1 - e^-r) at every epsilon >= 0, r a bound of the KL "
                             "divergence: the Renyi divergence of any order above 1, or its limit "
                             "at 1",
                .assumes = BOTH,
                .proof = "delta at 0 is the total variation, and delta does not grow with epsilon. "
                         "It is of use where delta is large."},
    .applies = variation_applies,
    .eval = eval_variation,
    .output = {"epsilon", "delta"}};

const bound cdp_to_dp = {
    .theorem = {.id = "cdp-to-dp",
                .family = "convert",
                .verdict = DP_PROVED,
                .source = "Dwork, Rothblum 2016, Concentrated Differential Privacy",
                .statement = "epsilon = mu + tau sqrt(2 ln(1/delta))",
                .assumes = "mean loss at most mu, and the loss tau-subgaussian about its mean, in "
                           "both directions; the adjacency of the statement",
                .proof = "delta(x) <= Pr(L > x), and the tail of a subgaussian loss. It is "
                         "zcdp-to-dp-classic after cdp-to-zcdp, so zcdp-to-dp is never above it."},
    .applies = cdp_applies,
    .eval = eval_tail,
    .output = {"epsilon", "delta"}};
