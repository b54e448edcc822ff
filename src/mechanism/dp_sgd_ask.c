/* SPDX-License-Identifier: MIT */
/* Questions about DP-SGD: its rows at a target, whether a budget is kept, and what keeps it. A
 * search starts from doubles and goes on by certified decisions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/refine.h"
#include "core/result.h"
#include "core/search.h"
#include "mechanism/dp_sgd.h"
#include "num/ival.h"
#include "num/number.h"

#define DECISION_BITS 1024 /* a figure nearer to the budget is not told apart */
#define FIRST_BITS 48      /* beyond those of a number of candidates */
#define PROOF_BITS 192     /* as far as an order that doubles find can go */

typedef struct budget {
    dp_mechanism *m;
    const dp_number *max_epsilon;
    mpq_srcptr max_delta;
    const dp_options *opt;
    limits lim;
    dp_result *out;
    logform at;
    const char *name;
    mpq_t unit; /* noise: candidates are (top - z) units */
    mpz_t top;
    bool noise;
    double epsilon, log_delta; /* about the budget */
} budget;

/* Where a search begins */
static double guess(const budget *b)
{
    dp_sgd s;
    mpz_t one;
    mpz_init_set_ui(one, 1);
    dp_sgd_init(&s, b->m, one);
    double found = b->noise ? dp_sgd_guess_noise(&s, b->epsilon, b->log_delta, &b->lim)
                            : dp_sgd_guess_steps(&s, b->epsilon, b->log_delta);
    dp_sgd_clear(&s);
    mpz_clear(one);
    return found;
}

/* ---- proofs ---- */

static void set_unknown(budget *b, const mpz_t z)
{
    mpq_t x;
    mpq_init(x);
    if (b->noise) {
        mpz_sub(mpq_numref(x), b->top, z);
        mpq_mul(x, x, b->unit);
    } else {
        mpq_set_z(x, z);
    }
    mechanism_set_q(b->m, b->name, x);
    mpq_clear(x);
}

static profile_in input(const budget *b, mpz_srcptr one)
{
    return (profile_in){b->m, one, &b->at, NULL};
}

/* Is it proved that this candidate fits? What is not is taken for a no. */
static dp_decision fits(const void *context, const mpz_t z)
{
    budget *b = (budget *)(uintptr_t)context;
    if (b->noise ? mpz_cmp(z, b->top) >= 0 : mpz_sgn(z) == 0)
        return b->noise ? DP_NO : DP_YES;
    if (limits_expired(&b->lim)) {
        limits_note(&b->lim, DP_MET_TIME);
        return DP_UNKNOWN;
    }
    mpz_t one;
    mpz_init_set_ui(one, 1);
    set_unknown(b, z);
    profile_in in = input(b, one);
    dp_decision answer = DP_UNKNOWN;
    dp_status status =
        refine_decide(&answer, dp_sgd_renyi.eval, 3, 1, &in, b->max_delta, DECISION_BITS, &b->lim);
    mpz_clear(one);
    bool open = status != DP_OK || answer == DP_UNKNOWN;
    if (open && (status == DP_OK || status == DP_LIMIT) && !limits_expired(&b->lim))
        return DP_NO; /* at no order, or not at this one */
    return open ? DP_UNKNOWN : answer;
}

/* ---- answers ---- */

static bool is_before(const dp_row *a, const dp_row *b, const char *name)
{
    bool sound_a = a->verdict != DP_UNSOUND, sound_b = b->verdict != DP_UNSOUND;
    if (sound_a != sound_b)
        return sound_a;
    return figure_compare_upper(row_figure(a, name), row_figure(b, name)) < 0;
}

/* Strongest first, and what is unsound last. */
static void sort_rows(dp_result *r, const char *name)
{
    for (size_t i = 1; i < r->count; i++)
        for (size_t j = i; j > 0 && is_before(&r->row[j], &r->row[j - 1], name); j--) {
            dp_row swap = r->row[j];
            r->row[j] = r->row[j - 1];
            r->row[j - 1] = swap;
        }
}

/* Yes by the row at the budget's epsilon: a bound refutes nothing. */
static void check(budget *b)
{
    mpz_t one;
    mpz_init_set_ui(one, 1);
    unsigned met = 0, *all = b->lim.met;
    b->lim.met = &met;
    dp_decision answer = DP_YES;
    profile_in in = input(b, one);
    if (mpq_cmp_ui(b->max_delta, 1, 1) < 0 &&
        refine_decide(&answer, dp_sgd_renyi.eval, 3, 1, &in, b->max_delta, DECISION_BITS,
                      &b->lim) != DP_OK)
        answer = DP_UNKNOWN;
    dp_decision other = DP_NO;
    if (answer != DP_YES && b->opt->all && dp_sgd_basic.applies(&in) &&
        refine_decide(&other, dp_sgd_basic.eval, 2, 1, &in, b->max_delta, DECISION_BITS, &b->lim) ==
            DP_OK &&
        other == DP_YES)
        answer = DP_YES;
    b->lim.met = all;
    if (answer == DP_NO) {
        answer = DP_UNKNOWN;
        met = DP_MET_BOUND;
    }
    result_decide(b->out, answer, met);
    mpz_clear(one);
}

static dp_status answer(budget *b, const dp_number *target_epsilon, const dp_number *target_delta,
                        dp_error *err)
{
    mpq_srcptr delta = number_rational(target_delta);
    logform x;
    mpz_t one;
    logform_init(&x);
    mpz_init_set_ui(one, 1);
    profile_in in = {b->m, one, target_epsilon != NULL ? &x : NULL, delta};
    dp_status status =
        target_epsilon == NULL || logform_add_number(&x, NULL, target_epsilon) ? DP_OK : DP_MEMORY;
    if (status == DP_OK)
        status = result_evaluate_family(b->out, mechanism_rows, "dp-sgd", &in, b->opt);
    if (status == DP_OK)
        sort_rows(b->out, target_epsilon != NULL ? "delta" : "epsilon");
    else
        result_fail(b->out, err, status);
    if (status == DP_OK && b->out->check.asked)
        check(b);
    mpz_clear(one);
    logform_clear(&x);
    return status;
}

/* unit = 10^(exponent of x - digits), top = 2 x in such units; z such that (top - z) units are x */
static void set_units(budget *b, mpz_t z, double x)
{
    mpfr_t size;
    mpfr_exp_t point;
    mpq_t count;
    mpfr_init2(size, 64);
    mpq_init(count);
    mpfr_set_d(size, x, MPFR_RNDU);
    mpfr_free_str(mpfr_get_str(NULL, &point, 10, 2, size, MPFR_RNDD));
    long power = (long)point - (long)b->opt->digits;
    mpz_ui_pow_ui(mpq_numref(b->unit), 10, (unsigned long)labs(power));
    mpz_set_ui(mpq_denref(b->unit), 1);
    if (power < 0)
        mpq_inv(b->unit, b->unit);
    mpfr_get_q(count, size);
    mpq_div(count, count, b->unit);
    mpz_cdiv_q(z, mpq_numref(count), mpq_denref(count));
    mpz_mul_2exp(b->top, z, 1);
    mpq_clear(count);
    mpfr_clear(size);
}

/* The row at the budget's epsilon with that candidate; *keeps: it proves that this one fits. */
static dp_status try_row(bool *keeps, budget *b, const mpz_t z)
{
    mpz_t one;
    mpz_init_set_ui(one, 1);
    set_unknown(b, z);
    profile_in in = input(b, one);
    dp_status status = result_evaluate(b->out, &dp_sgd_renyi, &in, b->opt);
    mpz_clear(one);
    *keeps = status == DP_OK &&
             dp_figure_le(row_figure(&b->out->row[0], "delta"), b->max_delta) == DP_YES;
    return status;
}

/* The row names what was found, and which keeps the budget. */
static void finish_row(budget *b, const mpz_t z, bool proved)
{
    dp_row *row = &b->out->row[0];
    dp_figure *delta = row_figure(row, "delta");
    set_unknown(b, z);
    if (delta->kind == DP_ENCLOSED && mpfr_cmp_q(&delta->enclosure->right, b->max_delta) > 0)
        mpfr_set_q(&delta->enclosure->right, b->max_delta, MPFR_RNDU); /* was decided */
    figure_set_q(row_quantity(row, b->noise ? "noise_multiplier" : "steps"),
                 number_rational(mechanism_number(b->m, b->name)));
    result_decide(b->out, DP_YES, 0);
    result_note(b->out, proved
                            ? "the solved value is proved to keep the budget; of the next one it "
                              "is proved that this theorem does not show it, at any order"
                            : "the solved value is proved to keep the budget; of the next one it "
                              "is not known");
}

/* Not one step is proved to fit: none spends nothing, and whether that is all is open. */
static dp_status show_none(budget *b)
{
    dp_row *row = result_row(b->out, &dp_sgd_renyi);
    if (row == NULL)
        return DP_MEMORY;
    figure_set_form(row_quantity(row, "epsilon"), &b->at, refine_bits(b->opt->digits));
    figure_set_ui(row_quantity(row, "delta"), 0);
    figure_set_ui(row_quantity(row, "alpha"), 2);
    figure_set_ui(row_quantity(row, "steps"), 0);
    result_note(b->out, "not even a single step is proved to fit; raise max_delta or max_epsilon");
    result_decide(b->out, DP_UNKNOWN, DP_MET_BOUND);
    return DP_OK;
}

/* Is the next candidate proved to fail? */
static bool next_fails(budget *b, const mpz_t z)
{
    dp_sgd s;
    mpz_t next;
    mpz_init(next);
    mpz_add_ui(next, z, 1);
    mpfr_prec_t bits = FIRST_BITS + (mpfr_prec_t)(mpz_sizeinbase(z, 2) * 5 / 4);
    bool fails = b->noise && mpz_cmp(next, b->top) >= 0;
    if (!fails) {
        set_unknown(b, next);
        mpz_set_ui(next, 1);
        dp_sgd_init(&s, b->m, next);
        for (int i = 0; !fails && i < 2 && !limits_expired(&b->lim); i++)
            fails = dp_sgd_fails(&s, &b->at, b->max_delta, i == 0 ? bits : PROOF_BITS);
        dp_sgd_clear(&s);
    }
    mpz_clear(next);
    return fails;
}

static bool is_candidate(const budget *b, const mpz_t z)
{
    return mpz_sgn(z) > 0 && (!b->noise || mpz_cmp(z, b->top) < 0);
}

/* Where the guess fits and the next candidate does not, that is the answer. */
static dp_status try_guess(bool *done, budget *b, const mpz_t z)
{
    bool keeps = false;
    dp_result *r = b->out;
    size_t warnings = r->warnings;
    unsigned met = r->met;
    *done = false;
    if (!is_candidate(b, z) || limits_expired(&b->lim))
        return DP_OK;
    dp_status status = try_row(&keeps, b, z);
    *done = keeps && next_fails(b, z);
    if (*done) {
        finish_row(b, z, true);
    } else if (status == DP_OK) {
        r->count = 0;
        r->warnings = warnings;
        r->met = met;
    }
    return status;
}

static dp_status search(budget *b, mpz_t z, bool any, dp_error *err)
{
    dp_decision found = any ? search_largest(z, fits, b) : DP_NO;
    if (found == DP_UNKNOWN)
        return result_fail(b->out, err, DP_UNDECIDED);
    if (b->noise && (found == DP_NO || mpz_sgn(z) < 0))
        return fail(err, DP_UNDECIDED, "max_delta",
                    "is not proved to be met by any noise that was tried; raise it, or "
                    "max_epsilon");
    if (mpz_sgn(z) <= 0 && !b->noise)
        return show_none(b);
    bool keeps;
    dp_status status = try_row(&keeps, b, z); /* it does: that was decided */
    if (status == DP_OK)
        finish_row(b, z, next_fails(b, z));
    return status;
}

static dp_status solve(budget *b, dp_error *err)
{
    mpz_t z;
    mpz_init(z);
    double start = guess(b);
    if (b->noise && start > 0)
        set_units(b, z, start);
    else if (!b->noise)
        mpz_set_d(z, start);
    bool done;
    dp_status status = try_guess(&done, b, z);
    if (status == DP_OK && !done)
        status = search(b, z, !b->noise || start > 0, err);
    mpz_clear(z);
    return status;
}

static bool keeps_any(const dp_mechanism *m, mpq_srcptr delta)
{
    mpz_t once;
    mpz_init_set_ui(once, 1);
    bool any = dp_sgd_any_noise(m, once, delta);
    mpz_clear(once);
    return any;
}

dp_status dp_sgd_solvable(const dp_mechanism *m, dp_sgd_unknown unknown, const dp_options *opt,
                          dp_error *err)
{
    static const char *const any[] = {"allows anything", "allows any noise",
                                      "allows any number of steps", "allows any sampling rate"};
    mpq_srcptr delta = number_rational(opt->max_delta);
    const dp_number *rate = mechanism_number(m, "sampling-rate");
    if (opt->max_epsilon == NULL && opt->max_delta == NULL)
        return fail(err, DP_DOMAIN, "max_epsilon", "is missing; give the budget to stay within");
    if (rate != NULL && dp_number_sgn(rate) == 0)
        return fail(err, DP_UNAVAILABLE, "sampling_rate", "is 0: nothing is ever used");
    if (delta != NULL && mpq_cmp_ui(delta, 1, 1) >= 0)
        return fail(err, DP_UNAVAILABLE, "max_delta", any[unknown]);
    if (delta != NULL && unknown == DP_SGD_NOISE && keeps_any(m, delta))
        return fail(err, DP_UNAVAILABLE, "max_delta", DP_SGD_ANY_NOISE);
    if (delta == NULL)
        return fail(err, DP_UNAVAILABLE, "max_delta",
                    "is missing: at every epsilon delta is above 0 whatever the noise");
    return DP_OK;
}

/* Whatever is solved for: the losses have no bound. */
static dp_status refute_all(budget *b)
{
    result_note(b->out, "no value fits: at every epsilon delta is above 0 whatever the noise, the "
                        "steps and the sampling rate");
    result_decide(b->out, DP_NO, 0);
    return DP_OK;
}

static dp_status ask(budget *b, const dp_number *target_epsilon, const dp_number *target_delta,
                     dp_sgd_unknown unknown, dp_error *err)
{
    const dp_options *opt = b->opt;
    if (unknown == DP_SGD_NOTHING) {
        if (target_epsilon == NULL && target_delta == NULL) { /* a budget is the target */
            target_epsilon = opt->max_epsilon;
            target_delta = opt->max_epsilon == NULL ? opt->max_delta : NULL;
        }
        if (target_epsilon == NULL && target_delta == NULL)
            return fail(err, DP_UNAVAILABLE, "target_delta",
                        "is missing: losses without bound have no finite epsilon of their own; "
                        "give target_delta or target_epsilon");
        return answer(b, target_epsilon, target_delta, err);
    }
    dp_status status = dp_sgd_solvable(b->m, unknown, opt, err);
    b->out->check.asked = true;
    if (status != DP_OK)
        return status;
    if (dp_number_sgn(opt->max_delta) == 0)
        return refute_all(b);
    b->epsilon = ival_guess(b->max_epsilon);
    b->log_delta = ival_guess_log(b->max_delta);
    return solve(b, err);
}

dp_status dp_sgd_privacy(dp_result *out, const dp_mechanism *m, const dp_number *target_epsilon,
                         const dp_number *target_delta, dp_sgd_unknown unknown,
                         const dp_options *opt, dp_error *err)
{
    result_start(out);
    if (dp_sgd_is_group(m))
        return fail(err, DP_UNAVAILABLE, "group_size",
                    "is not covered by the method rdp, whose divergences are those of one record; "
                    "leave the method out");
    dp_options own = *opt;
    limits_share(&own);
    opt = &own;
    out->adjacency = dp_relation_text(DP_ADD_REMOVE);
    result_check_start(out, opt, target_epsilon, target_delta);
    budget b = {.m = mechanism_copy(m),
                .max_epsilon = &out->check.max_epsilon,
                .max_delta = number_rational(&out->check.max_delta),
                .opt = opt,
                .out = out,
                .name = unknown == DP_SGD_NOISE ? "noise-multiplier" : "steps",
                .noise = unknown == DP_SGD_NOISE};
    limits_start(&b.lim, opt);
    b.lim.met = &out->met;
    logform_init(&b.at);
    mpq_init(b.unit);
    mpz_init(b.top);
    dp_status status = DP_MEMORY;
    if (b.m != NULL && (!out->check.asked || logform_add_number(&b.at, NULL, b.max_epsilon)))
        status = ask(&b, target_epsilon, target_delta, unknown, err);
    mpz_clear(b.top);
    mpq_clear(b.unit);
    logform_clear(&b.at);
    mechanism_free(b.m);
    return result_end(out, status, err);
}
