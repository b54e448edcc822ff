/* SPDX-License-Identifier: MIT */
/* Plans: the least number of trials that can refute a claim, of an attack that is always right or
 * of a known one. */
#include "attack/audit.h"

#include <math.h>

#include "attack/audit_root.h"
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

/* Exactly: is x^n <= level at the whole number that the quotient cannot be told from? */
static bool tie(const audit_in *in, const mpz_t n)
{
    mpq_srcptr odds = number_odds(in->claim);
    const dp_audit *a = in->of;
    bool cp = a->method == DP_AUDIT_CP;
    if (odds == NULL || a->method == DP_AUDIT_SIDAK ||
        (!cp && a->method != DP_AUDIT_COIN && !a->one_run) || mpz_cmp_ui(n, 10000) > 0)
        return false;
    mpq_t x, level, one;
    mpq_inits(x, level, one, NULL);
    mpq_set_ui(one, 1, 1);
    mpq_add(level, odds, one);
    mpq_set(x, odds);
    if (!a->one_run)
        mpq_add(x, x, in->delta);
    mpq_div(x, x, level);
    mpq_set(level, cp ? in->part[0] : in->alpha);
    if (a->one_run) {
        mpq_sub(level, level, in->delta);
        mpq_sub(one, one, in->delta);
        mpq_div(level, level, one);
    }
    mpz_pow_ui(mpq_numref(x), mpq_numref(x), mpz_get_ui(n));
    mpz_pow_ui(mpq_denref(x), mpq_denref(x), mpz_get_ui(n));
    bool met = mpq_cmp(x, level) <= 0;
    mpq_clears(x, level, one, NULL);
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

/* ---- an attack of known accuracy: trials with a coin, or one run ---- */

#define MOST_TRIALS 20000UL
#define PLAN_BITS 64

/* Is the claim refuted by so many right of n? */
static bool refutes(const audit_in *in, unsigned long hits, unsigned long n)
{
    audit_in own = *in;
    dp_figure p;
    wanted want = {PLAN_BITS, false};
    own.hits = hits;
    own.members = own.canaries = n;
    dp_figure_init(&p);
    (in->of->one_run ? audit_run_p : audit_coin_p)(&p, &own, &want);
    bool yes = dp_figure_le(&p, in->alpha) == DP_YES;
    dp_figure_clear(&p);
    return yes;
}

/* Is the power of n trials proved to be at least that asked? *hits, the least number that refutes,
 * rises with n by 0 or 1. */
static bool is_strong(const audit_in *in, unsigned long *hits, unsigned long n)
{
    share a, tail;
    share_init(&a, binomial_bits(PLAN_BITS, n));
    share_init(&tail, PLAN_BITS);
    share_set_q(&a, number_rational(in->of->accuracy));
    while (*hits <= n && !refutes(in, *hits, n))
        ++*hits;
    binomial_tail(&tail, NULL, *hits, n, &a);
    bool strong = *hits <= n && mpfr_cmp_q(&tail.yes->left, number_rational(in->of->power)) >= 0;
    share_clear(&tail);
    share_clear(&a);
    return strong;
}

/* n = the least number from which on, up to 2 n, the power is not below that asked. */
static bool least_strong(mpz_t n, const audit_in *in, const dp_options *opt)
{
    limits lim;
    limits_start(&lim, opt);
    unsigned long hits = 0, since = 0;
    for (unsigned long k = 1; k <= 2 * MOST_TRIALS; k++) {
        if (!is_strong(in, &hits, k))
            since = 0;
        else if (since == 0)
            since = k;
        if (since > 0 && k >= 2 * since) {
            mpz_set_ui(n, since);
            return true;
        }
        if ((since == 0 && k > MOST_TRIALS) || limits_expired(&lim))
            return false;
    }
    return false;
}

dp_status audit_plan_engine(dp_result *out, void *in, const dp_options *opt)
{
    const audit_in *a = in;
    mpz_t n;
    mpq_t value;
    mpz_init(n);
    mpq_init(value);
    bool found = a->of->power != NULL ? least_strong(n, a, opt) : least_perfect(n, a);
    dp_row *row = result_row(out, &audit_plan);
    dp_status status = row == NULL ? DP_MEMORY : DP_OK;
    if (status == DP_OK) {
        mpq_set_z(value, n);
        if (found)
            figure_set_q(row_quantity(row, "trials_needed"), value);
        else
            status = DP_UNAVAILABLE;
    }
    if (status == DP_OK)
        figure_set_q(row_quantity(row, "confidence"), number_rational(a->of->confidence));
    mpq_clear(value);
    mpz_clear(n);
    return status;
}
