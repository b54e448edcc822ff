/* SPDX-License-Identifier: MIT */
/* What a sum over nodes of the path z(u) = z0 + kappa sin(phi + iu) misses, F = prod g^T e^(-zX)
 * dz/du / (z (z+1)). Of a rule with step H at the nodes nH, |n| <= N, U = (N + 1/2) H, with
 * 1/(e^(-2 pi i u/H) - 1) around the rectangle |Re u| <= U, |Im u| <= v: on its upper edge that is
 * at most 1/(e^(2 pi v/H) - 1), on the lower one it is -1 but for as much, and at Re u = +-U, where
 * e^(-2 pi i u/H) = -e^(2 pi Im u/H), it is at most e^(-2 pi |Im u|/H) from 0 above and from -1
 * below. So the sum differs from the integral from -U to U by at most (int |F(u + iv)| + int |F(u -
 * iv)|) / (e^(2 pi v/H) - 1) + int |F(+-U + i eta)| e^(-2 pi |eta|/H), and what is beyond U may be
 * taken along the vertical line from z(U), where by a line |g| <= (1 + D) e^(alpha^2/2), D the
 * growth there, falls with t: at most that to the T times e^(-Re z X) / t. All of these by boxes in
 * which z lies: Re z and Im z of z0 + kappa sin(psi + iu) increase with u, the first increases and
 * the second decreases with psi. In a box |g| <= 1 + D of any line, the least of which is taken. */
#include <math.h>

#include "loss/sampled_gaussian_bend.h"
#include "num/ival.h"

#define SIDES BEND_SIDES
#define BOXES BEND_BOXES

/* ---- boxes ---------------------------------------------------------------------------------- */
static double down(const mpfi_t x)
{
    return mpfr_get_d(&x->left, MPFR_RNDD);
}

static double up(const mpfi_t x)
{
    return mpfr_get_d(&x->right, MPFR_RNDU);
}

/* The z of psi_1 <= psi <= psi_2, u_1 <= u <= u_2. */
void bend_set_box(bend_box *to, const few_plan *p, double psi1, double psi2, double u1, double u2)
{
    mpfi_t x, y;
    mpfi_init2(x, BEND_BITS);
    mpfi_init2(y, BEND_BITS);
    for (int last = 0; last < 2; last++) {
        mpfi_set_d(x, last ? psi2 : psi1);
        mpfi_sin(x, x);
        mpfi_set_d(y, last ? u2 : u1);
        mpfi_cosh(y, y);
        mpfi_mul(x, x, y);
        mpfi_mul_d(x, x, p->kappa);
        mpfi_add_d(x, x, p->z0);
        *(last ? &to->high : &to->low) = last ? up(x) : down(x);
        mpfi_set_d(x, last ? psi1 : psi2);
        mpfi_cos(x, x);
        mpfi_set_d(y, last ? u2 : u1);
        mpfi_sinh(y, y);
        mpfi_mul(x, x, y);
        mpfi_mul_d(x, x, p->kappa);
        *(last ? &to->right : &to->left) = last ? up(x) : fmax(0, down(x));
    }
    mpfi_clear(y);
    mpfi_clear(x);
}

/* The square of the least distance from a pole in the box, rounded down. */
static void distance(mpfr_t out, const bend_box *at, double pole)
{
    MPFR_DECL_INIT(part, BEND_BITS);
    double gap = at->low > pole ? at->low - pole : at->high < pole ? pole - at->high : 0;
    mpfr_set_d(out, gap * (1 - 0x1p-50), MPFR_RNDD);
    mpfr_sqr(out, out, MPFR_RNDD);
    mpfr_set_d(part, at->left, MPFR_RNDD);
    mpfr_sqr(part, part, MPFR_RNDD);
    mpfr_add(out, out, part, MPFR_RNDD);
}

/* 1 + Re z of the box from below and above, and the largest |1 + z|. */
double bend_powers(double *low, double *high, const bend_box *at)
{
    *low = (at->low + 1) - 0x1p-50 * fabs(at->low);
    *high = (at->high + 1) + 0x1p-50 * fabs(at->high);
    return hypot(fmax(fabs(*low), fabs(*high)), at->right) * (1 + 0x1p-48);
}

/* The growth in a box, and its weight: kappa cosh(u) length / (pi |z| |z+1|). */
static void weigh(bend *b, const sgm *l, const few_plan *p, bend_box *at, int near[BEND_ITEMS],
                  double u, double length)
{
    double low, high, size = bend_powers(&low, &high, at);
    at->log_mass = bend_log_growth(b, l, near, low, high, at->left, size);
    MPFR_DECL_INIT(part, BEND_BITS);
    distance(at->weight, at, 0);
    distance(part, at, -1);
    mpfr_mul(at->weight, at->weight, part, MPFR_RNDD);
    mpfr_sqrt(at->weight, at->weight, MPFR_RNDD);
    mpfr_const_pi(part, MPFR_RNDD);
    mpfr_mul(at->weight, at->weight, part, MPFR_RNDD);
    mpfr_set_d(part, u, MPFR_RNDU);
    mpfr_cosh(part, part, MPFR_RNDU);
    mpfr_mul_d(part, part, p->kappa, MPFR_RNDU);
    mpfr_mul_d(part, part, length, MPFR_RNDU);
    mpfr_div(at->weight, part, at->weight, MPFR_RNDU);
    if (mpfr_nan_p(at->weight))
        mpfr_set_inf(at->weight, 1);
}

/* weight times e^(-pi x/h), or over e^(pi x/h) - 1 */
static void damp(bend_box *at, const few_plan *p, double x, bool edge)
{
    MPFR_DECL_INIT(part, BEND_BITS);
    mpfr_const_pi(part, MPFR_RNDD);
    mpfr_mul_d(part, part, x, MPFR_RNDD);
    mpfr_div_d(part, part, p->h, MPFR_RNDD);
    if (edge)
        mpfr_expm1(part, part, MPFR_RNDD);
    else
        mpfr_exp(part, part, MPFR_RNDD);
    mpfr_div(at->weight, at->weight, part, MPFR_RNDU);
    if (mpfr_nan_p(at->weight))
        mpfr_set_inf(at->weight, 1);
}

/* U = (2 nodes + 1) h: exact, of 20 and fewer than 14 bits */
static double end_of(const few_plan *p)
{
    return p->h * (double)(2 * p->nodes + 1);
}

static void add_edge(bend *b, const sgm *l, const few_plan *p, double psi)
{
    int near[BEND_ITEMS] = {0};
    double end = end_of(p), last = 0;
    for (int i = 1; i <= BOXES; i++) {
        double u = i < BOXES ? end * i / BOXES : end;
        bend_box *at = &b->box[b->boxes++];
        bend_set_box(at, p, psi, psi, last, u);
        weigh(b, l, p, at, near, u, (u - last) * (1 + 0x1p-50));
        damp(at, p, p->v, true);
        last = u;
    }
}

static void add_end(bend *b, const sgm *l, const few_plan *p, double side)
{
    int near[BEND_ITEMS] = {0};
    double end = end_of(p), last = 0;
    for (int i = 1; i <= SIDES; i++) {
        double eta = i < SIDES ? p->v * i / SIDES : p->v;
        bend_box *at = &b->box[b->boxes++];
        if (side > 0)
            bend_set_box(at, p, p->phi + last, p->phi + eta, end, end);
        else
            bend_set_box(at, p, p->phi - eta, p->phi - last, end, end);
        weigh(b, l, p, at, near, end, (eta - last) * (1 + 0x1p-50));
        damp(at, p, last, false);
        last = eta;
    }
}

/* Beyond the last node, on the vertical line: e^(..) / (pi t). */
static void add_beyond(bend *b, const sgm *l, const few_plan *p)
{
    int near[BEND_ITEMS] = {0};
    double end = end_of(p), low, high;
    bend_box *at = &b->box[b->boxes++];
    bend_set_box(at, p, p->phi, p->phi, end, end);
    bend_powers(&low, &high, at);
    at->log_mass = bend_log_growth(b, l, near, low, high, at->left, HUGE_VAL);
    mpfr_const_pi(at->weight, MPFR_RNDD);
    mpfr_mul_d(at->weight, at->weight, at->left, MPFR_RNDD);
    mpfr_ui_div(at->weight, 1, at->weight, MPFR_RNDU);
}

/* Are both poles on one side of the strip? */
static bool is_apart(const few_plan *p, bool add)
{
    bend_box left, right;
    bend_set_box(&left, p, p->phi - p->v, p->phi - p->v, 0, 0);
    bend_set_box(&right, p, p->phi + p->v, p->phi + p->v, 0, 0);
    return p->phi > p->v && p->v > 0 && p->phi + p->v < 1.5 && p->kappa > 0 && p->h > 0 &&
           p->nodes > 0 && (add ? right.high < -1 : left.low > 0);
}

void bend_boxes(bend *b, const sgm *l, const few_plan *p)
{
    b->boxes = 0;
    if (!is_apart(p, l->item[0].add))
        return;
    add_edge(b, l, p, p->phi + p->v);
    add_edge(b, l, p, p->phi - p->v);
    add_end(b, l, p, 1);
    add_end(b, l, p, -1);
    add_beyond(b, l, p);
}

void bend_missed(mpfr_t most, const bend *b, const mpfi_t gap)
{
    MPFR_DECL_INIT(part, BEND_BITS);
    mpfi_t x;
    mpfi_init2(x, BEND_BITS);
    mpfr_set_ui(most, 0, MPFR_RNDU);
    for (size_t i = 0; i < b->boxes; i++) {
        const bend_box *at = &b->box[i];
        mpfi_mul_d(x, gap, -at->low);
        mpfi_add_d(x, x, at->log_mass);
        mpfr_exp(part, &x->right, MPFR_RNDU);
        mpfr_mul(part, part, at->weight, MPFR_RNDU);
        mpfr_add(most, most, part, MPFR_RNDU);
    }
    if (b->boxes == 0 || mpfr_sgn(&gap->left) <= 0 || mpfr_nan_p(most))
        mpfr_set_inf(most, 1);
    mpfi_clear(x);
}

#define TERM_SECONDS 2.5e-7
#define MOST_TERMS 8e6
#define SETTLES 4

/* The part of what is missed that is in the boxes from `first` on. */
static double near_missed(const bend *b, size_t first, size_t last, double gap)
{
    double sum = -HUGE_VAL;
    for (size_t i = first; i < last; i++) {
        MPFR_DECL_INIT(part, BEND_BITS);
        mpfr_log(part, b->box[i].weight, MPFR_RNDU);
        sum = bend_add_logs(sum,
                            b->box[i].log_mass - b->box[i].low * gap + mpfr_get_d(part, MPFR_RNDU));
    }
    return sum;
}

/* Shorter steps, or more of them, until what is missed is e^-depth. */
static bool settle(few_plan *p, bend *b, const sgm *l, double gap, double depth)
{
    for (int i = 0; i < SETTLES; i++) {
        bend_boxes(b, l, p);
        if (b->boxes == 0)
            return false;
        double edges = near_missed(b, 0, 2 * BOXES, gap);
        double ends = near_missed(b, 2 * BOXES, b->boxes, gap), end = end_of(p);
        if (bend_add_logs(edges, ends) < -depth)
            return true;
        if (edges > -depth - 0.7) {
            double now = M_PI * p->v / p->h;
            p->h = bend_short(M_PI * p->v / (now + edges + depth + 1), 20);
        }
        if (ends > -depth - 0.7)
            end *= 1.04;
        double nodes = ceil((end / p->h - 1) / 2);
        p->nodes = (int64_t)nodes;
        if (!(nodes < BEND_MOST_STEPS))
            return false;
    }
    return false;
}

#define MARGINS 3
#define FARTHEST 3.0 /* powers along a path, over that of its vertex */
static const double MARGIN[MARGINS] = {1, 9, 24};

bool bend_plan(few_plan *plan, double *seconds, bend *b, const sgm *l, double gap, double depth)
{
    double value, c = bend_saddle(&value, b, l, gap);
    if (!isfinite(value) || !bend_lines(b, l, FARTHEST * fabs(1 + c) + 0.2))
        return false;
    bool ok = false;
    for (int i = 0; !ok && i < MARGINS; i++) {
        b->plans = true;
        ok = bend_search(plan, b, l, c, gap, depth + MARGIN[i]);
        b->plans = false;
        ok = ok && settle(plan, b, l, gap, depth);
    }
    plan->work = 128;
    b->gap = gap;
    b->depth = depth;
    *seconds = plan->cost * TERM_SECONDS;
    return ok && plan->cost < MOST_TERMS;
}
