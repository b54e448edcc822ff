/* SPDX-License-Identifier: MIT */
/* The advantage of an attacker from (epsilon, delta) and from Gaussian privacy, in closed form. */
#include "attack/advantage.h"

#include "num/ival.h"
#include "num/number.h"

#define SIGN_BITS 100000

void attacker_phi(mpfi_t out, const mpfi_t x)
{
    mpfi_t root;
    mpfi_init2(root, mpfi_get_prec(out));
    mpfi_set_ui(root, 2);
    mpfi_sqrt(root, root);
    mpfi_div(out, x, root);
    mpfi_neg(out, out);
    ival_to_erfc(out);
    mpfi_div_2ui(out, out, 1);
    mpfi_clear(root);
}

void attacker_mu(mpfi_t out, const attacker *a)
{
    mpfi_set_q(out, a->mu_squared);
    mpfi_sqrt(out, out);
}

bool attacker_odds(mpq_t odds, const attacker *a)
{
    if (!a->epsilon.is_log && mpq_sgn(number_rational(&a->epsilon)) != 0)
        return false;
    if (a->epsilon.is_log)
        mpq_set(odds, number_odds(&a->epsilon));
    else
        mpq_set_ui(odds, 1, 1);
    return true;
}

bool attacker_leaks_all(const attacker *a)
{
    return mpz_cmp(mpq_numref(a->leak), mpq_denref(a->leak)) == 0;
}

void attacker_union(mpfi_t out, const attacker *a, const mpfi_t by)
{
    mpfi_t leak;
    mpfi_init2(leak, mpfi_get_prec(out));
    mpfi_set_q(leak, a->leak);
    ival_union(out, by, leak);
    mpfi_clear(leak);
}

bool attacker_epsilon_sign(int *sign, const attacker *a, mpq_srcptr k)
{
    logform f;
    mpq_t minus;
    logform_init(&f);
    mpq_init(minus);
    mpq_set_si(minus, -1, 1);
    bool known = logform_add_number(&f, NULL, &a->epsilon) && logform_add_log(&f, minus, k) &&
                 logform_sign(sign, &f, SIGN_BITS);
    mpq_clear(minus);
    logform_clear(&f);
    return known;
}

/* 2/(e^e + 1) = 2 e^-e/(1 + e^-e) */
static void errors_of(mpfi_t out, const mpfi_t e)
{
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(out));
    mpfi_neg(part, e);
    mpfi_exp(part, part);
    mpfi_add_ui(out, part, 1);
    mpfi_div(out, part, out);
    mpfi_mul_2ui(out, out, 1);
    mpfi_clear(part);
}

void advantage_of_response(dp_figure *out, const attacker *a, const mpfi_t e, mpfr_prec_t bits)
{
    mpq_t keep;
    mpq_init(keep);
    mpq_set_ui(keep, 1, 1);
    mpq_sub(keep, keep, a->leak);
    mpfi_ptr x = figure_enclose(&out[0], bits), y = figure_enclose(&out[1], bits);
    ival_tanh_half(x, e);
    attacker_union(x, a, x);
    ival_clamp_ui(x, 0, 1);
    errors_of(y, e);
    mpfi_mul_q(y, y, keep);
    mpq_clear(keep);
}

void advantage_set_errors(dp_figure *out, mpq_srcptr advantage)
{
    mpq_t q;
    mpq_init(q);
    mpq_set_ui(q, 1, 1);
    mpq_sub(q, q, advantage);
    figure_set_q(&out[1], q);
    mpq_clear(q);
}

/* ---- (epsilon, delta) ---- */

/* (E - 1 + 2 delta)/(E + 1) */
static dp_status eval_approx(dp_figure *out, const void *in, const wanted *want)
{
    const attacker *a = in;
    mpq_t odds, q;
    mpq_inits(odds, q, NULL);
    if (attacker_odds(odds, a)) {
        mpq_mul_2exp(q, a->leak, 1);
        mpq_add(q, q, odds);
        mpz_sub(mpq_numref(q), mpq_numref(q), mpq_denref(q));
        mpz_add(mpq_numref(odds), mpq_numref(odds), mpq_denref(odds));
        mpq_div(q, q, odds);
        figure_set_q(&out[0], q);
        advantage_set_errors(out, q);
    } else if (attacker_leaks_all(a)) {
        figure_set_ui(&out[0], 1);
        figure_set_ui(&out[1], 0);
    } else {
        mpfi_t e;
        mpfi_init2(e, want->bits);
        ival_set_number(e, &a->epsilon);
        advantage_of_response(out, a, e, want->bits);
        mpfi_clear(e);
    }
    mpq_clears(odds, q, NULL);
    return DP_OK;
}

/* 1 - (1-delta) e^-epsilon */
static dp_status eval_one_direction(dp_figure *out, const void *in, const wanted *want)
{
    const attacker *a = in;
    mpq_t odds, q;
    mpq_inits(odds, q, NULL);
    mpq_set_ui(q, 1, 1);
    if (attacker_odds(odds, a)) {
        mpq_sub(q, q, a->leak);
        mpq_div(odds, q, odds);
        mpq_set_ui(q, 1, 1);
        mpq_sub(q, q, odds);
        figure_set_q(&out[0], q);
    } else if (attacker_leaks_all(a)) {
        figure_set_ui(&out[0], 1);
    } else {
        mpfi_ptr x = figure_enclose(&out[0], want->bits);
        ival_set_number(x, &a->epsilon);
        mpfi_neg(x, x);
        mpfi_expm1(x, x);
        mpfi_neg(x, x);
        attacker_union(x, a, x);
    }
    mpq_clears(odds, q, NULL);
    return DP_OK;
}

/* E - 1 + delta */
static dp_status eval_yeom(dp_figure *out, const void *in, const wanted *want)
{
    const attacker *a = in;
    mpq_t odds;
    mpq_init(odds);
    if (attacker_odds(odds, a)) {
        mpz_sub(mpq_numref(odds), mpq_numref(odds), mpq_denref(odds));
        mpq_add(odds, odds, a->leak);
        figure_set_q(&out[0], odds);
    } else {
        mpfi_ptr x = figure_enclose(&out[0], want->bits);
        ival_expm1_number(x, &a->epsilon);
        mpfi_add_q(x, x, a->leak);
    }
    mpq_clear(odds);
    return DP_OK;
}

/* ---- Gaussian ---- */

/* erf(mu/(2 sqrt 2)) = 1 - 2 Phi(-mu/2), and 2 Phi(-mu/2) */
void advantage_of_mu(dp_figure *out, const mpfi_t mu, mpfr_prec_t bits)
{
    mpfi_ptr x = figure_enclose(&out[0], bits), y = figure_enclose(&out[1], bits);
    mpfi_set_ui(x, 8);
    mpfi_sqrt(x, x);
    mpfi_div(x, mu, x);
    mpfr_erf(&x->left, &x->left, MPFR_RNDD);
    mpfr_erf(&x->right, &x->right, MPFR_RNDU);
    mpfi_div_2ui(y, mu, 1);
    mpfi_neg(y, y);
    attacker_phi(y, y);
    mpfi_mul_2ui(y, y, 1);
}

static dp_status eval_gdp(dp_figure *out, const void *in, const wanted *want)
{
    const attacker *a = in;
    mpfi_t mu;
    mpfi_init2(mu, want->bits);
    attacker_mu(mu, a);
    if (mpq_sgn(a->mu_squared) > 0) {
        advantage_of_mu(out, mu, want->bits);
    } else {
        figure_set_ui(&out[0], 0);
        figure_set_ui(&out[1], 1);
    }
    mpfi_clear(mu);
    return DP_OK;
}

#define TWO_WORLDS                                                                                 \
    "the record's presence is independent of the others, or the statement is about given others; " \
    "prior 1/2; the relation is that of the game"

static bool of_pair(const void *in)
{
    return ((const attacker *)in)->by == BY_PAIR;
}

static bool of_gdp(const void *in)
{
    return ((const attacker *)in)->by == BY_GDP;
}

const bound adv_approx = {
    .theorem = {.id = "adv-approx",
                .family = "advantage",
                .verdict = DP_EXACT,
                .source = "Kairouz, Oh, Viswanath 2015, The Composition Theorem for Differential "
                          "Privacy; Humphries et al. 2020 for delta = 0",
                .statement = "TPR - FPR <= (e^epsilon - 1 + 2 delta)/(e^epsilon + 1) = delta + "
                             "(1-delta) tanh(epsilon/2)",
                .assumes = "(epsilon, delta)-DP in both directions; " TWO_WORLDS,
                .proof = "TPR <= e^epsilon FPR + delta and 1-FPR <= e^epsilon (1-TPR) + delta; the "
                         "sum of the two. Attained by the masses (delta, (1-delta) E/(1+E), "
                         "(1-delta)/(1+E), 0), E = e^epsilon, against the same reversed."},
    .applies = of_pair,
    .eval = eval_approx,
    .output = {"advantage", "fpr_plus_fnr"}};

const bound adv_one_direction = {
    .theorem = {.id = "adv-one-direction",
                .family = "advantage",
                .verdict = DP_EXACT,
                .source = "Erlingsson, Mironov, Raghunathan, Song 2019, That which we call private",
                .statement = "TPR - FPR <= 1 - (1-delta)/e^epsilon",
                .assumes = "P(A) <= e^epsilon Q(A) + delta alone, not the reverse; " TWO_WORLDS,
                .proof = "TPR - FPR <= delta + (e^epsilon - 1) FPR and TPR <= 1. Attained at FPR = "
                         "(1-delta)/e^epsilon, TPR = 1. Of a guarantee in both directions it is "
                         "proved and loose: adv-approx is never above it."},
    .applies = of_pair,
    .eval = eval_one_direction,
    .output = {"advantage"},
    .only_all = true};

const bound adv_yeom = {
    .theorem = {.id = "adv-yeom",
                .family = "advantage",
                .verdict = DP_PROVED,
                .source = "Yeom, Giacomelli, Fredrikson, Jha 2018, Privacy Risk in Machine "
                          "Learning, Theorem 1, with delta; the theoretical limit of Jayaraman, "
                          "Evans 2019",
                .statement = "TPR - FPR <= e^epsilon - 1 + delta",
                .assumes = "(epsilon, delta)-DP under replace-one for the game with a fresh "
                           "record; " TWO_WORLDS,
                .proof = "TPR - FPR <= (e^epsilon - 1) FPR + delta, and FPR <= 1. About twice "
                         "adv-approx for small epsilon, and above 1, so that it says nothing, from "
                         "epsilon = ln(2 - delta)."},
    .applies = of_pair,
    .eval = eval_yeom,
    .output = {"advantage"},
    .may_be_vacuous = true,
    .only_all = true};

const bound adv_gdp = {
    .theorem = {.id = "adv-gdp",
                .family = "advantage",
                .verdict = DP_EXACT,
                .source = "Dong, Roth, Su 2022, Gaussian Differential Privacy",
                .statement = "TPR - FPR <= 2 Phi(mu/2) - 1 = erf(mu/(2 sqrt 2))",
                .assumes = "mu-GDP, or Gaussian noise with sum mu_i^2 = mu^2; " TWO_WORLDS,
                .proof = "TPR <= Phi(Phi^-1(FPR) + mu), which exceeds FPR the most at FPR = "
                         "Phi(-mu/2). Attained by N(mu, 1) against N(0, 1)."},
    .applies = of_gdp,
    .eval = eval_gdp,
    .output = {"advantage", "fpr_plus_fnr"}};
