/* SPDX-License-Identifier: MIT */
/* Heights of layers, by trials in doubles. */
#include "attack/audit_heights.h"

#include <math.h>
#include <string.h>

#include "attack/audit_cuts.h"
#include "attack/audit_scale.h"

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
#define ENOUGH 1.02 /* times the cost that was found for fewer guesses */
#define FARTHEST 8  /* standard deviations above v: no slope beyond fills a layer there */

/* From v down to where the mean of the least slope is, weights are at most in proportion to the
 * last one, and lambda is what is left of them; beyond it they are as its law. */
static unsigned long range_low(const layers_goal *g, double slope, double least)
{
    double n = (double)g->guesses, c = (double)g->right, middle = n * slope / (1 + slope), part = 1;
    for (; c > middle && part > least; c--)
        part *= (n - c + 1) * slope / c;
    if (c > middle)
        return (unsigned long)c;
    for (part = 1; c > 0 && part > PART; c--)
        part *= c / ((n - c + 1) * slope);
    return (unsigned long)c;
}

/* From above a weight moves by what the largest slope pays. */
static unsigned long range_high(const layers_goal *g, double slope)
{
    double n = (double)g->guesses, c = (double)g->right, far = c + FARTHEST * sqrt(c / n * (n - c)),
           part = 1;
    if (far < n)
        slope = fmin(slope, far / (n - far));
    for (; c < n && part > PART; c++)
        part *= (n - c) * slope / c;
    return (unsigned long)c;
}

/* Weights are about right from where those beyond are no part of them, in whichever layer
 * they fall. */
static void stack_init(stack *s, const layers_goal *g, size_t first, size_t last)
{
    double least = 1;
    *s = (stack){.goal = g, .low = g->right, .high = range_high(g, g->slope[last])};
    for (size_t k = first; k <= last; k++)
        least = fmin(least, g->leak[k] / (double)g->right);
    for (size_t k = first; k <= last; k++) {
        unsigned long low = range_low(g, g->slope[k], fmax(PART * least, ALONE_LEAST));
        s->low = low < s->low ? low : s->low;
    }
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

/* Do weights with that lambda end well? From far above down U(c) = (1[c >= v] - lambda + (r-c)
 * sum_k E_k u_k(c+1))/c; below v they fall to 0 and stay there, or rise once and for ever. */
static bool ends(stack *s, double lambda)
{
    const layers_goal *g = s->goal;
    double u = 0, paid = 0;
    size_t k = 0;
    s->most = 0;
    for (unsigned long c = s->high; c >= 1; c--) {
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
#define SURE 1e-13 /* ... and where it is to be proved, which takes a little more; */
#define LARGE 1e-6 /* a step of so many guesses that rounding takes more than its square */

/* Where both are equal, by Newton's method of logarithms; 0 where that is not found. Where lambda
 * is no part of either it falls by its own logarithm. */
static double match(stack *s, double near, double close)
{
    double x = near < 0.5 ? fmax(near, ALONE_LEAST) : 0.5, low = 0, high = 1;
    for (int i = 0; i < MATCHES; i++) {
        s->steps += (double)(s->high - s->low);
        double rise, fall, below = from_below(&rise, s, x), above = from_above(&fall, s, x);
        if (!(below > 0 && below < HUGE_VAL && above > 0))
            return 0;
        double gap = log(below / above);
        *(gap > 0 ? &high : &low) = x;
        double next = x * exp(-gap / (x * (rise / below - fall / above)));
        if (!(next > fmax(low, x * x) && next < high))
            next = low > 0 ? sqrt(low) * sqrt(high) : fmax(x * x, ALONE_LEAST);
        if (fabs(next - x) <= close * x) {
            s->most = above + fall * (next - x);
            return next;
        }
        x = next;
    }
    return 0;
}

/* The least lambda, from about where it is expected: by halves where it is not matched. */
static double least_lambda(stack *s, double near, bool sure)
{
    double high = near < 1 ? fmax(near, ALONE_LEAST) : 1, low = high,
           matched = match(s, near, sure ? SURE / 4 : NEXT);
    if (sure)
        matched *= 1 + SURE / 2;
    if (matched > ALONE_LEAST && matched < 1 && (!sure || ends(s, matched)))
        return matched;
    while (high < 1 && !ends(s, high))
        high = fmin(1, 1.25 * high);
    for (double by = 0.8; low > ALONE_LEAST; by *= by) {
        low = fmax(low * by, ALONE_LEAST);
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

/* ---- the least cost, which is convex in the heights ---- */

#define MOST_STEPS 6e6 /* of all sums together */
#define CLOSE 1e-5

/* height = about the best ones, in place of those given, of that cost; `most` is their scale. */
static void descend(double *height, double *cost, double *lambda, stack *s, double most)
{
    cuts z;
    cuts_init(&z, s->goal->count - 1);
    double level = *lambda;
    while (z.count < CUTS_MOST && s->steps < MOST_STEPS) {
        double slope[LAYERS_MOST] = {0}, at[LAYERS_MOST] = {0};
        cuts_centre(&z);
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
        double far = cuts_add(&z, slope);
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

/* s is of another number of guesses: its range becomes that of goal, a place y from v y `wide`. */
static void stretch(stack *s, const layers_goal *goal, double wide)
{
    double v = (double)s->goal->right, down = wide * (v - (double)s->low) + 1,
           up = wide * ((double)s->high - v) + 1, at = (double)goal->right;
    s->low = at > down ? (unsigned long)(at - down) : 0;
    s->high = at + up < (double)goal->guesses ? (unsigned long)(at + up) : goal->guesses;
    for (size_t k = 0; k < goal->count; k++)
        s->over[k] = 1 / goal->slope[k];
    s->goal = goal;
}

/* About the best heights, from those of the best slope alone, of that cost; lambda is about theirs.
 */
static double seek(double *height, stack *s, alone *a)
{
    for (size_t k = 0; k < s->goal->count; k++)
        height[k] = k == a->slope ? 1.01 * a->height : 0; /* more than is used: others have none */
    if (s->goal->count > 1 && a->cost < 1)
        descend(height, &a->cost, &a->lambda, s, a->height);
    return a->lambda;
}

static void use_heights(stack *s, double *height)
{
    for (size_t k = 0; k + 1 < s->goal->count; k++)
        height[k] = brief(height[k]);
    fill(s, height);
}

/* What is found for fewer is about right, but where weights fill a layer that costs nearly all of
 * it a little less is far too little. */
static const double more[] = {1, 1.01, 1.03, 1.06};

/* Heights that were found for fewer, of that cost, for the goal. False if they cost `most` or more.
 */
static bool carry(double *lambda, double *height, stack *s, double found, double most)
{
    double first[LAYERS_MOST], near = *lambda;
    memcpy(first, height, sizeof first);
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        for (size_t k = 0; k < s->goal->count; k++)
            height[k] = more[i] * first[k];
        use_heights(s, height);
        *lambda = match(s, near, s->goal->rough ? NEXT : LARGE);
        if (*lambda > 0 && cost_of(s, *lambda, height) < fmin(most, ENOUGH * found))
            return true;
    }
    return *lambda > 0 && cost_of(s, *lambda, height) < most;
}

/* For many guesses, by what is found for fewer, if that is better than one slope alone. What is not
 * matched is left to a certificate of a larger lambda. */
static double seek_large(double *height, stack *s, const layers_goal *goal)
{
    layers_goal small;
    alone whole, part;
    double wide, over[LAYERS_MOST], lambda;
    alone_best(&whole, goal);
    if (!(whole.cost < 1)) /* certain in any case */
        return 1;
    if (goal->count > 1 && scale_down(&small, &wide, over, goal)) {
        alone_best(&part, &small);
        stack_init(s, &small, 0, small.count - 1);
        lambda = seek(height, s, &part);
        for (size_t k = 0; k < goal->count; k++)
            height[k] *= over[k];
        stretch(s, goal, wide);
        if (carry(&lambda, height, s, part.cost, whole.cost))
            return lambda;
    }
    stack_init(s, goal, whole.slope, whole.slope);
    for (size_t k = 0; k < goal->count; k++)
        height[k] = k == whole.slope ? 1.01 * whole.height : 0;
    use_heights(s, height);
    double near = fmax(whole.lambda, PART * whole.cost);
    lambda = match(s, near, LARGE);
    return lambda > 0 ? lambda : near;
}

static double seek_direct(double *height, stack *s, const layers_goal *goal)
{
    alone a;
    alone_best(&a, goal);
    stack_init(s, goal, 0, goal->count - 1);
    double near = seek(height, s, &a);
    use_heights(s, height);
    return least_lambda(s, near, true);
}

double heights_find(double *height, const layers_goal *goal, unsigned long *high)
{
    stack s = {.high = goal->guesses};
    size_t last = goal->count - 1;
    double lambda = (scale_is_large(goal) ? seek_large : seek_direct)(height, &s, goal);
    height[last] = s.most;
    for (size_t k = 0; k < last; k++)
        height[last] = fmax(height[last] - height[k], 0);
    *high = s.high;
    return lambda;
}
