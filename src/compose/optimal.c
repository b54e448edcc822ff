/* SPDX-License-Identifier: MIT */
/* The rows of a composition. A row is exact only where what is composed attains its pairs; the
 * pairs of what is known by a curve are chosen for each question. */
#include "compose/optimal.h"

#include <math.h>

#include "compose/choosing.h"
#include "compose/pairs.h"
#include "core/refine.h"
#include "num/number.h"

/* Items are merged at about this many seconds each, which nothing interrupts: not begun where it
 * would outlast the time by more than the grace. */
#define MERGE_SECONDS 4e-6

#define NEAR_END 0.8     /* of the largest loss */
#define ROUNDING_BITS 64 /* beyond the digits: how far a chosen pair is above its curve */

dp_status composing_init_closed(composing *c, const dp_composition *items, const dp_options *opt,
                                dp_result *out)
{
    c->items = items;
    c->has_engine = false;
    c->has_chosen = false;
    c->general = uses_count(items) > 0;
    c->has_laws = known_has_laws(items);
    c->laws_open = false;
    c->opt = opt;
    c->out = out;
    logform_init(&c->at);
    limits_start(&c->limits, opt);
    if (c->limits.met == NULL)
        c->limits.met = &out->met;
    static const dp_composition none;
    bool in_time = limits_time_for(&c->limits, MERGE_SECONDS * (double)items->count);
    dp_status status = composed_init(&c->list, in_time ? items : &none);
    if (!in_time && status == DP_OK)
        status = DP_LIMIT;
    c->list.total.lim = &c->limits;
    for (size_t i = 0; i < 2; i++) {
        c->choice[i].made = c->choice[i].found = false;
        mpq_init(c->choice[i].alpha);
    }
    c->in = (compose_in){.list = &c->list, .items = items, .choice = c->choice};
    dp_status ready = c->general ? sides_init(&c->sides, items) : DP_OK;
    return status == DP_OK ? ready : status;
}

dp_status composing_init(composing *c, const dp_composition *items, const dp_options *opt,
                         dp_result *out)
{
    dp_status status = composing_init_closed(c, items, opt, out);
    if (c->general)
        return status;
    dp_status ready = engine_init(&c->engine, &c->list.product);
    c->engine.all.top.lim = &c->limits;
    c->has_engine = true;
    return status == DP_OK ? ready : status;
}

static void drop_chosen(composing *c)
{
    if (c->has_chosen) {
        engine_clear(&c->chosen);
        composed_clear(&c->chosen_list);
    }
    c->has_chosen = false;
}

static void drop_laws(composing *c)
{
    if (c->laws_open)
        sides_clear(&c->laws);
    c->laws_open = false;
}

void composing_clear(composing *c)
{
    drop_chosen(c);
    if (c->general)
        sides_clear(&c->sides);
    if (c->has_engine)
        engine_clear(&c->engine);
    drop_laws(c);
    composed_clear(&c->list);
    for (size_t i = 0; i < 2; i++)
        mpq_clear(c->choice[i].alpha);
    logform_clear(&c->at);
}

dp_decision composing_beyond(const composing *c, const logform *x)
{
    return c->general ? DP_UNKNOWN : optimal_beyond(&c->engine, x, &c->limits);
}

const engine *composing_engine(composing *c, const dp_number *epsilon, mpq_srcptr delta)
{
    if (!c->list.above)
        return &c->engine;
    drop_chosen(c);
    dp_composition pairs;
    dp_composition_init(&pairs);
    dp_status status = choose_pairs(&pairs, c->items, (choice_for){epsilon, delta},
                                    refine_bits(c->opt->digits) + ROUNDING_BITS);
    if (status == DP_OK) {
        status = composed_init(&c->chosen_list, &pairs);
        dp_status ready = engine_init(&c->chosen, &c->chosen_list.product);
        c->has_chosen = true;
        status = status == DP_OK ? ready : status;
    }
    dp_composition_clear(&pairs);
    return status == DP_OK ? &c->chosen : &c->engine; /* the items' own pairs are sound too */
}

limits composing_half_time(const composing *c)
{
    limits half = c->limits;
    if (half.deadline > 0)
        half.deadline -= limits_left(&c->limits) / 2;
    return half;
}

const sides *composing_laws(composing *c, const dp_number *epsilon, mpq_srcptr delta)
{
    bool choose = !c->general && (epsilon != NULL || delta != NULL) && !known_all_laws(c->items);
    if (!c->has_laws || (c->laws_open && !choose))
        return c->laws_open ? &c->laws : NULL;
    drop_laws(c);
    dp_composition pairs;
    dp_composition_init(&pairs);
    choose = choose && choose_pairs(&pairs, c->items, (choice_for){epsilon, delta},
                                    refine_bits(c->opt->digits) + ROUNDING_BITS) == DP_OK;
    dp_status status = sides_init_laws(&c->laws, c->items, choose ? &pairs : c->items);
    c->laws_open = true;
    dp_composition_clear(&pairs);
    if (status == DP_OK)
        return &c->laws;
    drop_laws(c);
    c->has_laws = false; /* the items' own pairs are sound too */
    return NULL;
}

dp_status composing_limited(composing *c, dp_status status)
{
    if (status != DP_LIMIT)
        return status;
    c->out->met |= *c->limits.met;
    result_warn_wide(c->out);
    return DP_OK;
}

static dp_row *optimal_row(composing *c, dp_figure **epsilon, dp_figure **delta)
{
    dp_row *row = result_row(c->out, &compose_optimal);
    if (row != NULL) {
        *epsilon = row_quantity(row, "epsilon");
        *delta = row_quantity(row, "delta");
        if (!composed_is_attained(&c->list))
            row->verdict = DP_PROVED;
    }
    return row;
}

/* x as a number, where it is one rational or one logarithm */
static bool set_number(dp_number *to, const logform *x)
{
    bool log =
        x->count == 1 && mpq_sgn(x->rational) == 0 && mpq_cmp_ui(x->term[0].coefficient, 1, 1) == 0;
    if (log)
        number_set_log(to, x->term[0].base);
    else
        number_set_q(to, x->rational);
    return log || x->count == 0;
}

static dp_status pairs_at_epsilon(composing *c, const logform *x, const dp_number *number)
{
    dp_figure *epsilon, *delta;
    if (optimal_row(c, &epsilon, &delta) == NULL)
        return DP_MEMORY;
    const engine *e = number != NULL ? composing_engine(c, number, NULL) : &c->engine;
    figure_set_form(epsilon, x, refine_bits(c->opt->digits) + 16);
    return composing_limited(c, optimal_delta_at(delta, e, x, c->opt->digits, &c->limits));
}

/* Keeps the row with the lesser upper end of the last two. */
static void keep_better(composing *c, const char *name)
{
    dp_result *r = c->out;
    dp_row *a = &r->row[r->count - 2], *b = &r->row[r->count - 1];
    if (figure_compare_upper(row_figure(b, name), row_figure(a, name)) < 0) {
        dp_row swap = *a;
        *a = *b;
        *b = swap;
    }
    r->count--;
}

/* The row of the item's own profile, or of the optimum of its pairs, or the better one. */
static dp_status at_target(composing *c, const logform *x, const dp_number *epsilon,
                           const dp_number *delta);

dp_status composing_at_epsilon(composing *c, const logform *x)
{
    if (c->general)
        return pairs_answer(c, x, NULL);
    dp_number number;
    dp_number_init(&number);
    dp_status status =
        set_number(&number, x) ? at_target(c, x, &number, NULL) : pairs_at_epsilon(c, x, NULL);
    dp_number_clear(&number);
    return status;
}

/* Below the leak of every choice no epsilon is finite. */
static void note_infinite(composing *c)
{
    result_note(c->out, composed_is_attained(&c->list)
                            ? "no epsilon is finite: the target delta is below the probability "
                              "1 - prod(1-delta_i) that some mechanism leaks"
                            : "this bound gives no finite epsilon: the target delta is below the "
                              "leak 1 - prod(1-delta_i) of the pairs that are composed");
}

static dp_status pairs_at_delta(composing *c, const mpq_t target)
{
    dp_figure *epsilon, *delta;
    if (optimal_row(c, &epsilon, &delta) == NULL)
        return DP_MEMORY;
    figure_set_q(delta, target);
    if (mpq_cmp_ui(target, 1, 1) >= 0) {
        figure_set_ui(epsilon, 0);
        return DP_OK;
    }
    const engine *e = composing_engine(c, NULL, target);
    dp_status status = optimal_epsilon_at(epsilon, e, target, c->opt->digits, &c->limits);
    if (epsilon->kind == DP_INFINITE)
        note_infinite(c);
    return composing_limited(c, status);
}

/* The row of the items' laws, in half the time that is left. The items' pairs say nothing better,
 * but where a limit leaves it wide; it stands unless the limits allowed no figure. */
static dp_status laws_row(bool *wide, bool *stands, composing *c, const sides *laws,
                          const logform *x, mpq_srcptr delta)
{
    limits all = c->limits;
    c->limits = composing_half_time(c);
    size_t before = c->out->count;
    dp_status status = pairs_sides_row(c, laws, x, delta);
    c->limits = all;
    *wide = status == DP_LIMIT || status == DP_UNDECIDED;
    *stands = status == DP_LIMIT;
    if (status == DP_UNDECIDED)
        c->out->count = before;
    return *wide ? DP_OK : status;
}

/* Where the items' losses end the pairs may be better than a law that is rounded up. */
static bool is_near_end(const composing *c, dp_row *row)
{
    const dp_figure *f = row_figure(row, "epsilon");
    double at = HUGE_VAL;
    if (f->kind == DP_RATIONAL)
        at = mpq_get_d(f->rational);
    else if (f->kind == DP_ENCLOSED)
        at = mpfr_get_d(&f->enclosure->right, MPFR_RNDU);
    return !(at < NEAR_END * c->engine.all.tilt.total);
}

static dp_status at_target(composing *c, const logform *x, const dp_number *epsilon,
                           const dp_number *delta)
{
    dp_bagging b;
    mpz_t models;
    bool all = false, own;
    mpz_init(models);
    own = own_profile(&b, models, &all, c);
    all = all && !own_is_drawn(c);
    bool wide = true, stands = false;
    const sides *laws = own && all ? NULL : composing_laws(c, epsilon, number_rational(delta));
    dp_status status = DP_OK;
    if (laws != NULL)
        status = laws_row(&wide, &stands, c, laws, x, number_rational(delta));
    bool loose = laws != NULL && !wide && status == DP_OK && !laws->attained &&
                 is_near_end(c, &c->out->row[c->out->count - 1]);
    if (wide && status == DP_OK && own)
        status = own_row(c, &b, epsilon, delta);
    mpz_clear(models);
    if ((!wide && !loose) || status != DP_OK || (own && all))
        return status;
    status =
        delta != NULL ? pairs_at_delta(c, number_rational(delta)) : pairs_at_epsilon(c, x, epsilon);
    if (status == DP_OK && (wide ? own : loose))
        keep_better(c, delta != NULL ? "epsilon" : "delta");
    if (status == DP_OK && stands) {
        keep_better(c, delta != NULL ? "epsilon" : "delta");
        if (c->out->row[c->out->count - 1].theorem == &compose_pairs.theorem)
            status = composing_limited(c, DP_LIMIT);
    }
    return status;
}

dp_status composing_at_delta(composing *c, const mpq_t target)
{
    if (c->general)
        return pairs_answer(c, NULL, target);
    dp_number number;
    dp_number_init(&number);
    number_set_q(&number, target);
    dp_status status = at_target(c, NULL, NULL, &number);
    dp_number_clear(&number);
    return status;
}

dp_status composing_end_point(composing *c)
{
    if (c->general)
        return pairs_answer(c, NULL, NULL);
    dp_bagging b;
    mpz_t models;
    bool all = false;
    mpz_init(models);
    dp_status status = own_profile(&b, models, &all, c) && all
                           ? own_row(c, &b, NULL, NULL)
                           : pairs_at_epsilon(c, &c->list.total, NULL);
    mpz_clear(models);
    return status;
}

void composing_check(composing *c)
{
    dp_check *check = &c->out->check;
    unsigned met = 0, *all = c->limits.met;
    c->limits.met = &met;
    dp_decision holds = composing_meets(c, &check->max_epsilon, number_rational(&check->max_delta));
    c->limits.met = all;
    result_decide(c->out, holds, met);
}
