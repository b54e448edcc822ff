/* SPDX-License-Identifier: MIT */
/* Published high-probability bounds: Theorems 1 and 3, and the earlier ones they quote. */
#include "learning/generalization.h"
#include "num/ival.h"
#include "num/number.h"

static void mul_ratio(mpfi_t x, unsigned long over, unsigned long under)
{
    mpfi_mul_ui(x, x, over);
    mpfi_div_ui(x, x, under);
}

/* e^(-c epsilon), c = tenths/10 */
static void decay(mpfi_t out, const generalization_scratch *s, unsigned long tenths)
{
    mpfi_neg(out, s->epsilon);
    mul_ratio(out, tenths, 10);
    mpfi_exp(out, out);
}

/* over/under epsilon, exactly where epsilon is rational */
static void multiple(dp_figure *out, const generalization_in *in, unsigned long over,
                     unsigned long under, mpfr_prec_t bits)
{
    const dp_number *e = &in->g->epsilon;
    mpq_t q;
    mpq_init(q);
    mpq_set_ui(q, over, under);
    mpq_canonicalize(q);
    if (!e->is_log) {
        mpq_mul(q, q, number_rational(e));
        figure_set_q(out, q);
    } else {
        mpfi_ptr x = figure_enclose(out, bits);
        ival_set_number(x, e);
        mpfi_mul_q(x, x, q);
    }
    mpq_clear(q);
}

/* 1 - 0.9 e^-eps */
static void most_gap(mpfi_t out, const generalization_scratch *s)
{
    decay(out, s, 10);
    mul_ratio(out, 9, 10);
    mpfi_ui_sub(out, 1, out);
}

/* ln(over e^x / (under delta)) */
static void log_ratio(mpfi_t out, const mpfi_t x, unsigned long over, unsigned long under,
                      const mpq_t delta)
{
    mpq_t q;
    mpq_init(q);
    mpq_set_ui(q, over, under);
    mpq_canonicalize(q);
    mpq_div(q, q, delta);
    ival_log_q(out, q);
    mpfi_add(out, out, x);
    mpq_clear(q);
}

/* 200 ln(48180 e^eps/(9 delta)) / (-q ln 0.9) */
static void second_size(mpfi_t out, generalization_scratch *s, const generalization_in *in)
{
    log_ratio(out, s->epsilon, 48180, 9, in->g->delta);
    mpfi_mul_ui(out, out, 200);
    most_gap(s->a, s);
    mpfi_div(out, out, s->a);
    mpq_set_ui(s->q, 10, 9);
    ival_log_q(s->a, s->q);
    mpfi_div(out, out, s->a);
}

/* 2/(0.077 eps^2) ln(over e^(1.7 eps) / (under delta)) */
static void first_size(mpfi_t out, generalization_scratch *s, const generalization_in *in,
                       unsigned long over, unsigned long under)
{
    mpfi_set(s->a, s->epsilon);
    mul_ratio(s->a, 17, 10);
    log_ratio(out, s->a, over, under, in->g->delta);
    mul_ratio(out, 2000, 77);
    mpfi_sqr(s->a, s->epsilon);
    mpfi_div(out, out, s->a);
}

/* 2 e^(-1.7 eps) delta ln(2/eps)/eps, or 18 e^-eps delta ln(220/q)/q */
static void theorem_1_failure(mpfi_t out, generalization_scratch *s, const generalization_in *in)
{
    if (in->large) {
        most_gap(s->a, s);
        mpfi_ui_div(out, 220, s->a);
    } else {
        mpfi_set(s->a, s->epsilon);
        mpfi_ui_div(out, 2, s->a);
    }
    mpfi_log(out, out);
    mpfi_div(out, out, s->a);
    mpfi_mul_ui(out, out, in->large ? 18 : 2);
    decay(s->b, s, in->large ? 10 : 17);
    mpfi_mul(out, out, s->b);
    mpfi_mul_q(out, out, in->g->delta);
}

/* x = max(x, y) */
static void at_least(mpfi_t x, const mpfi_t y)
{
    mpfr_max(&x->left, &x->left, &y->left, MPFR_RNDD);
    mpfr_max(&x->right, &x->right, &y->right, MPFR_RNDU);
}

static bool positive(const void *in)
{
    const generalization_in *g = in;
    return dp_number_sgn(&g->g->epsilon) > 0 && mpq_sgn(g->g->delta) > 0;
}

static dp_status eval_theorem_1(dp_figure *out, const void *in, const wanted *want)
{
    const generalization_in *g = in;
    generalization_scratch s;
    generalization_open(&s, g, want->bits);
    if (g->large) {
        mpfi_ptr a = figure_enclose(&out[0], want->bits);
        most_gap(a, &s);
        mul_ratio(a, 12, 10);
    } else {
        multiple(&out[0], g, 4, 1, want->bits);
    }
    theorem_1_failure(figure_enclose(&out[1], want->bits), &s, g);
    mpfi_ptr least = figure_enclose(&out[2], want->bits);
    mpfi_ptr printed = figure_enclose(&out[3], want->bits);
    mpfi_t first;
    mpfi_init2(first, want->bits);
    second_size(least, &s, g);
    first_size(printed, &s, g, 43, 254);
    at_least(printed, least);
    first_size(first, &s, g, 254, 43);
    at_least(least, first);
    mpfi_clear(first);
    generalization_close(&s);
    return DP_OK;
}

/* k e^-eps delta <= eps/1.7, or (1 - e^-eps)/10: whether k is in the domain of Theorem 3 */
static bool theorem_3_applies(const void *in)
{
    const generalization_in *g = in;
    if (dp_number_sgn(&g->g->epsilon) <= 0)
        return false;
    generalization_scratch s;
    generalization_open(&s, g, 256);
    decay(s.a, &s, 10);
    if (g->larger) {
        mpfi_ui_sub(s.b, 1, s.a);
        mpfi_div_ui(s.b, s.b, 10);
    } else {
        mpfi_set(s.b, s.epsilon);
        mul_ratio(s.b, 10, 17);
    }
    mpfi_mul_q(s.a, s.a, s.q);
    bool within = mpfr_lessequal_p(&s.a->right, &s.b->left);
    generalization_close(&s);
    return within;
}

static dp_status eval_theorem_3(dp_figure *out, const void *in, const wanted *want)
{
    const generalization_in *g = in;
    if (!g->larger) {
        multiple(&out[0], g, 17, 10, want->bits);
        multiple(&out[1], g, 50, 127, want->bits);
    }
    generalization_scratch s;
    generalization_open(&s, g, want->bits);
    decay(s.a, &s, 10);
    if (g->larger) {
        mpfi_ptr a = figure_enclose(&out[0], want->bits);
        mpfi_ptr b = figure_enclose(&out[1], want->bits);
        mpfi_ui_sub(b, 1, s.a);
        mpfi_set(a, b);
        mul_ratio(a, 11, 10);
        mpfi_div_ui(b, b, 219);
    }
    if (mpq_sgn(s.q) > 0) {
        if (out[0].kind == DP_RATIONAL)
            mpfi_set_q(figure_enclose(&out[0], want->bits), out[0].rational);
        mpfi_mul_q(s.a, s.a, s.q);
        mpfi_add(out[0].enclosure, out[0].enclosure, s.a);
    }
    if (out[1].kind == DP_RATIONAL) {
        mpz_sub(mpq_numref(out[1].rational), mpq_denref(out[1].rational),
                mpq_numref(out[1].rational));
    } else {
        mpfi_ui_sub(out[1].enclosure, 1, out[1].enclosure);
    }
    generalization_close(&s);
    return DP_OK;
}

/* (4 eps, 8 delta eps) and (13 eps, (2 delta/eps) ln(2/eps)) */
static dp_status eval_dwork(dp_figure *out, const void *in, const wanted *want)
{
    const generalization_in *g = in;
    multiple(&out[0], g, 4, 1, want->bits);
    multiple(&out[1], g, 8, 1, want->bits);
    if (out[1].kind == DP_RATIONAL)
        mpq_mul(out[1].rational, out[1].rational, g->g->delta);
    else
        mpfi_mul_q(out[1].enclosure, out[1].enclosure, g->g->delta);
    return DP_OK;
}

static dp_status eval_nissim_stemmer(dp_figure *out, const void *in, const wanted *want)
{
    const generalization_in *g = in;
    generalization_scratch s;
    generalization_open(&s, g, want->bits);
    multiple(&out[0], g, 13, 1, want->bits);
    mpfi_ptr b = figure_enclose(&out[1], want->bits);
    mpfi_ui_div(s.a, 2, s.epsilon);
    mpfi_log(b, s.a);
    mpfi_mul(b, b, s.a);
    mpfi_mul_q(b, b, g->g->delta);
    generalization_close(&s);
    return DP_OK;
}

/* epsilon <= 1/10 */
static bool nissim_stemmer_applies(const void *in)
{
    const generalization_in *g = in;
    if (dp_number_sgn(&g->g->epsilon) <= 0)
        return false;
    generalization_scratch s;
    generalization_open(&s, g, 256);
    mpfi_mul_ui(s.a, s.epsilon, 10);
    bool within = mpfr_cmp_ui(&s.a->right, 1) <= 0;
    if (!g->g->epsilon.is_log) {
        mpq_set_ui(s.q, 1, 10);
        within = mpq_cmp(number_rational(&g->g->epsilon), s.q) <= 0;
    }
    generalization_close(&s);
    return within;
}

static bool is_positive(const void *in)
{
    return dp_number_sgn(&((const generalization_in *)in)->g->epsilon) > 0;
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

const bound generalization_theorem_1 = {
    .theorem =
        {.id = "generalization-theorem-1",
         .family = "generalization",
         .verdict = DP_PROVED,
         .source = HWC ", Theorem 1, with its sample size corrected",
         .statement =
             "Pr(|Gen| <= a) > 1 - b for N >= max(2/(0.077 epsilon^2) ln(254 e^(1.7 epsilon)/(43 "
             "delta)), 200/(-ln(0.9) q) ln(48180 e^epsilon/(9 delta))), q = 1 - 0.9 e^-epsilon; "
             "epsilon <= 1/5: a = 4 epsilon, b = 2 e^(-1.7 epsilon) delta ln(2/epsilon)/epsilon; "
             "else a = 1.2 q, b = 18 e^-epsilon delta ln(220/q)/q",
         .assumes = LEARNER ", delta > 0",
         .proof =
             "The printed sample size has 43/254 where its proof needs 254/43, so it asks for too "
             "few (minimum_samples_printed); c5 = ln 0.9 is negative though said positive; "
             "Lemma 1 (4) states its hypothesis the wrong way round, (6) leaves no room for the "
             "mechanism's loss. With the constants above the proof holds; each case needs only its "
             "own term of the maximum. It says nothing from "
             "epsilon = ln 5.4 = 1.686... on, where a >= 1."},
    .applies = positive,
    .eval = eval_theorem_1,
    .output = {"bound", "failure_probability", "minimum_samples", "minimum_samples_printed"},
    .may_be_vacuous = true};

const bound generalization_theorem_3 = {
    .theorem =
        {.id = "generalization-theorem-3",
         .family = "generalization",
         .verdict = DP_PROVED,
         .source = HWC ", Theorem 3, as intended",
         .statement =
             "Pr(Gen > bound) <= failure_probability: epsilon <= 17/50 and k e^-epsilon "
             "delta <= epsilon/1.7: bound = k e^-epsilon delta + 1.7 epsilon, with "
             "probability 1 - 50 epsilon/127; else, with q = 1 - e^-epsilon and k e^-epsilon "
             "delta <= q/10: bound = k e^-epsilon delta + 1.1 q, with probability 1 - q/219",
         .assumes = SETS,
         .proof =
             "From theorem-2 and Gen >= -1. Case 1 as printed mixes two epsilons: its exponent "
             "1.7 epsilon belongs to a learner that is (1.7 epsilon, delta)-DP; for 0.23 <= "
             "epsilon <= 0.34 the printed form is not proved."},
    .applies = theorem_3_applies,
    .eval = eval_theorem_3,
    .output = {"bound", "failure_probability"},
    .may_be_vacuous = true,
    .only_all = true};

const bound generalization_nissim_stemmer_quoted = {
    .theorem = {.id = "generalization-nissim-stemmer-quoted",
                .family = "generalization",
                .verdict = DP_UNSOUND,
                .source = "Nissim, Stemmer 2015, as quoted by " HWC " without its sample size",
                .statement =
                    "Pr(|Gen| < 13 epsilon) > 1 - (2 delta/epsilon) ln(2/epsilon), epsilon "
                    "<= 1/10",
                .assumes = "as quoted: " LEARNER,
                .proof = "The original has a condition on N, which the quotation leaves out.",
                .counterexample =
                    "N = 1, a constant learner, (0, 0)-DP, whose loss is a fair coin "
                    "of the example: |Gen| = 1/2 always, yet at epsilon = 1/100, delta "
                    "= 0 the quotation claims |Gen| < 0.13 with certainty"},
    .applies = nissim_stemmer_applies,
    .eval = eval_nissim_stemmer,
    .output = {"bound", "failure_probability"},
    .may_be_vacuous = true,
    .only_all = true};

const bound generalization_dwork_quoted = {
    .theorem = {.id = "generalization-dwork-quoted",
                .family = "generalization",
                .verdict = DP_UNSOUND,
                .source = "Dwork et al. 2015, as quoted by " HWC,
                .statement = "Pr(Gen < 4 epsilon) > 1 - 8 delta epsilon",
                .assumes = "as quoted: " LEARNER,
                .proof = "The known form has delta^epsilon, with a condition on N.",
                .counterexample =
                    "with probability delta publish the sample and predict by lookup "
                    "(loss 0 on it, 1 off it, atomless law), else a constant loss: (0, "
                    "delta)-DP and Pr(Gen = 1) = delta, which exceeds 8 delta epsilon "
                    "for every epsilon < 1/8"},
    .applies = is_positive,
    .eval = eval_dwork,
    .output = {"bound", "failure_probability"},
    .may_be_vacuous = true,
    .only_all = true};
