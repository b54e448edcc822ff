/* SPDX-License-Identifier: MIT */
/* Sums over laws of votes in doubles, from the answer back to the votes: with f(s) the mean of b
 * where s votes are 1 and some others are drawn, one more drawn vote makes miss f(s) + hit f(s + 1)
 * of it, for all s at once. With u = 2^-53, every value is a sum of products, non-negative, of a
 * b(l) and a hit or miss for each of at most K votes; on the way of a product
 * - b(l) is truncated: 2u; each hit and miss is within 1.01u of the true one, which 128 bits hold;
 * - each vote multiplies once and adds once: 2u.
 * So the value is within (1 + u)^(3.01 K + 2) - 1 < (3.1 K + 3) u of itself for K < 10^6.
 * A product that leaves the normal numbers errs by 2^-1074 at most, as do a b(l), hit or miss that
 * do; what is made of these errors shrinks with each vote, hit + miss <= 1 + 3u, so that fewer than
 * 2^40 of them make less than 2^-1000. */
#include "vote/leaf_sums.h"

#include <float.h>
#include <string.h>

#include "num/binary64.h"
#include "num/memory.h"

#define LANES LEAF_LANES
#define ODDS_BITS 128
#define NORMAL 0x1p-900
#define UNDERFLOW 0x1p-1000

/* ---- one vote -------------------------------------------------------------------------------- */

/* f(s) for s < length, of length + 1 values and what fills up the last lanes. */
BINARY64_BODY void draw(double *f, size_t length, double hit, double miss)
{
    for (size_t s = 0; s < length; s += LANES) {
        double next[LANES];
        for (size_t k = 0; k < LANES; k++)
            next[k] = miss * f[s + k] + hit * f[s + k + 1];
        memcpy(f + s, next, sizeof next);
    }
}

#define MADE_FOR(NAME, TARGET)                                                                     \
    TARGET static void draw_##NAME(double *f, size_t length, double hit, double miss)              \
    {                                                                                              \
        draw(f, length, hit, miss);                                                                \
    }
MADE_FOR(plain, )
#if BINARY64_WIDTHS == 3
MADE_FOR(avx2, BINARY64_AVX2)
MADE_FOR(avx512, BINARY64_AVX512)
static leaf_draw *const drawers[] = {draw_plain, draw_avx2, draw_avx512};
#else
static leaf_draw *const drawers[] = {draw_plain};
#endif

leaf_draw *leaf_drawer(void)
{
    return drawers[binary64_width()];
}

/* ---- all leaves ------------------------------------------------------------------------------ */

typedef struct odds {
    double hit, miss;
} odds;

typedef struct summing {
    const corners *c;
    bool primed;
    double *sum;
    odds (*odds)[2]; /* the outer and the inner corner of each group */
    double *room;    /* two arrays for each group, and the starting one */
    size_t stride;   /* of these */
    leaf_draw *draw;
    bool stopped;
} summing;

/* As in corners_walk: under p CORNER_HIGH only shifts, under p' CORNER_LOW adds zeros, and the
 * other one of them is the inner corner here. f has a value for each number of ones of the groups
 * before this one. */
static void sum_group(summing *w, size_t g, const double *f, size_t others, size_t leaf)
{
    const corners *c = w->c;
    size_t m = c->members[g], after = others - m, all = (m + 1) * (m + 2) / 2;
    double *outer = w->room + (2 * g + 1) * w->stride, *inner = outer + w->stride;
    memcpy(outer, f, (others + 1) * sizeof *f);
    for (size_t middle = 0; middle <= m && !w->stopped; middle++) {
        if (middle > 0)
            w->draw(outer, others + 1 - middle, w->odds[g][0].hit, w->odds[g][0].miss);
        memcpy(inner, outer, (others + 1 - middle) * sizeof *f);
        for (size_t i = 0; i <= m - middle; i++) {
            if (i > 0)
                w->draw(inner, others + 1 - middle - i, w->odds[g][1].hit, w->odds[g][1].miss);
            size_t rest = m - middle - i, low = w->primed ? rest : i;
            const double *at = inner + (w->primed ? 0 : rest);
            size_t here = leaf * all + corners_place(m, low, middle);
            if (g + 1 == c->count)
                w->sum[here] = *at;
            else
                sum_group(w, g + 1, at, after, here);
        }
        w->stopped = w->stopped || limits_expired(c->lim);
    }
}

/* The corner that is drawn beside CORNER_MIDDLE */
static corner_kind other_corner(bool primed)
{
    return primed ? CORNER_HIGH : CORNER_LOW;
}

static odds odds_of(const corners *c, size_t group, corner_kind kind, bool primed)
{
    corner_odds o;
    corner_odds_init(&o, ODDS_BITS);
    corner_odds_set(&o, &c->groups->item[group], kind, primed, MPFR_RNDD);
    odds out = {mpfr_get_d(o.hit, MPFR_RNDN), mpfr_get_d(o.miss, MPFR_RNDN)};
    corner_odds_clear(&o);
    return out;
}

dp_status leaf_sums_fill(double *sum, const corners *c, const double *b, bool primed)
{
    size_t stride = c->voters + 2 * LANES;
    summing w = {.c = c,
                 .primed = primed,
                 .sum = sum,
                 .odds = memory_new(c->count, sizeof *w.odds),
                 .room = memory_zero((2 * c->count + 1) * stride, sizeof *w.room),
                 .stride = stride,
                 .draw = leaf_drawer()};
    bool ok = w.odds != NULL && w.room != NULL;
    for (size_t g = 0; ok && g < c->count; g++) {
        w.odds[g][0] = odds_of(c, g, CORNER_MIDDLE, primed);
        w.odds[g][1] = odds_of(c, g, other_corner(primed), primed);
    }
    if (ok) {
        memcpy(w.room, b, (c->voters + 1) * sizeof *b);
        sum_group(&w, 0, w.room, c->voters, 0);
    }
    memory_free(w.room);
    memory_free(w.odds);
    return !ok ? DP_MEMORY : w.stopped ? DP_UNDECIDED : DP_OK;
}

/* ---- errors ---------------------------------------------------------------------------------- */

/* least of x and what is above 0 in the number; 0 where that is not a normal double */
static double lesser(double x, const mpfr_t number)
{
    if (mpfr_zero_p(number))
        return x;
    double d = mpfr_get_d(number, MPFR_RNDN);
    return d < DBL_MIN ? 0 : d < x ? d : x;
}

/* A number that no product of factors above 0 is below; 0 where it may leave the normal numbers. */
static double least_product(const corners *c, double least)
{
    corner_odds o;
    corner_odds_init(&o, ODDS_BITS);
    for (size_t g = 0; g < c->count; g++) {
        double factor = 1;
        for (int primed = 0; primed < 2; primed++)
            for (int other = 0; other < 2; other++) {
                corner_kind kind = other == 1 ? other_corner(primed == 1) : CORNER_MIDDLE;
                corner_odds_set(&o, &c->groups->item[g], kind, primed == 1, MPFR_RNDD);
                factor = lesser(lesser(factor, o.hit), o.miss);
            }
        for (size_t i = c->members[g]; i > 0 && least > NORMAL; i--)
            least *= factor;
    }
    corner_odds_clear(&o);
    return least > NORMAL ? least : 0;
}

/* b(0..K), or b(K) - b, or b - b(0); truncated. The least of least and those above 0. */
static void set_answers(double *b, double *least, const noise *g, bool mirrored, int kind)
{
    mpq_t q, end;
    mpq_inits(q, end, NULL);
    if (kind > 1)
        noise_answer(end, g, kind == 2 ? g->voters : 0, mirrored);
    for (size_t l = 0; l <= g->voters; l++) {
        noise_answer(q, g, l, mirrored);
        mpq_sub(q, q, end);
        mpq_abs(q, q);
        b[l] = mpq_get_d(q);
        if (mpq_sgn(q) > 0)
            *least = b[l] < DBL_MIN ? 0 : b[l] < *least ? b[l] : *least;
    }
    mpq_clears(q, end, NULL);
}

dp_status leaf_sums_open(leaf_sums *s, const corners *c, const noise *g, bool mirrored)
{
    *s = (leaf_sums){.error = (3.1 * (double)c->voters + 3) * BINARY64_U};
    if (!limits_allow(c->lim, 32.0 * (double)c->leaves))
        return DP_UNDECIDED;
    double *b = memory_new(c->voters + 1, sizeof *b), least = 1;
    dp_status status = b != NULL ? DP_OK : DP_MEMORY;
    for (int kind = 0; status == DP_OK && kind < 4; kind++) {
        s->sum[kind] = memory_new(c->leaves, sizeof *s->sum[kind]);
        set_answers(b, &least, g, mirrored, kind);
        status =
            s->sum[kind] != NULL ? leaf_sums_fill(s->sum[kind], c, b, kind % 2 == 1) : DP_MEMORY;
    }
    s->least = least_product(c, least) > 0 ? 0 : UNDERFLOW;
    memory_free(b);
    return status;
}

void leaf_sums_close(leaf_sums *s)
{
    for (size_t kind = 0; kind < 4; kind++)
        memory_free(s->sum[kind]);
}
