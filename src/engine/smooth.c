/* SPDX-License-Identifier: MIT */
/* s_w(x) by the trapezoidal rule on Re t = c, spacing 2 pi / R:
 *     (e^(K(c) - cx) / R) sum_n phi(theta_n) e^(-i theta_n x) e^(w^2 (t^2+t)/2) / (t (t+1))
 *         = s_w(x) + sum of aliases,  t = c + i theta_n,
 * all aliases >= 0 and bounded as on the lattice with K(z) + w^2 z(z+1)/2 in place of K. For
 * -1 < c < 0 the sum is s_w - 1 less the aliases of 1 - s_w. */
#include "engine/smooth.h"

#include <math.h>

#include "engine/tail.h"
#include "num/complex.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/wide.h"

#define LN2 0.6931471805599453
#define RATIO SMOOTH_RATIO
#define NODE_LIMIT 200000UL
#define SPREAD 4.0
#define SPAN_LIMIT 1e12
#define MOST_BITS 1e6

typedef struct choice {
    double log_value, log_tol, period;
} choice;

static bool plan_period(smooth *p, choice *q, double x)
{
    double period, wide = RATIO * RATIO * p->width * p->width;
    double log_tol = q->log_tol + fmin(q->log_value, 0);
    if (p->c > 0) {
        p->below = 0;
        period = -log_tol / p->c;
    } else {
        p->above = 0;
        period = -log_tol / -p->c;
        p->below = -1;
        /* good for what is some deviations off, too: this bound grows by e^x */
        double other =
            (x + p->all->tilt.lift + SPREAD * p->all->tilt.deviation - log_tol) / (1 + p->c);
        period = period > other ? period : other;
    }
    while (p->c > 0 && period < 1e15 &&
           tail_best_above(&p->all->tilt, wide, p->c, x, period, &p->above) > log_tol)
        period *= 1.1;
    q->period = period;
    return period < 1e15;
}

static dp_status make_plan(smooth *p, choice *q, double x, double gap)
{
    const tilt *t = &p->all->tilt;
    bool left = tilt_is_left(t, x);
    p->c = tail_short(tilt_saddle(t, x, left));
    q->log_value = tilt_log_profile(t, x, p->c);
    q->log_tol = log(gap) - 3;
    /* s_w - s is about w^2 c(c+1)/2 of s, and the lower end costs 2.25 of that more */
    p->width = tail_short(sqrt(gap / (1.7 * fabs(p->c * (p->c + 1)) + 0.1)));
    double damp = p->width * p->width * p->c * (p->c + 1) / 2;
    if (!plan_period(p, q, x) || damp > 1 || RATIO < 1.1 * exp(0.0703125 * p->width * p->width))
        return DP_LIMIT;
    double log_mean = q->log_value - (tilt_k(t, p->c) - p->c * x);
    /* nodes add up to at most 1/(2c) + 1/(R c^2) times the largest |phi| */
    double c = fabs(p->c), kernel = log(0.5 / c + 1 / (q->period * c * c)) + fabs(damp);
    p->lambda = kernel - q->log_tol - log_mean;
    double theta = sqrt(2 * fmax(p->lambda, 1)) / p->width;
    if (!(theta * q->period < SPAN_LIMIT))
        return DP_LIMIT;
    p->last = (uint64_t)(theta * q->period / 6.283185307179586) + 1;
    double reach = theta * (x + 4 * t->largest + 1);
    double bits = (log(1 / gap) + fmax(kernel - log_mean, 0) + log(reach)) / LN2;
    if (!(bits < MOST_BITS)) /* doubles this far apart plan nothing */
        return DP_LIMIT;
    p->work = (mpfr_prec_t)bits + totals_bits(p->all) + 40;
    return DP_OK;
}

static void smooth_init(smooth *p, double period)
{
    mpfr_init2(p->spacing, p->work);
    mpfr_init2(p->width2, 64);
    mpfr_init2(p->error, 64);
    mpfr_const_pi(p->spacing, MPFR_RNDN);
    mpfr_mul_2ui(p->spacing, p->spacing, 1, MPFR_RNDN);
    mpfr_div_d(p->spacing, p->spacing, tail_short(period), MPFR_RNDN);
    mpfr_set_d(p->width2, p->width, MPFR_RNDN);
    mpfr_sqr(p->width2, p->width2, MPFR_RNDN); /* 48 bits: exact */
    mpfi_init2(p->k, p->work);
    mpfr_prec_t rough = 64 + totals_bits(p->all);
    for (size_t i = 0; i < 2; i++) {
        mpfi_init2(p->k_above[i], rough);
        mpfi_init2(p->k_below[i], rough);
    }
}

/* A look at every loss, which of long lists takes seconds. */
static void set_moments(smooth *p, const limits *lim)
{
    const product *q = p->all->product;
    tail_k(p->k, q, p->c, lim);
    mpfr_t wide;
    mpfr_init2(wide, 64);
    mpfr_mul_d(wide, p->width2, RATIO * RATIO, MPFR_RNDN); /* 25/16: exact */
    mpfr_srcptr width2[] = {p->width2, wide};
    mpfi_t above, below;
    mpfi_init2(above, mpfi_get_prec(p->k_above[0]));
    mpfi_init2(below, mpfi_get_prec(p->k_below[0]));
    tail_k(above, q, p->above, lim);
    tail_k(below, q, p->below, lim);
    for (size_t i = 0; i < 2; i++) {
        tail_widen(p->k_above[i], above, p->above, width2[i]);
        tail_widen(p->k_below[i], below, p->below, width2[i]);
    }
    mpfi_clear(below);
    mpfi_clear(above);
    mpfr_clear(wide);
}

static line line_of(const smooth *p)
{
    return (line){.c = p->c, .spacing = p->spacing, .last = p->last, .work = p->work};
}

static dp_status find_nodes(smooth *p, const limits *lim)
{
    line at = line_of(p);
    size_t count;
    scan_item *item = totals_items(&count, p->all, &at);
    if (item == NULL)
        return DP_MEMORY;
    size_t most = limits_count(lim, 7e-6 * (p->all->factors + 10), NODE_LIMIT);
    uint64_t last = totals_last(p->all, &at, p->lambda);
    dp_status status = scan_nodes(&p->nodes, item, count, 0, last, p->lambda, most, lim);
    if (p->nodes.count == most && most < NODE_LIMIT)
        limits_note(lim, DP_MET_TIME);
    memory_free(item);
    return status;
}

/* out = phi e^(w2 (t^2+t)/2) / (t (t+1)), t = c + i theta, w2 the squared width; pole and t are
 * scratch. e^(w2 (t^2+t)/2) = e^(w2 (c^2+c-theta^2)/2) e^(i theta w2 (2c+1)/2). */
static void set_kernel(cx *out, const cx *phi, mpfr_srcptr theta, mpfr_srcptr w2, double c,
                       cx *pole, cx *t)
{
    mpfr_set_d(t->re, c, MPFR_RNDN);
    mpfr_mul_2ui(t->im, t->re, 1, MPFR_RNDN);
    mpfr_add_ui(t->im, t->im, 1, MPFR_RNDN);
    mpfr_mul(t->im, t->im, w2, MPFR_RNDN);
    mpfr_div_2ui(t->im, t->im, 1, MPFR_RNDN);
    mpfr_mul(t->im, t->im, theta, MPFR_RNDN);
    mpfr_sin_cos(out->im, out->re, t->im, MPFR_RNDN);
    mpfr_sqr(pole->re, t->re, MPFR_RNDN);
    mpfr_add(pole->re, pole->re, t->re, MPFR_RNDN);
    mpfr_sqr(pole->im, theta, MPFR_RNDN);
    mpfr_sub(pole->re, pole->re, pole->im, MPFR_RNDN);
    mpfr_mul(pole->re, pole->re, w2, MPFR_RNDN);
    mpfr_div_2ui(pole->re, pole->re, 1, MPFR_RNDN);
    mpfr_exp(pole->re, pole->re, MPFR_RNDN);
    mpfr_mul(out->re, out->re, pole->re, MPFR_RNDN);
    mpfr_mul(out->im, out->im, pole->re, MPFR_RNDN);
    cx_mul(out, out, phi, t);
    for (unsigned long shift = 0; shift < 2; shift++) {
        mpfr_set_d(pole->re, c, MPFR_RNDN);
        mpfr_add_ui(pole->re, pole->re, shift, MPFR_RNDN);
        mpfr_set(pole->im, theta, MPFR_RNDN);
        cx_inv(pole, pole, t);
        cx_mul(out, out, pole, t);
    }
}

/* The squared width of index 0 or 1: w^2 or (r w)^2, both exact. */
static void squared_width(mpfr_t w2, const smooth *p, int k)
{
    mpfr_mul_d(w2, p->width2, k == 0 ? 1 : RATIO * RATIO, MPFR_RNDN);
}

static bool make_list(cx **list, size_t count, mpfr_prec_t bits)
{
    *list = memory_new(count + 1, sizeof **list);
    for (size_t i = 0; *list != NULL && i < count; i++)
        cx_init(&(*list)[i], bits);
    return *list != NULL;
}

static dp_status fill_kernels(smooth *p, const cx *phi, const limits *lim)
{
    cx pole, t;
    mpfr_t theta, w2;
    cx_init(&pole, p->work);
    cx_init(&t, p->work);
    mpfr_init2(theta, p->work);
    mpfr_init2(w2, 64);
    dp_status status = DP_OK;
    for (size_t i = 0; status == DP_OK && i < p->nodes.count; i++) {
        wide_mul_fr(theta, p->spacing, p->nodes.node[i], MPFR_RNDN);
        for (int k = 0; k < 2; k++) {
            squared_width(w2, p, k);
            set_kernel(k == 0 ? &p->narrow[i] : &p->wide[i], &phi[i], theta, w2, p->c, &pole, &t);
        }
        if (i % 16 == 15 && limits_expired(lim))
            status = DP_LIMIT;
    }
    mpfr_clear(w2);
    mpfr_clear(theta);
    cx_clear(&t);
    cx_clear(&pole);
    return status;
}

static dp_status evaluate_nodes(smooth *p, const limits *lim)
{
    line at = line_of(p);
    cx *phi;
    dp_status status = totals_nodes(&phi, p->error, p->all, &at, &p->nodes, lim);
    if (status == DP_OK && (!make_list(&p->narrow, p->nodes.count, p->work) ||
                            !make_list(&p->wide, p->nodes.count, p->work)))
        status = DP_MEMORY;
    if (status == DP_OK)
        status = fill_kernels(p, phi, lim);
    totals_drop(phi, p->nodes.count);
    return status;
}

dp_status smooth_open(smooth *p, const totals *all, double x, double gap, const limits *lim)
{
    *p = (smooth){.all = all};
    choice q;
    dp_status status = make_plan(p, &q, x, gap);
    if (status != DP_OK) {
        p->work = 0;
        return status;
    }
    smooth_init(p, q.period);
    status = find_nodes(p, lim);
    if (status == DP_OK)
        status = evaluate_nodes(p, lim);
    if (status == DP_OK)
        set_moments(p, lim);
    return status;
}

void smooth_close(smooth *p)
{
    if (p->work == 0)
        return;
    for (size_t i = 0; p->narrow != NULL && i < p->nodes.count; i++)
        cx_clear(&p->narrow[i]);
    for (size_t i = 0; p->wide != NULL && i < p->nodes.count; i++)
        cx_clear(&p->wide[i]);
    memory_free(p->narrow);
    memory_free(p->wide);
    node_list_clear(&p->nodes);
    mpfr_clear(p->spacing);
    mpfr_clear(p->width2);
    mpfr_clear(p->error);
    mpfi_clear(p->k);
    for (size_t i = 0; i < 2; i++) {
        mpfi_clear(p->k_above[i]);
        mpfi_clear(p->k_below[i]);
    }
}

/* Scratch of one evaluation. */
typedef struct sums {
    mpfr_t value[2], slope; /* s_w, s_rw, and the slope of s_w */
    mpfr_t theta, x;
    cx phase, term, t;
} sums;

static void sums_init(sums *s, mpfr_prec_t bits)
{
    mpfr_ptr real[] = {s->value[0], s->value[1], s->slope, s->theta, s->x};
    for (size_t i = 0; i < 5; i++) {
        mpfr_init2(real[i], bits);
        mpfr_set_ui(real[i], 0, MPFR_RNDN);
    }
    cx_init(&s->phase, bits);
    cx_init(&s->term, bits);
    cx_init(&s->t, bits);
}

static void sums_clear(sums *s)
{
    mpfr_ptr real[] = {s->value[0], s->value[1], s->slope, s->theta, s->x};
    for (size_t i = 0; i < 5; i++)
        mpfr_clear(real[i]);
    cx_clear(&s->phase);
    cx_clear(&s->term);
    cx_clear(&s->t);
}

/* Adds the node's terms, with their conjugates at -n. */
static void add_node(sums *s, const smooth *p, size_t index)
{
    uint64_t n = p->nodes.node[index];
    wide_mul_fr(s->theta, p->spacing, n, MPFR_RNDN);
    mpfr_mul(s->phase.re, s->theta, s->x, MPFR_RNDN);
    mpfr_neg(s->phase.re, s->phase.re, MPFR_RNDN);
    mpfr_sin_cos(s->phase.im, s->phase.re, s->phase.re, MPFR_RNDN);
    if (n > 0) {
        mpfr_mul_2ui(s->phase.re, s->phase.re, 1, MPFR_RNDN);
        mpfr_mul_2ui(s->phase.im, s->phase.im, 1, MPFR_RNDN);
    }
    cx_mul(&s->term, &s->phase, &p->wide[index], &s->t);
    mpfr_add(s->value[1], s->value[1], s->term.re, MPFR_RNDN);
    cx_mul(&s->term, &s->phase, &p->narrow[index], &s->t);
    mpfr_add(s->value[0], s->value[0], s->term.re, MPFR_RNDN);
    /* -d/dx brings down t: Re((c + i theta) term) */
    mpfr_mul_d(s->t.re, s->term.re, p->c, MPFR_RNDN);
    mpfr_mul(s->t.im, s->term.im, s->theta, MPFR_RNDN);
    mpfr_sub(s->t.re, s->t.re, s->t.im, MPFR_RNDN);
    mpfr_add(s->slope, s->slope, s->t.re, MPFR_RNDN);
}

/* out encloses s_w for width index k */
static void enclose_value(mpfi_t out, const sums *s, int k, mpfr_srcptr error, const mpfi_t size,
                          const smooth *p, const mpfi_t x, const mpfi_t period)
{
    mpfr_t alias;
    mpfr_init2(alias, 64);
    mpfr_set_ui(alias, 0, MPFR_RNDU);
    tail_alias(alias, p->k_below[k], x, p->below, p->c, period);
    tail_alias(alias, p->k_above[k], x, p->above, p->c, period);
    mpfr_sub(&out->left, s->value[k], error, MPFR_RNDD);
    mpfr_add(&out->right, s->value[k], error, MPFR_RNDU);
    mpfi_div(out, out, period);
    mpfi_mul(out, out, size);
    if (p->c > 0) {
        mpfr_sub(&out->left, &out->left, alias, MPFR_RNDD);
    } else {
        mpfi_add_ui(out, out, 1);
        mpfr_add(&out->right, &out->right, alias, MPFR_RNDU);
    }
    ival_clamp_ui(out, 0, 1);
    mpfr_clear(alias);
}

/* s = [s_w - (s_rw - s_w) / (r/kappa - 1), s_w] from below and above */
static void bracket(mpfi_t s, const mpfi_t narrow, const mpfi_t wide, const smooth *p)
{
    mpfr_t lift, gap;
    mpfr_init2(lift, 64);
    mpfr_init2(gap, mpfi_get_prec(s));
    /* kappa = e^((r^2-1) w^2/8) rounded up, r/kappa - 1 down */
    mpfr_mul_d(lift, p->width2, (RATIO * RATIO - 1) / 8, MPFR_RNDU);
    mpfr_exp(lift, lift, MPFR_RNDU);
    mpfr_d_div(lift, RATIO, lift, MPFR_RNDD);
    mpfr_sub_ui(lift, lift, 1, MPFR_RNDD);
    mpfr_sub(gap, &wide->right, &narrow->left, MPFR_RNDU);
    if (mpfr_sgn(gap) < 0)
        mpfr_set_ui(gap, 0, MPFR_RNDU);
    if (mpfr_sgn(lift) > 0)
        mpfr_div(gap, gap, lift, MPFR_RNDU);
    else
        mpfr_set_inf(gap, 1);
    mpfr_set(&s->right, &narrow->right, MPFR_RNDU);
    mpfr_sub(&s->left, &narrow->left, gap, MPFR_RNDD);
    ival_clamp_ui(s, 0, 1);
    mpfr_clear(gap);
    mpfr_clear(lift);
}

/* From s at the number `at` to s on the interval x about it. s falls with slope V(y) = e^y Q(L >
 * y), and e^(K(c) - cy) = E_Q e^((1+c)L - cy) >= e^((1+c)y - cy) Q(L > y) = V(y) for every c >= -1.
 */
static void spread(mpfi_t s, mpfr_srcptr at, const smooth *p, const mpfi_t x)
{
    mpfr_t reach, part;
    mpfi_t fall;
    mpfr_init2(reach, 64);
    mpfr_init2(part, 64);
    mpfi_init2(fall, p->work);
    mpfr_sub(reach, &x->right, at, MPFR_RNDA);
    mpfr_sub(part, at, &x->left, MPFR_RNDA);
    if (mpfr_cmpabs(part, reach) > 0)
        mpfr_set(reach, part, MPFR_RNDU);
    mpfr_abs(reach, reach, MPFR_RNDU);
    tail_chernoff(fall, p->k, x, p->c);
    mpfr_mul(reach, reach, &fall->right, MPFR_RNDU);
    mpfr_sub(&s->left, &s->left, reach, MPFR_RNDD);
    mpfr_add(&s->right, &s->right, reach, MPFR_RNDU);
    ival_clamp_ui(s, 0, 1);
    mpfi_clear(fall);
    mpfr_clear(part);
    mpfr_clear(reach);
}

void smooth_profile(mpfi_t s, mpfr_t slope, const smooth *p, const mpfi_t x)
{
    sums v;
    mpfi_t size, period, narrow, wide, at;
    mpfr_t error;
    mpfi_ptr all[] = {size, period, narrow, wide, at};
    for (size_t i = 0; i < 5; i++)
        mpfi_init2(all[i], p->work);
    mpfr_init2(error, 64);
    sums_init(&v, p->work);
    mpfi_get_fr(v.x, x);
    mpfi_set_fr(at, v.x);
    for (size_t i = 0; i < p->nodes.count; i++)
        add_node(&v, p, i);
    bool sound = smooth_error(error, p, v.x);
    tail_chernoff(size, p->k, at, p->c);
    mpfi_const_pi(period);
    mpfi_mul_2ui(period, period, 1);
    mpfi_div_fr(period, period, p->spacing); /* R, of the spacing in force */
    enclose_value(narrow, &v, 0, error, size, p, at, period);
    enclose_value(wide, &v, 1, error, size, p, at, period);
    mpfi_set_prec(s, p->work);
    bracket(s, narrow, wide, p);
    spread(s, v.x, p, x);
    if (!sound || ival_bad(s))
        mpfi_interv_si(s, 0, 1);
    mpfi_get_fr(error, size);
    mpfr_mul(slope, v.slope, error, MPFR_RNDN);
    mpfi_get_fr(error, period);
    mpfr_div(slope, slope, error, MPFR_RNDN);
    mpfr_clear(error);
    sums_clear(&v);
    for (size_t i = 0; i < 5; i++)
        mpfi_clear(all[i]);
}
