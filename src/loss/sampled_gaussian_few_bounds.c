/* SPDX-License-Identifier: MIT */
/* What the path and the rays of few uses of the sampled Gaussian leave out. On the ray l = rho
 * e^(i omega), 0 < omega < pi/4, with N = 1 - e^-l, xi = rho cos omega and theta = rho sin omega,
 *     y = y0 + s (l + ln N),   dy/d ln rho = s l/N,   |phi(y)| = phi(Re y) e^(a^2/2),   a = Im y.
 * Re N = 1 - e^-xi cos theta > 0. tan arg N = sin theta / (e^xi - cos theta), and e^xi - cos theta
 * >= xi, |sin theta| <= theta: |arg N| <= omega. Where theta > pi, xi > pi and |tan arg N| <= 1 /
 * (e^pi - 1); so arg N >= -0.046, and
 *     |dy| <= d Re y / cos(omega + 0.046),   |a| <= s (omega + theta) = s (omega + xi tan omega).
 * e^xi = |e^l| <= 1 + |e^l - 1|: xi <= L(Re y), L(y) = ln(1 + e^((y - y0)/s)). So
 *     C(omega, m) := integral along the ray of |phi(y) e^(ml) dy|
 *         <= integral of phi(y) e^E dy / cos(omega + 0.046),
 *     E = s^2 (omega + t L)^2 / 2 + max(m, 0) L,   t = tan omega < 1,
 * which increases with y. L' <= 1/s: the exponent h = E - y^2/2 has h' <= -D(y), D = y - s t (omega
 * + t L) - m/s, which increases: beyond Y with D(Y) > 0 it is at most e^h(Y) / D(Y). */
#include <math.h>

#include "loss/sampled_gaussian_few.h"
#include "num/ival.h"

#define TURNED 0.046
#define ROOT_TWO_PI 2.50662 /* below sqrt(2 pi) */
#define MOST_CELLS 6000
#define ENOUGH 12.0 /* the tail of an integral is left at e^-this */

/* ---- the masses ----------------------------------------------------------------------------- */
/* The cells begin and end at multiples of 2^-12: exact. */
static double first_edge(const sgm_item *g)
{
    double y0 = g->s * (g->log_rest - g->log_rate) + 0.5 / g->s;
    return floor((y0 - 5 * g->s) * 4096) / 4096;
}

static double cell_width(const sgm_item *g)
{
    return fmax(1, floor(fmin(0.125, g->s / 8) * 4096)) / 4096;
}

typedef struct masses {
    mpfi_t y0, s, t, m, l, part, omega;
} masses;

#define OWN 7
#define ALL(x)                                                                                     \
    {                                                                                              \
        (x)->y0, (x)->s, (x)->t, (x)->m, (x)->l, (x)->part, (x)->omega                             \
    }

static void masses_init(masses *x, const sgm_item *g, double omega, const mpfi_t order)
{
    mpfi_ptr all[OWN] = ALL(x);
    for (size_t i = 0; i < OWN; i++)
        mpfi_init2(all[i], FEW_BITS);
    mpfi_set_q(x->s, g->sigma);
    ival_log1m_q(x->y0, g->rate);
    ival_log_q(x->part, g->rate);
    mpfi_sub(x->y0, x->y0, x->part);
    mpfi_mul(x->y0, x->y0, x->s);
    mpfi_mul_2ui(x->part, x->s, 1);
    mpfi_ui_div(x->part, 1, x->part);
    mpfi_add(x->y0, x->y0, x->part);
    mpfi_set_d(x->omega, omega);
    mpfi_tan(x->t, x->omega);
    mpfi_set(x->m, order);
    ival_at_least_zero(x->m);
}

static void masses_clear(masses *x)
{
    mpfi_ptr all[OWN] = ALL(x);
    for (size_t i = 0; i < OWN; i++)
        mpfi_clear(all[i]);
}

/* x->part = E at y, and x->l = D there */
static void set_exponent(masses *x, double y)
{
    mpfi_d_sub(x->l, y, x->y0);
    mpfi_div(x->l, x->l, x->s);
    mpfi_exp(x->l, x->l);
    mpfi_log1p(x->l, x->l);
    mpfi_mul(x->part, x->l, x->m);
    mpfi_mul(x->l, x->l, x->t);
    mpfi_add(x->l, x->l, x->omega);
    mpfi_mul(x->l, x->l, x->s); /* s (omega + t L) */
    mpfi_t half;
    mpfi_init2(half, FEW_BITS);
    mpfi_sqr(half, x->l);
    mpfi_div_2ui(half, half, 1);
    mpfi_add(x->part, x->part, half);
    mpfi_mul(x->l, x->l, x->t);
    mpfi_div(half, x->m, x->s);
    mpfi_add(x->l, x->l, half);
    mpfi_d_sub(x->l, y, x->l);
    mpfi_clear(half);
}

/* out = e^(E - y^2/2), rounded up */
static void set_density(mpfr_t out, masses *x, double y)
{
    MPFR_DECL_INIT(square, FEW_BITS);
    mpfr_set_d(square, y, MPFR_RNDN);
    mpfr_sqr(square, square, MPFR_RNDD);
    mpfr_div_2ui(square, square, 1, MPFR_RNDD);
    mpfr_sub(out, &x->part->right, square, MPFR_RNDU);
    mpfr_exp(out, out, MPFR_RNDU);
}

/* The sum over all cells of what phi sqrt(2 pi) e^E is at most on each, and the ends. */
static void add_cells(mpfr_t sum, masses *x, double y, double width)
{
    MPFR_DECL_INIT(cell, FEW_BITS);
    MPFR_DECL_INIT(small, FEW_BITS);
    set_exponent(x, y);
    set_density(cell, x, fmin(y, 0)); /* phi left of y is at most e^(-y^2/2)/2, and 1 */
    mpfr_mul_d(sum, cell, y < 0 ? 1.2534 : 2.5067, MPFR_RNDU);
    for (int i = 0; i < MOST_CELLS; i++) {
        double next = y + width;
        set_exponent(x, next);
        if (mpfr_cmp_ui(&x->l->left, 1) >= 0) {
            set_density(cell, x, next); /* the tail of it, should it end here */
            mpfr_mul_d(small, sum, exp(-ENOUGH), MPFR_RNDD);
            if (mpfr_less_p(cell, small) && next > 0) {
                set_density(small, x, fmax(y, 0)); /* this cell's own */
                mpfr_mul_d(small, small, width, MPFR_RNDU);
                mpfr_add(sum, sum, small, MPFR_RNDU);
                mpfr_add(sum, sum, cell, MPFR_RNDU);
                return;
            }
        }
        set_density(cell, x, next <= 0 ? next : fmax(y, 0));
        mpfr_mul_d(cell, cell, width, MPFR_RNDU);
        mpfr_add(sum, sum, cell, MPFR_RNDU);
        y = next;
    }
    mpfr_set_inf(sum, 1);
}

void few_mass(mpfr_t most, const sgm_item *g, double omega, const mpfi_t order)
{
    masses x;
    masses_init(&x, g, omega, order);
    if (ival_bad(x.y0) || !(omega > 0 && omega < M_PI_4) || g->s > 1e6 || g->s < 1e-6)
        mpfr_set_inf(most, 1);
    else
        add_cells(most, &x, first_edge(g), cell_width(g));
    mpfi_set_d(x.part, omega);
    mpfi_add_d(x.part, x.part, TURNED);
    mpfi_cos(x.part, x.part);
    mpfi_mul_d(x.part, x.part, ROOT_TWO_PI);
    mpfr_div(most, most, &x.part->left, MPFR_RNDU);
    if (mpfr_nan_p(most))
        mpfr_set_inf(most, 1);
    masses_clear(&x);
}

double few_near_mass(const sgm_item *g, double omega, double order)
{
    double y0 = g->s * (g->log_rest - g->log_rate) + 0.5 / g->s, t = tan(omega), sum = 0;
    double y = fmax(y0 - 5 * g->s, -8), width = 2 * cell_width(g), m = fmax(order, 0), top = 0;
    sum = exp(g->s * g->s * omega * omega / 2) * (y < 0 ? 0.5 * exp(-y * y / 2) : 1);
    for (int i = 0; i < MOST_CELLS; i++, y += width) {
        double d = (y - y0) / g->s, l = d > 30 ? d : log1p(exp(d));
        double turn = g->s * (omega + t * l), h = turn * turn / 2 + m * l - y * y / 2;
        if (h > 500)
            return HUGE_VAL;
        double part = exp(h) * width / ROOT_TWO_PI;
        sum += part;
        top = fmax(top, part);
        if (y > 0 && part < 1e-5 * sum && y - t * turn - m / g->s > 0)
            return log(sum / cos(omega + TURNED));
    }
    return HUGE_VAL;
}

/* ---- nodes left out of the ray -------------------------------------------------------------- */
/* Left of ln rho = n0, rho_0 = e^n0: |e^l - 1| <= rho e^rho, so Re y <= Y(ln rho) = y0 + s (ln rho
 * + rho_0) < 0, where phi(Y) increases; |l/N| <= (1 + xi) / cos omega, as |N| >= 1 - e^-xi. The sum
 * of h phi(Y) is at most its integral Phi(Y)/s <= e^(-Y^2/2) / (2s). Where z0 = 0 the terms are W
 * (e^(zeta l) - 1), below twice that, and for Z >= |zeta|, by |e^w - 1| <= |w| e^max(0, Re w) and
 * phi
 * <= 1/sqrt(2 pi), of a sum of at most that of rho h, which is below rho_0, too. */
static void add_left(mpfr_t most, masses *x, const few_plan *plan)
{
    mpfi_t rho, edge;
    mpfi_init2(rho, FEW_BITS);
    mpfi_init2(edge, FEW_BITS);
    mpfi_set_d(edge, (double)plan->first * plan->h); /* 20 bits times fewer than 2^32: exact */
    mpfi_exp(rho, edge);
    mpfi_add(edge, edge, rho);
    mpfi_mul(edge, edge, x->s);
    mpfi_add(edge, edge, x->y0);
    bool below = mpfr_sgn(&edge->right) < 0, small = false;
    mpfi_sqr(edge, edge);
    mpfi_div_2ui(edge, edge, 1);
    mpfi_neg(edge, edge);
    mpfi_exp(edge, edge); /* of e^(-Y^2/2) / (2s), times s */
    mpfi_div_2ui(edge, edge, plan->z0 == 0 ? 0 : 1);
    if (plan->z0 == 0) {
        mpfi_set_d(x->part, 2 * plan->h * (double)plan->nodes);
        mpfi_cosh(x->part, x->part);
        mpfi_mul_d(x->part, x->part, plan->kappa); /* Z */
        mpfi_mul(x->part, x->part, rho);
        mpfi_mul(x->part, x->part, x->s); /* 1/sqrt(2 pi) < 1 */
        small = mpfr_less_p(&x->part->right, &edge->left) || !below;
        if (small)
            mpfi_set(edge, x->part);
    }
    mpfi_add(x->part, x->omega, rho);
    mpfi_mul(x->part, x->part, x->s);
    mpfi_sqr(x->part, x->part);
    mpfi_div_2ui(x->part, x->part, 1);
    mpfi_exp(x->part, x->part);
    mpfi_mul(edge, edge, x->part);
    mpfi_mul(x->part, x->m, rho);
    mpfi_exp(x->part, x->part);
    mpfi_mul(edge, edge, x->part);
    mpfi_add_ui(rho, rho, 1);
    mpfi_mul(edge, edge, rho);
    mpfi_cos(x->part, x->omega);
    mpfi_div(edge, edge, x->part);
    mpfr_add(most, most, &edge->right, MPFR_RNDU);
    if (!(below || small) || ival_bad(edge))
        mpfr_set_inf(most, 1);
    mpfi_clear(edge);
    mpfi_clear(rho);
}

/* Right of xi: Re y >= Y = y0 + s (xi + ln(1 - e^-xi0)); where Y >= 0 a node weighs at most s /
 * (cos omega sqrt(2 pi)) e^H, H = -Y^2/2 + s^2 (omega + t xi)^2 / 2 + m xi + ln(1 + xi), H' = -sY +
 * s^2 t (omega + t xi) + m + 1/(1 + xi), which falls. Nodes are xi0 h apart and more: their sum is
 * at most 1/(-H' xi0). */
static void add_right(mpfr_t most, masses *x, const few_plan *plan)
{
    mpfi_t xi, y, slope;
    mpfi_init2(xi, FEW_BITS);
    mpfi_init2(y, FEW_BITS);
    mpfi_init2(slope, FEW_BITS);
    mpfi_set_d(xi, (double)plan->last * plan->h);
    mpfi_exp(xi, xi);
    mpfi_cos(y, x->omega);
    mpfi_mul(xi, xi, y);
    mpfi_neg(y, xi);
    mpfi_expm1(y, y);
    mpfi_neg(y, y);
    mpfi_log(y, y);
    mpfi_add(y, y, xi);
    mpfi_mul(y, y, x->s);
    mpfi_add(y, y, x->y0);
    bool above = mpfr_sgn(&y->left) >= 0;
    mpfi_mul(slope, y, x->s);
    mpfi_mul(x->l, x->t, xi);
    mpfi_add(x->l, x->l, x->omega);
    mpfi_mul(x->l, x->l, x->s); /* s (omega + t xi) */
    mpfi_mul(x->part, x->l, x->t);
    mpfi_mul(x->part, x->part, x->s);
    mpfi_sub(slope, slope, x->part);
    mpfi_sub(slope, slope, x->m);
    mpfi_add_ui(x->part, xi, 1);
    mpfi_ui_div(x->part, 1, x->part);
    mpfi_sub(slope, slope, x->part); /* -H' */
    above = above && mpfr_sgn(&slope->left) > 0;
    mpfi_mul(slope, slope, xi);
    mpfi_mul(slope, slope, x->part); /* over 1 + xi of the weight */
    mpfi_sqr(y, y);
    mpfi_sqr(x->l, x->l);
    mpfi_sub(y, x->l, y);
    mpfi_div_2ui(y, y, 1);
    mpfi_mul(xi, xi, x->m);
    mpfi_add(y, y, xi);
    mpfi_exp(y, y);
    mpfi_mul(y, y, x->s);
    mpfi_div(y, y, slope);
    mpfi_cos(x->part, x->omega);
    mpfi_mul_d(x->part, x->part, ROOT_TWO_PI);
    mpfi_div(y, y, x->part);
    mpfi_mul_2ui(y, y, 1); /* of e^(zeta l) - 1 */
    mpfr_add(most, most, &y->right, MPFR_RNDU);
    if (!above || ival_bad(y))
        mpfr_set_inf(most, 1);
    mpfi_clear(slope);
    mpfi_clear(y);
    mpfi_clear(xi);
}

void few_cut(mpfr_t most, const sgm_item *g, const few_plan *plan, const mpfi_t order)
{
    masses x;
    masses_init(&x, g, plan->omega, order);
    mpfr_set_ui(most, 0, MPFR_RNDU);
    add_left(most, &x, plan);
    add_right(most, &x, plan);
    if (mpfr_nan_p(most))
        mpfr_set_inf(most, 1);
    masses_clear(&x);
}
