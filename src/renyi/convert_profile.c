/* SPDX-License-Identifier: MIT */
/* Statements whose profile is known in closed form, and one that is taken for such. */
#include "loss/gaussian.h"
#include "num/ival.h"
#include "num/number.h"
#include "renyi/convert.h"

static bool pair_applies(const void *in)
{
    const conversion *c = in;
    return c->to == TO_PAIR && c->is_pair;
}

/* q = (delta - leak) / (1 - leak) */
static void share_left(mpq_t q, const conversion *c)
{
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    mpq_sub(q, c->delta, c->leak);
    mpq_sub(one, one, c->leak);
    mpq_div(q, q, one);
    mpq_clear(one);
}

/* e^epsilon = R - q (1 + R) with R = e^E: exact where R is rational, so that a tie at 0 is seen. */
static void profile_epsilon(dp_figure *out, const conversion *c, mpfr_prec_t bits)
{
    mpq_t q, odds;
    mpq_inits(q, odds, NULL);
    share_left(q, c);
    mpfi_ptr x = figure_enclose(out, bits);
    if (number_odds(&c->epsilon) != NULL) {
        mpq_set_ui(odds, 1, 1);
        mpq_add(odds, odds, number_odds(&c->epsilon));
        mpq_mul(q, q, odds);
        mpq_sub(q, number_odds(&c->epsilon), q);
        if (mpq_cmp_ui(q, 1, 1) <= 0)
            figure_set_ui(out, 0);
        else
            ival_log_q(x, q);
    } else { /* E + ln(1 - q (1 + e^-E)) */
        mpfi_t e;
        mpfi_init2(e, bits);
        mpfi_set_q(e, number_rational(&c->epsilon));
        mpfi_neg(x, e);
        mpfi_exp(x, x);
        mpfi_add_ui(x, x, 1);
        mpfi_mul_q(x, x, q);
        mpfi_neg(x, x);
        if (mpfr_cmp_si(&x->left, -1) < 0) /* below, epsilon is 0 as from -infinity */
            mpfr_set_si(&x->left, -1, MPFR_RNDN);
        if (mpfr_cmp_si(&x->right, -1) < 0)
            mpfr_set_si(&x->right, -1, MPFR_RNDN);
        mpfi_log1p(x, x);
        mpfi_add(x, x, e);
        ival_at_least_zero(x);
        mpfi_clear(e);
    }
    mpq_clears(q, odds, NULL);
}

/* Is x at least E? */
static bool is_beyond(const conversion *c)
{
    logform gap;
    mpq_t minus;
    int sign = 0;
    logform_init(&gap);
    mpq_init(minus);
    mpq_set_si(minus, -1, 1);
    bool ok = logform_set(&gap, &c->form) && logform_add_number(&gap, minus, &c->epsilon) &&
              logform_sign(&sign, &gap, 1 << 20);
    mpq_clear(minus);
    logform_clear(&gap);
    return ok && sign >= 0;
}

/* leak + (1 - leak) (R - X) / (1 + R) with R = e^E and X = e^x, where both are rational. */
static bool profile_delta_q(mpq_t out, const conversion *c)
{
    mpq_srcptr odds = number_odds(&c->epsilon), at = number_odds(c->x);
    if (odds == NULL || (at == NULL && dp_number_sgn(c->x) != 0))
        return false;
    mpq_t one, part;
    mpq_inits(one, part, NULL);
    mpq_set_ui(one, 1, 1);
    mpq_sub(out, odds, at != NULL ? at : one);
    mpq_add(part, odds, one);
    mpq_div(out, out, part);
    mpq_sub(part, one, c->leak);
    mpq_mul(out, out, part);
    mpq_add(out, out, c->leak);
    mpq_clears(one, part, NULL);
    return true;
}

/* leak + (1 - leak) (1 - e^(x - E)) / (1 + e^-E) */
static void profile_delta(mpfi_t out, const conversion *c)
{
    mpfi_t e, part;
    mpfi_init2(e, mpfi_get_prec(out));
    mpfi_init2(part, mpfi_get_prec(out));
    ival_set_number(e, &c->epsilon);
    logform_enclose(out, &c->form);
    mpfi_sub(out, out, e);
    mpfi_expm1(out, out);
    mpfi_neg(out, out);
    mpfi_neg(e, e);
    mpfi_exp(e, e);
    mpfi_add_ui(e, e, 1);
    mpfi_div(out, out, e);
    mpfi_set_q(part, c->leak);
    ival_union(out, part, out);
    mpfi_clear(part);
    mpfi_clear(e);
}

static dp_status eval_profile(dp_figure *out, const void *in, const wanted *want)
{
    const conversion *c = in;
    mpfi_ptr x = conversion_asked(out, c, want->bits);
    if (c->delta == NULL) {
        if (is_beyond(c))
            figure_set_q(&out[1], c->leak);
        else if (profile_delta_q(out[1].rational, c))
            out[1].kind = DP_RATIONAL;
        else
            profile_delta(x, c);
        return DP_OK;
    }
    int order = mpq_cmp(c->delta, c->leak);
    if (mpq_cmp_ui(c->delta, 1, 1) >= 0)
        figure_set_ui(&out[0], 0);
    else if (order < 0)
        figure_set_infinite(&out[0]);
    else if (order == 0 && number_rational(&c->epsilon) != NULL)
        figure_set_q(&out[0], number_rational(&c->epsilon));
    else
        profile_epsilon(&out[0], c, want->bits);
    return DP_OK;
}

static bool gdp_applies(const void *in)
{
    const conversion *c = in;
    return c->to == TO_PAIR && c->is_gdp;
}

/* The Gaussian profile at mu: sqrt(2 rho), which a statement by mu has exactly. */
static dp_status eval_gaussian(dp_figure *out, const void *in, const wanted *want)
{
    const conversion *c = in;
    mpfi_ptr x = conversion_asked(out, c, want->bits);
    if (mpq_sgn(c->line.rho) == 0 || (c->delta != NULL && mpq_cmp_ui(c->delta, 1, 1) >= 0)) {
        figure_set_ui(&out[c->delta != NULL ? 0 : 1], 0);
        return DP_OK;
    }
    if (c->delta != NULL && mpq_sgn(c->delta) == 0) {
        figure_set_infinite(&out[0]);
        return DP_OK;
    }
    mpfi_t mu, at;
    mpfi_init2(mu, want->bits + 64);
    mpfi_init2(at, want->bits + 64);
    if (c->is_gdp) {
        mpfi_set_q(mu, c->mu);
    } else {
        mpfi_set_q(mu, c->line.rho);
        mpfi_mul_2ui(mu, mu, 1);
        mpfi_sqrt(mu, mu);
    }
    if (c->delta != NULL) {
        gaussian_epsilon(x, mu, c->delta);
    } else {
        logform_enclose(at, &c->form);
        gaussian_profile(x, mu, at);
    }
    mpfi_clear(at);
    mpfi_clear(mu);
    return DP_OK;
}

/* A published reading of zCDP claims: those without xi, as for Gaussian noise. */
static bool zcdp_gaussian_applies(const void *in)
{
    const conversion *c = in;
    return conversion_is_inner(c) && c->q->zcdp_count > 0 && c->is_line && mpq_sgn(c->line.xi) == 0;
}

const bound approx_profile = {
    .theorem = {.id = "approx-profile",
                .family = "convert",
                .verdict = DP_EXACT,
                .source = "Kairouz, Oh, Viswanath 2015, The Composition Theorem for Differential "
                          "Privacy",
                .statement = "delta(x) = D + (1 - D) (e^E - e^x)_+ / (1 + e^E) of an (E, D)-DP "
                             "mechanism, and randomized response with a leak attains it",
                .assumes = "the adjacency of the statement",
                .proof = "Every such pair is a post-processing of randomized response with odds "
                         "e^E that leaks with probability D, whose profile this is. zCDP with rho "
                         "= 0 is pure xi-DP: the limit of its divergences is the largest loss."},
    .applies = pair_applies,
    .eval = eval_profile,
    .output = {"epsilon", "delta"}};

const bound gdp_profile = {
    .theorem = {.id = "gdp-profile",
                .family = "convert",
                .verdict = DP_EXACT,
                .source = "Dong, Roth, Su 2022, Gaussian Differential Privacy, Corollary 2.13",
                .statement = "delta(x) = Phi(mu/2 - x/mu) - e^x Phi(-mu/2 - x/mu) of a mu-GDP "
                             "mechanism",
                .assumes = "no test tells the outputs apart better than N(0, 1) from N(mu, 1), "
                           "proved and not read off a limit theorem; the adjacency of the "
                           "statement",
                .proof = "Such a pair is a post-processing of the Gaussian pair (Blackwell 1953), "
                         "whose profile this is: gaussian-exact."},
    .applies = gdp_applies,
    .eval = eval_gaussian,
    .output = {"epsilon", "delta"}};

const bound zcdp_to_dp_gaussian = {
    .theorem =
        {.id = "zcdp-to-dp-gaussian",
         .family = "convert",
         .verdict = DP_UNSOUND,
         .source = "a reading of zCDP budgets as Gaussian noise; the profile of Balle, Wang 2018",
         .statement = "delta(x) = Phi(mu/2 - x/mu) - e^x Phi(-mu/2 - x/mu), mu = sqrt(2 rho), of "
                      "every rho-zCDP mechanism",
         .assumes = "holds for one release with continuous Gaussian noise, not for a claim of zCDP "
                    "whose mechanism is not known",
         .proof = "zCDP bounds the moments of the loss, not its profile: a mechanism may keep to "
                  "the moments of a Gaussian and have more mass in the middle.",
         .counterexample = "randomized response with epsilon = 1 is tanh(1/2)-zCDP, rho = "
                           "0.46212; its delta at 0 is tanh(1/2) = 0.46212, the Gaussian profile "
                           "says 0.36925. Discrete Gaussian noise, sigma = 1 on a count: 0.141351 "
                           "at epsilon = 1, against 0.126937"},
    .applies = zcdp_gaussian_applies,
    .eval = eval_gaussian,
    .output = {"epsilon", "delta"},
    .only_all = true};
