/* SPDX-License-Identifier: MIT */
/* The law of the sampled Gaussian off the real line: sums over the same nodes for all heights,
 *     sum_j e_j w_j^n,   e_j = phi(y_j) r(y_j)^p sqrt(2 pi),   w_j = r(y_j)^(i spacing),
 * on a line where |w_j| <= 1. Let e' and w' be what is computed, |e'_j - e_j| <= b_j, |w'_j - w_j|
 * <= b for all j, A_j = |e'_j| + b_j, and u = 2^-work. A product of three roundings for each part
 * is off by at most (1 + sqrt(2)) u (1 + u) < 3u of its modulus. For d_n = |e'_n - e_j w_j^n| that
 * is d_(n+1) <= d_n + |e'_n| (b + 3u (1 + b)), and |e'_n| <= A_j (1 + b + 4u)^n <= 1.01 A_j while
 * n (b + 4u) <= 1/256; so the sum of N nodes is off by at most
 *     sum b_j + 1.02 n (b + 4u) sum A_j + 1.03 N u sum A_j,
 * the last for its N additions. */
#include <math.h>

#include "loss/line.h"
#include "loss/sampled_gaussian_fixed.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/wide.h"

#define BOUND_BITS 64
#define SPARE 32 /* bits that work has beyond those that matter */
#define WAVE_BYTES 320.0

typedef struct wave {
    mpfr_t re, im, turn_re, turn_im; /* e' and w' */
} wave;

typedef struct table {
    sgm_plan plan;
    sgm_work w;
    sgm_waves *fixed; /* in fixed point; NULL: in MPFR, */
    wave *wave;
    size_t count; /* that are made */
    bool open;    /* w is */
    mpfr_prec_t work;
    uint64_t n;         /* the node that re and im are at */
    mpfr_t b, own, all; /* b, sum b_j and sum A_j */
    mpfr_t cut, part, other, missed, re, im;
    mpfi_t integral; /* encloses G sqrt(2 pi) / h of p, then its inverse */
} table;

static void table_clear(table *a)
{
    for (size_t i = 0; a->fixed == NULL && i < a->count; i++)
        mpfr_clears(a->wave[i].re, a->wave[i].im, a->wave[i].turn_re, a->wave[i].turn_im,
                    (mpfr_ptr)0);
    sgm_waves_free(a->fixed);
    memory_free(a->wave);
    mpfr_clears(a->b, a->own, a->all, a->cut, a->part, a->other, a->missed, a->re, a->im,
                (mpfr_ptr)0);
    mpfi_clear(a->integral);
    if (a->open)
        sgm_work_clear(&a->w);
}

/* out = e^(x + i theta) */
static void set_wave(cball *out, mpfi_t x, const mpfi_t theta)
{
    cball_turn(out, theta);
    if (mpfi_is_zero(x))
        return;
    sgm_exp(x);
    cball_mul_i(out, out, x);
}

/* e_j and w_j at the node j: e^(p ln r - y^2/2 + a^2/2 - iya) and e^(i spacing ln r) */
static void add_wave(table *a, int64_t j, mpfr_srcptr spacing, cball *e, mpfi_t x, mpfi_t theta)
{
    sgm_work *w = &a->w;
    wave *to = &a->wave[a->count++];
    bool shifted = a->plan.shift > 0;
    mpfr_inits2(a->work, to->re, to->im, to->turn_re, to->turn_im, (mpfr_ptr)0);
    sgm_ratio(w, j, shifted);
    mpfi_mul_fr(x, w->arg, spacing);
    mpfi_neg(x, x);
    mpfi_mul_fr(theta, w->l, spacing);
    set_wave(e, x, theta);
    mpfr_swap(to->turn_re, e->re);
    mpfr_swap(to->turn_im, e->im);
    mpfr_max(a->b, a->b, e->radius, MPFR_RNDU);
    sgm_weight(w);
    mpfi_set_d(x, a->plan.shift);
    mpfi_sqr(x, x);
    mpfi_div_2ui(x, x, 1);
    mpfi_add(x, x, w->l);
    mpfi_mul(theta, w->arg, w->power);
    mpfi_mul_d(w->y, w->y, a->plan.shift);
    mpfi_sub(theta, theta, w->y);
    set_wave(e, x, theta);
    cball_measure(e);
    mpfr_swap(to->re, e->re);
    mpfr_swap(to->im, e->im);
    mpfr_add(a->own, a->own, e->radius, MPFR_RNDU);
    mpfr_add(a->all, a->all, e->size, MPFR_RNDU);
    mpfr_add(a->all, a->all, e->radius, MPFR_RNDU);
    mpfr_add(a->all, a->all, e->radius, MPFR_RNDU);
}

static dp_status add_waves(table *a, const line *at, const limits *lim)
{
    cball e;
    mpfi_t x, theta;
    cball_init(&e, a->work);
    mpfi_init2(x, mpfi_get_prec(a->w.l));
    mpfi_init2(theta, mpfi_get_prec(a->w.l));
    dp_status status = DP_OK;
    for (int64_t j = a->plan.first; status == DP_OK && j <= a->plan.last; j++) {
        j = sgm_next_node(&a->plan, j);
        add_wave(a, j, at->spacing, &e, x, theta);
        if (a->count % 32 == 0 && limits_expired(lim))
            status = DP_LIMIT;
    }
    mpfi_clear(theta);
    mpfi_clear(x);
    cball_clear(&e);
    return status;
}

/* The next node, and re + i im the sum of it; of n = 0 no step is made. */
static void sum_node(table *a, bool step)
{
    a->n += step ? 1 : 0;
    if (a->fixed != NULL) {
        if (step)
            sgm_waves_next(a->fixed);
        sgm_waves_sum(a->re, a->im, a->fixed);
        return;
    }
    mpfr_set_ui(a->re, 0, MPFR_RNDN);
    mpfr_set_ui(a->im, 0, MPFR_RNDN);
    for (size_t i = 0; i < a->count; i++) {
        wave *e = &a->wave[i];
        if (step) {
            mpfr_mul(a->part, e->re, e->turn_re, MPFR_RNDN);
            mpfr_mul(a->other, e->im, e->turn_im, MPFR_RNDN);
            mpfr_sub(a->part, a->part, a->other, MPFR_RNDN);
            mpfr_mul(a->other, e->re, e->turn_im, MPFR_RNDN);
            mpfr_mul(e->im, e->im, e->turn_re, MPFR_RNDN);
            mpfr_add(e->im, e->im, a->other, MPFR_RNDN);
            mpfr_swap(e->re, a->part);
        }
        mpfr_add(a->re, a->re, e->re, MPFR_RNDN);
        mpfr_add(a->im, a->im, e->im, MPFR_RNDN);
    }
}

/* out = what the sum at node n is off by */
static void error_of(mpfr_t out, const table *a)
{
    MPFR_DECL_INIT(part, BOUND_BITS);
    mpfr_set_ui_2exp(part, 1, 2 - a->work, MPFR_RNDU);
    mpfr_add(part, part, a->b, MPFR_RNDU);
    wide_mul_fr(part, part, a->n, MPFR_RNDU);
    bool known = mpfr_cmp_d(part, 1.0 / 256) <= 0;
    mpfr_mul_d(part, part, 1.02, MPFR_RNDU);
    mpfr_set_ui_2exp(out, a->count, -a->work, MPFR_RNDU);
    mpfr_mul_d(out, out, 1.03, MPFR_RNDU);
    mpfr_add(out, out, part, MPFR_RNDU);
    mpfr_mul(out, out, a->all, MPFR_RNDU);
    mpfr_add(out, out, a->own, MPFR_RNDU);
    if (!known || mpfr_nan_p(out))
        mpfr_set_inf(out, 1);
}

static bool settle(table *a)
{
    MPFR_DECL_INIT(error, BOUND_BITS);
    sgm_cut(a->cut, &a->w);
    sum_node(a, false);
    error_of(error, a);
    mpfr_sub(&a->integral->left, a->re, error, MPFR_RNDD);
    mpfr_add(&a->integral->right, a->re, error, MPFR_RNDU);
    return sgm_settle(a->integral, &a->w, a->cut);
}

#define FIXED_WORK 128 /* of what is beside waves in fixed point */

static bool open_work(table *a, const sgm_item *g, double c, mpfr_prec_t bits)
{
    MPFR_DECL_INIT(exact, 53);
    if (a->open)
        sgm_work_clear(&a->w);
    a->open = sgm_work_init(&a->w, g, &a->plan, bits);
    mpfr_set_d(exact, c, MPFR_RNDN);
    if (a->open)
        sgm_power(a->w.power, g, exact);
    return a->open;
}

/* DP_UNDECIDED: not within 2^-depth. */
static dp_status make_fixed(table *a, const sgm_item *g, const line *at, uint64_t last,
                            mpfr_prec_t depth)
{
    MPFR_DECL_INIT(part, BOUND_BITS);
    sgm_wave_errors e = {a->b, a->own, a->all};
    if (depth > SGM_FIXED_BITS)
        return DP_UNDECIDED;
    if (!open_work(a, g, at->c, FIXED_WORK))
        return DP_MEMORY;
    dp_status status = sgm_waves_new(&a->fixed, &e, g, &a->plan, a->w.power, at->spacing, last);
    if (status != DP_OK)
        return status;
    a->count = sgm_waves_count(a->fixed);
    wide_mul_fr(part, a->b, last, MPFR_RNDU);
    mpfr_mul(part, part, a->all, MPFR_RNDU);
    mpfr_add(part, part, a->own, MPFR_RNDU);
    mpfr_mul_2ui(part, part, (unsigned long)depth, MPFR_RNDU);
    return mpfr_less_p(part, a->all) ? DP_OK : DP_UNDECIDED;
}

static dp_status make_waves(table *a, const sgm_item *g, const line *at, uint64_t last,
                            const limits *lim)
{
    double height = mpfr_get_d(at->spacing, MPFR_RNDU) * (double)last;
    sgm_waves_free(a->fixed);
    a->fixed = NULL;
    a->count = 0;
    a->wave = memory_new(a->plan.count + 1, sizeof *a->wave);
    if (a->wave == NULL || !open_work(a, g, at->c, at->work + sgm_bits(g, &a->plan, height)))
        return DP_MEMORY;
    mpfr_set_ui(a->b, 0, MPFR_RNDU);
    mpfr_set_ui(a->own, 0, MPFR_RNDU);
    mpfr_set_ui(a->all, 0, MPFR_RNDU);
    return add_waves(a, at, lim);
}

/* What the rule misses and what is cut at the last node, where the rule misses most, and 1/G. */
static void set_missed(table *a, const line *at, uint64_t last)
{
    MPFR_DECL_INIT(t, BOUND_BITS);
    wide_mul_fr(t, at->spacing, last, MPFR_RNDU);
    sgm_missed(a->missed, &a->w, t);
    mpfr_mul(a->missed, a->missed, &a->integral->right, MPFR_RNDU);
    mpfr_add(a->missed, a->missed, a->cut, MPFR_RNDU);
    mpfi_ui_div(a->integral, 1, a->integral);
}

static dp_status table_init(table *a, const sgm_item *g, const line *at, uint64_t last,
                            const limits *lim)
{
    double p = g->add ? -at->c : 1 + at->c, height = mpfr_get_d(at->spacing, MPFR_RNDU);
    *a = (table){.work = at->work};
    mpfr_prec_t depth = at->work > 2 * SPARE ? at->work - SPARE : SPARE;
    height *= (double)last;
    if (!sgm_plan_make(&a->plan, g, p, height, (double)depth * M_LN2, (double)last + 1) ||
        !limits_allow(lim, WAVE_BYTES * (double)a->plan.count))
        return DP_LIMIT;
    mpfr_inits2(BOUND_BITS, a->b, a->own, a->all, a->cut, a->missed, (mpfr_ptr)0);
    mpfr_inits2(at->work, a->part, a->other, a->re, a->im, (mpfr_ptr)0);
    mpfi_init2(a->integral, at->work);
    dp_status status = make_fixed(a, g, at, last, depth);
    if (status == DP_UNDECIDED)
        status = make_waves(a, g, at, last, lim);
    if (status == DP_OK && !settle(a))
        status = DP_LIMIT;
    if (status == DP_OK)
        sgm_keep_line(g, at->c, depth, a->integral, a->plan.h);
    if (status == DP_OK)
        set_missed(a, at, last);
    else
        table_clear(a);
    return status;
}

/* out = M(c + it) / M(c) of one use at the node that the table is at, from its sum */
static void set_ball(cball *out, const table *a)
{
    MPFR_DECL_INIT(one, 2);
    MPFR_DECL_INIT(error, BOUND_BITS);
    mpfr_set_ui(one, 1, MPFR_RNDN);
    mpfr_set(out->re, a->re, MPFR_RNDN);
    mpfr_set(out->im, a->im, MPFR_RNDN);
    if (a->w.g->add) /* of -t, and G of the conjugate is the conjugate */
        mpfr_neg(out->im, out->im, MPFR_RNDN);
    error_of(error, a);
    mpfr_add(out->radius, error, a->missed, MPFR_RNDU);
    mpfr_set_inf(out->size, 1);
    cball_measure(out);
    cball_mul_i(out, out, a->integral);
    cball_measure(out);
    cball_cap(out, one);
}

static dp_status item_multiply(cball *phi, const sgm_item *g, const line *at, const uint64_t *node,
                               size_t count, const limits *lim)
{
    table a;
    cball value;
    mpfr_prec_t depth = at->work > 2 * SPARE ? at->work - SPARE : SPARE;
    if (!line_time_for(lim, count, g->times, at->work))
        return DP_LIMIT;
    if (count == 0 || sgm_split_multiply(phi, g, at, node, count, depth))
        return DP_OK;
    dp_status status = table_init(&a, g, at, node[count - 1], lim);
    if (status != DP_OK)
        return status;
    cball_init(&value, at->work);
    for (size_t i = 0; status == DP_OK && i < count; i++) {
        while (status == DP_OK && a.n < node[i]) {
            sum_node(&a, true);
            if (a.n % 16 == 0 && limits_expired(lim))
                status = DP_LIMIT;
        }
        if (node[i] == 0 || status != DP_OK) /* 1 there */
            continue;
        set_ball(&value, &a);
        if (!sgm_fixed_pow(&value, g->times, depth))
            cball_pow(&value, &value, g->times);
        cball_mul(&phi[i], &phi[i], &value);
    }
    cball_clear(&value);
    table_clear(&a);
    return status;
}

dp_status sgm_multiply(cball *phi, const void *self, const line *at, const uint64_t *node,
                       size_t count, const limits *lim)
{
    const sgm *l = self;
    dp_status status = at->spacing != NULL ? DP_OK : DP_LIMIT;
    for (size_t i = 0; status == DP_OK && i < l->items; i++)
        status = item_multiply(phi, &l->item[i], at, node, count, lim);
    return status;
}
