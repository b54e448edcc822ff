/* SPDX-License-Identifier: MIT */
/* The inverse of a Gaussian trade-off curve in fixed point, rounded down or up: G(Phi(t)) = Phi(t -
 * mu). It is convex: a tangent lies below it, and above it by its curvature at most. */
#include <math.h>

#include "attack/audit_fdp.h"

#include "num/ival.h"

/* z = x in units of 2^-places, rounded down or up */
static void set_units(mpz_t z, mpfr_srcptr x, mpfr_prec_t places, bool up)
{
    mpfr_t y;
    mpfr_init2(y, mpfr_get_prec(x));
    mpfr_mul_2ui(y, x, (unsigned long)places, MPFR_RNDN); /* exact */
    mpfr_get_z(z, y, up ? MPFR_RNDU : MPFR_RNDD);
    mpfr_clear(y);
}

void fdp_curve_init(fdp_curve *c, const audit_in *in, mpfi_srcptr x, mpfr_prec_t places)
{
    *c = (fdp_curve){.canaries = in->canaries, .places = places};
    mpz_init(c->whole);
    mpfi_init2(c->mu, places + 64);
    if (x != NULL)
        mpfi_set(c->mu, x);
    else
        ival_set_number(c->mu, in->claim);
    mpz_set_ui(c->whole, c->canaries);
    mpz_mul_2exp(c->whole, c->whole, (mp_bitcnt_t)places);
}

static void series_clear(fdp_series *s)
{
    for (int i = 0; i < s->terms; i++)
        mpfr_clears(s->of[0][i], s->of[1][i], (mpfr_ptr)0);
    if (s->terms > 0)
        mpfr_clear(s->u);
    s->terms = 0;
}

void fdp_curve_clear(fdp_curve *c)
{
    series_clear(&c->near);
    mpfi_clear(c->mu);
    mpz_clear(c->whole);
}

double fdp_normal(double t)
{
    return erfc(-t * 0.70710678118654752440) / 2;
}

/* About t with Phi(t) = y, by Newton's method from the right side of its bend. */
double fdp_normal_quantile(double y)
{
    if (y > 0.5)
        return -fdp_normal_quantile(1 - y);
    if (!(y > 1e-300))
        return -37;
    double s = sqrt(-2 * log(y)),
           t = -s + (2.30753 + 0.27061 * s) / (1 + s * (0.99229 + 0.04481 * s));
    for (int i = 0; i < 6; i++) {
        double step = (fdp_normal(t) - y) / (exp(-t * t / 2) * 0.39894228040143267794);
        t -= step / (1 + t * step / 2);
        if (fabs(step) < 1e-15 * (1 + fabs(t)))
            break;
    }
    return t;
}

/* About y/m. */
static double share_guess(const fdp_curve *c, const mpz_t y)
{
    long whole_at, at;
    double whole = mpz_get_d_2exp(&whole_at, c->whole), part = mpz_get_d_2exp(&at, y);
    return ldexp(part / whole, (int)(at - whole_at));
}

double fdp_quantile(const fdp_curve *c, const mpz_t y)
{
    double part = share_guess(c, y);
    return part < 1 ? fdp_normal_quantile(part) : 37;
}

/* x = Phi(sqrt(2) x), by one erfc: off by a few units of the precision. */
static void to_normal(mpfr_t x)
{
    mpfr_neg(x, x, MPFR_RNDN);
    mpfr_erfc(x, x, MPFR_RNDN);
    mpfr_div_2ui(x, x, 1, MPFR_RNDN);
}

/* The series about u. Its coefficients are of the integral of f = e^-(u+d)^2/sqrt(pi), and those of
 * f are f_(k+1) = -2 (u f_k + f_(k-1))/(k+1). Without its signs this sums to
 * f_0 e^(2|u d| + d^2) <= 0.6 at |d| <= 1/8, where less than 8 roundings a term, and those of f_0,
 * leave at most (8 terms + 16) 2^-bits. On the circle |d| = 2, where the real part of -(u+d)^2
 * is 4 at most, f is at most 31, so that the series from d^n on leaves at most 2^(6-4n). */
static void set_series(mpfr_t a[], int terms, mpfr_srcptr u)
{
    mpfr_t f, last, part;
    mpfr_inits2(mpfr_get_prec(a[0]), f, last, part, (mpfr_ptr)0);
    mpfr_set(a[0], u, MPFR_RNDN);
    to_normal(a[0]);
    mpfr_const_pi(part, MPFR_RNDN);
    mpfr_sqrt(part, part, MPFR_RNDN);
    mpfr_sqr(f, u, MPFR_RNDN);
    mpfr_neg(f, f, MPFR_RNDN);
    mpfr_exp(f, f, MPFR_RNDN);
    mpfr_div(f, f, part, MPFR_RNDN);
    mpfr_set_zero(last, 1);
    for (int k = 0; k + 1 < terms; k++) {
        mpfr_div_ui(a[k + 1], f, (unsigned long)k + 1, MPFR_RNDN);
        mpfr_mul(part, u, f, MPFR_RNDN);
        mpfr_add(part, part, last, MPFR_RNDN);
        mpfr_mul_2ui(part, part, 1, MPFR_RNDN);
        mpfr_neg(part, part, MPFR_RNDN);
        mpfr_swap(last, f);
        mpfr_div_ui(f, part, (unsigned long)k + 1, MPFR_RNDN);
    }
    mpfr_clears(f, last, part, (mpfr_ptr)0);
}

static void sum_series(mpfr_t out, mpfr_t a[], int terms, mpfr_srcptr d)
{
    mpfr_t sum;
    mpfr_init2(sum, mpfr_get_prec(a[0]));
    mpfr_set(sum, a[terms - 1], MPFR_RNDN);
    for (int k = terms - 2; k >= 0; k--) {
        mpfr_mul(sum, sum, d, MPFR_RNDN);
        mpfr_add(sum, sum, a[k], MPFR_RNDN);
    }
    mpfr_set(out, sum, MPFR_RNDN);
    mpfr_clear(sum);
}

#define SERIES_BITS 24 /* beyond those asked for: all that a series is off is 2^-bits at most */

/* d = u less the number that the series are about, which are made where that is far; false where
 * they would be long. */
static bool series_at(mpfr_t d, fdp_series *s, mpfr_srcptr u, mpfr_srcptr shift)
{
    mpfr_prec_t least = mpfr_get_prec(u), bits = least + SERIES_BITS;
    long terms = least / 4 + 4;
    if (terms > FDP_TERMS)
        return false;
    if (s->terms > 0 && s->least == least) {
        mpfr_sub(d, u, s->u, MPFR_RNDN);
        if (mpfr_cmp_d(d, 0.125) <= 0 && mpfr_cmp_d(d, -0.125) >= 0)
            return true;
    }
    if (s->terms == 0 || s->least != least) {
        series_clear(s);
        mpfr_init2(s->u, bits);
        for (s->terms = 0; s->terms < terms; s->terms++)
            mpfr_inits2(bits, s->of[0][s->terms], s->of[1][s->terms], (mpfr_ptr)0);
        s->least = least;
    }
    mpfr_mul_2ui(s->u, u, 2, MPFR_RNDN);
    mpfr_rint(s->u, s->u, MPFR_RNDN);
    mpfr_div_2ui(s->u, s->u, 2, MPFR_RNDN);
    set_series(s->of[0], s->terms, s->u);
    mpfr_sub(d, s->u, shift, MPFR_RNDN);
    set_series(s->of[1], s->terms, d);
    mpfr_sub(d, u, s->u, MPFR_RNDN);
    return true;
}

/* What bell works with. */
typedef struct touch {
    mpfr_t u; /* t/sqrt(2) */
    mpfr_t share, height, slope, off;
    mpfr_t shift, d; /* mu/sqrt(2); u from where a series is about */
} touch;

static void touch_init(touch *b, const fdp_curve *c)
{
    mpfr_prec_t bits = c->places + 20;
    mpfr_init2(b->share, (mpfr_prec_t)mpz_sizeinbase(c->whole, 2) + 32);
    mpfr_inits2(bits, b->u, b->height, b->slope, b->off, (mpfr_ptr)0);
    mpfr_inits2(bits + SERIES_BITS, b->shift, b->d, (mpfr_ptr)0);
    mpfr_sqrt_ui(b->shift, 2, MPFR_RNDN);
    mpfr_div(b->shift, &c->mu->left, b->shift, MPFR_RNDN);
}

static void touch_clear(touch *b)
{
    mpfr_clears(b->share, b->u, b->height, b->slope, b->off, b->shift, b->d, (mpfr_ptr)0);
}

/* off = y - Phi(t) */
static bool set_off(touch *b, fdp_curve *c)
{
    bool by_series = series_at(b->d, &c->near, b->u, b->shift);
    if (by_series) {
        sum_series(b->off, c->near.of[0], c->near.terms, b->d);
    } else {
        mpfr_set(b->off, b->u, MPFR_RNDN);
        to_normal(b->off);
    }
    mpfr_sub(b->off, b->share, b->off, MPFR_RNDN);
    return by_series;
}

/* height = Phi(t - mu), slope = e^(mu t - mu^2/2): where the tangent touches. */
static void touch_at(touch *b, fdp_curve *c)
{
    bool by_series = set_off(b, c);
    if (by_series) {
        sum_series(b->height, c->near.of[1], c->near.terms, b->d);
    } else {
        mpfr_sub(b->height, b->u, b->shift, MPFR_RNDN);
        to_normal(b->height);
    }
    mpfr_mul_2ui(b->slope, b->u, 1, MPFR_RNDN);
    mpfr_sub(b->slope, b->slope, b->shift, MPFR_RNDN);
    mpfr_mul(b->slope, b->slope, b->shift, MPFR_RNDN);
    mpfr_exp(b->slope, b->slope, MPFR_RNDN);
}

/* Newton's method doubles the digits that a double has, until the square of what is missing is
 * small. */
static void touch_nearer(touch *b, fdp_curve *c)
{
    mpfr_t density;
    mpfr_init2(density, mpfr_get_prec(b->u));
    for (mpfr_prec_t bits = 45; bits < c->places / 2; bits *= 2) {
        set_off(b, c);
        mpfr_sqr(density, b->u, MPFR_RNDN); /* Phi' = e^(-u^2)/sqrt(pi) by u */
        mpfr_exp(density, density, MPFR_RNDN);
        mpfr_mul_d(density, density, 1.7724538509055160273, MPFR_RNDN);
        mpfr_mul(b->off, b->off, density, MPFR_RNDN);
        mpfr_add(b->u, b->u, b->off, MPFR_RNDN);
    }
    mpfr_clear(density);
}

#define NEAR 20 /* how near t must be, 2^-20 */

/* out = the most that G is above its tangent: G'' d^2/2, d what y is off, G'' = mu e^(mu s -
 * mu^2/2) sqrt(2 pi) e^(s^2/2) at some s within h of t, where d <= h Phi'(|t| + h); infinite
 * elsewhere. Rounded up throughout. */
static void curvature(mpfr_t out, const touch *b, const fdp_curve *c, mpfr_srcptr off)
{
    mpfr_t far, bell;
    mpfr_init2(far, 64);
    mpfr_init2(bell, 64);
    mpfr_abs(far, b->u, MPFR_RNDU);
    mpfr_add_d(far, far, 0x1p-20, MPFR_RNDU); /* (|t| + h)/sqrt(2), or more */
    mpfr_sqr(far, far, MPFR_RNDU);
    mpfr_exp(bell, far, MPFR_RNDU);
    mpfr_mul_d(bell, bell, 2.5067, MPFR_RNDU); /* 1/Phi' at most */
    mpfr_mul(far, bell, off, MPFR_RNDU);
    if (mpfr_cmp_ui_2exp(far, 1, -NEAR) <= 0) {
        mpfr_mul(out, bell, off, MPFR_RNDU);
        mpfr_mul(out, out, off, MPFR_RNDU);
        mpfr_mul(out, out, &c->mu->right, MPFR_RNDU);
        mpfr_mul(out, out, b->slope, MPFR_RNDU);
        mpfr_mul_2ui(far, &c->mu->right, 1, MPFR_RNDU);
        mpfr_div_2ui(far, far, NEAR, MPFR_RNDU); /* mu h, twice: slope is rounded, too */
        mpfr_exp(far, far, MPFR_RNDU);
        mpfr_mul(out, out, far, MPFR_RNDU);
    } else {
        mpfr_set_inf(out, 1);
    }
    mpfr_clear(bell);
    mpfr_clear(far);
}

/* G at the share: the tangent at t, where t is any number. In absolute terms its parts are off by
 * at most (1 + slope)(1 + |u|)(1 + mu) 2^(5-bits): erfc is at most 2 and as steep as 2/sqrt(pi),
 * its argument a few units of |u| + mu off, and so is the exponent of the slope, times mu; less
 * that much it is below G, and more by it and the curvature above. */
static void bound_bell(mpz_t out, touch *b, fdp_curve *c, const mpz_t y, bool up)
{
    mpfr_t spare, factor, off;
    mpfr_inits2(64, spare, factor, off, (mpfr_ptr)0);
    touch_at(b, c);
    mpfr_add_ui(spare, b->slope, 1, MPFR_RNDU);
    mpfr_abs(factor, b->u, MPFR_RNDU);
    mpfr_add_ui(factor, factor, 1, MPFR_RNDU);
    mpfr_mul(spare, spare, factor, MPFR_RNDU);
    mpfr_add_ui(factor, &c->mu->right, 1, MPFR_RNDU);
    mpfr_mul(spare, spare, factor, MPFR_RNDU);
    mpfr_mul(spare, spare, factor, MPFR_RNDU);
    mpfr_div_2ui(spare, spare, (unsigned long)(mpfr_get_prec(b->u) - 6), MPFR_RNDU);
    mpfr_abs(off, b->off, MPFR_RNDU);
    mpfr_add(off, off, spare, MPFR_RNDU);
    mpfr_mul(b->off, b->off, b->slope, MPFR_RNDN);
    mpfr_add(b->height, b->height, b->off, MPFR_RNDN);
    if (up) {
        curvature(factor, b, c, off);
        mpfr_add(spare, spare, factor, MPFR_RNDU);
        mpfr_add(b->height, b->height, spare, MPFR_RNDU);
    } else {
        mpfr_sub(b->height, b->height, spare, MPFR_RNDD);
    }
    if (mpfr_cmp_ui(b->height, 1) > 0)
        mpz_set(out, y);
    else {
        mpfr_mul_ui(b->height, b->height, c->canaries, up ? MPFR_RNDU : MPFR_RNDD);
        set_units(out, b->height, c->places, up);
    }
    if (mpz_cmp(out, y) > 0) /* F(x) >= x */
        mpz_set(out, y);
    if (mpz_sgn(out) < 0)
        mpz_set_ui(out, 0);
    mpfr_clears(spare, factor, off, (mpfr_ptr)0);
}

void fdp_inverse(mpz_t out, fdp_curve *c, const mpz_t y, fdp_end end)
{
    if (mpz_cmp(y, c->whole) >= 0 || mpz_sgn(y) <= 0) {
        mpz_set(out, mpz_sgn(y) <= 0 ? y : c->whole);
        return;
    }
    double guess = fdp_quantile(c, y);
    touch b;
    touch_init(&b, c);
    mpfr_set_z(b.share, y, MPFR_RNDN); /* exact: its precision holds y */
    mpfr_div_z(b.share, b.share, c->whole, MPFR_RNDN);
    mpfr_set_d(b.u, guess * 0.70710678118654752440, MPFR_RNDN);
    touch_nearer(&b, c);
    bound_bell(out, &b, c, y, end == FDP_ABOVE);
    touch_clear(&b);
}

double fdp_guess(double mu, double y)
{
    return y > 0 && y < 1 ? fdp_normal(fdp_normal_quantile(y) - mu) : y;
}
