/* SPDX-License-Identifier: MIT */
/* Certificates of one run against a privacy curve: heights of layers by trials in doubles, then the
 * weights themselves, rounded upward. */
#include "attack/audit_layers.h"

#include <math.h>
#include <string.h>

#define BITS 128

void layers_init(layers *l)
{
    l->count = 0;
    mpfr_init2(l->lambda, BITS);
    for (size_t k = 0; k < LAYERS_MOST; k++) {
        mpfr_init2(l->slope[k], BITS);
        mpfr_init2(l->height[k], BITS);
    }
}

void layers_clear(layers *l)
{
    for (size_t k = 0; k < LAYERS_MOST; k++) {
        mpfr_clear(l->height[k]);
        mpfr_clear(l->slope[k]);
    }
    mpfr_clear(l->lambda);
}

/* ---- in doubles ---- */

/* Layers as they are filled: up to where each goes, and the sum of slopes times weights there. */
typedef struct stack {
    const layers_goal *goal;
    double top[LAYERS_MOST], sum[LAYERS_MOST];
    double most; /* of all weights together */
    double steps;
} stack;

static void fill(stack *s, const double *height)
{
    double top = 0, sum = 0;
    for (size_t k = 0; k + 1 < s->goal->count; k++) {
        top += height[k];
        sum += s->goal->slope[k] * height[k];
        s->top[k] = top;
        s->sum[k] = sum;
    }
    s->top[s->goal->count - 1] = HUGE_VAL;
}

/* What u is paid, and in which layer it ends; *k is where to look first. */
static double pays(const stack *s, size_t *k, double u)
{
    while (u > s->top[*k])
        ++*k;
    while (*k > 0 && u <= s->top[*k - 1])
        --*k;
    const double *slope = s->goal->slope;
    return *k > 0 ? s->sum[*k - 1] + slope[*k] * (u - s->top[*k - 1]) : slope[0] * u;
}

/* U(c) of U(c+1) = u, of which so much is paid. */
static double next_weight(const layers_goal *g, unsigned long c, double lambda, double paid)
{
    return ((c >= g->right) - lambda + (double)(g->guesses - c) * paid) / (double)c;
}

/* Do weights with that lambda end well? From c = r down U(c) = (1[c >= v] - lambda + (r-c) sum_k
 * E_k u_k(c+1))/c; below v they fall to 0 and stay there, or rise once and for ever. */
static bool ends(stack *s, double lambda)
{
    const layers_goal *g = s->goal;
    double u = 0, paid = 0;
    size_t k = 0;
    s->most = 0;
    for (unsigned long c = g->guesses; c >= 1; c--) {
        double next = next_weight(g, c, lambda, paid);
        s->steps++;
        if (next <= 0)
            return true;
        if (next > 1e250 || (c < g->right && next >= u))
            return false;
        u = next;
        s->most = fmax(s->most, u);
        paid = pays(s, &k, u);
    }
    return (double)g->guesses * paid <= lambda;
}

#define LEAST 1e-280 /* of lambda: what is less is not sought */

/* U(v) from above, and its derivative by lambda. */
static double from_above(double *grows, const stack *s, double lambda)
{
    const layers_goal *g = s->goal;
    double u = 0, paid = 0, by = 0;
    size_t k = 0;
    for (unsigned long c = g->guesses; c >= g->right; c--) {
        by = ((double)(g->guesses - c) * g->slope[k] * by - 1) / (double)c;
        u = next_weight(g, c, lambda, paid);
        paid = pays(s, &k, u);
    }
    *grows = by;
    return u;
}

/* The largest U(v) from which the weights end well, which is that of r sum_k E_k u_k(1) = lambda:
 * upward from there nothing grows that was rounded. And its derivative. */
static double from_below(double *grows, const stack *s, double lambda)
{
    const layers_goal *g = s->goal;
    const double *slope = g->slope;
    double u = 0, by = 0;
    size_t k = 0, last = g->count - 1;
    for (unsigned long c = 0; c < g->right; c++) {
        double over = 1 / (double)(g->guesses - c), paid = (lambda + (double)c * u) * over;
        while (k < last && paid > s->sum[k])
            k++;
        while (k > 0 && paid <= s->sum[k - 1])
            k--;
        u = k > 0 ? s->top[k - 1] + (paid - s->sum[k - 1]) / slope[k] : paid / slope[0];
        by = (1 + (double)c * by) * over / slope[k];
    }
    *grows = by;
    return u;
}

#define MATCHES 20

/* Where both are equal, by Newton's method of logarithms; 0 where that is not found. */
static double match(stack *s, double near, double tolerance)
{
    double x = near < 0.5 ? fmax(near, LEAST) : 0.5, low = 0, high = 1;
    for (int i = 0; i < MATCHES; i++) {
        s->steps += (double)s->goal->guesses;
        double rise, fall, below = from_below(&rise, s, x), above = from_above(&fall, s, x);
        if (!(below > 0 && below < HUGE_VAL && above > 0))
            return 0;
        double gap = log(below / above);
        *(gap > 0 ? &high : &low) = x;
        double next = x * exp(-gap / (x * (rise / below - fall / above)));
        if (!(next > low && next < high))
            next = low > 0 ? sqrt(low) * sqrt(high) : x / 16;
        if (fabs(next - x) <= tolerance / 4 * x)
            return next * (1 + tolerance / 2);
        x = next;
    }
    return 0;
}

/* The least lambda, from about where it is expected: by halves where it is not matched. */
static double least_lambda(stack *s, double near, double tolerance)
{
    double high = near < 1 ? fmax(near, LEAST) : 1, low = high;
    double matched = match(s, near, tolerance);
    if (matched > LEAST && matched < 1 && ends(s, matched))
        return matched;
    while (high < 1 && !ends(s, high))
        high = fmin(1, 1.25 * high);
    for (double by = 0.8; low > LEAST; by *= by) {
        low = fmax(low * by, LEAST);
        if (!ends(s, low))
            break;
        high = low;
    }
    while (high - low > tolerance * high) {
        double middle = high > 4 * low ? sqrt(high) * sqrt(low) : (low + high) / 2;
        *(ends(s, middle) ? &high : &low) = middle;
    }
    ends(s, high);
    return high;
}

/* lambda and what the heights leak; the last one is what is left. */
static double cost_of(const stack *s, double lambda, const double *height)
{
    double cost = lambda, left = s->most;
    size_t last = s->goal->count - 1;
    for (size_t k = 0; k < last; k++) {
        cost += s->goal->leak[k] * height[k];
        left -= height[k];
    }
    return cost + s->goal->leak[last] * fmax(left, 0);
}

#define BIG 1e150

/* slope[k] = the derivative of the cost by height k at the least lambda. With p(c) c = E p(c-1)
 * (r-c+1), E the slope of the layer in which U(c) ends, lambda moves by the mean under p of what
 * the payments do; and U(v), the most, by the recursion. */
static void cost_slope(double *slope, const stack *s, double lambda)
{
    const layers_goal *g = s->goal;
    size_t n = g->count - 1, j = 0, top = 0;
    double u = 0, paid = 0, p = 1 / BIG, sum = p, rise[LAYERS_MOST] = {0}, by_lambda = 0;
    for (size_t k = 0; k < n; k++)
        slope[k] = 0;
    for (unsigned long c = g->guesses; c >= 1; c--) {
        double rest = (double)(g->guesses - c), last = u > 0 ? g->slope[j] : 0;
        if (c >= g->right) {
            for (size_t k = 0; k < n; k++)
                rise[k] = rest * (last * rise[k] + (k < j ? g->slope[k] - last : 0)) / (double)c;
            by_lambda = (rest * last * by_lambda - 1) / (double)c;
        }
        u = next_weight(g, c, lambda, paid);
        if (u <= 0)
            break;
        paid = pays(s, &j, u);
        top = c >= g->right ? j : top;
        double weight = p * (double)c / g->slope[j]; /* p(c-1) (r-c+1) */
        p = weight / (rest + 1);
        sum += p;
        for (size_t k = 0; k < j; k++)
            slope[k] += weight * (g->slope[k] - g->slope[j]);
        for (; sum > BIG; sum /= BIG, p /= BIG)
            for (size_t k = 0; k < n; k++)
                slope[k] /= BIG;
    }
    double last = top == n ? g->leak[n] : 0;
    for (size_t k = 0; k < n; k++) {
        slope[k] /= sum;
        slope[k] += g->leak[k] + last * (rise[k] + by_lambda * slope[k] - 1);
    }
}

/* The slope that is best alone: *lambda of it, *most the height. */
static size_t best_alone(double *cost, double *lambda, double *most, const layers_goal *goal)
{
    size_t best = 0;
    *cost = HUGE_VAL;
    *lambda = 1;
    *most = 0;
    for (size_t k = 0; k < goal->count; k++) {
        const layers_goal one = {.guesses = goal->guesses,
                                 .right = goal->right,
                                 .count = 1,
                                 .slope = {goal->slope[k]},
                                 .leak = {goal->leak[k]}};
        stack s = {.goal = &one};
        fill(&s, NULL);
        double at = least_lambda(&s, 1, 1e-7), there = cost_of(&s, at, NULL);
        if (there < *cost) {
            *cost = there;
            *lambda = at;
            *most = s.most;
            best = k;
        }
    }
    return best;
}

/* ---- the least cost, which is convex in the heights: by ellipsoids that shrink around it ---- */

typedef struct ellipsoid {
    size_t n;
    double x[LAYERS_MOST], p[LAYERS_MOST][LAYERS_MOST];
} ellipsoid;

static void ball(ellipsoid *e, size_t n)
{
    e->n = n;
    for (size_t i = 0; i < n; i++) {
        e->x[i] = 1 / (double)(n + 1);
        for (size_t k = 0; k < n; k++)
            e->p[i][k] = i == k ? 1.5 : 0;
    }
}

/* What lies where slope (y - x) <= -depth is kept. False where that is nothing, or next to it. */
static bool cut(ellipsoid *e, const double *slope, double depth, double least)
{
    double to[LAYERS_MOST], far = 0, n = (double)e->n;
    for (size_t i = 0; i < e->n; i++) {
        to[i] = 0;
        for (size_t k = 0; k < e->n; k++)
            to[i] += e->p[i][k] * slope[k];
        far += slope[i] * to[i];
    }
    far = sqrt(far);
    double deep = depth / far;
    if (!(far > least) || !(deep < 1))
        return false;
    double shrink =
               e->n == 1 ? (1 - deep) * (1 - deep) / 4 : n * n / (n * n - 1) * (1 - deep * deep),
           flat = e->n == 1 ? 0 : 2 * (1 + n * deep) / ((n + 1) * (1 + deep));
    for (size_t i = 0; i < e->n; i++) {
        e->x[i] -= (1 + n * deep) / (n + 1) * to[i] / far;
        for (size_t k = 0; k < e->n; k++)
            e->p[i][k] = shrink * (e->p[i][k] - flat * to[i] * to[k] / (far * far));
    }
    return true;
}

#define MOST_CUTS 400
#define MOST_STEPS 6e6 /* of all sums together */
#define CLOSE 3e-4

/* height = about the best ones, in place of those given, of that cost; `most` is their scale. */
static void descend(double *height, double *cost, double *lambda, stack *s, double most)
{
    ellipsoid e;
    ball(&e, s->goal->count - 1);
    for (int i = 0; i < MOST_CUTS && s->steps < MOST_STEPS; i++) {
        double slope[LAYERS_MOST] = {0}, at[LAYERS_MOST], depth = 0, level = *lambda;
        size_t below = 0;
        while (below < e.n && e.x[below] >= 0)
            below++;
        if (below < e.n) { /* no height is negative */
            slope[below] = -1;
            depth = -e.x[below];
        } else {
            for (size_t k = 0; k < e.n; k++)
                at[k] = most * e.x[k];
            fill(s, at);
            level = least_lambda(s, level, 1e-7);
            double there = cost_of(s, level, at);
            cost_slope(slope, s, level);
            for (size_t k = 0; k < e.n; k++)
                slope[k] *= most;
            depth = there - *cost;
            if (there < *cost) {
                *cost = there;
                *lambda = level;
                memcpy(height, at, e.n * sizeof *at);
                depth = 0;
            }
        }
        if (!cut(&e, slope, depth, below < e.n ? 0 : CLOSE * *cost))
            break;
    }
}

/* ---- for certain ---- */

/* u_k(c) of U(c) in all: filled from the first slope on, rounded upward, and what that is paid. */
static void pay(mpfr_t paid, layers *used, const layers *l, mpfr_srcptr all)
{
    mpfr_t left, part;
    mpfr_inits2(BITS, left, part, (mpfr_ptr)0);
    mpfr_set(left, all, MPFR_RNDU);
    mpfr_set_zero(paid, 1);
    for (size_t k = 0; k < l->count && mpfr_sgn(left) > 0; k++) {
        bool whole = k + 1 == l->count || mpfr_lessequal_p(left, l->height[k]);
        mpfr_set(part, whole ? left : l->height[k], MPFR_RNDU);
        mpfr_max(used->height[k], used->height[k], part, MPFR_RNDU);
        mpfr_sub(left, left, part, MPFR_RNDU);
        mpfr_mul(part, part, l->slope[k], MPFR_RNDU);
        mpfr_add(paid, paid, part, MPFR_RNDU);
    }
    mpfr_clears(left, part, (mpfr_ptr)0);
}

/* The inequality of each c holds, as every step rounds U(c) upward; at c = 0, or from where U stays
 * 0, it is lambda >= r sum_k E_k u_k(1). `used` gets the heights. */
static bool proves(layers *used, const layers *l)
{
    mpfr_t u, paid, rest;
    mpfr_inits2(BITS, u, paid, rest, (mpfr_ptr)0);
    for (size_t k = 0; k < l->count; k++)
        mpfr_set_zero(used->height[k], 1);
    mpfr_ui_sub(rest, 1, l->lambda, MPFR_RNDU);
    mpfr_set_zero(u, 1);
    mpfr_set_zero(paid, 1);
    for (unsigned long c = l->guesses; c >= 1; c--) {
        mpfr_mul_ui(u, paid, l->guesses - c, MPFR_RNDU);
        if (c >= l->right)
            mpfr_add(u, u, rest, MPFR_RNDU);
        else
            mpfr_sub(u, u, l->lambda, MPFR_RNDU);
        mpfr_div_ui(u, u, c, MPFR_RNDU);
        if (mpfr_sgn(u) <= 0)
            mpfr_set_zero(u, 1);
        pay(paid, used, l, u);
        if (c < l->right && mpfr_zero_p(u))
            break;
    }
    mpfr_mul_ui(paid, paid, l->guesses, MPFR_RNDU);
    bool good = mpfr_lessequal_p(paid, l->lambda) != 0;
    mpfr_clears(u, paid, rest, (mpfr_ptr)0);
    return good;
}

#define SLACK 36 /* the first lambda is larger than that found by 2^-36 of it, ... */

static void certify(layers *l)
{
    layers used;
    mpfr_t by;
    mpfr_init2(by, BITS);
    layers_init(&used);
    for (unsigned long bits = SLACK; bits > 0; bits--) { /* ... the next ones by twice as much */
        mpfr_div_2ui(by, l->lambda, bits, MPFR_RNDU);
        mpfr_add(l->lambda, l->lambda, by, MPFR_RNDU);
        if (mpfr_cmp_ui(l->lambda, 1) >= 0 || proves(&used, l))
            break;
    }
    if (mpfr_cmp_ui(l->lambda, 1) >= 0 || !proves(&used, l)) { /* certain in any case */
        mpfr_set_ui(l->lambda, 1, MPFR_RNDN);
        for (size_t k = 0; k < l->count; k++)
            mpfr_set_zero(used.height[k], 1);
    }
    for (size_t k = 0; k < l->count; k++)
        mpfr_set(l->height[k], used.height[k], MPFR_RNDU);
    layers_clear(&used);
    mpfr_clear(by);
}

/* To 24 bits, so that another machine is likely to take the same. */
static double brief(double x)
{
    int at;
    double part = frexp(x, &at);
    return ldexp(rint(ldexp(part, 24)), at - 24);
}

void layers_find(layers *l, const layers_goal *goal)
{
    double height[LAYERS_MOST] = {0}, cost, lambda, most;
    l->guesses = goal->guesses;
    l->right = goal->right;
    l->count = goal->count;
    mpfr_set_ui(l->lambda, 1, MPFR_RNDN);
    if (goal->count == 0)
        return;
    stack s = {.goal = goal};
    size_t best = best_alone(&cost, &lambda, &most, goal);
    height[best] = 1.01 * most; /* more than is used: the others have none */
    if (goal->count > 1 && cost < 1)
        descend(height, &cost, &lambda, &s, most);
    for (size_t k = 0; k < goal->count; k++) {
        height[k] = brief(height[k]);
        mpfr_set_d(l->slope[k], goal->slope[k], MPFR_RNDN);
        mpfr_set_d(l->height[k], height[k], MPFR_RNDN);
    }
    fill(&s, height);
    mpfr_set_d(l->lambda, least_lambda(&s, lambda, 1e-13), MPFR_RNDN);
    certify(l);
}
