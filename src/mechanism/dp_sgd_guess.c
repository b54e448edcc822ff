/* SPDX-License-Identifier: MIT */
/* In doubles: the order, the noise and the steps at which DP-SGD seems to keep a budget by its
 * Renyi curve, for searches and proofs to begin with. g(t) = T ln A(1+t) + ln kappa(t) - t x - ln
 * delta is below 0 somewhere where the improved row keeps it. */
#include <math.h>

#include "mechanism/dp_sgd.h"
#include "renyi/order.h"

#define LEAST_LOG (-13.8) /* of t, as for every curve: total variation is looked at there */
#define LEAST_SIGMA 1e-3  /* where noise is looked for */
#define MOST_SIGMA 1e12
#define MOST_STEPS 1e300
#define FIRST_STEP 0.25 /* of ln sigma */
#define CLOSE 1e-3      /* from where on orders and noise are looked for in turn */
#define NEAR_WIDTH 0.02 /* of ln t there */
#define TURNS 6
#define ROOT_STEPS 80
#define ENOUGH 1e-14

double dp_sgd_log_kappa(double t)
{
    return -t * log1p(1 / t) - log1p(t);
}

typedef struct guess {
    sampled of; /* sigma is its logarithm alone */
    double count, epsilon, log_delta;
    const limits *lim;
} guess;

/* g(t), with a place for the rational order that a search hands over */
static double gap(const void *of, mpq_srcptr alpha, double t)
{
    const guess *g = of;
    (void)alpha;
    return g->count * sampled_guess(&g->of, t) + dp_sgd_log_kappa(t) - t * g->epsilon -
           g->log_delta;
}

double dp_sgd_least_gap(double *at, const sampled *of, double count, double epsilon,
                        double log_delta)
{
    guess g = {.of = *of, .count = count, .epsilon = epsilon, .log_delta = log_delta};
    return order_lowest(at, &(order_search){.at = gap, .of = &g});
}

/* T D at the least order, which bounds total variation v by v^2 <= 1 - e^-TD */
static double least_divergence(const guess *g)
{
    double t = exp(LEAST_LOG);
    return g->count * sampled_guess(&g->of, t) / t;
}

/* That of total variation delta */
static double divergence_of(double log_delta)
{
    return -log1p(-exp(2 * log_delta));
}

/* What is to be found as a root: ln of T ln A at one order, or of T D, about linear in ln sigma */
typedef struct level {
    double t, goal; /* t = 0: T D */
} level;

static double above(guess *g, const level *l, double log_sigma)
{
    g->of.log_sigma = log_sigma;
    double x = l->t > 0 ? g->count * sampled_guess(&g->of, l->t) : least_divergence(g);
    return log(x) - l->goal;
}

/* About ln sigma where that is 0, below `high`, where it is not above 0: by false position, the end
 * that stays counted half, or by halves where doubles do not reach. */
static double root(guess *g, const level *l, double high)
{
    double y = above(g, l, high), low = high, z = y, step = fmin(fmax(-y, 1e-9), 1);
    for (; !(z > 0) && low > log(LEAST_SIGMA); step *= 2) {
        if (z <= 0) {
            high = low;
            y = z;
        }
        low -= step;
        z = above(g, l, low);
    }
    int side = 0;
    for (int i = 0; i < ROOT_STEPS && high - low > ENOUGH && y < 0; i++) {
        double next = z < HUGE_VAL ? high - y * (high - low) / (y - z) : (low + high) / 2;
        double found = above(g, l, fmin(fmax(next, low), high));
        if (found > 0) {
            low = next;
            z = found;
            y = side < 0 ? y / 2 : y;
            side = -1;
        } else {
            high = next;
            y = found;
            z = side > 0 && z < HUGE_VAL ? z / 2 : z;
            side = 1;
        }
    }
    return high;
}

/* The least value of g at that noise, from an order near the best one */
static double least_at(guess *g, double *at, double log_sigma, double width)
{
    g->of.log_sigma = log_sigma;
    order_search s = {.at = gap, .of = g};
    return width > 0 ? order_lowest_near(at, &s, *at, width) : order_lowest(at, &s);
}

/* From an order that is best at about that noise: the noise at which it keeps the budget, and the
 * order that is best there, in turn. Each turn doubles the digits. */
static double settle(guess *g, double log_sigma, double at)
{
    for (int i = 0; i < TURNS; i++) {
        double t = exp(at), goal = t * g->epsilon + g->log_delta - dp_sgd_log_kappa(t);
        if (!(goal > 0))
            break;
        double next = root(g, &(level){t, log(goal)}, log_sigma), moved = log_sigma - next;
        log_sigma = next;
        if (!(moved > ENOUGH * 8))
            break;
        least_at(g, &at, log_sigma, NEAR_WIDTH);
    }
    return log_sigma;
}

/* The least ln sigma at which some order keeps the budget, below `high`, where the order at does;
 * at `low`, unless that is as high, none does. */
static double by_orders(guess *g, double low, double high, double at)
{
    double y = least_at(g, &at, high, NEAR_WIDTH), z = HUGE_VAL, from = at;
    for (double step = FIRST_STEP; low >= high; step *= 2) {
        if (high <= log(LEAST_SIGMA) || limits_expired(g->lim))
            return high;
        double next = high - step, found = least_at(g, &from, next, 0);
        if (found > 0) {
            low = next;
            z = found;
        } else {
            high = next;
            low = next;
            y = found;
            at = from;
        }
    }
    for (int i = 0; i < ROOT_STEPS && high - low > CLOSE && y < 0; i++) {
        double next = z < HUGE_VAL ? high - y * (high - low) / (y - z) : (low + high) / 2;
        next = fmin(fmax(next, low + (high - low) / 16), high - (high - low) / 16);
        from = at;
        double found = least_at(g, &from, next, fmin(4 * (high - next) + NEAR_WIDTH, 2));
        if (limits_expired(g->lim))
            break;
        if (found > 0) {
            low = next;
            z = found;
        } else {
            high = next;
            y = found;
            at = from;
        }
    }
    return settle(g, high, at);
}

/* sigma of a Gaussian with rho the squared losses of all steps would have: where to begin */
static double begin_noise(const guess *g)
{
    double root_l = sqrt(-g->log_delta), root_rho = sqrt(g->epsilon - g->log_delta) - root_l;
    double rho = fmax(root_rho * root_rho, exp(2 * g->log_delta));
    double x = log1p(exp(fmin(log(2 * rho / g->count) - 2 * g->of.log_rate, 700)));
    return fmin(fmax(-log(x) / 2, log(LEAST_SIGMA)), log(MOST_SIGMA));
}

double dp_sgd_guess_noise(const dp_sgd *s, double epsilon, double log_delta, const limits *lim)
{
    guess g = {s->of, s->count, epsilon, log_delta, lim};
    double variation = divergence_of(log_delta), high = begin_noise(&g), low = high, at;
    for (double step = FIRST_STEP;; step *= 2) { /* up to where there is enough */
        bool orders = least_at(&g, &at, high, 0) <= 0, varies = least_divergence(&g) > variation;
        double found = orders ? by_orders(&g, low, high, at) : high;
        if (!varies)
            found = fmin(found, root(&g, &(level){0, log(variation)}, high));
        if (orders || !varies)
            return exp(found);
        if (high >= log(MOST_SIGMA) || limits_expired(lim))
            return 0;
        low = high;
        high = fmin(high + step, log(MOST_SIGMA));
    }
}

/* Less the steps that an order leaves room for */
static double room(const void *of, mpq_srcptr alpha, double t)
{
    const guess *g = of;
    (void)alpha;
    return (dp_sgd_log_kappa(t) - t * g->epsilon - g->log_delta) / sampled_guess(&g->of, t);
}

double dp_sgd_guess_steps(const dp_sgd *s, double epsilon, double log_delta)
{
    guess g = {.of = s->of, .count = 1, .epsilon = epsilon, .log_delta = log_delta};
    double at, most = -order_lowest(&at, &(order_search){.at = room, .of = &g}),
               rest = divergence_of(log_delta) / least_divergence(&g);
    return fmin(fmax(0, fmax(most, rest)), MOST_STEPS);
}
