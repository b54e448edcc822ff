/* SPDX-License-Identifier: MIT */
/* Lattice cells by a trapezoidal sum. With c > -1, theta_n = pi n / (N h), t_n = c + i theta_n and
 * w_n = e^(-2 pi i n / N),
 *     (1/N) sum_n M(t_n) e^(-t_n l_i) v_n  =  sum_k e^(2chNk) V(cell i shifted by k periods)
 *     (1/N) sum_n M(t_n) e^(-t_n l_i) g_n  =  sum_k e^(2chNk) G(cell i shifted by k periods)
 * where M(t) = E_P e^(tL), v_n = 1/(1 - r'w), g_n = r w (1 - e^(-2h)) / ((1 - r w)(1 - r'w)),
 * r = e^(-2hc), r' = e^(-2h(c+1)). For -1 < c < 0 the second sum gives G - 1 in place of G.
 * Proof: expand the geometric series and average over n, which keeps the multiples of N. All
 * shifted terms (aliases) are >= 0 (for c < 0: those of 1 - G), so the sum is an upper bound and
 * the aliases are bounded through e^(K(z) - z l), K = ln M, for any z on the far side of c. */
#include <math.h>

#include "engine/lattice.h"
#include "engine/tail.h"
#include "num/complex.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/wide.h"

#define LN2 0.6931471805599453
/* Longest period, so that twice of it is within 64 bits; most nodes evaluated. */
#define PERIOD_LIMIT 2e18
#define NODE_LIMIT 200000UL
#define MOST_LOST 1e6 /* bits */
#define SPREAD 4.0

/* Chooses the period so that both alias sums are below e^log_tol. False when it gets too long. */
static bool plan_period(contour *p, double atoms_above, double l, double log_tol)
{
    const lattice *f = p->f;
    double period, step = 2 * f->h;
    double longest = step * PERIOD_LIMIT;
    p->no_above = false;
    if (p->c > 0) {
        p->below = 0;
        p->above = 0;
        period = -log_tol / p->c;
    } else {
        p->above = 0;
        period = -log_tol / -p->c;
        p->below = -1;
        /* good for what is some deviations off, too: this bound grows by e^x */
        double other =
            (l + f->all->tilt.lift + SPREAD * f->all->tilt.deviation - log_tol) / (1 + p->c);
        period = period > other ? period : other;
    }
    period = fmax(period, step);
    while (p->c > 0 && period < longest) {
        p->no_above = period / step > atoms_above + 1; /* no atom lies that high */
        if (p->no_above || tail_best_above(&f->all->tilt, 0, p->c, l, period, &p->above) < log_tol)
            break;
        period *= 1.1;
    }
    if (!(period < longest))
        return false;
    p->period = (uint64_t)ceil(period / step) | 1;
    return true;
}

/* ln of the largest |v_n| and |g_n|: at n = 0 */
static double log_kernel(const contour *p)
{
    double h = p->f->h;
    double v = 1 / -expm1(-2 * h * (p->c + 1));
    double g = v * fabs(exp(-2 * h * p->c) * expm1(-2 * h) / expm1(-2 * h * p->c));
    return log(fmax(v, g));
}

static dp_status make_plan(contour *p, double x, mpfr_prec_t bits)
{
    const tilt *t = &p->f->all->tilt;
    double h = p->f->h;
    bool left = tilt_is_left(t, x);
    p->c = tail_short(tilt_saddle(t, x, left));
    double log_value = tilt_log_profile(t, x, p->c);
    double log_tol = -(double)bits * LN2 - 3;
    if (!plan_period(p, (t->total - x) / (2 * h), x, log_tol + fmin(log_value, 0)))
        return DP_LIMIT;
    /* the mean value of the sum, against which errors are relative */
    double log_mean = log_value - (tilt_k(t, p->c) - p->c * x);
    double kernel = log_kernel(p);
    p->lambda = kernel - log_tol - log_mean;
    double small = fmin(fabs(expm1(-2 * h * p->c)), -expm1(-2 * h * (p->c + 1)));
    double lost = (kernel - log_mean - log(small)) / LN2;
    if (!(lost < MOST_LOST)) /* doubles this far apart plan nothing */
        return DP_LIMIT;
    p->work = bits + totals_bits(p->f->all) + (mpfr_prec_t)fmax(lost, 0) + 32;
    return DP_OK;
}

/* r, r', drop to within 3u: 16 more bits and those of the exponents before the point, rounded once
 * or twice */
static void set_constants(contour *p)
{
    int whole;
    frexp(2 * p->f->h * (fabs(p->c) + 1), &whole);
    mpfr_prec_t bits = p->work + 16 + (whole > 0 ? whole : 0);
    mpfi_t h, x;
    mpfi_init2(h, bits);
    mpfi_init2(x, bits);
    ival_set_number(h, &p->f->step);
    mpfi_mul_2ui(h, h, 1);
    mpfi_mul_d(x, h, -p->c);
    mpfi_exp(x, x);
    mpfi_get_fr(p->r, x);
    mpfi_neg(h, h);
    mpfi_exp(x, h);
    mpfr_mul(p->r1, p->r, &x->left, MPFR_RNDN);
    mpfi_expm1(x, h);
    mpfi_neg(x, x);
    mpfi_get_fr(p->drop, x);
    mpfr_const_pi(p->pi, MPFR_RNDN);
    mpfi_clear(x);
    mpfi_clear(h);
}

static void contour_init(contour *p)
{
    mpfr_ptr real[] = {p->error, p->r, p->r1, p->drop, p->pi};
    for (size_t i = 0; i < 5; i++)
        mpfr_init2(real[i], p->work);
    mpfi_init2(p->k, p->work);
    /* bounds only: an absolute error of 2^-40 or so is enough */
    mpfr_prec_t rough = 64 + totals_bits(p->f->all);
    mpfi_init2(p->k_above, rough);
    mpfi_init2(p->k_below, rough);
    set_constants(p);
}

/* A look at every loss, which of long lists takes seconds. */
static void set_moments(contour *p, const limits *lim)
{
    const product *q = p->f->all->product;
    tail_k(p->k, q, p->c, lim);
    if (!p->no_above)
        tail_k(p->k_above, q, p->above, lim);
    tail_k(p->k_below, q, p->below, lim);
}

/* An item that advances by 1/N adds w/4 (1 - cos(2 pi n/N)) to D(n), which grows up to the last
 * node, half a turn, and is at least w/4 19.7 (n/N)^2 up to n = N/64; 19 leaves two percent for the
 * rounding of doubles. So it alone drops every node after this one; where there is none, or N/64 is
 * not enough, that is the last. On a lattice every turn is a multiple of 1/N modulo 1, N < 2^62, so
 * one within a few 2^-88 of 1/N is that. */
static uint64_t last_node(const contour *p, const scan_item *item, size_t count)
{
    uint64_t last = (p->period - 1) / 2;
    double weight = 0;
    scan_item unit;
    scan_item_lattice_turn(&unit, 1, p->period);
    for (size_t i = 0; i < count; i++)
        if (item[i].turn == unit.turn && item[i].rest <= unit.rest + 4 &&
            unit.rest <= item[i].rest + 4)
            weight = fmax(weight, item[i].weight);
    double most = 2 + (double)p->period * sqrt(4 * p->lambda / (19 * weight));
    return most < (double)p->period / 65 ? (uint64_t)most : last;
}

/* The nodes are pi n / (N h) and so on up to `last`. */
static line line_of(const contour *p)
{
    return (line){
        .c = p->c, .step = &p->f->step, .period = p->period, .last = p->period, .work = p->work};
}

/* A node costs about a microsecond an item. Up to this many seconds, or nodes of a long list,
 * the sum is at most about what a bracket takes. */
#define NODE_SECONDS 1e-6
#define CHEAP_SECONDS 0.5
#define CHEAP_NODES 500

static dp_status find_nodes(contour *p, bool cheap, const limits *lim)
{
    line at = line_of(p);
    size_t count;
    scan_item *item = totals_items(&count, p->f->all, &at);
    if (item == NULL)
        return DP_MEMORY;
    double seconds = NODE_SECONDS * (p->f->all->factors + 40);
    size_t in_time = limits_count(lim, seconds, NODE_LIMIT);
    size_t few = (size_t)fmax(CHEAP_NODES, CHEAP_SECONDS / seconds);
    size_t most = cheap && few < in_time ? few : in_time;
    uint64_t last = last_node(p, item, count);
    dp_status status = last >> SCAN_NODE_BITS == 0
                           ? scan_nodes(&p->nodes, item, count, 0, last, p->lambda, most, lim)
                           : DP_LIMIT;
    p->dear = status == DP_LIMIT && most < in_time && p->nodes.count == most;
    if (p->nodes.count == most && most == in_time && most < NODE_LIMIT)
        limits_note(lim, DP_MET_TIME);
    memory_free(item);
    return status;
}

static dp_status evaluate_nodes(contour *p, const limits *lim)
{
    line at = line_of(p);
    return totals_nodes(&p->phi, p->error, p->f->all, &at, &p->nodes, lim);
}

dp_status contour_open(contour *p, const lattice *f, double x, mpfr_prec_t bits, bool cheap,
                       const limits *lim)
{
    *p = (contour){.f = f};
    dp_status status = make_plan(p, x, bits);
    if (status != DP_OK) {
        p->work = 0; /* nothing to close */
        return status;
    }
    contour_init(p);
    status = find_nodes(p, cheap, lim);
    if (status == DP_OK)
        status = evaluate_nodes(p, lim);
    if (status == DP_OK)
        set_moments(p, lim);
    return status;
}

void contour_close(contour *p)
{
    if (p->work == 0)
        return;
    totals_drop(p->phi, p->nodes.count);
    node_list_clear(&p->nodes);
    mpfr_ptr real[] = {p->error, p->r, p->r1, p->drop, p->pi};
    for (size_t i = 0; i < 5; i++)
        mpfr_clear(real[i]);
    mpfi_clear(p->k);
    mpfi_clear(p->k_above);
    mpfi_clear(p->k_below);
}

/* out = 1 - r w */
static void one_minus(cx *out, mpfr_srcptr r, const cx *w)
{
    mpfr_mul(out->re, w->re, r, MPFR_RNDN);
    mpfr_ui_sub(out->re, 1, out->re, MPFR_RNDN);
    mpfr_mul(out->im, w->im, r, MPFR_RNDN);
    mpfr_neg(out->im, out->im, MPFR_RNDN);
}

/* Scratch of one sum. */
typedef struct sums {
    mpfr_t g, v;
    cx phase, w, kv, kg, t;
    mpz_t angle;
} sums;

/* Adds phi e^(-i theta l) times both kernels at node n, with the conjugate at -n. */
static void add_node(sums *s, const contour *p, const mpz_t i, size_t index)
{
    uint64_t n = p->nodes.node[index];
    /* l_i / h = rise - 2 i, reduced exactly modulo 2N */
    mpz_mul_2exp(s->angle, i, 1);
    mpz_sub(s->angle, s->angle, p->f->rise);
    wide_mul_z(s->angle, s->angle, n);
    cx_unit(&s->phase, wide_mod_z(s->angle, 2 * p->period), p->period, p->pi);
    cx_mul(&s->phase, &s->phase, &p->phi[index], &s->t);
    cx_unit(&s->w, n == 0 ? 0 : 2 * (p->period - n), p->period, p->pi); /* e^(-2 pi i n / N) */
    one_minus(&s->kv, p->r1, &s->w);
    cx_inv(&s->kv, &s->kv, &s->t);
    one_minus(&s->kg, p->r, &s->w);
    cx_inv(&s->kg, &s->kg, &s->t);
    cx_mul(&s->kg, &s->kg, &s->kv, &s->t);
    cx_mul(&s->kg, &s->kg, &s->w, &s->t);
    mpfr_mul(s->t.re, p->r, p->drop, MPFR_RNDN);
    mpfr_mul(s->kg.re, s->kg.re, s->t.re, MPFR_RNDN);
    mpfr_mul(s->kg.im, s->kg.im, s->t.re, MPFR_RNDN);
    cx_mul(&s->kg, &s->kg, &s->phase, &s->t);
    cx_mul(&s->kv, &s->kv, &s->phase, &s->t);
    if (n > 0) {
        mpfr_mul_2ui(s->kg.re, s->kg.re, 1, MPFR_RNDN);
        mpfr_mul_2ui(s->kv.re, s->kv.re, 1, MPFR_RNDN);
    }
    mpfr_add(s->g, s->g, s->kg.re, MPFR_RNDN);
    mpfr_add(s->v, s->v, s->kv.re, MPFR_RNDN);
}

/* kernel = the largest |v_n|, |g_n|, rounded up; pole = 18 max(1,r)/|1-r| + 18/(1-r'), the relative
 * error of a kernel in units of u. */
static void kernel_bound(mpfr_t kernel, mpfr_t pole, const contour *p)
{
    mpfr_t gap, gap1;
    mpfr_init2(gap, 64);
    mpfr_init2(gap1, 64);
    mpfr_ui_sub(gap1, 1, p->r1, MPFR_RNDD);
    mpfr_ui_sub(gap, 1, p->r, MPFR_RNDZ); /* |1-r| rounded toward 0 */
    mpfr_abs(gap, gap, MPFR_RNDD);
    mpfr_ui_div(pole, 1, gap, MPFR_RNDU);
    mpfr_mul(kernel, pole, p->r, MPFR_RNDU);
    mpfr_mul(kernel, kernel, p->drop, MPFR_RNDU); /* |g| (1-r') */
    if (mpfr_cmp_ui(kernel, 1) < 0)
        mpfr_set_ui(kernel, 1, MPFR_RNDU);
    mpfr_div(kernel, kernel, gap1, MPFR_RNDU);
    if (mpfr_cmp_ui(p->r, 1) > 0)
        mpfr_mul(pole, pole, p->r, MPFR_RNDU);
    mpfr_ui_div(gap1, 1, gap1, MPFR_RNDU);
    mpfr_add(pole, pole, gap1, MPFR_RNDU);
    mpfr_mul_ui(pole, pole, 18, MPFR_RNDU);
    /* r and r' are known to 3u and pole u < 2^-12 is asked for below, so the gaps are known to a
     * relative 2^-14: (1 + 2^-10) covers that */
    mpfr_mul_d(kernel, kernel, 1 + 0x1p-10, MPFR_RNDU);
    mpfr_mul_d(pole, pole, 1 + 0x1p-10, MPFR_RNDU);
    mpfr_clear(gap1);
    mpfr_clear(gap);
}

/* Bounds |computed sum - full sum| over both kernels; false when the precision is too low for the
 * first-order analysis. A node's phi carries p->error, its phase 14u, its kernel `pole` + 40u, the
 * products 8u, the running sum one u per node added. Each dropped node is at most kernel e^-lambda,
 * and there are fewer than N. */
static bool error_bound(mpfr_t error, const contour *p)
{
    mpfr_t kernel, pole, rest;
    mpfr_init2(kernel, 64);
    mpfr_init2(pole, 64);
    mpfr_init2(rest, 64);
    kernel_bound(kernel, pole, p);
    mpfr_add_ui(pole, pole, 64 + p->nodes.count, MPFR_RNDU);
    mpfr_div_2ui(pole, pole, (unsigned long)p->work, MPFR_RNDU);
    mpfr_add(error, p->error, pole, MPFR_RNDU);
    bool small = mpfr_cmp_d(error, 0x1p-12) < 0;
    mpfr_mul_d(error, error, 1 + 0x1p-8, MPFR_RNDU); /* higher orders */
    mpfr_mul_ui(error, error, 2 * p->nodes.count, MPFR_RNDU);
    mpfr_set_d(rest, -p->lambda, MPFR_RNDU);
    mpfr_exp(rest, rest, MPFR_RNDU);
    wide_mul_fr(rest, rest, p->period, MPFR_RNDU);
    mpfr_add(error, error, rest, MPFR_RNDU);
    mpfr_mul(error, error, kernel, MPFR_RNDU);
    mpfr_clear(rest);
    mpfr_clear(pole);
    mpfr_clear(kernel);
    return small;
}

/* out = (sum +- error) / N * size */
static void scale_sum(mpfi_t out, mpfr_srcptr sum, mpfr_srcptr error, const mpfi_t size,
                      const contour *p)
{
    mpfi_set_prec(out, p->work);
    mpfr_sub(&out->left, sum, error, MPFR_RNDD);
    mpfr_add(&out->right, sum, error, MPFR_RNDU);
    wide_div(out, out, p->period);
    mpfi_mul(out, out, size);
}

static void add_all(sums *s, const contour *p, const mpz_t i)
{
    cx *complex[] = {&s->phase, &s->w, &s->kv, &s->kg, &s->t};
    for (size_t k = 0; k < 5; k++)
        cx_init(complex[k], p->work);
    mpfr_init2(s->g, p->work);
    mpfr_init2(s->v, p->work);
    mpz_init(s->angle);
    mpfr_set_ui(s->g, 0, MPFR_RNDN);
    mpfr_set_ui(s->v, 0, MPFR_RNDN);
    for (size_t k = 0; k < p->nodes.count; k++)
        add_node(s, p, i, k);
    for (size_t k = 0; k < 5; k++)
        cx_clear(complex[k]);
    mpz_clear(s->angle);
}

/* l = top - 2 h i, and the length 2 h N of a period */
static void place_atom(mpfi_t l, mpfi_t period, const contour *p, const mpz_t i)
{
    ival_set_number(period, &p->f->step);
    mpfi_mul_2ui(period, period, 1);
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(l));
    ival_mul_z(part, period, i);
    logform_enclose(l, &p->f->all->top);
    mpfi_sub(l, l, part);
    wide_mul(period, period, p->period);
    mpfi_clear(part);
}

void contour_cell(mpfi_t g, mpfi_t v, const contour *p, const mpz_t i)
{
    sums s;
    add_all(&s, p, i);
    mpfr_t error, alias;
    mpfi_t l, size, period;
    mpfr_init2(error, 64);
    mpfr_init2(alias, 64);
    mpfi_init2(l, p->work);
    mpfi_init2(size, p->work);
    mpfi_init2(period, p->work);
    mpfr_set_ui(alias, 0, MPFR_RNDU);
    place_atom(l, period, p, i);
    tail_chernoff(size, p->k, l, p->c);
    bool sound = error_bound(error, p);
    tail_alias(alias, p->k_below, l, p->below, p->c, period);
    /* with N > i no atom lies a whole period above cell i */
    uint64_t cell = UINT64_MAX;
    wide_get_z(&cell, i); /* a larger one is not below N */
    if (!(p->c > 0 && cell < p->period)) {
        if (p->no_above)
            mpfr_set_inf(alias, 1); /* not prepared for a cell this low */
        else
            tail_alias(alias, p->k_above, l, p->above, p->c, period);
    }
    scale_sum(g, s.g, error, size, p);
    scale_sum(v, s.v, error, size, p);
    mpfr_sub(&v->left, &v->left, alias, MPFR_RNDD);
    if (p->c > 0) {
        mpfr_sub(&g->left, &g->left, alias, MPFR_RNDD);
    } else { /* the sum is -(1 - G) - aliases */
        mpfi_add_ui(g, g, 1);
        mpfr_add(&g->right, &g->right, alias, MPFR_RNDU);
    }
    if (!sound || ival_bad(g) || ival_bad(v)) {
        mpfi_interv_si(g, 0, 1);
        mpfi_interv_si(v, 0, 1);
    }
    ival_clamp_ui(g, 0, 1);
    ival_clamp_ui(v, 0, 1);
    mpfi_clear(period);
    mpfi_clear(size);
    mpfi_clear(l);
    mpfr_clear(alias);
    mpfr_clear(error);
    mpfr_clear(s.g);
    mpfr_clear(s.v);
}
