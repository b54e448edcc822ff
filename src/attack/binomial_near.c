/* SPDX-License-Identifier: MIT */
/* Tails of binomial laws near the mean: an integral, by Taylor series with proved remainders. */
#include "attack/binomial_near.h"

#include <math.h>

#include "num/ival.h"

/* Pr[Bin >= k] = k Pr[Bin = k] q J with J the integral of H(w) = (1-w)^(k-1) (1-pw)^-(n+1) over
 * (0, 1), by the incomplete beta function at p (1-w)/(1-pw). With A = 1-w, B = 1-pw,
 *     H' A B = alpha H,  alpha = (n+1) p A - (k-1) B,
 * so that the terms d_i of H(w + h s)/H(w), by powers of s, are 1, alpha' and
 *     d_(i+1) = ((alpha' + gain i) d_i - curve (n-k+1+i) d_(i-1))/(i+1),
 *     alpha' = alpha h/(AB),  gain = h/A + p h/B,  curve = p h^2/(AB).
 * Each panel has a series that begins with 1: what one loses to cancellation is not handed on. */
typedef struct panel {
    mpfi_t a, b, alpha, first, gain, curve; /* first = alpha' */
    mpfi_t d[2], sum, mean, part, more;     /* the sum of the terms, and that of d_i/(i+1) */
    mpfr_t w, h;
    unsigned long k, n;
} panel;

#define ALL(p)                                                                                     \
    {                                                                                              \
        (p)->a, (p)->b, (p)->alpha, (p)->first, (p)->gain, (p)->curve, (p)->d[0], (p)->d[1],       \
            (p)->sum, (p)->mean, (p)->part, (p)->more                                              \
    }

static void panel_init(panel *p, unsigned long k, unsigned long n, mpfr_prec_t bits)
{
    p->k = k;
    p->n = n;
    mpfi_ptr all[] = ALL(p);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mpfi_init2(all[i], bits);
    mpfr_init2(p->w, bits);
    mpfr_init2(p->h, bits);
    mpfr_set_zero(p->w, 1);
}

static void panel_clear(panel *p)
{
    mpfi_ptr all[] = ALL(p);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mpfi_clear(all[i]);
    mpfr_clear(p->h);
    mpfr_clear(p->w);
}

#define DEVIATIONS 2.0
#define STEEPEST 20.0 /* ln of what H falls by in a panel */
#define WIDEST 0.125  /* of A, so that gain is at most 1/4 */

/* A width for the panel at w: any would be sound. */
static double width_of(const panel *p, const share *rate)
{
    double a = mpfi_get_d(p->a), b = mpfi_get_d(p->b), trials = (double)p->n + 1;
    double t = mpfi_get_d(rate->yes) * a / b, rest = mpfi_get_d(rate->no) / b;
    double wide = DEVIATIONS / sqrt(trials * t * rest), fall = (double)p->k - trials * t;
    wide = fmin(fmin(wide, WIDEST), STEEPEST / fmax(fall, 1e-300)) * a;
    int at;
    double part = frexp(wide, &at);
    return ldexp(rint(ldexp(part, 16)), at - 16);
}

static void begin(panel *p, const share *rate)
{
    mpfr_ui_sub(&p->a->left, 1, p->w, MPFR_RNDD);
    mpfr_ui_sub(&p->a->right, 1, p->w, MPFR_RNDU);
    mpfi_mul_fr(p->b, rate->yes, p->w);
    mpfi_ui_sub(p->b, 1, p->b);
    mpfi_mul(p->alpha, rate->yes, p->a);
    mpfi_mul_ui(p->alpha, p->alpha, p->n);
    mpfi_mul(p->part, rate->yes, p->a);
    mpfi_add(p->alpha, p->alpha, p->part);
    mpfi_mul_ui(p->part, p->b, p->k - 1);
    mpfi_sub(p->alpha, p->alpha, p->part);
}

/* out = what is left of J beyond w, over H(w), at most: in y = -ln(1-w) the integrand H A is
 * log-concave, and falls by k - (n+1) p A/B = (B - alpha)/B there, and faster beyond. */
static void beyond(mpfr_t out, panel *p)
{
    mpfi_sub(p->part, p->b, p->alpha);
    if (mpfr_sgn(&p->part->left) <= 0) {
        mpfr_set_inf(out, 1);
        return;
    }
    mpfi_div(p->part, p->b, p->part);
    mpfi_mul(p->part, p->part, p->a);
    mpfr_set(out, &p->part->right, MPFR_RNDU);
}

static void slopes(panel *p, const share *rate)
{
    mpfi_set_fr(p->first, p->h);
    mpfi_div(p->first, p->first, p->a); /* h/A */
    mpfi_mul_fr(p->part, rate->yes, p->h);
    mpfi_div(p->part, p->part, p->b); /* p h/B */
    mpfi_add(p->gain, p->first, p->part);
    mpfi_mul(p->curve, p->first, p->part);
    mpfi_div(p->first, p->first, p->b);
    mpfi_mul(p->first, p->first, p->alpha);
}

/* d[1], d[0] = the term after d[1], d[1] */
static void advance(panel *p, unsigned long i)
{
    mpfi_mul_ui(p->part, p->gain, i);
    mpfi_add(p->part, p->part, p->first);
    mpfi_mul(p->part, p->part, p->d[1]);
    mpfi_mul(p->more, p->curve, p->d[0]);
    mpfi_mul_ui(p->more, p->more, p->n - p->k + 1 + i);
    mpfi_set(p->d[0], p->d[1]);
    mpfi_sub(p->part, p->part, p->more);
    mpfi_div_ui(p->d[1], p->part, i + 1);
}

/* out = at least the size of x */
static void size_of(mpfr_t out, const mpfi_t x)
{
    mpfr_t other;
    mpfr_init2(other, mpfr_get_prec(out));
    mpfr_abs(out, &x->left, MPFR_RNDU);
    mpfr_abs(other, &x->right, MPFR_RNDU);
    mpfr_max(out, out, other, MPFR_RNDU);
    mpfr_clear(other);
}

/* Are all later terms d_(i+j) at most D 2^-j, D = max(|d_i|, |d_(i-1)|/2)? Yes if 2 a + 4 b <= 1
 * for all a = (|alpha'| + gain j)/(j+1) and b = curve (n-k+1+j)/(j+1), j >= i, as |d_(j+1)| <= a
 * |d_j| + b |d_(j-1)|; both lie between their values at i and gain, or curve. Their sum is at most
 * D then, which goes to out. */
static bool rest_of(mpfr_t out, const panel *p, unsigned long i)
{
    mpfr_t a, b, x;
    mpfr_inits2(64, a, b, x, (mpfr_ptr)0);
    size_of(x, p->first);
    mpfr_mul_ui(a, &p->gain->right, i, MPFR_RNDU);
    mpfr_add(a, a, x, MPFR_RNDU);
    mpfr_div_ui(a, a, i + 1, MPFR_RNDU);
    mpfr_max(a, a, &p->gain->right, MPFR_RNDU);
    mpfr_mul_ui(b, &p->curve->right, p->n - p->k + 1 + i, MPFR_RNDU);
    mpfr_div_ui(b, b, i + 1, MPFR_RNDU);
    mpfr_max(b, b, &p->curve->right, MPFR_RNDU);
    mpfr_mul_2ui(b, b, 1, MPFR_RNDU);
    mpfr_add(a, a, b, MPFR_RNDU);
    bool falls = mpfr_cmp_ui_2exp(a, 1, -1) <= 0;
    size_of(out, p->d[1]);
    size_of(x, p->d[0]);
    mpfr_div_2ui(x, x, 1, MPFR_RNDU);
    mpfr_max(out, out, x, MPFR_RNDU);
    mpfr_clears(a, b, x, (mpfr_ptr)0);
    return falls;
}

#define LEAST_TERMS 8
#define MOST_TERMS 5000

/* sum = H(w + h)/H(w) and mean = the integral over the panel, over h H(w): off by 2^least. */
static bool series(panel *p, mpfr_exp_t least)
{
    mpfr_t rest;
    mpfr_init2(rest, 64);
    mpfi_set_ui(p->d[0], 0);
    mpfi_set_ui(p->d[1], 1);
    mpfi_set_ui(p->sum, 1);
    mpfi_set_ui(p->mean, 1);
    bool done = false;
    for (unsigned long i = 0; !done && i < MOST_TERMS; i++) {
        advance(p, i);
        mpfi_add(p->sum, p->sum, p->d[1]);
        mpfi_div_ui(p->part, p->d[1], i + 2);
        mpfi_add(p->mean, p->mean, p->part);
        if (i < LEAST_TERMS)
            continue;
        size_of(rest, p->d[1]);
        done = (mpfr_zero_p(rest) || mpfr_get_exp(rest) <= least) && rest_of(rest, p, i + 1) &&
               mpfr_get_exp(rest) <= least + 8;
    }
    for (int j = 0; done && j < 2; j++) {
        mpfi_ptr out = j == 0 ? p->sum : p->mean;
        mpfr_sub(&out->left, &out->left, rest, MPFR_RNDD);
        mpfr_add(&out->right, &out->right, rest, MPFR_RNDU);
    }
    mpfr_clear(rest);
    ival_at_least_zero(p->sum);
    return done;
}

#define MOST_PANELS 200
#define MOST_OFF (-48) /* little beside what H may fall to */
#define SPARE 40       /* bits: panels lose e^(3 * 2^2) at most, by the terms of either sign */

/* Adds panels from w on until what is left is small; height = H(w). */
static bool gather(mpfi_t sum, mpfi_t height, panel *p, const share *rate, mpfr_prec_t bits)
{
    mpfr_t rest;
    bool done = false, ok = true;
    mpfr_init2(rest, 64);
    for (int i = 0; ok && !done && i < MOST_PANELS; i++) {
        begin(p, rate);
        if (i > 0) {
            beyond(rest, p);
            mpfr_mul(rest, rest, &height->right, MPFR_RNDU);
            done = mpfr_number_p(rest) && mpfr_sgn(rest) > 0 &&
                   mpfr_get_exp(rest) < mpfr_get_exp(&sum->left) - bits;
        }
        if (done) {
            mpfr_add(&sum->right, &sum->right, rest, MPFR_RNDU);
            break;
        }
        ok = mpfr_set_d(p->h, width_of(p, rate), MPFR_RNDN) == 0 && mpfr_sgn(p->h) > 0;
        slopes(p, rate);
        mpfr_exp_t least = -bits - mpfr_get_exp(&height->right);
        ok = ok && series(p, least < MOST_OFF ? least : MOST_OFF);
        mpfi_mul_fr(p->mean, p->mean, p->h);
        mpfi_mul(p->mean, p->mean, height);
        mpfi_add(sum, sum, p->mean);
        mpfi_mul(height, height, p->sum);
        ok = ok && mpfr_add(p->w, p->w, p->h, MPFR_RNDN) == 0 && mpfr_sgn(&sum->left) > 0;
    }
    mpfr_clear(rest);
    return done;
}

bool binomial_near(mpfi_t out, unsigned long k, unsigned long n, const share *p, mpfr_prec_t bits)
{
    mpfr_prec_t work = bits + SPARE;
    for (unsigned long left = n; left > 0; left >>= 2) /* alpha' is off by sqrt(n) units */
        work++;
    panel own;
    mpfi_t sum, height;
    mpfi_init2(sum, work);
    mpfi_init2(height, work);
    panel_init(&own, k, n, work);
    mpfi_set_ui(sum, 0);
    mpfi_set_ui(height, 1);
    bool ok = gather(sum, height, &own, p, bits + 4);
    mpfi_mul_ui(out, sum, k);
    panel_clear(&own);
    mpfi_clear(height);
    mpfi_clear(sum);
    return ok;
}

#define MANY 1000

/* The fraction takes about (bits ln 2/(2 z))^2/2 steps at z standard deviations. */
bool binomial_seems_near(double k, double n, double p, double q, double bits)
{
    double z = (k - (n + 1) * p) / sqrt((n + 1) * p * q);
    return k >= MANY && n - k >= MANY && z < bits / 70;
}

bool binomial_is_near(unsigned long k, unsigned long n, const share *p, mpfr_prec_t bits)
{
    return binomial_seems_near((double)k, (double)n, mpfi_get_d(p->yes), mpfi_get_d(p->no),
                               (double)bits);
}
