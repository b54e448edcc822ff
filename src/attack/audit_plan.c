/* SPDX-License-Identifier: MIT */
/* Plans: the least number of trials that can refute a claim, of an attack that is always right or
 * of a known one. */
#include "attack/audit.h"

#include <math.h>

#include "core/result.h"
#include "num/ival.h"
#include "num/number.h"

/* ---- always right: x^n <= level, the least n = ln(level)/ln(x), rounded up ---- */

/* out = ln of what the level is for n right answers, and ln of each one's share. */
static bool logs(mpfi_t level, mpfi_t share_log, const audit_in *in)
{
    const dp_audit *a = in->of;
    mpfr_prec_t bits = mpfi_get_prec(level);
    mpfi_t e;
    share odds;
    mpfi_init2(e, bits + 64);
    share_init(&odds, bits + 32);
    ival_set_number(e, in->claim);
    share_logistic(&odds, e);
    mpfi_set_q(level, in->alpha);
    bool possible = true;
    if (a->one_run) { /* q^r + delta (1 - q^r) <= alpha */
        mpfi_ui_sub(e, 1, level);
        mpfi_sub_q(level, level, in->delta);
        possible = mpfr_sgn(&level->left) > 0;
        mpfi_set_ui(e, 1);
        mpfi_sub_q(e, e, in->delta);
        mpfi_div(level, level, e);
    } else { /* (E + delta)/(E + 1) */
        mpfi_mul_q(e, odds.no, in->delta);
        mpfi_sub(odds.no, odds.no, e);
        if (a->method == DP_AUDIT_CP || a->method == DP_AUDIT_SIDAK) {
            share part;
            share_init(&part, bits + 32);
            audit_part(&part, in, 0);
            mpfi_set(level, part.yes);
            share_clear(&part);
        }
    }
    if (possible)
        mpfi_log(level, level);
    mpfi_neg(share_log, odds.no);
    mpfi_log1p(share_log, share_log);
    share_clear(&odds);
    mpfi_clear(e);
    return possible && mpfr_sgn(&share_log->right) < 0;
}

#define MOST_BITS 2048

/* The level of n right answers where it is rational: c of c (1 - ln c) = alpha never is. */
static bool level_q(mpq_t level, const audit_in *in)
{
    const dp_audit *a = in->of;
    if (a->method == DP_AUDIT_CP || a->method == DP_AUDIT_SIDAK)
        return audit_part_q(level, in, 0);
    if (a->method == DP_AUDIT_FISHER)
        return false;
    mpq_set(level, in->alpha);
    if (a->one_run) {
        mpq_t rest;
        mpq_init(rest);
        mpq_set_ui(rest, 1, 1);
        mpq_sub(rest, rest, in->delta);
        mpq_sub(level, level, in->delta);
        mpq_div(level, level, rest);
        mpq_clear(rest);
    }
    return true;
}

/* Exactly: is x^n <= level at the whole number that the quotient cannot be told from? */
static bool tie(const audit_in *in, const mpz_t n)
{
    mpq_t x, level, whole;
    mpq_inits(x, level, whole, NULL);
    bool met = mpz_cmp_ui(n, 10000) <= 0 && level_q(level, in) && audit_claim_odds_q(x, in->claim);
    if (met) {
        mpq_set_ui(whole, 1, 1);
        mpq_add(whole, whole, x);
        if (!in->of->one_run)
            mpq_add(x, x, in->delta);
        mpq_div(x, x, whole);
        mpz_pow_ui(mpq_numref(x), mpq_numref(x), mpz_get_ui(n));
        mpz_pow_ui(mpq_denref(x), mpq_denref(x), mpz_get_ui(n));
        met = mpq_cmp(x, level) <= 0;
    }
    mpq_clears(x, level, whole, NULL);
    return met;
}

/* c(1 - ln c) = alpha in place of alpha, and two samples of n. */
static bool quotient(mpfi_t out, const audit_in *in)
{
    mpfi_t each;
    mpfi_init2(each, mpfi_get_prec(out));
    bool possible = logs(out, each, in);
    if (possible && in->of->method == DP_AUDIT_FISHER) {
        audit_fisher_log_level(out, in);
        mpfi_mul_ui(each, each, 2);
    }
    if (possible)
        mpfi_div(out, out, each);
    mpfi_clear(each);
    return possible && mpfi_bounded_p(out) != 0;
}

/* n = the quotient rounded up; of one that no precision tells from a whole number, the next one up,
 * unless that number is exact. False where no number will do. */
static bool least_perfect(mpz_t n, const audit_in *in)
{
    mpz_t low;
    mpfi_t x;
    mpz_init(low);
    bool possible = true, agree = false;
    for (mpfr_prec_t bits = 128; possible && !agree && bits <= MOST_BITS; bits *= 4) {
        mpfi_init2(x, bits);
        possible = quotient(x, in);
        if (possible) {
            mpfr_get_z(low, &x->left, MPFR_RNDU);
            mpfr_get_z(n, &x->right, MPFR_RNDU);
            agree = mpz_cmp(low, n) == 0;
        }
        mpfi_clear(x);
    }
    if (possible && !agree && tie(in, low))
        mpz_set(n, low);
    if (mpz_sgn(n) <= 0)
        mpz_set_ui(n, 1);
    mpz_clear(low);
    return possible;
}

/* ---- two limits of unlike error probabilities ---- */

/* n true positives and no false one of n: the rectangle grows with n. */
static dp_decision split_refutes(const audit_in *in, const mpz_t n)
{
    audit_in own = *in;
    own.hits = own.members = own.outsiders = mpz_get_ui(n);
    own.alarms = 0;
    return audit_rectangle_refutes(&own);
}

/* n = the least number that refutes; what no precision tells from a tie counts as none. False where
 * more than 10^9 would be needed. */
static bool least_split(mpz_t n, const audit_in *in)
{
    mpz_t low, middle;
    mpz_inits(low, middle, NULL);
    mpz_set_ui(n, 1);
    bool possible = true;
    while (possible && split_refutes(in, n) != DP_YES) {
        possible = mpz_cmp_ui(n, BINOMIAL_MOST) < 0;
        mpz_set(low, n);
        mpz_mul_2exp(n, n, 1);
        if (mpz_cmp_ui(n, BINOMIAL_MOST) > 0)
            mpz_set_ui(n, BINOMIAL_MOST);
    }
    while (possible) {
        mpz_add(middle, low, n);
        mpz_fdiv_q_2exp(middle, middle, 1);
        if (mpz_cmp(middle, low) <= 0)
            break;
        mpz_set(split_refutes(in, middle) == DP_YES ? n : low, middle);
    }
    mpz_clears(low, middle, NULL);
    return possible;
}

/* ---- an attack of known accuracy, or known rates ---- */

#define COMPARISON_BITS 512

/* Is y <= E x + delta, for certain? */
static bool is_below(const audit_in *in, const mpq_t y, const mpq_t x)
{
    mpq_t rest, odds;
    mpfi_t e;
    mpq_inits(rest, odds, NULL);
    mpfi_init2(e, COMPARISON_BITS);
    mpq_sub(rest, y, in->delta);
    bool exact = audit_claim_odds_q(odds, in->claim);
    if (exact) {
        mpq_mul(odds, odds, x);
    } else {
        ival_exp_number(e, in->claim);
        mpfi_mul_q(e, e, x);
    }
    bool is = exact ? mpq_cmp(rest, odds) <= 0 : mpfr_cmp_q(&e->left, rest) >= 0;
    mpfi_clear(e);
    mpq_clears(rest, odds, NULL);
    return is;
}

/* May a mechanism of the claim have an attack of those rates? Then no number of trials is refuted
 * more often than alpha. Trials with a coin: right with a <= (E + delta)/(E + 1), the point (1-a,
 * a) of the curve; one run: the same at delta 0, where randomized response does it. */
bool audit_plan_is_allowed(const audit_in *in)
{
    const dp_audit *a = in->of;
    if (a->power == NULL || mpq_cmp(number_rational(a->power), in->alpha) <= 0)
        return false;
    audit_in own = *in;
    mpq_t y, x, miss, pass;
    mpq_inits(y, x, miss, pass, own.delta, NULL);
    if (!a->one_run)
        mpq_set(own.delta, in->delta);
    mpq_set_ui(x, 1, 1);
    mpq_set(y, number_rational(a->tpr != NULL ? a->tpr : a->accuracy));
    if (a->tpr != NULL)
        mpq_set(x, number_rational(a->fpr));
    else
        mpq_sub(x, x, y);
    mpq_set_ui(miss, 1, 1);
    mpq_sub(pass, miss, x);
    mpq_sub(miss, miss, y);
    bool is = is_below(&own, y, x) && is_below(&own, pass, miss);
    mpq_clears(y, x, miss, pass, own.delta, NULL);
    return is;
}

/* Then it is right always, and its power 1 or 0. */
static bool is_perfect(const dp_audit *a)
{
    return a->tpr != NULL && mpq_cmp_ui(number_rational(a->tpr), 1, 1) == 0 &&
           mpq_sgn(number_rational(a->fpr)) == 0;
}

static dp_status plan_trials(mpz_t n, audit_needed *t, const audit_in *in, const dp_options *opt)
{
    const dp_audit *a = in->of;
    dp_status status = DP_OK;
    *t = (audit_needed){0, 0, true};
    if (a->tpr != NULL && !is_perfect(a)) {
        status = audit_power_least(t, in, opt);
        mpz_set_ui(n, t->enough);
    } else if (a->power != NULL && a->tpr == NULL) {
        status = audit_course_least(n, in, opt);
    } else if (!(a->split != NULL ? least_split(n, in) : least_perfect(n, in))) {
        status = DP_UNAVAILABLE;
    }
    return status;
}

dp_status audit_plan_engine(dp_result *out, void *in, const dp_options *opt)
{
    const audit_in *a = in;
    audit_needed t;
    mpz_t n;
    mpq_t value;
    mpz_init(n);
    mpq_init(value);
    dp_options own = options_meeting(opt, &out->met);
    dp_status status = plan_trials(n, &t, a, &own);
    dp_row *row = status == DP_OK ? result_row(out, &audit_plan) : NULL;
    if (status == DP_OK && row == NULL)
        status = DP_MEMORY;
    if (status == DP_OK) {
        mpq_set_z(value, n);
        if (!t.least)
            row->verdict = DP_PROVED; /* so many are enough; no less, is not proved */
        figure_set_q(row_quantity(row, "trials_needed"), value);
        if (t.few > 0)
            figure_set_ui(row_quantity(row, "trials_too_few"), t.few);
        figure_set_q(row_quantity(row, "confidence"), number_rational(a->of->confidence));
    }
    mpq_clear(value);
    mpz_clear(n);
    return status;
}

const bound audit_plan = {
    .theorem =
        {.id = "audit-plan",
         .family = "audit",
         .verdict = DP_EXACT,
         .source = "of this project",
         .statement =
             "all answers right: the least n with ((e^epsilon+delta)/(e^epsilon+1))^n <= a "
             "(coin), a1 (two samples of n), its square <= c (Fisher), q^r <= (a - "
             "delta)/(1-delta) (one run of r canaries, all guessed), a = 1 - confidence; "
             "of a known accuracy, or known rates, the least n from which on, up to 2 n, "
             "the power is not "
             "below that asked; where that is not found, a number of which this is proved, "
             "and one up to which it is true of none",
         .assumes = "the assumptions of the audit that is planned",
         .proof = "The limits of all answers right in closed form; sup_x F(x)(1-x) is at the "
                  "corner of the curve. Power is a binomial tail beyond the least count that "
                  "refutes; of two samples the sum over the misses, n - TP, of their "
                  "probability times that of fewer false positives than refute with them, a "
                  "staircase that grows with n. Many trials: Zubkov and Serov 2013 bound binomial "
                  "tails by Phi(sqrt(n) sign(a-p) sqrt(2 KL(a, p))), a = k/n and (k+1)/n; so a "
                  "falling line of shares of misses and of false positives that refute with n "
                  "does with all more, a polygon below it whose edges have 0 below them grows "
                  "with sqrt(n), and the power is at least its normal measure; above a line of "
                  "shares that do not refute, the measure is what the power lacks at least. Few "
                  "misses, or false "
                  "positives, are summed count by count, of ranges of numbers."},
    .engine = audit_plan_engine,
    .also = "trials_needed|trials_too_few|confidence"};
