/* SPDX-License-Identifier: MIT */
/* The published accountant of teachers' votes, and the published rule that stops after the budget.
 */
#include "num/decimal.h"
#include "num/ival.h"
#include "vote/pate.h"

/* ---- the published accountant: r = rho alpha, orders of lnmax integers ---- */

/* rho = 2 inverse_scale^2 for each query, or mu^2 / 2 */
static void moments_rho(mpq_t rho, const pate_account *a)
{
    if (a->kind != DP_LNMAX) {
        pate_mu_squared(rho, a);
        mpq_div_2exp(rho, rho, 1);
        return;
    }
    mpq_t asked;
    mpq_init(asked);
    mpq_set_z(asked, a->asked);
    mpq_mul(rho, a->scale, a->scale);
    mpq_mul_2exp(rho, rho, 1);
    mpq_mul(rho, rho, asked);
    mpq_clear(asked);
}

/* out = rho alpha + ln(1/delta)/(alpha-1), or e^((alpha-1)(rho alpha - x)) */
static void moments_at(mpfi_t out, const pate_in *q, const mpq_t rho, const mpq_t alpha)
{
    mpq_t r;
    mpfi_t d, x;
    mpq_init(r);
    mpfi_init2(d, mpfi_get_prec(out));
    mpfi_init2(x, mpfi_get_prec(out));
    mpq_mul(r, rho, alpha);
    mpfi_set_q(d, r);
    if (q->delta != NULL) {
        renyi_classic_epsilon(out, d, alpha, q->delta);
    } else {
        logform_enclose(x, q->x);
        renyi_classic_delta(out, d, alpha, x);
    }
    mpfi_clear(x);
    mpfi_clear(d);
    mpq_clear(r);
}

#define ORDER_BITS 128
#define ORDER_DIGITS 10

/* t = about the best alpha - 1: sqrt(ln(1/delta)/rho), or (x - rho) / (2 rho) */
static void best_order(mpfr_t t, const pate_in *q, const mpq_t rho)
{
    mpfi_t a, b;
    mpfi_init2(a, ORDER_BITS);
    mpfi_init2(b, ORDER_BITS);
    mpfi_set_q(b, rho);
    if (q->delta != NULL) {
        ival_log_q(a, q->delta);
        mpfi_neg(a, a);
        mpfi_div(a, a, b);
        mpfi_sqrt(a, a);
    } else {
        logform_enclose(a, q->x);
        mpfi_sub(a, a, b);
        mpfi_div(a, a, b);
        mpfi_div_2ui(a, a, 1);
    }
    mpfi_get_fr(t, a);
    mpfi_clear(b);
    mpfi_clear(a);
}

/* The better of the two integers beside t, at least 1, as an order. */
static void whole_order(mpq_t alpha, const mpfr_t t, const pate_in *q, const mpq_t rho)
{
    mpq_t other;
    mpfi_t one, two;
    mpq_init(other);
    mpfi_init2(one, ORDER_BITS);
    mpfi_init2(two, ORDER_BITS);
    mpfr_get_z(mpq_numref(alpha), t, MPFR_RNDD);
    if (mpz_sgn(mpq_numref(alpha)) <= 0)
        mpz_set_ui(mpq_numref(alpha), 1);
    mpz_set_ui(mpq_denref(alpha), 1);
    mpz_add_ui(mpq_numref(alpha), mpq_numref(alpha), 1);
    mpz_add_ui(mpq_numref(other), mpq_numref(alpha), 1);
    mpz_set_ui(mpq_denref(other), 1);
    moments_at(one, q, rho, alpha);
    moments_at(two, q, rho, other);
    if (mpfr_less_p(&two->right, &one->right))
        mpq_set(alpha, other);
    mpfi_clear(two);
    mpfi_clear(one);
    mpq_clear(other);
}

/* Any order is sound. */
static void moments_order(mpq_t alpha, const pate_in *q, const mpq_t rho)
{
    mpfr_t t;
    mpfr_init2(t, ORDER_BITS);
    best_order(t, q, rho);
    mpq_set_ui(alpha, 2, 1);
    if (q->of->kind == DP_LNMAX)
        whole_order(alpha, t, q, rho);
    else if (mpfr_number_p(t) && mpfr_sgn(t) > 0 && dec_round_fr(alpha, t, DP_UPPER, ORDER_DIGITS))
        mpz_add(mpq_numref(alpha), mpq_numref(alpha), mpq_denref(alpha));
    mpfr_clear(t);
}

void pate_moments_figures(dp_figure *out, const pate_in *q, const mpq_t rho, mpfr_prec_t bits)
{
    mpq_t alpha;
    mpq_init(alpha);
    pate_given(out, q, bits);
    mpq_set_ui(alpha, 2, 1);
    if (mpq_sgn(rho) > 0) {
        moments_order(alpha, q, rho);
        moments_at(figure_enclose(&out[q->delta != NULL ? 0 : 1], bits), q, rho, alpha);
    } else {
        figure_set_ui(&out[q->delta != NULL ? 0 : 1], 0);
    }
    figure_set_q(&out[2], alpha);
    mpq_clear(alpha);
}

static dp_status eval_moments(dp_figure *out, const void *in, const wanted *want)
{
    const pate_in *q = in;
    mpq_t rho;
    mpq_init(rho);
    if (pate_spends(q->of))
        moments_rho(rho, q->of);
    pate_moments_figures(out, q, rho, want->bits);
    mpq_clear(rho);
    return DP_OK;
}

const bound pate_moments = {
    .theorem = {.id = "pate-moments",
                .family = "pate",
                .verdict = DP_PROVED,
                .source =
                    PATE_2017 ", Theorem 2, and " PATE_2018 ", with Mironov 2017, Proposition 3",
                .statement =
                    "epsilon = rho alpha + ln(1/delta)/(alpha-1), rho = 2 asked inverse_scale^2 "
                    "and whole alpha for lnmax, mu^2/2 for Gaussian noise; as published",
                .assumes = PATE_TEACHERS,
                .proof =
                    "A query that is e-DP has a Renyi divergence of at most e^2 alpha/2; then as "
                    "pate-renyi with kappa(t) <= 1. It never gives less than pate-renyi."},
    .applies = pate_has_order,
    .eval = eval_moments,
    .output = {"epsilon", "delta", "alpha"},
    .also = "queries|sigma",
    .only_all = true};

const bound pate_stop_after = {
    .theorem =
        {.id = "pate-stop-after",
         .family = "pate",
         .verdict = DP_UNSOUND,
         .source = "label counts of subsample-and-aggregate and of DP bagging, as published: the "
                   "budget is tested after each release",
         .statement = "answering until the epsilon of pate-moments reaches the budget is within it",
         .assumes = "claims what pate-moments assumes",
         .proof =
             "The last answer is the one that breaks the budget: by pate-moments all published "
             "counts of labels are one too many. However small the budget, one query is "
             "answered.",
         .counterexample = "inverse_scale = 10, budget (0.1, 1e-3): one query is answered, whose "
                           "epsilon is 406.907.... Votes 1 to 0 against 0 to 1: its delta at 0.1 "
                           "is 1 - (1 + e^0.1) 12/(4 e^10) > 0.999"},
    .applies = pate_has_order,
    .eval = eval_moments,
    .output = {"epsilon", "delta", "alpha"},
    .also = "queries",
    .only_all = true};
