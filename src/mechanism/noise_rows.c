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

/* mu = sqrt(times mu^2) of one use */
static dp_status eval_gaussian(dp_figure *out, const void *in, const wanted *want)
{
    const profile_in *q = in;
    if (!profile_given(out, q, want->bits))
        return DP_OK;
    mpq_t mu2, times;
    mpq_inits(mu2, times, NULL);
    noise_mu_squared(mu2, q->mechanism);
    mpq_set_z(times, q->times);
    mpq_mul(mu2, mu2, times);
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
    mpq_clears(mu2, times, NULL);
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
