/* SPDX-License-Identifier: MIT */
/* How much noise a budget (E, D) needs, or how much else it bears: the least decimal of the asked
 * digits of one parameter of a mechanism, alone or beside what is spent, whose privacy grows with
 * it, or the largest one, or the largest integer, where it falls. The search may start anywhere; it
 * ends with two certified decisions, that this value fits and that the next one does not. */
#include "compose/calibrate.h"

#include <stdlib.h>
#include <string.h>

#include "core/search.h"
#include "num/number.h"

#define MOST_DOUBLINGS 4000 /* of the size: beyond it is 10^1204 */
#define SHARE 3             /* of the time, for one decision */

/* It fits: is it nearer to what does not than what is known to fit? */
static void keep_best(const calibration *c, const mpq_t x)
{
    int order = mpq_cmp(x, c->so_far->best);
    if (mpq_sgn(c->so_far->best) == 0 || (c->grows ? order < 0 : order > 0))
        mpq_set(c->so_far->best, x);
}

/* Values that fit and values that do not, on the two sides of what is sought. */
static void keep_far(const calibration *c, const mpq_t x)
{
    mpq_ptr far = c->so_far->far;
    if (mpq_sgn(far) == 0 || (c->grows ? mpq_cmp(x, far) > 0 : mpq_cmp(x, far) < 0))
        mpq_set(far, x);
}

static void tell(const calibration *c)
{
    mpq_srcptr best = mpq_sgn(c->so_far->best) != 0 ? c->so_far->best : NULL,
               far = mpq_sgn(c->so_far->far) != 0 ? c->so_far->far : NULL;
    limits_narrowed_q(&c->lim, c->key, c->grows ? far : best, c->grows ? best : far);
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
    rest.narrowed = NULL;      /* of one value; the search is told of */
    rest.max_seconds /= SHARE; /* another value may be easier to tell */
    limits_share(&rest);
    dp_status status = calibration_list(&copy, c, x),
              ready = composing_init(&g, &copy, &rest, c->out);
    if (status == DP_OK && ready == DP_OK)
        answer = composing_meets(&g, c->max_epsilon, c->max_delta);
    composing_clear(&g);
    dp_composition_clear(&copy);
    c->so_far->met |= met;
    if (answer == DP_YES)
        keep_best(c, x);
    else if (answer == DP_NO)
        keep_far(c, x);
    tell(c);
    return answer == DP_UNKNOWN && (met & DP_MET_BOUND) != 0 ? DP_NO : answer;
}

static void candidate(mpq_t x, const calibration *c, const mpz_t z)
{
    if (c->grows)
        mpz_sub(mpq_numref(x), c->top, z);
    else
        mpz_set(mpq_numref(x), z);
    mpz_set_ui(mpq_denref(x), 1);
    mpq_mul(x, x, c->unit);
}

/* Noise must be above 0; without steps, or where nobody is sampled, nothing is spent; a share is at
 * most 1. */
static dp_decision fits(const void *context, const mpz_t z)
{
    const calibration *c = context;
    if (c->grows ? mpz_cmp(z, c->top) >= 0 : mpz_sgn(z) == 0)
        return c->grows ? DP_NO : DP_YES;
    mpq_t x;
    mpq_init(x);
    candidate(x, c, z);
    dp_decision answer = c->share && mpq_cmp_ui(x, 1, 1) > 0 ? DP_NO : meets(c, x);
    mpq_clear(x);
    return answer;
}

/* x = a power of 2, or 1/2 to one, that meets the budget while the next one on the side where less
 * is private does not. DP_NO: none does; DP_UNKNOWN. */
static dp_decision bracket(mpq_t x, const calibration *c)
{
    dp_decision first = meets(c, x), answer = first;
    mpq_t next;
    mpq_init(next);
    bool only = (c->share && first == DP_YES) || (c->whole && first == DP_NO);
    for (int i = 0; !only && answer == first && answer != DP_UNKNOWN && i < MOST_DOUBLINGS; i++) {
        mpq_set(next, x);
        if ((first == DP_YES) == c->grows)
            mpq_div_2exp(next, next, 1);
        else
            mpq_mul_2exp(next, next, 1);
        answer = meets(c, next);
        if (answer == first || first == DP_NO)
            mpq_set(x, next);
    }
    mpq_clear(next);
    return answer == DP_UNKNOWN ? DP_UNKNOWN : answer == first && first == DP_NO ? DP_NO : DP_YES;
}

/* unit = 10^(exponent of x - digits), or 1; z = the candidate next to x that is more private; top =
 * x in such units, or twice that where a search goes on to both sides. */
static void set_units(calibration *c, mpz_t z, const mpq_t x, bool both)
{
    mpfr_t size;
    mpfr_exp_t point;
    mpq_t count;
    mpfr_init2(size, 64);
    mpq_init(count);
    mpfr_set_q(size, x, MPFR_RNDU);
    mpfr_free_str(mpfr_get_str(NULL, &point, 10, 2, size, MPFR_RNDD));
    long power = c->whole ? 0 : (long)point - (long)c->opt->digits;
    mpz_ui_pow_ui(mpq_numref(c->unit), 10, (unsigned long)labs(power));
    mpz_set_ui(mpq_denref(c->unit), 1);
    if (power < 0)
        mpq_inv(c->unit, c->unit);
    mpq_div(count, x, c->unit);
    (c->grows ? mpz_cdiv_q : mpz_fdiv_q)(z, mpq_numref(count), mpq_denref(count));
    if (c->grows) {
        mpz_mul_2exp(c->top, z, both ? 1 : 0);
        mpz_sub(z, c->top, z);
    }
    mpq_clear(count);
    mpfr_clear(size);
}

/* The row at the budget's epsilon with the value found, and the value. */
static dp_status show(calibration *c, const mpq_t x)
{
    dp_composition copy;
    composing g;
    dp_options rest = limits_rest(&c->lim, c->opt);
    dp_status status = calibration_list(&copy, c, x),
              ready = composing_init(&g, &copy, &rest, c->out);
    status = status == DP_OK ? ready : status;
    if (status == DP_OK && !logform_add_number(&g.at, NULL, c->max_epsilon))
        status = DP_MEMORY;
    if (status == DP_OK)
        status = composing_at_epsilon(&g, &g.at);
    if (status == DP_OK) {
        dp_row *row = &c->out->row[0];
        dp_figure *delta = row_figure(row, "delta");
        if (c->out->check.holds == DP_YES && delta->kind == DP_ENCLOSED &&
            mpfr_cmp_q(&delta->enclosure->right, c->max_delta) > 0)
            mpfr_set_q(&delta->enclosure->right, c->max_delta, MPFR_RNDU); /* was decided */
        figure_set_q(row_quantity(row, c->key), x);
        row->quantity[row->count - 1].is_solved = true;
    }
    composing_clear(&g);
    dp_composition_clear(&copy);
    return status;
}

/* DP_YES where that candidate fits and the next one does not, or it does not and the one before
 * does, which is z then. */
static dp_decision settled(mpz_t z, const calibration *c)
{
    dp_decision answer = mpz_sgn(z) > 0 ? fits(c, z) : DP_UNKNOWN;
    if (answer == DP_UNKNOWN)
        return DP_UNKNOWN;
    (answer == DP_YES ? mpz_add_ui : mpz_sub_ui)(z, z, 1);
    dp_decision next = fits(c, z);
    if (answer == DP_YES)
        mpz_sub_ui(z, z, 1);
    return next != DP_UNKNOWN && next != answer ? DP_YES : DP_UNKNOWN;
}

/* Where what is next to the guess is not decided within the limits: what is farther, until
 * something is known to fit. */
static void step_back(const calibration *c, const mpz_t z)
{
    static const mp_bitcnt_t shares[] = {30, 20, 12, 6, 3, 1};
    mpz_t back;
    mpz_init(back);
    for (size_t i = 0; mpq_sgn(c->so_far->best) == 0 && i < sizeof shares / sizeof *shares; i++) {
        mpz_fdiv_q_2exp(back, z, shares[i]);
        mpz_sub(back, z, back);
        if (mpz_cmp(back, z) < 0 && mpz_sgn(back) > 0)
            fits(c, back);
    }
    mpz_clear(back);
}

/* From a guess, or from where secants lead from there. */
static dp_decision guessed(mpz_t z, calibration *c)
{
    const dp_use *u = &c->list->uses->use[0];
    const mechanism_type *type = u->mechanism->type;
    mpq_t near;
    mpq_init(near);
    dp_decision answer = DP_UNKNOWN;
    bool any = type->guess != NULL && mpq_sgn(c->max_delta) > 0 &&
               type->guess(near, u->mechanism, c->name, u->times, c->max_epsilon, c->max_delta);
    if (any && type->adds && c->beside == NULL) { /* as good as doubles can */
        set_units(c, z, near, true);
        answer = settled(z, c);
    } else if (any && calibration_approach(near, c)) {
        set_units(c, z, near, true);
        answer = settled(z, c);
        if (answer == DP_UNKNOWN && !limits_expired(&c->lim))
            answer = search_largest(z, fits, c);
        if (mpz_sgn(z) < 0)
            answer = DP_UNKNOWN;
        else if (answer == DP_UNKNOWN)
            step_back(c, z);
    }
    mpq_clear(near);
    return answer;
}

/* Has the value fewer digits in the unit than are asked? */
static bool is_short(const calibration *c, const mpq_t x)
{
    mpq_t most;
    mpq_init(most);
    mpz_ui_pow_ui(mpq_numref(most), 10, (unsigned long)c->opt->digits - 1);
    mpq_mul(most, most, c->unit);
    bool is = mpq_sgn(x) > 0 && mpq_cmp(x, most) < 0;
    mpq_clear(most);
    return is;
}

/* From x, which fits; where what is found is in a lower decade, from there once more. */
static dp_decision search_below(mpz_t z, mpq_t x, calibration *c)
{
    for (;;) {
        set_units(c, z, x, false);
        dp_decision found = search_largest(z, fits, c);
        if (found != DP_YES || !c->grows || c->whole)
            return found;
        candidate(x, c, z);
        if (!is_short(c, x))
            return found;
    }
}

/* Not a single step: the row is that of one. */
static dp_status show_none(calibration *c)
{
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    dp_status status = show(c, one);
    dp_row *row = &c->out->row[0];
    if (status == DP_OK)
        mpq_set_ui(row->quantity[row->count - 1].figure.rational, 0, 1);
    mpq_clear(one);
    return status;
}

static void note_value(calibration *c, const mpq_t x, bool sure)
{
    static const char *const text[][2] = {
        {"the solved value is the least decimal of the asked digits that keeps the budget",
         "the solved value is proved to keep the budget; within the limits it is not known whether "
         "less would"},
        {"the solved value is proved to keep the budget, and the next one not to",
         "the solved value is proved to keep the budget; within the limits it is not known whether "
         "more would"},
        {"the solved value is proved to keep the budget, and the next smaller one not to; larger "
         "ones "
         "may not: more of this noise is not always more private",
         "the solved value is proved to keep the budget; larger ones may not: more of this noise "
         "is "
         "not always more private"}};
    size_t kind = c->list->uses->use[0].mechanism->type->uneven ? 2 : c->grows ? 0 : 1;
    bool all = c->share && mpq_cmp_ui(x, 1, 1) == 0;
    result_note(c->out, all ? "every value keeps the budget" : text[kind][!sure]);
}

/* What the search found, x where it is a value. */
static dp_status finish(calibration *c, dp_decision found, const mpq_t x, bool sure, dp_error *err)
{
    c->out->met |= c->so_far->met & ~(unsigned)DP_MET_BOUND;
    bool open = (c->so_far->met & DP_MET_BOUND) != 0;
    if (found == DP_NO && ((mpq_sgn(c->max_delta) > 0 && c->grows) || open))
        found = DP_UNKNOWN; /* noise beyond all doublings would do, or a better bound */
    if (found == DP_UNKNOWN)
        return result_fail(c->out, err, DP_UNDECIDED);
    result_decide(c->out, found, 0);
    if (found == DP_YES) {
        dp_status status = show(c, x);
        if (status == DP_OK) /* of a bound it is not known what it does not prove */
            note_value(c, x, sure && !(open && c->beside != NULL));
        return status;
    }
    if (c->whole)
        return show_none(c);
    result_note(c->out, c->grows ? "no value fits: at this epsilon delta is above 0 whatever the "
                                   "noise; any delta above 0 has a value that does"
                                 : "no value above 0 fits");
    return DP_OK;
}

/* Beside others more noise is more private too: the larger Gaussian or Laplace noise is the smaller
 * one with noise of its own added (for Laplace (1 + b^2 t^2) / (1 + B^2 t^2) is the transform of 0
 * with probability (b/B)^2, else the larger noise), which takes nothing from the others. */

/* Does what is beside the mechanism keep the budget by itself? More noise leaves no less. */
static dp_decision leaves_room(const calibration *c)
{
    composing g;
    dp_options rest = limits_rest(&c->lim, c->opt);
    rest.met = &c->so_far->met;
    rest.max_seconds /= SHARE;
    limits_share(&rest);
    dp_decision answer = DP_UNKNOWN;
    if (composing_init(&g, c->beside, &rest, c->out) == DP_OK)
        answer = composing_meets(&g, c->max_epsilon, c->max_delta);
    composing_clear(&g);
    return answer;
}

/* False, with the answer, where nothing is left, or that is not decided. */
static bool has_room(calibration *c, dp_status *status, dp_error *err)
{
    dp_decision answer = c->beside == NULL ? DP_YES : leaves_room(c);
    *status = DP_OK;
    if (answer == DP_NO) {
        result_decide(c->out, DP_NO, 0);
        result_note(c->out, "nothing is left: what is spent already is beyond the budget, whatever "
                            "the noise of the next release");
    } else if (answer == DP_UNKNOWN) {
        *status = result_fail(c->out, err, DP_UNDECIDED);
    }
    return answer == DP_YES;
}

static dp_status solve(calibration *c, dp_error *err)
{
    dp_status room;
    if (!has_room(c, &room, err))
        return room;
    mpq_t x;
    mpz_t z;
    mpq_init(x);
    mpz_init(z);
    dp_decision found = guessed(z, c);
    if (found != DP_YES && mpq_sgn(c->so_far->best) == 0) {
        mpq_set_ui(x, 1, 1);
        found = bracket(x, c);
        if (found == DP_YES)
            found = search_below(z, x, c);
    }
    if (found == DP_YES)
        candidate(x, c, z);
    if (found == DP_YES && mpq_sgn(x) <= 0)
        found = DP_NO;
    bool sure = found == DP_YES;
    if (found == DP_UNKNOWN && mpq_sgn(c->so_far->best) > 0) {
        mpq_set(x, c->so_far->best);
        found = DP_YES;
    }
    dp_status status = finish(c, found, x, sure, err);
    mpz_clear(z);
    mpq_clear(x);
    return status;
}

/* Is it one of "a|b"? */
static bool is_among(const char *names, const char *name)
{
    for (size_t n; names != NULL; names = names[n] == '|' ? names + n + 1 : NULL) {
        n = strcspn(names, "|");
        if (strlen(name) == n && memcmp(names, name, n) == 0)
            return true;
    }
    return false;
}

dp_status calibrate_domain(const dp_compose_query *q, const dp_options *opt, dp_error *err)
{
    if (opt->max_epsilon == NULL && opt->max_delta == NULL)
        return fail(err, DP_DOMAIN, "max_epsilon", "is missing; give the budget to stay within");
    const dp_composition *one = q->added != NULL ? q->added : q->list;
    if (one->count > 0 || uses_count(one) != 1)
        return fail(err, DP_DOMAIN, q->added != NULL ? "added" : "list",
                    "must hold the one mechanism that is solved for");
    if (one->adjacency != q->list->adjacency)
        return fail(err, DP_DOMAIN, "added", "must be stated for the relation of the list");
    const mechanism_type *type = one->uses->use[0].mechanism->type;
    bool noise = q->parameter != NULL && is_among(type->noise, q->parameter);
    if (q->parameter == NULL || (!noise && !is_among(type->spends, q->parameter)))
        return fail(err, DP_DOMAIN, "parameter",
                    "must name the size of the noise of the mechanism, such as sigma");
    if (opt->max_delta != NULL && mpq_cmp_ui(number_rational(opt->max_delta), 1, 1) >= 0)
        return fail(err, DP_UNAVAILABLE, "max_delta",
                    noise ? "allows any noise" : "allows any value");
    const dp_use *use = &one->uses->use[0];
    if (noise && q->added == NULL && opt->max_delta != NULL && type->keeps_any != NULL &&
        type->keeps_any(use->mechanism, use->times, number_rational(opt->max_delta)))
        return fail(err, DP_UNAVAILABLE, "max_delta", type->any_noise);
    return DP_OK;
}

dp_status calibrate_answer(dp_result *out, const dp_compose_query *q, const dp_options *opt,
                           dp_error *err)
{
    struct progress so_far = {0};
    const dp_composition *one = q->added != NULL ? q->added : q->list;
    const dp_mechanism *m = one->uses->use[0].mechanism;
    const parameter *p = mechanism_value(m, q->parameter)->of;
    calibration c = {.list = one,
                     .beside = one != q->list && !list_is_empty(q->list) ? q->list : NULL,
                     .name = q->parameter,
                     .key = parameter_key(p),
                     .grows = is_among(m->type->noise, q->parameter),
                     .whole = p->kind == KIND_COUNT,
                     .share = p->kind == KIND_PROBABILITY,
                     .max_epsilon = &out->check.max_epsilon,
                     .max_delta = number_rational(&out->check.max_delta),
                     .opt = opt,
                     .out = out,
                     .so_far = &so_far};
    limits_start(&c.lim, opt);
    c.lim.met = &out->met;
    mpq_inits(c.unit, so_far.best, so_far.far, NULL);
    mpz_init(c.top);
    out->check.asked = true;
    dp_status status = solve(&c, err);
    mpz_clear(c.top);
    mpq_clears(c.unit, so_far.best, so_far.far, NULL);
    return status;
}
