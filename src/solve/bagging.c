/* SPDX-License-Identifier: MIT */
#include "bound/bagging.h"

#include "num/ival.h"
#include "solve/result.h"

/* Ties are settled exactly first, so only values that differ by less than 2^-2^20 stay open. */
#define DECISION_BITS (1L << 20)

void dp_bagging_init(dp_bagging *b)
{
    b->sampling = DP_WITH_REPLACEMENT;
    b->adjacency = DP_ADD_REMOVE;
    mpz_inits(b->dataset_size, b->subsample_size, b->models, NULL);
    mpz_set_ui(b->models, 1);
}

void dp_bagging_clear(dp_bagging *b)
{
    mpz_clears(b->dataset_size, b->subsample_size, b->models, NULL);
}

static bool too_many_draws(const dp_bagging *b)
{
    if (b->sampling != DP_WITHOUT_DISJOINT)
        return false;
    mpz_t draws;
    mpz_init(draws);
    mpz_mul(draws, b->models, b->subsample_size);
    bool too_many = mpz_cmp(draws, b->dataset_size) > 0;
    mpz_clear(draws);
    return too_many;
}

static dp_status check_domain(const dp_bagging *b, bool k_known, bool n_known, dp_error *err)
{
    static const char at_least_1[] = "must be an integer, at least 1";
    if (mpz_sgn(b->dataset_size) <= 0)
        return fail(err, DP_DOMAIN, "dataset_size", at_least_1);
    if (k_known && mpz_sgn(b->subsample_size) <= 0)
        return fail(err, DP_DOMAIN, "subsample_size", at_least_1);
    if (n_known && mpz_sgn(b->models) <= 0)
        return fail(err, DP_DOMAIN, "models", at_least_1);
    if (k_known && n_known && too_many_draws(b))
        return fail(err, DP_DOMAIN, "subsample_size",
                    "models times subsample size exceeds the data set: without replacement at most "
                    "n records can be drawn");
    return DP_OK;
}

/* Is base^count >= 1 - delta, that is, is the exact delta of `s` at most `delta`? */
static dp_answer miss_meets(const bagging_miss *s, const mpq_t delta)
{
    if (mpq_cmp_ui(delta, 1, 1) >= 0)
        return DP_YES;
    if (mpz_sgn(s->count) == 0)
        return DP_YES;
    if (mpq_sgn(s->base) == 0)
        return DP_NO;
    logform gap; /* count ln(base) - ln(1 - delta) */
    mpq_t c, keep;
    int sign;
    logform_init(&gap);
    mpq_inits(c, keep, NULL);
    mpq_set_z(c, s->count);
    bool ok = logform_add_log(&gap, c, s->base);
    mpq_set_si(c, -1, 1);
    mpz_sub(mpq_numref(keep), mpq_denref(delta), mpq_numref(delta));
    mpz_set(mpq_denref(keep), mpq_denref(delta));
    ok = ok && logform_add_log(&gap, c, keep) && logform_sign(&sign, &gap, DECISION_BITS);
    mpq_clears(c, keep, NULL);
    logform_clear(&gap);
    return ok ? (sign >= 0 ? DP_YES : DP_NO) : DP_UNKNOWN;
}

static dp_answer bagging_meets(const dp_bagging *b, const mpq_t delta)
{
    bagging_miss s;
    bagging_miss_init(&s);
    bagging_miss_set(&s, b);
    dp_answer answer = miss_meets(&s, delta);
    bagging_miss_clear(&s);
    return answer;
}

static void remarks(dp_result *out, const dp_bagging *b)
{
    bool with = b->sampling == DP_WITH_REPLACEMENT;
    result_note(out, with ? "tight: by Theorem 5 no smaller delta holds at any epsilon, for some "
                            "learner and data set"
                          : "tight: by Theorem 6 no smaller delta holds at any epsilon, for some "
                            "learner and data set");
    result_note(out, "the guarantee holds at every epsilon >= 0; the epsilon of the published pair "
                     "is superfluous");
}

static const char *family(const dp_bagging *b)
{
    return b->sampling == DP_WITH_REPLACEMENT ? "bagging-with" : "bagging-without";
}

static void start(dp_result *out, const dp_bagging *b, const dp_options *opt)
{
    result_start(out);
    out->adjacency = dp_adjacency_text(b->adjacency);
    result_check_start(out, opt, NULL, NULL);
}

dp_status dp_bagging_privacy(dp_result *out, const dp_bagging *b, const dp_options *opt,
                             dp_error *err)
{
    start(out, b, opt);
    dp_status status = check_domain(b, true, true, err);
    if (status != DP_OK)
        return status;
    status = result_evaluate_family(out, family(b), b, opt);
    if (status != DP_OK)
        return fail(err, status, NULL, dp_status_text(status));
    if (out->check.asked) /* the profile is constant in epsilon: only delta decides */
        out->check.holds = bagging_meets(b, out->check.max_delta.value);
    remarks(out, b);
    return DP_OK;
}

/* draws = largest m >= 0 with ((n-1)/n)^m >= 1 - delta, for n >= 2 and delta < 1: the floor of
 * ln(1-delta) / ln((n-1)/n), decided between neighbours by miss_meets. */
static dp_answer most_draws(mpz_t draws, const mpz_t n, const mpq_t delta)
{
    bagging_miss s;
    mpfi_t top, step;
    bagging_miss_init(&s);
    /* enough bits for the integer part: delta near 1 gives few draws, n large gives many */
    mpfr_prec_t bits =
        128 + (mpfr_prec_t)(mpz_sizeinbase(n, 2) + mpz_sizeinbase(mpq_denref(delta), 2));
    mpfi_init2(top, bits);
    mpfi_init2(step, bits);
    mpz_sub_ui(mpq_numref(s.base), n, 1);
    mpz_set(mpq_denref(s.base), n);
    ival_log1m_q(top, delta);
    ival_log_q(step, s.base);
    mpfi_div(top, top, step);
    mpfr_get_z(draws, &top->left, MPFR_RNDD);
    if (mpz_sgn(draws) < 0)
        mpz_set_ui(draws, 0);
    /* The quotient is enclosed far more narrowly than 1, so at most one step is taken. */
    dp_answer answer;
    do {
        mpz_add_ui(s.count, draws, 1);
        answer = miss_meets(&s, delta);
        if (answer == DP_YES)
            mpz_swap(draws, s.count);
    } while (answer == DP_YES);
    mpz_set(s.count, draws);
    if (answer == DP_NO && miss_meets(&s, delta) != DP_YES)
        answer = DP_UNKNOWN;
    mpfi_clear(step);
    mpfi_clear(top);
    bagging_miss_clear(&s);
    return answer == DP_NO ? DP_YES : DP_UNKNOWN;
}

/* The largest number of draws in all; *any is set when every number will do. */
static dp_answer solve_draws(mpz_t draws, bool *any, const dp_bagging *b, const mpq_t delta)
{
    *any = false;
    bool certain = mpq_cmp_ui(delta, 1, 1) >= 0;
    if (b->sampling == DP_WITHOUT_DISJOINT) {
        if (certain) {
            mpz_set(draws, b->dataset_size);
        } else {
            mpz_mul(draws, b->dataset_size, mpq_numref(delta));
            mpz_fdiv_q(draws, draws, mpq_denref(delta));
        }
        return DP_YES;
    }
    *any = certain;
    mpz_set_ui(draws, 0);
    if (certain || mpz_cmp_ui(b->dataset_size, 1) == 0)
        return DP_YES;
    return most_draws(draws, b->dataset_size, delta);
}

/* The row of the exact theorem at the solved parameter; delta is 0 when the parameter is 0. */
static dp_status solved_row(dp_result *out, const dp_bagging *b, const char *name,
                            const mpz_t value, bool any, const dp_options *opt)
{
    const bound *exact =
        b->sampling == DP_WITH_REPLACEMENT ? &bagging_with_exact : &bagging_without_exact;
    dp_status status = DP_OK;
    if (any || mpz_sgn(value) == 0) {
        dp_row *row = result_row(out, exact);
        if (row == NULL)
            return DP_MEMORY;
        figure_set_ui(row_quantity(row, "epsilon"), 0);
        figure_set_ui(row_quantity(row, "delta"), any ? 1 : 0);
    } else {
        status = result_evaluate(out, exact, b, opt);
    }
    dp_figure *solved = row_quantity(&out->row[0], name);
    out->row[0].quantity[out->row[0].count - 1].is_count = true;
    if (any) {
        figure_set_infinite(solved);
    } else {
        solved->kind = DP_RATIONAL;
        mpq_set_z(solved->rational, value);
    }
    return status;
}

dp_status dp_bagging_solve(dp_result *out, const dp_bagging *b, dp_bagging_unknown unknown,
                           const dp_options *opt, dp_error *err)
{
    start(out, b, opt);
    bool for_k = unknown == DP_SOLVE_SUBSAMPLE_SIZE;
    dp_status status = check_domain(b, !for_k, for_k, err);
    if (status != DP_OK)
        return status;
    if (opt->max_delta == NULL)
        return fail(err, DP_DOMAIN, "solve", "needs max_delta, the delta to stay within");
    mpz_t draws;
    bool any;
    mpz_init(draws);
    dp_answer found = solve_draws(draws, &any, b, opt->max_delta->value);
    if (found == DP_YES) {
        dp_bagging at = *b; /* borrows the integers; the solved one is its own */
        mpz_fdiv_q(draws, draws, for_k ? b->models : b->subsample_size);
        *(for_k ? at.subsample_size : at.models) = *draws;
        status = solved_row(out, &at, for_k ? "k" : "N", draws, any, opt);
        out->check.holds = DP_YES;
        remarks(out, b);
    } else {
        status = DP_UNDECIDED;
    }
    mpz_clear(draws);
    return status == DP_OK ? DP_OK : fail(err, status, "solve", dp_status_text(status));
}
