/* SPDX-License-Identifier: MIT */
/* The largest k, N or q that stays within the budget; where none does, whether that is proved, and
 * what the least of them spends. */
#include "sampling/bagging_ask.h"

#include "compose/optimal.h"
#include "core/door.h"
#include "core/refine.h"
#include "core/search.h"
#include "num/ival.h"
#include "num/number.h"

/* draws = about the largest m >= 0 with (1 - share)^m >= 1 - delta: the floor of
 * ln(1-delta) / ln(1-share), from below. */
static void most_draws(mpz_t draws, const mpq_t share, const mpq_t delta, const limits *lim)
{
    mpfi_t top, step;
    /* enough bits for the integer part: delta near 1 gives few draws, small shares give many */
    mpfr_prec_t bits = 128 + (mpfr_prec_t)(mpz_sizeinbase(mpq_denref(share), 2) +
                                           mpz_sizeinbase(mpq_denref(delta), 2));
    if (!limits_logs(lim, 2, bits))
        bits = 128; /* further off */
    mpfi_init2(top, bits);
    mpfi_init2(step, bits);
    ival_log1m_q(top, delta);
    ival_log1m_q(step, share);
    mpfi_div(top, top, step);
    mpfr_get_z(draws, &top->left, MPFR_RNDD);
    if (mpz_sgn(draws) < 0)
        mpz_set_ui(draws, 0);
    mpfi_clear(step);
    mpfi_clear(top);
}

/* A candidate for the unknown, checked by the strongest sound result. */
typedef struct candidate {
    const dp_bagging *b;
    dp_bagging_unknown unknown;
    const dp_number *max_epsilon;
    mpq_srcptr max_delta;
    const dp_options *opt;
    limits lim;      /* of all decisions together */
    mpq_srcptr unit; /* of q */
} candidate;

/* The query with the unknown set to z; borrows everything else. */
static void set_unknown(dp_bagging *at, const candidate *c, const mpz_t z)
{
    *at = *c->b;
    if (c->unknown == DP_SOLVE_SUBSAMPLE_SIZE) {
        mpz_init_set(at->subsample_size, z);
    } else if (c->unknown == DP_SOLVE_MODELS) {
        mpz_init_set(at->models, z);
    } else {
        mpq_init(at->sampling_rate);
        mpq_set_z(at->sampling_rate, z);
        mpq_mul(at->sampling_rate, at->sampling_rate, c->unit);
    }
}

static void clear_unknown(dp_bagging *at, const candidate *c)
{
    if (c->unknown == DP_SOLVE_SUBSAMPLE_SIZE)
        mpz_clear(at->subsample_size);
    else if (c->unknown == DP_SOLVE_MODELS)
        mpz_clear(at->models);
    else
        mpq_clear(at->sampling_rate);
}

/* Of more models a whole law is not composed for each candidate: the tail of a pair is at once. */
#define MOST_MODELS 1000000UL

static dp_decision fits(const void *context, const mpz_t z)
{
    const candidate *c = context;
    if (mpz_sgn(z) == 0) /* nothing is drawn */
        return DP_YES;
    if (limits_expired(&c->lim))
        return DP_UNKNOWN;
    dp_options rest = limits_rest(&c->lim, c->opt);
    dp_bagging at;
    set_unknown(&at, c, z);
    bool tight = false, possible = bagging_domain(&at, DP_SOLVE_NONE, NULL) == DP_OK;
    dp_decision answer =
        !possible ? DP_NO : bagging_meets(&at, c->max_epsilon, c->max_delta, &rest, &tight);
    if (answer != DP_YES && possible && !tight && mpz_cmp_ui(at.models, MOST_MODELS) <= 0 &&
        amplify_dominating_meets(&at, c->max_epsilon, c->max_delta, &rest) == DP_YES)
        answer = DP_YES;
    clear_unknown(&at, c);
    return answer;
}

/* A first candidate: what the profile for any learner allows, exact there and a start elsewhere. */
static void first_guess(mpz_t z, const candidate *c)
{
    const dp_bagging *b = c->b;
    mpq_t share;
    mpq_init(share);
    mpz_set_ui(z, 1);
    bool for_k = c->unknown == DP_SOLVE_SUBSAMPLE_SIZE;
    if (b->sampling == DP_WITHOUT_DISJOINT) {
        mpz_mul(z, b->dataset_size, mpq_numref(c->max_delta));
        mpz_fdiv_q(z, z, mpq_denref(c->max_delta));
        mpz_fdiv_q(z, z, for_k ? b->models : b->subsample_size);
    } else if (b->sampling == DP_WITH_REPLACEMENT && mpz_cmp_ui(b->dataset_size, 1) > 0) {
        mpz_set_ui(mpq_numref(share), 1);
        mpz_set(mpq_denref(share), b->dataset_size);
        most_draws(z, share, c->max_delta, &c->lim);
        mpz_fdiv_q(z, z, for_k ? b->models : b->subsample_size);
    } else if (c->unknown == DP_SOLVE_MODELS) {
        if (b->sampling == DP_POISSON)
            mpq_set(share, b->sampling_rate);
        else
            amplify_rate_q(share, b);
        if (mpq_sgn(share) > 0 && mpq_cmp_ui(share, 1, 1) < 0)
            most_draws(z, share, c->max_delta, &c->lim);
    }
    mpq_clear(share);
}

/* Nothing is ever lost: the learner's answer does not depend on its sample, or nothing is drawn. */
static bool loses_nothing(const candidate *c)
{
    const dp_bagging *b = c->b;
    bool idle = b->sampling == DP_POISSON && c->unknown == DP_SOLVE_MODELS &&
                mpq_sgn(b->sampling_rate) == 0;
    return idle || (b->base_epsilon != NULL && dp_number_sgn(b->base_epsilon) == 0 &&
                    mpq_sgn(b->base_delta) == 0);
}

/* The scheme has a largest value of its own. */
static bool is_capped(const candidate *c)
{
    const dp_bagging *b = c->b;
    return c->unknown == DP_SOLVE_RATE || b->sampling == DP_WITHOUT_DISJOINT ||
           (b->sampling == DP_WITHOUT_INDEPENDENT && c->unknown == DP_SOLVE_SUBSAMPLE_SIZE);
}

static void largest_allowed(mpz_t z, const candidate *c)
{
    const dp_bagging *b = c->b;
    mpz_set(z, b->dataset_size);
    if (b->sampling == DP_WITHOUT_DISJOINT)
        mpz_fdiv_q(z, z, c->unknown == DP_SOLVE_SUBSAMPLE_SIZE ? b->models : b->subsample_size);
}

static dp_decision solve_count(mpz_t z, bool *any, const candidate *c)
{
    bool all = mpq_cmp_ui(c->max_delta, 1, 1) >= 0 || loses_nothing(c);
    *any = all && !is_capped(c);
    if (*any)
        return DP_YES;
    if (all) {
        largest_allowed(z, c);
        return DP_YES;
    }
    first_guess(z, c);
    return search_largest(z, fits, c);
}

/* The row where any number will do: of the supremum over all of them. That is 0 where nothing is
 * lost and 1 elsewhere, at every epsilon. For N: some event has probabilities that differ between
 * neighbours, and how often it occurs in N independent models tells them apart with a chance that
 * goes to 1. For k, drawn with replacement: the learner of amplify-with-hybrid answers 1 with
 * probability g^j(a) at j copies of the record, which goes to 1 with j for every a > 0, and j grows
 * with k beyond any bound; so delta(x) >= 1 - e^x a in the limit, for every a. */
static dp_status supremum_row(dp_result *out, const candidate *c)
{
    const dp_bagging *b = c->b;
    bool nothing = loses_nothing(c), private = b->base_epsilon != NULL;
    bool known = !private || nothing || amplify_way(b) != AMPLIFY_NOTHING ||
                 mpq_cmp_ui(b->base_delta, 1, 1) == 0;
    const bound *idle = b->sampling == DP_WITH_REPLACEMENT ? &amplify_with_pair : &amplify_point;
    bool trivial = nothing && private && dp_number_sgn(b->base_epsilon) == 0;
    dp_row *row = result_row(out, trivial ? idle : bagging_exact_bound(b));
    if (row == NULL)
        return DP_MEMORY;
    if (!known)
        result_weaken(out, out->count - 1);
    dp_figure *epsilon = row_quantity(row, "epsilon");
    figure_set_ui(epsilon, 0);
    if (private && !nothing && number_rational(c->max_epsilon) != NULL)
        figure_set_q(epsilon, number_rational(c->max_epsilon));
    else if (private && !nothing)
        ival_set_number(figure_enclose(epsilon, refine_bits(c->opt->digits) + 16), c->max_epsilon);
    figure_set_ui(row_quantity(row, "delta"), nothing ? 0 : 1);
    return DP_OK;
}

/* The row of the deciding result at the solved parameter. */
static dp_status solved_row(dp_result *out, const dp_bagging *b, const dp_number *max_epsilon,
                            bool nothing, const dp_options *opt)
{
    if (nothing) {
        dp_row *row = result_row(out, bagging_exact_bound(b));
        if (row == NULL)
            return DP_MEMORY;
        figure_set_ui(row_quantity(row, "epsilon"), 0);
        figure_set_ui(row_quantity(row, "delta"), 0);
        return DP_OK;
    }
    dp_bagging at = *b;
    if (b->base_epsilon == NULL) {
        bagging_in in = {.b = &at};
        return result_evaluate(out, bagging_exact_bound(b), &in, opt);
    }
    at.target_epsilon = max_epsilon;
    bool few = mpz_cmp_ui(at.models, MOST_MODELS) <= 0;
    return (few ? bagging_private : bagging_bounds)(out, &at, opt, NULL);
}

static dp_figure *solved_figure(dp_result *out, const char *name)
{
    return row_quantity(&out->row[out->guarantee], name);
}

/* The row of the deciding result where the unknown is z, at least 1. */
static dp_status row_at(dp_result *out, const candidate *c, const mpz_t z, const dp_options *opt)
{
    dp_bagging at;
    set_unknown(&at, c, z);
    dp_status status = solved_row(out, &at, c->max_epsilon, false, opt);
    clear_unknown(&at, c);
    return status;
}

/* No count is proved to fit. Is 1, the least, proved not to? Its row says what would do. */
static dp_status answer_none(dp_result *out, const candidate *c, const dp_options *opt)
{
    mpz_t one;
    dp_bagging at;
    mpz_init_set_ui(one, 1);
    set_unknown(&at, c, one);
    dp_options rest = limits_rest(&c->lim, c->opt);
    bool possible = bagging_domain(&at, DP_SOLVE_NONE, NULL) == DP_OK;
    dp_status status = possible ? bagging_decide(out, &at, &rest) : DP_OK;
    clear_unknown(&at, c);
    if (!possible) {
        out->check.holds = DP_NO;
        result_note(out, "whatever the budget: there are not as many records as would be drawn");
        status = solved_row(out, c->b, c->max_epsilon, true, opt);
    } else if (status == DP_OK) {
        status = row_at(out, c, one, opt);
    }
    mpz_clear(one);
    return status;
}

static dp_status answer_count(dp_result *out, const candidate *c, const dp_options *opt)
{
    mpz_t z;
    mpz_init(z);
    bool any;
    dp_status status = DP_UNDECIDED;
    dp_decision found = solve_count(z, &any, c);
    if (found == DP_YES && any) {
        status = supremum_row(out, c);
    } else if (found == DP_YES && mpz_sgn(z) == 0) {
        status = answer_none(out, c, opt);
    } else if (found == DP_YES) {
        status = row_at(out, c, z, opt);
    }
    if (status == DP_OK) {
        dp_figure *f = solved_figure(out, c->unknown == DP_SOLVE_MODELS ? "N" : "k");
        f->kind = DP_RATIONAL;
        mpq_set_z(f->rational, z);
        if (any)
            figure_set_infinite(f);
        if (any || mpz_sgn(z) > 0)
            out->check.holds = DP_YES;
    }
    mpz_clear(z);
    return status;
}

/* Decimal places of the first digit of a q that fits at the latest: N q <= delta does. */
static size_t most_places(const candidate *c)
{
    return 400 + mpz_sizeinbase(mpq_denref(c->max_delta), 10) + mpz_sizeinbase(c->b->models, 10);
}

/* No q above 0 fits: each adds to the delta, or to the epsilon, that is allowed none. */
static bool none_fits(const candidate *c)
{
    const dp_bagging *b = c->b;
    return mpq_sgn(c->max_delta) == 0 && (b->base_epsilon == NULL || mpq_sgn(b->base_delta) > 0 ||
                                          dp_number_sgn(c->max_epsilon) == 0);
}

/* q as the largest decimal of the asked digits that fits. */
static dp_status answer_rate(dp_result *out, candidate *c, const dp_options *opt)
{
    mpq_t unit;
    mpz_t z;
    mpq_init(unit);
    mpz_init(z);
    c->unit = unit;
    dp_decision found = DP_YES;
    /* The first digit's place: the smallest power of ten that does not fit, or 1. */
    mpq_set_ui(unit, 1, 1);
    mpz_set_ui(z, 1);
    for (size_t places = 0; places < most_places(c) && (found = fits(c, z)) == DP_NO; places++)
        mpz_mul_ui(mpq_denref(unit), mpq_denref(unit), 10);
    if (found == DP_YES && mpz_cmp_ui(mpq_denref(unit), 1) != 0) {
        mpz_t fine;
        mpz_init(fine);
        mpz_ui_pow_ui(fine, 10, opt->digits);
        mpz_mul(mpq_denref(unit), mpq_denref(unit), fine);
        mpz_set(z, fine);
        found = search_largest(z, fits, c);
        mpz_clear(fine);
    } else if (found == DP_NO && none_fits(c)) {
        mpz_set_ui(z, 0);
        found = DP_YES;
    }
    dp_status status = DP_UNDECIDED;
    if (found == DP_YES) {
        dp_bagging at;
        set_unknown(&at, c, z);
        status = solved_row(out, &at, c->max_epsilon, mpz_sgn(z) == 0, opt);
        if (status == DP_OK)
            figure_set_q(solved_figure(out, "q"), at.sampling_rate);
        out->check.holds = mpz_sgn(z) > 0 ? DP_YES : DP_NO;
        if (mpz_sgn(z) == 0)
            result_note(out, "no rate above 0 keeps this budget; with any delta above 0 one does");
        clear_unknown(&at, c);
    }
    mpz_clear(z);
    mpq_clear(unit);
    return status;
}

static dp_status validate(const dp_bagging *b, dp_bagging_unknown unknown, const dp_options *opt,
                          dp_error *err)
{
    dp_status status = door_enum("unknown", (int)unknown, DP_SOLVE_RATE, err);
    if (status == DP_OK)
        status = bagging_domain(b, unknown, err);
    if (status != DP_OK)
        return status;
    if (unknown == (b->sampling == DP_POISSON ? DP_SOLVE_SUBSAMPLE_SIZE : DP_SOLVE_RATE))
        return fail(err, DP_DOMAIN, "unknown", "is no parameter of this way of sampling");
    if (opt->max_delta == NULL)
        return fail(err, DP_DOMAIN, "solve", "needs max_delta, the delta to stay within");
    if (b->base_epsilon != NULL && opt->max_epsilon == NULL)
        return fail(err, DP_DOMAIN, "solve",
                    "needs max_epsilon too, the epsilon to stay within with a private learner");
    return DP_OK;
}

dp_status dp_bagging_solve(dp_result *out, const dp_bagging *b, dp_bagging_unknown unknown,
                           const dp_options *opt, dp_error *err)
{
    dp_options own;
    dp_status status = door_open(&own, out, "bagging", b, opt, err);
    opt = &own;
    if (status == DP_OK)
        status = validate(b, unknown, opt, err);
    if (status != DP_OK)
        return status;
    result_start(out);
    out->adjacency = dp_relation_text(b->adjacency);
    result_check_start(out, opt, NULL, NULL);
    candidate c = {.b = b,
                   .unknown = unknown,
                   .max_epsilon = &out->check.max_epsilon,
                   .max_delta = number_rational(&out->check.max_delta),
                   .opt = opt};
    dp_options meeting = options_meeting(opt, &out->met);
    limits_start(&c.lim, &meeting);
    c.opt = &meeting;
    status = unknown == DP_SOLVE_RATE ? answer_rate(out, &c, opt) : answer_count(out, &c, opt);
    if (status == DP_OK && b->base_epsilon == NULL)
        bagging_remarks(out, b);
    return result_end(out, status, err);
}
