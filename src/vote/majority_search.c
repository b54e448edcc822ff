/* SPDX-License-Identifier: MIT */
/* Which rows of the linear program are active in the end, looked for in doubles: rows of the worst
 * leaves enter one by one, and a pass over all leaves, by leaf_sums.h, finds the next worst. It
 * only chooses where the solution at more precision begins. */
#include <math.h>
#include <string.h>

#include "num/binary64.h"
#include "num/memory.h"
#include "vote/leaf_sums.h"
#include "vote/pivots.h"
#include "vote/program.h"

#define TOLERANCE 1e-11
#define NEW_ROWS 24
#define PATIENCE 20 /* times n pivots without gain */
#define ODDS_BITS 64

/* Violated leaves, worst first */
typedef struct found {
    size_t leaf;
    double excess;
} found;

typedef struct search {
    program *p;
    pivots pivots;
    double own, other, budget; /* 1/(1+E), E/(1+E), R */
    double (*odds)[2][2];      /* hit and miss of each group and corner, under p and p' */
    double *law;               /* room for a law */
    double *row;               /* and for a row */
    double *pool;              /* rows found so far, n values each */
    size_t *leaf, count, room; /* the leaves of these */
} search;

static void weights_of(double *own, double *other, const program *p)
{
    mpfi_t weight;
    mpfi_init2(weight, 128);
    mpfi_add_ui(weight, p->odds, 1);
    mpfi_ui_div(weight, 1, weight);
    *own = mpfi_get_d(weight);
    *other = 1 - *own;
    mpfi_clear(weight);
}

/* ---- one row ---- */

/* law(0..K) of a leaf under p or p' */
static void make_law(search *s, bool primed, double *law)
{
    const corners *c = &s->p->c->corners;
    size_t length = 1;
    memset(law, 0, (c->voters + 1) * sizeof *law);
    law[0] = 1;
    for (size_t i = 0; i < c->count * CORNER_KINDS; i++) {
        const double *odds = s->odds[i][primed];
        for (size_t k = 0; k < s->p->counts[i]; k++, length++) {
            for (size_t l = length; l > 0; l--)
                law[l] = law[l] * odds[1] + law[l - 1] * odds[0];
            law[0] *= odds[1];
        }
    }
}

/* G/R of a leaf */
static void make_row(double *row, search *s, size_t leaf)
{
    size_t K = s->p->c->voters, mid = (K + 1) / 2;
    corners_counts(s->p->counts, &s->p->c->corners, leaf);
    memset(row, 0, s->p->n * sizeof *row);
    for (int primed = 0; primed < 2; primed++) {
        double weight = (primed == 1 ? -s->other : s->own) / s->budget;
        make_law(s, primed == 1, s->law);
        for (size_t l = mid; l <= K; l++)
            row[l - mid] += weight * (s->law[l] - s->law[K - l]);
    }
}

static bool remember(search *s, size_t leaf)
{
    size_t n = s->p->n;
    if (s->count == s->room) {
        size_t room = s->room == 0 ? 64 : 2 * s->room;
        double *pool = memory_grow(s->pool, room * n, sizeof *pool);
        s->pool = pool != NULL ? pool : s->pool;
        size_t *list = pool != NULL ? memory_grow(s->leaf, room, sizeof *list) : NULL;
        if (list == NULL)
            return false;
        s->leaf = list;
        s->room = room;
    }
    make_row(s->pool + s->count * n, s, leaf);
    s->leaf[s->count++] = leaf;
    return true;
}

/* ---- all leaves ---- */

/* The worst leaves, of each run of neighbours in their order one: those that are violated by more
 * than `least`. */
static size_t take_worst(found *list, size_t room, const double *excess, size_t leaves,
                         double least)
{
    size_t count = 0;
    for (size_t i = 0; i < leaves; i++) {
        if (!(excess[i] > least) || (i > 0 && excess[i - 1] > excess[i]) ||
            (i + 1 < leaves && excess[i + 1] >= excess[i]))
            continue;
        size_t at = count < room ? count++ : room;
        for (; at > 0 && list[at - 1].excess < excess[i]; at--)
            if (at < room)
                list[at] = list[at - 1];
        if (at < room)
            list[at] = (found){i, excess[i]};
    }
    return count;
}

/* What every leaf is above R, of R. */
static dp_status scan(double *excess, const program *p, const double *x)
{
    size_t K = p->c->voters, mid = (K + 1) / 2, leaves = p->c->corners.leaves;
    double own, other, budget = mpfi_get_d(p->budget);
    weights_of(&own, &other, p);
    double *b = memory_new(K + 1, sizeof *b), *primed = memory_new(leaves, sizeof *primed);
    dp_status status = b != NULL && primed != NULL ? DP_OK : DP_MEMORY;
    for (size_t l = mid; status == DP_OK && l <= K; l++) {
        double g = x[l - mid] < 0 ? 0 : x[l - mid] > 1 ? 1 : x[l - mid];
        b[l] = (1 + g) / 2;
        b[K - l] = (1 - g) / 2;
    }
    if (status == DP_OK)
        status = leaf_sums_fill(excess, &p->c->corners, b, false);
    if (status == DP_OK)
        status = leaf_sums_fill(primed, &p->c->corners, b, true);
    /* G gamma = (2 (B - E B') + E - 1)/(1 + E) */
    for (size_t i = 0; status == DP_OK && i < leaves; i++)
        excess[i] = (2 * (own * excess[i] - other * primed[i]) + (other - own)) / budget - 1;
    memory_free(primed);
    memory_free(b);
    return status;
}

/* ---- the search ---- */

static dp_status search_init(search *s, program *p)
{
    const corners *c = &p->c->corners;
    *s = (search){.p = p, .budget = mpfi_get_d(p->budget)};
    weights_of(&s->own, &s->other, p);
    s->odds = memory_new(c->count * CORNER_KINDS, sizeof *s->odds);
    s->law = memory_new(c->voters + 2, sizeof *s->law);
    s->row = memory_new(p->n, sizeof *s->row);
    if (s->odds == NULL || s->law == NULL || s->row == NULL)
        return DP_MEMORY;
    corner_odds o;
    corner_odds_init(&o, ODDS_BITS);
    for (size_t i = 0; i < c->count * CORNER_KINDS; i++)
        for (int primed = 0; primed < 2; primed++) {
            corner_odds_set(&o, &c->groups->item[i / CORNER_KINDS], (corner_kind)(i % CORNER_KINDS),
                            primed == 1, MPFR_RNDD);
            s->odds[i][primed][0] = mpfr_get_d(o.hit, MPFR_RNDN);
            s->odds[i][primed][1] = mpfr_get_d(o.miss, MPFR_RNDN);
        }
    corner_odds_clear(&o);
    for (size_t l = 0; l < p->n; l++)
        s->row[l] = mpq_get_d(p->c->weights[l]);
    return pivots_init(&s->pivots, s->row, p->n) ? DP_OK : DP_MEMORY;
}

static void search_clear(search *s)
{
    pivots_clear(&s->pivots);
    memory_free(s->odds);
    memory_free(s->law);
    memory_free(s->row);
    memory_free(s->pool);
    memory_free(s->leaf);
}

/* Enters the worst of the simple rows and those of the pool; false when none is violated, or none
 * can leave. */
static bool step(search *s)
{
    size_t n = s->p->n, at = s->count;
    double worst, rho = 1;
    row_name name = pivots_worst(&worst, &s->pivots, !s->p->free_class);
    for (size_t i = 0; i < s->count; i++) {
        const double *row = s->pool + i * n;
        double excess = -1;
        for (size_t l = 0; l < n; l++)
            excess += row[l] * s->pivots.x[l];
        if (excess > worst) {
            worst = excess;
            at = i;
        }
    }
    if (!(worst > TOLERANCE))
        return false;
    const double *row = at < s->count ? s->pool + at * n : s->row;
    if (at < s->count)
        name = (row_name){ROW_CUT, at};
    else
        rho = pivots_simple(s->row, n, name);
    return pivots_enter(&s->pivots, row, rho, name, s->pool);
}

static double objective(const pivots *s)
{
    double sum = 0;
    for (size_t l = 0; l < s->n; l++)
        sum += s->weight[l] * s->x[l];
    return sum;
}

/* Pivots until no row that is known is violated; *moved says whether there were any. */
static dp_status settle(search *s, size_t *idle, double *best, bool *moved)
{
    *moved = false;
    while (*idle < PATIENCE * s->p->n && step(s)) {
        *moved = true;
        double now = objective(&s->pivots);
        bool gains = now < *best - 1e-14;
        *best = gains ? now : *best;
        *idle = gains ? 0 : *idle + 1;
        if (limits_expired(&s->p->c->lim))
            return DP_UNDECIDED;
    }
    return DP_OK;
}

static dp_status look(search *s, double *excess)
{
    found list[NEW_ROWS];
    size_t idle = 0, count = 0;
    double best = HUGE_VAL;
    bool moved;
    dp_status status = settle(s, &idle, &best, &moved);
    for (moved = true; status == DP_OK && moved;) {
        program_tell(s->p, objective(&s->pivots));
        status = scan(excess, s->p, s->pivots.x);
        if (status == DP_OK)
            count = take_worst(list, NEW_ROWS, excess, s->p->c->corners.leaves, TOLERANCE);
        for (size_t i = 0; status == DP_OK && i < count; i++)
            if (!remember(s, list[i].leaf))
                status = DP_MEMORY;
        if (status == DP_OK)
            status = settle(s, &idle, &best, &moved);
    }
    return status;
}

dp_status program_search(row_name *active, program *p)
{
    search s;
    double *excess = memory_new(p->c->corners.leaves, sizeof *excess);
    dp_status status = search_init(&s, p);
    if (status == DP_OK)
        status = excess != NULL ? look(&s, excess) : DP_MEMORY;
    for (size_t i = 0; status == DP_OK && i < p->n; i++) {
        active[i] = s.pivots.active[i];
        if (active[i].kind == ROW_CUT)
            active[i].index = s.leaf[active[i].index];
    }
    search_clear(&s);
    memory_free(excess);
    return status;
}

dp_status program_near(size_t *leaf, size_t *count, size_t room, const program *p)
{
    size_t leaves = p->c->corners.leaves;
    double *excess = memory_new(leaves, sizeof *excess), *x = memory_new(p->n, sizeof *x);
    double error = 8 * (3.1 * (double)p->c->voters + 8) * BINARY64_U / mpfi_get_d(p->budget);
    dp_status status = excess != NULL && x != NULL ? DP_OK : DP_MEMORY;
    for (size_t l = 0; status == DP_OK && l < p->n; l++)
        x[l] = mpfr_get_d(p->simplex.x[l], MPFR_RNDN);
    if (status == DP_OK)
        status = scan(excess, p, x);
    for (size_t i = *count = 0; status == DP_OK && *count < room && i < leaves; i++)
        if (excess[i] > -error)
            leaf[(*count)++] = i;
    memory_free(x);
    memory_free(excess);
    return status;
}
