/* SPDX-License-Identifier: MIT */
/* The path of few uses of the sampled Gaussian: what its rule misses, and its plan. On the path of
 * an angle psi, zeta = kappa sin(psi + iu), 0 < psi < pi/4, z = z0 + zeta, and the rule of step 2h
 * on phi misses at most (N_+ + N_-) / (e^(pi v/h) - 1), N_+- the integrals on psi = phi +- v of
 *     |F dz| / 2 pi <= R/d e^(log_mass - z0 X) e^(-y cosh u) du / 2 pi,   y = kappa X sin psi,
 * R >= |zeta'/z|, d <= |z + 1|, where no pole lies between, at 0 or -1. As cosh u - 1 >= e^u/2 - 1,
 * the integral of e^(-y (cosh u - 1)) from 0 on is at most ln(2 + 2/y) + 1 (cut at e^u = 2 +
 * 2/y). Beyond the last node cosh u >= cosh U + (u - U) sinh U. With a = -z0/kappa and t = 1/cosh
 * u, |z / (kappa cosh u)|^2 = 1 - 2 a t sin psi + (a^2 - cos^2 psi) t^2,   |zeta'| <= kappa cosh u,
 * least at an end of [0, 1] where that is concave, else not below its vertex, 1 - (a sin psi)^2 /
 * (a^2 - cos^2 psi). And |z + 1|^2 = (kappa cosh u)^2 - 2 D kappa sin psi cosh u + D^2 - (kappa cos
 * psi)^2, D = -1 - z0: where D sin psi <= kappa it is least at u = 0, D - kappa sin psi, else not
 * below cos^2 psi (D^2 - kappa^2). */
#include <math.h>

#include "loss/sampled_gaussian_few.h"
#include "num/ival.h"

void few_vertex(mpfi_t out, const few_plan *plan, double angle)
{
    mpfi_set_d(out, angle);
    mpfi_sin(out, out);
    mpfi_mul_d(out, out, plan->kappa);
    mpfi_add_d(out, out, plan->z0);
}

/* out >= R */
static void most_ratio(mpfi_t out, const few_plan *plan, const mpfi_t sine)
{
    mpfi_t a, square, least;
    mpfi_init2(a, FEW_BITS);
    mpfi_init2(square, FEW_BITS);
    mpfi_init2(least, FEW_BITS);
    mpfi_set_d(a, -plan->z0);
    mpfi_div_d(a, a, plan->kappa);
    mpfi_sub(least, a, sine);
    mpfi_sqr(least, least); /* at t = 1 */
    if (mpfr_cmp_ui(&least->left, 1) > 0)
        mpfi_set_ui(least, 1); /* at t = 0 */
    mpfi_sqr(square, a);
    mpfi_sqr(out, sine);
    mpfi_add(square, square, out);
    mpfi_sub_ui(square, square, 1); /* a^2 - cos^2 */
    if (mpfr_sgn(&square->right) > 0) {
        mpfi_mul(a, a, sine);
        mpfi_sub(out, a, square);
        bool beyond = mpfr_sgn(&square->left) > 0 && mpfr_sgn(&out->left) >= 0; /* vertex t >= 1 */
        mpfi_sqr(a, a);
        mpfi_div(a, a, square);
        mpfi_ui_sub(a, 1, a);
        if (!beyond && mpfr_sgn(&square->left) > 0)
            mpfr_min(&least->left, &least->left, &a->left, MPFR_RNDD);
        else if (!beyond)
            mpfr_set_zero(&least->left, 1);
    }
    mpfi_sqrt(least, least);
    mpfi_ui_div(out, 1, least);
    mpfi_clear(least);
    mpfi_clear(square);
    mpfi_clear(a);
}

/* out = d */
static void least_distance(mpfi_t out, const few_plan *plan, const mpfi_t sine)
{
    mpfi_t d, part;
    mpfi_init2(d, FEW_BITS);
    mpfi_init2(part, FEW_BITS);
    mpfi_set_d(d, plan->z0);
    mpfi_add_ui(d, d, 1);
    mpfi_neg(d, d);
    mpfi_mul(part, d, sine);
    if (mpfr_cmp_d(&part->right, plan->kappa) <= 0) {
        mpfi_mul_d(part, sine, plan->kappa);
        mpfi_sub(out, d, part);
        mpfi_abs(out, out);
    } else {
        mpfi_sqr(out, d);
        mpfi_set_d(part, plan->kappa);
        mpfi_sqr(part, part);
        mpfi_sub(out, out, part);
        mpfi_sqr(part, sine);
        mpfi_ui_sub(part, 1, part);
        mpfi_mul(out, out, part);
        ival_at_least_zero(out);
        mpfi_sqrt(out, out);
    }
    mpfi_clear(part);
    mpfi_clear(d);
}

/* out = R/d e^(log_mass - z0 X) / pi, and y on the path of that angle */
static void set_path(mpfi_t out, mpfi_t y, const few_plan *plan, double angle, const mpfi_t gap,
                     mpfr_srcptr log_mass)
{
    mpfi_t part;
    mpfi_init2(part, FEW_BITS);
    mpfi_set_d(y, angle);
    mpfi_sin(y, y);
    most_ratio(out, plan, y);
    least_distance(part, plan, y);
    mpfi_div(out, out, part);
    mpfi_mul_d(part, gap, -plan->z0);
    mpfi_add_fr(part, part, log_mass);
    mpfi_exp(part, part);
    mpfi_mul(out, out, part);
    mpfi_const_pi(part);
    mpfi_div(out, out, part);
    mpfi_mul_d(y, y, plan->kappa);
    mpfi_mul(y, y, gap);
    mpfi_clear(part);
}

static void add_edge(mpfr_t most, const few_plan *plan, double angle, const mpfi_t gap,
                     mpfr_srcptr log_mass)
{
    mpfi_t n, y, part;
    mpfi_init2(n, FEW_BITS);
    mpfi_init2(y, FEW_BITS);
    mpfi_init2(part, FEW_BITS);
    set_path(n, y, plan, angle, gap, log_mass);
    mpfi_ui_div(part, 2, y);
    mpfi_add_ui(part, part, 2);
    mpfi_log(part, part);
    mpfi_add_ui(part, part, 1);
    mpfi_mul(n, n, part);
    mpfi_neg(y, y);
    mpfi_exp(y, y);
    mpfi_mul(n, n, y);
    mpfi_const_pi(part);
    mpfi_mul_d(part, part, plan->v);
    mpfi_div_d(part, part, plan->h);
    mpfi_expm1(part, part);
    mpfi_div(n, n, part);
    mpfr_add(most, most, &n->right, MPFR_RNDU);
    if (ival_bad(n))
        mpfr_set_inf(most, 1);
    mpfi_clear(part);
    mpfi_clear(y);
    mpfi_clear(n);
}

static void add_beyond(mpfr_t most, const few_plan *plan, const mpfi_t gap, mpfr_srcptr log_mass)
{
    mpfi_t n, y, part;
    mpfi_init2(n, FEW_BITS);
    mpfi_init2(y, FEW_BITS);
    mpfi_init2(part, FEW_BITS);
    set_path(n, y, plan, plan->phi, gap, log_mass);
    mpfi_set_d(part, 2 * plan->h * (double)plan->nodes);
    mpfi_sinh(part, part);
    mpfi_mul(part, part, y);
    mpfi_div(n, n, part);
    mpfi_set_d(part, 2 * plan->h * (double)plan->nodes);
    mpfi_cosh(part, part);
    mpfi_mul(part, part, y);
    mpfi_neg(part, part);
    mpfi_exp(part, part);
    mpfi_mul(n, n, part);
    mpfr_add(most, most, &n->right, MPFR_RNDU);
    if (ival_bad(n))
        mpfr_set_inf(most, 1);
    mpfi_clear(part);
    mpfi_clear(y);
    mpfi_clear(n);
}

/* Does the strip of the path leave both poles on one side, and the strip of the ray hold? */
static bool is_sound(const few_plan *plan)
{
    mpfi_t left, right;
    mpfi_init2(left, FEW_BITS);
    mpfi_init2(right, FEW_BITS);
    few_vertex(left, plan, plan->phi - plan->v);
    few_vertex(right, plan, plan->phi + plan->v);
    bool apart = mpfr_sgn(&left->left) > 0 || mpfr_cmp_si(&right->right, -1) < 0;
    mpfi_clear(right);
    mpfi_clear(left);
    return apart && plan->phi > plan->v && plan->phi + plan->v <= plan->omega - plan->beta &&
           plan->omega + plan->beta < M_PI_4 && plan->beta > 0 && plan->kappa > 0 &&
           plan->nodes > 0;
}

void few_missed(mpfr_t most, const few_plan *plan, const mpfi_t gap, mpfr_srcptr log_mass)
{
    mpfr_set_ui(most, 0, MPFR_RNDU);
    add_edge(most, plan, plan->phi + plan->v, gap, log_mass);
    add_edge(most, plan, plan->phi - plan->v, gap, log_mass);
    add_beyond(most, plan, gap, log_mass);
    if (!is_sound(plan) || mpfr_sgn(&gap->left) <= 0 || mpfr_nan_p(most))
        mpfr_set_inf(most, 1);
}

/* ---- plans, which choose -------------------------------------------------------------------- */
#define MOST_DEPTH 1e5
#define UNIT 1048576.0 /* of angles: 2^20 */
#define MOST_WORK 1e7  /* products */
#define SPARE_BITS 30

static double short_of(double x, int bits)
{
    int exponent;
    double m = frexp(x, &exponent);
    return ldexp(floor(ldexp(m, bits)), exponent - bits);
}

/* Nodes of the ray, where they weigh e^-depth and more. */
static void plan_ray(few_plan *plan, const sgm_item *g, double depth, double order)
{
    double y0 = g->s * (g->log_rest - g->log_rate) + 0.5 / g->s, t = tan(plan->omega);
    double turn = g->s * plan->omega, goal = -sqrt(2 * depth + turn * turn + 4);
    double low = (goal - y0) / g->s;
    for (int i = 0; i < 20; i++) /* ln rho + rho = low */
        low = fmin(low, (goal - y0) / g->s - exp(low));
    if (plan->z0 == 0)
        low = fmax(low, -depth - log(plan->kappa * (g->s + 1)) - 2 * plan->h * (double)plan->nodes);
    double xi = fmax(1, -y0 / g->s + 1), m = fmax(order, 0);
    for (int i = 0; i < 400; i++, xi *= 1.08) {
        double y = y0 + g->s * (xi + log1p(-exp(-xi))), a = g->s * (plan->omega + t * xi);
        double slope = g->s * y - g->s * t * a - m - 1 / (1 + xi);
        if (y > 0 && slope > 0 && (a * a - y * y) / 2 + m * xi + log1p(xi) < -depth)
            break;
    }
    int64_t first = (int64_t)floor(low / plan->h),
            last = (int64_t)ceil(log(xi / cos(plan->omega)) / plan->h);
    plan->first = first < plan->first ? first : plan->first;
    plan->last = last > plan->last ? last : plan->last;
}

static void set_angles(few_plan *plan, double v)
{
    plan->beta = floor(v * UNIT / 2) / UNIT;
    plan->v = 2 * plan->beta;
    plan->phi = plan->v + floor(plan->v * UNIT / 10) / UNIT;
    plan->omega = plan->phi + plan->v + plan->beta;
}

/* The steps and their numbers, the path being set; false where some mass is infinite. */
static bool plan_steps(few_plan *plan, const sgm *l, double gap, double depth)
{
    double order = 1 + plan->z0 + plan->kappa * sin(plan->phi + plan->v), mass = 0, uses = 0;
    for (size_t i = 0; i < l->items; i++) {
        double inner = few_near_mass(&l->item[i], plan->omega - plan->beta, order),
               outer = few_near_mass(&l->item[i], plan->omega + plan->beta, order);
        mass += l->item[i].count * inner;
        uses += l->item[i].count;
        if (!(fmax(inner, outer) < 200))
            return false;
        depth += fmax(0, outer - inner);
    }
    double left = plan->z0 + plan->kappa * sin(plan->phi - plan->v), y = plan->kappa * gap;
    double near = plan->z0 < 0 ? fabs(plan->z0 + 1 + plan->kappa * sin(plan->phi + plan->v)) : 1;
    double largest = mass - left * gap + log(log(2 + 2 / (y * sin(plan->phi - plan->v))) + 1) +
                     log(10 / near + 1);
    double all = fmax(depth + largest, 8) + 4 + log(uses);
    if (!(all < MOST_DEPTH))
        return false;
    plan->h = short_of(2 * M_PI * plan->beta / all, 20);
    double cosh_u = fmax(1.05, (all - plan->z0 * gap + left * gap) / (y * sin(plan->phi)));
    double nodes = ceil(log(2 * cosh_u) / (2 * plan->h)) + 1;
    plan->nodes = nodes < 1e6 ? (int64_t)nodes : 1000000;
    plan->first = INT64_MAX;
    plan->last = INT64_MIN;
    for (size_t i = 0; i < l->items; i++)
        plan_ray(plan, &l->item[i], all, order);
    plan->work = (mpfr_prec_t)((all + log(all)) / M_LN2) + SPARE_BITS;
    plan->cost = (double)(plan->last - plan->first) * nodes;
    return plan->last > plan->first;
}

/* The path of that width whose vertex is c from the nearer pole. */
static bool plan_path(few_plan *at, const sgm *l, double width, double c, double gap, double depth)
{
    *at = (few_plan){0};
    set_angles(at, width);
    c = short_of(c, 24);
    if (l->item[0].add) {
        at->kappa = short_of(0.9 * c / (sin(at->phi + at->v) - sin(at->phi)), 24);
        at->z0 = short_of(-1 - c - at->kappa * sin(at->phi), 24);
    } else {
        at->kappa = short_of(c / sin(at->phi), 24);
    }
    return plan_steps(at, l, gap, depth);
}

#define WIDTHS 5
#define WIDEST 0.23
#define NARROWER 0.65
#define STEPS 12

bool few_plan_make(few_plan *plan, const sgm *l, double gap, double depth)
{
    few_plan at, best = {.cost = HUGE_VAL};
    double width = WIDEST, from = (depth + 10) / gap;          /* for what is said by e^(-zX) */
    for (size_t i = 0; !l->item[0].add && i < l->items; i++) { /* and by moments */
        const sgm_item *g = &l->item[i];
        from = fmin(from, 4 + 4 * g->s * g->s * (3 - g->log_rate));
    }
    for (int i = 0; i < WIDTHS; i++, width *= NARROWER) {
        double last = HUGE_VAL;
        for (int k = 0; k < STEPS; k++) {
            if (!plan_path(&at, l, width, from * exp2(-k), gap, depth))
                continue;
            if (at.cost < best.cost)
                best = at;
            if (at.cost > 1.2 * last)
                break;
            last = fmin(last, at.cost);
        }
    }
    *plan = best;
    return best.cost <= MOST_WORK;
}
