/* SPDX-License-Identifier: MIT */
/* The law of discrete Gaussian noise off the real line. Tilted by c the noise k has masses
 * proportional to e^(-(k + cD)^2 / (2 sigma2)), and M(c + it) / M(c) = e^(i theta D/2) E e^(-i
 * theta k), theta = tD/sigma2. With r the integer nearest to theta / 2 pi and theta' = theta - 2 pi
 * r = (-1)^(rD) sum over m of e^(-sigma2 a^2 / 2 + i cD a + i theta' D/2) / theta(cD), a = theta' +
 *       2 pi m,
 * by Poisson summation: |theta'| <= pi, so few m matter. */
#include "loss/discrete_gaussian_nodes.h"

#include <math.h>

#include "loss/discrete.h"
#include "loss/line.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/number.h"
#include "num/wide.h"

#define LN2 0.6931471805599453
#define PI 3.141592653589793

/* theta(1/2) is about e^(-1/(8 sigma2)) of theta(0). */
mpfr_prec_t discrete_gaussian_lost(double variance)
{
    return variance < 1 ? 8 + (mpfr_prec_t)(0.19 / variance) : 8;
}

/* ---- real ----------------------------------------------------------------------------------- */
/* q = e^(-2 pi^2 sigma2 m^2), at = 2 pi^2 sigma2 */
static void set_wave(mpfi_t q, const mpfi_t at, unsigned long m)
{
    mpfi_mul_ui(q, at, m);
    mpfi_mul_ui(q, q, m);
    mpfi_neg(q, q);
    mpfi_exp(q, q);
}

/* What is left out after the M-th wave: with q_m = q^(m^2), sum over m > M of q_m <= q_(M+1) / (1 -
 * q^(2M+3)). */
void discrete_gaussian_waves(mpfi_t norm, mpfi_t fall, const mpfi_t sigma2, const mpfi_t w)
{
    mpfi_t at, q, part;
    mpfr_prec_t bits = mpfi_get_prec(norm);
    mpfi_ptr all[] = {at, q, part};
    for (size_t i = 0; i < 3; i++)
        mpfi_init2(all[i], bits);
    double rate = 2 * PI * PI * mpfi_get_d(sigma2);
    unsigned long most = (unsigned long)sqrt(LN2 * (double)bits / rate);
    mpfi_const_pi(at);
    mpfi_sqr(at, at);
    mpfi_mul(at, at, sigma2);
    mpfi_mul_2ui(at, at, 1);
    mpfi_set_ui(norm, 0);
    mpfi_set_ui(fall, 0);
    for (unsigned long m = 1; m <= most; m++) {
        set_wave(q, at, m);
        mpfi_add(norm, norm, q);
        mpfi_const_pi(part);
        mpfi_mul_ui(part, part, m);
        mpfi_mul(part, part, w);
        mpfi_sin(part, part);
        mpfi_sqr(part, part);
        mpfi_mul(part, part, q);
        mpfi_add(fall, fall, part);
    }
    set_wave(q, at, most + 1);
    mpfi_mul_ui(part, at, 2 * most + 3);
    mpfi_neg(part, part);
    mpfi_expm1(part, part);
    mpfi_neg(part, part);
    mpfi_div(q, q, part);
    mpfr_add(&norm->right, &norm->right, &q->right, MPFR_RNDU);
    mpfr_add(&fall->right, &fall->right, &q->right, MPFR_RNDU);
    mpfi_mul_2ui(fall, fall, 2);
    mpfi_mul_2ui(norm, norm, 1);
    mpfi_add_ui(norm, norm, 1);
    for (size_t i = 0; i < 3; i++)
        mpfi_clear(all[i]);
}

/* ---- nodes ---------------------------------------------------------------------------------- */
/* One item on a line. */
typedef struct factor {
    mpfi_t variance, lean, wave, norm; /* sigma2, D (c + 1/2), 2 pi cD, 1 / theta(cD) */
    mpfi_t circle, apart;              /* 2 pi, D / sigma2 */
    bool placed, odd;
    uint64_t multiple; /* half / step, modulo 2 period */
    double guess;      /* of sigma2 */
    double need;       /* a term e^-need does not count */
    mpfi_t angle, x, theta;
    cball sum, term;
} factor;

/* D t / sigma2 is wanted to an absolute error where it is not placed, and so is cD times what is
 * left of it; and the power adds up what a factor is off by. */
static mpfr_prec_t factor_bits(const integer_noise *n, const line *at, bool on_lattice)
{
    mpfi_t t;
    mpfi_init2(t, 64);
    line_height(t, at, at->last);
    mpfr_exp_t high = mpfr_regular_p(&t->right) ? mpfr_get_exp(&t->right) : 0;
    mpfi_clear(t);
    double turns = on_lattice ? 0 : log2(n->moved / n->variance) + (double)high;
    return at->work + 24 + (mpfr_prec_t)mpz_sizeinbase(n->times, 2) +
           (mpfr_prec_t)mpz_sizeinbase(n->distance, 2) + discrete_gaussian_lost(n->variance) +
           (mpfr_prec_t)fmax(turns, 0) + (mpfr_prec_t)fmax(log2(fabs(at->c) + 1), 0);
}

/* multiple = half / h modulo 2 period where half is a multiple of the step of the lattice */
static bool placed(uint64_t *multiple, const integer_noise *n, const line *at)
{
    if (at->step == NULL)
        return false;
    mpz_t m;
    mpz_init(m);
    bool ok = discrete_multiple(m, &n->half, at->step);
    mpz_mul_2exp(m, m, at->halved ? 1 : 0);
    if (ok)
        *multiple = wide_mod_z(m, 2 * at->period);
    mpz_clear(m);
    return ok;
}

static void factor_init(factor *f, const integer_noise *n, const line *at)
{
    f->placed = placed(&f->multiple, n, at);
    mpfr_prec_t bits = factor_bits(n, at, f->placed);
    mpfi_ptr all[] = {f->variance, f->lean,  f->wave, f->norm, f->circle,
                      f->apart,    f->angle, f->x,    f->theta};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mpfi_init2(all[i], bits);
    cball_init(&f->sum, bits);
    cball_init(&f->term, bits);
    f->guess = n->variance;
    f->need = LN2 * (double)bits;
    f->odd = mpz_odd_p(n->distance) != 0;
    mpfi_set_q(f->variance, n->sigma2);
    mpfi_set_z(f->apart, n->distance);
    mpfi_div(f->apart, f->apart, f->variance);
    mpfi_const_pi(f->circle);
    mpfi_mul_2ui(f->circle, f->circle, 1);
    mpfi_set_d(f->lean, at->c);
    mpfi_mul_z(f->lean, f->lean, n->distance);
    discrete_gaussian_waves(f->norm, f->x, f->variance, f->lean);
    mpfi_sub(f->norm, f->norm, f->x);
    mpfi_ui_div(f->norm, 1, f->norm);
    mpfi_mul(f->wave, f->circle, f->lean);
    mpfi_set_z(f->x, n->distance);
    mpfi_div_2ui(f->x, f->x, 1);
    mpfi_add(f->lean, f->lean, f->x);
}

static void factor_clear(factor *f)
{
    mpfi_ptr all[] = {f->variance, f->lean,  f->wave, f->norm, f->circle,
                      f->apart,    f->angle, f->x,    f->theta};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mpfi_clear(all[i]);
    cball_clear(&f->term);
    cball_clear(&f->sum);
}

/* f->theta = theta'; returns whether r is odd. Any integer near theta / 2 pi will do. */
static bool reduce(factor *f, const line *at, uint64_t node)
{
    if (f->placed) { /* theta = 2 pi u / period, u modulo 2 period */
        uint64_t u = wide_product_mod(node, f->multiple, 2 * at->period);
        uint64_t r = u / at->period, rest = u % at->period;
        bool up = rest > at->period / 2;
        wide_mul(f->theta, f->circle, up ? at->period - rest : rest);
        wide_div(f->theta, f->theta, at->period);
        if (up)
            mpfi_neg(f->theta, f->theta);
        return ((r + up) & 1) != 0;
    }
    mpz_t r;
    mpz_init(r);
    line_height(f->theta, at, node);
    mpfi_mul(f->theta, f->theta, f->apart);
    mpfi_div(f->x, f->theta, f->circle);
    mpfr_get_z(r, &f->x->left, MPFR_RNDN); /* 0 where that is no number */
    ival_mul_z(f->x, f->circle, r);
    mpfi_sub(f->theta, f->theta, f->x);
    bool odd = mpz_odd_p(r) != 0;
    mpz_clear(r);
    return odd;
}

/* term = e^(-sigma2 a^2 / 2 + i (lean theta' + m wave)), a = theta' + 2 pi m */
static void set_term(factor *f, long m)
{
    mpfi_mul_si(f->x, f->circle, m);
    mpfi_add(f->x, f->x, f->theta);
    mpfi_sqr(f->x, f->x);
    mpfi_mul(f->x, f->x, f->variance);
    mpfi_div_2ui(f->x, f->x, 1);
    mpfi_neg(f->x, f->x);
    mpfi_mul_si(f->angle, f->wave, m);
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(f->angle));
    mpfi_mul(part, f->lean, f->theta);
    mpfi_add(f->angle, f->angle, part);
    mpfi_clear(part);
    cball_exp(&f->term, f->x, f->angle);
}

/* The terms |m| > M, together: with y = 2 pi (M+1) - |theta'| > 0 the two of each |m| are at most 2
 * e^(-sigma2 (y + 2 pi j)^2 / 2), j = |m| - M - 1, and (y + 2 pi j)^2 >= y^2 + 4 pi j y. */
static void add_rest(factor *f, long most)
{
    mpfi_t y;
    mpfi_init2(y, 64);
    mpfi_abs(y, f->theta);
    mpfi_mul_si(f->x, f->circle, most + 1);
    mpfi_sub(y, f->x, y);
    bool near = mpfr_sgn(&y->left) > 0;
    mpfi_mul(f->x, f->circle, y);
    mpfi_mul(f->x, f->x, f->variance);
    mpfi_neg(f->x, f->x);
    mpfi_expm1(f->x, f->x);
    mpfi_neg(f->x, f->x);
    mpfi_sqr(y, y);
    mpfi_mul(y, y, f->variance);
    mpfi_div_2ui(y, y, 1);
    mpfi_neg(y, y);
    mpfi_exp(y, y);
    mpfi_div(y, y, f->x);
    mpfi_mul_2ui(y, y, 1);
    if (ival_bad(y) || !near)
        mpfr_set_inf(&y->right, 1);
    mpfr_add(f->sum.radius, f->sum.radius, &y->right, MPFR_RNDU);
    mpfr_add(f->sum.size, f->sum.size, &y->right, MPFR_RNDU);
    mpfi_clear(y);
}

/* sum = (M(z) / M(c))^times at the node */
static void factor_at(factor *f, const line *at, uint64_t node, const mpz_t times)
{
    MPFR_DECL_INIT(one, 2);
    mpfr_set_ui(one, 1, MPFR_RNDN);
    bool negative = reduce(f, at, node) && f->odd;
    double theta = fabs(mpfi_get_d(f->theta)), away = sqrt(2 * f->need / f->guess);
    long most = (long)fmin(fmax((away + theta) / (2 * PI), 0), 1e6);
    set_term(f, 0);
    cball_set(&f->sum, &f->term);
    for (long m = 1; m <= most; m++) {
        set_term(f, m);
        cball_add(&f->sum, &f->sum, &f->term);
        set_term(f, -m);
        cball_add(&f->sum, &f->sum, &f->term);
    }
    add_rest(f, most);
    cball_mul_i(&f->sum, &f->sum, f->norm);
    if (negative) {
        mpfr_neg(f->sum.re, f->sum.re, MPFR_RNDN);
        mpfr_neg(f->sum.im, f->sum.im, MPFR_RNDN);
    }
    cball_measure(&f->sum);
    cball_cap(&f->sum, one);
    cball_pow(&f->sum, &f->sum, times);
    cball_cap(&f->sum, one);
}

dp_status discrete_gaussian_multiply(cball *phi, const void *self, const line *at,
                                     const uint64_t *node, size_t count, const limits *lim)
{
    const discrete_gaussian *g = self;
    dp_status status = DP_OK;
    for (size_t i = 0; status == DP_OK && i < g->items; i++) {
        factor f;
        factor_init(&f, &g->item[i], at);
        if (!line_time_for(lim, count, g->item[i].times, mpfi_get_prec(f.x)))
            status = DP_LIMIT;
        for (size_t k = 0; status == DP_OK && k < count; k++) {
            if (node[k] == 0)
                continue; /* 1 */
            factor_at(&f, at, node[k], g->item[i].times);
            cball_mul(&phi[k], &phi[k], &f.sum);
            if (limits_expired(lim))
                status = DP_LIMIT;
        }
        factor_clear(&f);
    }
    return status;
}

/* ---- the scan ------------------------------------------------------------------------------- */
#define MANY 4.0       /* of sigma2, from which on the least variance is taken without a sum */
#define REACH 16.0     /* of the sum, in sigma2: terms fall by e^-REACH */
#define EXACT_BITS 192 /* of cD and of halves beside it */

/* out += e^-y / (1 + e^-y)^2, y = |x| / sigma2, rounded down: it falls with y, and rises with e^-y.
 */
static void add_share(mpfr_t out, mpfr_srcptr x, const mpq_t sigma2)
{
    MPFR_DECL_INIT(y, 64);
    MPFR_DECL_INIT(e, 64);
    mpfr_abs(y, x, MPFR_RNDU);
    mpfr_div_q(y, y, sigma2, MPFR_RNDU);
    mpfr_neg(y, y, MPFR_RNDN);
    mpfr_exp(e, y, MPFR_RNDD);
    mpfr_add_ui(y, e, 1, MPFR_RNDU);
    mpfr_sqr(y, y, MPFR_RNDU);
    mpfr_div(e, e, y, MPFR_RNDD);
    mpfr_add(out, out, e, MPFR_RNDD);
}

/* out <= the variance V of the tilted noise. By the product of Jacobi its generating function is
 * that of independent 0s and 1s with odds e^(-(n + 1/2 + cD) / sigma2), n any integer, whose
 * variances are f(n + 1/2 + cD), f(x) = e^-y / (1 + e^-y)^2 with y = |x| / sigma2: V is their sum,
 * and at least the integral, sigma2, less the largest, 1/4. */
static void least_variance(mpfr_t out, const integer_noise *n, double c)
{
    if (n->variance >= MANY) {
        mpfr_set_q(out, n->sigma2, MPFR_RNDD);
        mpfr_sub_d(out, out, 0.25, MPFR_RNDD);
        return;
    }
    mpfr_t x, at;
    mpfr_init2(x, EXACT_BITS);
    mpfr_init2(at, EXACT_BITS);
    mpfr_set_d(x, c, MPFR_RNDN);
    mpfr_mul_z(x, x, n->distance, MPFR_RNDN);
    mpfr_frac(x, x, MPFR_RNDN); /* exact, as the product is */
    mpfr_set_ui(out, 0, MPFR_RNDN);
    long reach = (long)(REACH * n->variance) + 2;
    for (long k = -reach; k <= reach; k++) {
        mpfr_add_d(at, x, (double)k + 0.5, MPFR_RNDA);
        add_share(out, at, n->sigma2);
    }
    mpfr_clear(at);
    mpfr_clear(x);
}

/* Such a 0 or 1 with odds o has |E e^(i theta k)|^2 = 1 - v (1 - cos theta), v = 2 o/(1+o)^2 twice
 * its variance, so -ln|phi| = -(1/2) sum ln(1 - v (1 - cos)) >= V (1 - cos theta): one item, of
 * weight 4V for each use, that turns as theta does. */
size_t discrete_gaussian_resonances(scan_item *out, size_t room, const void *self, const line *at)
{
    const discrete_gaussian *g = self;
    for (size_t i = 0; out != NULL && i < g->items && i < room; i++) {
        const integer_noise *n = &g->item[i];
        MPFR_DECL_INIT(weight, 64);
        MPFR_DECL_INIT(times, 64);
        least_variance(weight, n, at->c);
        mpfr_set_z(times, n->times, MPFR_RNDD);
        mpfr_mul(weight, weight, times, MPFR_RNDD);
        mpfr_mul_2ui(weight, weight, 2, MPFR_RNDD);
        out[i].weight = fmin(mpfr_get_d(weight, MPFR_RNDD), 0x1p900);
        uint64_t multiple;
        if (placed(&multiple, n, at)) {
            scan_item_lattice_turn(&out[i], multiple, at->period);
            continue;
        }
        mpfi_t apart;
        mpfi_init2(apart, line_turn_bits(at, ilogb(n->moved / n->variance) + 2));
        mpfi_set_q(apart, number_rational(&n->half));
        mpfi_mul_2ui(apart, apart, 1);
        line_turn(&out[i], at, apart);
        mpfi_clear(apart);
    }
    return g->items;
}
