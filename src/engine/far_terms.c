/* SPDX-License-Identifier: MIT */
/* The terms of 64 nodes in doubles. Their roundings are counted at the head of far_nodes.c. */
#include "engine/far_terms.h"

#include <math.h>

#define BLOCK BINARY64_BLOCK
#define PI 3.141592653589793

/* ---- the kernels ----------------------------------------------------------------------------- */
/* s = sin x, c = cos x, x = pi m / n, 4m <= n < 2^32, each within a relative 6u: pi, the product
 * and the quotient make 2.4u of x, which moves sin x by as much of it and cos x by x sin x 2.4u
 * < 1.4u. The sums beside 1 are within 4.5u, and at most 0.11 and 0.3; what is cut off is below
 * x^18/18! < 0.1u. So sin x is within 2.4u + 0.6u + 1.6u, cos x within (1.4u + 1.4u + 0.6u) /
 * 0.707. */
static void eighth(double *s, double *c, uint64_t m, uint64_t n)
{
    double x = PI * (double)m / (double)n, y = x * x, a = 0, b = 0;
    for (int k = 17; k > 1; k -= 2) {
        a = -y * (1 + a) / (k * (k - 1));
        b = -y * (1 + b) / ((k - 1) * (k - 2));
    }
    *s = x * (1 + a);
    *c = 1 + b;
}

/* The same for 2m <= n. */
static void quarter(double *s, double *c, uint64_t m, uint64_t n)
{
    if (4 * m <= n)
        eighth(s, c, m, n);
    else
        eighth(c, s, n / 2 - m, n);
}

void far_kernel_init(far_kernel *k, const extremal *e)
{
    for (size_t i = 0; i < EXTREMAL_NUMBERS; i++)
        k->number[i] = mpfi_get_d(e->number[i]);
    k->line = mpfi_get_d(e->number[EXTREMAL_CHI]) * k->number[EXTREMAL_BELOW_POLE];
    k->count = e->count;
    for (uint64_t i = 0; i < BLOCK; i++) {
        quarter(&k->sine[0][i], &k->cosine[0][i], i, e->count);
        k->sine[1][BLOCK - 1 - i] = k->sine[0][i];
        k->cosine[1][BLOCK - 1 - i] = k->cosine[0][i];
    }
}

typedef struct place {
    double sine, cosine, side; /* of the angle that the block's nodes are a little more than */
    const double *sines, *cosines;
    double left; /* N - n of the first node */
} place;

/* From the nearer end: from N back by N - n, where the cosine is the other way round. */
static place place_of(const far_kernel *k, uint64_t first)
{
    place x;
    size_t back = first < k->count / 2 ? 0 : 1;
    uint64_t from = back == 0 ? first : k->count - first - (BLOCK - 1);
    quarter(&x.sine, &x.cosine, from, k->count);
    x.side = back == 0 ? 1 : -1;
    x.sines = k->sine[back];
    x.cosines = k->cosine[back];
    x.left = (double)(k->count - first);
    return x;
}

/* |q q'| is least, over the block, at the node that is nearer to an end; the rest falls. */
double far_kernel_most(const far_kernel *k, uint64_t first)
{
    const double *x = k->number;
    place at = place_of(k, first);
    double v = 2 * at.sine * at.sine, u = 2 * at.sine * at.cosine;
    double p = x[EXTREMAL_GROUND] + x[EXTREMAL_DECAY] * v, q = x[EXTREMAL_DECAY] * u;
    double r = x[EXTREMAL_OTHER_GROUND] + x[EXTREMAL_OTHER_DECAY] * v,
           s = x[EXTREMAL_OTHER_DECAY] * u;
    double over = 1 / sqrt((p * p + q * q) * (r * r + s * s)), other = 1 / sqrt(r * r + s * s);
    double rest = at.left / (double)k->count + x[EXTREMAL_CHI];
    return rest * x[EXTREMAL_MOST_POLE] * over + x[EXTREMAL_MOST_EDGE] * (other + 1);
}

typedef struct kernels {
    double below_re, below_im, above_re, above_im, most;
} kernels;

/* Of one node, s = sin(ht/2), c = cos(ht/2): extremal.h, above without its first factor; both are
 * at most `most`. */
BINARY64_BODY kernels kernels_at(const far_kernel *k, double s, double c, double rest)
{
    const double *x = k->number;
    double v = 2 * s * s, u = 2 * s * c; /* 1 - w = v + i u */
    double w = 1 - v, chi = x[EXTREMAL_CHI];
    double q = x[EXTREMAL_GROUND] + x[EXTREMAL_DECAY] * v, qi = x[EXTREMAL_DECAY] * u;
    double r = x[EXTREMAL_OTHER_GROUND] + x[EXTREMAL_OTHER_DECAY] * v,
           ri = x[EXTREMAL_OTHER_DECAY] * u;
    double a = q * r - qi * ri, b = q * ri + qi * r, over = 1 / (a * a + b * b);
    double size = (fabs(a) + fabs(b)) * over;
    a *= over; /* a - i b = 1 / (q q') */
    b *= over;
    double edge = x[EXTREMAL_BELOW_EDGE];
    double d = rest * x[EXTREMAL_BELOW_POLE] + edge * qi, e = k->line - edge * q;
    double f = w * d + u * e, g = w * e - u * d;
    kernels out = {f * a + g * b, (g * a - f * b) - x[EXTREMAL_BELOW_KINK], 0, 0, 0};
    edge = x[EXTREMAL_ABOVE_EDGE];
    d = x[EXTREMAL_ABOVE_FIRST] + x[EXTREMAL_ABOVE_SECOND] * w;
    e = -(x[EXTREMAL_ABOVE_SECOND] * u);
    f = (rest * d - chi * e) + edge * qi;
    g = (rest * e + chi * d) - edge * q;
    out.above_re = f * a + g * b;
    out.above_im = g * a - f * b;
    out.most = (rest + chi) * x[EXTREMAL_MOST_POLE] * size +
               x[EXTREMAL_MOST_EDGE] * ((fabs(q) + fabs(qi)) * size + 1);
    return out;
}

BINARY64_BODY void make_terms(far_terms *restrict out, far_bounds *restrict b,
                              const far_phi *restrict phi, const far_nodes *f, uint64_t first)
{
    const double *restrict re = phi->re, *restrict im = phi->im, *restrict away = phi->away;
    const far_kernel *k = &f->kernel;
    place at = place_of(k, first);
    double rho = f->error.relative * (1 + 4 * f->error.relative),
           flat = phi->start * f->error.absolute;
    double n = (double)first, over = 1 / (double)k->count, spacing = f->spacing;
    for (int i = 0; i < BLOCK; i++) {
        double s = at.sine * at.cosines[i] + at.cosine * at.sines[i];
        double c = at.side * (at.cosine * at.cosines[i] - at.sine * at.sines[i]);
        kernels x = kernels_at(k, s, c, (at.left - i) * over);
        double size = fabs(re[i]) + fabs(im[i]), wrong = rho * size + 1.2 * away[i];
        wrong = wrong < flat ? wrong : flat;
        out->t[i] = spacing * (n + i);
        out->sum[0].re[i] = 2 * (re[i] * x.below_re - im[i] * x.below_im);
        out->sum[0].im[i] = 2 * (re[i] * x.below_im + im[i] * x.below_re);
        out->sum[1].re[i] = 2 * (re[i] * x.above_re - im[i] * x.above_im);
        out->sum[1].im[i] = 2 * (re[i] * x.above_im + im[i] * x.above_re);
        b->phi[i] += 2 * x.most * wrong;
        b->node[i] += 2 * x.most * size;
    }
}

/* ---- sums ------------------------------------------------------------------------------------ */
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
