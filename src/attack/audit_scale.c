/* SPDX-License-Identifier: MIT */
/* Certificates for many guesses, by those for few. With s^2 = v (r-v)/r, c = v + s y and U = z s/v
 * weights are about those of a diffusion, (y - a_k) z - z' = 1[y >= 0] - lambda, a_k the mean of
 * slope k in standard deviations: whatever r and v. */
#include "attack/audit_scale.h"

#include <math.h>

#include "attack/binomial_guess.h"

static void alone_with(alone *a, const layers_goal *g, size_t k)
{
    double v = (double)g->right, n = (double)g->guesses, t = log(g->slope[k]);
    double beta = guess_log_tail(v, n, t, NULL);
    double height = exp(beta - guess_log_mass(v, n, t)) * -expm1(beta) / v;
    if (!(height < HUGE_VAL)) /* beta is 1 */
        height = 0;
    *a = (alone){k, exp(beta) + g->leak[k] * height, fmax(exp(beta), ALONE_LEAST), height};
}

void alone_best(alone *best, const layers_goal *goal)
{
    alone other;
    alone_with(best, goal, 0);
    for (size_t k = 1; k < goal->count; k++) {
        alone_with(&other, goal, k);
        if (other.cost < best->cost)
            *best = other;
    }
}

#define WIDE 16.0 /* s of the small one */
#define FAR 14.0  /* a of slopes beyond which they are taken for less extreme */

static double deviation(const layers_goal *g)
{
    double v = (double)g->right, r = (double)g->guesses;
    return sqrt(v / r * (r - v));
}

bool scale_is_large(const layers_goal *goal)
{
    return deviation(goal) > 2 * WIDE;
}

/* The equation of c and c+1 is one of the place between them, and v is between the equations of
 * both sides: from there the mean r q is at r q + 1/2. */
static double mean_at(const layers_goal *g, double slope)
{
    return (double)g->guesses * (slope / (1 + slope)) + 0.5 - (double)g->right;
}

/* The skewness is kept, and what each slope does alone, so that what is off is in proportion to
 * 1/s^2. */
bool scale_down(layers_goal *small, double *wide, double over[LAYERS_MOST], const layers_goal *goal)
{
    double s = deviation(goal), v = (double)goal->right, r = (double)goal->guesses;
    double part = 0.5 + (v / r - 0.5) * WIDE / s, all = rint(WIDE * WIDE / (part * (1 - part)));
    *small = (layers_goal){.guesses = (unsigned long)all,
                           .right = (unsigned long)rint(all * part),
                           .count = goal->count};
    double near = (double)small->right, by = deviation(small);
    *wide = s / by;
    bool near_v = false;
    for (size_t k = 0; k < goal->count; k++) {
        near_v = near_v || fabs(mean_at(goal, goal->slope[k])) <= FAR * s;
        double a = fmax(-FAR, fmin(FAR, mean_at(goal, goal->slope[k]) / s));
        double q = (near - 0.5 + a * by) / all;
        small->slope[k] = q / (1 - q);
        alone one, other;
        alone_with(&one, goal, k);
        alone_with(&other, small, k);
        over[k] = one.height / other.height;
        if (!(over[k] > 0 && over[k] < HUGE_VAL))
            over[k] = *wide * near / v;
        small->leak[k] = goal->leak[k] * over[k];
    }
    return near_v;
}
