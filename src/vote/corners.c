/* SPDX-License-Identifier: MIT */
/* The laws of the number of ones at every multiset of the three corners, walked in depth: one
 * convolution for each node. All parts are non-negative, so a rounding direction is kept. */
#include "vote/corners.h"

#include "num/ival.h"
#include "num/memory.h"

mpfr_t *reals_new(size_t count, mpfr_prec_t bits)
{
    mpfr_t *x = memory_new(count == 0 ? 1 : count, sizeof *x);
    for (size_t i = 0; x != NULL && i < count; i++) {
        mpfr_init2(x[i], bits);
        mpfr_set_zero(x[i], 1);
    }
    return x;
}

void reals_free(mpfr_t *x, size_t count)
{
    for (size_t i = 0; x != NULL && i < count; i++)
        mpfr_clear(x[i]);
    memory_free(x);
}

void corner_odds_init(corner_odds *o, mpfr_prec_t bits)
{
    mpfr_init2(o->hit, bits);
    mpfr_init2(o->miss, bits);
    mpfr_init2(o->part, bits);
}

void corner_odds_clear(corner_odds *o)
{
    mpfr_clear(o->hit);
    mpfr_clear(o->miss);
    mpfr_clear(o->part);
}

/* c = (1 + delta f)/(1 + f), d = (1 - delta) f/(1 + f), f = e^-eps */
static void middle(mpfi_t c, mpfi_t d, const dp_item *m)
{
    mpfi_t f, part;
    mpfi_init2(f, mpfi_get_prec(c));
    mpfi_init2(part, mpfi_get_prec(c));
    ival_set_number(f, &m->epsilon);
    mpfi_neg(f, f);
    mpfi_exp(f, f);
    mpfi_mul_q(c, f, m->delta);
    mpfi_add_ui(c, c, 1);
    mpfi_set_q(d, m->delta);
    mpfi_ui_sub(d, 1, d);
    mpfi_mul(d, d, f);
    mpfi_add_ui(part, f, 1);
    mpfi_div(c, c, part);
    mpfi_div(d, d, part);
    ival_clamp_ui(c, 0, 1);
    mpfi_clear(part);
    mpfi_clear(f);
}

static mpfr_srcptr end_of(const mpfi_t x, mpfr_rnd_t way)
{
    return way == MPFR_RNDU ? &x->right : &x->left;
}

void corner_odds_set(corner_odds *o, const dp_item *m, corner_kind kind, bool primed,
                     mpfr_rnd_t way)
{
    mpfr_prec_t bits = mpfr_get_prec(o->hit);
    mpfi_t c, d;
    mpfi_init2(c, bits + 32);
    mpfi_init2(d, bits + 32);
    if (kind == CORNER_MIDDLE) {
        middle(c, d, m);
        mpfr_set(primed ? o->miss : o->hit, end_of(c, way), way);
        mpfr_set(primed ? o->hit : o->miss, end_of(d, way), way);
    } else if (primed == (kind == CORNER_HIGH)) { /* delta against 0, or 1 - delta against 1 */
        mpfi_set_q(c, m->delta);
        mpfi_set_q(d, m->delta);
        mpfi_ui_sub(d, 1, d);
        mpfr_set(primed ? o->miss : o->hit, end_of(c, way), way);
        mpfr_set(primed ? o->hit : o->miss, end_of(d, way), way);
    } else {
        mpfr_set_ui(o->hit, kind == CORNER_HIGH, MPFR_RNDN);
        mpfr_set_ui(o->miss, kind != CORNER_HIGH, MPFR_RNDN);
    }
    mpfi_clear(d);
    mpfi_clear(c);
}

/* All parts are non-negative, so each step keeps the direction. */
void corner_convolve(mpfr_t *law, size_t length, corner_odds *o, mpfr_rnd_t way)
{
    mpfr_mul(law[length], law[length - 1], o->hit, way);
    for (size_t l = length - 1; l > 0; l--) {
        mpfr_mul(law[l], law[l], o->miss, way);
        mpfr_mul(o->part, law[l - 1], o->hit, way);
        mpfr_add(law[l], law[l], o->part, way);
    }
    mpfr_mul(law[0], law[0], o->miss, way);
}

dp_status corners_init(corners *c, const dp_composition *groups, size_t voters, size_t most,
                       const limits *lim)
{
    *c = (corners){.groups = groups, .count = groups->count, .voters = voters, .lim = lim};
    c->members = memory_new(groups->count, sizeof *c->members);
    if (c->members == NULL)
        return DP_MEMORY;
    c->leaves = 1;
    for (size_t g = 0; g < groups->count; g++) {
        size_t m = c->members[g] = mpz_get_ui(groups->item[g].times);
        if (c->leaves > most / ((m + 1) * (m + 2) / 2))
            return DP_UNAVAILABLE;
        c->leaves *= (m + 1) * (m + 2) / 2;
    }
    return DP_OK;
}

void corners_clear(corners *c)
{
    memory_free(c->members);
}

size_t corners_place(size_t m, size_t low, size_t middle_count)
{
    return low * (m + 1) - low * (low - (low > 0)) / 2 + middle_count;
}

void corners_counts(size_t *counts, const corners *c, size_t leaf)
{
    for (size_t g = c->count; g-- > 0;) {
        size_t m = c->members[g], all = (m + 1) * (m + 2) / 2, rest = leaf % all, low = 0;
        leaf /= all;
        while (rest > m - low) {
            rest -= m - low + 1;
            low++;
        }
        counts[g * CORNER_KINDS + CORNER_LOW] = low;
        counts[g * CORNER_KINDS + CORNER_MIDDLE] = rest;
        counts[g * CORNER_KINDS + CORNER_HIGH] = m - low - rest;
    }
}

dp_status corners_seats(seats *list, const corners *c, size_t leaf)
{
    static const size_t vertex[CORNER_KINDS] = {2, 4, 6};
    size_t *counts = memory_new(c->count * CORNER_KINDS, sizeof *counts);
    if (counts == NULL)
        return DP_MEMORY;
    corners_counts(counts, c, leaf);
    for (size_t g = 0; g < c->count; g++) {
        list[g] = (seats){.m = &c->groups->item[g]};
        for (size_t kind = 0; kind < CORNER_KINDS; kind++)
            list[g].n[vertex[kind]] = counts[g * CORNER_KINDS + kind];
    }
    memory_free(counts);
    return DP_OK;
}

/* room[i] = C(n, i) hit^i miss^(n - i): all factors are non-negative and rounded `way`. */
static void binomial(mpfr_t *room, size_t n, corner_odds *o, mpfr_rnd_t way)
{
    mpz_t ways;
    mpz_init_set_ui(ways, 1);
    mpfr_set_ui(o->part, 1, way);
    for (size_t i = 0; i <= n; i++) {
        mpfr_mul_z(room[i], o->part, ways, way);
        mpfr_mul(o->part, o->part, o->hit, way);
        mpz_mul_ui(ways, ways, n - i);
        mpz_divexact_ui(ways, ways, i + 1);
    }
    mpfr_set_ui(o->part, 1, way);
    for (size_t i = n + 1; i-- > 0;) {
        mpfr_mul(room[i], room[i], o->part, way);
        mpfr_mul(o->part, o->part, o->miss, way);
    }
    mpz_clear(ways);
}

bool corner_add_votes(mpfr_t *law, size_t *length, size_t n, mpfr_t *room, corner_odds *o,
                      mpfr_rnd_t way, const limits *lim)
{
    bool certain = mpfr_zero_p(o->miss) && mpfr_cmp_ui(o->hit, 1) == 0;
    if (n == 0 || (mpfr_zero_p(o->hit) && mpfr_cmp_ui(o->miss, 1) == 0)) {
        *length += n;
        return true;
    }
    if (certain) {
        for (size_t l = *length; l-- > 0;)
            mpfr_swap(law[l + n], law[l]);
        *length += n;
        return true;
    }
    binomial(room, n, o, way);
    bool expired = false;
    for (size_t l = *length + n; l-- > 0 && !expired;) { /* law[l] is not read again */
        size_t first = l < *length ? 0 : l - *length + 1, last = l < n ? l : n;
        mpfr_mul(o->hit, law[l - first], room[first], way);
        for (size_t i = first + 1; i <= last; i++) {
            mpfr_mul(o->part, law[l - i], room[i], way);
            mpfr_add(o->hit, o->hit, o->part, way);
        }
        mpfr_set(law[l], o->hit, way);
        expired = l % 64 == 63 && limits_expired(lim);
    }
    *length += n;
    return !expired;
}

dp_status corners_law(mpfr_t *law, const corners *c, const size_t *counts, bool primed,
                      mpfr_rnd_t way)
{
    size_t length = 1;
    bool in_time = true;
    mpfr_t *room = reals_new(c->voters + 1, mpfr_get_prec(law[0]));
    if (room == NULL)
        return DP_MEMORY;
    corner_odds o;
    corner_odds_init(&o, mpfr_get_prec(law[0]));
    for (size_t l = 0; l <= c->voters; l++)
        mpfr_set_ui(law[l], l == 0, MPFR_RNDN);
    for (size_t i = 0; in_time && i < c->count * CORNER_KINDS; i++) {
        if (counts[i] == 0)
            continue;
        corner_odds_set(&o, &c->groups->item[i / CORNER_KINDS], (corner_kind)(i % CORNER_KINDS),
                        primed, way);
        in_time = corner_add_votes(law, &length, counts[i], room, &o, way, c->lim);
    }
    corner_odds_clear(&o);
    reals_free(room, c->voters + 1);
    return in_time ? DP_OK : DP_UNDECIDED;
}

/* A walk of one side. On the p side the outer loop is over CORNER_LOW and the certain ones of
 * CORNER_HIGH only shift; on the p' side it is over CORNER_HIGH, and CORNER_LOW adds zeros. */
typedef struct walk {
    const corners *c;
    bool primed;
    mpfr_rnd_t way;
    corner_visit visit;
    void *context;
    mpfr_t **law;           /* two arrays for each group, and the starting one */
    corner_odds (*odds)[2]; /* outer and inner of each group */
    bool stopped;
} walk;

static void copy(mpfr_t *to, mpfr_t *from, size_t length)
{
    for (size_t l = 0; l < length; l++)
        mpfr_set(to[l], from[l], MPFR_RNDN);
}

static void walk_group(walk *w, size_t g, mpfr_t *law, size_t length, size_t shift, size_t leaf)
{
    if (g == w->c->count) {
        w->visit(w->context, leaf, law, length, shift);
        return;
    }
    size_t m = w->c->members[g];
    mpfr_t *outer = w->law[2 * g], *inner = w->law[2 * g + 1];
    copy(outer, law, length);
    for (size_t i = 0; i <= m && !w->stopped; i++) {
        if (i > 0)
            corner_convolve(outer, length + i - 1, &w->odds[g][0], w->way);
        copy(inner, outer, length + i);
        for (size_t j = 0; j <= m - i && !w->stopped; j++) {
            if (j > 0)
                corner_convolve(inner, length + i + j - 1, &w->odds[g][1], w->way);
            size_t rest = m - i - j, low = w->primed ? rest : i;
            walk_group(w, g + 1, inner, length + i + j, shift + (w->primed ? 0 : rest),
                       leaf * ((m + 1) * (m + 2) / 2) + corners_place(m, low, j));
            w->stopped = w->stopped || limits_expired(w->c->lim);
        }
    }
}

dp_status corners_walk(const corners *c, bool primed, mpfr_rnd_t way, mpfr_prec_t bits,
                       corner_visit visit, void *context)
{
    walk w = {.c = c, .primed = primed, .way = way, .visit = visit, .context = context};
    w.law = memory_zero(2 * c->count, sizeof *w.law);
    w.odds = memory_new(c->count, sizeof *w.odds);
    mpfr_t *start = reals_new(1, bits);
    bool ok = w.law != NULL && w.odds != NULL && start != NULL;
    for (size_t i = 0; ok && i < 2 * c->count; i++)
        ok = (w.law[i] = reals_new(c->voters + 1, bits)) != NULL;
    if (ok) {
        for (size_t g = 0; g < c->count; g++)
            for (size_t k = 0; k < 2; k++) {
                corner_kind kind = k == 1 ? CORNER_MIDDLE : primed ? CORNER_HIGH : CORNER_LOW;
                corner_odds_init(&w.odds[g][k], bits);
                corner_odds_set(&w.odds[g][k], &c->groups->item[g], kind, primed, way);
            }
        mpfr_set_ui(start[0], 1, MPFR_RNDN);
        walk_group(&w, 0, start, 1, 0, 0);
        for (size_t g = 0; g < c->count; g++)
            for (size_t k = 0; k < 2; k++)
                corner_odds_clear(&w.odds[g][k]);
    }
    for (size_t i = 0; w.law != NULL && i < 2 * c->count; i++)
        reals_free(w.law[i], c->voters + 1);
    reals_free(start, 1);
    memory_free(w.odds);
    memory_free(w.law);
    return !ok ? DP_MEMORY : w.stopped ? DP_UNDECIDED : DP_OK;
}
