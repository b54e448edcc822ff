/* SPDX-License-Identifier: MIT */
/* Solving the linear program from the rows that doubles found, by rows that are still violated.
 * Nothing here is certified or needs to be: it only finds a candidate and multipliers. */
#include <math.h>

#include "core/refine.h"
#include "num/ival.h"
#include "num/memory.h"
#include "vote/program.h"

#define BITS 256
#define MOST_MORE_BITS 4096
#define SMALL_BUDGET 1e-9 /* below it doubles see only noise */
#define MOST_STEPS 20000
#define CUTS 16
#define NEAR 256

/* ---- rows ---- */

/* G/R of a cut, to nearest, so that rows are of the size of 1: a candidate's row */
static dp_status cut_row(mpfr_t *row, program *p, const cut *k)
{
    size_t K = p->c->voters, mid = (K + 1) / 2;
    mpfr_t unit, odds;
    mpfr_init2(unit, p->bits);
    mpfr_init2(odds, p->bits);
    mpfi_mid(odds, p->odds);
    mpfi_mid(unit, p->unit);
    dp_status status = program_law(p->law[0], p, k, false, MPFR_RNDN);
    if (status == DP_OK)
        status = program_law(p->law[1], p, k, true, MPFR_RNDN);
    for (size_t l = mid; status == DP_OK && l <= K; l++) {
        mpfr_sub(row[l - mid], p->law[1][K - l], p->law[1][l], MPFR_RNDN);
        mpfr_mul(row[l - mid], row[l - mid], odds, MPFR_RNDN);
        mpfr_add(row[l - mid], row[l - mid], p->law[0][l], MPFR_RNDN);
        mpfr_sub(row[l - mid], row[l - mid], p->law[0][K - l], MPFR_RNDN);
        mpfr_mul(row[l - mid], row[l - mid], unit, MPFR_RNDN);
    }
    mpfr_clear(odds);
    mpfr_clear(unit);
    return status;
}

/* ---- finding violated rows ---- */

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
    exact_scan s = {.p = p, .high = reals_new(c->leaves, p->bits - 128)};
    mpfr_init2(s.weight, p->bits - 128);
    mpfr_init2(s.part, p->bits - 128);
    mpfr_t floor, odds;
    mpfr_init2(floor, p->bits - 128);
    mpfr_init2(odds, p->bits - 128);
    mpfi_mid(odds, p->odds);
    mpfr_add_ui(s.weight, odds, 1, MPFR_RNDN);
    mpfr_ui_div(s.weight, 1, s.weight, MPFR_RNDN);
    dp_status status = s.high == NULL ? DP_MEMORY : DP_OK;
    if (status == DP_OK)
        status = corners_walk(c, false, MPFR_RNDN, p->bits - 128, exact_visit, &s);
    mpfr_mul(s.weight, s.weight, odds, MPFR_RNDN);
    mpfr_neg(s.weight, s.weight, MPFR_RNDN);
    if (status == DP_OK)
        status = corners_walk(c, true, MPFR_RNDN, p->bits - 128, exact_visit, &s);
    mpfi_mid(floor, p->budget);
    if (p->scaled)
        mpfr_mul(s.part, slack, floor, MPFR_RNDN);
    else
        mpfr_set(s.part, slack, MPFR_RNDN);
    mpfr_add(floor, floor, s.part, MPFR_RNDN);
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
    double *b = memory_new(K + 1, sizeof *b), weight;
    octet *o = memory_new(CUTS, sizeof *o);
    if (b == NULL || o == NULL) {
        memory_free(b);
        memory_free(o);
        return DP_MEMORY;
    }
    for (size_t l = 0; l <= K; l++) {
        double g = mpfr_get_d(p->simplex.x[l >= mid ? l - mid : K - l - mid], MPFR_RNDN);
        b[l] = l >= mid ? (1 + g) / 2 : (1 - g) / 2;
    }
    weight = 1 / (1 + mpfi_get_d(p->odds));
    /* G gamma = (2 (B - E B') + E - 1)/(1 + E) */
    double limit = (mpfi_get_d(p->budget) - (1 - 2 * weight)) / 2;
    dp_status status = eight_fill(&p->eight, b);
    if (status == DP_OK)
        status = eight_top(o, CUTS, &found, &p->eight, weight);
    *count = 0;
    for (size_t i = 0; status == DP_OK && i < found; i++)
        if (o[i].value - limit > 4 * eight_margin(&p->eight))
            list[(*count)++].vertices = o[i];
    memory_free(o);
    memory_free(b);
    return status;
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
        cut *grown = memory_grow(p->used, room, sizeof *grown);
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
    mpfr_init2(excess, p->bits);
    mpfr_init2(budget, p->bits);
    mpfr_set_ui(budget, p->scaled, MPFR_RNDN);
    dp_status status = cut_row(row, p, k);
    if (status == DP_OK)
        simplex_excess(excess, &p->simplex, row, budget);
    *entered = status == DP_OK && mpfr_cmp(excess, slack) > 0;
    if (*entered) {
        if (!remember(p, k))
            status = DP_MEMORY;
        else if (p->steps == 0 ||
                 !simplex_enter(&p->simplex, row, budget, (row_name){ROW_CUT, p->used_count - 1}))
            status = DP_UNDECIDED;
        p->steps -= p->steps > 0;
        if (status == DP_OK)
            status = simplex_settle(&p->simplex, !p->free_class, slack, &p->steps);
    }
    mpfr_clear(budget);
    mpfr_clear(excess);
    return status;
}

static double objective(const program *p)
{
    double sum = 0;
    for (size_t l = 0; l < p->n; l++)
        sum += mpfr_get_d(p->simplex.weight[l], MPFR_RNDN) * mpfr_get_d(p->simplex.x[l], MPFR_RNDN);
    return sum;
}

/* One of the rows found in doubles into the basis */
static dp_status place(bool *placed, program *p, row_name name, mpfr_t *row, bool *kept)
{
    mpfr_t rho;
    mpfr_init2(rho, p->bits);
    mpfr_set_ui(rho, p->scaled, MPFR_RNDN);
    cut k = {.leaf = name.index};
    dp_status status = DP_OK;
    if (name.kind == ROW_CUT) {
        if (p->free_class)
            as_vertices(&k, p);
        name.index = p->used_count;
        status = remember(p, &k) ? cut_row(row, p, &k) : DP_MEMORY;
    } else {
        simplex_simple(row, rho, &p->simplex, name);
    }
    *placed = status == DP_OK && simplex_place(&p->simplex, row, rho, name, kept);
    mpfr_clear(rho);
    return status;
}

/* What rounding in doubles left of y < 0 is turned round. */
static void turn(program *p)
{
    mpfr_t far; /* sum |G| <= 1 in a row, and x is from 0 to 1 */
    mpfr_init2(far, p->bits);
    mpfi_mid(far, p->budget);
    if (p->scaled)
        mpfr_ui_div(far, 1, far, MPFR_RNDN);
    mpfr_add_ui(far, far, 1, MPFR_RNDN);
    simplex_turn(&p->simplex, far);
    mpfr_clear(far);
}

/* Begins with the rows that were found in doubles, those of few entries first; *placed: all are
 * independent. */
static dp_status begin_with(bool *placed, program *p, const row_name *active, mpfr_t *row)
{
    bool *kept = memory_zero(2 * p->n, sizeof *kept), *done = kept + p->n;
    dp_status status = kept != NULL ? DP_OK : DP_MEMORY;
    *placed = true;
    for (size_t i = 0; status == DP_OK && i < p->n; i++) { /* they are there from the start */
        row_name name = active[i];
        done[i] = name.kind != ROW_CUT && p->simplex.active[name.index].kind == name.kind;
        if (done[i])
            kept[name.index] = true;
    }
    for (int cuts = 0; cuts < 2; cuts++)
        for (size_t i = 0; status == DP_OK && *placed && i < p->n; i++) {
            if (!done[i] && (active[i].kind == ROW_CUT) == (cuts == 1))
                status = place(placed, p, active[i], row, kept);
            if (limits_expired(&p->c->lim))
                status = DP_UNDECIDED;
        }
    memory_free(kept);
    if (status == DP_OK && *placed) {
        simplex_solve(&p->simplex);
        turn(p);
    }
    return status;
}

/* Is the leaf's row active? */
static bool is_active(const program *p, size_t leaf)
{
    for (size_t i = 0; i < p->n; i++) {
        row_name name = p->simplex.active[i];
        if (name.kind == ROW_CUT && p->used[name.index].leaf == leaf)
            return true;
    }
    return false;
}

/* The leaves that doubles cannot tell from violated ones */
static dp_status worst_near(cut *list, size_t *count, program *p)
{
    size_t *leaf = memory_new(NEAR, sizeof *leaf), found = 0;
    dp_status status = leaf != NULL ? program_near(leaf, &found, NEAR, p) : DP_MEMORY;
    *count = 0;
    for (size_t i = 0; status == DP_OK && i < found; i++)
        if (!is_active(p, leaf[i]))
            list[(*count)++].leaf = leaf[i];
    memory_free(leaf);
    return status;
}

/* Rows until none is violated. */
static dp_status solve(program *p, mpfr_t *row, bool seen)
{
    cut *list = memory_new(NEAR, sizeof *list);
    mpfr_t slack;
    mpfr_init2(slack, p->bits);
    mpfr_set_ui_2exp(slack, 1, -64, MPFR_RNDN);
    dp_status status = list != NULL ? DP_OK : DP_MEMORY;
    if (status == DP_OK)
        status = simplex_settle(&p->simplex, !p->free_class, slack, &p->steps);
    for (bool entered = true; status == DP_OK && entered;) {
        size_t count = 0;
        program_tell(p, objective(p));
        if (limits_expired(&p->c->lim))
            status = DP_UNDECIDED;
        else if (p->free_class)
            status = worst_eight(list, &count, p);
        else
            status = seen ? worst_near(list, &count, p) : worst_exact(list, &count, p, slack);
        entered = false;
        for (size_t i = 0; status == DP_OK && i < count; i++) {
            bool one;
            status = enter_cut(p, &list[i], row, slack, &one);
            entered = entered || one;
        }
    }
    memory_free(list);
    mpfr_clear(slack);
    return status;
}

/* The rows are differences about as small as the budget, and they differ among themselves by its
 * square: as many more bits. */
static mpfr_prec_t working_bits(const council *c)
{
    mpfi_t x;
    mpfi_init2(x, 64);
    logform_enclose(x, &c->target);
    if (mpq_sgn(c->m->target_delta) > 0)
        mpfi_add_q(x, x, c->m->target_delta);
    bool large = mpfr_zero_p(&x->right) || mpfr_get_exp(&x->right) > 0;
    mpfr_prec_t more = large ? 0 : -mpfr_get_exp(&x->right);
    mpfi_clear(x);
    return BITS + 3 * (more < MOST_MORE_BITS ? more : MOST_MORE_BITS);
}

/* E, R and what a row is multiplied by */
static void set_budget(program *p)
{
    mpfi_init2(p->odds, p->bits);
    mpfi_init2(p->budget, p->bits);
    mpfi_init2(p->unit, p->bits);
    council_odds(p->odds, &p->c->target);
    mpfi_t one;
    mpfi_init2(one, p->bits);
    mpfi_set_q(p->budget, p->c->m->target_delta);
    mpfi_mul_2ui(p->budget, p->budget, 1);
    mpfi_sub_ui(one, p->odds, 1);
    mpfi_add(p->budget, p->budget, one);
    p->scaled = mpfr_sgn(&p->budget->left) > 0;
    mpfi_add_ui(one, p->odds, 1);
    mpfi_ui_div(p->unit, 1, p->scaled ? p->budget : one); /* (1/(1+E))/R = 1/(E - 1 + 2 delta) */
    mpfi_div(p->budget, p->budget, one);
    mpfi_clear(one);
}

static void program_clear(program *p)
{
    if (p->free_class)
        eight_close(&p->eight);
    for (size_t i = 0; i < 4; i++)
        reals_free(p->law[i], p->c->voters + 1);
    memory_free(p->counts);
    memory_free(p->used);
    mpfi_clear(p->unit);
    mpfi_clear(p->budget);
    mpfi_clear(p->odds);
}

static dp_status program_init(program *p)
{
    set_budget(p);
    p->counts = memory_new(p->c->corners.count * CORNER_KINDS, sizeof *p->counts);
    bool ok = p->counts != NULL;
    for (size_t i = 0; i < 4; i++)
        ok = (p->law[i] = reals_new(p->c->voters + 1, p->bits)) != NULL && ok;
    dp_status status = ok ? DP_OK : DP_MEMORY;
    if (p->free_class) {
        dp_status ready =
            eight_open(&p->eight, &p->c->m->groups->item[0], p->c->voters, &p->c->lim);
        status = status == DP_OK ? ready : status;
    }
    return status;
}

/* Begins anew, without what doubles found where `active` is NULL. */
static dp_status begin(bool *placed, program *p, mpfr_t *weight, const row_name *active,
                       mpfr_t *row)
{
    *placed = true;
    p->used_count = 0;
    if (!simplex_init(&p->simplex, weight, p->n, p->bits, &p->c->lim))
        return DP_MEMORY;
    return active != NULL ? begin_with(placed, p, active, row) : DP_OK;
}

static dp_status run(program *p, proposal *out, mpfr_t *weight, mpfr_t *row, row_name *active)
{
    bool seen = mpfi_get_d(p->budget) > SMALL_BUDGET, placed;
    dp_status status = seen ? program_search(active, p) : DP_OK;
    if (status != DP_OK)
        return status;
    status = begin(&placed, p, weight, seen ? active : NULL, row);
    if (status == DP_OK && !placed) {
        simplex_clear(&p->simplex);
        status = begin(&placed, p, weight, NULL, row);
    }
    if (status == DP_OK)
        status = solve(p, row, seen);
    if (status == DP_OK)
        status = program_certify(p, out);
    simplex_clear(&p->simplex);
    return status;
}

dp_status council_optimise(const council *c, proposal *out)
{
    program p = {.c = c,
                 .n = (c->voters + 1) / 2,
                 .free_class = c->m->free_class,
                 .bits = working_bits(c),
                 .steps = MOST_STEPS};
    dp_status status = program_init(&p);
    mpfr_t *weight = reals_new(p.n, p.bits), *row = reals_new(p.n, p.bits);
    row_name *active = memory_new(p.n, sizeof *active);
    if (status == DP_OK && (weight == NULL || row == NULL || active == NULL))
        status = DP_MEMORY;
    for (size_t l = 0; status == DP_OK && l < p.n; l++)
        mpfr_set_q(weight[l], c->weights[l], MPFR_RNDN);
    if (status == DP_OK)
        status = run(&p, out, weight, row, active);
    memory_free(active);
    reals_free(row, p.n);
    reals_free(weight, p.n);
    program_clear(&p);
    return status;
}
