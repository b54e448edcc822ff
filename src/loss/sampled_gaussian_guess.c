/* SPDX-License-Identifier: MIT */
/* Moments of the sampled Gaussian in doubles, for searches, and the plans of its sums. Nothing here
 * is relied on: whatever a plan leaves out is bounded afterwards. */
#include <math.h>

#include "loss/sampled_gaussian_parts.h"
#include "num/memory.h"

#define LN_ROOT 0.9189385332046727 /* ln sqrt(2 pi) */
#define ALONE 30.0                 /* e^-this beside 1 is nothing to a guess */
#define FEW_NODES 20000.0          /* of a guess */
#define MOST_NODE 1e15             /* whose number has a next one in doubles */
#define MOST_NODES 400000.0        /* of a plan */
#define STEP_BITS 20

static double log_odds(const sgm_item *g, double y)
{
    return g->log_rate - g->log_rest + (y - 0.5 / g->s) / g->s;
}

/* ln r(y) */
static double log_ratio(const sgm_item *g, double y)
{
    double mean, variance;
    if (g->group > 1)
        return sgm_group_log(g, y, &mean, &variance);
    double u = (y - 0.5 / g->s) / g->s, odds = g->log_rate - g->log_rest + u;
    if (fabs(u) < 1)
        return log1p(g->q * expm1(u));
    return odds < 0 ? g->log_rest + log1p(exp(odds)) : g->log_rate + u + log1p(exp(-odds));
}

/* q e^u / r, of which d ln r / dy is 1/s; for groups the mean number of records */
static double share(const sgm_item *g, double y)
{
    double mean, variance;
    if (g->group > 1) {
        sgm_group_log(g, y, &mean, &variance);
        return mean;
    }
    return 1 / (1 + exp(-log_odds(g, y)));
}

/* ln(phi r^p sqrt(2 pi)) and its derivative */
static double log_weight(const sgm_item *g, double p, double y)
{
    return p * log_ratio(g, y) - y * y / 2;
}

static double slope(const sgm_item *g, double p, double y)
{
    return p / g->s * share(g, y) - y;
}

/* where q e^u = 1 - q, above which lie the zeros of r */
static double kink(const sgm_item *g)
{
    return g->s * (g->log_rest - g->log_rate) + 0.5 / g->s;
}

/* ---- moments -------------------------------------------------------------------------------- */
/* Sums of weights e^(f - top), and of them times l - l0 and its square. */
typedef struct sums {
    double top, l0, s[3];
} sums;

sgm_tables *sgm_tables_new(void)
{
    sgm_tables *made = memory_new(1, sizeof *made);
    for (size_t i = 0; made != NULL && i < SGM_GRID; i++)
        made->y[i] = HUGE_VAL;
    for (size_t i = 0; made != NULL && i < SGM_ANGLES; i++)
        made->path[i].count = 0;
    return made;
}

/* ln r(y), y the number j of a grid */
static double grid_ratio(const sgm_item *g, double j, double y)
{
    sgm_tables *kept = g->memo->tables;
    if (kept == NULL || !(fabs(j) < 1e15))
        return log_ratio(g, y);
    size_t at = (size_t)(int64_t)j % SGM_GRID;
    if (kept->y[at] != y) {
        kept->y[at] = y;
        kept->l[at] = log_ratio(g, y);
    }
    return kept->l[at];
}

static void add_window(sums *a, const sgm_item *g, double p, double from, double to, double h)
{
    double last = ceil(to / h);
    for (double j = floor(from / h); j <= last; j++) {
        double y = j * h, l = grid_ratio(g, j, y), d = l - a->l0;
        double e = exp(fmin(p * l - y * y / 2 - a->top, 600)) * h;
        a->s[0] += e;
        a->s[1] += e * d;
        a->s[2] += e * d * d;
    }
}

#define MODE_STEPS 40
#define MODE_NEAR 1e-4 /* of the last step of Newton's, which leaves its square */

/* The mode nearest 0, or to kp/s where `upper` is set. For p < 0 there is one. The slope is convex
 * below the kink and concave above, so that Newton's steps from the ends do not pass a mode. */
static double mode(const sgm_item *g, double p, bool upper)
{
    double end = (double)g->group * p / g->s, y = upper ? end : 0, step = HUGE_VAL;
    if (p >= 0) {
        for (int i = 0; i < MODE_STEPS && fabs(step) > MODE_NEAR * (1 + y); i++) {
            double a = share(g, y), bend = p / (g->s * g->s) * a * (1 - a);
            step = p / g->s * a - y;
            if (bend < 0.95)
                step /= 1 - bend;
            y = fmin(fmax(y + step, 0), end);
        }
        return y;
    }
    double low = end, high = 0;
    for (int i = 0; i < 80 && high - low > 0.1; i++) {
        double middle = (low + high) / 2;
        *(slope(g, p, middle) > 0 ? &low : &high) = middle;
    }
    return (low + high) / 2;
}

/* -d^2 ln(phi r^p) / dy^2 */
static double curvature(const sgm_item *g, double p, double y)
{
    double a = share(g, y);
    return 1 - p / (g->s * g->s) * a * (1 - a);
}

/* A step fine enough about the modes at a and b, b >= a. */
static double guess_step(const sgm_item *g, double p, double a, double b, double top)
{
    if (log_weight(g, p, fmin(fmax(kink(g), a), b)) < top - ALONE &&
        log_weight(g, p, kink(g)) < top - ALONE)
        return 0.5; /* Gaussian where it matters */
    double wide = sqrt(ALONE / (0.5 + (p < 0 ? -p / (8 * g->s * g->s) : 0)));
    double edge = fmin(3 * g->s, wide), h = 2 * M_PI * edge / (ALONE + edge * edge / 2);
    if (p >= 0)
        return fmin(h, 0.5);
    int exponent; /* powers of 2, so that orders share a grid */
    frexp(fmin(fmax(h, fmin(0.35 * g->s, 0.4 / sqrt(curvature(g, p, a)))), 0.5), &exponent);
    return ldexp(0.5, exponent);
}

static double reach_of(const sgm_item *g, double p, double y)
{
    return 7.7 / sqrt(fmin(1, fmax(0.05, curvature(g, p, y))));
}

/* ln G and the mean and variance of ln r where only q e^u of r counts */
static void guess_upper(double k[3], const sgm_item *g, double p)
{
    double square = g->s * g->s;
    k[0] = p * g->log_rate + p * (p - 1) / 2 / square;
    k[1] = g->log_rate + (2 * p - 1) / (2 * square);
    k[2] = 1 / square;
}

static void guess_windows(double k[3], const sgm_item *g, double p, double a, double b, double h)
{
    sums of = {.top = log_weight(g, p, a), .l0 = log_ratio(g, a)};
    if (log_weight(g, p, b) > of.top) {
        of.top = log_weight(g, p, b);
        of.l0 = log_ratio(g, b);
    }
    double from = a - reach_of(g, p, a), to = a + reach_of(g, p, a);
    double next = b - reach_of(g, p, b), end = b + reach_of(g, p, b);
    if (next <= to + h || b - a < 40)
        to = end;
    if (to - from > FEW_NODES * h || !(fmax(fabs(from), fabs(end)) < MOST_NODE * h)) {
        k[0] = k[1] = k[2] = HUGE_VAL;
        return;
    }
    add_window(&of, g, p, from, to, h);
    if (to < end)
        add_window(&of, g, p, next, end, h);
    double mean = of.s[1] / of.s[0];
    k[0] = of.top + log(of.s[0]) - LN_ROOT;
    k[1] = of.l0 + mean;
    k[2] = fmax(0, of.s[2] / of.s[0] - mean * mean);
}

/* k = that of the mixture of two with masses e^k[0] and e^other[0] */
static void mix(double k[3], const double other[3])
{
    double most = fmax(k[0], other[0]), a = exp(k[0] - most), b = exp(other[0] - most);
    double part = b / (a + b), apart = other[1] - k[1];
    k[0] = most + log(a + b);
    k[2] = (1 - part) * k[2] + part * other[2] + part * (1 - part) * apart * apart;
    k[1] += part * apart;
}

static void guess_one(double k[3], const sgm_item *g, double p)
{
    double a = mode(g, p, false), b = p > 0 ? mode(g, p, true) : a, other[3];
    double clear = kink(g) + 40 * g->s;
    bool apart = p > 0 && b - 12 > clear && p / g->s - b < 1e-6 * b;
    guess_upper(other, g, p);
    if (apart && a > clear) { /* no mode below */
        for (int i = 0; i < 3; i++)
            k[i] = other[i];
        return;
    }
    if (apart)
        b = a;
    double top = fmax(log_weight(g, p, a), log_weight(g, p, b));
    guess_windows(k, g, p, a, b, guess_step(g, p, a, b, top));
    if (apart && k[0] < HUGE_VAL)
        mix(k, other);
}

void sgm_guess(double k[3], const sgm_item *g, double p)
{
    sgm_memo *m = g->memo;
    if (!m->guessed || m->p != p) {
        (g->group > 1 ? sgm_group_guess : guess_one)(m->guess, g, p);
        m->p = p;
        m->guessed = true;
    }
    for (int i = 0; i < 3; i++)
        k[i] = m->guess[i];
}

/* ---- plans ---------------------------------------------------------------------------------- */
/* x rounded down to so many bits */
static double cut_bits(double x)
{
    int exponent;
    double m = frexp(x, &exponent);
    return ldexp(floor(ldexp(m, STEP_BITS)), exponent - STEP_BITS);
}

static double log_edge(const sgm_item *g, double p, double a)
{
    return a * a / 2 + (p < 0 ? p * log(cos(a * (double)g->group / (2 * g->s))) : 0);
}

static double soft(double x)
{
    return x > 30 ? x : log1p(exp(x));
}

#define TRIALS 40
#define TRIAL_STEP 0.12

/* h and the strip, of the line that allows the larger h: the real one, missed by
 * (1 + e^(ta/s)) e^(a^2/2) C_a / (e^(2 pi a/h) - 1), or the shifted one (sampled_gaussian_nodes.c).
 */
#define REAL_NODE 60.0
#define SHIFTED_NODE 140.0

static void choose_step(sgm_plan *plan, const sgm_item *g, double height, double depth,
                        double heights)
{
    double s = g->s / (double)g->group; /* the angle of a group is k times as large */
    double p = plan->power, most = fmin(M_PI * s * 0.995, 3 * sqrt(depth));
    /* what a node costs on either line, in steps of a recurrence */
    double worth = (REAL_NODE + heights) / (SHIFTED_NODE + heights);
    plan->h = 0;
    for (int i = 0; i < TRIALS; i++) {
        double a = most * exp(-TRIAL_STEP * i);
        double h = 2 * M_PI * a / (depth + soft(height * a / s) + log_edge(g, p, a));
        if (h > plan->h) {
            plan->h = h;
            plan->edge = a;
            plan->shift = 0;
        }
    }
    most = fmin(M_PI * s * 0.4975, 2 * sqrt(depth));
    for (int i = 0; heights > 1 && i < TRIALS; i++) {
        double a = most * exp(-TRIAL_STEP * i);
        double h = 2 * M_PI * a / (depth + soft(log_edge(g, p, 2 * a)));
        if (h * worth > (plan->shift > 0 ? worth : 1) * plan->h) {
            plan->h = h;
            plan->edge = plan->shift = a;
        }
    }
    plan->edge = cut_bits(plan->edge);
    plan->shift = plan->shift > 0 ? plan->edge : 0;
    plan->h = cut_bits(plan->h);
}

/* The node on the far side of `from` where f has fallen to `goal`, by steps of `by`. */
static double walk(const sgm_item *g, double p, double from, double by, double goal)
{
    double y = from;
    for (int i = 0; i < 4000 && log_weight(g, p, y) > goal; i++)
        y += by;
    return y;
}

/* Between two modes: from where f has fallen to where it rises again. */
static void choose_gap(sgm_plan *plan, const sgm_item *g, double goal)
{
    double end = plan->power / g->s, low = 1, high = end - 1;
    double p = plan->power, least = goal - log(end);
    while (low < end && (log_weight(g, p, low) > least || slope(g, p, low) > 0))
        low += 0.5;
    while (high > low && (log_weight(g, p, high) > least || slope(g, p, high) < 0))
        high -= 0.5;
    if (high - low < 4 || !(low / plan->h < 1e15))
        return;
    plan->gap_from = (int64_t)ceil(low / plan->h);
    plan->gap_to = (int64_t)floor(high / plan->h);
}

#define LEAST_GAP 24.0
#define FARTHEST 1e6 /* of p/s */

bool sgm_plan_range(sgm_plan *plan, const sgm_item *g, double depth)
{
    double p = plan->power, k[3], edge = plan->shift > 0 ? log_edge(g, p, plan->shift) : 0;
    sgm_guess(k, g, p);
    double goal = k[0] - depth - edge, end = (double)g->group * p / g->s;
    plan->log = k[0];
    if (!(plan->h > 0) || !isfinite(goal) || !(fabs(end) < FARTHEST))
        return false;
    double upper =
        g->group > 1 ? sgm_group_upper(g, p) : g->log_rate + p * (p - 1) / (2 * g->s * g->s);
    plan->far = p >= 1 && end > 12 && upper < goal - 1;
    double left = walk(g, p, p < 0 ? mode(g, p, false) - 1 : 0, -0.25, goal), right;
    if (plan->far)
        right = sqrt(2 * fmax(1, -goal));
    else
        right = walk(g, p, fmax(0, end), 0.25, goal);
    plan->gap_from = plan->gap_to = 0;
    if (p > 0 && !plan->far && end > LEAST_GAP && g->group == 1)
        choose_gap(plan, g, goal);
    double first = floor(left / plan->h), last = ceil(right / plan->h);
    if (!(last < 1e15 && first > -1e15))
        return false;
    plan->first = (int64_t)first;
    plan->last = (int64_t)last;
    double count = last - first + 1;
    if (plan->gap_to > plan->gap_from)
        count -= (double)(plan->gap_to - plan->gap_from - 1);
    plan->count = count <= MOST_NODES ? (size_t)count : 0;
    return count <= MOST_NODES;
}

bool sgm_plan_make(sgm_plan *plan, const sgm_item *g, double p, double height, double depth,
                   double heights)
{
    *plan = (sgm_plan){.power = p};
    choose_step(plan, g, height, depth, heights);
    return sgm_plan_range(plan, g, depth);
}

/* ---- decay ---------------------------------------------------------------------------------- */
double sgm_angle(const sgm_item *g, int i)
{
    double most = fmin(M_PI * g->s / (double)g->group * 0.8, 8);
    return cut_bits(most * (i + 1) / SGM_ANGLES);
}

/* The decay of one use is wanted to a small part of 1/count, but not deeper than matters. */
double sgm_decay_depth(const sgm_item *g)
{
    return fmin(80, log(fmax(g->count, 1)) + 6 + 60 / fmax(g->count, 1));
}

double sgm_decay_step(double *b, const sgm_item *g, double p, double a)
{
    double s = g->s / (double)g->group;
    double most = 0.98 * fmin(a, M_PI * s - a), best = 0, depth = sgm_decay_depth(g) + M_LN2;
    for (int i = 0; i < 12; i++) {
        double trial = most * exp(-TRIAL_STEP * i), edge = (a * a + trial * trial) / 2;
        if (p < 0)
            edge += p / 2 * log(cos((a + trial) / (2 * s)) * cos((a - trial) / (2 * s)));
        double h = 2 * M_PI * trial / (depth + edge);
        if (h > best) {
            best = h;
            *b = cut_bits(trial);
        }
    }
    return cut_bits(best);
}

/* About ln|r| and arg r on the line of that angle. */
static double turn(double *angle, const sgm_item *g, double y, double cosine, double sine,
                   double theta)
{
    if (g->group > 1)
        return sgm_group_turn(angle, g, y, theta);
    double odds = log_odds(g, y), e = exp(-fabs(odds)), size = log1p(e * (2 * cosine + e)) / 2;
    *angle = atan2(e * sine, 1 + e * cosine);
    if (odds < 0)
        return size + g->log_rest;
    *angle = theta - *angle;
    return size + g->log_rate + (y - 0.5 / g->s) / g->s;
}

static double path_sum(const sgm_path *path, double t)
{
    double sum = 0;
    for (size_t i = 0; i < path->count; i++)
        sum += path->weight[i] * exp(-t * path->angle[i]);
    return sum;
}

/* That of the nodes of the plan, made; a longer one by parts, of which none is kept. */
static double walk_path(sgm_path *path, const sgm_item *g, const sgm_plan *plan, double t)
{
    double p = plan->power, theta = plan->shift / g->s, cosine = cos(theta), sine = sin(theta);
    double sum = 0;
    path->count = 0;
    path->power = p;
    path->h = plan->h;
    for (int64_t j = plan->first; j <= plan->last; j++) {
        j = sgm_next_node(plan, j);
        if (path->count == SGM_PATH) {
            sum += path_sum(path, t);
            path->count = 0;
        }
        double y = (double)j * plan->h;
        double l = turn(&path->angle[path->count], g, y, cosine, sine, theta);
        path->weight[path->count++] = exp(p * l - y * y / 2 - plan->log);
    }
    sum += path_sum(path, t);
    if (plan->count > SGM_PATH)
        path->count = 0;
    return sum;
}

/* About ln(H_a(t) / G(p)) */
static double near_bound(const sgm_item *g, double p, double t, int i)
{
    double a = sgm_angle(g, i), b, sum;
    sgm_path own, *path = g->memo->tables != NULL ? &g->memo->tables->path[i] : &own;
    own.count = 0;
    if (path->count > 0 && path->power == p) {
        sum = path_sum(path, t);
    } else {
        sgm_plan plan = {.power = p, .shift = a, .h = sgm_decay_step(&b, g, p, a)};
        if (!sgm_plan_range(&plan, g, sgm_decay_depth(g)) || (double)plan.count > FEW_NODES)
            return 0;
        sum = walk_path(path, g, &plan, t);
    }
    return a * a / 2 + log(sum * path->h) - LN_ROOT;
}

double sgm_near_decay(int *best, const sgm_item *g, double p, double t)
{
    sgm_memo *m = g->memo;
    int at = m->angle > 0 && m->angle < SGM_ANGLES ? m->angle : SGM_ANGLES / 2;
    double found = near_bound(g, p, t, at);
    for (int step = m->angle > 0 ? 1 : 4; step > 0;) {
        int from = at;
        for (int side = -1; side <= 1; side += 2) {
            int trial = from + side * step;
            double value = trial >= 0 && trial < SGM_ANGLES ? near_bound(g, p, t, trial) : HUGE_VAL;
            if (value < found) {
                found = value;
                at = trial;
                break;
            }
        }
        step = at == from ? step / 2 : step;
    }
    *best = m->angle = at;
    return -found;
}
