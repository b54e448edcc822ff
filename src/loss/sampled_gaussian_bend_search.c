/* SPDX-License-Identifier: MIT */
/* The search for a path of few uses of the sampled Gaussian (sampled_gaussian_bend_plan.c). */
#include <math.h>

#include "loss/sampled_gaussian_bend.h"

/* ---- with windows --------------------------------------------------------------------------- */
static const double ANGLE[] = {0.06, 0.11, 0.18, 0.28, 0.42, 0.55},
                    OUTER[] = {0.96, 1, 1.04, 1.12, 1.3};
#define VERTICES 4
#define MOST_VERTEX 0.985
#define ANGLES (sizeof ANGLE / sizeof *ANGLE)

typedef struct choice {
    double at[3], nodes;
} choice;

/* About how many nodes paths of that vertex and angle have, from what is on the real line: to where
 * e^(-zX) ends them, or as if they fell as there. */
static void rate(choice *far, choice *near, const bend *b, const sgm *l, double vertex, double c,
                 double angle, double gap, double depth)
{
    double k[3], z = vertex * c, real = bend_real_log(b, l, z, gap), kappa = z / sin(angle);
    if (!bend_is_known(b, l, z, gap, depth))
        return;
    bend_guess(k, b, l, z);
    double second = k[2] + 1 / (z * z), t = sqrt(2 * fmax(1, depth + real + 10) / second);
    double ends[2] = {acosh(fmax(1.02, (depth + 10) / (z * gap))), asinh(t / (kappa * cos(angle)))};
    for (size_t i = 0; i < sizeof OUTER / sizeof *OUTER; i++) {
        double v = asin(fmin(1, OUTER[i] * c / kappa)) - angle;
        if (!(v > 0.004 && v < 0.95 * angle && angle + v < 1.3))
            continue;
        double largest = fmax(bend_real_log(b, l, kappa * sin(angle + v), gap),
                              bend_real_log(b, l, kappa * sin(angle - v), gap));
        double all = fmax(depth + largest, 6) + 6;
        choice it = {.at = {vertex, angle / v, v}, .nodes = ends[0] * all / v};
        if (it.nodes < far->nodes)
            *far = it;
        it.nodes = ends[1] * all / v;
        if (it.nodes < near->nodes)
            *near = it;
    }
}

/* The least vertex, over c, of integrands that the sums of moments are precise enough for. */
static double least_vertex(const bend *b, const sgm *l, double c, double gap, double depth)
{
    double low = 0.3, high = MOST_VERTEX;
    for (int i = 0; i < 8; i++) {
        double middle = (low + high) / 2;
        *(bend_is_known(b, l, middle * c, gap, depth) ? &high : &low) = middle;
    }
    return high;
}

#define NARROW_USES 64.0
#define NARROW_PLACE 0.6 /* of the vertex, from the least on */
#define NARROW_MOST 0.95

/* Where wide angles lead to where moments of many uses are huge, narrow ones may end before: those
 * that are cheaper come first. */
static bool search_narrow(double at[3], few_plan *best, bend *b, const sgm *l, double c,
                          double least, double gap, double depth)
{
    static const double angle[] = {0.045, 0.03}, strip[] = {0.7, 0.45, 0.25};
    double uses = 0;
    for (size_t i = 0; i < l->items; i++)
        uses += l->item[i].count;
    at[0] = least + (NARROW_MOST - least) * NARROW_PLACE;
    for (size_t i = 0; uses > NARROW_USES && i < sizeof strip / sizeof *strip; i++)
        for (size_t j = 0; j < sizeof angle / sizeof *angle; j++) {
            at[1] = 1 / strip[i];
            at[2] = angle[j] * strip[i];
            if (bend_plan_path(best, b, l, at, c, gap, depth))
                return true;
        }
    return false;
}

static bool search_window(few_plan *best, bend *b, const sgm *l, double c, double gap, double depth)
{
    choice some[2 * ANGLES];
    few_plan p;
    double found[3];
    best->cost = HUGE_VAL;
    for (size_t i = 0; i < 2 * ANGLES; i++)
        some[i].nodes = HUGE_VAL;
    double least = least_vertex(b, l, c, gap, depth);
    for (int i = 0; i < VERTICES; i++)
        for (size_t j = 0; j < ANGLES; j++)
            rate(&some[j], &some[ANGLES + j], b, l, least + (MOST_VERTEX - least) * i / VERTICES, c,
                 ANGLE[j], gap, depth);
    for (size_t i = 0; i < 2 * ANGLES; i++) {
        const choice *it = &some[i];
        if (it->nodes < HUGE_VAL && bend_plan_path(&p, b, l, it->at, c, gap, depth) &&
            p.cost < best->cost) {
            *best = p;
            for (int m = 0; m < 3; m++)
                found[m] = it->at[m];
        }
    }
    return (best->cost < HUGE_VAL || search_narrow(found, best, b, l, c, least, gap, depth)) &&
           bend_plan_path(best, b, l, found, c, gap, depth);
}

/* ---- a path ---------------------------------------------------------------------------------- */
#define ROUNDS 2
#define TRIES 8

/* Of the vertex, phi/v and v, each in turn. */
static bool search_path(few_plan *best, bend *b, const sgm *l, double c, double gap, double depth)
{
    static const double start[][2] = {{1.3, 0.1}, {2.5, 0.1}, {6, 0.1}, {6, 0.03}};
    static const double move[3] = {1.2, 1.8, 1.6};
    double at[3] = {0.97, 1.3, 0.1};
    few_plan p;
    if (b->windowed && !l->item[0].add)
        return search_window(best, b, l, c, gap, depth);
    best->cost = HUGE_VAL;
    for (size_t i = 0; i < sizeof start / sizeof *start; i++) {
        double next[3] = {at[0], start[i][0], start[i][1]};
        if (bend_plan_path(&p, b, l, next, c, gap, depth) && p.cost < best->cost) {
            *best = p;
            at[1] = next[1];
            at[2] = next[2];
        }
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int k = 2; k >= 0; k--)
            for (int side = -1; side <= 1; side += 2) {
                bool moved = false;
                for (int tries = 0; tries < TRIES; tries++) {
                    double next[3] = {at[0], at[1], at[2]};
                    if (k == 1)
                        next[1] = 1 + (at[1] - 1) * pow(move[1], side);
                    else
                        next[k] *= pow(move[k], side);
                    if (!bend_plan_path(&p, b, l, next, c, gap, depth) ||
                        !(p.cost < 0.97 * best->cost))
                        break;
                    *best = p;
                    at[k] = next[k];
                    moved = true;
                }
                if (moved)
                    break;
            }
    return best->cost < HUGE_VAL && bend_plan_path(best, b, l, at, c, gap, depth);
}

#define CHECKS 48
#define TOLERATED 3.0
#define LOOKS 4

/* By how much, in logarithms, the steps and rules of a path do not do at u. */
static double lacks_at(bend *b, const sgm *l, int at[BEND_ITEMS], const few_plan *p, double u,
                       double gap, double depth)
{
    double re, im, worst = -HUGE_VAL;
    for (int side = -1; side <= 1; side += 2)
        worst = fmax(worst, bend_near_log(b, l, at, p, p->phi + side * p->v, u, gap) + depth + 6 -
                                M_PI * p->v / p->h);
    bend_place(&re, &im, p, p->phi, u);
    for (size_t i = 0; i < l->items; i++) {
        const bend_rule *rule = &b->rule[i];
        double need = bend_need(b, l, at, p, i, u, gap, depth),
               known = 2 * M_PI * rule->edge / rule->h;
        size_t middle = bend_middle(b, i, 0, rule->shift);
        worst = fmax(worst, bend_along(b, l, i, middle, re, im, need) + need - BEND_KNOWN);
        for (size_t k = 0; k < BEND_ANGLES; k++) {
            double shift = bend_shift(b->line[i][k]);
            if (shift == rule->shift - rule->edge || shift == rule->shift + rule->edge)
                worst = fmax(worst, bend_along(b, l, i, k, re, im, need) + need - known);
        }
    }
    return worst;
}

/* Adds the place where the path lacks most; false: it lacks nothing. */
static bool add_worst(bend *b, const sgm *l, const few_plan *p, double gap, double depth)
{
    int at[BEND_ITEMS] = {0};
    double worst = TOLERATED, place = 0, end = 2 * p->h * (double)p->nodes;
    for (int i = 1; i < CHECKS; i++) {
        double lacks = lacks_at(b, l, at, p, end * i / CHECKS, gap, depth);
        if (lacks > worst) {
            worst = lacks;
            place = (double)i / CHECKS;
        }
    }
    return place > 0 && bend_add_place(b, place);
}

bool bend_search(few_plan *best, bend *b, const sgm *l, double c, double gap, double depth)
{
    bend_first_places(b);
    bool ok = search_path(best, b, l, c, gap, depth);
    for (int i = 0; ok && i < LOOKS && add_worst(b, l, best, gap, depth); i++)
        ok = search_path(best, b, l, c, gap, depth);
    return ok;
}
