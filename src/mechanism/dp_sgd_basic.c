/* SPDX-License-Identifier: MIT */
/* DP-SGD by basic composition: the closed form of one step, as often as there are steps. */
#include "mechanism/dp_sgd.h"

#include "loss/gaussian.h"
#include "loss/sampled_gaussian.h"
#include "num/ival.h"

#define MORE_BITS 64
#define FAR (1L << 20) /* e^x of more is not formed */

/* y = ln(1 + (e^x - 1)/q), x >= 0: the inverse of ival_log1p_share */
static void stretch(mpfi_t y, const mpfi_t x, const mpq_t q)
{
    mpq_t rest;
    mpq_init(rest);
    if (mpfr_cmp_si(&x->left, FAR) <= 0) {
        mpfi_expm1(y, x);
        mpfi_div_q(y, y, q);
        mpfi_log1p(y, y);
    } else { /* x + ln(1 - (1-q) e^-x) - ln q */
        mpfi_t log;
        mpfi_init2(log, mpfi_get_prec(y));
        mpq_set_ui(rest, 1, 1);
        mpq_sub(rest, q, rest);
        mpfi_neg(y, x);
        mpfi_exp(y, y);
        mpfi_mul_q(y, y, rest);
        mpfi_log1p(y, y);
        mpfi_add(y, y, x);
        ival_log_q(log, q);
        mpfi_sub(y, y, log);
        mpfi_clear(log);
    }
    mpq_clear(rest);
}

/* s of so many steps, 0 < q and 0 < delta < 1 */
static void basic(mpfi_t out, const profile_in *in, const dp_sgd *s)
{
    mpfi_t mu, x, y;
    mpq_t share;
    mpq_init(share);
    mpfi_init2(mu, mpfi_get_prec(out));
    mpfi_init2(x, mpfi_get_prec(out));
    mpfi_init2(y, mpfi_get_prec(out));
    mpq_inv(share, s->of.sigma);
    mpfi_set_q(mu, share);
    if (in->delta != NULL) { /* of the noise, at delta / (steps q) */
        mpq_set_z(share, s->steps);
        mpq_mul(share, share, s->of.rate);
        mpq_div(share, in->delta, share);
        mpfi_set_ui(out, 0);
        if (mpq_cmp_ui(share, 1, 1) < 0) {
            gaussian_epsilon(y, mu, share);
            ival_at_least_zero(y);
            ival_log1p_share(out, y, s->of.rate);
            ival_mul_z(out, out, s->steps);
        }
    } else {
        logform_enclose(x, in->epsilon);
        mpq_set_z(share, s->steps);
        mpfi_div_q(x, x, share);
        ival_at_least_zero(x);
        stretch(y, x, s->of.rate);
        gaussian_profile(out, mu, y);
        mpfi_mul_q(out, out, s->of.rate);
        ival_mul_z(out, out, s->steps);
        ival_clamp_ui(out, 0, 1);
    }
    mpfi_clear(y);
    mpfi_clear(x);
    mpfi_clear(mu);
    mpq_clear(share);
}

/* Does anything happen, at a target for which it is not said? */
static bool has_figure(const profile_in *in, const dp_sgd *s)
{
    return mpq_sgn(s->of.rate) > 0 && mpz_sgn(s->steps) > 0 &&
           (in->delta == NULL || (mpq_sgn(in->delta) > 0 && mpq_cmp_ui(in->delta, 1, 1) < 0));
}

bool dp_sgd_one_step(mpfi_t out, const profile_in *in)
{
    dp_sgd s;
    if (dp_sgd_is_group(in->mechanism))
        return false;
    dp_sgd_init(&s, in->mechanism, in->times);
    bool ok = has_figure(in, &s);
    mpz_set_ui(s.steps, 1);
    if (ok)
        basic(out, in, &s);
    dp_sgd_clear(&s);
    return ok;
}

/* The law of groups is another, and a single step has nothing to add up. */
static bool applies(const void *in)
{
    const profile_in *q = in;
    dp_sgd s;
    dp_sgd_init(&s, q->mechanism, q->times);
    bool ok = mpz_cmp_ui(s.steps, 1) > 0 && !dp_sgd_is_group(q->mechanism);
    dp_sgd_clear(&s);
    return ok;
}

static dp_status eval(dp_figure *out, const void *in, const wanted *want)
{
    const profile_in *q = in;
    if (!profile_given(out, q, want->bits))
        return DP_OK;
    dp_sgd s;
    dp_sgd_init(&s, q->mechanism, q->times);
    dp_figure *to = &out[q->delta != NULL ? 0 : 1];
    if (has_figure(q, &s))
        basic(figure_enclose(to, want->bits + MORE_BITS), q, &s);
    else if (q->delta != NULL && mpq_sgn(s.of.rate) > 0 && mpz_sgn(s.steps) > 0)
        figure_set_infinite(to); /* delta = 0 */
    else
        figure_set_ui(to, 0);
    dp_sgd_clear(&s);
    return DP_OK;
}

const bound dp_sgd_basic = {
    .theorem =
        {.id = "dp-sgd-basic",
         .family = "dp-sgd",
         .verdict = DP_PROVED,
         .source = "Dwork, McSherry, Nissim, Smith 2006; one step by Balle, Barthe, Gaboardi "
                   "2018, Privacy Amplification by Subsampling, Theorem 8",
         .statement =
             "T steps that are each (epsilon/T, delta/T)-DP: delta(x) = T q d(ln(1 + (e^(x/T) - "
             "1)/q)), d the profile of Gaussian noise of mu = 1/sigma; and epsilon = T ln(1 + q "
             "(e^y - 1)), y >= 0 the least with d(y) <= delta/(T q)",
         .assumes = SAMPLED_STEPS,
         .proof =
             "Basic composition of the exact profile of one step. With E = e^x >= 1 a record "
             "removed has q d(ln(1 + (E-1)/q)), one added k d(ln(q E/k)), k = 1 - (1-q) E, or 0 "
             "where k <= 0. The first is the larger: k <= q, and q^2 E - (E-1+q) k = (1-q) "
             "(E-1)^2 >= 0, so that d is asked further out. Shown for T > 1."},
    .applies = applies,
    .eval = eval,
    .output = {"epsilon", "delta"},
    .also_for = "compose",
    .of_mechanisms = true,
    .bracket = true,
    .only_all = true,
    .after_limit = true};
