/* SPDX-License-Identifier: MIT */
/* What privacy says about the generalization gap: the certified bounds and how many examples they
 * need. */
#include "learning/generalization.h"

#include "num/ival.h"
#include "num/number.h"

void generalization_open(generalization_scratch *s, const generalization_in *in, mpfr_prec_t bits)
{
    mpfi_init2(s->epsilon, bits);
    mpfi_init2(s->a, bits);
    mpfi_init2(s->b, bits);
    mpq_init(s->q);
    ival_set_number(s->epsilon, &in->g->epsilon);
    mpq_set_z(s->q, in->sets);
    mpq_mul(s->q, s->q, in->g->delta);
}

void generalization_close(generalization_scratch *s)
{
    mpfi_clear(s->epsilon);
    mpfi_clear(s->a);
    mpfi_clear(s->b);
    mpq_clear(s->q);
}

static void sets_delta(mpq_t q, const mpz_t sets, const mpq_t delta)
{
    mpq_set_z(q, sets);
    mpq_mul(q, q, delta);
}

/* (e^x - 1 + 2d)/(e^x + 1) as 1 - 2(1 - d)/(e^x + 1), or for small x as
 * (expm1(x) + 2d)/(expm1(x) + 2); d may exceed 1 */
static void mean_gap(mpfi_t out, const mpfi_t x, const mpq_t d)
{
    mpfr_prec_t bits = mpfi_get_prec(out);
    mpfi_t rise;
    mpq_t q;
    mpfi_init2(rise, bits);
    mpq_init(q);
    if (mpfr_cmp_ui(&x->right, 1) <= 0) {
        mpfi_expm1(rise, x);
        mpq_mul_2exp(q, d, 1);
        mpfi_add_q(out, rise, q);
        mpfi_add_ui(rise, rise, 2);
        mpfi_div(out, out, rise);
    } else {
        mpfi_exp(rise, x);
        mpfi_add_ui(rise, rise, 1);
        mpq_set_ui(q, 1, 1);
        mpq_sub(q, d, q);
        mpq_mul_2exp(q, q, 1);
        mpfi_set_q(out, q);
        mpfi_div(out, out, rise);
        mpfi_add_ui(out, out, 1);
    }
    mpq_clear(q);
    mpfi_clear(rise);
}

/* With epsilon = ln R or 0: (R - 1 + 2d)/(R + 1), or 1 - (1-d)/R. */
static bool mean_rational(dp_figure *out, const generalization_in *in, bool published)
{
    const dp_number *e = &in->g->epsilon;
    if (!e->is_log && mpq_sgn(number_rational(e)) != 0)
        return false;
    mpq_t odds, one, d;
    mpq_inits(odds, one, d, NULL);
    mpq_set_ui(one, 1, 1);
    mpq_set(odds, e->is_log ? number_odds(e) : one);
    sets_delta(d, in->sets, in->g->delta);
    if (published) {
        mpq_sub(d, one, d);
        mpq_div(d, d, odds);
        mpq_sub(d, one, d);
    } else {
        mpq_mul_2exp(d, d, 1);
        mpq_add(d, d, odds);
        mpq_sub(d, d, one);
        mpq_add(odds, odds, one);
        mpq_div(d, d, odds);
    }
    figure_set_q(out, d);
    mpq_clears(odds, one, d, NULL);
    return true;
}

static dp_status eval_mean(dp_figure *out, const void *in, const wanted *want)
{
    const generalization_in *g = in;
    if (mean_rational(out, g, false))
        return DP_OK;
    generalization_scratch s;
    generalization_open(&s, g, want->bits);
    mean_gap(figure_enclose(out, want->bits), s.epsilon, s.q);
    generalization_close(&s);
    return DP_OK;
}

/* 1 - e^-eps (1 - k delta) as -expm1(-eps) + e^-eps k delta */
static dp_status eval_mean_published(dp_figure *out, const void *in, const wanted *want)
{
    const generalization_in *g = in;
    if (mean_rational(out, g, true))
        return DP_OK;
    generalization_scratch s;
    generalization_open(&s, g, want->bits);
    mpfi_ptr x = figure_enclose(out, want->bits);
    mpfi_neg(x, s.epsilon);
    mpfi_exp(s.a, x);
    mpfi_expm1(x, x);
    mpfi_neg(x, x);
    mpfi_mul_q(s.a, s.a, s.q);
    mpfi_add(x, x, s.a);
    generalization_close(&s);
    return DP_OK;
}

static dp_status eval_mean_earlier(dp_figure *out, const void *in, const wanted *want)
{
    const generalization_in *g = in;
    generalization_scratch s;
    generalization_open(&s, g, want->bits);
    if (!g->g->epsilon.is_log) {
        mpq_add(s.q, s.q, number_rational(&g->g->epsilon));
        mpq_add(s.q, s.q, number_rational(&g->g->epsilon));
        figure_set_q(out, s.q);
    } else {
        mpfi_ptr x = figure_enclose(out, want->bits);
        mpfi_mul_2ui(x, s.epsilon, 1);
        mpfi_add_q(x, x, s.q);
    }
    generalization_close(&s);
    return DP_OK;
}

/* bracket less ln(k+1)/(eps2 N), and ln(k+1)/eps2 */
static void certified_parts(mpfi_t mean, mpfi_t cost, const generalization_in *in)
{
    mpfi_t x;
    mpq_t q;
    mpfi_init2(x, mpfi_get_prec(mean));
    mpq_init(q);
    ival_set_number(x, &in->g->epsilon);
    mpfi_add_q(x, x, in->selection);
    sets_delta(q, in->copies, in->g->delta);
    mean_gap(mean, x, q);
    mpfi_set_z(cost, in->copies);
    mpfi_log1p(cost, cost);
    mpfi_div_q(cost, cost, in->selection);
    mpq_clear(q);
    mpfi_clear(x);
}

/* 1 - (1-beta)^k */
static void some_fails(mpfi_t out, const generalization_in *in)
{
    ival_log1m_q(out, in->beta);
    ival_mul_z(out, out, in->copies);
    mpfi_expm1(out, out);
    mpfi_neg(out, out);
}

static bool has_samples(const void *in)
{
    return mpq_sgn(((const generalization_in *)in)->samples) > 0;
}

static dp_status eval_certified(dp_figure *out, const void *in, const wanted *want)
{
    const generalization_in *g = in;
    generalization_scratch s;
    generalization_open(&s, g, want->bits);
    mpfi_ptr x = figure_enclose(&out[0], want->bits);
    certified_parts(x, s.a, g);
    mpfi_div_q(s.a, s.a, g->samples);
    mpfi_add(x, x, s.a);
    some_fails(s.a, g);
    mpfi_div(x, x, s.a);
    mpq_set_ui(s.q, g->one_sided ? 1 : 2, 1);
    mpq_mul(s.q, s.q, g->beta);
    figure_set_q(&out[1], s.q);
    generalization_close(&s);
    return DP_OK;
}

/* beta = -expm1(log1p(-bracket/a)/k); 1 where the bracket is not below a */
static dp_status eval_certified_failure(dp_figure *out, const void *in, const wanted *want)
{
    const generalization_in *g = in;
    generalization_scratch s;
    generalization_open(&s, g, want->bits);
    mpfi_ptr x = figure_enclose(&out[1], want->bits);
    figure_set_q(&out[0], g->gap);
    certified_parts(x, s.a, g);
    mpfi_div_q(s.a, s.a, g->samples);
    mpfi_add(x, x, s.a);
    mpfi_div_q(x, x, g->gap);
    if (mpfr_cmp_ui(&x->right, 1) >= 0) {
        figure_set_ui(&out[1], 1);
    } else {
        mpfi_neg(x, x);
        mpfi_log1p(x, x);
        mpfi_div_z(x, x, g->copies);
        mpfi_expm1(x, x);
        mpfi_neg(x, x);
        mpfi_mul_ui(x, x, g->one_sided ? 1 : 2);
        ival_clamp_ui(x, 0, 1);
    }
    generalization_close(&s);
    return DP_OK;
}

bool generalization_samples(mpfi_t out, const generalization_in *in)
{
    mpfi_t mean, room;
    mpfi_init2(mean, mpfi_get_prec(out));
    mpfi_init2(room, mpfi_get_prec(out));
    certified_parts(mean, out, in);
    some_fails(room, in);
    mpfi_mul_q(room, room, in->gap);
    mpfi_sub(room, room, mean);
    bool possible = mpfr_sgn(&room->left) > 0;
    if (possible)
        mpfi_div(out, out, room);
    mpfi_clear(room);
    mpfi_clear(mean);
    return possible;
}

#define HWC                                                                                        \
    "He, Wang, Tao 2021, Tighter Generalization Bounds for Iterative Differentially Private "      \
    "Learning Algorithms"
#define LEARNER                                                                                    \
    "an (epsilon, delta)-DP learner under replace-one adjacency; N independent examples; loss in " \
    "[0, 1]"
#define SETS                                                                                       \
    "a learner that reads k independent sets and names one, (epsilon, delta)-DP on all of them "   \
    "under replace-one adjacency; loss in [0, 1]"

const bound generalization_mean = {
    .theorem = {.id = "generalization-mean",
                .family = "generalization",
                .verdict = DP_PROVED,
                .source = "derived here, sharper than " HWC ", Theorem 2",
                .statement = "|E Gen| <= (e^epsilon - 1 + 2 k delta)/(e^epsilon + 1)",
                .assumes = SETS,
                .proof =
                    "Exchanging an example for a fresh one leaves the law of the pair "
                    "unchanged, so b <= e^eps a + k delta for the mean losses b on fresh and a "
                    "on used examples, and the same for 1 - loss; the sum of the two gives "
                    "the bound. Attained at epsilon = 0."},
    .eval = eval_mean,
    .output = {"bound"},
    .may_be_vacuous = true};

const bound generalization_theorem_2 = {
    .theorem = {.id = "generalization-theorem-2",
                .family = "generalization",
                .verdict = DP_PROVED,
                .source = HWC ", Theorem 2",
                .statement = "|E Gen| <= 1 - e^-epsilon + e^-epsilon k delta",
                .assumes = SETS,
                .proof =
                    "Never below generalization-mean for k delta <= 1; for more it is vacuous. "
                    "The remark that it improves on e^eps - 1 by a factor of 20000 at epsilon "
                    "= 10 compares two vacuous numbers."},
    .eval = eval_mean_published,
    .output = {"bound"},
    .may_be_vacuous = true};

const bound generalization_mean_nissim_stemmer = {
    .theorem = {.id = "generalization-mean-nissim-stemmer",
                .family = "generalization",
                .verdict = DP_PROVED,
                .source = "Nissim, Stemmer 2015, as quoted by " HWC,
                .statement = "|E Gen| <= k delta + 2 epsilon",
                .assumes = SETS,
                .proof = "Implied by generalization-mean: tanh(eps/2) <= eps/2 and 2/(e^eps+1) <= "
                         "1."},
    .eval = eval_mean_earlier,
    .output = {"bound"},
    .may_be_vacuous = true,
    .only_all = true};

#define CERTIFIED                                                                                  \
    .verdict = DP_PROVED, .family = "generalization", .source = "derived here",                    \
    .assumes = LEARNER,                                                                            \
    .proof = "Run the learner on k independent sets and select one (or none) with probability "    \
             "proportional to e^(eps2 N Gen): (epsilon + eps2, delta)-DP in all. If Gen > a had "  \
             "probability beta or more, the best of k would exceed a with probability 1 - "        \
             "(1-beta)^k; the selection loses at most ln(k+1)/eps2 of N Gen. That contradicts "    \
             "generalization-mean. Any k and eps2 are sound; they are searched, then the figure "  \
             "is certified. No condition on epsilon, delta or N."

const bound generalization_certified = {
    .theorem = {.id = "generalization-certified",
                .statement =
                    "Pr(|Gen| > a) < 2 beta, Pr(Gen > a) < beta, a = [(e^(epsilon+eps2) - 1 + 2 k "
                    "delta)/(e^(epsilon+eps2) + 1) + ln(k+1)/(eps2 N)] / (1 - (1-beta)^k)",
                CERTIFIED},
    .applies = has_samples,
    .eval = eval_certified,
    .output = {"bound", "failure_probability"},
    .may_be_vacuous = true};

const bound generalization_certified_failure = {
    .theorem = {.id = "generalization-certified-failure",
                .statement = "generalization-certified solved for its probability: beta = 1 - (1 - "
                             "[...]/a)^(1/k) where the bracket is below a",
                CERTIFIED},
    .applies = has_samples,
    .eval = eval_certified_failure,
    .output = {"bound", "failure_probability"},
    .may_be_vacuous = true};
