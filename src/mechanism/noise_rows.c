/* SPDX-License-Identifier: MIT */
/* The privacy profiles of noise in closed form. */
#include "loss/gaussian.h"
#include "mechanism/types.h"
#include "num/ival.h"
#include "num/number.h"

static void noise_ratio(mpq_t ratio, const dp_mechanism *m, const char *size)
{
    mpq_div(ratio, number_rational(mechanism_number(m, "sensitivity")),
            number_rational(mechanism_number(m, size)));
}

void noise_mu_squared(mpq_t mu2, const dp_mechanism *m)
{
    noise_ratio(mu2, m, "sigma");
    mpq_mul(mu2, mu2, mu2);
}

void noise_epsilon(mpq_t epsilon, const dp_mechanism *m)
{
    noise_ratio(epsilon, m, "scale");
}

/* out = mu^2 of all uses */
static void all_mu_squared(mpq_t out, const profile_in *q)
{
    mpq_t times;
    mpq_init(times);
    noise_mu_squared(out, q->mechanism);
    mpq_set_z(times, q->times);
    mpq_mul(out, out, times);
    mpq_clear(times);
}

/* epsilon = mu sqrt(2 ln(1.25/delta)), or delta = 1.25 e^(-epsilon^2 / (2 mu^2)) */
static void classic(mpfi_t out, const profile_in *q)
{
    mpq_t mu2, part;
    mpfi_t m;
    mpq_inits(mu2, part, NULL);
    mpfi_init2(m, mpfi_get_prec(out));
    all_mu_squared(mu2, q);
    mpfi_set_q(m, mu2);
    mpfi_mul_2ui(m, m, 1);
    if (q->delta != NULL) {
        mpq_set_ui(part, 5, 4);
        mpq_div(part, part, q->delta);
        ival_log_q(out, part);
        mpfi_mul(out, out, m);
        mpfi_sqrt(out, out);
    } else {
        logform_enclose(out, q->epsilon);
        mpfi_sqr(out, out);
        mpfi_div(out, out, m);
        mpfi_neg(out, out);
        mpfi_exp(out, out);
        mpq_set_ui(part, 5, 4);
        mpfi_mul_q(out, out, part);
    }
    mpfi_clear(m);
    mpq_clears(mu2, part, NULL);
}

/* 0 < epsilon < 1 and 0 < delta < 1, judged at a precision of its own: what it cannot tell is not
 * used. */
static bool classic_applies(const void *in)
{
    const profile_in *q = in;
    bool ok = q->delta == NULL || (mpq_sgn(q->delta) > 0 && mpq_cmp_ui(q->delta, 1, 1) < 0);
    mpfi_t x;
    mpfi_init2(x, 128);
    if (ok && q->delta == NULL) {
        logform_enclose(x, q->epsilon);
        ok = mpfi_is_strictly_pos(x) && mpfr_cmp_ui(&x->right, 1) < 0;
    }
    if (ok) {
        classic(x, q);
        ok = mpfi_is_strictly_pos(x) && mpfr_cmp_ui(&x->right, 1) < 0;
    }
    mpfi_clear(x);
    return ok;
}

static dp_status eval_classic(dp_figure *out, const void *in, const wanted *want)
{
    const profile_in *q = in;
    if (profile_given(out, q, want->bits))
        classic(figure_enclose(&out[q->delta != NULL ? 0 : 1], want->bits), q);
    return DP_OK;
}

/* mu = sqrt(times mu^2) of one use */
static dp_status eval_gaussian(dp_figure *out, const void *in, const wanted *want)
{
    const profile_in *q = in;
    if (!profile_given(out, q, want->bits))
        return DP_OK;
    mpq_t mu2;
    mpq_init(mu2);
    all_mu_squared(mu2, q);
    mpfi_t mu, x;
    mpfi_init2(mu, want->bits + 64);
    mpfi_init2(x, want->bits + 64);
    mpfi_set_q(mu, mu2);
    mpfi_sqrt(mu, mu);
    if (q->delta == NULL) {
        logform_enclose(x, q->epsilon);
        gaussian_profile(figure_enclose(&out[1], want->bits), mu, x);
    } else if (mpq_sgn(q->delta) == 0) {
        figure_set_infinite(&out[0]);
    } else {
        gaussian_epsilon(figure_enclose(&out[0], want->bits), mu, q->delta);
    }
    mpfi_clear(x);
    mpfi_clear(mu);
    mpq_clear(mu2);
    return DP_OK;
}

/* delta = 1 - e^((x - eps)/2) below eps, and epsilon = max(0, eps + 2 ln(1 - delta)) */
static dp_status eval_laplace(dp_figure *out, const void *in, const wanted *want)
{
    const profile_in *q = in;
    if (!profile_given(out, q, want->bits))
        return DP_OK;
    mpq_t epsilon;
    mpfi_t x, e;
    mpq_init(epsilon);
    noise_epsilon(epsilon, q->mechanism);
    mpfi_init2(x, want->bits + 64);
    mpfi_init2(e, want->bits + 64);
    mpfi_set_q(e, epsilon);
    if (q->delta != NULL && mpq_sgn(q->delta) == 0) {
        figure_set_q(&out[0], epsilon);
    } else if (q->delta != NULL) {
        ival_log1m_q(x, q->delta);
        mpfi_mul_2ui(x, x, 1);
        mpfi_add(x, x, e);
        ival_at_least_zero(x);
        mpfi_set(figure_enclose(&out[0], want->bits), x);
    } else if (q->epsilon->count == 0 && mpq_cmp(q->epsilon->rational, epsilon) >= 0) {
        figure_set_ui(&out[1], 0);
    } else {
        logform_enclose(x, q->epsilon);
        mpfi_sub(x, x, e);
        mpfi_div_2ui(x, x, 1);
        mpfi_expm1(x, x);
        mpfi_neg(x, x);
        ival_at_least_zero(x);
        mpfi_set(figure_enclose(&out[1], want->bits), x);
    }
    mpfi_clear(e);
    mpfi_clear(x);
    mpq_clear(epsilon);
    return DP_OK;
}

const bound gaussian_exact = {
    .theorem = {.id = "gaussian-exact",
                .family = "gaussian",
                .verdict = DP_EXACT,
                .source = "Balle, Wang 2018, Improving the Gaussian Mechanism for Differential "
                          "Privacy, Theorem 8",
                .statement = "delta(x) = Phi(mu/2 - x/mu) - e^x Phi(-mu/2 - x/mu), mu = "
                             "sqrt(times) sensitivity / sigma",
                .assumes = "continuous Gaussian noise, independent in each coordinate and use; the "
                           "L2 sensitivity under the adjacency asked for; not discrete noise, "
                           "whose profile is larger",
                .proof = "Of two normal laws mu deviations apart the likelihood ratio is monotone, "
                         "so half-lines are the worst events; a larger distance dominates, and "
                         "uses add their squared distances."},
    .eval = eval_gaussian,
    .methods = METHOD(OPTIMAL),
    .output = {"epsilon", "delta"},
    .also_for = "compose|curve",
    .of_mechanisms = true};

const bound gaussian_classic = {
    .theorem = {.id = "gaussian-classic",
                .family = "gaussian",
                .verdict = DP_PROVED,
                .source = "Dwork, Roth 2014, The Algorithmic Foundations of Differential Privacy, "
                          "Theorem A.1",
                .statement = "for 0 < epsilon < 1: epsilon = mu sqrt(2 ln(1.25/delta)), mu = "
                             "sqrt(times) sensitivity / sigma",
                .assumes = "continuous Gaussian noise, independent in each coordinate and use; the "
                           "L2 sensitivity under the adjacency asked for; epsilon below 1",
                .proof =
                    "With c = epsilon/mu and t = c - mu/2 delta is at most Phi(-t). For t >= 0 "
                    "that is at most e^(1/2)/2 e^(-c^2/2), as t^2 >= c^2 - epsilon. For t < 0 "
                    "c^2 < 1/2, so the bound is above .97, and where it is below 1 mu is below "
                    "1.5 and delta below .55. At epsilon of 1 and more it can fail."},
    .applies = classic_applies,
    .eval = eval_classic,
    .output = {"epsilon", "delta"},
    .also_for = "compose",
    .of_mechanisms = true,
    .only_all = true};

const bound laplace_exact = {
    .theorem = {.id = "laplace-exact",
                .family = "laplace",
                .verdict = DP_EXACT,
                .source = "Dwork, McSherry, Nissim, Smith 2006, with the privacy profile of "
                          "Balle, Barthe, Gaboardi 2018, Theorem 3",
                .statement = "delta(x) = max(0, 1 - e^((x-eps)/2)), eps = sensitivity / scale",
                .assumes = "continuous Laplace noise, independent in each coordinate; the L1 "
                           "sensitivity under the adjacency asked for; one use",
                .proof = "In one dimension by integration; a vector's coordinates never exceed the "
                         "profile of one number moved by the sum of their changes."},
    .eval = eval_laplace,
    .methods = METHOD(OPTIMAL),
    .output = {"epsilon", "delta"},
    .also_for = "compose|curve",
    .of_mechanisms = true};
