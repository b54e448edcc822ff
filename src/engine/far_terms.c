/* SPDX-License-Identifier: MIT */
/* The terms of 64 nodes in doubles. Their roundings are counted at the head of far_nodes.c. */
#include "engine/far_terms.h"

#include <math.h>

#define BLOCK BINARY64_BLOCK

BINARY64_BODY void make_terms(far_terms *restrict out, far_bounds *restrict b,
                              const far_phi *restrict phi, const far_nodes *f, uint64_t first)
{
    const double *restrict re = phi->re, *restrict im = phi->im, *restrict away = phi->away;
    double c = f->c, pole = c * c + c, twice = 2 * c + 1, half = f->square[0] / 2, d = f->spacing;
    double rho = f->error.relative * (1 + 4 * f->error.relative),
           flat = phi->start * f->error.absolute;
    double n = (double)first;
    for (int k = 0; k < BLOCK; k++) {
        double t = d * (n + k), t2 = t * t, y = half * t2;
        double x = pole - t2, z = twice * t, over = 1 / (x * x + z * z);
        double g = binary64_exp_neg(y), p = x * over, q = z * over; /* 1/d = p - i q */
        double fr = re[k] * p + im[k] * q, fi = im[k] * p - re[k] * q;
        double size = fabs(re[k]) + fabs(im[k]), wrong = rho * size + 1.2 * away[k];
        double kernel = 2 * g * (fabs(p) + fabs(q)), second = g * kernel;
        wrong = wrong < flat ? wrong : flat;
        out->t[k] = t;
        out->sum[0].re[k] = fr * (2 * g);
        out->sum[0].im[k] = fi * (2 * g);
        out->sum[1].re[k] = fr * (2 * (g * g));
        out->sum[1].im[k] = fi * (2 * (g * g));
        b->phi[0][k] += kernel * wrong;
        b->phi[1][k] += second * wrong;
        b->node[0][k] += kernel * size * (1 + 0.25 * y);
        b->node[1][k] += second * size * (1 + 0.5 * y);
    }
}

/* a[0] = the sum of all */
BINARY64_BODY void add_tree(double *a)
{
    for (int h = BLOCK / 2; h > 0; h /= 2)
        for (int k = 0; k < h; k++)
            a[k] += a[k + h];
}

BINARY64_BODY void add_block(double out[3], const far_steps *restrict x, const double *restrict t,
                             double p, double q, const far_steps *restrict step)
{
    double re[BLOCK], im[BLOCK], turned[BLOCK];
    for (int k = 0; k < BLOCK; k++) {
        double a = p * step->re[k] - q * step->im[k], b = p * step->im[k] + q * step->re[k];
        re[k] = x->re[k] * a - x->im[k] * b;
        im[k] = x->re[k] * b + x->im[k] * a;
        turned[k] = im[k] * t[k];
    }
    add_tree(re);
    add_tree(turned);
    out[0] = re[0];
    out[1] = turned[0];
}

/* ---- for vectors of each width --------------------------------------------------------------- */
#define MADE_FOR(NAME, TARGET)                                                                     \
    TARGET static void make_terms_##NAME(far_terms *out, far_bounds *b, const far_phi *phi,        \
                                         const far_nodes *f, uint64_t first)                       \
    {                                                                                              \
        make_terms(out, b, phi, f, first);                                                         \
    }                                                                                              \
    TARGET static void add_block_##NAME(double *out, const far_steps *x, const double *t,          \
                                        double p, double q, const far_steps *step)                 \
    {                                                                                              \
        add_block(out, x, t, p, q, step);                                                          \
    }
MADE_FOR(plain, )
#if BINARY64_WIDTHS == 3
MADE_FOR(avx2, BINARY64_AVX2)
MADE_FOR(avx512, BINARY64_AVX512)
far_terms_function *const far_term_makers[] = {make_terms_plain, make_terms_avx2,
                                               make_terms_avx512};
far_add_function *const far_adders[] = {add_block_plain, add_block_avx2, add_block_avx512};
#else
far_terms_function *const far_term_makers[] = {make_terms_plain};
far_add_function *const far_adders[] = {add_block_plain};
#endif
