/* SPDX-License-Identifier: MIT */
/* Plans of the path of few uses of the sampled Gaussian (sampled_gaussian_bend.c), which choose. */
#include <math.h>

#include "loss/sampled_gaussian_bend.h"
#include "num/memory.h"

/* z at psi + iu, and ln|dz/du / (z (z+1))| */
double bend_place(double *re, double *im, const few_plan *p, double psi, double u)
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

/* Where a path is looked at, over its end: at first, and where it lacked most. */
static const double PLACE[] = {0, 0.15, 0.35, 0.55, 0.68, 0.78, 0.85, 0.9, 0.95, 1, 1.2};
#define PLACES (sizeof PLACE / sizeof *PLACE)

void bend_first_places(bend *b)
{
    b->places = PLACES;
    for (size_t i = 0; i < PLACES; i++)
        b->place[i] = PLACE[i];
}

bool bend_add_place(bend *b, double place)
{
    if (b->places == BEND_PLACES)
        return false;
    size_t i = b->places++;
    for (; i > 0 && b->place[i - 1] > place; i--)
        b->place[i] = b->place[i - 1];
    b->place[i] = place;
    return true;
}

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
double bend_real_log(const bend *b, const sgm *l, double z, double gap)
{
    double k[3];
    bend_guess(k, b, l, z);
    return k[0] - z * gap - log(fabs(z)) - log(fabs(1 + z));
}

#define KNOWN 56.0 /* -ln of what nodes are off by */
#define LAST_VERTEX 0.98
#define MARGIN 1.5

/* -ln of what the integral is off by where sums of moments are, with the vertex at z. */
static double known_at(const bend *b, const sgm *l, double z, double gap)
{
    double uses = 0, real = bend_real_log(b, l, z, gap);
    for (size_t i = 0; i < l->items; i++)
        uses += l->item[i].count;
    return b->windowed ? BEND_KNOWN - log(uses) - real - fmax(0, log(fabs(z)) - 3) : KNOWN - real;
}

bool bend_is_known(const bend *b, const sgm *l, double z, double gap, double depth)
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
        for (size_t i = 0; i < b->places; i++)
            largest = fmax(largest,
                           bend_near_log(b, l, at, p, p->phi + side * p->v, u * b->place[i], gap));
    }
    double all = fmax(depth + largest, 6) + 6;
    if (!isfinite(all) || !(u > 0) ||
        !bend_is_known(b, l, p->z0 + p->kappa * sin(p->phi), gap, depth))
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
#define EDGE_STEP 0.2
#define EDGES 846

/* The excess at y = 1, 1 + step and so on, of a line; the first `known` of them. */
struct bend_edges {
    size_t known;
    double re[EDGES], im[EDGES];
};

static void excess_near(double *re, double *im, const sgm_item *g, double theta, double y)
{
    double kink = g->s * (g->log_rest - g->log_rate) + 0.5 / g->s, cosine = cos(theta);
    double e = exp(fmin((y - kink) / g->s, 300));
    *re = 0.5 * log1p(e * (2 * cosine + e));
    *im = atan2(e * sin(theta), 1 + e * cosine);
}

bool bend_leaves(const sgm_item *g, double p, double t, double need)
{
    double kink = g->s * (g->log_rest - g->log_rate) + 0.5 / g->s;
    return (p * p - t * t) / (2 * g->s * g->s) - p * kink / g->s < -need;
}

/* Where f has fallen to e^-need on the line of angle theta, or not; to stay there, or to where it
 * may be left. `edges`: those of the line, or NULL. */
static double plan_edge(bend_edges *edges, const sgm_item *g, const bend_window *w, double theta,
                        double p, double t, double need)
{
    double kink = g->s * (g->log_rest - g->log_rate) + 0.5 / g->s;
    double lift = theta * theta * g->s * g->s / 2;
    double found = -1, far = fmax(kink + 3.3 * g->s, 1.07 * fmax(p, 0) / g->s + 2);
    double most = w->width > 0 ? w->end : FARTHEST, above = 0, y = 1;
    bool leaves = w->width == 0 && t > 1.1 * theta * g->s * g->s && bend_leaves(g, p, t, need);
    for (size_t i = 0; y < most; y = 1 + EDGE_STEP * (double)++i) {
        if (w->width > 0 && y > w->at)
            above = (pow(theta * g->s, 2) - pow(y - w->at, 2)) / (2 * w->width * w->width);
        double re, im;
        if (edges != NULL && i < edges->known) {
            re = edges->re[i];
            im = edges->im[i];
        } else {
            excess_near(&re, &im, g, theta, y);
        }
        if (edges != NULL && i == edges->known && i < EDGES) {
            edges->re[i] = re;
            edges->im[i] = im;
            edges->known++;
        }
        bool below = p * re - t * im - y * y / 2 + lift + above < -need;
        found = !below ? -1 : found > 0 ? found : y;
        if (below && (y > far || (leaves && re > 3.3)))
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

/* About ln of the integral of |f| along the line k, at z */
double bend_along(bend *b, const sgm *l, size_t item, size_t k, double re, double im, double need)
{
    const sgm_item *g = &l->item[item];
    const bend_line *x = b->rough[item][k];
    if (b->edges[item][k] == NULL)
        b->edges[item][k] = memory_zero(1, sizeof *b->edges[item][k]);
    double until =
        plan_edge(b->edges[item][k], g, &b->window[item], bend_shift(x) / g->s, 1 + re, im, need);
    if (!(until > 0))
        return HUGE_VAL;
    return log(exp(bend_lift(x)) + bend_growth(x, 1 + re, 1 + re, im, hypot(1 + re, im), until));
}

/* The line near which the terms of a rule about `shift` are, from the line `low` on: their sum is
 * rounded. */
size_t bend_middle(const bend *b, size_t item, size_t low, double shift)
{
    size_t middle = low;
    while (middle + 1 < BEND_ANGLES && bend_shift(b->line[item][middle]) < shift)
        middle++;
    return middle;
}

#define MOST_OVER 6.0

/* The pair of lines with the largest step, their logarithms given; false: none. */
static bool choose_edges(bend_rule *rule, const bend *b, size_t item,
                         const double edge[BEND_ANGLES])
{
    double best = 0;
    for (size_t low = 0; low < BEND_ANGLES; low++)
        for (size_t high = low + 1; high < BEND_ANGLES; high++) {
            double from = bend_shift(b->line[item][low]), to = bend_shift(b->line[item][high]);
            double h = M_PI * (to - from) / fmax(bend_add_logs(edge[low], edge[high]), 6);
            size_t middle = bend_middle(b, item, low, (from + to) / 2);
            double over = edge[middle] - BEND_KNOWN, worth = h / fmax(1, 1 + over);
            if (over > MOST_OVER)
                continue;
            if (worth > best) {
                best = worth;
                rule->h = bend_short(h, 20);
                rule->shift = (from + to) / 2;
                rule->edge = (to - from) / 2;
            }
        }
    return best > 0;
}

/* -ln of what g of an item may be off by at u */
double bend_need(const bend *b, const sgm *l, int at[BEND_ITEMS], const few_plan *p, size_t item,
                 double u, double gap, double depth)
{
    double near = bend_near_log(b, l, at, p, p->phi, u, gap);
    return fmax(BEND_LEAST_NEED, near + log(l->item[item].count) + depth + 9);
}

/* The line of an item with the largest step: the pair of its edges. */
static bool plan_rule(bend *b, const sgm *l, const few_plan *p, size_t item, double gap,
                      double depth)
{
    double need[BEND_PLACES], edge[BEND_ANGLES], wide = 0;
    double re[BEND_PLACES], im[BEND_PLACES];
    const sgm_item *g = &l->item[item];
    int at[BEND_ITEMS] = {0};
    bend_rule *rule = &b->rule[item];
    double last = 2 * p->h * (double)p->nodes;
    for (size_t i = 0; i < b->places; i++) {
        double u = fmin(b->place[i], 1) * last;
        need[i] = bend_need(b, l, at, p, item, u, gap, depth);
        bend_place(&re[i], &im[i], p, p->phi, u);
        wide = fmax(wide, need[i]);
    }
    for (size_t k = 0; k < BEND_ANGLES; k++) {
        edge[k] = -HUGE_VAL;
        for (size_t i = 0; i < b->places; i++) {
            edge[k] = fmax(edge[k], bend_along(b, l, item, k, re[i], im[i], need[i]) + need[i]);
        }
    }
    if (!choose_edges(rule, b, item, edge))
        return false;
    double kink = g->s * (g->log_rest - g->log_rate) + 0.5 / g->s;
    double end = 0, lift = rule->shift * rule->shift / 2;
    for (size_t i = 0; i < b->places; i++) {
        double y =
            plan_edge(NULL, g, &b->window[item], rule->shift / g->s, 1 + re[i], im[i], need[i] + 8);
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

/* cost = terms; false: no such path. */
bool bend_plan_path(few_plan *p, bend *b, const sgm *l, const double at[3], double c, double gap,
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
