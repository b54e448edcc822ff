/* SPDX-License-Identifier: MIT */
/* Tails of the sum of two binomial laws. With G the generating function, and r > 1,
 *     Pr[W >= v] = mean of G(z) z^-v/(1 - 1/z) over |z| = r,
 * and the mean over N numbers z of the circle, z^N = r^N, counts each c_j = Pr[W = j] once for each
 * i >= v with i = j mod N, times r^(j-i): what i = j counts is the tail, and the rest an excess.
 * With C the tilted law, C_j = c_j r^j/G(r), and M = G(r) r^-v, that excess is M times a sum of C_j
 * r^(v-i), which is at most C_j/(1 - r^-N) times
 *     r^(-N/2)  from i > j, for j >= v - N/2, where i >= v + N/2;
 *     1         from i > j, for other j;
 *     1         from i < j, for j >= v + N.
 * Chernoff's bound of C is the last step. |G| falls along the circle from r to -r, so that all
 * numbers beyond one together have at most the value there. */
#include "attack/binomial_pair.h"

#include <math.h>
#include <stdint.h>

#include "num/cball.h"
#include "num/ival.h"

/* ---- where, in doubles: any circle would be sound ---- */

static double logistic(double x)
{
    return 1 / (1 + exp(-x));
}

/* The mean of the law tilted by e^s; *spread its variance. */
static double tilted(double *spread, const double n[2], const double x[2], double s)
{
    double mean = 0;
    *spread = 0;
    for (int i = 0; i < 2; i++) {
        mean += n[i] * logistic(x[i] + s);
        *spread += n[i] * logistic(x[i] + s) * logistic(-x[i] - s);
    }
    return mean;
}

/* The tilt at which the mean is v. */
static double saddle(double v, const double n[2], const double x[2])
{
    double s = 0, spread;
    for (int i = 0; i < 60; i++) {
        double step = (v - tilted(&spread, n, x, s)) / (spread + 1e-300);
        s += fmax(-1, fmin(1, step));
        if (fabs(step) < 1e-15 * (1 + fabs(s)))
            break;
    }
    return s;
}

#define LEAST_TILT 6.0      /* in standard deviations: r^-N is small then; */
#define GUESS_TILT 2.0      /* and M no more than some tails, which doubles lose digits to */
#define LEAST_SPREAD 1000.0 /* narrower laws are far from normal, and short sums anyway */
#define MOST_NODES 1e7
#define MOST_USED 1000.0

static bool plan(circle *c, double v, const double n[2], const double x[2], double bits,
                 double least)
{
    double s = saddle(v, n, x);
    if (!(s > 0))
        return false;
    tilted(&c->spread, n, x, s);
    c->tilt = fmax(s, least / sqrt(c->spread));
    c->mean = tilted(&c->spread, n, x, c->tilt);
    if (!(c->spread >= LEAST_SPREAD))
        return false;
    double wide = sqrt(c->spread), small = 0.7 * bits + 22 + log1p(wide), reach = sqrt(2 * small);
    double half = ceil(fmax(small / c->tilt, reach * wide - (c->mean - v)));
    half = fmax(half, ceil((c->mean - v + reach * wide) / 2));
    double used = ceil(reach * half / (3.1415 * wide));
    if (!(half < MOST_NODES && used < MOST_USED && used + 1 < half))
        return false;
    c->nodes = 2 * (unsigned long)half;
    c->used = (unsigned long)used;
    return true;
}

/* The sum below in doubles, its logarithm. */
static double sum_of(const circle *c, double v, const double n[2], const double x[2])
{
    double count = (double)c->nodes, scale = -c->tilt * v, t[2];
    double back = exp(-c->tilt), sum = 1 / -expm1(-c->tilt);
    for (int i = 0; i < 2; i++) {
        t[i] = logistic(x[i] + c->tilt);
        scale += n[i] * log1p(logistic(x[i]) * expm1(c->tilt));
    }
    for (double k = 1; k <= (double)c->used; k++) {
        double a = 6.283185307179586477 * k / count, half = sin(a / 2), size = 0, turn = -v * a;
        for (int i = 0; i < 2; i++) {
            size += n[i] / 2 * log1p(-4 * t[i] * (1 - t[i]) * half * half);
            turn += n[i] * atan2(t[i] * sin(a), 1 - 2 * t[i] * half * half);
        }
        double re = 1 - back * cos(a), im = back * sin(a);
        sum += 2 * exp(size) * (cos(turn) * re + sin(turn) * im) / (re * re + im * im);
    }
    return scale + log(sum / count);
}

/* By a saddle point, Lugannani's and Rice's. */
static double saddle_tail(double v, const double n[2], const double x[2])
{
    double s = saddle(v, n, x), spread, mean = tilted(&spread, n, x, 0), above = 0;
    if (fabs(s) * sqrt(spread) < 1e-4)
        return log(0.5 * erfc((v - 0.5 - mean) / sqrt(2 * spread)));
    tilted(&spread, n, x, s);
    for (int i = 0; i < 2; i++)
        above += n[i] * log1p(logistic(x[i]) * expm1(s));
    double w = copysign(sqrt(2 * fmax(s * v - above, 0)), s), u = -expm1(-s) * sqrt(spread);
    if (w < -30)
        return 0;
    double mills = w > 25 ? (1 - (1 - 3 / (w * w)) / (w * w)) / w
                          : 1.2533141373155002512 * exp(w * w / 2) * erfc(w * 0.70710678118654752);
    return -w * w / 2 - 0.91893853320467274178 + log(mills + 1 / u - 1 / w);
}

#define GUESS_BITS 53.0

double guess_log_pair(double v, const double n[2], const double x[2])
{
    circle c;
    return plan(&c, v, n, x, GUESS_BITS, GUESS_TILT) ? sum_of(&c, v, n, x) : saddle_tail(v, n, x);
}

/* ---- the sum ---- */

typedef struct ring {
    const circle *at;
    const unsigned long *n;
    unsigned long v;
    mpfi_t t[2], scale, back, edge; /* the tilted shares, M, 1/r, 1/(1 - 1/r) */
    cball z, one, g[2], both, product;
} ring;

static void ring_init(ring *r, mpfr_prec_t bits)
{
    mpfi_ptr all[] = {r->t[0], r->t[1], r->scale, r->back, r->edge};
    cball *balls[] = {&r->z, &r->one, &r->g[0], &r->g[1], &r->both, &r->product};
    for (size_t i = 0; i < 5; i++)
        mpfi_init2(all[i], bits);
    for (size_t i = 0; i < 6; i++)
        cball_init(balls[i], bits);
    cball_set_ui(&r->one, 1);
}

static void ring_clear(ring *r)
{
    mpfi_ptr all[] = {r->t[0], r->t[1], r->scale, r->back, r->edge};
    cball *balls[] = {&r->z, &r->one, &r->g[0], &r->g[1], &r->both, &r->product};
    for (size_t i = 0; i < 5; i++)
        mpfi_clear(all[i]);
    for (size_t i = 0; i < 6; i++)
        cball_clear(balls[i]);
}

/* M = (q + p r)^n (q' + p' r)^n' r^-v, and the shares p r/(q + p r) */
static void ring_start(ring *r, const share p[2])
{
    mpfr_prec_t bits = mpfi_get_prec(r->scale);
    mpfi_t turn, sum, part;
    mpfi_init2(turn, bits);
    mpfi_init2(sum, bits);
    mpfi_init2(part, bits);
    mpfi_set_d(turn, r->at->tilt);
    mpfi_neg(part, turn);
    mpfi_exp(r->back, part);
    mpfi_mul_ui(r->scale, part, r->v);
    mpfi_expm1(part, part);
    mpfi_neg(part, part);
    mpfi_inv(r->edge, part);
    mpfi_exp(turn, turn);
    for (int i = 0; i < 2; i++) {
        mpfi_mul(r->t[i], p[i].yes, turn);
        mpfi_add(sum, r->t[i], p[i].no);
        mpfi_div(r->t[i], r->t[i], sum);
        mpfi_log(sum, sum);
        mpfi_mul_ui(sum, sum, r->n[i]);
        mpfi_add(r->scale, r->scale, sum);
    }
    mpfi_exp(r->scale, r->scale);
    mpfi_clear(part);
    mpfi_clear(sum);
    mpfi_clear(turn);
}

/* product = G(r e^(i a))/G(r) at the angle a = 2 pi k/N: powers of 1 + t (e^(i a) - 1), which is in
 * the unit disc. */
static void ring_value(ring *r, unsigned long k)
{
    cball_unit(&r->z, 2 * (uint64_t)k, r->at->nodes);
    cball_sub(&r->z, &r->z, &r->one);
    unsigned long bit = 1;
    for (int i = 0; i < 2; i++) {
        cball_mul_i(&r->g[i], &r->z, r->t[i]);
        cball_add(&r->g[i], &r->g[i], &r->one);
        cball_measure(&r->g[i]);
        cball_cap(&r->g[i], r->one.re);
        while (bit <= r->n[i])
            bit *= 2;
    }
    cball_set_ui(&r->product, 1);
    cball_mul(&r->both, &r->g[0], &r->g[1]);
    while ((bit /= 2) > 0) { /* both powers at once */
        bool first = (r->n[0] & bit) != 0, other = (r->n[1] & bit) != 0;
        cball_mul(&r->product, &r->product, &r->product);
        if (first || other)
            cball_mul(&r->product, &r->product, first && other ? &r->both : &r->g[other]);
    }
}

/* sum = N times the mean of the numbers up to the last one that is used, over M */
static void ring_sum(mpfi_t sum, ring *r)
{
    uint64_t all = r->at->nodes;
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(sum));
    mpfi_set(sum, r->edge);
    for (unsigned long k = 1; k <= r->at->used; k++) {
        ring_value(r, k);
        cball_unit(&r->z, 2 * (all - r->v % all * k % all), all);
        cball_mul(&r->product, &r->product, &r->z);
        cball_unit(&r->z, 2 * (all - k), all);
        cball_mul_i(&r->z, &r->z, r->back);
        cball_one_minus(&r->z, &r->z);
        cball_inv(&r->z, &r->z);
        cball_mul(&r->product, &r->product, &r->z);
        cball_real(part, &r->product);
        mpfi_mul_2ui(part, part, 1);
        mpfi_add(sum, sum, part);
    }
    mpfi_clear(part);
}

/* ---- what is left out, over M ---- */

#define BOUND_BITS 96

/* total += at least the probability that the tilted law is at least x, s > 0, or at most x. */
static void add_chernoff(mpfr_t total, const ring *r, double s, long x)
{
    mpfi_t e, sum, part;
    mpfi_init2(e, BOUND_BITS);
    mpfi_init2(sum, BOUND_BITS);
    mpfi_init2(part, BOUND_BITS);
    mpfi_set_d(part, s);
    mpfi_expm1(e, part);
    mpfi_mul_si(sum, part, -x);
    for (int i = 0; i < 2; i++) {
        mpfi_mul(part, r->t[i], e);
        mpfi_log1p(part, part);
        mpfi_mul_ui(part, part, r->n[i]);
        mpfi_add(sum, sum, part);
    }
    mpfi_exp(sum, sum);
    mpfr_add(total, total, &sum->right, MPFR_RNDU);
    mpfi_clear(part);
    mpfi_clear(sum);
    mpfi_clear(e);
}

/* excess = at least what is counted more than once */
static void bound_excess(mpfr_t excess, const ring *r)
{
    long low = (long)r->v - (long)(r->at->nodes / 2), high = (long)(r->v + r->at->nodes);
    mpfr_t power;
    mpfr_init2(power, BOUND_BITS);
    mpfr_set(power, &r->back->right, MPFR_RNDU);
    mpfr_pow_ui(power, power, r->at->nodes / 2, MPFR_RNDU);
    mpfr_set(excess, power, MPFR_RNDU);
    double s = ((double)low - r->at->mean) / r->at->spread;
    if (low >= 0)
        add_chernoff(excess, r, fmin(s, -1e-300), low);
    s = ((double)high - r->at->mean) / r->at->spread;
    if (high <= (long)(r->n[0] + r->n[1]))
        add_chernoff(excess, r, fmax(s, 1e-300), high);
    mpfr_sqr(power, power, MPFR_RNDU);
    mpfr_ui_sub(power, 1, power, MPFR_RNDD);
    mpfr_div(excess, excess, power, MPFR_RNDU);
    mpfr_clear(power);
}

/* numbers = at least what those that are left out have together, over N */
static void bound_rest(mpfr_t numbers, ring *r)
{
    ring_value(r, r->at->used + 1);
    mpfr_mul(numbers, r->product.size, &r->edge->right, MPFR_RNDU);
}

/* ln M/Pr[W >= v] in bits, of so many trials */
#define LOST_BITS 48

void binomial_pair_on(mpfi_t out, const circle *at, unsigned long v, const unsigned long n[2],
                      const share p[2])
{
    ring r = {.at = at, .n = n, .v = v};
    ring_init(&r, binomial_bits(mpfi_get_prec(out), n[0] + n[1]) + LOST_BITS);
    ring_start(&r, p);
    mpfi_t sum;
    mpfr_t excess, rest;
    mpfi_init2(sum, mpfi_get_prec(r.scale));
    mpfr_init2(excess, BOUND_BITS);
    mpfr_init2(rest, BOUND_BITS);
    ring_sum(sum, &r);
    mpfi_div_ui(sum, sum, at->nodes);
    bound_excess(excess, &r);
    bound_rest(rest, &r);
    mpfr_add(excess, excess, rest, MPFR_RNDU);
    mpfr_sub(&sum->left, &sum->left, excess, MPFR_RNDD);
    mpfr_add(&sum->right, &sum->right, rest, MPFR_RNDU);
    mpfi_mul(out, sum, r.scale);
    ival_clamp_ui(out, 0, 1);
    mpfr_clear(rest);
    mpfr_clear(excess);
    mpfi_clear(sum);
    ring_clear(&r);
}

bool binomial_pair(mpfi_t out, unsigned long v, const unsigned long n[2], const share p[2])
{
    double trials[2] = {(double)n[0], (double)n[1]}, x[2];
    for (int i = 0; i < 2; i++)
        x[i] = log(mpfi_get_d(p[i].yes)) - log(mpfi_get_d(p[i].no));
    circle c;
    bool shorter = plan(&c, (double)v, trials, x, (double)mpfi_get_prec(out), LEAST_TILT);
    if (shorter)
        binomial_pair_on(out, &c, v, n, p);
    return shorter;
}
