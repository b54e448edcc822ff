/* SPDX-License-Identifier: MIT */
/* Laws with finitely many outcomes at blocks of nodes, in doubles. A use has the factor
 *     f = sum_j tau_j e^(i theta l_j),   tau_j the tilted masses, sum 1,
 * computed by (tau (p + i q)) (r + i s), p + i q of the first node of the block and r + i s of the
 * nodes after it, both within 1.6u (num/binary64.h). A term is wrong by at most 7.6u tau_j:
 *     the units make 3.2u, tau_j as a double 1.01u, its products with p and q u, the product of
 *     complex numbers sqrt(5) u, and products of errors next to nothing;
 * each addition to a sum rounds by u of it, which is at most 1 and next to nothing more. Outcomes
 * that together weigh less than u are left out. What powers of f make of that: block_power.h. */
#include <math.h>

#include "loss/block_power.h"
#include "loss/discrete.h"
#include "num/memory.h"
#include "num/wide.h"

#define BLOCK BINARY64_BLOCK
#define TERM_ERROR 7.6
#define ADDED_ERROR 1.01
#define LEFT_OUT 1.01
#define MOST_OUTCOMES 1024U /* of more the tables take longer than the nodes */
#define MOST_EXPONENT 128   /* of a loss: then its turns are known to 2^-200 */
#define WORK_BITS 448
typedef struct steps64 {
    double re[BLOCK], im[BLOCK];
} steps64;

typedef struct term {
    double re, im; /* at the first node of the block */
} term;

typedef struct table {
    binary64_turn *turn;
    double *mass;
    steps64 *steps;
    size_t count;
    block_power power;
    double least;
    const binary64_circle *circle;
    bool (*product)(double *re, double *im, double *away, const struct table *t, const term *f);
} table;

/* ---- one block ------------------------------------------------------------------------------- */
/* A quarter of the block at a time stays in registers. */
#define LANES 16

BINARY64_BODY void add_terms(double *restrict x, double *restrict y, const table *t, const term *f)
{
    for (int from = 0; from < BLOCK; from += LANES) {
        double a[LANES] = {0}, b[LANES] = {0};
        for (size_t j = 0; j < t->count; j++) {
            const double *restrict r = t->steps[j].re + from, *restrict s = t->steps[j].im + from;
            double p = f[j].re, q = f[j].im;
            for (int k = 0; k < LANES; k++) {
                a[k] += p * r[k] - q * s[k];
                b[k] += p * s[k] + q * r[k];
            }
        }
        for (int k = 0; k < LANES; k++) {
            x[from + k] = a[k];
            y[from + k] = b[k];
        }
    }
}

BINARY64_BODY bool multiply_block(double *restrict re, double *restrict im, double *restrict away,
                                  const table *t, const term *f)
{
    double x[BLOCK], y[BLOCK];
    add_terms(x, y, t, f);
    return block_power_multiply(re, im, away, x, y, &t->power, t->least);
}

static bool product_plain(double *re, double *im, double *away, const table *t, const term *f)
{
    return multiply_block(re, im, away, t, f);
}

#if BINARY64_WIDTHS == 3
BINARY64_AVX2 static bool product_avx2(double *re, double *im, double *away, const table *t,
                                       const term *f)
{
    return multiply_block(re, im, away, t, f);
}

BINARY64_AVX512 static bool product_avx512(double *re, double *im, double *away, const table *t,
                                           const term *f)
{
    return multiply_block(re, im, away, t, f);
}

static bool (*const products[])(double *, double *, double *, const table *,
                                const term *) = {product_plain, product_avx2, product_avx512};
#else
static bool (*const products[])(double *, double *, double *, const table *,
                                const term *) = {product_plain};
#endif

static bool multiply(double re[BLOCK], double im[BLOCK], double away[BLOCK], const void *self,
                     uint64_t first)
{
    const table *t = self;
    term f[MOST_OUTCOMES];
    for (size_t j = 0; j < t->count; j++) {
        double p, q;
        binary64_unit(&p, &q, t->circle, binary64_phase(t->turn[j], first));
        f[j] = (term){t->mass[j] * p, t->mass[j] * q};
    }
    return t->product(re, im, away, t, f);
}

/* ---- opening --------------------------------------------------------------------------------- */
static void close(void *self)
{
    table *t = self;
    memory_free(t->turn);
    memory_free(t->mass);
    memory_free(t->steps);
    memory_free(t);
}

static bool add_outcome(table *t, const outcome *o, const block_line *at)
{
    size_t j = t->count++;
    MPFR_DECL_INIT(lost, WORK_BITS);
    MPFR_DECL_INIT(mass, 64);
    mpfi_get_fr(lost, o->loss);
    mpfi_get_fr(mass, o->mass);
    if (mpfr_regular_p(lost) && mpfr_get_exp(lost) > MOST_EXPONENT)
        return false;
    mpfr_mul(lost, lost, at->turn, MPFR_RNDN);
    binary64_turn_set(&t->turn[j], lost);
    binary64_units(t->steps[j].re, t->steps[j].im, at->circle, t->turn[j]);
    t->mass[j] = mpfr_get_d(mass, MPFR_RNDN);
    return true;
}

static bool fill(table *t, const outcome *o, size_t count, const block_line *at)
{
    double least = BINARY64_U / (double)count;
    for (size_t j = 0; j < count; j++)
        if (mpfr_cmp_d(&o[j].mass->right, least) > 0 && !add_outcome(t, &o[j], at))
            return false;
    return t->count > 0;
}

static dp_status open(table *t, block_law *out, const discrete *d, const block_line *at)
{
    uint64_t times;
    if (d->count > MOST_OUTCOMES || !wide_get_z(&times, d->times))
        return DP_UNDECIDED;
    t->turn = memory_new(d->count, sizeof *t->turn);
    t->mass = memory_new(d->count, sizeof *t->mass);
    t->steps = memory_new(d->count, sizeof *t->steps);
    outcome *o = discrete_tilted(d, at->c, WORK_BITS);
    bool room = t->turn != NULL && t->mass != NULL && t->steps != NULL;
    if (o == NULL || !room) {
        discrete_drop(o, d->count);
        return DP_MEMORY;
    }
    bool ok = fill(t, o, d->count, at);
    discrete_drop(o, d->count);
    double error = TERM_ERROR + LEFT_OUT + ADDED_ERROR * (double)t->count;
    if (!ok || !block_power_set(&t->power, &out->error, times, error, at->lambda))
        return DP_UNDECIDED;
    out->rare = block_power_rarity(multiply, t);
    out->work = (double)t->count + 2 * log2((double)times) / out->rare;
    return DP_OK;
}

dp_status discrete_blocks(block_law *out, const void *self, const block_line *at)
{
    static const block_ops ops = {.close = close, .multiply_sum = multiply};
    table *t = memory_zero(1, sizeof *t);
    *out = (block_law){.ops = &ops, .self = t};
    if (t == NULL)
        return DP_MEMORY;
    t->circle = at->circle;
    t->least = block_power_least(at->lambda);
    t->product = products[at->width < BINARY64_WIDTHS ? at->width : 0];
    dp_status status = open(t, out, self, at);
    if (status != DP_OK)
        close(t);
    return status;
}
