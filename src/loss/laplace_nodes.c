/* SPDX-License-Identifier: MIT */
/* The law of Laplace noise off the real line, where it is a sum of two waves and not a product:
 *     M(c + it) / M(c) = ((1+q) e^(i theta) + (1-q) e e^(-i theta)) / 2d,   theta = eps t,
 * with v = |c + 1/2|, q = 1 / (2v + 2it), e = e^(-2 v eps) and d what laplace_scaled adds up to at
 * v eps. For M is even in z + 1/2: the line may be taken at v in place of c + 1/2, with -t for t
 * where that changed the sign. */
#include "loss/laplace_nodes.h"

#include <math.h>

#include "loss/line.h"
#include "num/ival.h"
#include "num/memory.h"

/* Where w may be 0, (1 - e^-2w) / 2w lies between 1 - w and 1. */
void laplace_scaled(mpfi_t whole, mpfi_t half, const mpfi_t w, const mpfi_t eps)
{
    mpfi_mul_2ui(half, w, 1);
    mpfi_neg(whole, half);
    if (mpfr_sgn(&w->left) > 0) {
        mpfi_t twice;
        mpfi_init2(twice, mpfi_get_prec(half));
        mpfi_set(twice, half);
        mpfi_expm1(half, whole);
        mpfi_div(half, half, twice);
        mpfi_neg(half, half);
        mpfi_clear(twice);
    } else {
        mpfi_ui_sub(half, 1, w);
        mpfr_set_ui(&half->right, 1, MPFR_RNDU);
    }
    mpfi_mul(half, half, eps);
    mpfi_div_2ui(half, half, 1);
    mpfi_exp(whole, whole);
    mpfi_add_ui(whole, whole, 1);
    mpfi_div_2ui(whole, whole, 1);
}

typedef struct factor {
    mpfi_t eps, e, d;
} factor;

typedef struct node_work {
    const laplace *law;
    factor *factor; /* of each epsilon */
    mpfi_t twice_v, t, theta;
    cball q, one_more, one_less, turn, back, ratio;
    bool mirrored;
} node_work;

/* The angle eps t is wanted to an absolute error; a small |z + 1/2|, at node 1 or at c, makes q
 * large and its terms cancel; and the power adds up what a factor is off by. */
static mpfr_prec_t factor_bits(const laplace *l, const line *at)
{
    mpfi_t t;
    mpfi_init2(t, 64);
    line_height(t, at, 1);
    mpfr_exp_t first = mpfr_regular_p(&t->left) ? mpfr_get_exp(&t->left) : 0, most = 0;
    line_height(t, at, at->last);
    mpfr_exp_t last = mpfr_regular_p(&t->right) ? mpfr_get_exp(&t->right) : 0;
    mpfi_clear(t);
    double eps = 1, v = fabs(at->c + 0.5); /* exact or nearly */
    for (size_t i = 0; i < l->items; i++) {
        mpfr_exp_t times = (mpfr_exp_t)mpz_sizeinbase(l->item[i].times, 2);
        most = times > most ? times : most;
        eps = fmax(eps, l->item[i].guess);
    }
    last += (mpfr_exp_t)log2(eps);
    if (v > 0 && ilogb(v) > first)
        first = ilogb(v);
    return at->work + 16 + most + (last > 0 ? last : 0) + (first < 0 ? -first : 0);
}

static void factor_init(factor *f, const laplace_item *l, const mpfi_t twice_v)
{
    mpfr_prec_t bits = mpfi_get_prec(twice_v);
    mpfi_init2(f->eps, bits);
    mpfi_init2(f->e, bits);
    mpfi_init2(f->d, bits);
    mpfi_set_q(f->eps, l->epsilon);
    mpfi_t w, half;
    mpfi_init2(w, bits);
    mpfi_init2(half, bits);
    mpfi_mul(w, twice_v, f->eps);
    mpfi_neg(f->e, w);
    mpfi_exp(f->e, f->e);
    mpfi_div_2ui(w, w, 1);
    laplace_scaled(f->d, half, w, f->eps);
    mpfi_add(f->d, f->d, half);
    mpfi_clear(half);
    mpfi_clear(w);
}

static void factor_clear(factor *f)
{
    mpfi_clear(f->d);
    mpfi_clear(f->e);
    mpfi_clear(f->eps);
}

static dp_status node_work_init(node_work *w, const laplace *l, const line *at)
{
    mpfr_prec_t bits = factor_bits(l, at);
    cball *balls[] = {&w->q, &w->one_more, &w->one_less, &w->turn, &w->back, &w->ratio};
    w->law = l;
    w->mirrored = at->c < -0.5;
    mpfi_init2(w->twice_v, bits);
    mpfi_init2(w->t, bits);
    mpfi_init2(w->theta, bits);
    for (size_t i = 0; i < sizeof balls / sizeof *balls; i++)
        cball_init(balls[i], bits);
    mpfi_set_d(w->twice_v, at->c);
    mpfi_mul_2ui(w->twice_v, w->twice_v, 1);
    mpfi_add_ui(w->twice_v, w->twice_v, 1);
    mpfi_abs(w->twice_v, w->twice_v);
    w->factor = memory_new(l->items, sizeof *w->factor);
    for (size_t i = 0; w->factor != NULL && i < l->items; i++)
        factor_init(&w->factor[i], &l->item[i], w->twice_v);
    return w->factor != NULL ? DP_OK : DP_MEMORY;
}

static void node_work_clear(node_work *w)
{
    cball *balls[] = {&w->q, &w->one_more, &w->one_less, &w->turn, &w->back, &w->ratio};
    for (size_t i = 0; w->factor != NULL && i < w->law->items; i++)
        factor_clear(&w->factor[i]);
    memory_free(w->factor);
    for (size_t i = 0; i < sizeof balls / sizeof *balls; i++)
        cball_clear(balls[i]);
    mpfi_clear(w->theta);
    mpfi_clear(w->t);
    mpfi_clear(w->twice_v);
}

/* one_more, one_less = (1 +- q) / 2 at the node of height t */
static void set_shares(node_work *w)
{
    cball_set_i(&w->q, w->twice_v);
    mpfi_mul_2ui(w->theta, w->t, 1);
    cball_set_i(&w->turn, w->theta);
    mpfr_swap(w->turn.re, w->turn.im); /* i times a real ball */
    cball_add(&w->q, &w->q, &w->turn);
    cball_inv(&w->q, &w->q);
    cball_set_ui(&w->one_more, 1);
    cball_add(&w->one_more, &w->one_more, &w->q);
    cball_one_minus(&w->one_less, &w->q);
    cball_measure(&w->one_more);
    mpfi_set_d(w->theta, 0.5);
    cball_mul_i(&w->one_more, &w->one_more, w->theta);
    cball_mul_i(&w->one_less, &w->one_less, w->theta);
}

/* ratio = (M(c + it) / M(c))^times of one epsilon */
static void item_ratio(node_work *w, const factor *f, const mpz_t times)
{
    MPFR_DECL_INIT(one, 2);
    mpfr_set_ui(one, 1, MPFR_RNDN);
    mpfi_mul(w->theta, f->eps, w->t);
    cball_turn(&w->turn, w->theta);
    cball_set(&w->back, &w->turn);
    mpfr_neg(w->back.im, w->back.im, MPFR_RNDN); /* the conjugate */
    cball_mul(&w->turn, &w->turn, &w->one_more);
    cball_mul_i(&w->back, &w->back, f->e);
    cball_mul(&w->back, &w->back, &w->one_less);
    cball_add(&w->turn, &w->turn, &w->back);
    mpfi_ui_div(w->theta, 1, f->d);
    cball_mul_i(&w->ratio, &w->turn, w->theta);
    cball_measure(&w->ratio);
    cball_cap(&w->ratio, one);
    cball_pow(&w->ratio, &w->ratio, times);
    cball_cap(&w->ratio, one);
}

dp_status laplace_multiply(cball *phi, const void *self, const line *at, const uint64_t *node,
                           size_t count, const limits *lim)
{
    const laplace *l = self;
    node_work w;
    dp_status status = node_work_init(&w, l, at);
    for (size_t j = 0; status == DP_OK && j < l->items; j++)
        if (!line_time_for(lim, count, l->item[j].times, mpfi_get_prec(w.t)))
            status = DP_LIMIT;
    for (size_t i = 0; status == DP_OK && i < count; i++) {
        if (node[i] == 0)
            continue; /* 1 */
        line_height(w.t, at, node[i]);
        if (w.mirrored)
            mpfi_neg(w.t, w.t);
        set_shares(&w);
        for (size_t j = 0; status == DP_OK && j < l->items; j++) {
            item_ratio(&w, &w.factor[j], l->item[j].times);
            cball_mul(&phi[i], &phi[i], &w.ratio);
            if (limits_expired(lim))
                status = DP_LIMIT;
        }
    }
    node_work_clear(&w);
    return status;
}

/* The choices C(T, m), m < order; NULL: out of memory. */
static cball *ways_new(const laplace_item *l, unsigned order, mpfr_prec_t bits)
{
    cball *ways = cball_list_new(order, bits);
    mpz_t number;
    mpfi_t x;
    mpz_init(number);
    mpfi_init2(x, bits);
    for (unsigned m = 0; ways != NULL && m < order; m++) {
        mpz_bin_ui(number, l->times, m);
        mpfi_set_z(x, number);
        cball_set_i(&ways[m], x);
    }
    mpfi_clear(x);
    mpz_clear(number);
    return ways;
}

/* value = A(z)/M(c) at the node of the shares, A the sum over m < order of C(T,m) a^(T-m) d^m
 * (laplace_part.c), by powers of d/a: a = (e^(i theta) + e e^(-i theta)) / 2d and q (e^(i theta) -
 * e e^(-i theta)) / 2d in place of d; |a| is at least (1 - e) / 2d. */
static void part_value(node_work *w, const factor *f, const laplace_item *l, const cball *ways,
                       unsigned order)
{
    cball *a = &w->one_more, *d = &w->one_less, *value = &w->ratio;
    mpfi_mul(w->theta, f->eps, w->t);
    cball_turn(a, w->theta);
    cball_set(d, a);
    mpfr_neg(d->im, d->im, MPFR_RNDN); /* the conjugate */
    cball_mul_i(d, d, f->e);
    cball_sub(&w->turn, a, d);
    cball_add(a, a, d);
    cball_mul(d, &w->turn, &w->q);
    mpfi_ui_div(w->theta, 1, f->d);
    mpfi_div_2ui(w->theta, w->theta, 1);
    cball_mul_i(a, a, w->theta);
    cball_mul_i(d, d, w->theta);
    cball_inv(&w->turn, a);
    cball_mul(d, d, &w->turn);
    cball_set(value, &ways[order - 1]);
    for (unsigned m = order - 1; m-- > 0;) {
        cball_mul(value, value, d);
        cball_add(value, value, &ways[m]);
    }
    cball_pow(a, a, l->times);
    cball_mul(value, value, a);
}

dp_status laplace_part_take(cball *phi, const void *self, unsigned order, const line *at,
                            const uint64_t *node, size_t count)
{
    const laplace *l = self;
    node_work w;
    dp_status status = node_work_init(&w, l, at);
    cball *ways = status == DP_OK ? ways_new(l->item, order, mpfi_get_prec(w.theta)) : NULL;
    if (ways == NULL)
        status = DP_MEMORY;
    for (size_t i = 0; status == DP_OK && i < count; i++) {
        line_height(w.t, at, node[i]);
        set_shares(&w);
        part_value(&w, w.factor, l->item, ways, order);
        cball_sub(&phi[i], &phi[i], &w.ratio);
        cball_measure(&phi[i]);
    }
    cball_list_free(ways, order);
    node_work_clear(&w);
    return status;
}

/* |q| <= 1/2t at height t, and it only falls: so |(1+q) e^w + (1-q) e^-w| / 2 is at most
 *     (1 + 1/2t) cosh w_r,    w_r = eps (c + 1/2),
 * at that height and above it, while M(c) has cosh w_r + (eps/2) sinh(w_r)/w_r in its place. With
 * laplace_scaled that is 1 + half / whole over 1 + 1/2t, every step rounded down. */
static void item_decay(mpfr_t low, const laplace_item *l, double c, mpfr_srcptr rise)
{
    mpfi_t eps, w, whole, half;
    mpfi_t *all[] = {&eps, &w, &whole, &half};
    for (size_t i = 0; i < 4; i++)
        mpfi_init2(*all[i], 64);
    mpfi_set_q(eps, l->epsilon);
    mpfi_set_d(w, c);
    mpfi_add_d(w, w, 0.5);
    mpfi_abs(w, w);
    mpfi_mul(w, w, eps);
    laplace_scaled(whole, half, w, eps);
    mpfi_div(half, half, whole);
    mpfi_log1p(half, half);
    mpfr_sub(low, &half->left, rise, MPFR_RNDD);
    for (size_t i = 0; i < 4; i++)
        mpfi_clear(*all[i]);
}

void laplace_decay(mpfr_t low, const void *self, double c, mpfr_srcptr t)
{
    const laplace *l = self;
    MPFR_DECL_INIT(rise, 64);
    MPFR_DECL_INIT(one, 64);
    MPFR_DECL_INIT(times, 64);
    mpfr_set_ui(low, 0, MPFR_RNDN);
    if (mpfr_sgn(t) <= 0)
        return;
    mpfr_ui_div(rise, 1, t, MPFR_RNDU);
    mpfr_div_2ui(rise, rise, 1, MPFR_RNDU);
    mpfr_log1p(rise, rise, MPFR_RNDU);
    for (size_t i = 0; i < l->items; i++) {
        item_decay(one, &l->item[i], c, rise);
        if (!(mpfr_sgn(one) > 0)) /* nothing is known, or a NaN */
            continue;
        mpfr_set_z(times, l->item[i].times, MPFR_RNDD);
        mpfr_mul(one, one, times, MPFR_RNDD);
        mpfr_add(low, low, one, MPFR_RNDD);
    }
}

/* 4 t tau tau' rounded down, of the two atoms: tau tau' = e^(c eps) e^(-(1+c) eps) / 4 M(c)^2
 *     = e^-2w / (2 d)^2  with w = |c + 1/2| eps. Cut off, so that a sum of weights is finite. */
static double atom_weight(const laplace_item *l, double c)
{
    mpfi_t eps, w, whole, half;
    mpfi_t *all[] = {&eps, &w, &whole, &half};
    for (size_t i = 0; i < 4; i++)
        mpfi_init2(*all[i], 64);
    mpfi_set_q(eps, l->epsilon);
    mpfi_set_d(w, c);
    mpfi_add_d(w, w, 0.5);
    mpfi_abs(w, w);
    mpfi_mul(w, w, eps);
    laplace_scaled(whole, half, w, eps);
    mpfi_add(whole, whole, half);
    mpfi_sqr(whole, whole);
    mpfi_mul_si(w, w, -2);
    mpfi_exp(w, w);
    mpfi_div(w, w, whole);
    mpfi_mul_z(w, w, l->times);
    double weight = mpfr_get_d(&w->left, MPFR_RNDD);
    for (size_t i = 0; i < 4; i++)
        mpfi_clear(*all[i]);
    return weight > 0 ? fmin(weight, 0x1p900) : 0;
}

/* The two atoms of each epsilon. */
size_t laplace_resonances(scan_item *out, size_t room, const void *self, const line *at)
{
    const laplace *l = self;
    for (size_t i = 0; out != NULL && i < l->items && i < room; i++) {
        MPFR_DECL_INIT(rough, 32);
        mpfi_t apart;
        mpfr_set_q(rough, l->item[i].epsilon, MPFR_RNDU);
        mpfi_init2(apart, line_turn_bits(at, mpfr_get_exp(rough) + 1));
        mpfi_set_q(apart, l->item[i].epsilon);
        mpfi_mul_2ui(apart, apart, 1);
        line_turn(&out[i], at, apart);
        out[i].weight = atom_weight(&l->item[i], at->c);
        mpfi_clear(apart);
    }
    return l->items;
}
