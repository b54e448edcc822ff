/* SPDX-License-Identifier: MIT */
/* The walk over the nodes of a trapezoidal sum, in integers. */
#include "engine/scan.h"

#include <math.h>
#include <stdlib.h>

#include "num/cdisc.h"
#include "num/memory.h"
#include "num/wide.h"

#define TABLE_BITS 12
#define TABLE_SIZE (1U << TABLE_BITS)
#define UNIT_BITS 15 /* table entries are multiples of 2^-15 */
#define WEIGHT_BITS 36
#define LEVEL_BITS 24
#define MOST_FINE 48
/* Items beyond the heaviest few thousand only sharpen D; they are left to the second look. */
#define FIRST_LOOK 2048

typedef struct tables {
    int32_t versine[TABLE_SIZE]; /* below (1 - cos) 2^15 on the whole cell */
    int32_t sine[TABLE_SIZE];    /* within 2^6 of sin 2^15 on the whole cell */
} tables;

#define SINE_ERROR 64

/* Entry k from cos and sin of its two edges, which are known to 2^-40. The versine is least at the
 * edge with the larger cosine; two units less cover the edges' error and a phase error of 2^-20
 * turns, far more than the 2^-47 of phase_at. A cell spans 2^-12 turns, so its sine is within
 * 2^-9.3 of that at an edge. */
static void set_entry(tables *t, uint32_t k, double near_cos, double far_cos, double near_sin)
{
    double versine = (1 - fmax(near_cos, far_cos)) * (1 << UNIT_BITS);
    int32_t entry = (int32_t)floor(versine) - 2;
    t->versine[k] = entry > 0 ? entry : 0;
    t->sine[k] = (int32_t)floor(near_sin * (1 << UNIT_BITS));
}

#define EIGHTH (TABLE_SIZE / 8)

typedef struct edges {
    double cosine[EIGHTH + 1], sine[EIGHTH + 1]; /* at k turns of 1/4096 */
} edges;

/* By rotation in 64 bits: 512 products of what is counted as 12, and 2 more for each, make less
 * than 2^13 units of 2^-64, before they are rounded to doubles. */
static void set_edges(edges *e)
{
    cdisc at, step, scratch;
    cdisc_init(&at, 64);
    cdisc_init(&step, 64);
    cdisc_init(&scratch, 64);
    cdisc_unit(&step, 1, TABLE_SIZE / 2);
    for (uint32_t k = 0; k <= EIGHTH; k++) {
        e->cosine[k] = mpfr_get_d(at.re, MPFR_RNDN);
        e->sine[k] = mpfr_get_d(at.im, MPFR_RNDN);
        cdisc_mul(&at, &at, &step, &scratch);
    }
    cdisc_clear(&at);
    cdisc_clear(&step);
    cdisc_clear(&scratch);
}

/* The sine of k turns of 1/4096 by that of an eighth of a turn. */
static double sine_at(const edges *e, uint32_t k)
{
    uint32_t in_half = k % (4 * EIGHTH), up = in_half < 2 * EIGHTH ? in_half : 4 * EIGHTH - in_half;
    double sine = up <= EIGHTH ? e->sine[up] : e->cosine[2 * EIGHTH - up];
    return k % TABLE_SIZE < 4 * EIGHTH ? sine : -sine;
}

static void make_tables(tables *t)
{
    edges e;
    set_edges(&e);
    for (uint32_t k = 0; k < TABLE_SIZE; k++)
        set_entry(t, k, sine_at(&e, k + 2 * EIGHTH), sine_at(&e, k + 1 + 2 * EIGHTH),
                  sine_at(&e, k));
}

/* One item in integers: D has units 2^-(scale + 17), slopes the same per node. */
typedef struct weighted {
    uint64_t turn;
    uint32_t rest;
    int64_t weight; /* floor(w 2^scale) */
    int64_t slope;  /* weight * turn * 2^4, the turn taken in (-1/2, 1/2] */
} weighted;

/* Steps times items that a scan may cost: a second or two of work. */
#define COST_LIMIT 1.5e9

typedef struct scanner {
    tables table;
    weighted *item;
    size_t count, first_look;
    int64_t lambda;
    uint64_t fine_lambda; /* the same in units of 2^-fine, for the second look */
    int fine;
    int64_t slope_slack; /* bounds the table error of the slope */
    double curvature;    /* bounds |D''| from above */
} scanner;

static int by_weight(const void *a, const void *b)
{
    int64_t x = ((const weighted *)a)->weight, y = ((const weighted *)b)->weight;
    return (x < y) - (x > y);
}

/* floor(weight 2^4 |turn|) with the sign of the turn, which is taken in [-1/2, 1/2): off by at most
 * 2, since the turn's own error, below 2^-63, times 2^40 is nothing */
static int64_t slope_of(int64_t weight, uint64_t turn)
{
    bool back = turn >> 63 != 0;
    uint64_t low, high = wide_product(&low, (uint64_t)weight << 4, back ? 0 - turn : turn);
    return back ? -(int64_t)high : (int64_t)high;
}

static bool set_items(scanner *s, const scan_item *item, size_t count, int scale)
{
    s->item = memory_new(count + 1, sizeof *s->item);
    if (s->item == NULL)
        return false;
    s->count = count;
    for (size_t i = 0; i < count; i++) {
        weighted *w = &s->item[i];
        w->turn = item[i].turn;
        w->rest = item[i].rest;
        w->weight = (int64_t)ldexp(item[i].weight, scale);
        w->slope = slope_of(w->weight, w->turn);
    }
    qsort(s->item, count, sizeof *s->item, by_weight);
    s->first_look = count < FIRST_LOOK ? count : FIRST_LOOK;
    return true;
}

/* Heavy weights make lambda a small number, whose rounding would keep many nodes: the second look
 * gives it LEVEL_BITS. D >= 0 drops every node when lambda <= 0, and then e^-lambda >= 1 is charged
 * for each. */
static void set_level(scanner *s, double level)
{
    int exponent = 0;
    frexp(level, &exponent);
    bool is_small = level < 9e18;
    s->lambda = level <= 0 ? 0 : is_small ? (int64_t)level + 1 : INT64_MAX;
    bool coarse = level > 0 && is_small && exponent < LEVEL_BITS;
    s->fine = coarse ? LEVEL_BITS - exponent : 0;
    s->fine = s->fine < MOST_FINE ? s->fine : MOST_FINE;
    s->fine_lambda = s->fine == 0 ? (uint64_t)s->lambda : (uint64_t)ldexp(level, s->fine) + 1;
}

static bool prepare(scanner *s, const scan_item *item, size_t count, double lambda)
{
    double total = 0;
    for (size_t i = 0; i < count; i++)
        total += item[i].weight;
    int exponent;
    frexp(total, &exponent);
    int scale = WEIGHT_BITS - exponent; /* sum of weights at most 2^36 */
    if (!set_items(s, item, count, scale))
        return false;
    /* Table error of the slope: SINE_ERROR of 2^15 each; rounding of w->slope: at most 2 each times
     * 2^15. Curvature: pi^2 sum w turn^2 over items; the doubles here are rounded
     * up by far more than their error. */
    double slope = 0, curvature = 0;
    for (size_t i = 0; i < s->first_look; i++) {
        double turn = ldexp((double)(int64_t)s->item[i].turn, -64);
        slope += fabs((double)s->item[i].slope) * SINE_ERROR + 2 * ldexp(1, UNIT_BITS);
        curvature += (double)s->item[i].weight * turn * turn;
    }
    s->slope_slack = (int64_t)(slope * 1.001) + 1;
    s->curvature = curvature * 9.8697 * ldexp(1, UNIT_BITS + 2) * 1.001;
    set_level(s, ldexp(lambda, scale + UNIT_BITS + 2) * (1 + 0x1p-30));
    return true;
}

/* n turns modulo 1 in units of 2^-64, within 2^-47 turns of the truth: the turn is known to 2^-88
 * and n < 2^40, which makes 2^-48, and what is cut off at the end is below 2^-64. n rest < 2^64. */
static uint64_t phase_at(const weighted *w, uint64_t n)
{
    return n * w->turn + ((n * w->rest) >> SCAN_REST_BITS);
}

/* Within 1/64 of a whole turn? There the table is too coarse. */
static bool is_near(uint64_t phase)
{
    return phase + (UINT64_C(1) << 58) < UINT64_C(1) << 59;
}

/* weight (1 - cos) 2^74 at a near phase, from below: high 2^64 + low. With x the distance of the
 * true phase to the whole turn, 1 - cos(2 pi x) >= 19.7 x^2 up to x = 1/64 + 2^-47. The error of
 * the phase is absolute, so it leaves x before the square is taken: x >= (d - 2) 2^-48, d the
 * distance of the computed phase in units of 2^-48, rounded down, since d 2^-48 <= x + 2^-48 +
 * 2^-64. Where d <= 2 the item says nothing. d <= 2^42, so the square's upper word is (d-2)^2 2^-22
 * rounded down; high < 2^39. */
static uint64_t near_versine(uint64_t *low, const weighted *w, uint64_t phase)
{
    uint64_t d = (phase >> 63 == 0 ? phase : 0 - phase) >> 16;
    uint64_t x = d > 2 ? (d - 2) << 21 : 0, rest;
    uint64_t square = wide_product(&rest, x, x);
    return wide_product(low, square, 19 * (uint64_t)w->weight);
}

/* weight (1 - cos) 2^15 at that phase, from below. */
static int64_t versine(const scanner *s, const weighted *w, uint64_t phase)
{
    if (!is_near(phase))
        return w->weight * s->table.versine[phase >> (64 - TABLE_BITS)];
    uint64_t low, high = near_versine(&low, w, phase);
    return (int64_t)(high << 5 | low >> 59);
}

/* The same in units of 2^-fine, cut off at lambda, which is enough to drop the node. */
static uint64_t fine_versine(const scanner *s, const weighted *w, uint64_t phase)
{
    uint64_t most = s->fine_lambda;
    if (!is_near(phase)) {
        uint64_t x = (uint64_t)versine(s, w, phase);
        return x > most >> s->fine ? most : x << s->fine;
    }
    uint64_t low, high = near_versine(&low, w, phase);
    int up = 5 + s->fine;
    return high > most >> up ? most : high << up | low >> (64 - up);
}

/* D at node n over the heaviest items, and a bound of |D'| there. */
static int64_t depth(const scanner *s, uint64_t n, int64_t *slope)
{
    int64_t sum = 0, first = 0;
    for (size_t i = 0; i < s->first_look; i++) {
        uint64_t phase = phase_at(&s->item[i], n);
        sum += versine(s, &s->item[i], phase);
        first += s->item[i].slope * s->table.sine[phase >> (64 - TABLE_BITS)];
    }
    /* D' = (pi/2) sum w turn sin: (pi/2)/4 < 403/1024 in the units of D. Slopes sum to 2^39 at
     * most, times 2^15 and 403: below 2^63. */
    int64_t size = (first < 0 ? -first : first) + s->slope_slack;
    *slope = size * 403 / 1024 + 1;
    return sum;
}

/* All items, in finer units, for nodes that the first look does not drop. */
static bool deep_enough(const scanner *s, uint64_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < s->count && sum < s->fine_lambda; i++)
        sum += fine_versine(s, &s->item[i], phase_at(&s->item[i], n));
    return sum >= s->fine_lambda;
}

/* The largest r with depth - slope r - curvature r^2 / 2 >= lambda, found in doubles and taken a
 * thousandth shorter, which covers their rounding. */
static uint64_t radius(const scanner *s, int64_t sum, int64_t slope)
{
    double room = (double)(sum - s->lambda), a = s->curvature, b = (double)slope;
    double r = 2 * room / (b + sqrt(b * b + 2 * a * room)) * 0.999;
    return r < 1e15 ? (uint64_t)r : (uint64_t)1e15;
}

static bool keep(node_list *out, uint64_t n)
{
    if (out->count == out->room) {
        size_t room = out->room == 0 ? 256 : 2 * out->room;
        uint64_t *grown = memory_grow(out->node, room, sizeof *grown);
        if (grown == NULL)
            return false;
        out->node = grown;
        out->room = room;
    }
    out->node[out->count++] = n;
    return true;
}

static dp_status walk(node_list *out, const scanner *s, uint64_t first, uint64_t last, size_t most,
                      const limits *lim)
{
    uint64_t n = first, ahead = 0;
    double cost = 0;
    for (size_t steps = 1; n <= last; steps++) {
        cost += (double)s->first_look;
        if (cost > COST_LIMIT || (steps % 4096 == 0 && limits_expired(lim)))
            return DP_LIMIT;
        uint64_t centre = ahead < last - n ? n + ahead : last; /* phases hold up to there */
        ahead = centre - n;
        int64_t slope, sum = depth(s, centre, &slope);
        uint64_t reach = sum >= s->lambda ? radius(s, sum, slope) : 0;
        if (sum >= s->lambda && reach >= ahead) {
            n = centre + reach + 1;
            ahead = reach;
        } else if (ahead > 0) {
            ahead = reach < ahead / 4 ? ahead / 4 : reach;
        } else {
            cost += (double)s->count;
            if (!deep_enough(s, n)) {
                if (out->count == most)
                    return DP_LIMIT;
                if (!keep(out, n))
                    return DP_MEMORY;
            }
            n++;
        }
    }
    return DP_OK;
}

/* A typical step: D near its mean, the slope small. */
static bool affordable(const scanner *s, uint64_t nodes)
{
    double mean = 0;
    for (size_t i = 0; i < s->first_look; i++)
        mean += ldexp((double)s->item[i].weight, UNIT_BITS);
    double room = mean - (double)s->lambda, reach = 1;
    if (room > 0)
        reach += 2 * sqrt(2 * room / (s->curvature + 1));
    return (double)nodes / reach * (double)s->first_look < 2 * COST_LIMIT;
}

/* Without items nothing is dropped. */
static dp_status keep_all(node_list *out, uint64_t first, uint64_t last, size_t most)
{
    for (uint64_t n = first; n <= last; n++) {
        if (out->count == most)
            return DP_LIMIT;
        if (!keep(out, n))
            return DP_MEMORY;
    }
    return DP_OK;
}

dp_status scan_nodes(node_list *out, const scan_item *item, size_t count, uint64_t first,
                     uint64_t last, double lambda, size_t most, const limits *lim)
{
    if (count == 0 && lambda > 0)
        return keep_all(out, first, last, most);
    scanner *s = memory_new(1, sizeof *s);
    dp_status status = DP_MEMORY;
    if (s != NULL && prepare(s, item, count, lambda)) {
        make_tables(&s->table);
        status = affordable(s, last - first) ? walk(out, s, first, last, most, lim) : DP_LIMIT;
        memory_free(s->item);
    }
    memory_free(s);
    return status;
}

void node_list_clear(node_list *list)
{
    memory_free(list->node);
    *list = (node_list){NULL, 0, 0};
}
