/* SPDX-License-Identifier: MIT */
/* The accuracy at a prior: what the profile at its odds k is worth. */
#include "attack/advantage.h"

#include "num/ival.h"

#define LOST_MOST 1000 /* digits */

/* often + rarer x, and rarer x */
static void set_accuracy(dp_row *row, const attacker *a, const dp_figure *x)
{
    dp_figure *accuracy = row_quantity(row, "accuracy");
    dp_figure *excess = row_quantity(row, "excess_over_prior");
    if (x->kind == DP_RATIONAL) {
        mpq_t q;
        mpq_init(q);
        mpq_mul(q, x->rational, a->rarer);
        figure_set_q(excess, q);
        mpq_add(q, q, a->often);
        figure_set_q(accuracy, q);
        mpq_clear(q);
        return;
    }
    mpfr_prec_t bits = mpfi_get_prec(x->enclosure) + 64;
    mpfi_ptr e = figure_enclose(excess, bits), y = figure_enclose(accuracy, bits);
    mpfi_mul_q(e, x->enclosure, a->rarer);
    mpfi_add_q(y, e, a->often);
    ival_clamp_ui(y, 0, 1);
}

/* Of bagging by any learner, in or out with a prior above 1/2: the profile of Q over P, which is
 * (1 - k (1 - delta))+. */
static void of_absence(dp_figure *x, mpq_srcptr k)
{
    mpq_t less, none;
    mpq_inits(less, none, NULL);
    mpq_set_ui(less, 1, 1);
    mpq_sub(less, less, k);
    if (x->kind == DP_RATIONAL) {
        mpq_mul(x->rational, x->rational, k);
        mpq_add(x->rational, x->rational, less);
        if (mpq_sgn(x->rational) < 0)
            mpq_set(x->rational, none);
    } else {
        mpfi_mul_q(x->enclosure, x->enclosure, k);
        mpfi_add_q(x->enclosure, x->enclosure, less);
        ival_at_least_zero(x->enclosure);
    }
    mpq_clears(less, none, NULL);
}

static bool is_absence(const attacker *a)
{
    mpq_t half;
    mpq_init(half);
    mpq_set_ui(half, 1, 2);
    bool likely = mpq_cmp(a->prior, half) > 0;
    mpq_clear(half);
    return a->leaks && !a->replaced && likely;
}

/* At a prior of 1/2 both are told by the advantage. */
static bool is_even(const attacker *a)
{
    return mpq_equal(a->often, a->rarer);
}

/* The odds of a right guess over those of the prior, k: (1 + x/k)/(1 - x); at a prior of 0 or 1
 * there is no gain. */
static void set_odds(dp_figure *to, const attacker *a, const dp_figure *x)
{
    mpq_t rest, part;
    mpq_inits(rest, part, NULL);
    mpq_set_ui(rest, 1, 1);
    if (mpq_sgn(a->rarer) == 0) {
        figure_set_ui(to, 1);
    } else if (x->kind == DP_RATIONAL) {
        mpq_div(part, x->rational, a->odds);
        mpq_add(part, part, rest);
        mpq_sub(rest, rest, x->rational);
        if (mpq_sgn(rest) > 0) {
            mpq_div(part, part, rest);
            figure_set_q(to, part);
        } else {
            figure_set_infinite(to);
        }
    } else {
        mpfi_ptr y = figure_enclose(to, mpfi_get_prec(x->enclosure));
        mpfi_t left;
        mpfi_init2(left, mpfi_get_prec(y));
        mpfi_ui_sub(left, 1, x->enclosure);
        ival_at_least_zero(left);
        mpfi_div_q(y, x->enclosure, a->odds);
        mpfi_add_ui(y, y, 1);
        mpfi_div(y, y, left);
        mpfi_clear(left);
    }
    mpq_clears(rest, part, NULL);
}

/* 1 - x of an enclosure has fewer digits than x by so many. */
static size_t lost_digits(const dp_figure *x)
{
    if (x->kind != DP_ENCLOSED)
        return 0;
    mpfr_t rest;
    mpfr_init2(rest, 64);
    mpfr_ui_sub(rest, 1, &x->enclosure->left, MPFR_RNDU);
    long gone = mpfr_regular_p(rest) ? -(long)mpfr_get_exp(rest) : LOST_MOST;
    mpfr_clear(rest);
    return gone < 0 ? 0 : gone > LOST_MOST ? LOST_MOST : (size_t)gone / 3 + 1;
}

/* What is asked of the accuracy by way of quotients: multiplicative advantage. */
static dp_status set_ratios(dp_row *row, attacker *a, const dp_figure *x)
{
    dp_figure *ratio = row_quantity(row, "accuracy_over_prior");
    const dp_figure *accuracy = row_figure(row, "accuracy");
    if (accuracy->kind == DP_RATIONAL) {
        figure_set_q(ratio, accuracy->rational);
        mpq_div(ratio->rational, ratio->rational, a->often);
    } else {
        mpfi_div_q(figure_enclose(ratio, mpfi_get_prec(accuracy->enclosure)), accuracy->enclosure,
                   a->often);
    }
    dp_status status = DP_OK;
    size_t lost = lost_digits(x);
    dp_figure *odds = row_quantity(row, "odds_over_prior");
    if (lost == 0 || a->by == BY_PROFILE) {
        set_odds(odds, a, x);
        return DP_OK;
    }
    dp_figure more;
    dp_options own = *a->opt;
    const dp_options *kept = a->opt;
    bool exact;
    dp_figure_init(&more);
    a->opt = &own;
    for (size_t digits = 0; status == DP_OK && digits < lost; lost = lost_digits(&more)) {
        digits = 2 * digits > lost ? 2 * digits : lost;
        own.digits = kept->digits + digits;
        status = attacker_delta(&more, &exact, a, a->odds);
    }
    a->opt = kept;
    set_odds(odds, a, status == DP_OK ? &more : x);
    dp_figure_clear(&more);
    return status;
}

static dp_status engine_accuracy(dp_result *out, void *in, const dp_options *opt)
{
    (void)opt;
    attacker *a = in;
    dp_figure x;
    bool exact = true;
    dp_status status = DP_OK;
    dp_figure_init(&x);
    figure_set_ui(&x, 0);
    if (mpq_sgn(a->rarer) > 0) {
        mpq_t k;
        mpq_init(k);
        mpq_set(k, a->odds);
        if (a->leaks) /* the profile is flat */
            mpq_set_ui(k, 1, 1);
        status = attacker_delta(&x, &exact, a, k);
        if (status == DP_OK && is_absence(a))
            of_absence(&x, a->odds);
        mpq_clear(k);
    }
    if (x.kind == DP_ENCLOSED && mpfi_is_zero(x.enclosure) > 0)
        figure_set_ui(&x, 0); /* the accuracy is the prior itself */
    dp_row *row = status == DP_OK ? result_row(out, &accuracy_prior) : NULL;
    if (row != NULL) {
        set_accuracy(row, a, &x);
        if (!is_even(a))
            status = set_ratios(row, a, &x);
        if (!exact)
            row->verdict = DP_PROVED;
    }
    dp_figure_clear(&x);
    return status == DP_OK && row == NULL ? DP_MEMORY : status;
}

dp_status accuracy_row(dp_result *out, attacker *a)
{
    return engine_accuracy(out, a, a->opt);
}

const bound accuracy_prior = {
    .theorem = {.id = "accuracy-prior",
                .family = "advantage",
                .verdict = DP_EXACT,
                .source = "Bayes' rule",
                .statement = "accuracy <= max(pi, 1-pi) + min(pi, 1-pi) delta(ln k), k = max/min "
                             "the odds of the prior pi: delta(t) is the gain over guessing at "
                             "odds e^t",
                .assumes = "the profile delta of the statement, the larger of both directions; the "
                           "record's presence is independent of the others",
                .proof =
                    "The accuracy is pi P(A) + (1-pi)(1 - Q(A)) = 1-pi + pi (P(A) - k Q(A)) "
                    "for pi <= 1/2, else with P and Q exchanged. Proved where delta is "
                    "only bounded. Divided by that of guessing it is at most 1 + delta(ln k)/k, "
                    "and the odds of a right guess by those of guessing (1 + delta(ln k)/k)/(1 "
                    "- delta(ln k)): e^epsilon/k for (epsilon, 0)-DP and k < e^epsilon."},
    .engine = engine_accuracy,
    .output = {"accuracy", "excess_over_prior"},
    .also = "accuracy_over_prior|odds_over_prior"};
