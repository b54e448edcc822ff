/* SPDX-License-Identifier: MIT */
/* What still fits a budget (E, D): the privacy of the list grows with every use, so the largest
 * number of uses, or the largest epsilon of a given number of them, is found by a guess in doubles
 * and proved by two certified decisions: this many fit, one more (or one unit of the last digit
 * more) does not. */
#include <math.h>
#include <stdlib.h>

#include "compose/budget.h"
#include "core/search.h"
#include "num/ival.h"
#include "num/number.h"

/* Is it proved that so many uses fit, or that they do not? *met is why neither is. */
static dp_decision decide(unsigned *met, const budget *b, const mpz_t times)
{
    dp_composition copy;
    dp_status status = budget_extend(&copy, b, times);
    composing c;
    dp_decision answer = DP_UNKNOWN;
    dp_options rest = limits_rest(&b->lim, b->opt);
    rest.met = met;
    *met = 0;
    dp_status ready = composing_init(&c, &copy, &rest, b->out);
    if (status == DP_OK && ready == DP_OK)
        answer = composing_meets(&c, b->max_epsilon, b->max_delta);
    composing_clear(&c);
    dp_composition_clear(&copy);
    return answer;
}

/* Is it proved that so many uses fit? The search takes a bound that is not met for a no. */
static dp_decision fits(const void *context, const mpz_t times)
{
    const budget *b = context;
    unsigned met;
    if (limits_expired(&b->lim))
        return DP_UNKNOWN;
    dp_decision answer = decide(&met, b, times);
    b->out->met |= met & ~(unsigned)DP_MET_BOUND;
    return answer == DP_UNKNOWN && (met & DP_MET_BOUND) != 0 ? DP_NO : answer;
}

/* (max_epsilon - what is held) / per: what basic composition leaves to the added group. */
static void basic_share(mpfr_t out, const budget *b, const dp_number *per, const mpz_t times)
{
    mpfr_prec_t bits = mpfr_get_prec(out);
    logform rest;
    mpq_t minus;
    mpfi_t x, y;
    logform_init(&rest);
    mpq_init(minus);
    mpfi_init2(x, bits);
    mpfi_init2(y, bits);
    bool ok = logform_add_number(&rest, NULL, b->max_epsilon);
    for (size_t i = 0; ok && i < b->held->count; i++) {
        mpq_set_z(minus, b->held->item[i].times);
        mpq_neg(minus, minus);
        ok = logform_add_number(&rest, minus, &b->held->item[i].epsilon);
    }
    mpfr_set_zero(out, 1);
    if (ok) {
        logform_enclose(x, &rest);
        if (per != NULL)
            ival_set_number(y, per);
        else
            mpfi_set_z(y, times);
        if (mpfr_sgn(&x->left) > 0 && mpfr_sgn(&y->left) > 0)
            mpfr_div(out, &x->left, &y->right, MPFR_RNDD);
    }
    mpfi_clear(y);
    mpfi_clear(x);
    mpq_clear(minus);
    logform_clear(&rest);
}

static mpfr_prec_t share_bits(const budget *b)
{
    return 256 + (mpfr_prec_t)(number_bits(b->max_epsilon) + number_bits(&b->epsilon));
}

/* Where to look first: the guess, or what basic composition allows where that is more. */
static void start_times(mpz_t count, const budget *b)
{
    mpz_set_ui(count, 1);
    if (b->added != NULL && (uses_count(b->added) > 0 || b->added->count != 1))
        return;
    mpfr_t share;
    mpz_t basic;
    mpfr_init2(share, share_bits(b));
    mpz_init(basic);
    mpz_set_d(count, budget_guess_times(b));
    basic_share(share, b, &b->epsilon, NULL);
    mpfr_get_z(basic, share, MPFR_RNDD);
    if (mpz_cmp(basic, count) > 0)
        mpz_set(count, basic);
    if (b->added != NULL) /* of several models, for one */
        mpz_fdiv_q(count, count, b->added->item[0].times);
    mpz_clear(basic);
    mpfr_clear(share);
}

/* The row of the optimum at the budget's epsilon for the list with `times` uses more. */
static dp_status show(const budget *b, const mpz_t times)
{
    dp_composition copy;
    dp_status status = budget_extend(&copy, b, times);
    composing c;
    dp_options rest = limits_rest(&b->lim, b->opt);
    dp_status ready = composing_init(&c, &copy, &rest, b->out);
    status = status == DP_OK ? ready : status;
    if (status == DP_OK && !logform_add_number(&c.at, NULL, b->max_epsilon))
        status = DP_MEMORY;
    if (status == DP_OK)
        status = composing_at_epsilon(&c, &c.at);
    composing_clear(&c);
    dp_composition_clear(&copy);
    return status;
}

static dp_figure *add_solved(dp_result *out, const char *name)
{
    return row_quantity(&out->row[0], name);
}

/* No use of the item ever spends anything, or no budget ever refuses it. */
static bool is_free(const budget *b)
{
    bool nothing = dp_number_sgn(&b->epsilon) == 0 && mpq_sgn(b->delta) == 0;
    return (nothing && (b->added == NULL || uses_count(b->added) == 0)) ||
           mpq_cmp_ui(b->max_delta, 1, 1) >= 0;
}

/* Where it is not proved that the least that was asked fits: is it proved not to? */
static void decide_least(budget *b, const mpz_t times)
{
    unsigned met;
    dp_decision holds = decide(&met, b, times);
    bool nothing = mpz_sgn(times) == 0 ||
                   (b->added == NULL && mpq_sgn(b->delta) == 0 && dp_number_sgn(&b->epsilon) == 0);
    result_decide(b->out, holds, met);
    if (nothing && holds == DP_NO)
        result_note(b->out, "what the list holds already exceeds the budget");
    if (holds == DP_UNKNOWN && (met & DP_MET_BOUND) != 0)
        result_note(b->out, "the bound of what the list spends is not known to be tight: more may "
                            "fit than is proved");
}

/* The largest number of uses; to tell whether the next one fits, *open says that only so many are
 * proved to. */
static dp_decision find_times(mpz_t count, bool *open, const budget *b, bool next)
{
    start_times(count, b);
    dp_decision found = search_largest(count, fits, b);
    *open = false;
    if (found == DP_UNKNOWN && next) {
        mpz_t one;
        mpz_init_set_ui(one, 1);
        if (mpz_sgn(count) <= 0 && fits(b, one) == DP_YES)
            mpz_set(count, one);
        *open = mpz_sgn(count) > 0;
        mpz_clear(one);
    }
    return *open ? DP_YES : found;
}

/* The row of so many uses; of one where that is what was asked, or where none fits. */
static dp_status show_times(budget *b, const mpz_t count, bool any, bool open, bool one)
{
    mpz_set_ui(b->times, 1);
    dp_status status = show(b, one ? b->times : count);
    if (status != DP_OK)
        return status;
    dp_figure *f = add_solved(b->out, "times");
    f->kind = DP_RATIONAL;
    mpq_set_z(f->rational, count);
    if (open)
        result_note(b->out, "times is a number of uses that is proved to fit; more may");
    if (any)
        figure_set_infinite(f);
    if (any && mpq_cmp_ui(b->max_delta, 1, 1) >= 0) /* of any number of uses */
        figure_set_ui(row_figure(&b->out->row[0], "delta"), 1);
    return DP_OK;
}

static dp_status solve_times(budget *b, bool next, dp_error *err)
{
    dp_check *check = &b->out->check;
    mpz_t count;
    mpz_init(count);
    bool any = is_free(b), open = false;
    dp_decision found = any ? fits(b, count) : find_times(count, &open, b, next);
    any = any && found == DP_YES;
    if (found == DP_NO)
        mpz_set_si(count, -1);
    check->asked = true;
    bool enough = any || mpz_sgn(count) > 0;
    if (found != DP_UNKNOWN && enough)
        result_decide(b->out, DP_YES, 0);
    bool one = next || !enough;
    mpz_set_ui(b->times, mpz_sgn(count) < 0 ? 0 : 1);
    if (found != DP_UNKNOWN && !enough)
        decide_least(b, b->times);
    if (mpz_sgn(count) < 0)
        mpz_set_ui(count, 0);
    dp_status status = found == DP_UNKNOWN ? DP_UNDECIDED : show_times(b, count, any, open, one);
    mpz_clear(count);
    return status == DP_OK ? DP_OK : result_fail(b->out, err, status);
}

/* Candidates of epsilon are z units of the last digit asked for. */
typedef struct unit_budget {
    budget base;
    mpq_t unit;
} unit_budget;

static void set_multiple(dp_number *to, const mpq_t unit, const mpz_t z)
{
    mpq_t q;
    mpq_init(q);
    mpq_set_z(q, z);
    mpq_mul(q, q, unit);
    number_set_q(to, q);
    mpq_clear(q);
}

static dp_decision epsilon_fits(const void *context, const mpz_t z)
{
    const unit_budget *u = context;
    budget trial = u->base;
    dp_number_init(&trial.epsilon);
    set_multiple(&trial.epsilon, u->unit, z);
    dp_decision answer = fits(&trial, trial.times);
    dp_number_clear(&trial.epsilon);
    return answer;
}

/* 10^power as a rational */
static void power_of_ten(mpq_t out, long power)
{
    mpz_ui_pow_ui(mpq_numref(out), 10, (unsigned long)labs(power));
    mpz_set_ui(mpq_denref(out), 1);
    if (power < 0)
        mpq_inv(out, out);
}

/* The unit of the last digit asked for, and the start in such units. */
static void start_epsilon(mpz_t z, mpq_t unit, const budget *b)
{
    mpfr_t start, share;
    mpfr_init2(start, 128);
    mpfr_init2(share, 128);
    mpfr_set_d(start, budget_guess_epsilon(b), MPFR_RNDN);
    basic_share(share, b, NULL, b->times);
    if (mpfr_cmp(share, start) > 0)
        mpfr_set(start, share, MPFR_RNDN);
    if (mpfr_sgn(start) > 0) {
        mpfr_exp_t point;
        mpfr_free_str(mpfr_get_str(NULL, &point, 10, 2, start, MPFR_RNDD));
        power_of_ten(unit, (long)point - (long)b->opt->digits);
        mpfr_div_q(start, start, unit, MPFR_RNDN);
        mpfr_get_z(z, start, MPFR_RNDD);
    } else {
        power_of_ten(unit, -300);
    }
    mpfr_clear(share);
    mpfr_clear(start);
}

static dp_status solve_epsilon(budget *b, dp_error *err)
{
    if (mpq_cmp_ui(b->max_delta, 1, 1) >= 0)
        return fail(err, DP_UNAVAILABLE, "max_delta", "allows any epsilon");
    unit_budget u = {.base = *b};
    mpz_t z;
    mpz_init(z);
    mpq_init(u.unit);
    start_epsilon(z, u.unit, b);
    dp_decision found = search_largest(z, epsilon_fits, &u);
    bool enough = mpz_sgn(z) >= 0; /* else not even 0: delta alone is too large */
    if (!enough)
        mpz_set_ui(z, 0);
    set_multiple(&b->epsilon, u.unit, z);
    if (found != DP_UNKNOWN && enough)
        result_decide(b->out, DP_YES, 0);
    else if (found != DP_UNKNOWN)
        decide_least(b, b->times);
    dp_status status = found == DP_UNKNOWN ? DP_UNDECIDED : show(b, b->times);
    if (status == DP_OK) {
        figure_set_q(add_solved(b->out, "use_epsilon"), number_rational(&b->epsilon));
        if (enough)
            result_note(b->out, "use_epsilon is the largest decimal of the asked digits that fits");
    }
    mpq_clear(u.unit);
    mpz_clear(z);
    return status == DP_OK ? DP_OK : result_fail(b->out, err, status);
}

dp_status budget_domain(const dp_compose_query *q, const dp_options *opt, dp_error *err)
{
    if (opt->max_epsilon == NULL && opt->max_delta == NULL)
        return fail(err, DP_DOMAIN, "max_epsilon", "is missing; give the budget to stay within");
    if (q->solve == DP_SOLVE_EPSILON && q->uses == NULL)
        return fail(err, DP_DOMAIN, "uses",
                    "is missing; say how many uses are to share the budget");
    bool added = q->add != NULL || q->added != NULL;
    if (q->added != NULL && (q->add != NULL || q->solve == DP_SOLVE_EPSILON))
        return fail(err, DP_DOMAIN, "add", "is given in two ways, or beside solve epsilon");
    if (q->added != NULL && q->added->adjacency != q->list->adjacency)
        return fail(err, DP_DOMAIN, "add", "must be stated for the relation of the list");
    if (q->added != NULL && q->added->count + uses_count(q->added) == 0)
        return fail(err, DP_DOMAIN, "add", "is empty; name a mechanism");
    bool single = q->list->count + uses_count(q->list) == 1 && q->list->cells == NULL;
    if (q->solve != DP_SOLVE_EPSILON && !added && !single)
        return fail(err, DP_DOMAIN, "add",
                    "is missing; name the mechanism whose uses are to be counted");
    return DP_OK;
}

/* An item that spends something, or any, or none where there are none. */
static const dp_item *first_spending(const dp_composition *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (dp_number_sgn(&list->item[i].epsilon) > 0 || mpq_sgn(list->item[i].delta) > 0)
            return &list->item[i];
    return list->count > 0 ? &list->item[0] : NULL;
}

dp_status budget_answer(dp_result *out, const dp_compose_query *q, const dp_options *opt,
                        dp_error *err)
{
    dp_status status = DP_OK;
    dp_composition nothing, single;
    dp_composition_init_under(&nothing, q->list->adjacency);
    dp_composition_init_under(&single, q->list->adjacency);
    const dp_item *item = q->add;
    budget b = {.held = q->list,
                .max_epsilon = &out->check.max_epsilon,
                .max_delta = number_rational(&out->check.max_delta),
                .opt = opt,
                .out = out};
    limits_start(&b.lim, opt);
    b.lim.met = &out->met;
    if (q->added != NULL) {
        b.added = q->added;
        item = first_spending(q->added);
    } else if (item == NULL && q->solve == DP_SOLVE_TIMES) { /* the single item itself */
        item = q->list->count > 0 ? &q->list->item[0] : NULL;
        b.held = &nothing;
        b.added = &single;
        status = known_single(&single, q->list);
    }
    dp_number_init(&b.epsilon);
    mpq_init(b.delta);
    mpz_init_set_ui(b.times, 1);
    if (status != DP_OK) {
        result_fail(out, err, status);
    } else if (q->solve == DP_SOLVE_EPSILON) {
        mpz_set(b.times, q->uses);
        dp_number_set_ui(&b.epsilon, 1);
        if (q->use_delta != NULL)
            mpq_set(b.delta, number_rational(q->use_delta));
        status = solve_epsilon(&b, err);
    } else {
        if (item != NULL) {
            dp_number_set(&b.epsilon, &item->epsilon);
            mpq_set(b.delta, item->delta);
        }
        status = solve_times(&b, q->solve == DP_SOLVE_NOTHING, err);
    }
    dp_number_clear(&b.epsilon);
    mpq_clear(b.delta);
    mpz_clear(b.times);
    dp_composition_clear(&single);
    return status;
}
