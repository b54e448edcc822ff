/* SPDX-License-Identifier: MIT */
/* The linear program over symmetric gamma(mid..K): maximise sum w gamma subject to G gamma <= R for
 * every multiset of corners, G_l = [(a_l - E a'_l) - (a_(K-l) - E a'_(K-l))]/(1+E), R = (E - 1 + 2
 * delta)/(1 + E), and 0 <= gamma <= 1. */
#include <math.h>
#include <stdlib.h>

#include "num/ival.h"
#include "solve/majority.h"
#include "solve/refine.h"
#include "solve/simplex.h"

#define BITS 256
#define MOST_STEPS 20000
#define CUTS 16
#define DECIMALS 20 /* of the gamma that is then scaled */

/* A multiset: a leaf of the three corners, or eight counts. */
typedef struct cut {
    size_t leaf;
    octet vertices;
} cut;

typedef struct program {
    const council *c;
    size_t n; /* (K+1)/2 */
    bool free_class;
    mpfi_t odds, budget; /* E and R */
    double *rows;        /* G of every leaf in doubles, to look for violated ones */
    eight eight;
    simplex simplex;
    size_t *counts;
    mpfr_t *law[2];
    cut *used; /* by the row number in the simplex */
    size_t used_count, used_room;
    size_t steps;
} program;

/* ---- rows ---- */

/* law <- the law at a cut, under p or p' */
static void cut_law(mpfr_t *law, program *p, const cut *k, bool primed, mpfr_rnd_t way)
{
    for (size_t l = 0; l <= p->c->voters; l++)
        mpfr_set_zero(law[l], 1);
    if (p->free_class) {
        eight_law(law, &p->eight, &k->vertices, primed, way);
    } else {
        corners_counts(p->counts, &p->c->corners, k->leaf);
        corners_law(law, &p->c->corners, p->counts, primed, way);
    }
}

/* G of a cut, to nearest: a candidate's row */
static void cut_row(mpfr_t *row, program *p, const cut *k)
{
    size_t K = p->c->voters, mid = (K + 1) / 2;
    mpfr_t part, odds;
    mpfr_init2(part, BITS);
    mpfr_init2(odds, BITS);
    mpfi_mid(odds, p->odds);
    cut_law(p->law[0], p, k, false, MPFR_RNDN);
    cut_law(p->law[1], p, k, true, MPFR_RNDN);
    for (size_t l = mid; l <= K; l++) {
        mpfr_sub(row[l - mid], p->law[1][K - l], p->law[1][l], MPFR_RNDN);
        mpfr_mul(row[l - mid], row[l - mid], odds, MPFR_RNDN);
        mpfr_add(row[l - mid], row[l - mid], p->law[0][l], MPFR_RNDN);
        mpfr_sub(row[l - mid], row[l - mid], p->law[0][K - l], MPFR_RNDN);
        mpfr_add_ui(part, odds, 1, MPFR_RNDN);
        mpfr_div(row[l - mid], row[l - mid], part, MPFR_RNDN);
    }
    mpfr_clear(odds);
    mpfr_clear(part);
}

typedef struct row_filler {
    program *p;
    double weight; /* of the law: 1/(1+E), or -E/(1+E) under p' */
} row_filler;

static void fill_row(void *context, size_t leaf, mpfr_t *law, size_t length, size_t shift)
{
    row_filler *f = context;
    size_t K = f->p->c->voters, mid = (K + 1) / 2;
    double *row = f->p->rows + leaf * f->p->n;
    for (size_t i = 0; i < length; i++) {
        size_t l = i + shift;
        double a = mpfr_get_d(law[i], MPFR_RNDN) * f->weight;
        if (l >= mid)
            row[l - mid] += a;
        else
            row[K - l - mid] -= a;
    }
}

static dp_status fill_rows(program *p)
{
    const corners *c = &p->c->corners;
    if (!limits_allow(&p->c->lim, 8.0 * (double)(c->leaves * p->n)))
        return DP_UNDECIDED;
    p->rows = calloc(c->leaves * p->n, sizeof *p->rows);
    if (p->rows == NULL)
        return DP_MEMORY;
    mpfi_t weight;
    mpfi_init2(weight, 128);
    mpfi_add_ui(weight, p->odds, 1);
    mpfi_ui_div(weight, 1, weight);
    double own = mpfi_get_d(weight);
    mpfi_clear(weight);
    row_filler f = {p, own};
    bool ok = corners_walk(c, false, MPFR_RNDN, 64, fill_row, &f);
    f.weight = own - 1;
    return ok && corners_walk(c, true, MPFR_RNDN, 64, fill_row, &f) ? DP_OK : DP_UNDECIDED;
}

/* ---- finding violated rows ---- */

static double excess_at(const program *p, size_t leaf, const double *x)
{
    double sum = 0;
    const double *row = p->rows + leaf * p->n;
    for (size_t l = 0; l < p->n; l++)
        sum += row[l] * x[l];
    return sum;
}

/* The leaf of the largest cost in doubles. */
static bool worst_leaf(cut *k, program *p, const double *x, double budget)
{
    double best = budget;
    k->leaf = p->c->corners.leaves;
    for (size_t leaf = 0; leaf < p->c->corners.leaves; leaf++) {
        double e = excess_at(p, leaf, x);
        if (e > best) {
            best = e;
            k->leaf = leaf;
        }
    }
    return k->leaf < p->c->corners.leaves;
}

typedef struct exact_scan {
    program *p;
    mpfr_t *high; /* (1/(1+E)) times the signed sum under p, then less that under p' */
    mpfr_t weight, part;
} exact_scan;

static void exact_visit(void *context, size_t leaf, mpfr_t *law, size_t length, size_t shift)
{
    exact_scan *s = context;
    size_t K = s->p->c->voters, mid = (K + 1) / 2;
    for (size_t i = 0; i < length; i++) {
        size_t l = i + shift;
        mpfr_mul(s->part, law[i], s->weight, MPFR_RNDN);
        mpfr_mul(s->part, s->part, s->p->simplex.x[l >= mid ? l - mid : K - l - mid], MPFR_RNDN);
        if (l >= mid)
            mpfr_add(s->high[leaf], s->high[leaf], s->part, MPFR_RNDN);
        else
            mpfr_sub(s->high[leaf], s->high[leaf], s->part, MPFR_RNDN);
    }
}

/* The worst leaves at more precision than doubles have. */
static dp_status worst_exact(cut *list, size_t *count, program *p, const mpfr_t slack)
{
    const corners *c = &p->c->corners;
    exact_scan s = {.p = p, .high = reals_new(c->leaves, 128)};
    mpfr_init2(s.weight, 128);
    mpfr_init2(s.part, 128);
    mpfr_t floor, odds;
    mpfr_init2(floor, 128);
    mpfr_init2(odds, 128);
    mpfi_mid(odds, p->odds);
    mpfr_add_ui(s.weight, odds, 1, MPFR_RNDN);
    mpfr_ui_div(s.weight, 1, s.weight, MPFR_RNDN);
    dp_status status = s.high == NULL ? DP_MEMORY : DP_OK;
    if (status == DP_OK && !corners_walk(c, false, MPFR_RNDN, 128, exact_visit, &s))
        status = DP_UNDECIDED;
    mpfr_mul(s.weight, s.weight, odds, MPFR_RNDN);
    mpfr_neg(s.weight, s.weight, MPFR_RNDN);
    if (status == DP_OK && !corners_walk(c, true, MPFR_RNDN, 128, exact_visit, &s))
        status = DP_UNDECIDED;
    mpfi_mid(floor, p->budget);
    mpfr_add(floor, floor, slack, MPFR_RNDN);
    for (*count = 0; status == DP_OK && *count < CUTS; ++*count) {
        size_t best = c->leaves;
        for (size_t i = 0; i < c->leaves; i++)
            if (mpfr_cmp(s.high[i], floor) > 0 &&
                (best == c->leaves || mpfr_cmp(s.high[i], s.high[best]) > 0))
                best = i;
        if (best == c->leaves)
            break;
        list[*count].leaf = best;
        mpfr_set_si(s.high[best], -2, MPFR_RNDN);
    }
    mpfr_clear(odds);
    mpfr_clear(floor);
    mpfr_clear(s.part);
    mpfr_clear(s.weight);
    reals_free(s.high, c->leaves);
    return status;
}

/* The worst multisets of the eight vertices. */
static dp_status worst_eight(cut *list, size_t *count, program *p)
{
    size_t K = p->c->voters, mid = (K + 1) / 2, found = 0;
    double *b = malloc((K + 1) * sizeof *b), weight;
    octet *o = malloc(CUTS * sizeof *o);
    if (b == NULL || o == NULL) {
        free(b);
        free(o);
        return DP_MEMORY;
    }
    for (size_t l = 0; l <= K; l++) {
        double g = mpfr_get_d(p->simplex.x[l >= mid ? l - mid : K - l - mid], MPFR_RNDN);
        b[l] = l >= mid ? (1 + g) / 2 : (1 - g) / 2;
    }
    weight = 1 / (1 + mpfi_get_d(p->odds));
    /* G gamma = (2 (B - E B') + E - 1)/(1 + E) */
    double limit = (mpfi_get_d(p->budget) - (1 - 2 * weight)) / 2;
    bool ok = eight_fill(&p->eight, b) && eight_top(o, CUTS, &found, &p->eight, weight, true);
    *count = 0;
    for (size_t i = 0; ok && i < found; i++)
        if (o[i].value - limit > 4 * eight_margin(&p->eight))
            list[(*count)++].vertices = o[i];
    free(o);
    free(b);
    return ok ? DP_OK : DP_UNDECIDED;
}

/* A leaf of the three corners as a multiset of the eight vertices. */
static void as_vertices(cut *k, const program *p)
{
    corners_counts(p->counts, &p->c->corners, k->leaf);
    k->vertices = (octet){{0}, 0};
    k->vertices.n[2] = p->counts[CORNER_LOW];
    k->vertices.n[4] = p->counts[CORNER_MIDDLE];
    k->vertices.n[6] = p->counts[CORNER_HIGH];
}

/* ---- solving ---- */

static bool remember(program *p, const cut *k)
{
    if (p->used_count == p->used_room) {
        size_t room = p->used_room == 0 ? 64 : 2 * p->used_room;
        cut *grown = realloc(p->used, room * sizeof *grown);
        if (grown == NULL)
            return false;
        p->used = grown;
        p->used_room = room;
    }
    p->used[p->used_count++] = *k;
    return true;
}

/* Enters the cut when it is violated by more than the slack; *entered says whether it was. */
static dp_status enter_cut(program *p, const cut *k, mpfr_t *row, const mpfr_t slack, bool *entered)
{
    mpfr_t excess, budget;
    mpfr_init2(excess, BITS);
    mpfr_init2(budget, BITS);
    mpfi_mid(budget, p->budget);
    cut_row(row, p, k);
    simplex_excess(excess, &p->simplex, row, budget);
    *entered = mpfr_cmp(excess, slack) > 0;
    dp_status status = DP_OK;
    if (*entered) {
        if (!remember(p, k))
            status = DP_MEMORY;
        else if (p->steps == 0 ||
                 !simplex_enter(&p->simplex, row, budget, (row_name){ROW_CUT, p->used_count - 1}))
            status = DP_UNDECIDED;
        p->steps -= p->steps > 0;
        if (status == DP_OK && !simplex_settle(&p->simplex, !p->free_class, slack, &p->steps))
            status = DP_UNDECIDED;
    }
    mpfr_clear(budget);
    mpfr_clear(excess);
    return status;
}

/* Rows found in doubles first, one by one; then at more precision, until none is violated. */
static dp_status solve(program *p, mpfr_t *row)
{
    cut list[CUTS];
    mpfr_t slack;
    mpfr_init2(slack, BITS);
    mpfi_mid(slack, p->budget);
    mpfr_div_2ui(slack, slack, 64, MPFR_RNDN);
    double *x = malloc(p->n * sizeof *x);
    dp_status status = x != NULL ? DP_OK : DP_MEMORY;
    if (status == DP_OK && !simplex_settle(&p->simplex, !p->free_class, slack, &p->steps))
        status = DP_UNDECIDED;
    bool entered = true, quick = true;
    while (status == DP_OK && entered) {
        if (limits_expired(&p->c->lim)) {
            status = DP_UNDECIDED;
        } else if (quick) {
            for (size_t l = 0; l < p->n; l++)
                x[l] = mpfr_get_d(p->simplex.x[l], MPFR_RNDN);
            quick = worst_leaf(&list[0], p, x, mpfi_get_d(p->budget) + 1e-17);
            if (quick && p->free_class)
                as_vertices(&list[0], p);
            if (quick)
                status = enter_cut(p, &list[0], row, slack, &quick);
        } else {
            size_t count;
            status =
                p->free_class ? worst_eight(list, &count, p) : worst_exact(list, &count, p, slack);
            entered = false;
            for (size_t i = 0; status == DP_OK && i < count; i++) {
                bool one;
                status = enter_cut(p, &list[i], row, slack, &one);
                entered = entered || one;
            }
            quick = entered;
        }
    }
    free(x);
    mpfr_clear(slack);
    return status;
}

/* ---- certifying ---- */

/* Weak duality: R sum y + sum_l max(0, w_l - sum y G_l - z terms), rounded up, for any y, z >= 0.
 */
static void certify_bound(mpfi_t most, program *p)
{
    size_t K = p->c->voters, mid = (K + 1) / 2, n = p->n;
    mpfi_t sum, part, one, *rest = malloc(n * sizeof *rest);
    mpfi_set_ui(most, 0);
    if (rest == NULL) {
        mpfr_set_inf(&most->right, 1);
        return;
    }
    mpfi_init2(sum, BITS);
    mpfi_init2(part, BITS);
    mpfi_init2(one, BITS);
    for (size_t l = 0; l < n; l++) {
        mpfi_init2(rest[l], BITS);
        mpfi_set_q(rest[l], p->c->weights[l]);
    }
    mpfi_add_ui(one, p->odds, 1);
    for (size_t i = 0; i < n; i++) {
        row_name name = p->simplex.active[i];
        mpfr_srcptr y = p->simplex.y[i];
        if (mpfr_sgn(y) <= 0 || name.kind == ROW_UPPER || name.kind == ROW_LOWER)
            continue;
        if (name.kind == ROW_RISE) {
            mpfi_sub_fr(rest[name.index], rest[name.index], y);
            mpfi_add_fr(rest[name.index + 1], rest[name.index + 1], y);
            continue;
        }
        mpfi_mul_fr(part, p->budget, y);
        mpfi_add(most, most, part);
        const cut *k = &p->used[name.index];
        for (int end = 0; end < 2; end++) { /* the lower ends of G, then the upper ones */
            mpfr_rnd_t way = end == 0 ? MPFR_RNDD : MPFR_RNDU,
                       back = end == 0 ? MPFR_RNDU : MPFR_RNDD;
            mpfr_t *own = p->law[0], *other = p->law[1];
            for (int primed = 0; primed < 2; primed++) {
                /* + a_l - a_(K-l), and - E a'_l + E a'_(K-l), each end by its own rounding */
                cut_law(own, p, k, primed == 1, way);
                cut_law(other, p, k, primed == 1, back);
                for (size_t l = mid; l <= K; l++) {
                    size_t plus = primed == 0 ? l : K - l, minus = K - plus;
                    mpfr_sub(&sum->left, own[plus], other[minus], way);
                    mpfi_set_fr(part, &sum->left);
                    if (primed == 1)
                        mpfi_mul(part, part, p->odds);
                    mpfi_div(part, part, one);
                    mpfi_mul_fr(part, part, y);
                    /* the end that counts for w - y G */
                    if (end == 0)
                        mpfr_sub(&rest[l - mid]->right, &rest[l - mid]->right, &part->left,
                                 MPFR_RNDU);
                    else
                        mpfr_sub(&rest[l - mid]->left, &rest[l - mid]->left, &part->right,
                                 MPFR_RNDD);
                }
            }
        }
    }
    for (size_t l = 0; l < n; l++) {
        ival_at_least_zero(rest[l]);
        mpfi_add(most, most, rest[l]);
        mpfi_clear(rest[l]);
    }
    free(rest);
    mpfi_clear(one);
    mpfi_clear(part);
    mpfi_clear(sum);
}

/* gamma from x: clipped, to DECIMALS, then times t. */
static void set_gamma(noise *g, program *p, const mpq_t scale)
{
    mpq_t *upper = g->gamma + (p->c->voters + 1) / 2;
    mpz_t unit;
    mpfr_t scaled;
    mpz_init(unit);
    mpfr_init2(scaled, BITS);
    mpz_ui_pow_ui(unit, 10, DECIMALS);
    for (size_t l = 0; l < p->n; l++) {
        mpfr_mul_z(scaled, p->simplex.x[l], unit, MPFR_RNDN);
        mpfr_get_z(mpq_numref(upper[l]), scaled, MPFR_RNDN);
        mpz_set(mpq_denref(upper[l]), unit);
        if (mpz_sgn(mpq_numref(upper[l])) < 0)
            mpz_set_ui(mpq_numref(upper[l]), 0);
        if (mpz_cmp(mpq_numref(upper[l]), unit) > 0)
            mpz_set(mpq_numref(upper[l]), unit);
        mpq_canonicalize(upper[l]);
        mpq_mul(upper[l], upper[l], scale);
        mpq_set(g->gamma[p->c->voters / 2 - l], upper[l]);
    }
    mpfr_clear(scaled);
    mpz_clear(unit);
}

/* t = R/F rounded down to a decimal, F the cost that delta at gamma means; 1 when it is within. */
static bool shrink(mpq_t scale, const program *p, const dp_figure *delta)
{
    if (dp_figure_le(delta, p->c->m->target_delta) == DP_YES)
        return false;
    mpfi_t cost, budget;
    mpfi_init2(cost, BITS);
    mpfi_init2(budget, BITS);
    mpfi_sub_ui(cost, p->odds, 1);
    mpfi_set_q(budget, p->c->m->target_delta);
    mpfi_mul_2ui(budget, budget, 1);
    mpfi_add(budget, budget, cost);
    mpfi_t twice;
    mpfi_init2(twice, BITS);
    mpfi_mul_2ui(twice, delta->enclosure, 1);
    mpfi_add(cost, cost, twice);
    mpfi_clear(twice);
    mpfi_div(budget, budget, cost);
    mpz_t unit;
    mpz_init(unit);
    mpz_ui_pow_ui(unit, 10, DECIMALS);
    mpfr_mul_z(&budget->left, &budget->left, unit, MPFR_RNDD);
    mpz_set_ui(mpq_numref(scale), 0);
    if (mpfr_number_p(&budget->left) && mpfr_sgn(&budget->left) > 0)
        mpfr_get_z(mpq_numref(scale), &budget->left, MPFR_RNDD);
    mpz_set(mpq_denref(scale), unit);
    mpq_canonicalize(scale);
    mpz_clear(unit);
    mpfi_clear(budget);
    mpfi_clear(cost);
    return true;
}

static dp_status certify(program *p, proposal *out)
{
    mpq_t scale;
    mpq_init(scale);
    mpq_set_ui(scale, 1, 1);
    set_gamma(&out->g, p, scale);
    bool proved;
    dp_status status = council_certify(p->c, out, 1, &p->c->target, p->c->m->target_delta, &proved);
    if (status == DP_OK && shrink(scale, p, &out->delta))
        set_gamma(&out->g, p, scale);
    /* objective = sum w gamma, exactly */
    mpq_t sum;
    mpq_init(sum);
    for (size_t l = 0; l < p->n; l++) {
        mpq_mul(scale, p->c->weights[l], out->g.gamma[l + (p->c->voters + 1) / 2]);
        mpq_add(sum, sum, scale);
    }
    figure_set_q(&out->objective, sum);
    mpfi_ptr most = figure_enclose(&out->objective_bound, BITS);
    certify_bound(most, p);
    mpfr_set_q(&most->left, sum, MPFR_RNDD);
    mpq_clears(sum, scale, NULL);
    return status;
}

dp_status council_optimise(const council *c, proposal *out)
{
    program p = {
        .c = c, .n = (c->voters + 1) / 2, .free_class = c->m->free_class, .steps = MOST_STEPS};
    mpfi_init2(p.odds, BITS);
    mpfi_init2(p.budget, BITS);
    council_odds(p.odds, &c->target);
    mpfi_t one;
    mpfi_init2(one, BITS);
    mpfi_set_q(p.budget, c->m->target_delta);
    mpfi_mul_2ui(p.budget, p.budget, 1);
    mpfi_sub_ui(one, p.odds, 1);
    mpfi_add(p.budget, p.budget, one);
    mpfi_add_ui(one, p.odds, 1);
    mpfi_div(p.budget, p.budget, one);
    mpfi_clear(one);
    mpfr_t *weight = reals_new(p.n, BITS), *row = reals_new(p.n, BITS);
    p.law[0] = reals_new(c->voters + 1, BITS);
    p.law[1] = reals_new(c->voters + 1, BITS);
    p.counts = malloc(c->corners.count * CORNER_KINDS * sizeof *p.counts);
    dp_status status =
        weight == NULL || row == NULL || p.law[0] == NULL || p.law[1] == NULL || p.counts == NULL
            ? DP_MEMORY
            : DP_OK;
    for (size_t l = 0; status == DP_OK && l < p.n; l++)
        mpfr_set_q(weight[l], c->weights[l], MPFR_RNDN);
    if (status == DP_OK)
        status = fill_rows(&p);
    if (status == DP_OK && p.free_class)
        status = eight_open(&p.eight, &c->m->groups->item[0], c->voters, &c->lim);
    if (status == DP_OK) {
        bool ready = simplex_init(&p.simplex, weight, p.n, BITS);
        status = ready ? solve(&p, row) : DP_MEMORY;
        if (status == DP_OK)
            status = certify(&p, out);
        simplex_clear(&p.simplex);
    }
    if (p.free_class)
        eight_close(&p.eight);
    reals_free(row, p.n);
    reals_free(weight, p.n);
    reals_free(p.law[0], c->voters + 1);
    reals_free(p.law[1], c->voters + 1);
    free(p.counts);
    free(p.rows);
    free(p.used);
    mpfi_clear(p.budget);
    mpfi_clear(p.odds);
    return status;
}
