/* SPDX-License-Identifier: MIT */
/* Mechanisms of a list as products of losses, one for each direction and end. */
#include "compose/sides.h"

#include "core/mechanism.h"

#include "core/refine.h"
#include "engine/compare.h"
#include "loss/known.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/number.h"

bool sides_have_zcdp(const dp_composition *list)
{
    for (size_t i = 0; i < uses_count(list); i++)
        if (list->uses->use[i].mechanism->type->zcdp == NULL)
            return false;
    return true;
}

/* Is every mechanism asked about in one direction? */
static bool one_way(const dp_composition *list)
{
    for (size_t i = 0; i < uses_count(list); i++) {
        const dp_mechanism *m = list->uses->use[i].mechanism;
        if (m->type->one_way != NULL && m->type->one_way(m))
            return true;
    }
    return false;
}

/* The items without a law. */
static dp_status rest_init(dp_composition *rest, const dp_composition *list,
                           const dp_composition *pairs)
{
    dp_composition_init_under(rest, list->adjacency);
    const dp_known **of = known_index(list);
    dp_status status = of != NULL ? DP_OK : DP_MEMORY;
    for (size_t i = 0; status == DP_OK && i < list->count; i++) {
        const dp_item *m = &pairs->item[i];
        if (known_has_law(of[i]))
            continue;
        status = dp_composition_add(rest, &m->epsilon, m->delta, m->times, NULL);
        if (status == DP_OK && of[i] != NULL)
            status = known_add(rest, of[i]->kind, of[i]->ops, &of[i]->b, of[i]->releases);
    }
    memory_free(of);
    return status;
}

/* The product of pairs alone, which is then added to: a `composed` would go on looking into it. */
static dp_status pairs_init(product *out, bool *attained, const dp_composition *list)
{
    composed c;
    dp_status status = composed_init(&c, list);
    *attained = composed_is_attained_twice(&c);
    *out = c.product;
    product_init(&c.product);
    composed_clear(&c);
    return status;
}

/* The items in one direction. */
static dp_status items_init(product *out, bool *attained, const dp_composition *list,
                            const dp_composition *pairs, direction way, dp_end end)
{
    if (pairs == NULL)
        return pairs_init(out, attained, list);
    dp_composition rest;
    dp_status status = rest_init(&rest, list, pairs), ready = pairs_init(out, attained, &rest);
    dp_composition_clear(&rest);
    status = status == DP_OK ? ready : status;
    for (const dp_known *k = list->known; status == DP_OK && k != NULL; k = k->next)
        if (known_has_law(k))
            status = k->ops->law(out, k, list->item[k->item].times, end, way == BACKWARD);
    return status;
}

static dp_status open_side(sides *s, const dp_composition *list, const dp_composition *pairs,
                           direction way, dp_end end)
{
    one_side *o = &s->of[way][end];
    bool attained;
    dp_status status = items_init(&o->product, &attained, list, pairs, way, end);
    s->attained = s->attained && attained;
    for (size_t i = 0; status == DP_OK && i < uses_count(list); i++) {
        const dp_use *u = &list->uses->use[i];
        direction own = u->turned ? (way == FORWARD ? BACKWARD : FORWARD) : way;
        s->of_class = s->of_class || u->mechanism->type->of_class;
        if (u->mechanism->type->pair == NULL)
            s->complete = false;
        else
            status = u->mechanism->type->pair(&o->product, u->mechanism, u->times, own, end);
    }
    dp_status ready = engine_init(&o->engine, &o->product);
    s->open[way][end] = true;
    return status == DP_OK ? ready : status;
}

dp_status sides_init(sides *s, const dp_composition *list)
{
    return sides_init_laws(s, list, NULL);
}

dp_status sides_init_laws(sides *s, const dp_composition *list, const dp_composition *pairs)
{
    *s = (sides){.ways = 1, .complete = true, .attained = true};
    dp_status status = open_side(s, list, pairs, FORWARD, DP_UPPER);
    const product *first = &s->of[FORWARD][DP_UPPER].product;
    s->attained = s->attained && !first->upper_only;
    s->bracketed = first->bracketed && s->attained; /* else nothing is below it */
    /* a law that is symmetric has the same leak in both directions, for M(-1) = 1 */
    if (!one_way(list) && !s->of[FORWARD][DP_UPPER].engine.all.symmetric)
        s->ways = 2;
    for (size_t way = 0; way < s->ways; way++)
        for (size_t end = 0; end < 2; end++)
            if (status == DP_OK && !s->open[way][end] && (end == DP_UPPER || s->bracketed))
                status = open_side(s, list, pairs, (direction)way, (dp_end)end);
    return status;
}

void sides_clear(sides *s)
{
    for (size_t way = 0; way < 2; way++)
        for (size_t end = 0; end < 2; end++)
            if (s->open[way][end]) {
                engine_clear(&s->of[way][end].engine);
                product_clear(&s->of[way][end].product);
            }
}

/* ---- figures of several sides ---- */

static void bounds(mpfi_t out, const dp_figure *f)
{
    if (f->kind == DP_RATIONAL) {
        mpfi_set_q(out, f->rational);
    } else if (f->kind == DP_INFINITE) {
        mpfr_set_inf(&out->left, 1);
        mpfr_set_inf(&out->right, 1);
    } else {
        mpfi_set(out, f->enclosure);
    }
}

/* out = the enclosure, or infinity where both ends are that */
static void set_bounds(dp_figure *out, const mpfi_t x)
{
    if (mpfr_inf_p(&x->left))
        figure_set_infinite(out);
    else
        mpfi_set(figure_enclose(out, mpfi_get_prec(x)), x);
}

/* of one direction: from the lower end of `low` to the upper end of out */
static void take_lower_end(dp_figure *out, const dp_figure *low, mpfr_prec_t bits)
{
    mpfi_t a, b;
    mpfi_init2(a, bits);
    mpfi_init2(b, bits);
    bounds(a, out);
    bounds(b, low);
    mpfr_min(&a->left, &a->left, &b->left, MPFR_RNDD);
    if (mpfr_inf_p(&a->right) && !mpfr_inf_p(&a->left)) {
        mpfi_ptr open = figure_enclose(out, bits); /* finite below, nothing proved above */
        mpfi_set(open, a);
    } else {
        set_bounds(out, a);
    }
    mpfi_clear(b);
    mpfi_clear(a);
}

/* Is x at most y, a rational? */
static bool is_within(const dp_figure *x, const dp_figure *y)
{
    return y->kind == DP_RATIONAL && x->kind == DP_ENCLOSED &&
           mpfr_cmp_q(&x->enclosure->right, y->rational) <= 0;
}

void sides_take_greater(dp_figure *out, const dp_figure *other, mpfr_prec_t bits)
{
    if (out->kind == DP_RATIONAL && other->kind == DP_RATIONAL) {
        if (mpq_cmp(other->rational, out->rational) > 0)
            figure_set_q(out, other->rational);
        return;
    }
    if (is_within(other, out)) /* which stays a rational */
        return;
    if (is_within(out, other)) {
        figure_set_q(out, other->rational);
        return;
    }
    mpfi_t a, b;
    mpfi_init2(a, bits);
    mpfi_init2(b, bits);
    bounds(a, out);
    bounds(b, other);
    ival_take_most(a, b);
    if (mpfr_inf_p(&a->right) && !mpfr_inf_p(&a->left))
        mpfi_set(figure_enclose(out, bits), a);
    else
        set_bounds(out, a);
    mpfi_clear(b);
    mpfi_clear(a);
}

/* What one engine says: delta at x, or epsilon at delta. */
typedef struct asked {
    const logform *x;
    mpq_srcptr delta; /* NULL: delta at x is asked for */
    size_t digits;
    const limits *lim;
} asked;

static void set_leak(dp_figure *out, const product *p, size_t digits)
{
    mpq_t leak;
    mpq_init(leak);
    if (product_leak_q(leak, p)) {
        figure_set_q(out, leak);
    } else {
        mpfi_ptr x = figure_enclose(out, refine_bits(digits) + 64);
        product_log_keep(x, p);
        mpfi_expm1(x, x);
        mpfi_neg(x, x);
    }
    mpq_clear(leak);
}

bool sides_bounded(const sides *s)
{
    for (size_t way = 0; way < s->ways; way++)
        if (!totals_end(&s->of[way][DP_UPPER].engine.all))
            return false;
    return true;
}

bool sides_end(dp_figure *epsilon, dp_figure *delta, const sides *s, size_t digits)
{
    dp_figure other;
    dp_figure_init(&other);
    for (size_t way = 0; way < s->ways; way++) {
        const product *p = &s->of[way][DP_UPPER].product;
        mpfr_prec_t bits = refine_bits(digits) + 64;
        optimal_top(way == 0 ? epsilon : &other, &s->of[way][DP_UPPER].engine, digits);
        if (way > 0)
            sides_take_greater(epsilon, &other, bits);
        set_leak(way == 0 ? delta : &other, p, digits);
        if (way > 0)
            sides_take_greater(delta, &other, bits);
    }
    dp_figure_clear(&other);
    return epsilon->kind != DP_INFINITE;
}

/* Where it stays wide, by what one law alone spends too. */
static dp_status side_figure(dp_figure *out, const one_side *o, const asked *a)
{
    dp_status status = a->delta != NULL
                           ? optimal_epsilon_at(out, &o->engine, a->delta, a->digits, a->lim)
                           : optimal_delta_at(out, &o->engine, a->x, a->digits, a->lim);
    if (status != DP_LIMIT || out->kind != DP_ENCLOSED || ival_bad(out->enclosure))
        return status;
    optimal_by_one(out->enclosure, &o->engine, a->delta != NULL ? NULL : a->x, a->delta, a->digits,
                   a->lim);
    return refine_agrees(out, a->digits) ? DP_OK : status;
}

/* No bracket's ends agree to more digits: what is kept of a law has at most 512 bits. */
#define BRACKET_DIGITS 200

/* out = the figure of the direction, both ends */
static dp_status way_figure(dp_figure *out, const sides *s, size_t way, const asked *all)
{
    asked own = *all, *a = &own;
    if (s->bracketed && a->digits > BRACKET_DIGITS)
        a->digits = BRACKET_DIGITS;
    dp_status status = side_figure(out, &s->of[way][DP_UPPER], a);
    if ((status != DP_OK && status != DP_LIMIT) || !s->bracketed)
        return status;
    dp_figure low;
    dp_figure_init(&low);
    dp_status lower = side_figure(&low, &s->of[way][DP_LOWER], a);
    if (lower == DP_OK || lower == DP_LIMIT)
        take_lower_end(out, &low, refine_bits(a->digits) + 64);
    dp_figure_clear(&low);
    return status == DP_OK ? lower : status;
}

/* Is every loss of that direction below the epsilon of the other one? */
static bool is_below(const sides *s, size_t way, const dp_figure *other, const asked *a)
{
    const totals *all = &s->of[way][DP_UPPER].engine.all;
    if (a->delta == NULL || !totals_end(all) || other->kind == DP_INFINITE)
        return false;
    mpfi_t top, x;
    mpfi_init2(top, refine_bits(a->digits) + 64);
    mpfi_init2(x, refine_bits(a->digits) + 64);
    totals_top(top, all);
    bounds(x, other);
    bool below = s->of[way][DP_UPPER].product.leaks == 0 && mpfr_less_p(&top->right, &x->left);
    mpfi_clear(x);
    mpfi_clear(top);
    return below;
}

/* Which of the directions has the greater figure, about. */
static direction greater_way(bool *far, const sides *s, const asked *a)
{
    compare_guess guess = compare_products(&s->of[FORWARD][DP_UPPER].engine,
                                           &s->of[BACKWARD][DP_UPPER].engine, a->x, a->delta);
    *far = guess != COMPARE_NEAR;
    return guess == COMPARE_SECOND ? BACKWARD : FORWARD;
}

/* The figure at epsilon 0 is the total variation of what is released, the same in both directions:
 * what encloses it in one does in the other. */
static bool is_same_in_both(const asked *a)
{
    return a->x != NULL && logform_is_zero(a->x);
}

static dp_status greatest(dp_figure *out, const sides *s, const asked *a)
{
    bool far = false;
    direction way = s->ways == 1 ? FORWARD : greater_way(&far, s, a),
              last = way == FORWARD ? BACKWARD : FORWARD;
    dp_status status = way_figure(out, s, way, a);
    if ((status != DP_OK && status != DP_LIMIT) || s->ways == 1 || is_same_in_both(a) ||
        is_below(s, last, out, a))
        return status;
    if (far && compare_is_below(&s->of[last][DP_UPPER].engine, out, a->x, a->delta, a->lim))
        return status;
    dp_figure other;
    dp_figure_init(&other);
    dp_status second = way_figure(&other, s, last, a);
    if (second == DP_OK || second == DP_LIMIT)
        sides_take_greater(out, &other, refine_bits(a->digits) + 64);
    dp_figure_clear(&other);
    return second == DP_OK ? status : second;
}

dp_status sides_delta(dp_figure *out, const sides *s, const logform *x, size_t digits,
                      const limits *lim)
{
    return greatest(out, s, &(asked){x, NULL, digits, lim});
}

dp_status sides_epsilon(dp_figure *out, const sides *s, const mpq_t delta, size_t digits,
                        const limits *lim)
{
    return greatest(out, s, &(asked){NULL, delta, digits, lim});
}

dp_decision sides_meet(const sides *s, const logform *x, const mpq_t delta, const limits *lim)
{
    dp_decision all = DP_YES;
    for (size_t way = 0; way < s->ways; way++) {
        dp_decision upper = optimal_meets_at(&s->of[way][DP_UPPER].engine, x, delta, lim),
                    no = upper;
        if (upper == DP_YES)
            continue;
        if (s->bracketed)
            no = optimal_meets_at(&s->of[way][DP_LOWER].engine, x, delta, lim);
        else if (!s->attained)
            no = DP_UNKNOWN;
        size_t end = s->bracketed ? DP_LOWER : DP_UPPER;
        if (no == DP_UNKNOWN && (s->bracketed || s->attained) &&
            optimal_fails_by_one(&s->of[way][end].engine, x, delta, lim))
            no = DP_NO;
        if (no == DP_NO)
            return DP_NO;
        if (upper == DP_NO)
            limits_note(lim, DP_MET_BOUND);
        all = DP_UNKNOWN;
    }
    return all;
}
