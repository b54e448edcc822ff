/* SPDX-License-Identifier: MIT */
#include "pld/optimal.h"

#include <math.h>

#include "num/guard.h"
#include "num/ival.h"

/* Newton steps between cells; each is one low-precision sum. */
#define STEP_LIMIT 64

void optimal_init(optimal *o, const composed *list)
{
    o->list = list;
    o->rational = true;
    for (size_t i = 0; i < list->losses; i++)
        o->rational = o->rational && list->loss[i].epsilon.is_log;
    o->available = lattice_init(&o->lattice, list);
}

void optimal_clear(optimal *o)
{
    lattice_clear(&o->lattice);
}

/* s = G + (1 - e^(-u)) V with u = l_i - x. For u in [-2h, 0) this is the tangent of the convex
 * function s(e^x), so the enclosure stays valid when u straddles 0. */
static void cell_value(mpfi_t s, const mpfi_t g, const mpfi_t v, const mpfi_t u)
{
    mpfi_neg(s, u);
    mpfi_expm1(s, s);
    mpfi_neg(s, s);
    mpfi_mul(s, s, v);
    mpfi_add(s, s, g);
    ival_clamp_ui(s, 0, 1);
}

/* u = y - 2 h i */
static void above_atom(mpfi_t u, const lattice *f, const mpfi_t y, const mpz_t i)
{
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(u));
    ival_set_number(part, &f->step);
    mpfi_mul_2ui(part, part, 1);
    ival_mul_z(part, part, i);
    mpfi_sub(u, y, part);
    mpfi_clear(part);
}

static dp_status lattice_profile(mpfi_t s, const lattice *f, const logform *x, mpfr_prec_t bits)
{
    mpfr_prec_t work = bits + 32 + 2 * (mpfr_prec_t)mpz_sizeinbase(f->span, 2);
    mpfi_t y, u, g, v;
    mpz_t i;
    mpfi_init2(y, work);
    mpfi_init2(u, work);
    mpfi_init2(g, work);
    mpfi_init2(v, work);
    mpz_init(i);
    logform_enclose(y, &f->list->total);
    logform_enclose(u, x);
    mpfi_sub(y, y, u); /* total - x > 0 */
    lattice_position(u, f, y);
    mpfr_get_z(i, &u->right, MPFR_RNDD); /* the right end: u stays below 2h */
    above_atom(u, f, y, i);
    dp_status status = lattice_cell(g, v, f, i, bits);
    mpfi_set_prec(s, work);
    if (status == DP_OK)
        cell_value(s, g, v, u);
    mpz_clear(i);
    mpfi_clear(v);
    mpfi_clear(g);
    mpfi_clear(u);
    mpfi_clear(y);
    return status;
}

/* e^x as a rational: only integer multiples of logarithms qualify */
static bool exp_q(mpq_t out, const logform *x)
{
    if (mpq_sgn(x->rational) != 0)
        return false;
    mpq_set_ui(out, 1, 1);
    for (size_t i = 0; i < x->count; i++) {
        const logterm *t = &x->term[i];
        if (mpz_cmp_ui(mpq_denref(t->coefficient), 1) != 0 ||
            mpz_cmpabs_ui(mpq_numref(t->coefficient), 1) != 0)
            return false;
        if (mpq_sgn(t->coefficient) > 0)
            mpq_mul(out, out, t->base);
        else
            mpq_div(out, out, t->base);
    }
    return true;
}

/* delta = 1 - D (1 - s), exact */
static bool rational_delta(dp_figure *out, const optimal_at *at)
{
    mpq_t s, leak;
    mpq_inits(s, leak, NULL);
    bool ok = composed_leak_q(leak, at->engine->list);
    if (ok && !at->beyond)
        ok = at->engine->rational && exp_q(s, at->x) && exact_profile(s, at->engine->list, s);
    if (ok) { /* leak + (1 - leak) s */
        mpq_mul(out->rational, leak, s);
        mpq_sub(out->rational, s, out->rational);
        mpq_add(out->rational, out->rational, leak);
        out->kind = DP_RATIONAL;
    }
    mpq_clears(s, leak, NULL);
    return ok;
}

dp_status optimal_delta(dp_figure *out, const void *in, const request *want)
{
    const optimal_at *at = in;
    const composed *list = at->engine->list;
    if (list->certain_leak) {
        figure_set_ui(out, 1);
        return DP_OK;
    }
    if (at->beyond && list->leaks == 0) {
        figure_set_ui(out, 0);
        return DP_OK;
    }
    if (want->rational && rational_delta(out, at))
        return DP_OK;
    mpfi_ptr delta = figure_enclose(out, want->bits + 32);
    composed_log_keep(delta, list);
    mpfi_expm1(delta, delta);
    mpfi_neg(delta, delta); /* 1 - D */
    if (at->beyond)
        return DP_OK;
    mpfi_t s;
    mpfi_init2(s, want->bits);
    dp_status status = lattice_profile(s, &at->engine->lattice, at->x, want->bits);
    if (status == DP_OK)
        ival_union(delta, delta, s);
    mpfi_clear(s);
    return status;
}

/* The search for the cell of epsilon: [u] is where the tangent of cell i meets s*. */
typedef struct search {
    const lattice *f;
    mpfi_t target; /* s* */
    mpfi_t g, v, u, width, last_u;
    mpz_t cell, last; /* x = 0 lies in cell `last`, at last_u below its atom */
} search;

static void search_init(search *s, const lattice *f, mpfr_prec_t bits)
{
    mpfi_ptr x[] = {s->target, s->g, s->v, s->u, s->width, s->last_u};
    for (size_t i = 0; i < 6; i++)
        mpfi_init2(x[i], bits);
    mpz_inits(s->cell, s->last, NULL);
    s->f = f;
    ival_set_number(s->width, &f->step);
    mpfi_mul_2ui(s->width, s->width, 1);
    mpz_fdiv_q_2exp(s->last, f->span, 1); /* l_i >= 0 for i <= span/2 */
    logform_enclose(s->last_u, &f->list->total);
    above_atom(s->last_u, f, s->last_u, s->last);
}

static void search_clear(search *s)
{
    mpfi_ptr x[] = {s->target, s->g, s->v, s->u, s->width, s->last_u};
    for (size_t i = 0; i < 6; i++)
        mpfi_clear(x[i]);
    mpz_clears(s->cell, s->last, NULL);
}

/* s* = 1 - (1 - delta)/D */
static void search_target(search *s, const mpq_t delta)
{
    mpfi_t keep;
    mpfi_init2(keep, mpfi_get_prec(s->target));
    composed_log_keep(keep, s->f->list);
    ival_log1m_q(s->target, delta);
    mpfi_sub(s->target, s->target, keep);
    mpfi_expm1(s->target, s->target);
    mpfi_neg(s->target, s->target);
    ival_clamp_ui(s->target, 0, 1);
    mpfi_clear(keep);
}

/* u = -ln(1 - (s* - G)/V); [.., +inf] when the tangent may not reach s* */
static dp_status tangent(search *s, mpfr_prec_t bits)
{
    dp_status status = lattice_cell(s->g, s->v, s->f, s->cell, bits);
    if (status != DP_OK)
        return status;
    mpfi_sub(s->u, s->target, s->g);
    mpfi_div(s->u, s->u, s->v);
    mpfi_neg(s->u, s->u);
    bool open = mpfr_cmp_si(&s->u->left, -1) <= 0 || ival_bad(s->u);
    if (open) { /* V not separated from 0, or s* out of the tangent's reach */
        mpfr_t low;
        mpfr_init2(low, mpfi_get_prec(s->u));
        mpfr_log1p(low, &s->u->right, MPFR_RNDU);
        mpfr_neg(low, low, MPFR_RNDD);
        mpfr_set(&s->u->left, low, MPFR_RNDD);
        if (mpfr_nan_p(low))
            mpfr_set_inf(&s->u->left, mpfr_nan_p(&s->v->left) ? -1 : 1);
        mpfr_set_inf(&s->u->right, 1);
        mpfr_clear(low);
    } else {
        mpfi_log1p(s->u, s->u);
        mpfi_neg(s->u, s->u);
    }
    return DP_OK;
}

typedef enum place {
    PLACE_HERE,
    PLACE_ABOVE,
    PLACE_BELOW,
    PLACE_EDGE_ABOVE,
    PLACE_EDGE_BELOW
} place;

/* Where the solution lies against the current cell. */
static place locate(const search *s)
{
    if (mpfr_sgn(&s->u->right) < 0)
        return PLACE_ABOVE;
    if (mpfr_cmp(&s->u->left, &s->width->right) > 0)
        return PLACE_BELOW;
    if (mpfr_sgn(&s->u->left) < 0)
        return mpz_sgn(s->cell) == 0 ? PLACE_HERE : PLACE_EDGE_ABOVE;
    if (mpfr_cmp(&s->u->right, &s->width->left) > 0)
        return PLACE_EDGE_BELOW;
    return PLACE_HERE;
}

/* Moves to the cell that the tangent points at, within 0 .. last. */
static void move(search *s)
{
    mpfi_t steps;
    mpz_t by;
    mpfi_init2(steps, mpfi_get_prec(s->u));
    mpz_init(by);
    mpfi_div(steps, s->u, s->width);
    if (mpfr_number_p(&steps->left))
        mpfr_get_z(by, &steps->left, MPFR_RNDD);
    else if (mpfr_sgn(&s->u->right) < 0)
        mpz_neg(by, s->cell);
    else
        mpz_set(by, s->last);
    mpz_add(s->cell, s->cell, by);
    if (mpz_sgn(s->cell) < 0)
        mpz_set_ui(s->cell, 0);
    if (mpz_cmp(s->cell, s->last) > 0)
        mpz_set(s->cell, s->last);
    mpz_clear(by);
    mpfi_clear(steps);
}

static void first_guess(search *s)
{
    const tilt *t = &s->f->tilt;
    mpfr_t log_s;
    mpfr_init2(log_s, 53);
    mpfr_log(log_s, &s->target->right, MPFR_RNDN);
    double x = tilt_find(t, mpfr_get_d(log_s, MPFR_RNDN));
    double steps = floor((t->total - x) / (2 * t->epsilon[0]));
    if (!(steps >= 0) || isinf(steps))
        steps = 0;
    mpz_set_d(s->cell, steps);
    if (mpz_cmp(s->cell, s->last) > 0)
        mpz_set(s->cell, s->last);
    mpfr_clear(log_s);
}

/* Newton between cells at low precision, until the tangent meets s* in its own cell or at an edge
 * of it: s is convex in e^x, so each step lands on the near side of the solution. */
static dp_status find_cell(search *s)
{
    first_guess(s);
    for (int step = 0; step < STEP_LIMIT; step++) {
        dp_status status = tangent(s, 48);
        if (status != DP_OK)
            return status;
        place p = locate(s);
        bool stuck = (p == PLACE_BELOW && mpz_cmp(s->cell, s->last) == 0) ||
                     (p == PLACE_ABOVE && mpz_sgn(s->cell) == 0);
        if ((p != PLACE_ABOVE && p != PLACE_BELOW) || stuck)
            return DP_OK;
        move(s);
    }
    return DP_OK;
}

/* x = total - 2 h i - u, within [0, total] */
static void solution(mpfi_t x, const search *s)
{
    mpfi_t total;
    mpfi_init2(total, mpfi_get_prec(x));
    logform_enclose(total, &s->f->list->total);
    above_atom(x, s->f, total, s->cell);
    mpfi_sub(x, x, s->u);
    ival_at_least_zero(x);
    if (mpfr_cmp(&x->right, &total->right) > 0)
        mpfr_set(&x->right, &total->right, MPFR_RNDU);
    mpfi_clear(total);
}

/* s(0) <= s*, seen in the cell of x = 0 */
static bool is_zero(const search *s)
{
    return mpz_cmp(s->cell, s->last) == 0 && mpfr_cmp(&s->u->left, &s->last_u->right) >= 0;
}

/* All that is known before the precision is high enough. */
static void whole_range(mpfi_t x, const search *s)
{
    logform_enclose(x, &s->f->list->total);
    mpfr_set_ui(&x->left, 0, MPFR_RNDD);
}

/* The tangent of cell i meets s* at an edge of the cell, so the solution may lie in the neighbour
 * on that side, and not beyond it when the neighbour's own tangent says so. */
static dp_status solve_edge(mpfi_t x, search *s, bool above, mpfr_prec_t bits)
{
    if (above)
        mpz_sub_ui(s->cell, s->cell, 1);
    else
        mpz_add_ui(s->cell, s->cell, 1);
    dp_status status = tangent(s, bits);
    if (status != DP_OK)
        return status;
    place p = locate(s);
    if (p == (above ? PLACE_BELOW : PLACE_ABOVE))
        return DP_OK; /* the neighbour holds none of it: x stands alone */
    if (p != PLACE_HERE && p != (above ? PLACE_EDGE_BELOW : PLACE_EDGE_ABOVE)) {
        whole_range(x, s);
        return DP_OK;
    }
    mpfi_t there;
    mpfi_init2(there, mpfi_get_prec(x));
    solution(there, s);
    mpfi_union(x, x, there);
    mpfi_clear(there);
    return DP_OK;
}

static dp_status solve_cell(dp_figure *out, search *s, mpfr_prec_t bits)
{
    mpfi_ptr x = figure_enclose(out, bits + 64);
    for (int step = 0; step < 8; step++) {
        dp_status status = tangent(s, bits);
        if (status != DP_OK)
            return status;
        if (is_zero(s)) {
            figure_set_ui(out, 0);
            return DP_OK;
        }
        place p = locate(s);
        if (p == PLACE_EDGE_BELOW && mpz_cmp(s->cell, s->last) == 0)
            p = PLACE_HERE; /* nothing below 0 */
        if (p != PLACE_ABOVE && p != PLACE_BELOW) {
            solution(x, s);
            return p == PLACE_HERE ? DP_OK : solve_edge(x, s, p == PLACE_EDGE_ABOVE, bits);
        }
        move(s);
    }
    whole_range(x, s);
    return DP_OK;
}

dp_status optimal_epsilon(dp_figure *out, const void *in, const request *want)
{
    const optimal_inverse *q = in;
    const lattice *f = &q->engine->lattice;
    mpfr_prec_t bits = want->bits + 16;
    search s;
    search_init(&s, f, bits + 64 + 2 * (mpfr_prec_t)mpz_sizeinbase(f->span, 2));
    search_target(&s, q->delta);
    dp_status status = DP_LIMIT;
    if (mpfr_sgn(&s.target->left) > 0) {
        status = find_cell(&s);
        if (status == DP_OK)
            status = solve_cell(out, &s, bits);
    } else { /* s* not yet separated from 0: [0, total] until the precision rises */
        whole_range(figure_enclose(out, bits), &s);
        status = DP_OK;
    }
    search_clear(&s);
    return status;
}
