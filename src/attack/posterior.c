/* SPDX-License-Identifier: MIT */
/* The posterior at a loss, and the tail of the loss of (epsilon, delta)-DP and of one pair. */
#include "attack/posterior.h"

#include "attack/tail.h"
#include "num/ival.h"
#include "num/number.h"

/* pi/(pi + (1-pi) e^-t), or with e^t for the least one */
static void posterior_at(dp_figure *out, const attacker *a, const dp_number *t, bool least,
                         mpfr_prec_t bits)
{
    mpq_t part, odds;
    mpq_inits(part, odds, NULL);
    mpq_set_ui(part, 1, 1);
    mpq_sub(part, part, a->prior);
    mpq_set_ui(odds, 1, 1);
    bool rational = t->is_log || mpq_sgn(number_rational(t)) == 0;
    if (t->is_log)
        mpq_set(odds, number_odds(t));
    if (!least)
        mpq_inv(odds, odds);
    if (mpq_sgn(a->prior) == 0 || mpq_sgn(part) == 0) {
        figure_set_q(out, a->prior);
    } else if (rational) {
        mpq_mul(part, part, odds);
        mpq_add(part, part, a->prior);
        mpq_div(part, a->prior, part);
        figure_set_q(out, part);
    } else {
        mpfi_ptr x = figure_enclose(out, bits);
        mpq_div(part, part, a->prior);
        ival_set_number(x, t);
        if (!least)
            mpfi_neg(x, x);
        mpfi_exp(x, x);
        mpfi_mul_q(x, x, part);
        mpfi_add_ui(x, x, 1);
        mpfi_ui_div(x, 1, x);
    }
    mpq_clears(part, odds, NULL);
}

static dp_status eval_posterior(dp_figure *out, const void *in, const wanted *want)
{
    const attacker *a = in;
    posterior_at(&out[0], a, &a->epsilon, false, want->bits);
    posterior_at(&out[1], a, &a->epsilon, true, want->bits);
    return DP_OK;
}

/* As published: the same, but with probability delta. */
static dp_status eval_published(dp_figure *out, const void *in, const wanted *want)
{
    const attacker *a = in;
    posterior_at(&out[0], a, &a->epsilon, false, want->bits);
    figure_set_q(&out[1], a->leak);
    return DP_OK;
}

/* ---- tails: posterior_max, exceed_probability ---- */

static bool odds_of(mpq_t odds, const dp_number *x)
{
    if (!x->is_log && mpq_sgn(number_rational(x)) != 0)
        return false;
    if (x->is_log)
        mpq_set(odds, number_odds(x));
    else
        mpq_set_ui(odds, 1, 1);
    return true;
}

/* The sign of t - epsilon. */
static bool against_epsilon(int *sign, const attacker *a)
{
    logform f;
    mpq_t minus;
    logform_init(&f);
    mpq_init(minus);
    mpq_set_si(minus, -1, 1);
    bool known = logform_add_number(&f, NULL, a->t) && logform_add_number(&f, minus, &a->epsilon) &&
                 logform_sign(sign, &f, 100000);
    mpq_clear(minus);
    logform_clear(&f);
    return known;
}

static void take_least_q(mpq_t x, mpq_srcptr y)
{
    if (mpq_cmp(y, x) < 0)
        mpq_set(x, y);
}

/* E and T = e^t rational: (E-1+delta)/(E-1/T), and beyond epsilon delta/(1 - E/T); at most 1 */
static void tail_rational(mpq_t best, const attacker *a, mpq_srcptr e, mpq_srcptr t, int sign)
{
    mpq_t one, up, down;
    mpq_inits(one, up, down, NULL);
    mpq_set_ui(one, 1, 1);
    mpq_set(best, one);
    mpq_inv(down, t);
    mpq_sub(down, e, down);
    mpq_sub(up, e, one);
    mpq_add(up, up, a->leak);
    if (mpq_sgn(down) > 0) {
        mpq_div(up, up, down);
        take_least_q(best, up);
    }
    if (sign > 0) {
        mpq_div(down, e, t);
        mpq_sub(down, one, down);
        mpq_div(up, a->leak, down);
        take_least_q(best, up);
    }
    mpq_clears(one, up, down, NULL);
}

/* The second times e^-epsilon above and below, so that nothing overflows. */
static void tail_enclosed(mpfi_t best, const attacker *a, int sign)
{
    mpfi_t e, t, up, down;
    mpfi_ptr all[] = {e, t, up, down};
    for (size_t i = 0; i < 4; i++)
        mpfi_init2(all[i], mpfi_get_prec(best));
    ival_set_number(e, &a->epsilon);
    ival_set_number(t, a->t);
    mpfi_neg(up, e);
    mpfi_sub(down, up, t);
    mpfi_expm1(up, up);
    mpfi_neg(up, up);
    attacker_union(up, a, up); /* 1 - (1-delta) e^-eps */
    mpfi_expm1(down, down);
    mpfi_neg(down, down);
    mpfi_set_ui(best, 1);
    mpfi_div(up, up, down);
    ival_take_least(best, up);
    if (sign > 0) {
        mpfi_sub(down, e, t);
        mpfi_expm1(down, down);
        mpfi_neg(down, down);
        mpfi_set_q(up, a->leak);
        mpfi_div(up, up, down);
        if (mpfr_sgn(&down->left) > 0)
            ival_take_least(best, up);
    }
    for (size_t i = 0; i < 4; i++)
        mpfi_clear(all[i]);
}

static dp_status eval_tail_approx(dp_figure *out, const void *in, const wanted *want)
{
    const attacker *a = in;
    mpq_t e, t, best;
    int sign = 0;
    posterior_at(&out[0], a, a->t, false, want->bits);
    if (!against_epsilon(&sign, a))
        return DP_UNDECIDED;
    mpq_inits(e, t, best, NULL);
    if (mpq_sgn(a->leak) == 0 && sign >= 0) {
        figure_set_ui(&out[1], 0);
    } else if (dp_number_sgn(a->t) == 0 && dp_number_sgn(&a->epsilon) == 0) {
        figure_set_ui(&out[1], 1);
    } else if (odds_of(e, &a->epsilon) && odds_of(t, a->t)) {
        tail_rational(best, a, e, t, sign);
        figure_set_q(&out[1], best);
    } else {
        tail_enclosed(figure_enclose(&out[1], want->bits), a, sign);
    }
    mpq_clears(e, t, best, NULL);
    return DP_OK;
}

/* Phi(mu/2 - t/mu) */
static dp_status eval_tail_gaussian(dp_figure *out, const void *in, const wanted *want)
{
    const attacker *a = in;
    posterior_at(&out[0], a, a->t, false, want->bits);
    mpfi_t mu, t;
    mpfi_init2(mu, want->bits);
    mpfi_init2(t, want->bits);
    attacker_mu(mu, a);
    ival_set_number(t, a->t);
    mpfi_div(t, t, mu);
    mpfi_div_2ui(mu, mu, 1);
    mpfi_sub(t, mu, t);
    attacker_phi(figure_enclose(&out[1], want->bits), t);
    mpfi_clear(t);
    mpfi_clear(mu);
    return DP_OK;
}

#define COARSE_BITS 64
#define MANY_BITS 512

static dp_status eval_tail_class(dp_figure *out, const void *in, const wanted *want)
{
    const attacker *a = in;
    posterior_at(&out[0], a, a->t, false, want->bits);
    if (dp_number_sgn(a->t) == 0) {
        figure_set_ui(&out[1], tail_is_none(a) ? 0 : 1);
        return DP_OK;
    }
    if (tail_is_none(a)) {
        figure_set_ui(&out[1], 0);
        return DP_OK;
    }
    mpfi_t coarse;
    mpfi_init2(coarse, COARSE_BITS);
    bool again = want->rational || want->bits > MANY_BITS;
    if (again)
        tail_of_class(coarse, a);
    bool none = again && mpfr_zero_p(&coarse->left);
    mpfi_clear(coarse);
    if (none) /* it is below all numbers, at any precision: what there is must do */
        return DP_LIMIT;
    tail_of_class(figure_enclose(&out[1], want->bits), a);
    return DP_OK;
}

/* ---- rows ---- */

/* One tail with the posterior that holds otherwise, from a figure. */
static dp_status row_of(dp_result *out, attacker *a, const bound *b, const dp_figure *y, bool exact)
{
    dp_row *row = result_row(out, b);
    if (row == NULL)
        return DP_MEMORY;
    posterior_at(row_quantity(row, "posterior_max"), a, a->t, false,
                 (mpfr_prec_t)(a->opt->digits * 4 + 64));
    dp_figure *to = row_quantity(row, "exceed_probability");
    if (y->kind == DP_RATIONAL)
        figure_set_q(to, y->rational);
    else
        mpfi_set(figure_enclose(to, mpfi_get_prec(y->enclosure)), y->enclosure);
    row->verdict = exact ? DP_EXACT : DP_PROVED;
    return DP_OK;
}

static dp_status engine_pair(dp_result *out, void *in, const dp_options *opt)
{
    static const bound gaussian = {.eval = eval_tail_gaussian,
                                   .output = {"posterior_max", "exceed_probability"}};
    dp_status status = result_evaluate(out, &gaussian, in, opt);
    if (status != DP_OK)
        return status;
    out->row[out->count - 1].theorem = &loss_tail_pair.theorem;
    out->row[out->count - 1].verdict = DP_EXACT;
    return status;
}

/* y = delta/(1 - e^-t) of bagging where records are exchanged, the F of which is delta + x; in or
 * out it is delta + (1-delta) x, and y = delta/(1 - (1-delta) e^-t). */
static void tail_of_bagging(dp_figure *y, const attacker *a, mpfr_prec_t bits)
{
    mpfi_t delta, down;
    mpfi_init2(delta, bits);
    mpfi_init2(down, bits);
    if (y->kind == DP_RATIONAL)
        mpfi_set_q(delta, y->rational);
    else
        mpfi_set(delta, y->enclosure);
    ival_set_number(down, a->t);
    mpfi_neg(down, down);
    mpfi_expm1(down, down);
    mpfi_neg(down, down); /* 1 - e^-t; with delta e^-t = delta - delta (1 - e^-t) more */
    if (!a->replaced)
        ival_union(down, down, delta);
    if (mpfr_sgn(&down->left) > 0)
        mpfi_div(delta, delta, down);
    else
        mpfi_set_ui(delta, 1);
    ival_clamp_ui(delta, 0, 1);
    mpfi_set(figure_enclose(y, bits), delta);
    mpfi_clear(down);
    mpfi_clear(delta);
}

/* Approached by the learner that says "in" where it has the record, else with the probability at
 * which that still has a loss above t. */
static dp_status bagging_row(dp_result *out, attacker *a)
{
    mpq_t one;
    dp_figure y;
    bool exact;
    mpq_init(one);
    dp_figure_init(&y);
    mpq_set_ui(one, 1, 1);
    dp_status status = attacker_delta(&y, &exact, a, one);
    bool none = y.kind == DP_RATIONAL && mpq_sgn(y.rational) == 0;
    if (status == DP_OK && !none)
        tail_of_bagging(&y, a, (mpfr_prec_t)(a->opt->digits * 4 + 64));
    if (status == DP_OK)
        status = row_of(out, a, &loss_tail_class, &y, exact && a->q->group == NULL);
    dp_figure_clear(&y);
    mpq_clear(one);
    return status;
}

static dp_status engine_class(dp_result *out, void *in, const dp_options *opt)
{
    attacker *a = in;
    if (a->leaks)
        return bagging_row(out, a);
    bool whole = a->by == BY_GDP || a->by == BY_RDP || (a->by == BY_ZCDP && mpq_sgn(a->leak) == 0);
    if (whole) {
        static const bound known = {.eval = eval_tail_class,
                                    .output = {"posterior_max", "exceed_probability"}};
        if (a->by == BY_ZCDP && !tail_choose(a))
            mpq_set_ui(a->alpha, 2, 1);
        dp_status status = result_evaluate(out, &known, a, opt);
        if (status != DP_OK)
            return status;
        dp_row *row = &out->row[out->count - 1];
        row->theorem = &loss_tail_class.theorem;
        row->verdict = a->by == BY_ZCDP || a->one_pair ? DP_PROVED : DP_EXACT;
        return DP_OK;
    }
    dp_figure y;
    dp_figure_init(&y);
    dp_status status = tail_of_profile(&y, a);
    if (status == DP_OK)
        status = row_of(out, a, &loss_tail_class, &y, false);
    dp_figure_clear(&y);
    return status;
}

static bool is_pure(const void *in)
{
    const attacker *a = in;
    return a->by == BY_PAIR && mpq_sgn(a->leak) == 0;
}

static bool is_approx(const void *in)
{
    const attacker *a = in;
    return a->by == BY_PAIR && mpq_sgn(a->leak) > 0;
}

static bool is_pair(const void *in)
{
    return ((const attacker *)in)->by == BY_PAIR;
}

dp_status posterior_rows(dp_result *out, attacker *a)
{
    dp_status status = DP_OK;
    if (is_pure(a))
        status = result_evaluate(out, &posterior_pure, a, a->opt);
    if (status == DP_OK && is_approx(a) && a->opt->all)
        status = result_evaluate(out, &posterior_approx_published, a, a->opt);
    if (status != DP_OK || a->q->belief == NULL)
        return status;
    a->t = a->q->belief;
    if (is_pair(a))
        return result_evaluate(out, &loss_tail_approx, a, a->opt);
    if (a->one_loss && mpq_sgn(a->mu_squared) > 0)
        return loss_tail_pair.engine(out, a, a->opt);
    return loss_tail_class.engine(out, a, a->opt);
}

const bound posterior_pure = {
    .theorem = {.id = "posterior-pure",
                .family = "advantage",
                .verdict = DP_EXACT,
                .source = "Lee, Clifton 2011, How much is enough?; Bernau et al. 2021",
                .statement = "pi/(pi + (1-pi) e^epsilon) <= Pr(in | output) <= pi e^epsilon/(pi "
                             "e^epsilon + 1 - pi), for every output",
                .assumes = "epsilon-DP, delta = 0, in both directions; prior pi, independent of "
                           "the other records",
                .proof = "Bayes' rule: the odds change by at most e^epsilon. Attained by "
                         "randomized response."},
    .applies = is_pure,
    .eval = eval_posterior,
    .output = {"posterior_max", "posterior_min"}};

const bound posterior_approx_published = {
    .theorem = {.id = "posterior-approx-published",
                .family = "advantage",
                .verdict = DP_UNSOUND,
                .source = "a usual reading of delta",
                .statement = "the bound of posterior-pure holds except with probability delta",
                .assumes = "(epsilon, delta)-DP",
                .proof = "delta bounds an excess of probability, not the probability of an excess: "
                         "loss-tail-approx has that.",
                .counterexample =
                    "epsilon = 1, delta = 1e-5: randomized response with odds (e + delta)/(1 - "
                    "delta) is (1, 1e-5)-DP and exceeds the bound with probability 0.73106"},
    .applies = is_approx,
    .eval = eval_published,
    .output = {"posterior_max", "exceed_probability"},
    .only_all = true};

#define TAIL                                                                                       \
    "The posterior is at most pi e^t/(pi e^t + 1 - pi) where the loss is at most t; the "          \
    "probability is that of the world with the record in it."

const bound loss_tail_approx = {
    .theorem = {.id = "loss-tail-approx",
                .family = "advantage",
                .verdict = DP_EXACT,
                .source = "derived here",
                .statement =
                    "Pr(loss > t) <= min(1, (E - 1 + delta)/(E - e^-t)), E = e^epsilon, and for t "
                    "> epsilon also delta/(1 - e^(epsilon-t)); delta = 0: 0 from t = epsilon on",
                .assumes = "(epsilon, delta)-DP in both directions, t >= 0",
                .proof = "On A, where the loss exceeds t, P(A) > e^t Q(A); with P(A) <= E Q(A) + "
                         "delta and 1-Q(A) <= E (1-P(A)) + delta the bounds follow. Binary pairs "
                         "attain or approach them. " TAIL},
    .applies = is_pair,
    .eval = eval_tail_approx,
    .output = {"posterior_max", "exceed_probability"}};

const bound loss_tail_class = {
    .theorem = {.id = "loss-tail-class",
                .family = "advantage",
                .verdict = DP_EXACT,
                .source = "derived here",
                .statement = "Pr(loss > t) <= sup { y : y <= F(e^-t y) } <= delta(s)/(1 - "
                             "e^(s-t)) for every s < t, s of any sign",
                .assumes = "whatever has the profile delta, or the trade-off F, in both "
                           "directions, t >= 0",
                .proof = "P(A) <= delta(s) + e^s Q(A) <= delta(s) + e^(s-t) P(A) on A, where the "
                         "loss exceeds t. Exact for the class with that F, as of bagging with any "
                         "learner: delta/(1 - (1-delta) e^-t) in or out, delta/(1 - e^-t) where "
                         "records are exchanged. Proved where an order or an s is chosen, and of "
                         "mechanisms that dominating pairs stand for. " TAIL},
    .engine = engine_class,
    .output = {"posterior_max", "exceed_probability"}};

const bound loss_tail_pair = {
    .theorem = {.id = "loss-tail-pair",
                .family = "advantage",
                .verdict = DP_EXACT,
                .source = "the definition of the loss",
                .statement = "Pr(loss > t) = Phi(mu/2 - t/mu) of Gaussian noise",
                .assumes = "one use of the mechanism itself: not a claim, not what a dominating "
                           "pair stands for (domination orders profiles and not tails: bagging, "
                           "samples, bounded range), and not several uses, of which an analyst "
                           "may choose the next, or stop, by what he saw",
                .proof = "The loss of Gaussian noise is N(mu^2/2, mu^2). " TAIL},
    .engine = engine_pair,
    .output = {"posterior_max", "exceed_probability"}};
