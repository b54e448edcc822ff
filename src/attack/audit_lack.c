/* SPDX-License-Identifier: MIT */
/* What the power of many trials is short of 1, from above and below: the normal measure of what is
 * above a falling line of points that are proved to refute, or not to. */
#include <math.h>

#include "attack/audit_many.h"
#include "num/binary64.h"

#define ONE (1.01 * BINARY64_U)
#define TURN 6.283185307179586
#define DENSITY 0.3989422804014326 /* 1/sqrt(2 pi), less 1e-16 */
#define SHORT (1 - 1e-12)          /* more than a few operations change */

#define DEPTH 16
#define COARSE 0.5
#define NARROW 1e-3

typedef struct line {
    many *m;
    bool inner;   /* the points refute */
    double fine;  /* how near points next to each other are where most of the measure is, */
    double close; /* about so far from 0 */
    size_t count;
    many_corner *at;
} line;

/* e^y, y <= 0, at least and at most. */
static double exp_low(double y)
{
    return -y < 700 ? binary64_exp_neg(-y) * SHORT : 0;
}

static double exp_high(double y)
{
    return binary64_exp_neg(fmin(-y, 700)) / SHORT;
}

/* ---- points ---- */

static bool holds(const line *l, double a, double b, double x)
{
    return l->inner ? many_refutes(l->m, a, b, x) : many_spares(l->m, a, b, x);
}

#define TRIES 4

/* The b of the line at a, moved to where that is proved; false: none. `by` is a step of b. */
static bool prove(const line *l, double a, double *b, double by)
{
    many *m = l->m;
    double x, least = l->inner && !m->none[1] ? 2 / m->n : 0;
    double most = many_place(m, m->alarmed.high, m->far + 0.5) + 2 / m->n;
    *b = many_boundary(m, a, l->inner ? 1 : -1, &x);
    *b = l->inner ? fmin(*b, most) : *b;
    if (m->none[1])
        *b = l->inner ? fmin(*b, 0) : *b > 0 ? 1 : 0;
    for (int i = 0; i < TRIES && (l->inner ? *b >= least : *b < 1); i++) {
        if (holds(l, a, *b, x))
            return true;
        *b += l->inner ? -by : by;
        by *= 4;
    }
    return false;
}

/* The point about where Z1 is z. By a line inside, A <= a and B <= b have at most n a + 1 misses
 * and n b + 1 false positives, whose tails are those of a + 2/n, b + 2/n at most; outside, A >= a
 * and B >= b have n a - 1 and n b - 1 at least. Where there are none ever, 0. */
static void point_at(many_corner *c, const line *l, double z)
{
    const many *m = l->m;
    double a = many_place(m, m->missed.high, z), b, each = 1 / m->n * (1 + 4 * ONE);
    double far = m->far + 1, by = 0.02 * sqrt((m->alarmed.high + each) / m->n);
    double shift = l->inner ? 2 * each : -each;
    *c = (many_corner){{z, z}, l->inner ? -far : HUGE_VAL};
    if (m->none[0]) {
        a = 0;
    } else {
        c->x = many_height(m, &m->missed, a);
        a = a + shift;
        a = fmax(l->inner ? a * (1 + 4 * ONE) : a - 4 * ONE * (fabs(a) + each), 0);
        if (a <= 0 && z <= -m->far)
            c->x.high = z; /* A of any kind */
    }
    if (!prove(l, a, &b, by))
        return;
    if (m->none[1]) {
        c->y = l->inner ? far : -far;
    } else if (!l->inner && b <= 0) {
        c->y = -far; /* B of any kind */
    } else {
        b -= shift;
        b = l->inner ? b - 8 * ONE * (b + 2 * each) : b + 8 * ONE * b;
        if (b >= 0 && b <= 1) {
            span y = many_height(m, &m->alarmed, b);
            c->y = l->inner ? fmin(y.low, far) : fmax(y.high, -far);
        }
    }
}

static void add(line *l, const many_corner *c)
{
    if (l->count < MANY_POINTS)
        l->at[l->count++] = *c;
}

/* The square of what is between them that is nearest to 0. */
static double nearest(double x, double y)
{
    return x * y < 0 ? 0 : fmin(x * x, y * y);
}

/* Adds what is between two points, and the right one. */
static void divide(line *l, const many_corner *left, const many_corner *right, int depth)
{
    double x = left->x.low, wide = right->x.low - x, far = l->m->far + 1;
    double y = fmax(fmin(left->y, far), -far), other = fmax(fmin(right->y, far), -far);
    double near = nearest(x, right->x.low) + nearest(y, other);
    double step = l->fine * exp(fmax(0, near - l->close * l->close) / 8);
    if (depth > 0 && wide > NARROW && wide + fabs(y - other) > fmin(step, COARSE)) {
        many_corner between;
        point_at(&between, l, x + wide / 2);
        divide(l, left, &between, depth - 1);
        divide(l, &between, right, depth - 1);
        return;
    }
    add(l, right);
}

static void line_fill(line *l)
{
    many_corner left, right;
    many *m = l->m;
    m->last = -1;
    point_at(&left, l, -m->far);
    m->last = -1;
    point_at(&right, l, m->far);
    add(l, &left);
    divide(l, &left, &right, DEPTH);
}

/* ---- above a line of what refutes ---- */

/* Pr[the direction of Z is between two points, and Z is beyond their edge], whose least distance
 * from 0 is that of the nearer one times the cosine of half the angle, at most this. */
static double beyond(const double p[2], const double q[2])
{
    double cross = fabs(q[0] * p[1] - p[0] * q[1]), dot = p[0] * q[0] + p[1] * q[1];
    double r = fmin(p[0] * p[0] + p[1] * p[1], q[0] * q[0] + q[1] * q[1]);
    double angle = dot > 0 ? cross / dot : TURN / 2;           /* its tangent is more than it */
    double near = angle < 1 ? r * (1 - angle * angle / 4) : 0; /* cos^2(t/2) >= 1 - t^2/4 */
    return (angle + 1e-12) / TURN * exp_high(-fmax(near * SHORT, 0) / 2);
}

/* The edges go from (x_i, y_i+1) to (x_i+1, y_i+2), falling, each under the points i + 1: A up to
 * the x, B up to the y of that point are of counts that refute. A horizontal ray leads there and a
 * vertical one from there down; 0 is below. What is seen from 0 without crossing a line grows with
 * sqrt(n), and with it is found there what refutes with n; of each direction the measure beyond all
 * lines that are crossed, added, is more than that beyond the first. */
static double measure_above(const line *l)
{
    double p[2], q[2], sum, y = HUGE_VAL;
    bool some = false;
    q[0] = q[1] = sum = 0;
    for (size_t i = 0; i + 1 < l->count; i++) {
        y = fmin(y, l->at[i + 1].y);
        p[0] = q[0];
        p[1] = q[1];
        q[0] = l->at[i].x.low;
        q[1] = y;
        if (!some) {
            if (!(y >= 0 && q[0] < 0))
                return 1;
            sum = exp_high(-q[0] * q[0] / 2) / 2 * exp_high(-y * y / 2) / 2;
            some = true;
            continue;
        }
        if (!(q[0] >= p[0] && q[1] <= p[1]) || (p[0] < 0 && q[0] >= 0 && q[1] < 0))
            return 1;
        sum += beyond(p, q);
        if (y < -l->m->far)
            break;
    }
    if (!some || !(q[0] >= 0))
        return 1;
    double rest = exp_high(-q[0] * q[0] / 2) / 2;
    sum += q[1] < 0 ? rest * exp_high(-q[1] * q[1] / 2) / 2 : rest;
    return fmin(sum / SHORT, 1);
}

/* ---- above a line of what does not ---- */

static double strip(const line *l, const many_corner *from, const many_corner *to)
{
    double low = from->x.high, high = to->x.low, far = fmax(fabs(low), fabs(high));
    if (!(high > low))
        return 0;
    return (high - low) * DENSITY * exp_low(-far * far / 2) *
           exp_low(normal_low(&l->m->law, from->y));
}

static double measure_spared(const line *l)
{
    const many_corner *last = &l->at[l->count - 1];
    double sum = 0;
    if (l->m->none[0])
        return exp_low(normal_low(&l->m->law, last->y)) * SHORT;
    for (size_t i = 0; i + 1 < l->count; i++)
        sum += strip(l, &l->at[i], &l->at[i + 1]);
    sum += exp_low(normal_low(&l->m->law, last->x.high)) * exp_low(normal_low(&l->m->law, last->y));
    return sum * SHORT;
}

/* ---- both ---- */

static double lack(many *m, double n, bool inner, double fine)
{
    line l = {m, inner, fine, m->far - 3.5, 0, m->at};
    many_set(m, n);
    line_fill(&l);
    return inner ? measure_above(&l) : measure_spared(&l);
}

double many_lack_most(many *m, double n, double fine)
{
    return lack(m, n, true, fine);
}

double many_lack_least(many *m, double n, double fine)
{
    return lack(m, n, false, fine);
}
