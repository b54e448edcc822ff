/* SPDX-License-Identifier: MIT */
/* Randomized response at blocks of nodes, in doubles. A use of epsilon has the factor f = cos b + i
 * T sin b, b = theta eps, T = tanh(eps (c + 1/2)), and T <= |f| <= 1. Computed by
 *     cos b + i sin b = (p + i q)(r + i s),   f = (p r - q s) + i ((T p) s + (T q) r),
 * p + i q of the first node of the block and r + i s of the nodes after it, both within 1.6u
 * (num/binary64.h), it is wrong by at most 8u:
 *     the units make 3.2u and next to nothing, as x + i y -> x + i T y enlarges nothing;
 *     roundings of the real part are at most u (|p r| + |q s|) <= u for the products and u times
 *     the part for the sum; of the imaginary part 3u T (|p s| + |q r|) <= 3u, T with an error of
 *     1.01u and two products, and u times the part: sqrt(1 + 9) u + u = 4.2u together.
 * So ln(f'/f) is at most 8.2u/T for 8u/T < 2^-6, and a product of complex doubles is within a
 * relative sqrt(5) u (Brent, Percival, Zimmermann, Math. Comp. 76, 2007) but for underflow. A power
 * f^t by any tree takes t - 1 products. For the absolute error each use is within 8u and sqrt(5)
 * u (1 + 8u) of what multiplies it, and all other factors are at most 1 + 10.3u. */
#include "loss/response_blocks.h"

#include <math.h>

#include "loss/response_nodes.h"
#include "num/memory.h"
#include "num/wide.h"

#define FACTOR_ERROR 8.2
#define PRODUCT_ERROR 2.2361
#define ABSOLUTE_ERROR 10.3
#define SLACK (1 + 0x1p-20) /* of sums of positive doubles, fewer than 2^30 */
#define MOST_RELATIVE 0x1p-6
#define MOST_LOSSES 16384U /* of longer lists the tables take longer than the nodes */
#define MOST_USES 0x1p44
#define MOST_EXPONENT 128 /* of an epsilon: then its turns are known to 2^-200 */
#define WORK_BITS 448
/* e^-lambda is undercut by this much: |phi| <= |P| e^rho, rho at most MOST_RELATIVE in all laws
 * together, and the square of |P| and libm's exponential are within 2^-40. */
#define MARGIN 0.05
#define GROUP 16    /* items between two looks at the size of the product */
#define TABLED 1024 /* items with a table of their own; few blocks get to the others */
#define BLOCK BINARY64_BLOCK

typedef struct steps64 {
    double re[BLOCK], im[BLOCK];
} steps64;

typedef struct item {
    double lean; /* T */
    uint64_t times;
    binary64_turn turn;
} item;

typedef struct factor {
    double re, im, lean_re, lean_im;
    uint64_t times;
    const steps64 *steps;
} factor;

typedef struct table {
    item *item;
    steps64 *steps; /* of the first TABLED */
    size_t count;
    double least; /* e^(-2 lambda), a little less */
    const binary64_circle *circle;
    bool (*product)(double *re, double *im, const factor *f, size_t count, double least);
} table;

/* ---- one group of items ---------------------------------------------------------------------- */
BINARY64_BODY void square(double *restrict re, double *restrict im)
{
    for (int k = 0; k < BLOCK; k++) {
        double x = re[k] * re[k] - im[k] * im[k];
        im[k] = re[k] * im[k] + im[k] * re[k];
        re[k] = x;
    }
}

BINARY64_BODY void times(double *restrict re, double *restrict im, const double *restrict a,
                         const double *restrict b)
{
    for (int k = 0; k < BLOCK; k++) {
        double x = re[k] * a[k] - im[k] * b[k];
        im[k] = re[k] * b[k] + im[k] * a[k];
        re[k] = x;
    }
}

BINARY64_BODY void power(double *restrict re, double *restrict im, const factor *f)
{
    double a[BLOCK], b[BLOCK];
    for (int k = 0; k < BLOCK; k++) {
        a[k] = f->re * f->steps->re[k] - f->im * f->steps->im[k];
        b[k] = f->lean_re * f->steps->im[k] + f->lean_im * f->steps->re[k];
    }
    for (uint64_t t = f->times;; t >>= 1) {
        if ((t & 1) != 0)
            times(re, im, a, b);
        if (t <= 1)
            return;
        square(a, b);
    }
}

/* Is some |P|^2 of the block `least` or more? */
BINARY64_BODY bool any_left(const double *restrict re, const double *restrict im, double least)
{
    uint64_t left = 0;
    for (int k = 0; k < BLOCK; k++)
        left |= re[k] * re[k] + im[k] * im[k] >= least ? 1U : 0U;
    return left != 0;
}

/* A quarter of the block at a time stays in registers. */
#define LANES 16

/* Single uses. */
BINARY64_BODY void singles(double *restrict re, double *restrict im, const factor *f, size_t count)
{
    for (int from = 0; from < BLOCK; from += LANES) {
        double x[LANES], y[LANES];
        for (int k = 0; k < LANES; k++) {
            x[k] = re[from + k];
            y[k] = im[from + k];
        }
        for (size_t i = 0; i < count; i++) {
            const double *restrict r = f[i].steps->re + from, *restrict s = f[i].steps->im + from;
            double p = f[i].re, q = f[i].im, tp = f[i].lean_re, tq = f[i].lean_im;
            for (int k = 0; k < LANES; k++) {
                double a = p * r[k] - q * s[k], b = tp * s[k] + tq * r[k];
                double z = x[k] * a - y[k] * b;
                y[k] = x[k] * b + y[k] * a;
                x[k] = z;
            }
        }
        for (int k = 0; k < LANES; k++) {
            re[from + k] = x[k];
            im[from + k] = y[k];
        }
    }
}

BINARY64_BODY bool factors_product(double *restrict re, double *restrict im, const factor *f,
                                   size_t count, double least)
{
    for (size_t i = 0; i < count;) {
        size_t run = 0;
        while (i + run < count && f[i + run].times == 1)
            run++;
        if (run > 0)
            singles(re, im, f + i, run);
        i += run;
        if (i < count)
            power(re, im, &f[i++]);
    }
    return any_left(re, im, least);
}

static bool product_plain(double *re, double *im, const factor *f, size_t count, double least)
{
    return factors_product(re, im, f, count, least);
}

#if BINARY64_WIDTHS == 3
BINARY64_AVX2 static bool product_avx2(double *re, double *im, const factor *f, size_t count,
                                       double least)
{
    return factors_product(re, im, f, count, least);
}

BINARY64_AVX512 static bool product_avx512(double *re, double *im, const factor *f, size_t count,
                                           double least)
{
    return factors_product(re, im, f, count, least);
}

static bool (*const products[])(double *, double *, const factor *, size_t,
                                double) = {product_plain, product_avx2, product_avx512};
#else
static bool (*const products[])(double *, double *, const factor *, size_t,
                                double) = {product_plain};
#endif

static bool multiply(double re[BLOCK], double im[BLOCK], const void *self, uint64_t first)
{
    const table *t = self;
    factor group[GROUP];
    steps64 own[GROUP];
    for (size_t i = 0; i < t->count; i += GROUP) {
        size_t count = t->count - i < GROUP ? t->count - i : GROUP;
        for (size_t j = 0; j < count; j++) {
            const item *x = &t->item[i + j];
            factor *f = &group[j];
            binary64_unit(&f->re, &f->im, t->circle, binary64_phase(x->turn, first));
            f->lean_re = x->lean * f->re;
            f->lean_im = x->lean * f->im;
            f->times = x->times;
            f->steps = i + j < TABLED ? &t->steps[i + j] : &own[j];
            if (i + j >= TABLED)
                binary64_units(own[j].re, own[j].im, t->circle, x->turn);
        }
        if (!t->product(re, im, group, count, t->least))
            return false;
    }
    return true;
}

/* ---- opening --------------------------------------------------------------------------------- */
/* T within 1.01u: tanh enlarges no relative error. */
static double lean(mpfr_srcptr eps, mpfr_srcptr half)
{
    MPFR_DECL_INIT(x, 64);
    mpfr_mul(x, eps, half, MPFR_RNDN);
    mpfr_tanh(x, x, MPFR_RNDN);
    return mpfr_get_d(x, MPFR_RNDN);
}

static void close(void *self)
{
    table *t = self;
    memory_free(t->item);
    memory_free(t->steps);
    memory_free(t);
}

/* Adds what the item costs; false where it is not for doubles. */
static bool add_item(table *t, block_law *out, const composed_loss *use, const block_line *at,
                     mpfr_srcptr half)
{
    item *x = &t->item[t->count];
    MPFR_DECL_INIT(eps, WORK_BITS);
    MPFR_DECL_INIT(turn, WORK_BITS);
    waves_epsilon(eps, &use->epsilon);
    if (mpfr_get_exp(eps) > MOST_EXPONENT || !wide_get_z(&x->times, use->times))
        return false;
    mpfr_mul(turn, eps, at->turn, MPFR_RNDN);
    binary64_turn_set(&x->turn, turn);
    x->lean = lean(eps, half);
    double uses = (double)x->times;
    out->error.relative += uses * (FACTOR_ERROR / x->lean + PRODUCT_ERROR) * BINARY64_U;
    out->error.absolute += uses * ABSOLUTE_ERROR * BINARY64_U;
    if (t->count < TABLED)
        binary64_units(t->steps[t->count].re, t->steps[t->count].im, at->circle, x->turn);
    t->count++;
    return out->error.relative <= MOST_RELATIVE && uses <= MOST_USES;
}

/* A typical node is left after the items that make it small: the mean of -ln|f| over a turn is
 * ln(2 / (1 + T)). */
static double work(const table *t, double lambda)
{
    double sum = 0, count = 0;
    for (size_t i = 0; i < t->count && sum < lambda; i++) {
        double uses = (double)t->item[i].times;
        sum += uses * log(2 / (1 + t->item[i].lean));
        count += 1 + 2 * log2(uses);
    }
    return count;
}

static dp_status fill(table *t, block_law *out, const response *r, const block_line *at)
{
    MPFR_DECL_INIT(half, WORK_BITS);
    size_t tabled = r->losses < TABLED ? r->losses : TABLED;
    t->item = memory_new(r->losses + 1, sizeof *t->item);
    t->steps = memory_new(tabled + 1, sizeof *t->steps);
    if (t->item == NULL || t->steps == NULL)
        return DP_MEMORY;
    mpfr_set_d(half, at->c, MPFR_RNDN);
    mpfr_add_d(half, half, 0.5, MPFR_RNDN); /* exact for what is asked of c */
    for (size_t i = 0; i < r->losses; i++)
        if (!add_item(t, out, &r->loss[i], at, half))
            return DP_UNDECIDED;
    out->error.relative *= SLACK;
    out->error.absolute *= SLACK;
    out->work = work(t, at->lambda);
    return DP_OK;
}

dp_status response_blocks(block_law *out, const void *self, const block_line *at)
{
    static const block_ops ops = {.close = close, .multiply = multiply};
    if (((const response *)self)->losses > MOST_LOSSES)
        return DP_UNDECIDED;
    table *t = memory_zero(1, sizeof *t);
    *out = (block_law){.ops = &ops, .self = t};
    if (t == NULL)
        return DP_MEMORY;
    t->circle = at->circle;
    t->least = exp(-2 * (at->lambda + MARGIN));
    t->product = products[at->width < BINARY64_WIDTHS ? at->width : 0];
    dp_status status = fill(t, out, self, at);
    if (status != DP_OK)
        close(t);
    return status;
}
