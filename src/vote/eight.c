/* SPDX-License-Identifier: MIT */
/* A table of B in doubles and a scan over pairs of its entries. What the scan passes over is below
 * its largest value by more than the two errors, so it truly is below: see eight_margin. */
#include "vote/eight.h"

#include <math.h>
#include <string.h>

#include "num/memory.h"

#define MOST_STEPS 4e9
#define MOST_NEAR 65536 /* 64 times a power of two */

/* C(n + k, k) for small k */
static double choose(size_t n, size_t k)
{
    double c = 1;
    for (size_t i = 1; i <= k; i++)
        c = c * (double)(n + i) / (double)i;
    return c;
}

/* before[d][left * (K + 1) + next]: compositions with d + 2 parts left that start below `next` */
static bool count_before(eight *t)
{
    size_t n = t->voters + 1;
    for (size_t d = 0; d < 3; d++) {
        t->before[d] = memory_zero(n * n, sizeof *t->before[d]);
        if (t->before[d] == NULL)
            return false;
        for (size_t left = 0; left < n; left++)
            for (size_t next = 0, sum = 0; next <= left; next++) {
                t->before[d][left * n + next] = sum;
                sum += (size_t)rint(choose(left - next, d + 1));
            }
    }
    return true;
}

static size_t rank(const eight *t, size_t a, size_t b, size_t c, size_t d)
{
    size_t n = t->voters + 1, left = t->voters, r = t->before[2][left * n + a];
    left -= a;
    r += t->before[1][left * n + b];
    left -= b;
    return r + t->before[0][left * n + c] + d;
}

dp_status eight_open(eight *t, const dp_item *m, size_t voters, const limits *lim)
{
    *t = (eight){.m = m, .voters = voters, .pure = mpq_sgn(m->delta) == 0, .lim = lim};
    double steps = choose(voters, t->pure ? 3 : 7), cells = choose(voters, t->pure ? 3 : 5);
    if (steps > MOST_STEPS || voters > 2000)
        return DP_UNAVAILABLE;
    if (!limits_allow(lim, 8 * cells))
        return DP_UNDECIDED;
    size_t rows = (size_t)rint(choose(voters, t->pure ? 2 : 4));
    t->table = memory_new((size_t)rint(cells), sizeof *t->table);
    t->row = memory_new(rows, sizeof *t->row);
    return t->table != NULL && t->row != NULL && count_before(t) ? DP_OK : DP_MEMORY;
}

void eight_close(eight *t)
{
    memory_free(t->table);
    memory_free(t->row);
    for (size_t d = 0; d < 3; d++)
        memory_free(t->before[d]);
}

/* u = 2^-53. The error of a scanned value v = w B - (1 - w) B', w = 1/(1+E), is below (4K + 40) u,
 * and what is returned is more than four times that:
 * - p and 1 - p of each vertex are within u (relative) of the true ones, and each of the K steps of
 *   a law multiplies once and adds once: 3K u. Entries are sums of non-negative parts, so relative
 *   errors of the parts carry over;
 * - b(l), at most 1, is within 2 u; its product and the K additions of the sum add (K + 1) u: B and
 * B' are within (4K + 3) u of numbers that are at most 1 (second-order parts are below u for K <=
 * 2000);
 * - w errs by 5 u at most: with t the double next to x, e^t is within (t + 2) u of E, relative, and
 *   dw = w (1 - w) dE/E with w (1 - w)(t + 2) <= 1; v changes by B + B' <= 2 times that;
 * - the products, the difference and 1 - w: 4 u.
 * Where a product underflows it errs by 2^-1074, and there are fewer than 2^40 of them. */
double eight_margin(const eight *t)
{
    return (20.0 * (double)t->voters + 200) * 0x1p-53;
}

/* law <- law of one more vote, length m */
static void convolve(double *to, const double *law, size_t m, double p, double q)
{
    to[m] = law[m - 1] * p;
    for (size_t l = m - 1; l > 0; l--)
        to[l] = law[l] * q + law[l - 1] * p;
    to[0] = law[0] * q;
}

typedef struct filler {
    eight *t;
    const double *b;
    double p[4], q[4]; /* delta, 1 - delta, c, d with their complements */
    double *law[4];    /* one array for each part */
    size_t used;
} filler;

static bool write_row(filler *f, const double *law, size_t m, size_t rank_of)
{
    eight *t = f->t;
    t->row[rank_of] = f->used;
    for (size_t ones = 0; ones <= t->voters - m; ones++) {
        double sum = 0;
        for (size_t l = 0; l <= m; l++)
            sum += law[l] * f->b[l + ones];
        t->table[f->used++] = sum;
    }
    return !limits_expired(t->lim);
}

/* Parts 0 .. 3; the law so far has m votes. */
static bool fill_part(filler *f, size_t part, const double *law, size_t m, size_t *counts)
{
    if (part == 4)
        return write_row(f, law, m, rank(f->t, counts[0], counts[1], counts[2], counts[3]));
    double *own = f->law[part];
    bool ok = true;
    memcpy(own, law, (m + 1) * sizeof *own);
    for (counts[part] = 0; ok && m <= f->t->voters; counts[part]++, m++) {
        if (counts[part] > 0)
            convolve(own, own, m, f->p[part], f->q[part]);
        ok = fill_part(f, part + 1, own, m, counts);
        if (part < 2 && f->t->pure)
            break;
    }
    return ok;
}

static double nearest(const eight *t, corner_kind kind, bool primed, bool miss)
{
    corner_odds o;
    corner_odds_init(&o, 128);
    corner_odds_set(&o, t->m, kind, primed, MPFR_RNDD);
    double x = mpfr_get_d(miss ? o.miss : o.hit, MPFR_RNDN);
    corner_odds_clear(&o);
    return x;
}

dp_status eight_fill(eight *t, const double *b)
{
    size_t n = t->voters + 2, counts[4] = {0};
    filler f = {.t = t, .b = b};
    double *room = memory_zero(5 * n, sizeof *room);
    if (room == NULL)
        return DP_MEMORY;
    for (size_t i = 0; i < 4; i++) {
        corner_kind kind = i == 0 ? CORNER_LOW : i == 1 ? CORNER_HIGH : CORNER_MIDDLE;
        f.law[i] = room + i * n;
        f.p[i] = nearest(t, kind, i == 1 || i == 3, false);
        f.q[i] = nearest(t, kind, i == 1 || i == 3, true);
    }
    room[4 * n] = 1;
    bool ok = fill_part(&f, 0, room + 4 * n, 0, counts);
    memory_free(room);
    return ok ? DP_OK : DP_UNDECIDED;
}

typedef struct scan {
    const eight *t;
    double weight, floor; /* below the floor nothing is kept */
    double gap;           /* all within it of the largest are kept; or 0, the `room` largest */
    octet *list;
    size_t room, count;
    double lost;  /* the largest for which there was no room */
    double swept; /* the floor when the list was last gone through */
    bool failed;  /* out of memory */
} scan;

/* In place of the least, once there are `room`. */
static size_t place_of_least(const scan *s)
{
    size_t at = 0;
    for (size_t i = 1; i < s->room; i++)
        if (s->list[i].value < s->list[at].value)
            at = i;
    return at;
}

static void drop_low(scan *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++)
        if (s->list[i].value >= s->floor)
            s->list[kept++] = s->list[i];
    s->count = kept;
}

/* Room for one more of those near the largest. */
static bool make_room(scan *s)
{
    if (s->room == MOST_NEAR && s->swept == s->floor)
        return false;
    s->swept = s->floor;
    drop_low(s);
    if (2 * s->count < s->room || s->room == MOST_NEAR)
        return s->count < s->room;
    size_t room = s->room == 0 ? 64 : 2 * s->room;
    octet *grown = memory_grow(s->list, room, sizeof *grown);
    s->failed = grown == NULL;
    if (grown != NULL) {
        s->list = grown;
        s->room = room;
    }
    return grown != NULL;
}

static void keep(scan *s, const size_t *n, size_t rest, size_t ones, double value)
{
    size_t at = s->count;
    if (s->gap == 0 && s->count == s->room)
        at = place_of_least(s);
    else if (s->count < s->room || make_room(s))
        at = s->count++;
    else {
        s->lost = fmax(s->lost, value);
        return;
    }
    octet *o = &s->list[at];
    memcpy(o->n, n, sizeof o->n);
    o->n[1] = ones;
    o->n[0] = rest - ones;
    o->value = value;
    if (s->gap == 0 && s->count == s->room)
        s->floor = s->list[place_of_least(s)].value;
}

static void scan_row(scan *s, const size_t *n, size_t rest)
{
    const eight *t = s->t;
    const double *p = t->table + t->row[rank(t, n[2], n[7], n[4], n[5])] + n[6];
    const double *q = t->table + t->row[rank(t, n[3], n[6], n[5], n[4])] + n[7];
    double own = s->weight, other = 1 - s->weight, best = own * p[0] - other * q[0];
    size_t at = 0;
    for (size_t i = 1; i <= rest; i++) {
        double v = own * p[i] - other * q[i];
        if (v > best) {
            best = v;
            at = i;
        }
    }
    if (best < s->floor || (best == s->floor && s->gap == 0))
        return;
    if (s->gap == 0) {
        keep(s, n, rest, at, best);
        return;
    }
    s->floor = fmax(s->floor, best - s->gap);
    for (size_t i = 0; i <= rest; i++) {
        double v = own * p[i] - other * q[i];
        if (v >= s->floor)
            keep(s, n, rest, i, v);
    }
}

/* Vertices 3 to 8 in turn; the rest are zeros and ones. */
static bool scan_part(scan *s, size_t part, size_t *n, size_t rest)
{
    static const size_t order[] = {4, 5, 2, 3, 6, 7};
    if (part == (s->t->pure ? 2 : 6)) {
        scan_row(s, n, rest);
        return !s->failed;
    }
    bool ok = true;
    for (size_t k = 0; ok && k <= rest; k++) {
        n[order[part]] = k;
        ok = scan_part(s, part + 1, n, rest - k) && (part > 1 || !limits_expired(s->t->lim));
    }
    n[order[part]] = 0;
    return ok;
}

dp_status eight_top(octet *list, size_t room, size_t *count, const eight *t, double weight)
{
    size_t n[VERTICES] = {0};
    scan s = {.t = t, .weight = weight, .floor = -2, .list = list, .room = room};
    bool ok = scan_part(&s, 0, n, t->voters);
    *count = s.count;
    return ok ? DP_OK : DP_UNDECIDED;
}

/* Two multisets whose scanned values differ by more than 2 margins truly differ that way. */
dp_status eight_near(octets *out, const eight *t, double weight)
{
    size_t n[VERTICES] = {0};
    scan s = {.t = t,
              .weight = weight,
              .floor = -2,
              .lost = -3,
              .swept = -3,
              .gap = 2.5 * eight_margin(t)};
    bool ok = scan_part(&s, 0, n, t->voters);
    drop_low(&s);
    *out = (octets){s.list, s.count, s.floor + s.gap + 2 * eight_margin(t), s.lost >= s.floor};
    return s.failed ? DP_MEMORY : ok ? DP_OK : DP_UNDECIDED;
}

dp_status eight_law(mpfr_t *law, const eight *t, const octet *o, bool primed, mpfr_rnd_t way)
{
    /* the vertex as a corner, and whether it is that corner turned round */
    static const struct {
        corner_kind kind;
        bool swapped;
    } as[VERTICES] = {{0},
                      {0},
                      {CORNER_LOW, false},
                      {CORNER_LOW, true},
                      {CORNER_MIDDLE, false},
                      {CORNER_MIDDLE, true},
                      {CORNER_HIGH, false},
                      {CORNER_HIGH, true}};
    size_t length = 1;
    bool in_time = true;
    mpfr_t *room = reals_new(t->voters + 1, mpfr_get_prec(law[0]));
    if (room == NULL)
        return DP_MEMORY;
    corner_odds odds;
    corner_odds_init(&odds, mpfr_get_prec(law[0]));
    for (size_t l = 0; l <= t->voters; l++)
        mpfr_set_ui(law[l], l == 0, MPFR_RNDN);
    for (size_t v = 0; in_time && v < VERTICES; v++) {
        if (v < 2) {
            mpfr_set_ui(odds.hit, v == 1, MPFR_RNDN);
            mpfr_set_ui(odds.miss, v == 0, MPFR_RNDN);
        } else {
            corner_odds_set(&odds, t->m, as[v].kind, primed != as[v].swapped, way);
        }
        in_time = corner_add_votes(law, &length, o->n[v], room, &odds, way, t->lim);
    }
    corner_odds_clear(&odds);
    reals_free(room, t->voters + 1);
    return in_time ? DP_OK : DP_UNDECIDED;
}
