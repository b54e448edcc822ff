/* SPDX-License-Identifier: MIT */
/* Randomized response for a majority of which only a composition is known: enclosures, and
 * rationals where every epsilon is the logarithm of one. */
#include "vote/rr_prob.h"

#include "num/guard.h"
#include "num/ival.h"
#include "num/number.h"

#define RATIONAL_BITS 65536UL

/* p = min(1, (1 - e^-t + 2 delta e^-t) / (1 - e^-t + 2 x e^-t)), t the target epsilon and x the
 * most by which the majority can exceed it: E_t p + ... divided by e^t, so that nothing overflows.
 */
void response_probability(dp_figure *out, const response_in *q, const mpfi_t x, const wanted *want)
{
    mpfi_ptr p = figure_enclose(out, want->bits);
    mpfi_t base, fall, part;
    mpfi_init2(base, want->bits);
    mpfi_init2(fall, want->bits);
    mpfi_init2(part, want->bits);
    logform_enclose(part, q->target);
    mpfi_neg(part, part);
    ival_exp(fall, part);
    mpfi_mul_2ui(fall, fall, 1); /* 2 e^-t */
    ival_expm1(base, part);
    mpfi_neg(base, base); /* 1 - e^-t */
    mpfi_mul_q(p, fall, q->delta);
    mpfi_add(p, p, base);
    mpfi_mul(part, fall, x);
    mpfi_add(part, part, base);
    mpfi_div(p, p, part);
    if (ival_bad(p)) /* 0/0 at low precision */
        mpfi_interv_si(p, 0, 1);
    ival_clamp_ui(p, 0, 1);
    if (mpfr_cmp_ui(&p->left, 1) == 0)
        figure_set_ui(out, 1);
    mpfi_clear(part);
    mpfi_clear(fall);
    mpfi_clear(base);
}

/* e^x where x is a sum of whole logarithms, of moderate size */
static bool exp_rational(mpq_t out, const logform *x)
{
    mpq_t part;
    mpz_t times;
    mpq_init(part);
    mpz_init(times);
    bool ok = mpq_sgn(x->rational) == 0;
    mpq_set_ui(out, 1, 1);
    for (size_t i = 0; ok && i < x->count; i++) {
        mpq_srcptr c = x->term[i].coefficient, base = x->term[i].base;
        mpz_abs(times, mpq_numref(c));
        ok = mpz_cmp_ui(mpq_denref(c), 1) == 0 && guard_pow_fits_q(base, times, RATIONAL_BITS);
        if (!ok)
            break;
        mpz_pow_ui(mpq_numref(part), mpq_numref(base), mpz_get_ui(times));
        mpz_pow_ui(mpq_denref(part), mpq_denref(base), mpz_get_ui(times));
        if (mpq_sgn(c) < 0)
            mpq_inv(part, part);
        mpq_mul(out, out, part);
    }
    mpz_clear(times);
    mpq_clear(part);
    return ok;
}

bool response_odds_q(mpq_t odds, const response_in *q)
{
    return exp_rational(odds, q->target);
}

bool response_probability_q(mpq_t p, const response_in *q, const mpq_t x)
{
    mpq_t base, part;
    mpq_inits(base, part, NULL);
    bool ok = exp_rational(base, q->target);
    mpq_set_ui(p, 1, 1);
    if (ok && mpq_cmp(x, q->delta) > 0) { /* else 1 */
        mpq_sub(base, base, p);
        mpq_mul_2exp(part, x, 1);
        mpq_add(part, part, base);
        mpq_mul_2exp(p, q->delta, 1);
        mpq_add(p, p, base);
        mpq_div(p, p, part);
    }
    mpq_clears(base, part, NULL);
    return ok;
}

/* x = max(lambda, (e^T - E + (1 + E) lambda)/(e^T + 1)), T = K eps, lambda = min(1, K delta) */
static bool simple_excess_q(mpq_t x, const response_in *q)
{
    mpq_t grow, odds, lambda, one;
    logform loss;
    mpq_inits(grow, odds, lambda, one, NULL);
    logform_init(&loss);
    mpq_set_z(lambda, q->r->mechanisms);
    mpq_set_ui(one, 1, 1);
    bool ok = logform_add_number(&loss, lambda, &q->r->epsilon) && exp_rational(odds, q->target);
    mpq_mul(lambda, lambda, q->r->delta);
    bool certain = mpq_cmp(lambda, one) >= 0; /* then x = 1, whatever T is */
    ok = ok && (certain || exp_rational(grow, &loss));
    mpq_set(x, one);
    if (ok && !certain) {
        mpq_add(x, odds, one);
        mpq_mul(x, x, lambda);
        mpq_sub(x, x, odds);
        mpq_add(x, x, grow);
        mpq_add(grow, grow, one);
        mpq_div(x, x, grow);
        if (mpq_cmp(x, lambda) < 0)
            mpq_set(x, lambda);
    }
    logform_clear(&loss);
    mpq_clears(grow, odds, lambda, one, NULL);
    return ok;
}

/* excess = (e^T - e^t + (1 + e^t) lambda) / (e^T + 1), divided through by e^T: the corner (c, d) of
 * the (T, lambda) region. x = max(lambda, excess); `clamped` false leaves lambda out. */
static void black_box(mpfi_t x, const mpfi_t loss, const mpfi_t lambda, const response_in *q,
                      bool clamped)
{
    mpfr_prec_t bits = mpfi_get_prec(x);
    mpfi_t gap, fall, part;
    mpfi_init2(gap, bits);
    mpfi_init2(fall, bits);
    mpfi_init2(part, bits);
    logform_enclose(gap, q->target);
    mpfi_sub(gap, gap, loss); /* t - T */
    mpfi_neg(fall, loss);
    ival_exp(fall, fall); /* e^-T */
    ival_exp(part, gap);
    mpfi_add(part, part, fall);
    mpfi_mul(part, part, lambda);
    ival_expm1(x, gap);
    mpfi_sub(x, part, x);
    mpfi_add_ui(fall, fall, 1);
    mpfi_div(x, x, fall);
    if (clamped) {
        mpfr_max(&x->left, &x->left, &lambda->left, MPFR_RNDD);
        mpfr_max(&x->right, &x->right, &lambda->right, MPFR_RNDU);
    }
    mpfi_clear(part);
    mpfi_clear(fall);
    mpfi_clear(gap);
}

/* T = K eps, lambda = min(1, K delta) */
static void simple_composition(mpfi_t loss, mpfi_t lambda, const dp_response *r)
{
    ival_set_number(loss, &r->epsilon);
    ival_mul_z(loss, loss, r->mechanisms);
    mpfi_set_q(lambda, r->delta);
    ival_mul_z(lambda, lambda, r->mechanisms);
    ival_clamp_ui(lambda, 0, 1);
}

/* T = min(K eps, m + eps sqrt(2K ln(e + eps sqrt(K)/d)), m + eps sqrt(2K ln(1/d))),
 * m = K eps tanh(eps/2), lambda = 1 - (1-delta)^K (1-d) */
static void general_composition(mpfi_t loss, mpfi_t lambda, const dp_response *r)
{
    mpfr_prec_t bits = mpfi_get_prec(loss);
    mpfi_t eps, mean, square, part, d;
    mpfi_ptr all[] = {eps, mean, square, part, d};
    for (size_t i = 0; i < 5; i++)
        mpfi_init2(all[i], bits);
    ival_set_number(eps, &r->epsilon);
    mpfi_set_q(d, number_rational(r->slack));
    ival_mul_z(loss, eps, r->mechanisms);
    ival_tanh_half(mean, eps);
    mpfi_mul(mean, mean, loss);
    mpfi_mul(square, loss, eps); /* K eps^2 */
    mpfi_sqrt(part, square);
    mpfi_div(part, part, d);
    mpfi_set_ui(eps, 1);
    ival_exp(eps, eps);
    mpfi_add(part, part, eps);
    mpfi_log(part, part);
    mpfi_log(d, d);
    mpfi_neg(d, d); /* ln(1/d) */
    ival_take_least(part, d);
    mpfi_mul(part, part, square);
    mpfi_mul_2ui(part, part, 1);
    ival_at_least_zero(part);
    mpfi_sqrt(part, part);
    mpfi_add(part, part, mean);
    ival_take_least(loss, part);
    mpfi_set_q(lambda, r->delta);
    mpfi_neg(lambda, lambda);
    ival_log1p(lambda, lambda); /* -inf for delta = 1 */
    ival_mul_z(lambda, lambda, r->mechanisms);
    ival_expm1(lambda, lambda);
    mpfi_neg(lambda, lambda);
    mpfi_set_q(d, number_rational(r->slack));
    ival_union(lambda, lambda, d);
    for (size_t i = 0; i < 5; i++)
        mpfi_clear(all[i]);
}

typedef void (*composer)(mpfi_t loss, mpfi_t lambda, const dp_response *r);

void response_target(dp_figure *out, const response_in *q, const wanted *want)
{
    figure_set_form(&out[1], q->target, want->bits);
    figure_set_q(&out[2], q->delta);
}

static void eval_black_box(dp_figure *out, const response_in *q, composer compose, bool clamped,
                           const wanted *want)
{
    mpfi_t loss, lambda, x;
    mpfi_init2(loss, want->bits);
    mpfi_init2(lambda, want->bits);
    mpfi_init2(x, want->bits);
    compose(loss, lambda, q->r);
    black_box(x, loss, lambda, q, clamped);
    response_probability(&out[0], q, x, want);
    mpfi_clear(x);
    mpfi_clear(lambda);
    mpfi_clear(loss);
    response_target(out, q, want);
}

static dp_status eval_simple(dp_figure *out, const void *in, const wanted *want)
{
    const response_in *q = in;
    mpq_t x, p;
    mpq_inits(x, p, NULL);
    eval_black_box(out, q, simple_composition, true, want);
    if (q->simple_sure)
        figure_set_ui(&out[0], 1);
    else if (want->rational && simple_excess_q(x, q) && response_probability_q(p, q, x))
        figure_set_q(&out[0], p);
    mpq_clears(x, p, NULL);
    return DP_OK;
}

static bool general_applies(const void *in)
{
    const response_in *q = in;
    return q->r->composition == DP_VOTE_GENERAL;
}

static dp_status eval_general(dp_figure *out, const void *in, const wanted *want)
{
    eval_black_box(out, in, general_composition, true, want);
    return DP_OK;
}

/* The published formula has no clamp: above 1 it is capped here, where it still differs. */
static dp_status eval_printed(dp_figure *out, const void *in, const wanted *want)
{
    const response_in *q = in;
    composer compose =
        q->r->composition == DP_VOTE_GENERAL ? general_composition : simple_composition;
    eval_black_box(out, q, compose, false, want);
    return DP_OK;
}

#define PAPER "Jiang, Zhang, Joshi 2024, Optimized Tradeoffs for Private Prediction"
#define FIGURES                                                                                    \
    {                                                                                              \
        "probability", "epsilon", "delta"                                                          \
    }
#define BLACK_BOX "K odd; " GIVEN_EARLIER ", not necessarily independent; their adjacency"

const bound rr_prob_simple = {
    .theorem =
        {.id = "rr-prob-simple",
         .family = "rr-prob",
         .verdict = DP_EXACT,
         .source = PAPER ", Lemma A.1, with the clamps it needs, and simple composition",
         .statement =
             "for a majority of which only composition is known, that it is (T, lambda)-DP, T = K "
             "epsilon, lambda = min(1, K delta_i), each mechanism private given the earlier "
             "outputs: p = 1 if x <= delta, else (E-1+2 delta)/(E-1+2x), E = e^target, x = "
             "max(lambda, (e^T - E + (1+E) lambda)/(e^T + 1))",
         .assumes = BLACK_BOX "; exact when nothing is known but that the majority is (T, "
                              "lambda)-DP",
         .proof =
             "Answering truthfully with probability p turns the worst excess x of the majority "
             "over E into p x + (1-p)(1-E)/2 <= delta. Over the (T, lambda)-DP region the "
             "excess is largest at one of two corners, both attainable: (lambda, 0) and ((e^T "
             "+ lambda)/(e^T+1), (1-lambda)/(e^T+1))."},
    .eval = eval_simple,
    .output = FIGURES,
    .also_for = "majority"};

const bound rr_prob_general = {
    .theorem = {.id = "rr-prob-general",
                .family = "rr-prob",
                .verdict = DP_EXACT,
                .source =
                    PAPER ", Lemma A.1, with the clamps it needs, and Theorem 3.4 of Kairouz, Oh, "
                          "Viswanath 2015",
                .statement =
                    "rr-prob-simple with T the least of the three branches of compose-kov at the "
                    "slack, and lambda = 1 - (1-delta_i)^K (1-slack)",
                .assumes = BLACK_BOX "; exact when nothing is known but that the majority is (T, "
                                     "lambda)-DP",
                .proof = "As rr-prob-simple."},
    .applies = general_applies,
    .eval = eval_general,
    .output = FIGURES,
    .also_for = "majority"};

const bound rr_prob_printed = {
    .theorem =
        {.id = "rr-prob-printed",
         .family = "rr-prob",
         .verdict = DP_UNSOUND,
         .source = PAPER ", Lemma A.1, as printed",
         .statement = "p = (E-1+2 delta)/(E-1+2x), x = (e^T - E + (1+E) lambda)/(e^T+1) without "
                      "its clamps (capped at 1 here)",
         .assumes = "claims the class of rr-prob-simple",
         .proof =
             "Where T < target the worst corner of the (T, lambda) region is (lambda, 0), so x "
             "must be at least lambda; the printed x is below it and p too large.",
         .counterexample = "target 0.5, T = 0.4, lambda = 0.01, delta = 1e-4: the printed formula "
                           "gives 1.1927..., so the majority itself, but a majority that is 1 with "
                           "probability 0.01 on one data set and 0 on its neighbour is (0.4, "
                           "0.01)-DP and needs p <= 0.97039..."},
    .eval = eval_printed,
    .output = FIGURES,
    .only_all = true};
