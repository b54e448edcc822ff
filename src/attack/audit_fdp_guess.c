/* SPDX-License-Identifier: MIT */
/* The recursion of onerun-fdp against mu-GDP in doubles of which nothing is believed: where to look
 * for its roots. Of many guesses it takes steps of many counts at once. */
#include <math.h>

#include "attack/audit_fdp.h"
#include "attack/audit_fdp_average.h"
#include "attack/root.h"
#include "num/ival.h"

/* ---- steps of many counts ---- */

/* ln(I(w, e)/e), I(w, e) as there. */
static double log_average(double w, double e)
{
    double x = (fabs(w) + 1) * e, y = fdp_average(w, e, fdp_terms(x));
    return x < 0x1p-12 ? y * (1 - y * (0.5 - y * (1.0 / 3 - y * 0.25))) : log1p(y);
}

/* Phi(b) - Phi(a), a < b */
static double between(double a, double b)
{
    return a + b > 0 ? fdp_normal(-a) - fdp_normal(-b) : fdp_normal(b) - fdp_normal(a);
}

#define LARGE 0.125 /* of (|z| + mu + 1) e: for series */

/* The step after a large one, by what is left of 1: infinite where that is less than it takes. */
static double large_step(const fdp_run *q, double odds)
{
    double w = q->z - q->mu, more = odds * between(w - q->e, w);
    if (q->z > 0) {
        double rest = fdp_normal(-q->z) - more;
        return rest > 0 ? -fdp_normal_quantile(rest) - q->z : HUGE_VAL;
    }
    double all = fdp_normal(q->z) + more;
    return all < 1 ? fdp_normal_quantile(all) - q->z : HUGE_VAL;
}

/* e^x - 1 */
static double growth_of(double x)
{
    return fabs(x) <= 0.25 ? fdp_growth(x) : expm1(x);
}

#define TRIES 30

/* e'/e - 1 at a count, e and e' the steps of z before and after it (audit_fdp_run.c), where each is
 * taken `stride` times as far apart: by Newton's method, as ln(I(-z, e')/e') is about -z e'/2. */
static double growth(const fdp_run *q, double count, double stride)
{
    double r = (double)q->guesses, z = q->z, odds = (count - 1) / (r - count + 1);
    if (!((fabs(z) + q->mu + 1) * q->e < LARGE))
        return expm1(stride * log(large_step(q, odds) / q->e));
    double a = log1p((2 * count - r - 2) / (r - count + 1)) + q->mu * (z - q->mu / 2) +
               log_average(z - q->mu, q->e);
    double first = expm1(stride * a), all = first, off = 1;
    for (int i = 0; i < TRIES && fabs(off) > 1e-17 + 4e-16 * fabs(all); i++) {
        if (!(all > -1 && (fabs(z) + 1) * q->e * (1 + all) < 4 * LARGE))
            return stride > 1 ? first : large_step(q, odds) / q->e - 1;
        double part = growth_of(-stride * log_average(-z, q->e + q->e * all));
        off = first + part + first * part - all;
        off /= 1 - (1 + first) * (1 + part) * stride * z * q->e / 2;
        all += off;
    }
    return all;
}

/* sum + low += x */
static void add_to(double *sum, double *low, double x)
{
    double part = x + *low, all = *sum + part;
    *low = part - (all - *sum);
    *sum = all;
}

/* One step of so many counts; e is of the middle between the two. */
static void leap(fdp_run *q, double *count, double stride)
{
    add_to(&q->e, &q->e_low, q->e * growth(q, *count, stride));
    add_to(&q->z, &q->z_low, stride * q->e);
    *count -= stride;
}

/* Is N above 1 for good? Where steps leave all numbers it is. */
static bool is_above(const fdp_run *q)
{
    return !(q->z <= q->limit + 0.5);
}

/* The same, or is what is left too little to matter? */
static bool is_over(const fdp_run *q, double count)
{
    double r = (double)q->guesses, left = r - 2 * count + 1, far;
    return is_above(q) || (left > 0 && q->e * r <= 1e-17 * left) ||
           (q->z < q->limit - 0.3 && fdp_run_is_trapped(&far, q, count));
}

#define MEASURED 256
#define LEAST_STEP 1e-9

/* To the end by strides that grow: about how many counts that takes, and how fast steps grow or
 * fall where they matter. */
static double go_growing(fdp_run *q, double *rate)
{
    double count = (double)q->count, first = count;
    bool over = false;
    *rate = 0;
    for (double stride = 1; !over && count > stride * (MEASURED + 1); stride *= 2)
        for (int i = 0; i < MEASURED && !over; i++) {
            double e = q->e;
            leap(q, &count, stride);
            over = is_over(q, count);
            if (q->z < q->limit && stride * q->e > LEAST_STEP)
                *rate = fmax(*rate, fabs(log(q->e / e)) / stride);
        }
    return first - count;
}

/* To the end by strides of one length. The step before the first one is moved to the middle of a
 * stride by the growth there, as a line. */
static void go(fdp_run *q, double stride)
{
    double count = (double)q->count, now = log1p(growth(q, count, 1));
    fdp_run after = *q;
    leap(&after, &count, 1);
    double next = log1p(growth(&after, count, 1));
    count = (double)q->count;
    q->e *= exp((next - now) * (stride * stride - 1) / 8 - now * (stride - 1) / 2);
    while (count > stride + 1 && !is_over(q, count))
        leap(q, &count, stride);
}

/* ---- N at a parameter and a tau ---- */

/* The count of the outcome: z is the quantile of R/m there, y that of H/m, and the step before is
 * z - mu - y, which is 0 where mu is `end`. */
typedef struct guessing {
    const audit_in *in;
    double x, tau, z, end;
    double stride;       /* of counts; 0: that grows, and a glance will do */
    double counts, rate; /* that it took; of growth */
    bool slow;           /* count by count however many */
} guessing;

/* z - y, of Phi(z) - Phi(y) = (v - (r-v)) tau/m. */
static double apart(double z, double y, double between)
{
    double slope = exp(-y * y / 2) * 0.39894228040143267794, d = z - y;
    for (int i = 0; i < 4 && (fabs(y) + 1) * fabs(d) < 0x1p-4; i++)
        d = between / (slope * (1 + fdp_average(-y, d, FDP_TERMS_MOST)));
    return d;
}

/* Infinite where the first step is never 0. */
static void set_start(guessing *g, double tau)
{
    double whole = (double)g->in->canaries, hits = (double)g->in->hits,
           misses = (double)g->in->members - hits, y = fdp_normal_quantile(tau * misses / whole);
    g->tau = tau;
    g->z = fdp_normal_quantile(tau * hits / whole);
    g->end =
        misses > 0 && tau * hits < whole ? apart(g->z, y, tau * (hits - misses) / whole) : HUGE_VAL;
}

/* About N, of many guesses, `away` from the end; below 0 where it is not for it. */
static double mass_of_many(guessing *g, double mu, double away)
{
    fdp_run q = {.guesses = g->in->members,
                 .count = g->in->hits,
                 .canaries = (double)g->in->canaries,
                 .mu = mu,
                 .z = g->z,
                 .e = away};
    if (!(away > 0 && g->end < HUGE_VAL))
        return -1;
    fdp_run_limit(&q);
    if (g->stride > 0)
        go(&q, g->stride);
    else
        g->counts = go_growing(&q, &g->rate);
    if (is_above(&q))
        return 2;
    return (fdp_normal(q.z) + fdp_normal(q.z - q.e - mu)) * q.canaries / (double)q.guesses;
}

/* The same count by count. */
static double mass_of_few(const audit_in *in, double x, double tau)
{
    long double whole = in->canaries, n = tau, sum = n * in->hits;
    for (unsigned long k = in->hits; k >= 1 && n < 2; k--) {
        if (sum > whole || (k % 256 == 0 && in->lim != NULL && limits_expired(in->lim)))
            return 2;
        long double p = whole * fdp_guess(x, (double)(sum / whole)) - n * in->members + sum;
        if (p <= 0)
            break;
        p /= in->members - k + 1;
        n += p;
        sum += p * (k - 1);
        if (k <= in->members / 2 && p * k < 1e-19L * (in->members - 2 * k + 3) * n)
            break; /* as set_rest has it, audit_fdp.c */
    }
    return (double)n;
}

#define GLANCE 1e-3

/* N - 1, 0 where it is that but for the roundings of a long sum, or at a glance; 1 where time is
 * up.
 */
static double above_one(guessing *g, double mu, double away)
{
    if (g->in->lim != NULL && limits_expired(g->in->lim))
        return 1;
    bool many = g->in->members >= FDP_FEW_GUESSES && !g->slow;
    double n = many ? mass_of_many(g, mu, away) : -1;
    bool glance = n >= 0 && g->stride == 0;
    if (n < 0)
        n = mass_of_few(g->in, mu, g->tau);
    return fabs(n - 1) < (glance ? GLANCE : 2e-14) ? 0 : n - 1;
}

double fdp_guess_mass(const audit_in *in, double tau)
{
    guessing g = {.in = in, .x = ival_guess(in->claim)};
    set_start(&g, tau);
    return 1 + above_one(&g, g.x, g.end - g.x);
}

/* ---- roots: where N, which all but jumps next to where the first step is 0, is 1 ---- */

#define LEAPS 2400
#define MOST_LEAPS (16 * LEAPS)
#define STRIDES 7
#define BESIDE 1e-3
#define WIDEST 30
#define FASTEST 1.5 /* of a step, a logarithm */

static const double by[STRIDES] = {1, 2, 3, 4, 6, 8, 12};

/* The root of a stride, in units, as a polynomial of those of which it is known. */
static double root_of_stride(double stride, const double root[STRIDES], int strides)
{
    double one = 0;
    for (int i = 0; i < strides; i++) {
        double part = 1;
        for (int j = 0; j < strides; j++)
            if (j != i)
                part *= (stride - by[j]) / (by[i] - by[j]);
        one += part * root[i];
    }
    return one;
}

typedef double (*guess_function)(const void *of, double x);

/* The root next to another one, which is so near, about. */
static double root_beside(guess_function f, guessing *g, double near, double beside, double error)
{
    double wide = fmax(beside, 4 * error);
    while (wide < WIDEST && (f(g, near + wide) > 0) == (f(g, near - wide) > 0))
        wide *= 8;
    return root_guess_near(f, g, near - wide, near + wide, error);
}

/* How many counts runs take beside a root, and how fast steps grow of that on which they do less.
 */
static void measure(double *counts, double *rate, guess_function f, guessing *g, double near)
{
    *counts = 0;
    *rate = HUGE_VAL;
    g->counts = g->rate = 0;
    for (int side = -1; side <= 1; side += 2) {
        f(g, near + side * BESIDE);
        *counts = fmax(*counts, g->counts);
        *rate = fmin(*rate, g->rate);
    }
}

/* The root of single counts from one at a glance: those of some strides tell it. The recursion is
 * nearly its own reverse, so that what they are off is nearly even. Shorter strides where one of
 * them less tells another root. */
static double root_near(guess_function f, guessing *g, double near, double error)
{
    double counts, rate, beside = BESIDE, off = HUGE_VAL;
    measure(&counts, &rate, f, g, near);
    for (double leaps = LEAPS; leaps <= MOST_LEAPS && off > error; leaps *= 2) {
        double unit = fmin(ceil(counts / leaps), floor(FASTEST / by[STRIDES - 1] / rate));
        double root[STRIDES];
        if (!(unit > 1)) {
            g->stride = 1;
            return root_beside(f, g, near, beside, error / 4);
        }
        for (int i = 0; i < STRIDES; i++) {
            g->stride = unit * by[i];
            root[i] = root_beside(f, g, near, beside, error / 64);
            beside = 2 * fabs(root[i] - near);
            if (i + 1 < STRIDES)
                near = root_of_stride(by[i + 1], root, i + 1);
        }
        near = root_of_stride(1 / unit, root, STRIDES);
        off = fabs(near - root_of_stride(1 / unit, root, STRIDES - 1));
        beside = 4 * off;
    }
    return near;
}

#define NEAREST 40 /* a logarithm */
#define LEAST_ERROR 1e-12

/* out = the logarithm where f is 0, up to `high`, so near that exp(out) is known to about the last
 * digits of scale; the lower end where it is nearer than any of these. */
static double root_below(guess_function f, guessing *g, double high, double scale)
{
    g->stride = 0;
    if (f(g, high - NEAREST) > 0)
        return high - NEAREST;
    bool few = g->in->members < FDP_FEW_GUESSES || g->slow;
    double near = root_guess_near(f, g, high - NEAREST, high, few ? 0 : BESIDE / 8);
    return few ? near : root_near(f, g, near, LEAST_ERROR * scale / exp(near));
}

static double at_x(const void *of, double x)
{
    guessing *g = (guessing *)of;
    return above_one(g, x, g->end - x);
}

static double at_away(const void *of, double log_away)
{
    guessing *g = (guessing *)of;
    double away = exp(log_away);
    return above_one(g, g->end - away, away);
}

double fdp_guess_parameter(const audit_in *in, bool slow)
{
    guessing g = {.in = in, .slow = slow};
    set_start(&g, exp(ival_guess_log(in->alpha)));
    if (at_x(&g, 0) <= 0)
        return 0;
    if (g.end < HUGE_VAL) {
        double away = exp(root_below(at_away, &g, log(g.end), g.end));
        return g.end - away;
    }
    double low = 0, high = 1;
    while (high < 1e3 && at_x(&g, high) > 0) {
        low = high;
        high *= 2;
    }
    return root_guess(at_x, &g, low, high);
}

static double at_tau(const void *of, double log_tau)
{
    guessing *g = (guessing *)of;
    set_start(g, exp(log_tau));
    return above_one(g, g->x, g->end - g->x);
}

static double end_beyond(const void *of, double log_tau)
{
    guessing *g = (guessing *)of;
    set_start(g, exp(log_tau));
    return g->end - g->x;
}

/* From the tau at which the first step is 0. */
typedef struct farther {
    guessing of;
    double log_tau;
} farther;

static double at_far(const void *of, double log_far)
{
    farther *g = (farther *)of;
    return at_tau(&g->of, g->log_tau + exp(log_far));
}

#define LEAST_TAU (-700.0) /* a logarithm */

double fdp_guess_tau(const audit_in *in, bool slow)
{
    farther g = {.of = {.in = in, .x = ival_guess(in->claim), .slow = slow}};
    if (at_tau(&g.of, 0) <= 0)
        return 1;
    if (end_beyond(&g.of, LEAST_TAU) < 0 && end_beyond(&g.of, -1e-9) > 0) {
        g.log_tau = root_guess(end_beyond, &g.of, LEAST_TAU, -1e-9);
        return exp(g.log_tau + exp(root_below(at_far, &g.of, log(-g.log_tau), 1)));
    }
    double low = -8;
    while (low > LEAST_TAU && at_tau(&g.of, low) > 0)
        low *= 2;
    return exp(root_guess(at_tau, &g.of, low, 0));
}
