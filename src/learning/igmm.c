/* SPDX-License-Identifier: MIT */
/* Noisy iterative learning on mini-batches: one step, and the published statement. */
#include "learning/igmm.h"

#include "loss/gaussian.h"
#include "num/ival.h"
#include "num/number.h"

void igmm_shift(mpq_t w, const dp_igmm *g)
{
    mpq_t batch;
    mpq_init(batch);
    mpq_set_z(batch, g->batch);
    mpq_mul(batch, batch, g->sigma);
    mpq_div(w, g->diameter, batch);
    mpq_clear(batch);
}

static void set_rate(mpq_t eta, const dp_igmm *g)
{
    mpz_set(mpq_numref(eta), g->batch);
    mpz_set(mpq_denref(eta), g->samples);
    mpq_canonicalize(eta);
}

void igmm_step(mpfi_t epsilon, mpfi_t delta, const dp_igmm *g, const mpq_t e1)
{
    mpq_t q;
    mpfi_t w;
    mpq_init(q);
    mpfi_init2(w, mpfi_get_prec(epsilon));
    igmm_shift(q, g);
    mpfi_set_q(w, q);
    mpfi_set_q(epsilon, e1);
    gaussian_profile(delta, w, epsilon);
    set_rate(q, g);
    mpfi_mul_q(delta, delta, q);
    ival_log1p_share(epsilon, epsilon, q);
    mpfi_clear(w);
    mpq_clear(q);
}

/* step = ln(1 + eta (e^x - 1)), x = (sqrt(2) w sqrt(ln(1/delta)) + w^2)/2 */
static void printed_step(mpfi_t step, const dp_igmm *g)
{
    mpq_t q;
    mpfi_t w;
    mpq_init(q);
    mpfi_init2(w, mpfi_get_prec(step));
    igmm_shift(q, g);
    mpfi_set_q(w, q);
    ival_log_q(step, number_rational(g->delta));
    mpfi_neg(step, step);
    mpfi_mul_2ui(step, step, 1);
    mpfi_sqrt(step, step);
    mpfi_add(step, step, w);
    mpfi_mul(step, step, w);
    mpfi_div_2ui(step, step, 1);
    set_rate(q, g);
    ival_log1p_share(step, step, q);
    mpfi_clear(w);
    mpq_clear(q);
}

/* The tail of Corollary 2 with its printed sign, at x < T e */
static void printed_tail(mpfi_t out, const mpfi_t x, const mpfi_t e, const mpz_t times)
{
    mpfr_prec_t bits = mpfi_get_prec(out);
    mpfi_t top, rest, part;
    mpfi_init2(top, bits);
    mpfi_init2(rest, bits);
    mpfi_init2(part, bits);
    ival_mul_z(part, e, times);
    mpfi_add(top, part, x);
    mpfi_sub(rest, part, x);
    mpfi_mul_2ui(part, part, 1);
    mpfi_div(part, part, rest);
    mpfi_log(out, part);
    ival_log1p_exp_neg(part, e);
    mpfi_add(part, part, e);
    mpfi_sub(out, out, part);
    ival_mul_z(out, out, times);
    mpfi_div(part, top, rest);
    mpfi_log(part, part);
    mpfi_mul(part, part, top);
    mpfi_div(part, part, e);
    mpfi_add(part, part, top);
    mpfi_div_2ui(part, part, 1);
    mpfi_sub(out, out, part);
    mpfi_exp(out, out);
    mpfi_clear(part);
    mpfi_clear(rest);
    mpfi_clear(top);
}

/* -expm1(T ln(1-y)) - expm1(c ln(1 - e^e y) + (T - c) ln(1-y)), y = delta/(1 + e^e),
 * c = ceil(N x / (tau e)), which may exceed T */
static void printed_leaks(mpfi_t out, const dp_igmm *g, const mpfi_t x, const mpfi_t e)
{
    mpfr_prec_t bits = mpfi_get_prec(out);
    mpfi_t a, b, part;
    mpz_t c;
    mpfi_init2(a, bits);
    mpfi_init2(b, bits);
    mpfi_init2(part, bits);
    mpz_init(c);
    mpfi_exp(a, e);
    mpfi_add_ui(part, a, 1);
    mpfi_set_q(b, number_rational(g->delta));
    mpfi_div(b, b, part); /* y */
    mpfi_mul(a, a, b);
    mpfi_neg(a, a);
    mpfi_log1p(a, a);
    mpfi_neg(b, b);
    mpfi_log1p(b, b);
    mpfi_sub(a, a, b);
    mpfi_div(part, x, e);
    mpfi_mul_z(part, part, g->samples);
    mpfi_div_z(part, part, g->batch);
    mpfr_get_z(c, &part->left, MPFR_RNDU);
    ival_mul_z(out, a, c);
    mpfr_get_z(c, &part->right, MPFR_RNDU);
    ival_mul_z(part, a, c);
    mpfi_union(out, out, part);
    ival_mul_z(b, b, g->times);
    mpfi_add(out, out, b);
    mpfi_expm1(out, out);
    mpfi_expm1(b, b);
    mpfi_add(out, out, b);
    mpfi_neg(out, out);
    mpz_clear(c);
    mpfi_clear(part);
    mpfi_clear(b);
    mpfi_clear(a);
}

bool igmm_printed(mpfi_t epsilon, mpfi_t delta, const dp_igmm *g)
{
    mpfi_t e, part;
    mpfi_init2(e, mpfi_get_prec(epsilon));
    mpfi_init2(part, mpfi_get_prec(epsilon));
    printed_step(e, g);
    /* epsilon' = sqrt(2 T ln(1/slack)) e + T e tanh(e/2) */
    ival_log_q(epsilon, number_rational(g->slack));
    mpfi_neg(epsilon, epsilon);
    ival_mul_z(epsilon, epsilon, g->times);
    mpfi_mul_2ui(epsilon, epsilon, 1);
    mpfi_sqrt(epsilon, epsilon);
    ival_tanh_half(part, e);
    ival_mul_z(part, part, g->times);
    mpfi_add(epsilon, epsilon, part);
    mpfi_mul(epsilon, epsilon, e);
    ival_mul_z(part, e, g->times);
    bool defined = mpfr_less_p(&epsilon->right, &part->left);
    if (defined) {
        printed_tail(part, epsilon, e, g->times);
        printed_leaks(delta, g, epsilon, e);
        mpfi_add(delta, delta, part);
    }
    mpfi_clear(part);
    mpfi_clear(e);
    return defined;
}

static dp_status eval_published(dp_figure *out, const void *in, const wanted *want)
{
    const dp_igmm *g = ((const igmm_in *)in)->g;
    printed_step(figure_enclose(&out[2], want->bits), g);
    return igmm_printed(figure_enclose(&out[0], want->bits), figure_enclose(&out[1], want->bits), g)
               ? DP_OK
               : DP_LIMIT;
}

static bool gaussian_applies(const void *in)
{
    const igmm_in *q = in;
    return mpz_cmp(q->g->batch, q->g->samples) == 0;
}

/* 0 from delta(0) on; infinite at delta = 0 */
static void whole_epsilon(dp_figure *out, const mpfi_t v, const mpq_t delta, mpfr_prec_t bits)
{
    mpfi_t zero, d;
    mpfi_init2(zero, bits);
    mpfi_init2(d, bits);
    mpfi_set_ui(zero, 0);
    gaussian_profile(d, v, zero);
    if (mpq_sgn(delta) == 0)
        figure_set_infinite(out);
    else if (mpfr_cmp_q(&d->right, delta) <= 0)
        figure_set_ui(out, 0);
    else
        gaussian_epsilon(figure_enclose(out, bits), v, delta);
    mpfi_clear(d);
    mpfi_clear(zero);
}

static dp_status eval_gaussian(dp_figure *out, const void *in, const wanted *want)
{
    const igmm_in *q = in;
    mpq_t w;
    mpfi_t v, x;
    mpq_init(w);
    mpfi_init2(v, want->bits);
    mpfi_init2(x, want->bits);
    igmm_shift(w, q->g);
    mpfi_set_z(v, q->g->times);
    mpfi_sqrt(v, v);
    mpfi_mul_q(v, v, w);
    if (q->g->target_delta != NULL) {
        figure_set_q(&out[1], number_rational(q->g->target_delta));
        whole_epsilon(&out[0], v, number_rational(q->g->target_delta), want->bits);
    } else {
        logform_enclose(x, q->x);
        figure_set_form(&out[0], q->x, want->bits);
        gaussian_profile(figure_enclose(&out[1], want->bits), v, x);
    }
    mpfi_clear(x);
    mpfi_clear(v);
    mpq_clear(w);
    return DP_OK;
}

const bound igmm_published = {
    .theorem =
        {.id = "igmm-published",
         .family = "iterative-gaussian",
         .verdict = DP_UNSOUND,
         .source = IGMM_HWC ", as printed",
         .statement =
             "(sqrt(2T ln(1/slack)) e + T e tanh(e/2), 2 - (1-y)^T - (1 - e^e y)^c "
             "(1-y)^(T-c) + tail)-DP with e = ln(1 + (tau/N)(e^x - 1)), x = (sqrt(2) w "
             "sqrt(ln(1/delta)) + w^2)/2, w = diameter/(tau sigma), y = delta/(1+e^e), c = "
             "ceil(N eps'/(tau e)), tail that of Corollary 2 as printed",
         .assumes = "claims replace-one adjacency, all iterates published",
         .proof = "A Gaussian with shift w has Pr(loss > x) <= delta for x = w^2/2 + w sqrt(2 "
                  "ln(1/delta)); the printed x has half of the second term, so the true delta of a "
                  "step is about delta^(1/4). The tail has the wrong sign of Corollary 2. For the "
                  "usual slack the loose epsilon' hides the error; the proof fails all the same.",
         .counterexample = "N = tau = T = 1, diameter/sigma = 2, delta = 1e-5, slack 0.999999: "
                           "printed (6.79299..., 1.1251e-5), but the exact delta of this Gaussian "
                           "there is 3.3721e-3"},
    .eval = eval_published,
    .output = {"epsilon", "delta", "epsilon_step"}};

const bound igmm_gaussian = {
    .theorem = {.id = "igmm-gaussian",
                .family = "iterative-gaussian",
                .verdict = DP_EXACT,
                .source = "Balle, Wang 2018, Improving the Gaussian Mechanism for Differential "
                          "Privacy, for the mechanism of " IGMM_HWC " with tau = N",
                .statement = "delta(x) = Phi(v/2 - x/v) - e^x Phi(-v/2 - x/v), v = sqrt(T) "
                             "diameter/(N sigma)",
                .assumes = "replace-one adjacency; every step uses all records; all iterates "
                           "published",
                .proof = "T Gaussians of shift w have the loss of one of shift w sqrt(T), and the "
                         "worst updates keep the same direction."},
    .applies = gaussian_applies,
    .eval = eval_gaussian,
    .output = {"epsilon", "delta"}};
