/* SPDX-License-Identifier: MIT */
/* Laplace noise on a Poisson sample by its ends (loss/ends.h). Of the removed record M(z) = G(1 +
 * z), of the added one G(-z), and G(w) = sum over both ends of r^w (A + B J(w + 1)), at the upper
 * end with -B, r = r(l), l = -e and e, A = 1/2 and e^-e/2, B = K/4 and K e^-e/4, K = r e^-l/q: the
 * density b of y = ln r is that of sampled_laplace_far.c, and from an end on to i infinity integral
 * of b(y) e^(wy) dy = B r^w J(w + 1),   J(w) = integral of e^(wv) Q(v)^(-3/2) dv, Q(v) = 1 + K (e^v
 * - 1), Q^(-3/2) = e^(-3v/2) (1 + (K-1) (1 - e^-v))^(-3/2). For Re v >= 0 it is |Q|
 * >= K (|e^v| - 1) + 1 >= 1, as Q = K (e^v - (1 - 1/K)): there all is analytic. For v = iu
 *     |Q|^2 = 1 + 4K(K-1) sin^2(u/2),
 * with sin(u/2) >= u/pi up to pi and the same backwards up to 2 pi, and so on, so that
 *     |J(w)| <= min(1/t, 2.6221/kappa (1 + e^(-pi t)) / (1 - e^(-2 pi t))),   t = Im w,
 * kappa = 2 sqrt(K(K-1)) / pi, 2.6221 > integral of (1 + x^2)^(-3/4) dx from 0 on. */
#include "loss/ends.h"

#include <math.h>

#include "loss/sampled_laplace_parts.h"
#include "num/ival.h"

#define LN2 0.6931471805599453
#define BOUND_BITS 64

static const slm_item *item_of(const void *self, size_t kind)
{
    return &((const slm *)self)->item[kind];
}

static size_t kinds(const void *self)
{
    return ((const slm *)self)->items;
}

static mpz_srcptr times(const void *self, size_t kind)
{
    return item_of(self, kind)->times;
}

/* Of the added record the upper end of ln r is the lower one of the loss. */
static bool is_upper(const slm_item *g, size_t end)
{
    return g->add ? end == 0 : end == 1;
}

static void places(mpfi_t low, mpfi_t high, const void *self, size_t kind)
{
    const slm_item *g = item_of(self, kind);
    mpfi_ptr to[] = {low, high};
    for (size_t k = 0; k < 2; k++) {
        slm_end x;
        slm_end_init(&x, g, is_upper(g, k), mpfi_get_prec(low));
        if (g->add)
            mpfi_neg(to[k], x.place);
        else
            mpfi_set(to[k], x.place);
        slm_end_clear(&x);
    }
}

/* ---- how large it is ------------------------------------------------------------------------- */
/* out >= |J(w)|, Im w >= t */
static void most_of_j(mpfi_t out, const mpfi_t k, double t)
{
    mpfi_t part, wave;
    mpfi_init2(part, BOUND_BITS);
    mpfi_init2(wave, BOUND_BITS);
    mpfi_sub_ui(part, k, 1);
    mpfi_mul(part, part, k);
    mpfi_sqrt(part, part);
    mpfi_mul_2ui(part, part, 1);
    mpfi_const_pi(wave);
    mpfi_div(part, part, wave);
    mpfi_set_ui(out, 26221);
    mpfi_div_ui(out, out, 10000);
    mpfi_div(out, out, part);
    mpfi_mul_d(wave, wave, -t);
    mpfi_exp(wave, wave);
    mpfi_add_ui(part, wave, 1);
    mpfi_mul(out, out, part);
    mpfi_sqr(wave, wave);
    mpfi_ui_sub(part, 1, wave);
    mpfi_div(out, out, part);
    mpfi_set_d(part, t);
    mpfi_ui_div(part, 1, part);
    if (ival_bad(out) || mpfr_less_p(&part->right, &out->right))
        mpfi_set(out, part);
    mpfi_clear(wave);
    mpfi_clear(part);
}

static void most(mpfr_t to[2], const void *self, size_t kind, double tau)
{
    const slm_item *g = item_of(self, kind);
    mpfi_t j;
    mpfi_init2(j, BOUND_BITS);
    for (size_t k = 0; k < 2; k++) {
        slm_end x;
        slm_end_init(&x, g, is_upper(g, k), BOUND_BITS);
        most_of_j(j, x.k, tau);
        mpfi_mul(j, j, x.b);
        mpfi_add(j, j, x.a);
        mpfr_set(to[k], &j->right, MPFR_RNDU);
        slm_end_clear(&x);
    }
    mpfi_clear(j);
}

static double height(const void *self, size_t kind, double c)
{
    return fmax(1, 1.3 * slm_start(item_of(self, kind), c));
}

static dp_status ray(cball *const f[2], const void *self, size_t kind, const ends_ray *at)
{
    const slm_item *g = item_of(self, kind);
    mpfr_prec_t bits = at->bits + 3 * (mpfr_prec_t)fabs(log2(g->q)) + (mpfr_prec_t)(6 * g->e) + 48;
    dp_status status = DP_OK;
    for (size_t k = 0; status == DP_OK && k < 2; k++)
        status = slm_end_values(f[k], g, is_upper(g, k), at, bits);
    return status;
}

/* ---- near the real line ---------------------------------------------------------------------- */
/* m[j] += mass e^(log (c + i t_j)) or so for one outcome of Q */
static void add_outcome(cball *m, const mpfi_t log, const mpfi_t mass, const slm_item *g, double c,
                        mpfi_t *t, size_t count)
{
    mpfi_t x, theta;
    cball term;
    mpfi_init2(x, mpfi_get_prec(log));
    mpfi_init2(theta, mpfi_get_prec(log));
    cball_init(&term, mpfi_get_prec(log));
    mpfi_set_d(x, c); /* exact */
    if (g->add)
        mpfi_neg(x, x);
    else
        mpfi_add_ui(x, x, 1);
    mpfi_mul(x, x, log);
    mpfi_exp(x, x);
    mpfi_mul(x, x, mass);
    for (size_t j = 0; j < count; j++) {
        mpfi_mul(theta, log, t[j]);
        if (g->add)
            mpfi_neg(theta, theta);
        cball_turn(&term, theta);
        cball_mul_i(&term, &term, x);
        cball_add(&m[j], &m[j], &term);
    }
    cball_clear(&term);
    mpfi_clear(theta);
    mpfi_clear(x);
}

static void add_missed(cball *m, const slm_item *g, double c, mpfr_srcptr high, size_t count)
{
    MPFR_DECL_INIT(exact, 53);
    MPFR_DECL_INIT(missed, BOUND_BITS);
    mpfi_t p;
    mpfi_init2(p, BOUND_BITS);
    mpfr_set_d(exact, c, MPFR_RNDN);
    slm_power(p, g, exact);
    slm_missed(missed, g, p, high);
    for (size_t j = 0; j < count; j++) {
        mpfr_add(m[j].radius, m[j].radius, missed, MPFR_RNDU);
        mpfr_add(m[j].size, m[j].size, missed, MPFR_RNDU);
        cball_measure(&m[j]);
    }
    mpfi_clear(p);
}

static dp_status line_values(cball *m, const void *self, size_t kind, double c, mpfi_t *t,
                             size_t count, mpfr_prec_t bits, const limits *lim)
{
    const slm_item *g = item_of(self, kind);
    double high = mpfi_get_d(t[count - 1]);
    for (size_t j = 0; j < count; j++)
        cball_set_ui(&m[j], 0);
    double power = g->add ? -c : 1 + c, depth = LN2 * (double)bits - slm_near_log(g, power);
    if (!slm_rule_set(g, power, high, depth, bits + 32)) {
        slm_nothing(m, count);
        return DP_OK;
    }
    mpfi_t log, mass;
    mpfi_init2(log, bits + 32);
    mpfi_init2(mass, bits + 32);
    bool late = false;
    for (size_t i = 0; !late && i < g->memo->rule.panels * g->memo->rule.points; i++) {
        slm_point(log, mass, g, i);
        add_outcome(m, log, mass, g, c, t, count);
        late = limits_expired(lim);
    }
    for (int upper = 0; upper < 2; upper++) {
        slm_atom(log, mass, g, upper == 1);
        add_outcome(m, log, mass, g, c, t, count);
    }
    add_missed(m, g, c, &t[count - 1]->right, count);
    mpfi_clear(mass);
    mpfi_clear(log);
    return late ? DP_LIMIT : DP_OK;
}

const ends_ops slm_ends = {
    .kinds = kinds,
    .times = times,
    .places = places,
    .height = height,
    .most = most,
    .ray = ray,
    .line = line_values,
};
