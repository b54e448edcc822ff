/* SPDX-License-Identifier: MIT */
/* In doubles: about how large the moments of the sampled Gaussian are, for searches, and which
 * nodes of the trapezoidal rule matter. Every plan is sound; what it leaves out is bounded
 * elsewhere. With y = z/s the integrand of A - 1 is, but for 1/sqrt(2 pi), B(y) = e^(-y^2/2)
 * (R^alpha - 1 - alpha ),  R = 1 + q expm1(y/s - 1/(2 s^2)), which is never negative, and has
 * modes about 0 and up to about alpha/s. */
#include <math.h>

#include "num/ival.h"
#include "renyi/sampled.h"

#define GUESS_BITS 64
#define GUESS_DEPTH 26.0     /* e^-26 is 5e-12 */
#define MOST_NODES (1 << 17) /* a second or so */
#define GUESS_NODES (MOST_NODES / 16)
#define MOST_TOP 1e11    /* beyond it doubles do not tell nodes apart */
#define BLOCK 8          /* nodes that are not worth a bound */
#define MOST_SIGMA 230.0 /* ln s: beyond it only the square of the loss counts */

static double log_double(const mpq_t q)
{
    mpfi_t x;
    mpfi_init2(x, GUESS_BITS);
    ival_log_q(x, q);
    double d = mpfi_get_d(x);
    mpfi_clear(x);
    return d;
}

void sampled_init(sampled *g, const mpq_t sigma, const mpq_t rate)
{
    mpq_init(g->sigma);
    mpq_init(g->rate);
    mpq_set(g->sigma, sigma);
    mpq_set(g->rate, rate);
    g->log_sigma = log_double(sigma);
    g->log_rate = mpq_sgn(rate) > 0 ? log_double(rate) : -HUGE_VAL;
}

void sampled_clear(sampled *g)
{
    mpq_clear(g->rate);
    mpq_clear(g->sigma);
}

/* ln(e^a + e^b) */
static double log_sum(double a, double b)
{
    double most = fmax(a, b), least = fmin(a, b);
    return least == -HUGE_VAL ? most : most + log1p(exp(least - most));
}

/* ln R(y), and in *excess ln |R - 1| */
static double log_ratio(double *excess, const sampled_plan *p, double y)
{
    double u = (y - 0.5 / p->sigma) / p->sigma, e = expm1(u);
    *excess = p->log_rate + (u < 700 ? log(fabs(e)) : u);
    return *excess < 30 && u < 700 ? log1p(p->rate * e) : *excess;
}

/* ln B(y) */
static double log_node(const sampled_plan *p, double y)
{
    double excess, l = log_ratio(&excess, p, y), a = p->alpha, t = p->t, x = expm1(l), b;
    if (log(a) + excess < -3) { /* by powers of x, for R^alpha - 1 - alpha x cancels */
        double sum = 1;
        for (int k = 8; k >= 2; k--)
            sum = 1 + sum * x * (a - k) / (k + 1);
        b = log(a * t / 2) + 2 * excess + log(sum);
    } else if (l < 30 && t * l < 600) {
        b = log((1 + x) * expm1(t * l) - t * x);
    } else {
        b = l + (t * l < 30 ? log(expm1(t * l) - t) : t * l);
    }
    return isnan(b) ? -HUGE_VAL : b - y * y / 2;
}

/* ln of what the nodes from u to v weigh at most each, u <= v of one sign: ln R is convex, so its
 * chord is above it, and alpha times that less y^2/2 is a parabola. */
static double log_block(const sampled_plan *p, double u, double v)
{
    double excess, other, near = u >= 0 ? u : v;
    double low = log_ratio(&excess, p, u), high = log_ratio(&other, p, v), w = v - u;
    excess = fmax(excess, other) + log(p->alpha);
    if (p->rough && excess < -3) /* the square of the loss */
        return 2 * excess - near * near / 2;
    double slope = w > 0 ? p->alpha * (high - low) / w - u : 0;
    double most = p->alpha * low - u * u / 2;
    if (slope > 0)
        most += slope < w ? slope * slope / 2 : slope * w - w * w / 2;
    return fmax(most, log(p->alpha) - near * near / 2) + M_LN2;
}

/* The larger of the two, and where. */
static void try_node(double *top, double *at, const sampled_plan *p, double y)
{
    double b = log_node(p, y);
    if (b > *top) {
        *top = b;
        *at = y;
    }
}

/* The largest ln B of some nodes, among them those about the modes, and of a climb from there where
 * they lie far apart. */
static double log_top(const sampled_plan *p)
{
    double far = fmax(2, p->alpha) / p->sigma, top = -HUGE_VAL, at = 0, step;
    for (int i = 0; i <= 32; i++)
        try_node(&top, &at, p, far * i / 32);
    for (double y = 1; y < far; y *= 1.5)
        try_node(&top, &at, p, y);
    for (int i = -2; i <= 2; i++) {
        try_node(&top, &at, p, i);
        try_node(&top, &at, p, i + fmin(2, p->alpha) / p->sigma);
        try_node(&top, &at, p, i + p->alpha / p->sigma);
    }
    for (step = at / 4; step > 1 && far > 32; step *= 0.7) {
        try_node(&top, &at, p, at + step);
        try_node(&top, &at, p, at - step);
    }
    return top;
}

/* x with its last bits cut off */
static double cut_bits(double x, int bits)
{
    int exponent;
    double m = frexp(x, &exponent);
    return ldexp(floor(ldexp(m, bits)), exponent - bits);
}

/* The step for which 2 pi a / h - a^2/2 is `strip` at the best a below pi s. */
static void choose_step(sampled_plan *p, double strip)
{
    double a = fmin(sqrt(2 * strip), 3.14 * p->sigma);
    p->edge = cut_bits(a, 16);
    p->h = cut_bits(2 * M_PI * p->edge / (strip + p->edge * p->edge / 2), 12);
}

/* The last node lies beyond alpha/s, where B falls, and weighs little; so does the first one. */
static bool choose_ends(sampled_plan *p)
{
    double mode = p->alpha / p->sigma, out = 1 + sqrt(2 * fmax(1, p->top - p->drop));
    double left = 1 + sqrt(2 * fmax(1, log1p(p->alpha) - p->drop));
    for (int i = 0; i < 60 && log_block(p, mode + out, mode + out) > p->drop; i++)
        out *= 1.25;
    double first = floor(-left / p->h), last = ceil((mode + out) / p->h);
    if (!(fabs(first) < 1e15 && fabs(last) < 1e15))
        return false;
    p->first = (int64_t)first;
    p->last = (int64_t)last;
    return true;
}

/* One block, or none where it is to be halved. */
static bool judge(const sampled_plan *p, int64_t from, int64_t to, bool *keep)
{
    double count = (double)(to - from + 1);
    *keep = log_block(p, (double)from * p->h, (double)to * p->h) + log(count * p->h) > p->drop;
    return !*keep || to - from < BLOCK;
}

static bool walk_half(const sampled_plan *p, int64_t from, int64_t to, sampled_visit *visit,
                      void *context)
{
    int64_t end[64];
    size_t depth = 0;
    end[depth] = to;
    while (from <= to) {
        bool keep;
        if (judge(p, from, end[depth], &keep)) {
            if (!visit(context, from, end[depth], keep))
                return false;
            from = end[depth] + 1;
            if (depth > 0)
                depth--;
        } else {
            end[depth + 1] = from + (end[depth] - from) / 2;
            depth++;
        }
    }
    return true;
}

void sampled_plan_walk(const sampled_plan *p, sampled_visit *visit, void *context)
{
    if (walk_half(p, p->first, -1, visit, context))
        walk_half(p, 0, p->last, visit, context);
}

static bool count_nodes(void *context, int64_t from, int64_t to, bool keep)
{
    sampled_plan *p = context;
    if (keep)
        p->nodes += to - from + 1;
    return p->nodes <= MOST_NODES;
}

/* Fills in what does not depend on the depth; false: doubles do not reach. */
static bool plan_start(sampled_plan *p, const sampled *g, double t)
{
    *p = (sampled_plan){.log_rate = g->log_rate,
                        .rate = exp(g->log_rate),
                        .sigma = exp(g->log_sigma),
                        .alpha = 1 + t,
                        .t = t};
    return t > 0 && p->alpha < 1e15 && fabs(g->log_sigma) < MOST_SIGMA && p->log_rate < 0;
}

bool sampled_plan_make(sampled_plan *p, const sampled *g, double t, double top, double depth,
                       double strip)
{
    if (!plan_start(p, g, t))
        return false;
    p->top = top;
    p->drop = top - depth;
    choose_step(p, strip);
    if (!(p->h > 0) || !choose_ends(p))
        return false;
    sampled_plan_walk(p, count_nodes, p);
    return p->nodes <= MOST_NODES;
}

typedef struct adding {
    const sampled_plan *plan;
    double most, sum; /* sum e^most */
    int64_t nodes;
} adding;

static bool add_nodes(void *context, int64_t from, int64_t to, bool keep)
{
    adding *a = context;
    for (int64_t k = from; keep && k <= to; k++) {
        double b = log_node(a->plan, (double)k * a->plan->h);
        if (b > a->most) {
            a->sum *= exp(a->most - b);
            a->most = b;
        }
        if (b > -HUGE_VAL)
            a->sum += exp(b - a->most);
    }
    if (keep)
        a->nodes += to - from + 1;
    return a->nodes <= GUESS_NODES;
}

/* Where the loss is small only its square counts: A - 1 is about alpha t / 2 q^2 / s^2. */
static double of_squares(const sampled *g, double t)
{
    return log1p(t) + log(t / 2) + 2 * g->log_rate - 2 * g->log_sigma;
}

double sampled_log_excess(const sampled *g, double t)
{
    sampled_plan p;
    if (mpq_sgn(g->rate) == 0)
        return -HUGE_VAL;
    if (g->log_sigma >= MOST_SIGMA && t < 1e60)
        return of_squares(g, t);
    if (!plan_start(&p, g, t))
        return HUGE_VAL;
    p.top = log_top(&p);
    if (p.top > MOST_TOP)
        return HUGE_VAL;
    p.rough = true;
    p.drop = p.top - GUESS_DEPTH;
    choose_step(&p, GUESS_DEPTH);
    if (!(p.h > 0) || !choose_ends(&p))
        return HUGE_VAL;
    adding a = {.plan = &p, .most = -HUGE_VAL};
    sampled_plan_walk(&p, add_nodes, &a);
    if (a.nodes > GUESS_NODES)
        return HUGE_VAL;
    return a.most + log(a.sum * p.h / sqrt(2 * M_PI));
}

double sampled_guess(const sampled *g, double t)
{
    if (mpq_cmp_ui(g->rate, 1, 1) == 0)
        return (1 + t) * t / 2 * exp(-2 * g->log_sigma);
    double x = sampled_log_excess(g, t);
    if (x > MOST_TOP / 4) /* what is taken from here is to be within reach */
        return HUGE_VAL;
    return x < 30 ? log1p(exp(x)) : log_sum(x, 0);
}
