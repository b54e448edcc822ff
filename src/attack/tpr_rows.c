/* SPDX-License-Identifier: MIT */
/* Rows at a false or true positive rate, and of the precision. */
#include "attack/tpr.h"

#include "core/refine.h"
#include "num/ival.h"
#include "num/number.h"

#define EXACT_TRAININGS 64 /* of rational rates, whose digits grow with their number */

/* 1/(1 + (1-pi) x/(pi y)), which grows with y */
void attacker_precision(dp_figure *by, const attacker *a, const dp_figure *y, mpq_srcptr x)
{
    mpq_t part;
    mpq_init(part);
    mpq_set_ui(part, 1, 1);
    mpq_sub(part, part, a->prior);
    mpq_mul(part, part, x); /* (1-pi) x */
    if (mpq_sgn(a->prior) == 0) {
        figure_set_ui(by, 0);
    } else if (mpq_sgn(part) == 0) {
        figure_set_ui(by, 1);
    } else if (y->kind == DP_RATIONAL) {
        mpq_t up;
        mpq_init(up);
        mpq_mul(up, a->prior, y->rational);
        mpq_add(part, part, up);
        mpq_div(part, up, part);
        figure_set_q(by, part);
        mpq_clear(up);
    } else {
        mpq_div(part, part, a->prior);
        mpfi_ptr p = figure_enclose(by, mpfi_get_prec(y->enclosure));
        mpfi_set_q(p, part);
        mpfi_div(p, p, y->enclosure);
        mpfi_add_ui(p, p, 1);
        mpfi_ui_div(p, 1, p);
    }
    mpq_clear(part);
}

static void copy_figure(dp_figure *to, const dp_figure *from)
{
    if (from->kind == DP_RATIONAL)
        figure_set_q(to, from->rational);
    else
        mpfi_set(figure_enclose(to, mpfi_get_prec(from->enclosure)), from->enclosure);
}

static void set_members(dp_figure *to, const attacker *a, const dp_figure *y)
{
    mpq_srcptr m = number_rational(a->q->members);
    if (y->kind == DP_RATIONAL) {
        figure_set_q(to, y->rational);
        mpq_mul(to->rational, to->rational, m);
    } else {
        mpfi_mul_q(figure_enclose(to, mpfi_get_prec(y->enclosure)), y->enclosure, m);
    }
}

/* M y^R */
static void set_members_in_all(dp_figure *to, const attacker *a, const dp_figure *y)
{
    mpz_srcptr r = number_integer(a->q->trainings);
    mpq_srcptr m = number_rational(a->q->members);
    if (y->kind == DP_RATIONAL && mpz_cmp_ui(r, EXACT_TRAININGS) <= 0) {
        figure_set_q(to, y->rational);
        mpz_pow_ui(mpq_numref(to->rational), mpq_numref(to->rational), mpz_get_ui(r));
        mpz_pow_ui(mpq_denref(to->rational), mpq_denref(to->rational), mpz_get_ui(r));
        mpq_mul(to->rational, to->rational, m);
        return;
    }
    mpfr_prec_t bits = refine_bits(a->opt->digits) + (mpfr_prec_t)mpz_sizeinbase(r, 2);
    if (y->kind != DP_RATIONAL && mpfi_get_prec(y->enclosure) > bits)
        bits = mpfi_get_prec(y->enclosure);
    mpfi_ptr x = figure_enclose(to, bits);
    if (y->kind == DP_RATIONAL)
        mpfi_set_q(x, y->rational);
    else
        mpfi_set(x, y->enclosure);
    ival_at_least_zero(x); /* where the power grows */
    mpfr_pow_z(&x->left, &x->left, r, MPFR_RNDD);
    mpfr_pow_z(&x->right, &x->right, r, MPFR_RNDU);
    mpfi_mul_q(x, x, m);
}

static dp_status at_rate(dp_result *out, attacker *a, mpq_srcptr x)
{
    dp_figure y[2];
    bool exact;
    dp_figure_init(&y[0]);
    dp_figure_init(&y[1]);
    dp_status status = attacker_tpr_at(y, &exact, a, x);
    dp_row *row = status == DP_OK ? result_row(out, &tpr_at_fpr) : NULL;
    if (row != NULL) {
        copy_figure(row_quantity(row, "tpr"), &y[0]);
        figure_set_q(row_quantity(row, "fpr"), x);
        if (a->q->members != NULL)
            set_members(row_quantity(row, "expected_members"), a, &y[0]);
        if (a->q->trainings != NULL)
            set_members_in_all(row_quantity(row, "expected_members_in_all"), a, &y[0]);
        row->verdict = exact ? DP_EXACT : DP_PROVED;
    }
    bool never = y[0].kind == DP_RATIONAL && mpq_sgn(y[0].rational) == 0;
    bool asked = row != NULL && !never;
    row = asked ? result_row(out, &ppv_fpr) : row;
    if (asked && row != NULL) {
        attacker_precision(row_quantity(row, "ppv"), a, &y[0], x);
        figure_set_q(row_quantity(row, "fpr"), x);
        row->verdict = exact ? DP_EXACT : DP_PROVED;
    }
    if (never)
        result_note(out, "at a false positive rate of 0 there is no positive at all, and no "
                         "precision");
    dp_figure_clear(&y[1]);
    dp_figure_clear(&y[0]);
    return status == DP_OK && row == NULL ? DP_MEMORY : status;
}

/* ---- the inverse: FPR >= 1 - F(1 - y), for the class is symmetric ---- */

/* (y - delta)+, over 1 - delta where the record is in or out: of bagging, which is not. */
static dp_status inverse_of_bagging(dp_figure *x, bool *exact, attacker *a, mpq_srcptr y)
{
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    dp_status status = attacker_delta(x, exact, a, one);
    if (status == DP_OK && x->kind == DP_RATIONAL) {
        mpq_t rest;
        mpq_init(rest);
        mpq_sub(rest, one, x->rational);
        mpq_sub(x->rational, y, x->rational);
        if (mpq_sgn(x->rational) < 0)
            mpq_set_ui(x->rational, 0, 1);
        else if (!a->replaced && mpq_sgn(rest) > 0)
            mpq_div(x->rational, x->rational, rest);
        mpq_clear(rest);
    } else if (status == DP_OK) {
        mpfi_t rest;
        mpfi_init2(rest, mpfi_get_prec(x->enclosure));
        mpfi_ui_sub(rest, 1, x->enclosure);
        mpfi_sub_q(x->enclosure, x->enclosure, y);
        mpfi_neg(x->enclosure, x->enclosure);
        if (!a->replaced)
            mpfi_div(x->enclosure, x->enclosure, rest);
        ival_clamp_ui(x->enclosure, 0, 1);
        mpfi_clear(rest);
    }
    mpq_clear(one);
    return status;
}

static dp_status at_true_rate(dp_result *out, attacker *a)
{
    mpq_srcptr y = number_rational(a->q->tpr);
    dp_figure f[2];
    bool exact;
    mpq_t rest;
    mpq_init(rest);
    dp_figure_init(&f[0]);
    dp_figure_init(&f[1]);
    mpq_set_ui(rest, 1, 1);
    mpq_sub(rest, rest, y);
    dp_status status =
        a->leaks ? inverse_of_bagging(&f[1], &exact, a, y) : attacker_tpr_at(f, &exact, a, rest);
    dp_row *row = status == DP_OK ? result_row(out, &tpr_at_fpr) : NULL;
    if (row != NULL) {
        figure_set_q(row_quantity(row, "tpr"), y);
        copy_figure(row_quantity(row, "fpr"), &f[1]);
        row->verdict = exact ? DP_EXACT : DP_PROVED;
    }
    dp_figure_clear(&f[1]);
    dp_figure_clear(&f[0]);
    mpq_clear(rest);
    return status == DP_OK && row == NULL ? DP_MEMORY : status;
}

static dp_status engine_tpr(dp_result *out, void *in, const dp_options *opt)
{
    (void)opt;
    attacker *a = in;
    dp_status status = DP_OK;
    for (size_t i = 0; status == DP_OK && i < a->q->fpr_count; i++)
        status = at_rate(out, a, a->q->fpr[i]);
    if (status == DP_OK && a->q->tpr != NULL)
        status = at_true_rate(out, a);
    return status;
}

/* Without a rate: what leaks is told for certain. */
static dp_status engine_ppv(dp_result *out, void *in, const dp_options *opt)
{
    (void)opt;
    attacker *a = in;
    mpq_t none;
    mpq_init(none);
    dp_status status = at_rate(out, a, none);
    mpq_clear(none);
    return status;
}

/* ---- without a rate ---- */

/* pi E/(pi E + 1-pi) = 1/(1 + (1-pi)/(pi E)) */
static dp_status eval_pure(dp_figure *out, const void *in, const wanted *want)
{
    const attacker *a = in;
    mpq_t part, odds;
    mpq_inits(part, odds, NULL);
    mpq_set_ui(part, 1, 1);
    mpq_sub(part, part, a->prior);
    if (mpq_sgn(a->prior) == 0 || mpq_sgn(part) == 0) {
        figure_set_q(&out[0], a->prior);
    } else if (attacker_odds(odds, a)) {
        mpq_mul(odds, odds, a->prior);
        mpq_add(part, part, odds);
        mpq_div(odds, odds, part);
        figure_set_q(&out[0], odds);
    } else {
        mpfi_ptr x = figure_enclose(&out[0], want->bits);
        mpq_div(part, part, a->prior);
        ival_set_number(x, &a->epsilon);
        mpfi_neg(x, x);
        mpfi_exp(x, x);
        mpfi_mul_q(x, x, part);
        mpfi_add_ui(x, x, 1);
        mpfi_ui_div(x, 1, x);
    }
    mpq_clears(part, odds, NULL);
    return DP_OK;
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

dp_status tpr_rows(dp_result *out, attacker *a)
{
    dp_status status = tpr_at_fpr.engine(out, a, a->opt);
    if (status == DP_OK && is_pure(a))
        status = result_evaluate(out, &ppv_pure, a, a->opt);
    bool leak = is_approx(a) || a->leaks || (a->by == BY_ZCDP && mpq_sgn(a->leak) > 0);
    if (status == DP_OK && leak && a->q->fpr_count == 0)
        status = ppv_fpr.engine(out, a, a->opt);
    if (status == DP_OK && is_approx(a) && a->opt->all)
        status = result_evaluate(out, &ppv_approx_nofpr, a, a->opt);
    return status;
}

#define WORLDS                                                                                     \
    "the record's presence is independent of the others; the relation is that of the game"

const bound tpr_at_fpr = {
    .theorem = {.id = "tpr-at-fpr",
                .family = "advantage",
                .verdict = DP_EXACT,
                .source = "Kairouz, Oh, Viswanath 2015; Dong, Roth, Su 2022; for Renyi divergences "
                          "and zCDP derived here",
                .statement =
                    "TPR <= F(FPR): min(1, delta + E x, 1 - (1-delta-x)/E), E = e^epsilon; "
                    "Phi(Phi^-1(x) + mu); the y whose binary pair with x just keeps the "
                    "divergences; the infimum over k of k x + delta(ln k)",
                .assumes = WORLDS,
                .proof =
                    "An event makes both laws binary, and these keep what was stated; the "
                    "binary pair itself attains it. Proved where an order or a k is chosen: "
                    "each is sound. FPR >= 1 - F(1 - TPR), with the two worlds exchanged. Of M "
                    "members at most M F(x) are expected to be flagged, and M F(x)^R in all "
                    "of R independent trainings, where each record is flagged falsely at a "
                    "rate of at most x."},
    .engine = engine_tpr,
    .output = {"tpr", "fpr"},
    .also = "expected_members|expected_members_in_all"};

const bound ppv_fpr = {
    .theorem = {.id = "ppv-fpr",
                .family = "advantage",
                .verdict = DP_EXACT,
                .source = "Jayaraman, Wang, Knipmeyer, Gu, Evans 2021, Revisiting Membership "
                          "Inference under Realistic Assumptions",
                .statement = "PPV <= pi F(x)/(pi F(x) + (1-pi) x) at the false positive rate x and "
                             "prior pi; where something leaks 1, at x = 0 with TPR delta",
                .assumes = WORLDS,
                .proof = "Bayes' rule with tpr-at-fpr. It falls as x grows, as F is concave."},
    .engine = engine_ppv,
    .output = {"ppv", "fpr"},
    .also = "tpr|expected_members"};

const bound ppv_pure = {
    .theorem = {.id = "ppv-pure",
                .family = "advantage",
                .verdict = DP_EXACT,
                .source = "Lee, Clifton 2011, How much is enough?",
                .statement = "PPV <= pi e^epsilon/(pi e^epsilon + 1 - pi) at any rates",
                .assumes = "epsilon-DP, delta = 0; " WORLDS,
                .proof = "TPR <= e^epsilon FPR. Attained by randomized response."},
    .applies = is_pure,
    .eval = eval_pure,
    .output = {"ppv"}};

const bound ppv_approx_nofpr = {
    .theorem = {.id = "ppv-approx-nofpr",
                .family = "advantage",
                .verdict = DP_UNSOUND,
                .source = "ppv-pure, used with a delta",
                .statement = "PPV <= pi e^epsilon/(pi e^epsilon + 1 - pi) at any rates, with delta "
                             "> 0",
                .assumes = "(epsilon, delta)-DP",
                .proof = "What leaks with probability delta is told for certain.",
                .counterexample =
                    "epsilon = 1, delta = 1e-5, prior 1/2: it says 0.731058, but the mechanism "
                    "that publishes the record with probability delta has a PPV of 1 at TPR "
                    "delta and FPR 0"},
    .applies = is_approx,
    .eval = eval_pure,
    .output = {"ppv"},
    .only_all = true};
