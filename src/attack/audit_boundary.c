/* SPDX-License-Identifier: MIT */
#include "attack/audit_boundary.h"

#include <math.h>

#include "attack/binomial_guess.h"
#include "num/ival.h"

/* ---- one place ---- */

/* What refutes by one of the two lines of the curve or, by the product, at the corner between them;
 * n trials, d misses: no whole numbers. */
typedef struct place {
    const boundary *b;
    int which;
    double n, d;
    double limit; /* of the rectangle: the logit of the largest false positive rate that refutes */
    double side;
} place;

static double rate_limit(const boundary *b, const place *p)
{
    double y = guess_low(p->n - p->d, p->n, b->level[0]), delta = mpq_get_d(b->in->delta);
    double e = exp(ival_guess(b->in->claim));
    double x = p->which == 0 ? (1 / (1 + exp(-y)) - delta) / e : 1 - delta - e / (1 + exp(y));
    return log(x / (1 - x));
}

/* Grows with f, and is 0 where the outcome just refutes. */
static double above(place *p, double f)
{
    const boundary *b = p->b;
    if (b->in->of->method != DP_AUDIT_FISHER)
        return guess_log_tail(p->n - f, p->n, -p->limit, NULL) - b->level[1];
    const double count[] = {p->n, p->d, f};
    return audit_fisher_height(&p->side, b->in, count, p->which) - b->level[0];
}

#define NEAR_ENOUGH 1e-5
#define MOST_STEPS 40

/* f of the place, or no number. */
static double find(place *p, double near)
{
    if (!(p->d > 1 && p->d < p->n - 1))
        return NAN;
    p->limit = p->b->in->of->method == DP_AUDIT_FISHER ? 0 : rate_limit(p->b, p);
    double low = near, high = near, below = above(p, near), over = below;
    double step = 1 + sqrt(near) / 4;
    for (int i = 0; i < MOST_STEPS && below > 0; i++, step *= 2) {
        high = low;
        over = below;
        low = fmax(low - step, 1);
        below = above(p, low);
        if (low <= 1)
            break;
    }
    for (int i = 0; i < MOST_STEPS && over <= 0; i++, step *= 2) {
        low = high;
        below = over;
        high = fmin(high + step, p->n - 1);
        over = above(p, high);
        if (high >= p->n - 1)
            break;
    }
    if (!(below <= 0 && over > 0))
        return NAN;
    for (int i = 0; i < MOST_STEPS && high - low > NEAR_ENOUGH; i++) {
        double x = low - below * (high - low) / (over - below), y;
        x = i % 4 == 3 ? (low + high) / 2
                       : fmin(fmax(x, low + NEAR_ENOUGH / 4), high - NEAR_ENOUGH / 4);
        y = above(p, x);
        if (!(fabs(y) > 1e-7))
            return isnan(y) ? y : x;
        *(y > 0 ? &high : &low) = x;
        *(y > 0 ? &over : &below) = y;
    }
    return (low + high) / 2;
}

/* ---- between places ---- */

/* Along the lines it is nearly straight, at the corner steep. */
static int columns(int part)
{
    return part < 2 ? 12 : BOUNDARY_COLUMNS;
}

static double column(const boundary *b, int part, int j)
{
    return b->wide * (2.0 * j / (columns(part) - 1) - 1);
}

/* What has no number goes on from its neighbours: a line that ends does not count there, or is
 * nearly straight. */
static void go_on(double *y, int count)
{
    for (int j = 2; j < count; j++)
        if (isnan(y[j]))
            y[j] = 2 * y[j - 1] - y[j - 2];
    for (int j = count - 3; j >= 0; j--)
        if (isnan(y[j]))
            y[j] = 2 * y[j + 1] - y[j + 2];
}

static void fill_row(boundary *b, boundary_part *part, double n)
{
    int parts = b->in->of->method == DP_AUDIT_FISHER ? 3 : 2;
    for (int k = 0; k < BOUNDARY_PARTS; k++) {
        double root = sqrt(n), near = NAN, side = 0;
        for (int j = columns(k); j-- > 0;) {
            place p = {.b = b,
                       .which = k,
                       .n = n,
                       .d = n * b->missed + column(b, k, j) * root,
                       .side = side};
            double from = isnan(near) ? fmin(fmax(n * b->alarmed, 2), n - 2) : near;
            near = k < parts ? find(&p, from) : NAN;
            side = p.side;
            part[k].f[j] = (near - n * b->alarmed) / root;
            part[k].side[j] = isnan(near) ? NAN : p.side;
        }
        if (k < 2) {
            go_on(part[k].f, columns(k));
            go_on(part[k].side, columns(k));
        }
    }
}

#define WIDEST 3 /* e^3 times as wide a group is the widest */
#define RIGHT 1.5707963267948966

#define LOOKS 60

static void find_foot(boundary *b, double n)
{
    double best = HUGE_VAL, miss = b->missed * (1 - b->missed),
           alarm = b->alarmed * (1 - b->alarmed);
    b->spread = 0;
    for (int i = 0; i <= LOOKS; i++) {
        double s = b->wide * 0.7 * (2.0 * i / LOOKS - 1), d = floor(n * b->missed + s * sqrt(n));
        unsigned long f;
        if (d < 1 || !boundary_count(&f, b, (unsigned long)d, (unsigned long)n))
            continue;
        double y = ((double)f - n * b->alarmed) / sqrt(n);
        double r = s * s / miss + y * y / alarm;
        if (r < best) {
            b->foot = s;
            b->spread = sqrt(miss * fmax(y * y / alarm / r, 0.02));
        }
        best = fmin(r, best);
    }
}

void boundary_fill(boundary *b, unsigned long least, unsigned long most)
{
    double low = (double)least, ratio = (double)most / low;
    b->n = 0;
    b->least = low;
    b->most = (double)most;
    b->wide = b->z * sqrt(b->missed * (1 - b->missed)) + b->z * b->z / 2 / sqrt(low);
    for (int i = 0; i < BOUNDARY_ROWS; i++) {
        double up = (1 + cos((2 * i + 1) * RIGHT / BOUNDARY_ROWS)) / 2;
        double n = rint(low * pow(ratio, up));
        b->row[i] = log(n);
        fill_row(b, b->at[i], n);
    }
    find_foot(b, rint(sqrt(low * b->most)));
}

static void choose(boundary *b, double n)
{
    if (b->n == n)
        return;
    double weight[BOUNDARY_ROWS], at = log(n);
    for (int i = 0; i < BOUNDARY_ROWS; i++) {
        weight[i] = 1;
        for (int k = 0; k < BOUNDARY_ROWS; k++)
            weight[i] *= i == k ? 1 : (at - b->row[k]) / (b->row[i] - b->row[k]);
    }
    for (int k = 0; k < BOUNDARY_PARTS; k++)
        for (int j = 0; j < columns(k); j++) {
            double f = 0, side = 0;
            for (int i = 0; i < BOUNDARY_ROWS; i++) {
                f += weight[i] * b->at[i][k].f[j];
                side += weight[i] * b->at[i][k].side[j];
            }
            b->of_n[k].f[j] = f;
            b->of_n[k].side[j] = side;
        }
    b->n = n;
}

/* Between four columns of a part, from j on, t columns from the second of them. */
static double cubic(const double *y, int j, double t)
{
    double a = (t - 1) * (t - 2), c = t * (t + 1); /* of Lagrange, at -1, 0, 1, 2 */
    y += j;
    return -y[0] * t * a / 6 + y[1] * (t + 1) * a / 2 - y[2] * c * (t - 2) / 2 +
           y[3] * c * (t - 1) / 6;
}

/* The part at s, as f, or no number where it does not count. */
static double part_at(const boundary *b, int k, double s)
{
    const boundary_part *part = &b->of_n[k];
    double t = (s / b->wide + 1) / 2 * (columns(k) - 1);
    int j = (int)fmin(fmax(floor(t) - 1, 0), columns(k) - 4);
    for (int i = 0; i < 2 && j < columns(k) - 4 && isnan(part->f[j]); i++)
        j++; /* few misses: at the corner of the curve none of the false positives is too many */
    t -= j + 1;
    bool fisher = b->in->of->method == DP_AUDIT_FISHER;
    return fisher && k < 2 && !(cubic(part->side, j, t) < 0) ? NAN : cubic(part->f, j, t);
}

bool boundary_count(unsigned long *f, boundary *b, unsigned long d, unsigned long n)
{
    double m = (double)n, root = sqrt(m);
    if (!(m >= b->least && m <= b->most))
        return false;
    choose(b, m);
    double s = ((double)d - m * b->missed) / root, x = NAN;
    if (!(fabs(s) <= b->wide))
        return false;
    for (int k = 0; k < BOUNDARY_PARTS; k++)
        if (k < 2 || isnan(x))
            x = fmax(x, part_at(b, k, s));
    x = x * root + m * b->alarmed;
    if (!(x > 1 && x < m - 1))
        return false;
    *f = (unsigned long)x + 1;
    return true;
}

/* ---- power ---- */

/* What a group loses is as the square of its width, and as a normal density along the boundary. */
unsigned long boundary_group(const boundary *b, unsigned long d, unsigned long n,
                             unsigned long group)
{
    double m = (double)n;
    if (!(b->spread > 0))
        return group;
    double t = (((double)d - m * b->missed) / sqrt(m) - b->foot) / b->spread;
    return (unsigned long)((double)group * exp(fmin(t * t / 4, WIDEST)));
}

/* to[k - from] = about Pr[Bin(n, rate) = k] */
static void masses(double *to, double rate, double n, double from, double count)
{
    if (rate == 0 || rate == 1) { /* then there is one k */
        to[0] = 1;
        return;
    }
    double odds = rate / (1 - rate), middle = fmin(fmax(floor(n * rate), from), from + count - 1);
    size_t at = (size_t)(middle - from);
    to[at] = exp(guess_log_mass(middle, n, log(odds)));
    for (size_t i = at; (double)i + 1 < count; i++)
        to[i + 1] = to[i] * odds * (n - from - (double)i) / (from + (double)i + 1);
    for (size_t i = at; i > 0; i--)
        to[i - 1] = to[i] / odds * (from + (double)i) / (n - from - (double)i + 1);
}

double boundary_power(boundary *b, const boundary_range *r,
                      unsigned long (*count)(void *of, unsigned long d), void *of)
{
    double n = (double)r->n, m = (double)r->drawn, most[2], from[2], sum = 0;
    double rate[2] = {b->missed, b->alarmed};
    if (n < b->least || n > b->most)
        return -1;
    for (int i = 0; i < 2; i++) {
        double far = b->z * sqrt(m * rate[i] * (1 - rate[i]));
        from[i] = fmax(0, ceil(m * rate[i] - far));
        most[i] = fmin(n, floor(m * rate[i] + far));
        if (!(most[i] - from[i] < BOUNDARY_SPAN - 2 && most[i] >= from[i]))
            return -1;
    }
    masses(b->mass, rate[0], m, from[0], most[0] - from[0] + 1);
    masses(b->tail, rate[1], m, from[1], most[1] - from[1] + 1);
    for (size_t i = 1; (double)i <= most[1] - from[1]; i++)
        b->tail[i] += b->tail[i - 1];
    double end = fmin(fmin(most[0], n * b->missed + 0.999 * b->wide * sqrt(n)), (double)r->to);
    unsigned long f = 0;
    double next = (double)r->to;
    for (double d = floor(end); d >= from[0]; d--) {
        unsigned long at = (unsigned long)d;
        if ((next >= d || d == floor(end)) && !boundary_count(&f, b, at, r->n))
            f = count(of, at);
        while (next >= d)
            next -= (double)(r->eased ? boundary_group(b, (unsigned long)next, r->n, r->group)
                                      : r->group);
        double k = fmin((double)f - 1, most[1]);
        if (f > 0 && k >= from[1])
            sum += b->mass[(size_t)(d - from[0])] * b->tail[(size_t)(k - from[1])];
    }
    return sum;
}
