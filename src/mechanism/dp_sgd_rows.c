/* SPDX-License-Identifier: MIT */
/* What is known of DP-SGD: by its Renyi curve, as the moments accountant had it, and two published
 * formulas that are no bounds. */
#include <math.h>

#include "loss/gaussian.h"
#include "loss/sampled_gaussian.h"
#include "mechanism/dp_sgd.h"
#include "num/ival.h"
#include "num/number.h"

#define MORE_BITS 64    /* beyond those asked for: orders near 1 lose 20 */
#define WHOLE_FROM 1200 /* bits from where on only integer orders, which are cheap, are taken */
#define REACH_BITS 128  /* at which it is judged how far a theorem reaches */
#define MOST_REACH 1e15 /* orders */

/* The figure that is asked for, at `bits` */
static mpfi_ptr asked(dp_figure *out, const profile_in *q, mpfr_prec_t bits)
{
    return figure_enclose(&out[q->delta != NULL ? 0 : 1], bits);
}

/* Nothing is lost where nobody is sampled, and no epsilon is finite at delta = 0. True: that is the
 * figure. */
static bool is_trivial(dp_figure *out, const profile_in *q, const dp_sgd *s)
{
    bool none = mpq_sgn(s->of.rate) == 0, pure = q->delta != NULL && mpq_sgn(q->delta) == 0;
    if (none)
        figure_set_ui(&out[q->delta != NULL ? 0 : 1], 0);
    else if (pure)
        figure_set_infinite(&out[0]);
    return none || pure;
}

/* None of these is about groups. */
static bool one_record(const void *in)
{
    return !dp_sgd_is_group(((const profile_in *)in)->mechanism);
}

/* out = epsilon, delta, alpha */
static dp_status at_best_order(dp_figure *out, const profile_in *q, const wanted *want,
                               bool moments)
{
    dp_sgd s;
    figure_set_ui(&out[2], 2);
    if (!profile_given(out, q, want->bits))
        return DP_OK;
    dp_sgd_init(&s, q->mechanism, q->times);
    bool ok = true;
    if (!is_trivial(out, q, &s)) {
        bool whole = moments || want->bits > WHOLE_FROM;
        mpfi_t x;
        mpq_t alpha;
        mpfi_init2(x, want->bits + MORE_BITS);
        mpq_init(alpha);
        mpfi_ptr to = asked(out, q, want->bits + MORE_BITS);
        if (q->delta != NULL) {
            ok = dp_sgd_epsilon(to, alpha, &s, q->delta, !moments, whole);
        } else {
            logform_enclose(x, q->epsilon);
            ok = dp_sgd_delta(to, alpha, &s, x, !moments, whole);
        }
        figure_set_q(&out[2], alpha);
        mpq_clear(alpha);
        mpfi_clear(x);
    }
    dp_sgd_clear(&s);
    return ok ? DP_OK : DP_LIMIT;
}

static dp_status eval_renyi(dp_figure *out, const void *in, const wanted *want)
{
    return at_best_order(out, in, want, false);
}

static dp_status eval_moments(dp_figure *out, const void *in, const wanted *want)
{
    return at_best_order(out, in, want, true);
}

/* ---- as printed ---- */

/* out = steps q^2 / sigma^2 */
static void small_variance(mpq_t out, const dp_sgd *s)
{
    mpq_t steps;
    mpq_init(steps);
    mpq_div(out, s->of.rate, s->of.sigma);
    mpq_mul(out, out, out);
    mpq_set_z(steps, s->steps);
    mpq_mul(out, out, steps);
    mpq_clear(steps);
}

/* The largest integer l <= sigma^2 ln(1/(q sigma)), rounded down; 0 where the theorem is about
 * nothing: sigma >= 1 and q < 1/(16 sigma) are its conditions. */
static unsigned long reach(const dp_sgd *s)
{
    mpq_t x;
    mpq_init(x);
    mpq_mul(x, s->of.rate, s->of.sigma);
    unsigned long most = 0;
    if (mpq_sgn(x) > 0 && mpq_cmp_ui(x, 1, 16) < 0 && mpq_cmp_ui(s->of.sigma, 1, 1) >= 0) {
        mpfi_t l, v;
        mpfi_init2(l, REACH_BITS);
        mpfi_init2(v, REACH_BITS);
        ival_log_q(l, x);
        mpfi_neg(l, l);
        mpfi_set_q(v, s->of.sigma);
        mpfi_mul(l, l, v);
        mpfi_mul(l, l, v);
        most = (unsigned long)fmin(floor(mpfr_get_d(&l->left, MPFR_RNDD)), MOST_REACH);
        mpfi_clear(v);
        mpfi_clear(l);
    }
    mpq_clear(x);
    return most;
}

/* The integer in [1, most] that is best, about x: either side of it is tried. */
static unsigned long clip(double x, unsigned long most)
{
    double l = fmin(fmax(floor(x), 1), (double)most);
    return l >= 1 ? (unsigned long)l : 1;
}

/* out = v l + ln(1/delta)/l, or ln delta = v l^2 - l epsilon */
static void printed(mpfi_t out, const profile_in *q, const mpq_t v, unsigned long l)
{
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(out));
    mpfi_set_q(part, v);
    mpfi_mul_ui(part, part, l);
    if (q->delta != NULL) {
        ival_log_q(out, q->delta);
        mpfi_neg(out, out);
        mpfi_div_ui(out, out, l);
        mpfi_add(out, out, part);
    } else {
        logform_enclose(out, q->epsilon);
        mpfi_sub(out, part, out);
        mpfi_mul_ui(out, out, l);
        mpfi_exp(out, out);
        ival_clamp_ui(out, 0, 1);
    }
    mpfi_clear(part);
}

/* About the best l: sqrt(ln(1/delta) / v), or epsilon / (2 v) */
static double best_moment(const profile_in *q, const mpq_t v)
{
    mpfi_t x, y;
    mpfi_init2(x, REACH_BITS);
    mpfi_init2(y, REACH_BITS);
    mpfi_set_q(y, v);
    if (q->delta != NULL) {
        ival_log_q(x, q->delta);
        mpfi_neg(x, x);
        mpfi_div(x, x, y);
        mpfi_sqrt(x, x);
    } else {
        logform_enclose(x, q->epsilon);
        mpfi_div(x, x, y);
        mpfi_div_2ui(x, x, 1);
    }
    double best = mpfi_get_d(x);
    mpfi_clear(y);
    mpfi_clear(x);
    return best;
}

static bool printed_applies(const void *in)
{
    const profile_in *q = in;
    if (!one_record(in))
        return false;
    dp_sgd s;
    dp_sgd_init(&s, q->mechanism, q->times);
    bool any = reach(&s) >= 1;
    dp_sgd_clear(&s);
    return any && (q->delta == NULL || (mpq_sgn(q->delta) > 0 && mpq_cmp_ui(q->delta, 1, 1) < 0));
}

static dp_status eval_printed(dp_figure *out, const void *in, const wanted *want)
{
    const profile_in *q = in;
    dp_sgd s;
    mpq_t v;
    mpfi_t other;
    if (!profile_given(out, q, want->bits))
        return DP_OK;
    mpq_init(v);
    mpfi_init2(other, want->bits + MORE_BITS);
    dp_sgd_init(&s, q->mechanism, q->times);
    small_variance(v, &s);
    unsigned long most = reach(&s), l = clip(best_moment(q, v), most), next = l < most ? l + 1 : l;
    mpfi_ptr to = asked(out, q, want->bits + MORE_BITS);
    printed(to, q, v, l);
    printed(other, q, v, next);
    if (mpfr_less_p(&other->right, &to->right)) {
        mpfi_set(to, other);
        l = next;
    }
    figure_set_ui(&out[2], l + 1);
    dp_sgd_clear(&s);
    mpfi_clear(other);
    mpq_clear(v);
    return DP_OK;
}

/* out = q sqrt(steps (e^(1/sigma^2) - 1)) */
static void limit_mu(mpfi_t out, const dp_sgd *s)
{
    mpq_t x;
    mpq_init(x);
    mpq_mul(x, s->of.sigma, s->of.sigma);
    mpq_inv(x, x);
    mpfi_set_q(out, x);
    mpfi_expm1(out, out);
    ival_mul_z(out, out, s->steps);
    mpfi_sqrt(out, out);
    mpfi_mul_q(out, out, s->of.rate);
    mpq_clear(x);
}

/* mu within what the profile is evaluated for */
static bool clt_applies(const void *in)
{
    const profile_in *q = in;
    if (!one_record(in))
        return false;
    dp_sgd s;
    mpfi_t mu;
    mpfi_init2(mu, REACH_BITS);
    dp_sgd_init(&s, q->mechanism, q->times);
    limit_mu(mu, &s);
    bool ok = mpfr_cmp_d(&mu->left, 1e-9) > 0 && mpfr_cmp_d(&mu->right, 1e4) < 0 &&
              (q->delta == NULL || (mpq_sgn(q->delta) > 0 && mpq_cmp_ui(q->delta, 1, 1) < 0));
    dp_sgd_clear(&s);
    mpfi_clear(mu);
    return ok;
}

static dp_status eval_clt(dp_figure *out, const void *in, const wanted *want)
{
    const profile_in *q = in;
    dp_sgd s;
    mpfi_t mu, x;
    if (!profile_given(out, q, want->bits))
        return DP_OK;
    mpfi_init2(mu, want->bits + MORE_BITS);
    mpfi_init2(x, want->bits + MORE_BITS);
    dp_sgd_init(&s, q->mechanism, q->times);
    limit_mu(mu, &s);
    mpfi_ptr to = asked(out, q, want->bits);
    if (q->delta != NULL) {
        gaussian_epsilon(to, mu, q->delta);
    } else {
        logform_enclose(x, q->epsilon);
        gaussian_profile(to, mu, x);
    }
    dp_sgd_clear(&s);
    mpfi_clear(x);
    mpfi_clear(mu);
    return DP_OK;
}

const bound dp_sgd_renyi = {
    .theorem = {.id = "dp-sgd-renyi",
                .family = "dp-sgd",
                .verdict = DP_PROVED,
                .source = "Mironov, Talwar, Zhang 2019, Renyi Differential Privacy of the Sampled "
                          "Gaussian Mechanism, with the conversion of Canonne, Kamath, Steinke "
                          "2020, Proposition 12",
                .statement =
                    "for every order alpha = 1+t > 1: epsilon = (T ln A(alpha) + ln kappa(t) - ln "
                    "delta)/t, A(alpha) = E_Q[(1-q+q e^((2z-1)/(2 sigma^2)))^alpha], Q = N(0, "
                    "sigma^2), kappa(t) = t^t/(1+t)^(1+t); and delta = sqrt(1 - A(alpha)^(-T/t)) "
                    "at every epsilon >= 0",
                .assumes = SAMPLED_STEPS,
                .proof = "The pair of the sampled Gaussian dominates each step, and its Renyi "
                         "divergence is larger with the mixture first; divergences of T steps add; "
                         "(1 - e^-u)_+ <= kappa(t) e^(tu). The second bound is that of Bretagnolle "
                         "and Huber for the divergence of order 1, which none above is below. "
                         "Every order is sound; the one shown is close to the best."},
    .applies = one_record,
    .eval = eval_renyi,
    .methods = METHOD(RDP),
    .output = {"epsilon", "delta", "alpha"},
    .also_for = "compose",
    .of_mechanisms = true,
    .bracket = true};

const bound dp_sgd_moments = {
    .theorem = {.id = "dp-sgd-moments",
                .family = "dp-sgd",
                .verdict = DP_PROVED,
                .source = "Abadi et al. 2016, Deep Learning with Differential Privacy, Theorem 2; "
                          "moments by Mironov, Talwar, Zhang 2019",
                .statement = "for every integer l >= 1: epsilon = (T ln A(l+1) - ln delta)/l, A as "
                             "in dp-sgd-renyi; alpha is l+1",
                .assumes = SAMPLED_STEPS,
                .proof = "dp-sgd-renyi with kappa(t) <= 1, at integers: the moments accountant as "
                         "programs that add up moments have it."},
    .applies = one_record,
    .eval = eval_moments,
    .output = {"epsilon", "delta", "alpha"},
    .also_for = "compose",
    .of_mechanisms = true,
    .bracket = true,
    .only_all = true};

const bound dp_sgd_moments_printed = {
    .theorem = {.id = "dp-sgd-moments-printed",
                .family = "dp-sgd",
                .verdict = DP_UNSOUND,
                .source = "Abadi et al. 2016, Deep Learning with Differential Privacy, proof of "
                          "Theorem 1",
                .statement = "for sigma >= 1, q < 1/(16 sigma) and integers 1 <= l <= sigma^2 "
                             "ln(1/(q sigma)): ln A(l+1) <= q^2 l^2 / sigma^2, and so epsilon = T "
                             "q^2 l / sigma^2 - (ln delta)/l; alpha is l+1",
                .assumes = SAMPLED_STEPS,
                .proof = "The bound of the moments is asymptotic: Lemma 3 there has q^2 l(l+1)/"
                         "((1-q) sigma^2) and a remainder of the order of q^3 l^3/sigma^3 without "
                         "a constant, of which this leaves a part out. So have the closed forms "
                         "of the noise, sigma >= c q sqrt(T ln(1/delta))/epsilon with a c that is "
                         "not given.",
                .counterexample = "sigma = 1, q = 1/100, T = 10^6 at delta = 1e-10: epsilon = "
                                  "123.0258..., where delta is above 1e-9. Its first moment there "
                                  "is ln(1 + q^2 (e-1)), above 1.718e-4, and not 1e-4."},
    .applies = printed_applies,
    .eval = eval_printed,
    .output = {"epsilon", "delta", "alpha"},
    .also_for = "compose",
    .of_mechanisms = true,
    .only_all = true,
    .bracket = true};

const bound dp_sgd_clt = {
    .theorem = {.id = "dp-sgd-clt",
                .family = "dp-sgd",
                .verdict = DP_UNSOUND,
                .source = "Bu, Dong, Long, Su 2020, Deep Learning with Gaussian Differential "
                          "Privacy, Corollary 5.4",
                .statement = "delta(x) = Phi(mu/2 - x/mu) - e^x Phi(-mu/2 - x/mu), mu = q sqrt(T "
                             "(e^(1/sigma^2) - 1))",
                .assumes = SAMPLED_STEPS,
                .proof = "A limit for T to infinity with q sqrt(T) fixed, without a bound of what "
                         "it is off: the losses of a step have a heavier tail than any Gaussian "
                         "of that variance.",
                .counterexample =
                    "sigma = 1, q = 1/100, T = 1 at epsilon = 1: delta = 2.655240...e-1270, "
                    "but the one step has q delta_1(ln(1 + (e-1)/q)) = 2.732e-9, "
                    "delta_1 the profile of mu = 1."},
    .applies = clt_applies,
    .eval = eval_clt,
    .output = {"epsilon", "delta"},
    .also_for = "compose",
    .of_mechanisms = true,
    .only_all = true,
    .bracket = true};
