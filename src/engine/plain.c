/* SPDX-License-Identifier: MIT */
/* The contour of laws that decay: no smoothing, complex balls throughout. */
#include "engine/plain.h"

#include <math.h>

#include "engine/tail.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/wide.h"

#define LN2 0.6931471805599453
#define PI 3.141592653589793
#define SPREAD 4.0
#define WORTH 4.0
#define NODE_LIMIT 200000UL
#define MOST_HEIGHT 1e9 /* of nodes */
#define MOST_BITS 1e6
#define NODE_BYTES 400.0
/* Bits that hold c + 1 for every short double c. */
#define EXACT_BITS 2048

/* ---- the plan ------------------------------------------------------------------------------- */
static bool has_decay(const totals *all)
{
    for (size_t i = 0; i < all->product->count; i++)
        if (all->product->item[i].ops->decay != NULL)
            return true;
    return false;
}

/* About ln of what is left out beyond t, relative to the mean of the sum: e^-decay / (pi t) */
static double log_beyond(const plain *p, double t)
{
    MPFR_DECL_INIT(low, 64);
    MPFR_DECL_INIT(at, 64);
    mpfr_set_d(at, t, MPFR_RNDN);
    totals_decay(low, p->all, p->c, at);
    return -mpfr_get_d(low, MPFR_RNDN) - log(PI * t);
}

/* The last node: where what is beyond is e^-need; false where that is more than `most` nodes off.
 */
static bool plan_last(plain *p, double need, double most)
{
    double unit = 2 * PI / p->period, low = 1, high = 2;
    while (log_beyond(p, high * unit) > -need) {
        low = high;
        high *= 2;
        if (low > most) {
            p->dear = log_beyond(p, MOST_HEIGHT * unit) <= -need;
            return false;
        }
    }
    while (high - low > 1 && high - low > 0.02 * low) {
        double middle = (low + high) / 2;
        if (log_beyond(p, middle * unit) > -need)
            low = middle;
        else
            high = middle;
    }
    p->last = (uint64_t)high + 1;
    p->dear = high > most;
    return !p->dear;
}

static bool plan_period(plain *p, double x, double log_tol)
{
    const tilt *t = &p->all->tilt;
    double period;
    if (p->c > 0) {
        p->below = 0;
        period = -log_tol / p->c;
        while (period < 1e15 && tail_best_above(t, 0, p->c, x, period, &p->above) > log_tol)
            period *= 1.1;
    } else {
        p->above = 0;
        p->below = -1;
        period = -log_tol / -p->c;
        /* good for what is some deviations off, too: this bound grows by e^x */
        double other = (x + t->lift + SPREAD * t->deviation - log_tol) / (1 + p->c);
        period = fmax(period, other);
    }
    p->period = tail_short(period);
    return period > 0 && period < 1e15;
}

/* About the nodes of a smoothing (smooth.c) of relative width 2^-bits, and some more. */
static double smoothing_nodes(const plain *p, double bits)
{
    double width = sqrt(exp2(-bits) / (1.7 * fabs(p->c * (p->c + 1)) + 0.1));
    return WORTH * sqrt(2 * fmax(p->lambda, 1)) / width * p->period / (2 * PI);
}

static bool make_plan(plain *p, double x, double bits, double most)
{
    const tilt *t = &p->all->tilt;
    bool left = tilt_is_left(t, x);
    p->c = tail_short(tilt_saddle(t, x, left));
    if (!isfinite(p->c) || p->c <= -1 || p->c == 0)
        return false;
    double log_value = tilt_log_profile(t, x, p->c), log_tol = -bits * LN2 - 3;
    if (!isfinite(log_value) || !plan_period(p, x, log_tol + fmin(log_value, 0)))
        return false;
    /* the mean of the sum, against which errors are relative, and its largest term */
    double log_mean = log_value - (tilt_k(t, p->c) - p->c * x), a = fmin(fabs(p->c), 1 + p->c);
    double kernel = log(0.5 / a + 1 / (p->period * a * a));
    p->lambda = kernel - log_tol - log_mean;
    if (!plan_last(p, -log_tol - log_mean, most > 0 ? most : smoothing_nodes(p, bits)))
        return false;
    double work = bits + (fmax(kernel - log_mean, 0) + fmax(-log(a), 0)) / LN2;
    p->work = work < MOST_BITS ? (mpfr_prec_t)work + totals_bits(p->all) + 40 : 0;
    return work < MOST_BITS;
}

/* ---- nodes ---------------------------------------------------------------------------------- */
static line line_of(const plain *p)
{
    return (line){.c = p->c, .spacing = p->spacing, .last = p->last, .work = p->work};
}

static dp_status find_nodes(plain *p, const limits *lim)
{
    line at = line_of(p);
    size_t count;
    scan_item *item = totals_items(&count, p->all, &at);
    if (item == NULL)
        return DP_MEMORY;
    size_t room = p->last < NODE_LIMIT ? (size_t)p->last + 1 : NODE_LIMIT;
    size_t most = limits_count(lim, 1e-5 * (p->all->factors + 10), room);
    dp_status status = scan_nodes(&p->nodes, item, count, 0, p->last, p->lambda, most, lim);
    if (status == DP_LIMIT && most < room)
        limits_note(lim, DP_MET_TIME);
    memory_free(item);
    return status;
}

/* pole = 1 / (z (z+1)) at the height t; one and two are scratch */
static void set_pole(cball *pole, cball *other, const plain *p, mpfr_srcptr t)
{
    mpfr_t re;
    mpfr_init2(re, EXACT_BITS);
    mpfr_set_d(re, p->c, MPFR_RNDN);
    cball_set_fr(pole, re, t);
    mpfr_add_ui(re, re, 1, MPFR_RNDN); /* exact */
    cball_set_fr(other, re, t);
    cball_inv(pole, pole);
    cball_inv(other, other);
    cball_mul(pole, pole, other);
    mpfr_clear(re);
}

/* t = n spacing, exactly */
static void set_height(mpfr_t t, const plain *p, uint64_t n)
{
    mpfr_set_prec(t, p->work + 64);
    wide_mul_fr(t, p->spacing, n, MPFR_RNDN);
}

static dp_status make_values(plain *p, const limits *lim)
{
    const product *q = p->all->product;
    size_t count = p->nodes.count;
    if (!limits_allow(lim, NODE_BYTES * (double)count))
        return DP_LIMIT;
    p->term = memory_new(count + 1, sizeof *p->term);
    if (p->term == NULL)
        return DP_MEMORY;
    for (size_t i = 0; i < count; i++) {
        cball_init(&p->term[i], p->work);
        cball_set_ui(&p->term[i], 1);
    }
    line at = line_of(p);
    dp_status status = DP_OK;
    for (size_t i = 0; status == DP_OK && i < q->count; i++)
        status = q->item[i].ops->multiply(p->term, q->item[i].self, &at, p->nodes.node, count, lim);
    mpfr_t t;
    cball pole, other;
    mpfr_init2(t, p->work);
    cball_init(&pole, p->work);
    cball_init(&other, p->work);
    for (size_t i = 0; status == DP_OK && i < count; i++) {
        set_height(t, p, p->nodes.node[i]);
        set_pole(&pole, &other, p, t);
        cball_mul(&p->term[i], &p->term[i], &pole);
        if (i % 64 == 63 && limits_expired(lim))
            status = DP_LIMIT;
    }
    cball_clear(&other);
    cball_clear(&pole);
    mpfr_clear(t);
    return status;
}

/* ---- what is left out ----------------------------------------------------------------------- */
/* out = e^-lambda (R/(2a) + 1/a^2), rounded up: nodes that were dropped up to the last. With a the
 * smaller of |c| and 1 + c, |z (z+1)| >= a^2 + t^2, and the sum over all nodes of 1/(a^2 + t_n^2)
 * is R/(2a) coth(Ra/2), coth y <= 1 + 1/y. R = 2 pi / spacing. */
static void scan_bound(mpfr_t out, const plain *p)
{
    MPFR_DECL_INIT(part, 64);
    mpfr_t a;
    mpfr_init2(a, EXACT_BITS);
    mpfr_set_d(a, p->c, MPFR_RNDN);
    mpfr_add_ui(a, a, 1, MPFR_RNDN);
    if (mpfr_cmp_d(a, fabs(p->c)) > 0)
        mpfr_set_d(a, fabs(p->c), MPFR_RNDN);
    mpfr_ui_div(a, 1, a, MPFR_RNDU);
    mpfr_const_pi(part, MPFR_RNDU);
    mpfr_div(part, part, p->spacing, MPFR_RNDU);
    mpfr_add(part, part, a, MPFR_RNDU);
    mpfr_mul(part, part, a, MPFR_RNDU);
    mpfr_set_d(out, -p->lambda, MPFR_RNDU);
    mpfr_exp(out, out, MPFR_RNDU);
    mpfr_mul(out, out, part, MPFR_RNDU);
    mpfr_clear(a);
}

/* out += 2 e^-decay(t) / (spacing t), rounded up, t the last node: the nodes beyond it, for |z
 * (z+1)|
 * >= t_n^2 and the sum of 1/t_n^2 there is below 1 / (spacing t) on either side. */
static void add_beyond(mpfr_t out, const plain *p)
{
    MPFR_DECL_INIT(t, 64);
    MPFR_DECL_INIT(part, 64);
    wide_mul_fr(t, p->spacing, p->last, MPFR_RNDD);
    totals_decay(part, p->all, p->c, t);
    mpfr_neg(part, part, MPFR_RNDN);
    mpfr_exp(part, part, MPFR_RNDU);
    mpfr_mul_2ui(part, part, 1, MPFR_RNDU);
    mpfr_div(part, part, t, MPFR_RNDU);
    mpfr_div(part, part, p->spacing, MPFR_RNDU);
    mpfr_add(out, out, part, MPFR_RNDU);
}

dp_status plain_prepare(plain *p, const limits *lim)
{
    const product *q = p->all->product;
    mpfr_prec_t rough = 64 + totals_bits(p->all);
    mpfr_init2(p->spacing, p->work);
    mpfr_init2(p->dropped, 64);
    mpfr_const_pi(p->spacing, MPFR_RNDN);
    mpfr_mul_2ui(p->spacing, p->spacing, 1, MPFR_RNDN);
    mpfr_div_d(p->spacing, p->spacing, p->period, MPFR_RNDN);
    mpfi_init2(p->k, p->work);
    mpfi_init2(p->k_above, rough);
    mpfi_init2(p->k_below, rough);
    p->nodes = (node_list){0};
    p->term = NULL;
    dp_status status = find_nodes(p, lim);
    mpfr_set_ui(p->dropped, 0, MPFR_RNDU);
    if (p->nodes.count <= p->last)
        scan_bound(p->dropped, p);
    add_beyond(p->dropped, p);
    if (status == DP_OK)
        status = make_values(p, lim);
    if (status == DP_OK) {
        tail_k(p->k, q, p->c, lim);
        tail_k(p->k_above, q, p->above, lim);
        tail_k(p->k_below, q, p->below, lim);
    }
    return status;
}

dp_status plain_open(plain *p, const totals *all, double x, double bits, double most,
                     const limits *lim)
{
    *p = (plain){.all = all};
    if (has_decay(all) && make_plan(p, x, bits, most))
        return plain_prepare(p, lim);
    p->work = 0; /* nothing to close */
    return DP_LIMIT;
}

void plain_close(plain *p)
{
    if (p->work == 0)
        return;
    for (size_t i = 0; p->term != NULL && i < p->nodes.count; i++)
        cball_clear(&p->term[i]);
    memory_free(p->term);
    node_list_clear(&p->nodes);
    mpfr_clear(p->spacing);
    mpfr_clear(p->dropped);
    mpfi_clear(p->k);
    mpfi_clear(p->k_above);
    mpfi_clear(p->k_below);
}

/* ---- the sum -------------------------------------------------------------------------------- */
/* sum over all nodes, with their conjugates at -n; the real parts are what remains. slope: Re of
 * the same with z more, of midpoints. */
static void add_nodes(mpfi_t sum, mpfr_t slope, const plain *p, mpfr_srcptr x)
{
    mpfr_exp_t whole = mpfr_regular_p(x) ? mpfr_get_exp(x) : 0;
    mpfr_t t, part, bend;
    mpfi_t angle;
    cball turn, all;
    mpfr_init2(t, p->work);
    mpfr_init2(part, p->work);
    mpfr_init2(bend, p->work);
    set_height(t, p, p->last);
    whole += mpfr_get_exp(t);
    mpfi_init2(angle, p->work + 8 + (whole > 0 ? whole : 0));
    cball_init(&turn, p->work);
    cball_init(&all, p->work);
    mpfr_set_ui(slope, 0, MPFR_RNDN);
    for (size_t i = 0; i < p->nodes.count; i++) {
        uint64_t n = p->nodes.node[i];
        set_height(t, p, n);
        mpfi_set_fr(angle, t);
        mpfi_mul_fr(angle, angle, x);
        mpfi_neg(angle, angle);
        cball_turn(&turn, angle);
        cball_mul(&turn, &turn, &p->term[i]);
        if (n > 0)
            cball_add(&turn, &turn, &turn);
        mpfr_mul_d(part, turn.re, p->c, MPFR_RNDN);
        mpfr_mul(bend, turn.im, t, MPFR_RNDN);
        mpfr_sub(part, part, bend, MPFR_RNDN);
        mpfr_add(slope, slope, part, MPFR_RNDN);
        cball_add(&all, &all, &turn);
    }
    cball_real(sum, &all);
    cball_clear(&all);
    cball_clear(&turn);
    mpfi_clear(angle);
    mpfr_clear(bend);
    mpfr_clear(part);
    mpfr_clear(t);
}

/* s and about -ds/dx at one number x */
static void profile_number(mpfi_t s, mpfr_t slope, const plain *p, mpfr_srcptr x)
{
    mpfi_t size, at;
    mpfr_t alias;
    mpfi_init2(size, p->work);
    mpfi_init2(at, p->work + mpfr_get_prec(x));
    mpfr_init2(alias, 64);
    add_nodes(s, slope, p, x);
    mpfr_sub(&s->left, &s->left, p->dropped, MPFR_RNDD);
    mpfr_add(&s->right, &s->right, p->dropped, MPFR_RNDU);
    mpfi_set_fr(at, x);
    tail_chernoff(size, p->k, at, p->c);
    mpfi_mul(s, s, size);
    mpfi_get_fr(alias, size);
    mpfr_mul(slope, slope, alias, MPFR_RNDN);
    mpfi_const_pi(size);
    mpfi_mul_2ui(size, size, 1);
    mpfi_div_fr(size, size, p->spacing); /* R, of the spacing in force */
    mpfi_div(s, s, size);
    mpfi_get_fr(alias, size);
    mpfr_div(slope, slope, alias, MPFR_RNDN);
    mpfr_set_ui(alias, 0, MPFR_RNDU);
    tail_alias(alias, p->k_below, at, p->below, p->c, size);
    tail_alias(alias, p->k_above, at, p->above, p->c, size);
    if (p->c > 0) {
        mpfr_sub(&s->left, &s->left, alias, MPFR_RNDD);
    } else {
        mpfi_add_ui(s, s, 1);
        mpfr_add(&s->right, &s->right, alias, MPFR_RNDU);
    }
    ival_clamp_ui(s, 0, 1);
    if (ival_bad(s))
        mpfi_interv_si(s, 0, 1);
    mpfr_clear(alias);
    mpfi_clear(at);
    mpfi_clear(size);
}

/* The profile falls: on an interval its ends are those of the ends. */
void plain_profile(mpfi_t s, mpfr_t slope, const plain *p, const mpfi_t x)
{
    mpfi_set_prec(s, p->work);
    profile_number(s, slope, p, &x->left);
    if (mpfr_equal_p(&x->left, &x->right))
        return;
    mpfi_t other;
    mpfi_init2(other, p->work);
    profile_number(other, slope, p, &x->right);
    mpfr_swap(&s->left, &other->left);
    mpfi_clear(other);
}
