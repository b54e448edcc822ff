/* SPDX-License-Identifier: MIT */
/* Gaussian noise at blocks of nodes, in doubles:
 *     phi = e^-y e^(i theta),   y = mu^2 t^2 / 2,   theta = mu^2 (c + 1/2) t.
 * A unit times a unit is within 1.6u + 1.6u + sqrt(5) u < 5.5u (num/binary64.h). y = A n^2 with A
 * within 1.01u and two roundings is within 3.1u y, so e^-y within 4u + 3.1u y; its product with the
 * unit takes u, that with P sqrt(5) u: 12.8u + 3.1u y together. Nodes with y > lambda + 1/2 are
 * left out. As e^-y (13 + 3.1 y) falls, no error is above 13.2u. */
#include <math.h>

#include "loss/block_power.h"
#include "loss/gaussian.h"
#include "num/memory.h"

#define BLOCK BINARY64_BLOCK
#define UNIT_ERROR 13.0
#define RATE_ERROR 3.1
#define ABSOLUTE_ERROR 13.2
#define MARGIN 0.5
#define MOST_RATE 1e290
#define MOST_EXPONENT 128 /* of mu^2 (c + 1/2), whose turns are then known to 2^-200 */
#define WORK_BITS 448

typedef struct table {
    double rate, most, least;
    binary64_turn turn;
    double re[BLOCK], im[BLOCK]; /* of the nodes of a block, from its first one */
    const binary64_circle *circle;
    bool (*product)(double *re, double *im, const struct table *t, double n, double p, double q);
} table;

BINARY64_BODY bool multiply_block(double *restrict re, double *restrict im, const table *t,
                                  double n, double p, double q)
{
    uint64_t left = 0;
    for (int k = 0; k < BLOCK; k++) {
        double y = t->rate * ((n + k) * (n + k));
        double g = binary64_exp_neg(y < t->most ? y : t->most), scale = y < t->most ? g : 0;
        double a = scale * (p * t->re[k] - q * t->im[k]), b = scale * (p * t->im[k] + q * t->re[k]);
        double x = re[k] * a - im[k] * b;
        im[k] = re[k] * b + im[k] * a;
        re[k] = x;
        left |= x * x + im[k] * im[k] >= t->least ? 1U : 0U;
    }
    return left != 0;
}

static bool product_plain(double *re, double *im, const table *t, double n, double p, double q)
{
    return multiply_block(re, im, t, n, p, q);
}

#if BINARY64_WIDTHS == 3
BINARY64_AVX2 static bool product_avx2(double *re, double *im, const table *t, double n, double p,
                                       double q)
{
    return multiply_block(re, im, t, n, p, q);
}

BINARY64_AVX512 static bool product_avx512(double *re, double *im, const table *t, double n,
                                           double p, double q)
{
    return multiply_block(re, im, t, n, p, q);
}

static bool (*const products[])(double *, double *, const table *, double, double,
                                double) = {product_plain, product_avx2, product_avx512};
#else
static bool (*const products[])(double *, double *, const table *, double, double,
                                double) = {product_plain};
#endif

static bool multiply(double re[BLOCK], double im[BLOCK], const void *self, uint64_t first)
{
    const table *t = self;
    double p, q, n = (double)first;
    if (t->rate * (n * n) >= t->most)
        return false;
    binary64_unit(&p, &q, t->circle, binary64_phase(t->turn, first));
    return t->product(re, im, t, n, p, q);
}

/* rate = mu^2 spacing^2 / 2, and the turns; false: not for doubles. */
static bool set_rates(table *t, const mpq_t mu_squared, const block_line *at)
{
    MPFR_DECL_INIT(x, WORK_BITS);
    MPFR_DECL_INIT(height, WORK_BITS);
    mpfr_const_pi(height, MPFR_RNDN);
    mpfr_mul_2ui(height, height, 1, MPFR_RNDN);
    mpfr_mul(height, height, at->turn, MPFR_RNDN);
    mpfr_sqr(x, height, MPFR_RNDN);
    mpfr_mul_q(x, x, mu_squared, MPFR_RNDN);
    mpfr_div_2ui(x, x, 1, MPFR_RNDN);
    t->rate = mpfr_get_d(x, MPFR_RNDN);
    mpfr_set_d(x, at->c, MPFR_RNDN);
    mpfr_add_d(x, x, 0.5, MPFR_RNDN); /* exact for what is asked of c */
    mpfr_mul_q(x, x, mu_squared, MPFR_RNDN);
    if (!(t->rate < MOST_RATE) || mpfr_get_exp(x) > MOST_EXPONENT)
        return false;
    mpfr_mul(x, x, at->turn, MPFR_RNDN);
    binary64_turn_set(&t->turn, x);
    binary64_units(t->re, t->im, at->circle, t->turn);
    return true;
}

dp_status gaussian_blocks(block_law *out, const mpq_t mu_squared, const block_line *at)
{
    static const block_ops ops = {.close = memory_free, .multiply = multiply};
    table *t = memory_zero(1, sizeof *t);
    *out = (block_law){.ops = &ops, .self = t, .work = 4};
    if (t == NULL)
        return DP_MEMORY;
    t->most = at->lambda + MARGIN;
    t->least = block_power_least(at->lambda);
    t->circle = at->circle;
    t->product = products[at->width < BINARY64_WIDTHS ? at->width : 0];
    out->error.relative = (UNIT_ERROR + RATE_ERROR * t->most) * BINARY64_U;
    out->error.absolute = ABSOLUTE_ERROR * BINARY64_U;
    if (set_rates(t, mu_squared, at))
        return DP_OK;
    memory_free(t);
    return DP_UNDECIDED;
}
