/* SPDX-License-Identifier: MIT */
/* What the power is short of 1 where misses are few: summed over their counts. */
#include <math.h>

#include "attack/audit_many.h"
#include "attack/audit_sure.h"
#include "num/binary64.h"

#define ONE (1.01 * BINARY64_U)
#define SHORT (1 - 1e-12) /* more than a few operations change */
#define COUNTS_MOST 400
#define TRIES 3

/* e^x for a number x between two ends, both at most 0, from above or below. */
static double exp_of(double x, bool above)
{
    double y = binary64_exp_neg(fmin(fmax(-x, 0), 700));
    return above ? y / SHORT : x > -700 ? y * SHORT : 0;
}

/* Of Z2 with so many misses: up to which it refutes, at least; or from which on it does not, at
 * most. As in audit_lack.c B <= b has n b + 1 false positives at most, B >= b has n b - 1 at least.
 */
static double height(many *m, bool inner)
{
    double x, each = 1 / m->n * (1 + 4 * ONE), shift = inner ? 2 * each : each;
    double by = 0.02 * sqrt((m->alarmed.high + each) / m->n);
    double b = many_boundary(m, (double)m->count / m->n, inner ? 1 : -1, &x);
    bool is = false;
    if (m->none[1])
        b = inner ? fmin(b, 0) : b > 0 ? 2 : 0;
    b = inner ? fmin(b, 1 - 4 * each) : b;
    for (int i = 0; i < TRIES && !is && b >= 0 && b <= 1; i++, by *= 4) {
        is = inner ? many_refutes(m, 0, b, x) : many_spares(m, 0, b, x);
        if (!is)
            b += inner ? -by : by;
    }
    if (!is)
        return inner ? -HUGE_VAL : HUGE_VAL;
    if (m->none[1] || (!inner && b <= 0)) /* none at all, or B of any kind */
        return inner ? HUGE_VAL : -HUGE_VAL;
    b += inner ? -shift - 8 * ONE * (b + shift) : shift + 8 * ONE * b;
    if (b < 0 || b > 1)
        return inner ? -HUGE_VAL : HUGE_VAL;
    span y = many_height(m, &m->alarmed, b);
    return inner ? y.low : y.high;
}

/* Counts from 0 to this have all but little of the probability; above COUNTS_MOST: too many. */
static double counts_of(const many *m, double n)
{
    double mean = n * m->missed.high, z = m->far - 0.5;
    return ceil(mean + z * sqrt(mean) + z * z / 2 + 3);
}

static sure_rate rate_of(const many *m)
{
    double p = (m->missed.low + m->missed.high) / 2;
    return (sure_rate){p, 1 - p, 2 * ONE, 2 * ONE};
}

bool rare_fits(const many *m, double n)
{
    return !m->none[0] && counts_of(m, n) <= COUNTS_MOST && COUNTS_MOST < n;
}

/* What more misses refute is less, and all the numbers have at most as many of them as the largest;
 * with as many misses what refutes grows. */
double rare_lack_most(many *m, double n, double most)
{
    double end = counts_of(m, most), sum = 0;
    sure_rate rate = rate_of(m);
    sure tail, slope;
    if (!rare_fits(m, most))
        return 1;
    m->last = -1;
    double y = HUGE_VAL;
    for (double d = 0; d <= end; d++) {
        many_set_count(m, n, most, (unsigned long)d);
        y = y > -m->far ? fmin(y, height(m, true)) : -HUGE_VAL; /* lower ones are not looked for */
        sure mass = sure_log_mass(d, most, &rate);
        double short_of = y > 1e300 ? 0 : exp_of(normal_high(&m->law, y), true);
        sum += exp_of(fmin(mass.x + mass.off, 0), true) * short_of;
    }
    sure_tail(&tail, &slope, (unsigned long)end + 1, (unsigned long)most, &rate);
    sum += exp_of(fmin(tail.x + tail.off, 0), true);
    return sum / SHORT < 1 ? sum / SHORT : 1;
}

double rare_lack_least(many *m, double n)
{
    double end = counts_of(m, n), sum = 0;
    sure_rate rate = rate_of(m);
    if (!rare_fits(m, n))
        return 0;
    m->last = -1;
    double y = HUGE_VAL;
    for (double d = 0; d <= end; d++) {
        many_set_count(m, n, n, (unsigned long)d);
        if (y > -m->far)
            y = fmin(y, height(m, false));
        sure mass = sure_log_mass(d, n, &rate);
        double short_of = y < -1e300 ? 1 : exp_of(normal_low(&m->law, y), false);
        if (mass.off < 1)
            sum += exp_of(mass.x - mass.off, false) * short_of;
    }
    return sum * SHORT;
}
