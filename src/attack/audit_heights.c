/* SPDX-License-Identifier: MIT */
/* Heights of layers, by trials in doubles. */
#include "attack/audit_heights.h"

#include <math.h>
#include <string.h>

/* Where weights go over from one layer into the next. */
typedef struct edges {
    double at[LAYERS_MOST]; /* layer k ends at c */
    size_t layer;           /* of the last one */
} edges;

/* Layers as they are filled: up to where each goes, and the sum of slopes times weights there. */
typedef struct stack {
    const layers_goal *goal;
    double top[LAYERS_MOST], sum[LAYERS_MOST], over[LAYERS_MOST]; /* over: 1/slope */
    unsigned long low, high; /* between which a weight at v is made */
    edges below, above;      /* of v, of the last lambda that was tried */
    double most;             /* of all weights together */
    double steps;
} stack;

#define PART 1e-20

/* Weights are about right from where those beyond are no part of them: from below each is at most
 * in proportion to the last one, as laws of the least slope are; from above it moves by what the
 * largest slope pays. */
static void stack_init(stack *s, const layers_goal *g)
{
    *s = (stack){.goal = g, .low = 0, .high = g->guesses};
    double n = (double)g->guesses, part = 1;
    unsigned long middle = (unsigned long)(n * g->slope[0] / (1 + g->slope[0]));
    for (s->low = middle < g->right ? middle : g->right; s->low > 0 && part > PART; s->low--)
        part *= (double)s->low / ((n - (double)s->low + 1) * g->slope[0]);
    part = 1;
    for (s->high = g->right; s->high < g->guesses && part > PART; s->high++)
        part *= (n - (double)s->high) * g->slope[g->count - 1] / (double)s->high;
    for (size_t k = 0; k < g->count; k++)
        s->over[k] = 1 / g->slope[k];
}

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
    double over = 1 / (double)c; /* which waits for nothing */
    return ((c >= g->right) - lambda + (double)(g->guesses - c) * paid) * over;
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

/* U(v) from above, and its derivative by lambda. Weights grow up to v, and so do layers. Of each
 * step only a product and a sum wait for the last one. */
static double from_above(double *grows, stack *s, double lambda)
{
    const layers_goal *g = s->goal;
    double u = 0, by = 0, all = (double)g->guesses, slope = g->slope[0], less = 0;
    size_t k = 0, last = g->count - 1;
    s->above = (edges){.layer = 0};
    for (double c = (double)s->high, end = (double)g->right; c >= end; c--) {
        double over = 1 / c, rest = (all - c) * over;
        by = rest * slope * by - over;
        u = rest * slope * u + ((1 - lambda) * over + rest * less);
        while (k < last && u > s->top[k]) {
            s->above.at[k++] = c;
            slope = g->slope[k];
            less = s->sum[k - 1] - slope * s->top[k - 1];
        }
    }
    s->above.layer = k;
    *grows = by;
    return u;
}

/* The largest U(v) from which the weights end well, which is that of r sum_k E_k u_k(1) = lambda:
 * upward from there nothing grows that was rounded. And its derivative. */
static double from_below(double *grows, stack *s, double lambda)
{
    const layers_goal *g = s->goal;
    double u = 0, by = 0, all = (double)g->guesses, flat = s->over[0], more = 0;
    size_t k = 0, last = g->count - 1;
    s->below = (edges){.layer = 0};
    for (double c = (double)s->low, end = (double)g->right; c < end; c++) {
        double over = 1 / (all - c), part = c * over,
               next = part * flat * u + (lambda * over * flat + more);
        while (k < last && next > s->top[k]) {
            s->below.at[k++] = c + 1;
            flat = s->over[k];
            more = s->top[k - 1] - s->sum[k - 1] * flat;
            next = part * flat * u + (lambda * over * flat + more);
        }
        u = next;
        by = (part * by + over) * flat;
    }
    s->below.layer = k;
    *grows = by;
    return u;
}

#define MATCHES 24
#define NEXT 1e-4  /* a step of Newton's method that is so short leaves about its square */
#define ROUGH 1e-7 /* of lambda by halves; ... */
#define SURE 1e-13 /* ... and where it is to be proved, which takes a little more */

/* Where both are equal, by Newton's method of logarithms; 0 where that is not found. Where lambda
 * is no part of either it falls by its own logarithm. */
static double match(stack *s, double near, bool sure)
{
    double x = near < 0.5 ? fmax(near, LEAST) : 0.5, low = 0, high = 1;
    for (int i = 0; i < MATCHES; i++) {
        s->steps += (double)(s->high - s->low);
        double rise, fall, below = from_below(&rise, s, x), above = from_above(&fall, s, x);
        if (!(below > 0 && below < HUGE_VAL && above > 0))
            return 0;
        double gap = log(below / above);
        *(gap > 0 ? &high : &low) = x;
        double next = x * exp(-gap / (x * (rise / below - fall / above)));
        if (!(next > fmax(low, x * x) && next < high))
            next = low > 0 ? sqrt(low) * sqrt(high) : fmax(x * x, LEAST);
        if (fabs(next - x) <= (sure ? SURE / 4 : NEXT) * x) {
            s->most = above + fall * (next - x);
            return sure ? next * (1 + SURE / 2) : next;
        }
        x = next;
    }
    return 0;
}

/* The least lambda, from about where it is expected: by halves where it is not matched. */
static double least_lambda(stack *s, double near, bool sure)
{
    double high = near < 1 ? fmax(near, LEAST) : 1, low = high, matched = match(s, near, sure);
    if (matched > LEAST && matched < 1 && (!sure || ends(s, matched)))
        return matched;
    while (high < 1 && !ends(s, high))
        high = fmin(1, 1.25 * high);
    for (double by = 0.8; low > LEAST; by *= by) {
        low = fmax(low * by, LEAST);
        if (!ends(s, low))
            break;
        high = low;
    }
    while (high - low > (sure ? SURE : ROUGH) * high) {
        double middle = high > 4 * low ? sqrt(high) * sqrt(low) : (low + high) / 2;
        *(ends(s, middle) ? &high : &low) = middle;
    }
    ends(s, high);
    from_above(&low, s, high);
    from_below(&low, s, high);
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

#define START 1e-150
#define SMALL 1e-16 /* of a sum: what is less changes nothing */

/* p(c) from v on in one direction, p(v) = START, with p(c) c = E p(c-1) (r-c+1), E the slope of the
 * layer of U(c): their sum, and by layers that of p(c) c/E. */
static double spread(double *weight, const stack *s, bool up)
{
    const layers_goal *g = s->goal;
    const edges *e = up ? &s->above : &s->below;
    double all = (double)g->guesses, c = (double)g->right, p = START, sum = 0, by = 1;
    size_t k = s->above.layer < e->layer ? s->above.layer : e->layer;
    for (double end = (double)(up ? s->high : s->low); up ? c < end : c > end;) {
        if (up) {
            c++;
            while (k > 0 && c > e->at[k - 1])
                k--;
            p *= by = (all - c + 1) * g->slope[k] / c;
            weight[k] += p * c * s->over[k];
        } else {
            while (k > 0 && c < e->at[k - 1])
                k--;
            weight[k] += p * c * s->over[k];
            p *= by = c * s->over[k] / (all - c + 1);
            c--;
        }
        sum += p;
        if (by < 1 && k == 0 && p < SMALL * sum) /* it falls ever faster */
            break;
    }
    return sum;
}

/* slope[k] = the derivative of the cost by height k at the lambda that was matched: it moves by the
 * mean under p of what the payments do, and U(v), the most, by that over c >= v. */
static void cost_slope(double *slope, const stack *s)
{
    const layers_goal *g = s->goal;
    double above[LAYERS_MOST] = {0}, below[LAYERS_MOST] = {0}, rise = 0, sink = 0, more_rise = 0,
           more_sink = 0;
    size_t n = g->count - 1, top = s->above.layer;
    double upper = START + spread(above, s, true), mass = upper + spread(below, s, false);
    double last = top == n ? g->leak[n] : 0;
    for (size_t k = n; k-- > 0;) {
        rise += above[k + 1];
        more_rise += above[k + 1] * g->slope[k + 1];
        sink += below[k + 1];
        more_sink += below[k + 1] * g->slope[k + 1];
        double by = g->slope[k] * rise - more_rise;
        slope[k] = (by + g->slope[k] * sink - more_sink) / mass;
        slope[k] += g->leak[k] + last * ((by - upper * slope[k]) / ((double)g->right * START) - 1);
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
        stack s;
        stack_init(&s, &one);
        fill(&s, NULL);
        double at = least_lambda(&s, 1, false), there = cost_of(&s, at, NULL);
        if (there < *cost) {
            *cost = there;
            *lambda = at;
            *most = s.most;
            best = k;
        }
    }
    return best;
}

/* ---- the least cost, which is convex in the heights: by the analytic centre of where it is ----
 */

#define CUTS 240
#define MOST_STEPS 6e6 /* of all sums together */
#define CLOSE 1e-5
#define NEWTON_STEPS 20
#define CENTRED 0.1

/* a y <= b, and H of the logarithmic barrier at x, as L L^T. */
typedef struct region {
    size_t n, count;
    double a[CUTS][LAYERS_MOST], b[CUTS], x[LAYERS_MOST], l[LAYERS_MOST][LAYERS_MOST];
} region;

/* No height is negative, and all together are no more than twice what one needs alone. */
static void region_init(region *z, size_t n)
{
    z->n = n;
    z->count = n + 1;
    for (size_t i = 0; i <= n; i++)
        for (size_t k = 0; k < n; k++)
            z->a[i][k] = i == n ? 1 : i == k ? -1 : 0;
    for (size_t i = 0; i <= n; i++)
        z->b[i] = i == n ? 2 : 0;
    for (size_t k = 0; k < n; k++)
        z->x[k] = 1 / (double)(n + 1);
}

/* y = H^-1 g */
static void solve(double *y, const region *z, const double *g)
{
    for (size_t i = 0; i < z->n; i++) {
        double sum = g[i];
        for (size_t k = 0; k < i; k++)
            sum -= z->l[i][k] * y[k];
        y[i] = sum / z->l[i][i];
    }
    for (size_t i = z->n; i-- > 0;) {
        for (size_t k = i + 1; k < z->n; k++)
            y[i] -= z->l[k][i] * y[k];
        y[i] /= z->l[i][i];
    }
}

static double product(const region *z, const double *x, const double *y)
{
    double sum = 0;
    for (size_t k = 0; k < z->n; k++)
        sum += x[k] * y[k];
    return sum;
}

/* The gradient of the barrier at x, and H. */
static void barrier(double *g, region *z)
{
    double h[LAYERS_MOST][LAYERS_MOST] = {{0}};
    for (size_t k = 0; k < z->n; k++)
        g[k] = 0;
    for (size_t i = 0; i < z->count; i++) {
        double over = 1 / (z->b[i] - product(z, z->a[i], z->x));
        for (size_t k = 0; k < z->n; k++) {
            double part = z->a[i][k] * over;
            g[k] += part;
            for (size_t j = 0; j <= k; j++)
                h[k][j] += part * z->a[i][j] * over;
        }
    }
    for (size_t i = 0; i < z->n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = h[i][j];
            for (size_t k = 0; k < j; k++)
                sum -= z->l[i][k] * z->l[j][k];
            z->l[i][j] = i == j ? sqrt(sum) : sum / z->l[j][j];
        }
}

/* x = about the centre: damped steps of Newton's method, which stay inside. */
static void centre(region *z)
{
    double g[LAYERS_MOST], d[LAYERS_MOST];
    for (int i = 0; i < NEWTON_STEPS; i++) {
        barrier(g, z);
        solve(d, z, g);
        double far = sqrt(product(z, g, d)), step = far > 0.25 ? 1 / (1 + far) : 1;
        if (!(far > CENTRED))
            break;
        for (size_t k = 0; k < z->n; k++)
            z->x[k] -= step * d[k];
    }
}

/* What lies where slope (y - x) <= 0 is kept, and x moves into it. How much slope x changes by
 * within what the barrier tells of. */
static double cut(region *z, const double *slope)
{
    double d[LAYERS_MOST], norm = sqrt(product(z, slope, slope));
    solve(d, z, slope);
    double far = sqrt(product(z, slope, d));
    for (size_t k = 0; k < z->n; k++)
        z->a[z->count][k] = slope[k] / norm;
    z->b[z->count] = product(z, z->a[z->count], z->x);
    z->count++;
    for (size_t k = 0; k < z->n; k++)
        z->x[k] -= 0.7 * d[k] / far;
    return far;
}

/* height = about the best ones, in place of those given, of that cost; `most` is their scale. */
static void descend(double *height, double *cost, double *lambda, stack *s, double most)
{
    region z;
    region_init(&z, s->goal->count - 1);
    double level = *lambda;
    while (z.count < CUTS && s->steps < MOST_STEPS) {
        double slope[LAYERS_MOST] = {0}, at[LAYERS_MOST] = {0};
        centre(&z);
        for (size_t k = 0; k < z.n; k++)
            at[k] = most * z.x[k];
        fill(s, at);
        level = least_lambda(s, level, false);
        double there = cost_of(s, level, at);
        cost_slope(slope, s);
        for (size_t k = 0; k < z.n; k++)
            slope[k] *= most;
        if (there < *cost) {
            *cost = there;
            *lambda = level;
            memcpy(height, at, z.n * sizeof *at);
        }
        double far = cut(&z, slope);
        if (!(far > CLOSE * *cost) || !isfinite(far))
            break;
    }
}

/* To 24 bits, so that another machine is likely to take the same. */
static double brief(double x)
{
    int at = 0;
    double part = frexp(x, &at);
    return ldexp(rint(ldexp(part, 24)), at - 24);
}

double heights_find(double *height, const layers_goal *goal, unsigned long *high)
{
    double cost, lambda, most;
    size_t last = goal->count - 1;
    stack s;
    stack_init(&s, goal);
    size_t best = best_alone(&cost, &lambda, &most, goal);
    for (size_t k = 0; k < last; k++)
        height[k] = k == best ? 1.01 * most : 0; /* more than is used: the others have none */
    if (goal->count > 1 && cost < 1)
        descend(height, &cost, &lambda, &s, most);
    for (size_t k = 0; k < last; k++)
        height[k] = brief(height[k]);
    fill(&s, height);
    lambda = least_lambda(&s, lambda, true);
    height[last] = s.most;
    for (size_t k = 0; k < last; k++)
        height[last] = fmax(height[last] - height[k], 0);
    *high = s.high;
    return lambda;
}
