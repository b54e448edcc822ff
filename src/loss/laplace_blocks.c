/* SPDX-License-Identifier: MIT */
/* Laplace noise at blocks of nodes, in doubles. On a line with c > 0 a use has the factor
 *     f = a (1+q) w + b (1-q) / w,   w = e^(i eps t),   q = 1 / (2v + 2it),
 * v = c + 1/2, a = 1/2d, b = e/2d (laplace_nodes.c): |q| <= 1/2v < 1 and so |1-q| <= 1, f = 1 at t
 * = 0 has a (1 + 1/2v) <= 1, and b <= e / (1+e) <= 1/2. It is wrong by at most 28u: w, a unit times
 * a unit, by 5.5u (num/binary64.h); t by 2u, 4v^2 + 4t^2 by 6u and its inverse by 7u of itself, q
 * by 10u |q|; a and b as doubles by 1.01u; a (1+q) w: a (10 |q| + 10.7 |1+q|) u <= 15.7u, for a |q|
 * <= 1/2; b (1-q) / w: b (10 |q| + 10.7 |1-q|) u <= 10.4u; their sum u. What powers of f make of
 * that: block_power.h. */
#include <math.h>

#include "loss/block_power.h"
#include "loss/laplace_nodes.h"
#include "num/memory.h"
#include "num/wide.h"

#define BLOCK BINARY64_BLOCK
#define FACTOR_ERROR 28.0
#define MOST_EPSILONS 256U
#define MOST_EXPONENT 128 /* of an epsilon: then its turns are known to 2^-200 */
#define WORK_BITS 448

typedef struct item {
    double a, b;
    block_power power;
    binary64_turn turn;
    double re[BLOCK], im[BLOCK]; /* of the nodes of a block, from its first one */
} item;

/* q at the nodes of a block */
typedef struct shares {
    double re[BLOCK], im[BLOCK];
} shares;

typedef struct table {
    item *item;
    size_t count;
    double twice_v, spacing, least;
    const binary64_circle *circle;
    void (*share)(shares *q, const struct table *t, double n);
    bool (*product)(double *re, double *im, double *away, const shares *q, const item *f, double p,
                    double s, double least);
} table;

BINARY64_BODY void make_shares(shares *restrict q, const table *t, double n)
{
    double v = t->twice_v, square = v * v;
    for (int k = 0; k < BLOCK; k++) {
        double y = 2 * (t->spacing * (n + k)), over = 1 / (square + y * y);
        q->re[k] = v * over;
        q->im[k] = -(y * over);
    }
}

/* p + i s: w at the first node */
BINARY64_BODY bool multiply_item(double *restrict re, double *restrict im, double *restrict away,
                                 const shares *restrict q, const item *f, double p, double s,
                                 double least)
{
    double x[BLOCK], y[BLOCK], a = f->a, b = f->b;
    for (int k = 0; k < BLOCK; k++) {
        double wr = p * f->re[k] - s * f->im[k], wi = p * f->im[k] + s * f->re[k];
        double more = 1 + q->re[k], less = 1 - q->re[k], qi = q->im[k];
        x[k] = a * (more * wr - qi * wi) + b * (less * wr - qi * wi);
        y[k] = a * (more * wi + qi * wr) - b * (less * wi + qi * wr);
    }
    return block_power_multiply(re, im, away, x, y, &f->power, least);
}

/* ---- for vectors of each width --------------------------------------------------------------- */
#define MADE_FOR(NAME, TARGET)                                                                     \
    TARGET static void share_##NAME(shares *q, const table *t, double n)                           \
    {                                                                                              \
        make_shares(q, t, n);                                                                      \
    }                                                                                              \
    TARGET static bool product_##NAME(double *re, double *im, double *away, const shares *q,       \
                                      const item *f, double p, double s, double least)             \
    {                                                                                              \
        return multiply_item(re, im, away, q, f, p, s, least);                                     \
    }
MADE_FOR(plain, )
#if BINARY64_WIDTHS == 3
MADE_FOR(avx2, BINARY64_AVX2)
MADE_FOR(avx512, BINARY64_AVX512)
#endif

static void set_width(table *t, unsigned width)
{
    t->share = share_plain;
    t->product = product_plain;
#if BINARY64_WIDTHS == 3
    if (width == 1 || width == 2) {
        t->share = width == 1 ? share_avx2 : share_avx512;
        t->product = width == 1 ? product_avx2 : product_avx512;
    }
#else
    (void)width;
#endif
}

static bool multiply(double re[BLOCK], double im[BLOCK], double away[BLOCK], const void *self,
                     uint64_t first)
{
    const table *t = self;
    shares q;
    t->share(&q, t, (double)first);
    bool left = true;
    for (size_t i = 0; left && i < t->count; i++) {
        const item *f = &t->item[i];
        double p, s;
        binary64_unit(&p, &s, t->circle, binary64_phase(f->turn, first));
        left = t->product(re, im, away, &q, f, p, s, t->least);
    }
    return left;
}

/* ---- opening --------------------------------------------------------------------------------- */
static void close(void *self)
{
    table *t = self;
    memory_free(t->item);
    memory_free(t);
}

/* a and b, of e and d */
static void set_weights(item *f, const laplace_item *l, double twice_v)
{
    mpfi_t eps, w, d, half;
    mpfi_ptr all[] = {eps, w, d, half};
    for (size_t i = 0; i < 4; i++)
        mpfi_init2(all[i], WORK_BITS);
    mpfi_set_q(eps, l->epsilon);
    mpfi_mul_d(w, eps, twice_v / 2);
    laplace_scaled(d, half, w, eps);
    mpfi_add(d, d, half);
    mpfi_mul_2ui(d, d, 1);
    mpfi_mul_si(w, w, -2);
    mpfi_exp(w, w);
    mpfi_div(w, w, d);
    mpfi_ui_div(d, 1, d);
    f->a = mpfi_get_d(d);
    f->b = mpfi_get_d(w);
    for (size_t i = 0; i < 4; i++)
        mpfi_clear(all[i]);
}

/* Adds what the item costs; false where it is not for doubles. */
static bool add_item(table *t, block_law *out, const laplace_item *l, const block_line *at)
{
    item *f = &t->item[t->count++];
    uint64_t times;
    MPFR_DECL_INIT(turn, WORK_BITS);
    mpfr_set_q(turn, l->epsilon, MPFR_RNDN);
    if (mpfr_get_exp(turn) > MOST_EXPONENT || !wide_get_z(&times, l->times) ||
        !block_power_set(&f->power, &out->error, times, FACTOR_ERROR, at->lambda))
        return false;
    mpfr_mul(turn, turn, at->turn, MPFR_RNDN);
    binary64_turn_set(&f->turn, turn);
    binary64_units(f->re, f->im, at->circle, f->turn);
    set_weights(f, l, t->twice_v);
    out->work += 4 + 2 * log2((double)times);
    return true;
}

/* 2 pi turn, once rounded */
static double height(mpfr_srcptr turn)
{
    MPFR_DECL_INIT(x, WORK_BITS);
    mpfr_const_pi(x, MPFR_RNDN);
    mpfr_mul(x, x, turn, MPFR_RNDN);
    return 2 * mpfr_get_d(x, MPFR_RNDN);
}

dp_status laplace_blocks(block_law *out, const void *self, const block_line *at)
{
    static const block_ops ops = {.close = close, .multiply_sum = multiply};
    const laplace *l = self;
    if (l->items > MOST_EPSILONS)
        return DP_UNDECIDED;
    table *t = memory_zero(1, sizeof *t);
    *out = (block_law){.ops = &ops, .self = t};
    if (t == NULL)
        return DP_MEMORY;
    t->twice_v = 2 * at->c + 1; /* exact for what is asked of c */
    t->spacing = height(at->turn);
    t->least = block_power_least(at->lambda);
    t->circle = at->circle;
    t->item = memory_new(l->items, sizeof *t->item);
    set_width(t, at->width);
    dp_status status = t->item != NULL ? DP_OK : DP_MEMORY;
    for (size_t i = 0; status == DP_OK && i < l->items; i++)
        status = add_item(t, out, &l->item[i], at) ? DP_OK : DP_UNDECIDED;
    if (status == DP_OK)
        out->rare = block_power_rarity(multiply, t);
    else
        close(t);
    return status;
}
