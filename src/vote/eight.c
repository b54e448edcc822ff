/* SPDX-License-Identifier: MIT */
/* Tables of the largest B and the least B' in doubles and a scan over pairs of their entries. A
 * group is passed over where its bound is below the largest value by more than the two errors, so
 * that every multiset of it truly is below: see eight_margin. */
#include "vote/eight.h"

#include <math.h>
#include <string.h>

#include "num/memory.h"
#include "vote/leaf_sums.h"

#define MOST_STEPS 4e8
#define MOST_NEAR 65536 /* 64 times a power of two */
#define FIRST 64        /* groups that are opened before all others */

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
    for (size_t d = 0; d < 2; d++) {
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

static size_t rank(const eight *t, size_t a, size_t b, size_t c)
{
    size_t n = t->voters + 1;
    return t->before[1][t->voters * n + a] + t->before[0][(t->voters - a) * n + b] + c;
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

dp_status eight_open(eight *t, const dp_item *m, size_t voters, const limits *lim)
{
    *t = (eight){.m = m, .voters = voters, .pure = mpq_sgn(m->delta) == 0, .lim = lim};
    double steps = choose(voters, t->pure ? 3 : 5), cells = choose(voters, t->pure ? 3 : 4);
    if (steps > MOST_STEPS || voters > 2000)
        return DP_UNAVAILABLE;
    if (!limits_allow(lim, 16 * cells))
        return DP_UNDECIDED;
    size_t rows = (size_t)rint(choose(voters, t->pure ? 2 : 3));
    t->most = memory_new((size_t)rint(cells), sizeof *t->most);
    t->least = memory_new((size_t)rint(cells), sizeof *t->least);
    t->row = memory_new(rows, sizeof *t->row);
    t->b = memory_zero(5 * (voters + 2 * LEAF_LANES), sizeof *t->b);
    for (size_t i = 0; i < 4; i++) {
        corner_kind kind = i == 0 ? CORNER_LOW : i == 1 ? CORNER_HIGH : CORNER_MIDDLE;
        t->p[i] = nearest(t, kind, i == 1 || i == 3, false);
        t->q[i] = nearest(t, kind, i == 1 || i == 3, true);
    }
    bool ok = t->most != NULL && t->least != NULL && t->row != NULL && t->b != NULL;
    return ok && count_before(t) ? DP_OK : DP_MEMORY;
}

void eight_close(eight *t)
{
    memory_free(t->most);
    memory_free(t->least);
    memory_free(t->row);
    memory_free(t->b);
    for (size_t d = 0; d < 2; d++)
        memory_free(t->before[d]);
}

/* u = 2^-53. The error of a scanned value v = w B - (1 - w) B', w = 1/(1+E), is below (4K + 40) u,
 * and what is returned is more than four times that:
 * - B and B' are means of b over votes that are drawn one by one: within (3.1 K + 3) u, as in
 *   leaf_sums.c, of numbers that are at most 1; the largest of some is within that of the largest;
 * - w errs by 5 u at most: with t the double next to x, e^t is within (t + 2) u of E, relative, and
 *   dw = w (1 - w) dE/E with w (1 - w)(t + 2) <= 1; v changes by B + B' <= 2 times that;
 * - the products, the difference and 1 - w: 4 u.
 * Where a product underflows it errs by 2^-1074, and there are fewer than 2^40 of them. */
double eight_margin(const eight *t)
{
    return (20.0 * (double)t->voters + 200) * 0x1p-53;
}

static double *work(const eight *t, size_t i)
{
    return t->b + (i + 1) * (t->voters + 2 * LEAF_LANES);
}

static void copy(const eight *t, double *to, const double *from)
{
    memcpy(to, from, (t->voters + 1) * sizeof *to);
}

/* The largest and the least over the votes at delta of f(0..length - 1), by the ones. */
static void fill_row(eight *t, leaf_draw *draw, const double *f, size_t length, size_t used)
{
    double *g = work(t, 3), *most = t->most + used, *least = t->least + used;
    copy(t, g, f);
    memcpy(most, g, length * sizeof *most);
    memcpy(least, g, length * sizeof *least);
    for (size_t left = length - 1; left > 0 && !t->pure; left--) {
        draw(g, left, t->p[0], t->q[0]);
        for (size_t l = 0; l < left; l++) {
            most[l] = g[l] > most[l] ? g[l] : most[l];
            least[l] = g[l] < least[l] ? g[l] : least[l];
        }
    }
}

dp_status eight_fill(eight *t, const double *b)
{
    size_t K = t->voters, used = 0;
    leaf_draw *draw = leaf_drawer();
    memcpy(t->b, b, (K + 1) * sizeof *b);
    copy(t, work(t, 0), b);
    for (size_t i = 0; i <= (t->pure ? 0 : K); i++) {
        if (i > 0)
            draw(work(t, 0), K + 1 - i, t->p[1], t->q[1]);
        copy(t, work(t, 1), work(t, 0));
        for (size_t j = 0; i + j <= K; j++) {
            if (j > 0)
                draw(work(t, 1), K + 1 - i - j, t->p[2], t->q[2]);
            copy(t, work(t, 2), work(t, 1));
            for (size_t k = 0; i + j + k <= K; k++) {
                size_t length = K + 1 - i - j - k;
                if (k > 0)
                    draw(work(t, 2), length, t->p[3], t->q[3]);
                t->row[rank(t, i, j, k)] = used;
                fill_row(t, draw, work(t, 2), length, used);
                used += length;
            }
            if (limits_expired(t->lim))
                return DP_UNDECIDED;
        }
    }
    return DP_OK;
}

typedef struct scan {
    const eight *t;
    double weight, floor; /* below the floor nothing is kept */
    double gap;           /* all within it of the largest are kept; or 0, the `room` largest */
    octet *list;
    size_t room, count;
    double lost;   /* the largest for which there was no room */
    double swept;  /* the floor when the list was last gone through */
    bool failed;   /* out of memory */
    bool choosing; /* the first groups, which are not opened yet */
    octet first[FIRST];
    size_t first_count;
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

static void keep(scan *s, const octet *o)
{
    size_t at = s->count;
    if (s->gap == 0 && s->count == s->room)
        at = place_of_least(s);
    else if (s->count < s->room || make_room(s))
        at = s->count++;
    else {
        s->lost = fmax(s->lost, o->value);
        return;
    }
    s->list[at] = *o;
    if (s->gap == 0 && s->count == s->room)
        s->floor = s->list[place_of_least(s)].value;
}

/* f(ones) with 0, 1, ..., rest votes at delta, after those of the other kinds were drawn */
static void draw_group(double *out, const eight *t, size_t rest, size_t ones, size_t highs,
                       size_t middles, size_t mirrored)
{
    static const size_t order[] = {1, 2, 3, 0};
    const size_t times[] = {highs, middles, mirrored, t->pure ? 0 : rest};
    leaf_draw *draw = leaf_drawer();
    double *f = work(t, 0);
    size_t length = t->voters + 1;
    copy(t, f, t->b);
    for (size_t k = 0; k < 4; k++)
        for (size_t i = 0; i < times[k]; i++) {
            if (k == 3)
                out[i] = f[ones];
            draw(f, --length, t->p[order[k]], t->q[order[k]]);
        }
    out[times[3]] = f[ones];
}

/* All pairs n3 + n4 <= rest of a group: those near the largest, or the best one. */
static void open_group(scan *s, const octet *group)
{
    const eight *t = s->t;
    const size_t *n = group->n;
    size_t rest = t->voters - n[1] - n[4] - n[5] - n[6] - n[7], side = t->pure ? 0 : rest;
    double *b = work(t, 2), *primed = work(t, 3), own = s->weight, other = 1 - s->weight;
    octet best = *group;
    draw_group(b, t, rest, n[1] + n[6], n[7], n[4], n[5]);
    draw_group(primed, t, rest, n[1] + n[7], n[6], n[5], n[4]);
    best.value = -2;
    for (size_t i = 0; i <= side; i++)
        for (size_t k = 0; k <= side - i; k++) {
            octet o = *group;
            o.value = own * b[i] - other * primed[k];
            o.n[2] = i;
            o.n[3] = k;
            o.n[0] = rest - i - k;
            if (o.value > best.value)
                best = o;
            if (s->gap == 0)
                continue;
            s->floor = fmax(s->floor, o.value - s->gap);
            if (o.value >= s->floor)
                keep(s, &o);
        }
    if (s->gap == 0 && best.value > s->floor)
        keep(s, &best);
}

static bool is_first(const scan *s, const octet *group)
{
    for (size_t i = 0; i < s->first_count; i++)
        if (memcmp(s->first[i].n, group->n, sizeof group->n) == 0)
            return true;
    return false;
}

/* A group of that bound: among the first, if it is one of the highest; or opened. */
static void take_group(scan *s, const octet *group)
{
    if (!s->choosing) {
        if (!is_first(s, group))
            open_group(s, group);
        return;
    }
    size_t at = s->first_count < FIRST ? s->first_count++ : FIRST;
    for (; at > 0 && s->first[at - 1].value < group->value; at--)
        if (at < FIRST)
            s->first[at] = s->first[at - 1];
    if (at < FIRST)
        s->first[at] = *group;
}

/* The groups of n5, n6, n7, n8: n2 from 0 on. */
static void scan_row(scan *s, octet *group, size_t rest)
{
    const eight *t = s->t;
    size_t *n = group->n;
    const double *p = t->most + t->row[rank(t, n[7], n[4], n[5])] + n[6];
    const double *q = t->least + t->row[rank(t, n[6], n[5], n[4])] + n[7];
    double own = s->weight, other = 1 - s->weight, best = -2;
    for (size_t i = 0; i <= rest; i++) {
        double v = own * p[i] - other * q[i];
        best = v > best ? v : best;
    }
    double floor = s->choosing && s->first_count == FIRST ? s->first[FIRST - 1].value : s->floor;
    if (best < floor)
        return;
    for (size_t i = 0; i <= rest; i++) {
        group->value = own * p[i] - other * q[i];
        n[1] = i;
        if (group->value >= (s->choosing ? floor : s->floor) &&
            (s->gap > 0 || group->value > s->floor))
            take_group(s, group);
    }
    n[1] = 0;
}

/* Vertices 5 to 8 in turn; the rest are zeros, ones and those of n3 and n4. */
static bool scan_part(scan *s, size_t part, octet *group, size_t rest)
{
    static const size_t order[] = {4, 5, 6, 7};
    if (part == (s->t->pure ? 2 : 4)) {
        scan_row(s, group, rest);
        return !s->failed;
    }
    bool ok = true;
    for (size_t k = 0; ok && k <= rest; k++) {
        group->n[order[part]] = k;
        ok = scan_part(s, part + 1, group, rest - k) && (part > 1 || !limits_expired(s->t->lim));
    }
    group->n[order[part]] = 0;
    return ok;
}

/* The groups of the highest bounds first, which raise the floor for all others. */
static bool scan_all(scan *s)
{
    octet group = {{0}, 0};
    s->choosing = true;
    bool ok = scan_part(s, 0, &group, s->t->voters);
    s->choosing = false;
    for (size_t i = 0; ok && i < s->first_count; i++)
        open_group(s, &s->first[i]);
    return ok && !s->failed && scan_part(s, 0, &group, s->t->voters);
}

dp_status eight_top(octet *list, size_t room, size_t *count, const eight *t, double weight)
{
    scan s = {.t = t, .weight = weight, .floor = -2, .list = list, .room = room};
    bool ok = scan_all(&s);
    *count = s.count;
    return ok ? DP_OK : DP_UNDECIDED;
}

/* Two multisets whose scanned values differ by more than 2 margins truly differ that way. */
dp_status eight_near(octets *out, const eight *t, double weight)
{
    scan s = {.t = t,
              .weight = weight,
              .floor = -2,
              .lost = -3,
              .swept = -3,
              .gap = 2.5 * eight_margin(t)};
    bool ok = scan_all(&s);
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
