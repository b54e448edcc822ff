/* SPDX-License-Identifier: MIT */
/* What an aggregator of votes spends whatever the votes are: exactly for Gaussian noise, and by
 * Renyi divergence and what is known of any private queries. */
#include "vote/pate.h"

#include "compose/sides.h"
#include "core/refine.h"
#include "loss/gaussian.h"
#include "num/number.h"

/* ---- Gaussian noise ---- */

static bool is_gaussian(const void *in)
{
    return !pate_is_laplace(in);
}

static dp_status eval_gaussian(dp_figure *out, const void *in, const wanted *want)
{
    const pate_in *q = in;
    dp_figure *open = &out[q->delta != NULL ? 0 : 1];
    if (!pate_given(out, q, want->bits))
        return DP_OK;
    mpq_t mu2;
    mpfi_t mu, x;
    mpq_init(mu2);
    mpfi_init2(mu, want->bits + 64);
    mpfi_init2(x, want->bits + 64);
    if (pate_spends(q->of))
        pate_mu_squared(mu2, q->of);
    mpfi_set_q(mu, mu2);
    mpfi_sqrt(mu, mu);
    if (mpq_sgn(mu2) == 0) {
        figure_set_ui(open, 0);
    } else if (q->delta == NULL) {
        logform_enclose(x, q->x);
        gaussian_profile(figure_enclose(open, want->bits), mu, x);
    } else if (mpq_sgn(q->delta) == 0) {
        figure_set_infinite(open);
    } else {
        gaussian_epsilon(figure_enclose(open, want->bits), mu, q->delta);
    }
    mpfi_clear(x);
    mpfi_clear(mu);
    mpq_clear(mu2);
    return DP_OK;
}

/* ---- queries that are private on their own ---- */

static dp_status pure_sides(sides *s, const pate_account *a)
{
    dp_composition list;
    dp_number epsilon;
    mpq_t q;
    mpq_init(q);
    dp_number_init(&epsilon);
    dp_composition_init(&list);
    pate_pure_epsilon(q, a);
    number_set_q(&epsilon, q);
    mpq_set_ui(q, 0, 1);
    dp_status added = dp_composition_add(&list, &epsilon, q, a->asked, NULL);
    dp_status ready = sides_init(s, &list);
    dp_composition_clear(&list);
    dp_number_clear(&epsilon);
    mpq_clear(q);
    return added == DP_OK ? ready : added;
}

static dp_status pure_profile(dp_figure *open, const pate_in *q, size_t digits, const limits *lim)
{
    sides s;
    dp_status status = pure_sides(&s, q->of);
    if (status == DP_OK)
        status = q->delta != NULL ? sides_epsilon(open, &s, q->delta, digits, lim)
                                  : sides_delta(open, &s, q->x, digits, lim);
    sides_clear(&s);
    return status;
}

dp_status pate_pure_row(dp_result *out, void *in, const dp_options *opt)
{
    return pate_profile_row(out, &pate_pure, in, pure_profile, opt);
}

/* ---- Renyi divergence ---- */

bool pate_has_order(const void *in)
{
    const pate_in *q = in;
    return q->delta == NULL || (mpq_sgn(q->delta) > 0 && mpq_cmp_ui(q->delta, 1, 1) < 0);
}

/* out = delta at x, or epsilon at delta, of total variation sqrt(1 - e^-r): 0 or none */
static bool variation(mpfi_t out, const mpfi_t r, const pate_in *q)
{
    renyi_total_variation(out, r);
    if (q->delta == NULL)
        return true;
    bool zero = mpfr_cmp_q(&out->right, q->delta) <= 0;
    mpfi_set_ui(out, 0);
    return zero;
}

#define NEAR_ONE 1000000 /* alpha = 1 + 1/that, where r is nearly the KL divergence */

void pate_convert(mpfi_t out, mpq_t alpha, const renyi_curve *c, const pate_in *q)
{
    mpfi_t r, near;
    mpq_t one;
    mpq_init(one);
    mpfi_init2(r, mpfi_get_prec(out));
    mpfi_init2(near, mpfi_get_prec(out));
    c->at(r, c->of, alpha);
    if (q->delta != NULL) {
        renyi_improved_epsilon(out, r, alpha, q->delta);
    } else {
        logform_enclose(near, q->x);
        renyi_improved_delta(out, r, alpha, near);
    }
    mpq_set_ui(one, NEAR_ONE + 1, NEAR_ONE);
    c->at(r, c->of, one);
    if (variation(near, r, q) && mpfr_less_p(&near->right, &out->right)) {
        mpfi_set(out, near);
        mpq_set(alpha, one);
    }
    mpfi_clear(near);
    mpfi_clear(r);
    mpq_clear(one);
}

static dp_status eval_renyi(dp_figure *out, const void *in, const wanted *want)
{
    const pate_in *q = in;
    renyi_curve curve = {.at = pate_curve, .of = q->of};
    renyi_curve guess = {.at = pate_curve_guess, .of = q->of};
    mpq_t alpha;
    mpfi_t x;
    mpq_init(alpha);
    mpfi_init2(x, want->bits);
    pate_given(out, q, want->bits);
    bool ok = true;
    if (q->alpha != NULL)
        mpq_set(alpha, q->alpha);
    else if (q->delta != NULL)
        ok = renyi_order_epsilon(alpha, &guess, true, q->delta);
    else {
        logform_enclose(x, q->x);
        ok = renyi_order_delta(alpha, &guess, true, x);
    }
    if (ok)
        pate_convert(figure_enclose(&out[q->delta != NULL ? 0 : 1], want->bits), alpha, &curve, q);
    figure_set_q(&out[2], alpha);
    mpfi_clear(x);
    mpq_clear(alpha);
    return ok ? DP_OK : DP_LIMIT;
}

/* ---- decisions ---- */

/* upper end <= E */
static dp_decision within(const dp_figure *f, const logform *x)
{
    mpfi_t most;
    mpfi_init2(most, 256);
    logform_enclose(most, x);
    bool ok = f->kind == DP_RATIONAL
                  ? x->count == 0 && mpq_cmp(f->rational, x->rational) <= 0
                  : f->kind == DP_ENCLOSED && mpfr_lessequal_p(&f->enclosure->right, &most->left);
    mpfi_clear(most);
    return ok ? DP_YES : DP_UNKNOWN;
}

#define CHECK_BITS 4096
#define ROW_BITS 192

static dp_decision pure_meets(const pate_account *a, const logform *x, const pate_budget *b)
{
    sides s;
    dp_decision answer = DP_UNKNOWN;
    if (pure_sides(&s, a) == DP_OK)
        answer = sides_meet(&s, x, b->max_delta, b->lim);
    sides_clear(&s);
    return answer == DP_YES ? DP_YES : DP_UNKNOWN; /* the votes may spend less */
}

static dp_decision order_meets(const pate_account *a, const logform *x, const pate_budget *b)
{
    dp_figure out[BOUND_OUTPUTS];
    dp_decision answer = DP_UNKNOWN;
    pate_in at = {.of = a, .delta = b->max_delta, .alpha = b->alpha};
    for (size_t i = 0; i < BOUND_OUTPUTS; i++)
        dp_figure_init(&out[i]);
    if (pate_has_order(&at) && b->row->eval(out, &at, &(wanted){.bits = ROW_BITS}) == DP_OK)
        answer = within(&out[0], x);
    for (size_t i = 0; i < BOUND_OUTPUTS; i++)
        dp_figure_clear(&out[i]);
    return answer;
}

static dp_decision gaussian_meets(const pate_account *a, const logform *x, const pate_budget *b)
{
    dp_decision answer = DP_UNKNOWN;
    pate_in at = {.of = a, .x = x};
    return refine_decide(&answer, eval_gaussian, 2, 1, &at, b->max_delta, CHECK_BITS, b->lim) ==
                   DP_OK
               ? answer
               : DP_UNKNOWN;
}

dp_decision pate_row_meets(const pate_account *a, const pate_budget *b)
{
    logform x;
    logform_init(&x);
    dp_decision answer = DP_UNKNOWN;
    if (!pate_spends(a))
        answer = DP_YES;
    else if (logform_add_number(&x, NULL, b->max_epsilon))
        answer = b->row == &pate_gaussian  ? gaussian_meets(a, &x, b)
                 : b->row == &pate_laplace ? pate_laplace_meets(a, &x, b)
                 : b->row == &pate_pure    ? pure_meets(a, &x, b)
                                           : order_meets(a, &x, b);
    logform_clear(&x);
    return answer;
}

/* ---- theorems ---- */

const bound pate_gaussian = {
    .theorem = {.id = "pate-gaussian",
                .family = "pate",
                .verdict = DP_EXACT,
                .source = PATE_2018 ", for the mechanism, with the profile of Balle, Wang 2018",
                .statement =
                    "delta(x) = Phi(mu/2 - x/mu) - e^x Phi(-mu/2 - x/mu), mu^2 = 2 answered / "
                    "sigma^2 + asked / sigma_threshold^2",
                .assumes = PATE_TEACHERS
                "; exact for the noisy votes and the noisy largest vote, which may be "
                "published, so an upper bound for the answers alone",
                .proof =
                    "Two votes move by one, an L2 distance of sqrt(2), and the largest vote by at "
                    "most one: Gaussians of mu = sqrt(2)/sigma and 1/sigma_threshold. Gaussians "
                    "compose to one of the summed mu^2, also where what is asked next, and whether "
                    "a query is answered, depends on the outputs, as long as the sum stays within "
                    "it: the loss is then that of a Brownian motion with drift, stopped."},
    .applies = is_gaussian,
    .eval = eval_gaussian,
    .output = {"epsilon", "delta"},
    .also = "queries|sigma"};

const bound pate_pure = {
    .theorem = {.id = "pate-pure",
                .family = "pate",
                .verdict = DP_PROVED,
                .source =
                    PATE_2017 ", for the mechanism, with Kairouz, Oh, Viswanath 2015, Theorem 3.3",
                .statement = "optimal composition of (2 inverse_scale, 0)-DP queries",
                .assumes = PATE_TEACHERS,
                .proof = "Fix the noise of all classes but one: it wins where its own noise is "
                         "above a threshold that one record moves by at most 2, and the density of "
                         "Laplace noise changes by e^(inverse_scale) for each. The worst such "
                         "queries answer by randomized response; those of Laplace noise do not, "
                         "see pate-laplace."},
    .applies = pate_is_laplace,
    .engine = pate_pure_row,
    .output = {"epsilon", "delta"},
    .also = "queries",
    .only_all = true,
    .after_limit = true};

const bound pate_renyi = {
    .theorem =
        {.id = "pate-renyi",
         .family = "pate",
         .verdict = DP_PROVED,
         .source = "Mironov 2017, with the conversion of Canonne, Kamath, Steinke 2020",
         .statement = "for every order alpha = 1+t > 1: epsilon = r + (ln kappa(t) - ln delta)/t, "
                      "kappa(t) = t^t/(1+t)^(1+t), r = alpha mu^2/2 of Gaussian noise, and for "
                      "lnmax 2 asked r_L, r_L that of Laplace noise at epsilon = inverse_scale",
         .assumes = PATE_TEACHERS,
         .proof = "The answer is a function of the noisy votes, of which two move by one each: two "
                  "independent Laplace mechanisms of epsilon = inverse_scale, whose divergence is "
                  "half of what 2 inverse_scale allows where that is small. Every order is sound; "
                  "the order shown is close to the best."},
    .applies = pate_has_order,
    .eval = eval_renyi,
    .output = {"epsilon", "delta", "alpha"},
    .also = "queries|sigma",
    .only_all = true,
    .after_limit = true};
