/* SPDX-License-Identifier: MIT */
/* Roots of divergences, and the normal law, between doubles. */
#include <math.h>

#include "attack/audit_many.h"
#include "attack/audit_sure.h"
#include "num/binary64.h"

#define ONE (1.01 * BINARY64_U)
#define TERMS 28

/* ---- roots of divergences ---- */

/* v - ln(1 + v), v > -1, and what share it may be off where v is by v_off. For |v| <= 1/4 the
 * series v^2 (1/2 - v/3 + ...), whose sum is within 0.4 and 0.6 and whose remainder is below 5e-17;
 * v times the derivative, v^2/(1 + v), is at most 2.3 times the value. Beyond, the value is 0.026
 * at least. */
static double excess(double *off, double v, double v_off)
{
    static const double part_of[TERMS] = {
        1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7,  1.0 / 8,
        1.0 / 9,  1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14, 1.0 / 15,
        1.0 / 16, 1.0 / 17, 1.0 / 18, 1.0 / 19, 1.0 / 20, 1.0 / 21, 1.0 / 22,
        1.0 / 23, 1.0 / 24, 1.0 / 25, 1.0 / 26, 1.0 / 27, 1.0 / 28, 1.0 / 29,
    };
    if (fabs(v) <= 0.25) {
        int k = fabs(v) < 0x1p-14 ? 4 : fabs(v) < 0x1p-7 ? 8 : fabs(v) < 0x1p-4 ? 14 : TERMS;
        double sum = 0;
        while (--k >= 0)
            sum = part_of[k] - sum * v;
        *off = 64 * ONE + 3 * v_off;
        return v * v * sum;
    }
    double more = 1 + v;
    sure l = sure_log(more, more > 0 ? 1.01 * (fabs(v) * v_off / more + ONE) : 1);
    double x = v - l.x;
    if (!(l.off < 0.01)) { /* it is not told, and x is no number to divide by */
        *off = HUGE_VAL;
        return x;
    }
    *off = 1.01 * (fabs(v) * (v_off + ONE) + l.off + ONE * fabs(l.x)) / x + 2 * ONE;
    return x;
}

/* KL(a, u) = a h((u-a)/a) + (1-a) h((a-u)/(1-a)), h as above, at a = 0 and 1 the limits: all terms
 * are positive. u - a and 1 - a are off by a share of u each. */
span span_root(double a, double u)
{
    static const span unknown = {-HUGE_VAL, HUGE_VAL};
    if (!(a >= 0 && a <= 1 && u > 0 && u < 1))
        return unknown;
    double apart = u - a, rest = 1 - a, off[2] = {2 * ONE, 2 * ONE};
    double part[2] = {apart, -apart};
    if (a > 0)
        part[0] = a * excess(&off[0], apart / a, 3 * ONE);
    if (rest > 0)
        part[1] = rest * excess(&off[1], -apart / rest, 4 * ONE);
    double sum = part[0] + part[1], root = sqrt(2 * sum), by = fmax(off[0], off[1]) + 8 * ONE;
    if (!(by < 0.01 && root < HUGE_VAL))
        return unknown;
    span s = {root * (1 - by), root * (1 + by)};
    if (sum < 1e-290) /* some of it may be below all doubles */
        s = (span){0, 1e-144};
    return apart >= 0 ? s : (span){-s.high, -s.low};
}

/* ---- the normal law ---- */

#define BEFORE 96 /* steps */

/* The density at x without its factor 1/sqrt(2 pi), within a share of 1e-13: x^2 is off by u of
 * less than 1500. */
static double bell(double x)
{
    return binary64_exp_neg(x * x / 2);
}

/* The integral of that from x to x + STEP, by the rule of Gauss with 5 points: it is off by
 * STEP^11 (5!)^4/(11 (10!)^3) < 2.3e-26 of the tenth derivative, He10 bell, and |He10(t)|, a
 * product of |t^2 - r^2|, r < 4.9, is at most max(|t|, 4.9)^10. */
static double piece(double *off, double x)
{
    static const double at[5] = {-0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831,
                                 0.9061798459386640};
    static const double weight[5] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                     0.4786286704993665, 0.2369268850561891};
    double half = NORMAL_STEP / 2, sum = 0, end = x + NORMAL_STEP;
    for (int i = 0; i < 5; i++)
        sum += weight[i] * bell(x + half + half * at[i]);
    double far = fmax(fmax(x * x, end * end), 24.1);
    double most = x * end <= 0 ? 1 : bell(fmin(fabs(x), fabs(end)));
    *off = 1e-12 * half * sum + 2.4e-26 * far * far * far * far * far * most;
    return half * sum;
}

#define LOG_ROOT_TURN 0.91893853320467274 /* ln sqrt(2 pi) */

/* From beyond the last place back, from Mills' ratio, between t/(1 + t^2) and 1/t. */
void normal_fill(normal *t, double most)
{
    int count = (int)((most - NORMAL_FIRST) / NORMAL_STEP) + 4;
    t->count = count < NORMAL_MOST ? count : NORMAL_MOST;
    double x = NORMAL_FIRST + (t->count + BEFORE) * NORMAL_STEP, off, area;
    span sum = {bell(x) * x / (1 + x * x) * (1 - 1e-12), bell(x) / x * (1 + 1e-12)};
    for (int k = t->count + BEFORE - 1; k >= 0; k--) {
        area = piece(&off, NORMAL_FIRST + k * NORMAL_STEP);
        sum.low = (sum.low + (area - off)) * (1 - 4 * ONE);
        sum.high = (sum.high + (area + off)) * (1 + 4 * ONE);
        if (k >= t->count)
            continue;
        sure low = sure_log(sum.low, 0), high = sure_log(sum.high, 0);
        t->at[k] = (span){low.x - low.off - LOG_ROOT_TURN - 1e-14,
                          fmin(high.x + high.off - LOG_ROOT_TURN + 1e-14, 0)};
    }
}

#define SLACK 1e-11 /* of a few operations on numbers below 1000 */

/* The place before t, and how far beyond it t is, as a share of a step; -1: t is before all. */
static int place(double *beyond, const normal *t, double x)
{
    double at = (x - NORMAL_FIRST) / NORMAL_STEP;
    if (!(at >= 0))
        return -1;
    int k = at < t->count - 1 ? (int)at : t->count - 1;
    *beyond = at - k;
    return k;
}

/* Above a chord. */
double normal_low(const normal *t, double x)
{
    double f;
    int k = place(&f, t, x);
    if (k < 0)
        return isnan(x) ? -HUGE_VAL : t->at[0].low;
    if (k >= t->count - 1)
        return -HUGE_VAL;
    return (1 - f) * t->at[k].low + f * t->at[k + 1].low - SLACK;
}

/* Below both neighbours' chords, prolonged. */
double normal_high(const normal *t, double x)
{
    double f;
    int k = place(&f, t, x);
    if (k < 1)
        return 0;
    if (k >= t->count - 2)
        return t->at[k].high;
    double before = t->at[k].high + (t->at[k].high - t->at[k - 1].low) * f;
    double after = t->at[k + 1].high + (t->at[k + 1].high - t->at[k + 2].low) * (1 - f);
    return fmin(fmin(before, after) + SLACK, 0);
}

double normal_guess(const normal *t, double y)
{
    int low = 0, high = t->count - 1;
    if (!(y < t->at[0].low))
        return NORMAL_FIRST;
    if (y <= t->at[high].low)
        return NORMAL_FIRST + high * NORMAL_STEP;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        *(t->at[middle].low > y ? &low : &high) = middle;
    }
    double x = NORMAL_FIRST + low * NORMAL_STEP +
               NORMAL_STEP * (t->at[low].low - y) / (t->at[low].low - t->at[high].low);
    for (int i = 0; i < 2; i++) { /* Newton: the slope is the density over the tail */
        double tail = erfc(x * 0.70710678118654752) / 2;
        if (tail > 1e-300)
            x += (log(tail) - y) * tail / (0.39894228040143268 * exp(-x * x / 2));
    }
    return x;
}
