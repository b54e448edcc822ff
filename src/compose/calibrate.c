/* SPDX-License-Identifier: MIT */
/* How much noise a budget (E, D) needs: the least decimal of the asked digits of one parameter of
 * the only mechanism of a list, whose privacy grows with it. The search may start anywhere; it ends
 * with two certified decisions, that this decimal fits and one unit of its last digit less does
 * not. */
#include <stdlib.h>
#include <string.h>

#include "compose/optimal.h"

#include "core/mechanism.h"
#include "core/search.h"
#include "num/number.h"

#define MOST_DOUBLINGS 4000 /* of the size: beyond it is 10^1204 */

typedef struct calibration {
    const dp_composition *list;
    const char *name;
    mpq_t unit; /* candidates are (top - z) units */
    mpz_t top;
    const dp_number *max_epsilon;
    mpq_srcptr max_delta;
    const dp_options *opt;
    limits lim;
    dp_result *out;
    struct progress {
        unsigned met;
        mpq_t best; /* the least value that is proved to fit so far; 0: none */
    } * so_far;
} calibration;

/* copy = the list with that value in its mechanism */
static dp_status with_value(dp_composition *copy, const calibration *c, const mpq_t x)
{
    mpz_t one;
    mpz_init_set_ui(one, 1);
    dp_composition_init_under(copy, c->list->adjacency);
    dp_status status = uses_append(copy, c->list, one);
    if (status == DP_OK)
        mechanism_set_q(copy->uses->use[0].mechanism, c->name, x);
    mpz_clear(one);
    return status;
}

static dp_decision meets(const calibration *c, const mpq_t x)
{
    if (limits_expired(&c->lim))
        return DP_UNKNOWN;
    dp_composition copy;
    composing g;
    unsigned met = 0;
    dp_decision answer = DP_UNKNOWN;
    dp_options rest = limits_rest(&c->lim, c->opt);
    rest.met = &met;
    dp_status status = with_value(&copy, c, x), ready = composing_init(&g, &copy, &rest, c->out);
    if (status == DP_OK && ready == DP_OK)
        answer = composing_meets(&g, c->max_epsilon, c->max_delta);
    composing_clear(&g);
    dp_composition_clear(&copy);
    c->so_far->met |= met;
    if (answer == DP_YES && (mpq_sgn(c->so_far->best) == 0 || mpq_cmp(x, c->so_far->best) < 0))
        mpq_set(c->so_far->best, x);
    return answer == DP_UNKNOWN && (met & DP_MET_BOUND) != 0 ? DP_NO : answer;
}

static void candidate(mpq_t x, const calibration *c, const mpz_t z)
{
    mpz_sub(mpq_numref(x), c->top, z);
    mpz_set_ui(mpq_denref(x), 1);
    mpq_mul(x, x, c->unit);
}

/* Values must be above 0. */
static dp_decision fits(const void *context, const mpz_t z)
{
    const calibration *c = context;
    if (mpz_cmp(z, c->top) >= 0)
        return DP_NO;
    mpq_t x;
    mpq_init(x);
    candidate(x, c, z);
    dp_decision answer = meets(c, x);
    mpq_clear(x);
    return answer;
}

/* x = a power of 2 that meets the budget while its half does not. DP_NO: none does; DP_UNKNOWN. */
static dp_decision bracket(mpq_t x, const calibration *c)
{
    dp_decision first = meets(c, x), answer = first;
    mpq_t half;
    mpq_init(half);
    for (int i = 0; answer == first && answer != DP_UNKNOWN && i < MOST_DOUBLINGS; i++) {
        mpq_set(half, x);
        if (first == DP_YES)
            mpq_div_2exp(half, half, 1);
        else
            mpq_mul_2exp(half, half, 1);
        answer = meets(c, half);
        if (answer == first || first == DP_NO)
            mpq_set(x, half);
    }
    mpq_clear(half);
    return answer == DP_UNKNOWN ? DP_UNKNOWN : answer == first && first == DP_NO ? DP_NO : DP_YES;
}

/* unit = 10^(exponent of x - digits), top = x in such units, rounded up */
static void set_units(calibration *c, const mpq_t x)
{
    mpfr_t size;
    mpfr_exp_t point;
    mpq_t count;
    mpfr_init2(size, 64);
    mpq_init(count);
    mpfr_set_q(size, x, MPFR_RNDU);
    mpfr_free_str(mpfr_get_str(NULL, &point, 10, 2, size, MPFR_RNDD));
    long power = (long)point - (long)c->opt->digits;
    mpz_ui_pow_ui(mpq_numref(c->unit), 10, (unsigned long)labs(power));
    mpz_set_ui(mpq_denref(c->unit), 1);
    if (power < 0)
        mpq_inv(c->unit, c->unit);
    mpq_div(count, x, c->unit);
    mpz_cdiv_q(c->top, mpq_numref(count), mpq_denref(count));
    mpq_clear(count);
    mpfr_clear(size);
}

/* The row at the budget's epsilon with the value found, and the value. */
static dp_status show(calibration *c, const mpq_t x, bool least)
{
    dp_composition copy;
    composing g;
    dp_options rest = limits_rest(&c->lim, c->opt);
    dp_status status = with_value(&copy, c, x), ready = composing_init(&g, &copy, &rest, c->out);
    status = status == DP_OK ? ready : status;
    if (status == DP_OK && !logform_add_number(&g.at, NULL, c->max_epsilon))
        status = DP_MEMORY;
    if (status == DP_OK)
        status = composing_at_epsilon(&g, &g.at);
    if (status == DP_OK) {
        dp_row *row = &c->out->row[0];
        dp_figure *delta = row_figure(row, "delta");
        if (delta->kind == DP_ENCLOSED && mpfr_cmp_q(&delta->enclosure->right, c->max_delta) > 0)
            mpfr_set_q(&delta->enclosure->right, c->max_delta, MPFR_RNDU); /* was decided */
        figure_set_q(row_quantity(row, c->name), x);
        row->quantity[row->count - 1].is_solved = true;
        result_note(c->out, least
                                ? "the solved value is the least decimal of the asked digits that "
                                  "keeps the budget"
                                : "the solved value is proved to keep the budget; within the "
                                  "limits it is not known whether less would");
    }
    composing_clear(&g);
    dp_composition_clear(&copy);
    return status;
}

/* x = the least power of 2 above a guess, z = the guess in units below it: DP_YES where that
 * candidate fits and the next one does not, or it does not and the one before does. */
static dp_decision guessed(mpq_t x, mpz_t z, calibration *c)
{
    const dp_use *u = &c->list->uses->use[0];
    mpq_t near;
    mpq_init(near);
    dp_decision answer = DP_UNKNOWN;
    if (u->mechanism->type->guess != NULL && mpq_sgn(c->max_delta) > 0 &&
        u->mechanism->type->guess(near, u->mechanism, u->times, c->max_epsilon, c->max_delta)) {
        mpq_set_ui(x, 1, 1);
        for (int i = 0; mpq_cmp(x, near) <= 0 && i < MOST_DOUBLINGS; i++)
            mpq_mul_2exp(x, x, 1);
        for (int i = 0; i < MOST_DOUBLINGS; i++) {
            mpq_div_2exp(x, x, 1);
            if (mpq_cmp(x, near) <= 0)
                break;
        }
        mpq_mul_2exp(x, x, 1);
        set_units(c, x);
        mpq_div(near, near, c->unit);
        mpz_cdiv_q(z, mpq_numref(near), mpq_denref(near));
        mpz_sub(z, c->top, z);
        answer = mpz_sgn(z) > 0 ? fits(c, z) : DP_UNKNOWN;
        if (answer != DP_UNKNOWN) {
            (answer == DP_YES ? mpz_add_ui : mpz_sub_ui)(z, z, 1);
            dp_decision next = fits(c, z);
            if (answer == DP_YES)
                mpz_sub_ui(z, z, 1);
            answer = next != DP_UNKNOWN && next != answer ? DP_YES : DP_UNKNOWN;
        }
    }
    mpq_clear(near);
    return answer;
}

static dp_status solve(calibration *c, dp_error *err)
{
    mpq_t x;
    mpz_t z;
    mpq_init(x);
    mpz_init(z);
    dp_decision found = guessed(x, z, c);
    if (found != DP_YES) {
        mpq_set_ui(x, 1, 1);
        mpz_set_ui(z, 0);
        found = bracket(x, c);
        if (found == DP_YES) {
            set_units(c, x);
            found = search_largest(z, fits, c);
        }
    }
    if (found == DP_YES)
        candidate(x, c, z);
    bool least = found == DP_YES;
    if (found == DP_UNKNOWN && mpq_sgn(c->so_far->best) > 0) {
        mpq_set(x, c->so_far->best);
        found = DP_YES;
    }
    dp_status status = DP_OK;
    c->out->met |= c->so_far->met & ~(unsigned)DP_MET_BOUND;
    if (found == DP_NO && (mpq_sgn(c->max_delta) > 0 || (c->so_far->met & DP_MET_BOUND) != 0))
        found = DP_UNKNOWN; /* noise beyond all doublings would do, or a better bound */
    if (found == DP_UNKNOWN)
        status = result_fail(c->out, err, DP_UNDECIDED);
    else
        result_decide(c->out, found, 0);
    if (found == DP_YES)
        status = show(c, x, least);
    else if (found == DP_NO)
        result_note(c->out, "no value fits: at this epsilon delta is above 0 whatever the noise; "
                            "any delta above 0 has a value that does");
    mpz_clear(z);
    mpq_clear(x);
    return status;
}

dp_status calibrate_domain(const dp_compose_query *q, const dp_options *opt, dp_error *err)
{
    if (opt->max_epsilon == NULL && opt->max_delta == NULL)
        return fail(err, DP_DOMAIN, "max_epsilon", "is missing; give the budget to stay within");
    if (q->list->count > 0 || uses_count(q->list) != 1)
        return fail(err, DP_DOMAIN, "list", "must hold the one mechanism that is solved for");
    const char *grows = q->list->uses->use[0].mechanism->type->noise;
    if (q->parameter == NULL || grows == NULL || strcmp(grows, q->parameter) != 0)
        return fail(err, DP_DOMAIN, "parameter",
                    "must name the size of the noise of the mechanism, such as sigma");
    if (opt->max_delta != NULL && mpq_cmp_ui(number_rational(opt->max_delta), 1, 1) >= 0)
        return fail(err, DP_UNAVAILABLE, "max_delta", "allows any noise");
    return DP_OK;
}

dp_status calibrate_answer(dp_result *out, const dp_compose_query *q, const dp_options *opt,
                           dp_error *err)
{
    struct progress so_far = {0};
    calibration c = {.list = q->list,
                     .name = q->parameter,
                     .max_epsilon = &out->check.max_epsilon,
                     .max_delta = number_rational(&out->check.max_delta),
                     .opt = opt,
                     .out = out,
                     .so_far = &so_far};
    limits_start(&c.lim, opt);
    c.lim.met = &out->met;
    mpq_inits(c.unit, so_far.best, NULL);
    mpz_init(c.top);
    out->check.asked = true;
    dp_status status = solve(&c, err);
    mpz_clear(c.top);
    mpq_clears(c.unit, so_far.best, NULL);
    return status;
}
