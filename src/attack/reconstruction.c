/* SPDX-License-Identifier: MIT */
/* Attribute inference and reconstruction: one event of the output for each secret. */
#include "attack/reconstruction.h"

#include "attack/tpr.h"
#include "core/refine.h"
#include "core/result.h"
#include "num/ival.h"
#include "num/number.h"

static void copy_figure(dp_figure *to, const dp_figure *from)
{
    if (from->kind == DP_RATIONAL)
        figure_set_q(to, from->rational);
    else
        mpfi_set(figure_enclose(to, mpfi_get_prec(from->enclosure)), from->enclosure);
}

/* kappa in a->y: as given, or 1/n; *uniform: of n equally likely secrets, one a guess. */
static void set_kappa(attacker *a, bool *uniform)
{
    *uniform = a->q->kappa == NULL;
    if (*uniform)
        mpq_inv(a->y, number_rational(a->q->secrets));
    else
        mpq_set(a->y, number_rational(a->q->kappa));
}

/* ---- F(kappa) and its excess ---- */

/* Where F(x) - x is largest: kappa at or beyond it, as far as that is proved; then the advantage is
 * the bound, which is never below. FPR (1 - advantage)/2 is there, for the class is symmetric. */
static bool is_inner(const attacker *a, mpq_srcptr kappa, const dp_figure *advantage)
{
    int sign = 0;
    if (a->by == BY_PAIR)
        return attacker_corner_sign(&sign, a, kappa) && sign <= 0;
    mpq_t limit;
    mpq_init(limit);
    mpq_mul_2exp(limit, kappa, 1);
    mpz_sub(mpq_numref(limit), mpq_denref(limit), mpq_numref(limit)); /* 1 - 2 kappa */
    mpq_canonicalize(limit);
    bool inner = dp_figure_le(advantage, limit) == DP_YES;
    mpq_clear(limit);
    return inner;
}

/* x = F(kappa) - kappa, which is at least 0 and at most the advantage, the maximum of all; where
 * F is hardly above kappa the difference tells less. */
static void less_kappa(dp_figure *x, mpq_srcptr kappa, const dp_figure *advantage)
{
    if (x->kind == DP_RATIONAL) {
        mpq_sub(x->rational, x->rational, kappa);
        return;
    }
    mpfi_sub_q(x->enclosure, x->enclosure, kappa);
    ival_at_least_zero(x->enclosure);
    mpfi_t most;
    mpfi_init2(most, mpfi_get_prec(x->enclosure));
    if (advantage->kind == DP_RATIONAL)
        mpfi_set_q(most, advantage->rational);
    else
        mpfi_set(most, advantage->enclosure);
    mpfr_min(&x->enclosure->right, &x->enclosure->right, &most->right, MPFR_RNDU);
    mpfi_clear(most);
}

/* Is F(1/n) reached for n secrets? By a class it is: uniform on n outputs without the record,
 * F(1/n) on that of the secret with it. A mechanism, or a list, need not have that among its laws.
 */
static bool is_reached(const attacker *a, bool uniform)
{
    return uniform && !a->replaced && !a->one_pair && a->by != BY_PROFILE;
}

/* max over x <= kappa of F(x) - x */
static dp_status engine_attribute(dp_result *out, void *in, const dp_options *opt)
{
    (void)opt;
    attacker *a = in;
    bool uniform, exact = false, of_f = false;
    mpq_t kappa, one;
    dp_figure y[2], most;
    mpq_inits(kappa, one, NULL);
    dp_figure_init(&y[0]);
    dp_figure_init(&y[1]);
    dp_figure_init(&most);
    set_kappa(a, &uniform);
    mpq_set(kappa, a->y);
    mpq_set_ui(one, 1, 1);
    dp_status status = attacker_delta(&most, &exact, a, one);
    if (status == DP_OK && !a->leaks && is_inner(a, kappa, &most)) {
        of_f = true;
        status = attacker_tpr_at(y, &exact, a, kappa);
        if (status == DP_OK)
            less_kappa(&y[0], kappa, &most);
    }
    dp_row *row = status == DP_OK ? result_row(out, &attribute_adv) : NULL;
    if (row != NULL) {
        copy_figure(row_quantity(row, "attribute_advantage"), of_f ? &y[0] : &most);
        row->verdict = of_f && exact && is_reached(a, uniform) ? DP_EXACT : DP_PROVED;
    }
    dp_figure_clear(&most);
    dp_figure_clear(&y[1]);
    dp_figure_clear(&y[0]);
    mpq_clears(kappa, one, NULL);
    return status == DP_OK && row == NULL ? DP_MEMORY : status;
}

static dp_status engine_f(dp_result *out, void *in, const dp_options *opt)
{
    (void)opt;
    attacker *a = in;
    bool uniform, exact = false;
    mpq_t kappa;
    dp_figure y[2];
    mpq_init(kappa);
    dp_figure_init(&y[0]);
    dp_figure_init(&y[1]);
    set_kappa(a, &uniform);
    mpq_set(kappa, a->y);
    dp_status status = attacker_tpr_at(y, &exact, a, kappa);
    dp_row *row = status == DP_OK ? result_row(out, &rero_f) : NULL;
    if (row != NULL) {
        copy_figure(row_quantity(row, "reconstruction"), &y[0]);
        row->verdict = exact && is_reached(a, uniform) ? DP_EXACT : DP_PROVED;
    }
    dp_figure_clear(&y[1]);
    dp_figure_clear(&y[0]);
    mpq_clear(kappa);
    return status == DP_OK && row == NULL ? DP_MEMORY : status;
}

/* ---- (epsilon, delta): n in x, k or kappa in y ---- */

/* kappa E + delta */
static dp_status eval_linear(dp_figure *out, const void *in, const wanted *want)
{
    const attacker *a = in;
    mpq_t odds;
    mpq_init(odds);
    if (mpq_sgn(a->y) == 0) {
        figure_set_q(&out[0], a->leak);
    } else if (attacker_odds(odds, a)) {
        mpq_mul(odds, odds, a->y);
        mpq_add(odds, odds, a->leak);
        figure_set_q(&out[0], odds);
    } else {
        mpfi_ptr x = figure_enclose(&out[0], want->bits);
        ival_exp_number(x, &a->epsilon);
        mpfi_mul_q(x, x, a->y);
        mpfi_add_q(x, x, a->leak);
    }
    mpq_clear(odds);
    return DP_OK;
}

/* (k E + (n-1) delta)/(k E + n-k), at most 1: k = 1 is exact recovery. Divided by E, so that
 * nothing overflows: (k + (n-1) delta/E)/(k + (n-k)/E). */
static dp_status eval_replace(dp_figure *out, const void *in, const wanted *want)
{
    const attacker *a = in;
    mpq_t odds, up, down, one;
    mpq_inits(odds, up, down, one, NULL);
    mpq_set_ui(one, 1, 1);
    mpq_sub(up, a->x, one);
    mpq_mul(up, up, a->leak);
    mpq_sub(down, a->x, a->y);
    if (mpq_cmp(up, down) >= 0) {
        figure_set_ui(&out[0], 1);
    } else if (attacker_odds(odds, a)) {
        mpq_mul(odds, odds, a->y);
        mpq_add(up, up, odds);
        mpq_add(down, down, odds);
        mpq_div(up, up, down);
        figure_set_q(&out[0], up);
    } else {
        mpfi_t e;
        mpfi_init2(e, want->bits);
        mpfi_ptr x = figure_enclose(&out[0], want->bits);
        ival_set_number(e, &a->epsilon);
        mpfi_neg(e, e);
        mpfi_exp(e, e);
        mpfi_mul_q(x, e, up);
        mpfi_add_q(x, x, a->y);
        mpfi_mul_q(e, e, down);
        mpfi_add_q(e, e, a->y);
        mpfi_div(x, x, e);
        mpfi_clear(e);
    }
    mpq_clears(odds, up, down, one, NULL);
    return DP_OK;
}

/* kappa E/(1 + kappa (E-1)) + delta = 1/(1 + (1/kappa - 1)/E) + delta */
static dp_status eval_prior(dp_figure *out, const void *in, const wanted *want)
{
    const attacker *a = in;
    mpq_t odds, part, one;
    mpq_inits(odds, part, one, NULL);
    mpq_set_ui(one, 1, 1);
    if (mpq_sgn(a->y) == 0 || mpq_equal(a->y, one)) {
        mpq_add(part, a->y, a->leak);
        figure_set_q(&out[0], part);
    } else if (attacker_odds(odds, a)) {
        mpq_sub(part, one, a->y);
        mpq_mul(odds, odds, a->y);
        mpq_add(part, part, odds);
        mpq_div(part, odds, part);
        mpq_add(part, part, a->leak);
        figure_set_q(&out[0], part);
    } else {
        mpfi_ptr x = figure_enclose(&out[0], want->bits);
        mpq_inv(part, a->y);
        mpq_sub(part, part, one);
        ival_set_number(x, &a->epsilon);
        mpfi_neg(x, x);
        mpfi_exp(x, x);
        mpfi_mul_q(x, x, part);
        mpfi_add_ui(x, x, 1);
        mpfi_ui_div(x, 1, x);
        mpfi_add_q(x, x, a->leak);
    }
    if (out[0].kind == DP_RATIONAL && mpq_cmp(out[0].rational, one) > 0)
        figure_set_ui(&out[0], 1);
    if (out[0].kind == DP_ENCLOSED)
        ival_clamp_ui(out[0].enclosure, 0, 1);
    mpq_clears(odds, part, one, NULL);
    return DP_OK;
}

/* ---- rows ---- */

static dp_status check_shortlist(const attacker *a, dp_error *err)
{
    if (a->q->secrets == NULL || a->q->kappa == NULL)
        return DP_OK;
    mpq_t k;
    mpq_init(k);
    mpq_mul(k, number_rational(a->q->secrets), number_rational(a->q->kappa));
    bool whole = mpz_cmp_ui(mpq_denref(k), 1) == 0 && mpq_sgn(k) > 0;
    mpq_clear(k);
    return whole
               ? DP_OK
               : fail(err, DP_DOMAIN, "kappa",
                      "must be k/n beside n equally likely secrets: a guess counts for k of them");
}

/* Where one record stands in the place of another. */
static dp_status replaced_rows(dp_result *out, attacker *a, bool uniform)
{
    mpq_set_ui(a->x, 1, 1);
    if (a->q->secrets != NULL)
        mpq_set(a->x, number_rational(a->q->secrets));
    dp_status status = DP_OK;
    if (a->q->secrets != NULL) {
        mpq_set_ui(a->y, 1, 1);
        if (!uniform)
            mpq_mul(a->y, a->x, number_rational(a->q->kappa));
        bool one = mpq_cmp_ui(a->y, 1, 1) == 0;
        status =
            result_evaluate(out, one ? &rero_replace_uniform : &rero_replace_shortlist, a, a->opt);
    }
    set_kappa(a, &uniform);
    if (status == DP_OK)
        status = result_evaluate(out, &rero_replace_prior, a, a->opt);
    return status;
}

static void judge(dp_row *row)
{
    const dp_figure *x = &row->quantity[0].figure;
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    row->vacuous = dp_figure_le(x, one) == DP_NO;
    mpq_clear(one);
}

/* Bagging is (0, delta)-DP, delta as it is enclosed, or rounded up. */
static dp_status as_pair(attacker *a)
{
    dp_figure x;
    mpq_t one;
    bool exact;
    mpq_init(one);
    dp_figure_init(&x);
    mpq_set_ui(one, 1, 1);
    dp_status status = attacker_delta(&x, &exact, a, one);
    if (x.kind == DP_RATIONAL)
        mpq_set(a->leak, x.rational);
    else
        mpfr_get_q(a->leak, &x.enclosure->right);
    dp_figure_clear(&x);
    mpq_clear(one);
    return status;
}

dp_status reconstruction_rows(dp_result *out, attacker *a, dp_error *err)
{
    if (a->q->secrets == NULL && a->q->kappa == NULL)
        return DP_OK;
    dp_status status = check_shortlist(a, err);
    if (status == DP_OK)
        status = attribute_adv.engine(out, a, a->opt);
    bool pair = a->by == BY_PAIR, uniform;
    if (status == DP_OK && a->leaks && a->replaced) {
        status = as_pair(a);
        pair = true;
    }
    set_kappa(a, &uniform);
    if (status == DP_OK && pair && a->replaced)
        status = replaced_rows(out, a, uniform);
    if (status == DP_OK)
        status = rero_f.engine(out, a, a->opt);
    set_kappa(a, &uniform);
    if (status == DP_OK && a->by == BY_PAIR && a->opt->all) {
        status = result_evaluate(out, &rero_linear, a, a->opt);
        if (status == DP_OK)
            judge(&out->row[out->count - 1]);
    }
    return status;
}

#define SECRETS                                                                                    \
    "one record holds the secret, independent of all else the attacker knows; reconstruction is "  \
    "the probability that the guess counts"

const bound attribute_adv = {
    .theorem =
        {.id = "attribute-adv",
         .family = "advantage",
         .verdict = DP_EXACT,
         .source = "Yeom, Giacomelli, Fredrikson, Jha 2018, with the bound derived here",
         .statement = "success with the record less success without it <= max over x <= kappa of "
                      "F(x) - x: kappa (E - 1) + delta for kappa <= (1-delta)/(1+E), else the "
                      "advantage, E = e^epsilon",
         .assumes =
             "without the record the guess succeeds with probability at most kappa; " SECRETS,
         .proof = "The success is one event of the output. Exact for a class under add-remove "
                  "for equally likely values in the first case, else proved."},
    .engine = engine_attribute,
    .output = {"attribute_advantage"}};

const bound rero_f = {
    .theorem = {.id = "rero-f",
                .family = "advantage",
                .verdict = DP_EXACT,
                .source = "Hayes, Mahloujifar, Balle 2023; Kaissis, Hayes, Ziller, Rueckert 2023",
                .statement = "reconstruction <= F(kappa)",
                .assumes = "kappa the largest prior probability that a guess counts; the guarantee "
                           "against the data without the record, or with a fixed one in its "
                           "place; " SECRETS,
                .proof = "E_z P_z(B_z) <= E_z F(P_0(B_z)) <= F(kappa), as F is concave. Exact "
                         "under add-remove for kappa = 1/n of equally likely secrets."},
    .engine = engine_f,
    .output = {"reconstruction"}};

const bound rero_linear = {
    .theorem = {.id = "rero-linear",
                .family = "advantage",
                .verdict = DP_PROVED,
                .source = "Balle, Cherubin, Hayes 2022, Reconstructing Training Data with Informed "
                          "Adversaries",
                .statement = "reconstruction <= kappa e^epsilon + delta",
                .assumes = "(epsilon, delta)-DP; " SECRETS,
                .proof = "The first branch of rero-f, loose beyond kappa = (1-delta)/(1 + "
                         "e^epsilon)."},
    .eval = eval_linear,
    .output = {"reconstruction"},
    .may_be_vacuous = true,
    .only_all = true};

const bound rero_replace_uniform = {
    .theorem = {.id = "rero-replace-uniform",
                .family = "advantage",
                .verdict = DP_EXACT,
                .source = "derived here",
                .statement = "reconstruction <= (E + (n-1) delta)/(E + n-1), E = e^epsilon",
                .assumes = "(epsilon, delta)-DP under replace-one; n equally likely secrets, one "
                           "guess; " SECRETS,
                .proof = "P_z(z) <= E P_z'(z) + delta, summed over z' and z. Attained by "
                         "publishing z with probability delta, else n-ary randomized response."},
    .eval = eval_replace,
    .output = {"reconstruction"}};

const bound rero_replace_shortlist = {
    .theorem = {.id = "rero-replace-shortlist",
                .family = "advantage",
                .verdict = DP_PROVED,
                .source = "derived here",
                .statement = "reconstruction <= min(1, (k E + (n-1) delta)/(k E + n-k))",
                .assumes = "(epsilon, delta)-DP under replace-one; n equally likely secrets, of "
                           "which a guess counts for k at most; " SECRETS,
                .proof = "P_z(N(g) holds z, not z') <= E P_z'(the same) + delta, summed over the "
                         "pairs. Attained where every set of k can be guessed."},
    .eval = eval_replace,
    .output = {"reconstruction"}};

const bound rero_replace_prior = {
    .theorem = {.id = "rero-replace-prior",
                .family = "advantage",
                .verdict = DP_PROVED,
                .source = "derived here",
                .statement = "reconstruction <= kappa E/(1 + kappa (E-1)) + delta",
                .assumes = "(epsilon, delta)-DP under replace-one; any prior and error balls, "
                           "kappa the largest prior mass of one; " SECRETS,
                .proof = "The differences of the guesses' probabilities between two secrets, "
                         "weighted with 1/(1 + (E-1) p_g) and with the priors of both, and p_g <= "
                         "kappa."},
    .eval = eval_prior,
    .output = {"reconstruction"}};
