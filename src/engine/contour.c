/* SPDX-License-Identifier: MIT */
/* Lattice cells by a trapezoidal sum. With c > -1, theta_n = pi n / (N h), t_n = c + i theta_n and
 * w_n = e^(-2 pi i n / N),
 *     (1/N) sum_n M(t_n) e^(-t_n l_i) v_n  =  sum_k e^(2chNk) V(cell i shifted by k periods)
 *     (1/N) sum_n M(t_n) e^(-t_n l_i) g_n  =  sum_k e^(2chNk) G(cell i shifted by k periods)
 * where M(t) = E_P e^(tL), v_n = 1/(1 - r'w), g_n = r w (1 - e^(-2h)) / ((1 - r w)(1 - r'w)),
 * r = e^(-2hc), r' = e^(-2h(c+1)). For -1 < c < 0 the second sum gives G - 1 in place of G.
 * Proof: expand the geometric series and average over n, which keeps the multiples of N. All
 * shifted terms (aliases) are >= 0 (for c < 0: those of 1 - G), so the sum is an upper bound and
 * the aliases are bounded through e^(K(z) - z l), K = ln M, for any z on the far side of c.
 *     The sums are complex balls; bounded beside them are the aliases and the nodes left out. */
#include <math.h>

#include "engine/lattice.h"
#include "engine/tail.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/wide.h"

#define LN2 0.6931471805599453
/* Longest period, so that twice of it is within 64 bits; most nodes evaluated. */
#define PERIOD_LIMIT 2e18
#define NODE_LIMIT 200000UL
#define MOST_LOST 1e6 /* bits */
#define SPREAD 4.0
/* Of r and r', beyond those of the balls. */
#define MORE_BITS 16
#define BALL_BYTES 250.0

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

static void contour_init(contour *p)
{
    mpfr_init2(p->dropped, 64);
    mpfi_init2(p->scale, p->work);
    mpfi_init2(p->k, p->work);
    /* bounds only: an absolute error of 2^-40 or so is enough */
    mpfr_prec_t rough = 64 + totals_bits(p->f->all);
    mpfi_init2(p->k_above, rough);
    mpfi_init2(p->k_below, rough);
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
    return (line){.c = p->c,
                  .step = &p->f->step,
                  .halved = p->f->halved,
                  .period = p->period,
                  .last = p->period,
                  .work = p->work};
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

/* ---- terms ---------------------------------------------------------------------------------- */
/* r and r' as intervals and as balls; scale = r (1 - e^(-2h)), which every g_n has */
typedef struct constants {
    mpfi_t r, r1;
    cball ball, ball1;
} constants;

static void constants_init(constants *k, contour *p)
{
    mpfi_init2(k->r, p->work + MORE_BITS);
    mpfi_init2(k->r1, p->work + MORE_BITS);
    cball_init(&k->ball, p->work + MORE_BITS);
    cball_init(&k->ball1, p->work + MORE_BITS);
    int whole;
    frexp(2 * p->f->h * (fabs(p->c) + 1), &whole);
    mpfi_t h, x;
    mpfi_init2(h, p->work + 2 * MORE_BITS + (whole > 0 ? whole : 0));
    mpfi_init2(x, mpfi_get_prec(h));
    lattice_spacing(h, p->f);
    mpfi_neg(h, h);
    mpfi_mul_d(x, h, p->c);
    mpfi_exp(k->r, x);
    mpfi_exp(k->r1, h);
    mpfi_mul(k->r1, k->r1, k->r);
    mpfi_expm1(p->scale, h);
    mpfi_neg(p->scale, p->scale);
    mpfi_mul(p->scale, p->scale, k->r);
    cball_set_i(&k->ball, k->r);
    cball_set_i(&k->ball1, k->r1);
    mpfi_clear(x);
    mpfi_clear(h);
}

static void constants_clear(constants *k)
{
    mpfi_clear(k->r);
    mpfi_clear(k->r1);
    cball_clear(&k->ball);
    cball_clear(&k->ball1);
}

/* p->dropped = N e^-lambda max |v_n|, |g_n|, rounded up: each node that is left out is at most
 * e^-lambda times that, and there are fewer than N. As |1 - r w| >= |1 - r| for |w| = 1, and the
 * same for r', the largest are v_0 and |g_0|; a pole makes them infinite. */
static void bound_dropped(contour *p, const constants *k)
{
    mpfi_t v, g;
    mpfr_t rest;
    mpfi_init2(v, 64 + p->work);
    mpfi_init2(g, 64 + p->work);
    mpfr_init2(rest, 64);
    mpfi_ui_sub(v, 1, k->r1);
    mpfi_ui_sub(g, 1, k->r);
    mpfi_abs(g, g);
    mpfi_ui_div(v, 1, v);
    mpfi_div(g, p->scale, g);
    mpfi_mul(g, g, v);
    mpfr_max(p->dropped, &v->right, &g->right, MPFR_RNDU);
    mpfr_set_d(rest, -p->lambda, MPFR_RNDU);
    mpfr_exp(rest, rest, MPFR_RNDU);
    wide_mul_fr(rest, rest, p->period, MPFR_RNDU);
    mpfr_mul(p->dropped, p->dropped, rest, MPFR_RNDU);
    if (ival_bad(v) || ival_bad(g))
        mpfr_set_inf(p->dropped, 1);
    mpfr_clear(rest);
    mpfi_clear(g);
    mpfi_clear(v);
}

/* phi in the list v becomes the terms in both: with a = phi / ((1 - r w)(1 - r'w)) they are
 * phi v_n = a (1 - r w) and phi g_n = scale a w. */
static dp_status add_kernels(contour *p, const limits *lim)
{
    dp_status status = DP_OK;
    constants k;
    cball w, one, other;
    cball *all[] = {&w, &one, &other};
    constants_init(&k, p);
    for (size_t j = 0; j < 3; j++)
        cball_init(all[j], p->work);
    bound_dropped(p, &k);
    for (size_t i = 0; status == DP_OK && i < p->nodes.count; i++) {
        uint64_t n = p->nodes.node[i];
        cball *g = &p->g[i], *v = &p->v[i];
        if (n > 0)
            cball_add(v, v, v);                                      /* and the conjugate at -n */
        cball_unit(&w, n == 0 ? 0 : 2 * (p->period - n), p->period); /* e^(-2 pi i n / N) */
        cball_mul(&one, &w, &k.ball);
        cball_one_minus(&one, &one);
        cball_mul(&other, &w, &k.ball1);
        cball_one_minus(&other, &other);
        cball_mul(&other, &other, &one);
        cball_inv(&other, &other);
        cball_mul(&other, &other, v);
        cball_mul(v, &other, &one);
        cball_mul(g, &other, &w);
        if (i % 16 == 15 && limits_expired(lim))
            status = DP_LIMIT;
    }
    for (size_t j = 0; j < 3; j++)
        cball_clear(all[j]);
    constants_clear(&k);
    return status;
}

dp_status contour_terms(contour *p, const limits *lim)
{
    size_t count = p->nodes.count;
    if (!limits_allow(lim, 2 * (double)count * (BALL_BYTES + (double)p->work / 4)))
        return DP_LIMIT;
    line at = line_of(p);
    p->g = cball_list_new(count, p->work);
    p->v = cball_list_new(count, p->work);
    if (p->g == NULL || p->v == NULL)
        return DP_MEMORY;
    dp_status status = totals_values(p->v, p->f->all, &at, &p->nodes, lim);
    return status == DP_OK ? add_kernels(p, lim) : status;
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
        status = contour_terms(p, lim);
    if (status == DP_OK)
        set_moments(p, lim);
    return status;
}

void contour_close(contour *p)
{
    if (p->work == 0)
        return;
    cball_list_free(p->g, p->nodes.count);
    cball_list_free(p->v, p->nodes.count);
    node_list_clear(&p->nodes);
    mpfr_clear(p->dropped);
    mpfi_clear(p->scale);
    mpfi_clear(p->k);
    mpfi_clear(p->k_above);
    mpfi_clear(p->k_below);
}

/* ---- the sums ------------------------------------------------------------------------------- */
/* l_i / h = rise - 2 i: the phase e^(-i theta_n l_i) = e^(i pi n (2 i - rise) / N) is reduced
 * exactly modulo 2N. */
void contour_add(mpfi_t g, mpfi_t v, const contour *p, const mpz_t i)
{
    mpz_t angle;
    cball phase, term, sum_g, sum_v;
    cball *all[] = {&phase, &term, &sum_g, &sum_v};
    for (size_t k = 0; k < 4; k++)
        cball_init(all[k], p->work);
    mpz_init(angle);
    mpz_mul_2exp(angle, i, 1);
    mpz_sub(angle, angle, p->f->rise);
    uint64_t modulus = 2 * p->period, turn = wide_mod_z(angle, modulus);
    for (size_t k = 0; k < p->nodes.count; k++) {
        cball_unit(&phase, wide_product_mod(turn, p->nodes.node[k], modulus), p->period);
        cball_mul(&term, &phase, &p->g[k]);
        cball_add(&sum_g, &sum_g, &term);
        cball_mul(&term, &phase, &p->v[k]);
        cball_add(&sum_v, &sum_v, &term);
    }
    cball_real(g, &sum_g);
    mpfi_mul(g, g, p->scale);
    cball_real(v, &sum_v);
    mpz_clear(angle);
    for (size_t k = 0; k < 4; k++)
        cball_clear(all[k]);
}

/* sum = (sum +- what was dropped) / N * size */
static void scale_sum(mpfi_t sum, const mpfi_t size, const contour *p)
{
    mpfr_sub(&sum->left, &sum->left, p->dropped, MPFR_RNDD);
    mpfr_add(&sum->right, &sum->right, p->dropped, MPFR_RNDU);
    wide_div(sum, sum, p->period);
    mpfi_mul(sum, sum, size);
}

/* l = top - 2 h i, and the length 2 h N of a period */
static void place_atom(mpfi_t l, mpfi_t period, const contour *p, const mpz_t i)
{
    lattice_spacing(period, p->f);
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
    mpfr_t alias;
    mpfi_t l, size, period;
    mpfr_init2(alias, 64);
    mpfi_init2(l, p->work);
    mpfi_init2(size, p->work);
    mpfi_init2(period, p->work);
    mpfr_set_ui(alias, 0, MPFR_RNDU);
    place_atom(l, period, p, i);
    tail_chernoff(size, p->k, l, p->c);
    tail_alias(alias, p->k_below, l, p->below, p->c, period);
    /* with N > i no atom lies a whole period above cell i, where they are bounded */
    uint64_t cell = UINT64_MAX;
    if (p->f->all->bounded)
        wide_get_z(&cell, i); /* a larger one is not below N */
    if (!(p->c > 0 && cell < p->period)) {
        if (p->no_above)
            mpfr_set_inf(alias, 1); /* not prepared for a cell this low */
        else
            tail_alias(alias, p->k_above, l, p->above, p->c, period);
    }
    mpfi_set_prec(g, p->work);
    mpfi_set_prec(v, p->work);
    contour_add(g, v, p, i);
    scale_sum(g, size, p);
    scale_sum(v, size, p);
    mpfr_sub(&v->left, &v->left, alias, MPFR_RNDD);
    if (p->c > 0) {
        mpfr_sub(&g->left, &g->left, alias, MPFR_RNDD);
    } else { /* the sum is -(1 - G) - aliases */
        mpfi_add_ui(g, g, 1);
        mpfr_add(&g->right, &g->right, alias, MPFR_RNDU);
    }
    if (ival_bad(g) || ival_bad(v)) {
        mpfi_interv_si(g, 0, 1);
        mpfi_interv_si(v, 0, 1);
    }
    ival_clamp_ui(g, 0, 1);
    ival_clamp_ui(v, 0, 1);
    mpfi_clear(period);
    mpfi_clear(size);
    mpfi_clear(l);
    mpfr_clear(alias);
}
