/* SPDX-License-Identifier: MIT */
/* Plans of the path of few uses of the sampled Gaussian (sampled_gaussian_bend.c), which choose. */
#include <math.h>

#include "loss/sampled_gaussian_bend.h"

/* z at psi + iu, and ln|dz/du / (z (z+1))| */
static double bend_place(double *re, double *im, const few_plan *p, double psi, double u)
{
    *re = p->z0 + p->kappa * sin(psi) * cosh(u);
    *im = p->kappa * cos(psi) * sinh(u);
    return log(p->kappa * cosh(u) / hypot(*re, *im) / hypot(*re + 1, *im));
}

/* About ln|F| */
double bend_near_log(const bend *b, const sgm *l, int at[BEND_ITEMS], const few_plan *p, double psi,
                     double u, double gap)
{
    double re, im, weight = bend_place(&re, &im, p, psi, u);
    return weight - re * gap + bend_log_growth(b, l, at, 1 + re, 1 + re, im, hypot(1 + re, im));
}

/* The saddle of ln prod g - zX - ln|z (z+1)| on the real line on its side of the poles. */
double bend_saddle(double *log_value, const bend *b, const sgm *l, double gap)
{
    bool add = l->item[0].add;
    double low = -60, high = 60, best = HUGE_VAL, found = 0;
    for (int i = 0; i < 60; i++) {
        double part = low + (high - low) * 0.5, k[3];
        double d = exp(part), z = add ? -1 - d : d;
        bend_guess(k, b, l, z);
        double slope = k[1] - gap - 1 / z - 1 / (1 + z);
        double second = k[2] + 1 / (z * z) + 1 / ((1 + z) * (1 + z));
        double value = k[0] - z * gap - log(fabs(z)) - log(fabs(1 + z));
        if (!isfinite(value) || !isfinite(slope))
            slope = add ? -1 : 1;
        else {
            best = value - 0.5 * log(2 * M_PI * second);
            found = z;
        }
        *((slope > 0) != add ? &high : &low) = part;
    }
    *log_value = best;
    return found;
}

double bend_near(const bend *b, const sgm *l, double gap)
{
    double value;
    bend_saddle(&value, b, l, gap);
    return value;
}

/* A path whose vertex is at c, of angle phi and strip v. */
static bool set_path(few_plan *p, const sgm *l, double c, double phi, double v)
{
    *p = (few_plan){.phi = bend_short(phi, 16), .v = bend_short(v, 16)};
    if (!(p->phi > p->v) || !(p->phi + p->v < 1.4))
        return false;
    if (l->item[0].add) {
        double d = -1 - c; /* right edge at -1 - 0.1 d */
        p->kappa = bend_short(0.9 * d / (sin(p->phi + p->v) - sin(p->phi)), 24);
        p->z0 = bend_short(c - p->kappa * sin(p->phi), 24);
    } else {
        p->kappa = bend_short(c / sin(p->phi), 24);
    }
    return isfinite(p->kappa) && p->kappa > 0;
}

static const double SAMPLE[] = {0, 0.15, 0.35, 0.55, 0.68, 0.78, 0.88, 1, 1.2}; /* of the end */
#define SAMPLES (sizeof SAMPLE / sizeof *SAMPLE)
#define MOST_U 30.0
#define LEAST_U 1e-4

/* Is what is beyond u below e^-depth? */
static bool is_end(const few_plan *p, const bend *b, const sgm *l, int at[BEND_ITEMS], double u,
                   double gap, double depth)
{
    double re, im;
    bend_place(&re, &im, p, p->phi, u);
    double grown = bend_log_growth(b, l, at, 1 + re, 1 + re, im, HUGE_VAL);
    return grown - re * gap - log(im) < -depth - 6;
}

/* About the u where the path may end; 0: none. */
static double plan_end(const few_plan *p, const bend *b, const sgm *l, double gap, double depth)
{
    int at[BEND_ITEMS] = {0};
    double low = 0, high = 0.25;
    while (!is_end(p, b, l, at, high, gap, depth)) {
        low = high;
        high *= 1.4;
        if (high > MOST_U)
            return 0;
    }
    while (high - low > 0.06 * high && high > LEAST_U) {
        double middle = (low + high) / 2;
        *(is_end(p, b, l, at, middle, gap, depth) ? &high : &low) = middle;
    }
    return high;
}

/* About ln|F| over |dz/du| on the real line. */
static double real_log(const bend *b, const sgm *l, double z, double gap)
{
    double k[3];
    bend_guess(k, b, l, z);
    return k[0] - z * gap - log(fabs(z)) - log(fabs(1 + z));
}

#define KNOWN 56.0 /* -ln of what nodes are off by */
#define LAST_VERTEX 0.98
#define MARGIN 1.5
#define KNOWN_WINDOW 68.0 /* of one use */

/* -ln of what the integral is off by where sums of moments are, with the vertex at z. */
static double known_at(const bend *b, const sgm *l, double z, double gap)
{
    double uses = 0, real = real_log(b, l, z, gap);
    for (size_t i = 0; i < l->items; i++)
        uses += l->item[i].count;
    return b->windowed ? KNOWN_WINDOW - log(uses) - real - fmax(0, log(fabs(z)) - 3) : KNOWN - real;
}

static bool is_known(const bend *b, const sgm *l, double z, double gap, double depth)
{
    return known_at(b, l, z, gap) > depth;
}

double bend_deepest(const bend *b, const sgm *l, double gap)
{
    double value, c = bend_saddle(&value, b, l, gap);
    return known_at(b, l, LAST_VERTEX * c, gap) - MARGIN;
}

/* The steps of a path, and about how many; false: none. */
static bool plan_steps(few_plan *p, const bend *b, const sgm *l, double gap, double depth)
{
    double largest = -HUGE_VAL, u = plan_end(p, b, l, gap, depth);
    int at[BEND_ITEMS] = {0};
    for (int side = -1; u > 0 && side <= 1; side += 2) {
        for (size_t i = 0; i < BEND_ITEMS; i++)
            at[i] = 0;
        for (size_t i = 0; i < SAMPLES; i++)
            largest =
                fmax(largest, bend_near_log(b, l, at, p, p->phi + side * p->v, u * SAMPLE[i], gap));
    }
    double all = fmax(depth + largest, 6) + 6;
    if (!isfinite(all) || !(u > 0) || !is_known(b, l, p->z0 + p->kappa * sin(p->phi), gap, depth))
        return false;
    p->h = bend_short(M_PI * p->v / all, 20);
    double nodes = ceil(u / (2 * p->h)) + 1;
    p->nodes = nodes < BEND_MOST_STEPS ? (int64_t)nodes : 0;
    p->cost = nodes;
    return nodes < BEND_MOST_STEPS;
}

/* By how much more than the last loss that counts a rule goes: bounds are by cells. */
double bend_spare(const bend *b, size_t item)
{
    return b->windowed ? 3 * bend_step(b->line[item][0]) + 4 * b->window[item].width : 0;
}

#define FARTHEST 170.0 /* of y */

/* Where f has fallen to e^-need on the line of angle theta, or not; to stay there, or to where it
 * may be left. */
static double plan_edge(const sgm_item *g, const bend_window *w, double theta, double p, double t,
                        double need)
{
    double kink = g->s * (g->log_rest - g->log_rate) + 0.5 / g->s;
    double cosine = cos(theta), sine = sin(theta), lift = theta * theta * g->s * g->s / 2;
    double found = -1, far = fmax(kink + 3.3 * g->s, 1.07 * fmax(p, 0) / g->s + 2);
    double most = w->width > 0 ? w->end : FARTHEST, above = 0;
    for (double y = 1; y < most; y += 0.2) {
        if (w->width > 0 && y > w->at)
            above = (pow(theta * g->s, 2) - pow(y - w->at, 2)) / (2 * w->width * w->width);
        double v = (y - kink) / g->s, e = exp(fmin(v, 300));
        double re = 0.5 * log1p(e * (2 * cosine + e)), im = atan2(e * sine, 1 + e * cosine);
        bool below = p * re - t * im - y * y / 2 + lift + above < -need;
        found = !below ? -1 : found > 0 ? found : y;
        if (below && (y > far || (w->width == 0 && re > 3.3 && t > 1.1 * theta * g->s * g->s)))
            break;
    }
    return found < 0 && w->width > 0 ? most : found;
}

/* Is it known what the window leaves at its end? */
static bool ends_known(const bend *b, size_t item, double p, double t)
{
    const bend_line *x = b->rough[item][BEND_ANGLES / 2];
    return isfinite(bend_beyond(x, p, p, t, b->window[item].end));
}

/* The pair of lines with the largest step, their logarithms given; false: none. */
static bool choose_edges(bend_rule *rule, const bend *b, size_t item,
                         const double edge[BEND_ANGLES])
{
    double best = 0;
    for (size_t low = 0; low < BEND_ANGLES; low++)
        for (size_t high = low + 1; high < BEND_ANGLES; high++) {
            double from = bend_shift(b->line[item][low]), to = bend_shift(b->line[item][high]);
            double h = M_PI * (to - from) / fmax(bend_add_logs(edge[low], edge[high]), 6);
            size_t middle = low; /* the line near which terms are: their sum is rounded */
            while (middle < high && bend_shift(b->line[item][middle]) < (from + to) / 2)
                middle++;
            double worth = b->windowed ? h / fmax(1, 1 + (edge[middle] - KNOWN_WINDOW)) : h;
            if (worth > best) {
                best = worth;
                rule->h = bend_short(h, 20);
                rule->shift = (from + to) / 2;
                rule->edge = (to - from) / 2;
            }
        }
    return best > 0;
}

/* The line of an item with the largest step: the pair of its edges. */
static bool plan_rule(bend *b, const sgm *l, const few_plan *p, size_t item, double gap,
                      double depth)
{
    double need[SAMPLES], edge[BEND_ANGLES], wide = 0;
    double re[SAMPLES], im[SAMPLES];
    const sgm_item *g = &l->item[item];
    int at[BEND_ITEMS] = {0};
    bend_rule *rule = &b->rule[item];
    double last = 2 * p->h * (double)p->nodes;
    for (size_t i = 0; i < SAMPLES; i++) {
        double u = fmin(SAMPLE[i], 1) * last;
        need[i] = bend_near_log(b, l, at, p, p->phi, u, gap) + log(g->count) + depth + 9;
        need[i] = fmax(BEND_LEAST_NEED, need[i]);
        bend_place(&re[i], &im[i], p, p->phi, u);
        wide = fmax(wide, need[i]);
    }
    for (size_t k = 0; k < BEND_ANGLES; k++) {
        const bend_line *x = b->rough[item][k];
        edge[k] = -HUGE_VAL;
        for (size_t i = 0; i < SAMPLES; i++) {
            double theta = bend_shift(x) / g->s;
            double until = plan_edge(g, &b->window[item], theta, 1 + re[i], im[i], need[i]);
            double grown = until > 0 ? bend_growth(x, 1 + re[i], 1 + re[i], im[i],
                                                   hypot(1 + re[i], im[i]), until)
                                     : HUGE_VAL;
            edge[k] = fmax(edge[k], log(exp(bend_lift(x)) + grown) + need[i]);
        }
    }
    if (!choose_edges(rule, b, item, edge))
        return false;
    double kink = g->s * (g->log_rest - g->log_rate) + 0.5 / g->s;
    double end = 0, lift = rule->shift * rule->shift / 2;
    for (size_t i = 0; i < SAMPLES; i++) {
        double y =
            plan_edge(g, &b->window[item], rule->shift / g->s, 1 + re[i], im[i], need[i] + 8);
        if (y < 0)
            return false;
        end = fmax(end, y);
        if (b->windowed && !ends_known(b, item, 1 + re[i], im[i]))
            return false;
        if (b->windowed)
            end = fmax(end, y + bend_spare(b, item));
    }
    double first = fmin(-sqrt(2 * (wide + lift + 2)), kink - g->s);
    rule->first = (int64_t)floor(first / rule->h) - 1;
    rule->last = (int64_t)ceil(end / rule->h) + 1;
    if (b->windowed)
        rule->last = (int64_t)fmin((double)rule->last, floor(b->window[item].end / rule->h) - 1);
    return true;
}

#define ROUNDS 2
#define TRIES 8

/* cost = terms; false: no such path. */
static bool plan_path(few_plan *p, bend *b, const sgm *l, const double at[3], double c, double gap,
                      double depth)
{
    double pole = l->item[0].add ? -1 : 0, terms = 0;
    if (!set_path(p, l, pole + (c - pole) * at[0], at[1] * at[2], at[2]) ||
        !plan_steps(p, b, l, gap, depth))
        return false;
    for (size_t i = 0; i < l->items; i++) {
        if (!plan_rule(b, l, p, i, gap, depth))
            return false;
        terms += (double)(b->rule[i].last - b->rule[i].first);
    }
    p->cost = terms * (double)p->nodes + 300 * (double)p->nodes;
    return true;
}

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
    double k[3], z = vertex * c, real = real_log(b, l, z, gap), kappa = z / sin(angle);
    if (!is_known(b, l, z, gap, depth))
        return;
    bend_guess(k, b, l, z);
    double second = k[2] + 1 / (z * z), t = sqrt(2 * fmax(1, depth + real + 10) / second);
    double ends[2] = {acosh(fmax(1.02, (depth + 10) / (z * gap))), asinh(t / (kappa * cos(angle)))};
    for (size_t i = 0; i < sizeof OUTER / sizeof *OUTER; i++) {
        double v = asin(fmin(1, OUTER[i] * c / kappa)) - angle;
        if (!(v > 0.004 && v < 0.95 * angle && angle + v < 1.3))
            continue;
        double largest = fmax(real_log(b, l, kappa * sin(angle + v), gap),
                              real_log(b, l, kappa * sin(angle - v), gap));
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
        *(is_known(b, l, middle * c, gap, depth) ? &high : &low) = middle;
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
            if (plan_path(best, b, l, at, c, gap, depth))
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
        if (it->nodes < HUGE_VAL && plan_path(&p, b, l, it->at, c, gap, depth) &&
            p.cost < best->cost) {
            *best = p;
            for (int m = 0; m < 3; m++)
                found[m] = it->at[m];
        }
    }
    return (best->cost < HUGE_VAL || search_narrow(found, best, b, l, c, least, gap, depth)) &&
           plan_path(best, b, l, found, c, gap, depth);
}

/* Of the vertex, phi/v and v, each in turn. */
bool bend_search(few_plan *best, bend *b, const sgm *l, double c, double gap, double depth)
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
        if (plan_path(&p, b, l, next, c, gap, depth) && p.cost < best->cost) {
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
                    if (!plan_path(&p, b, l, next, c, gap, depth) || !(p.cost < 0.97 * best->cost))
                        break;
                    *best = p;
                    at[k] = next[k];
                    moved = true;
                }
                if (moved)
                    break;
            }
    return best->cost < HUGE_VAL && plan_path(best, b, l, at, c, gap, depth);
}
