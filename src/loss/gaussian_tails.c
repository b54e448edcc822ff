/* SPDX-License-Identifier: MIT */
/* For z > 0, e^(z^2) erfc(z) = (z/pi) integral of F, F(u) = e^(-u^2) / (z^2 + u^2). The trapezoidal
 * rule of step h, whose values of e^(-u^2) are the same for all z, is off by the integrals of F /
 * (e^(2 pi |Im u|/h) - 1) along Im u = +-w and, where w > z, the residues at +-iz:
 *     e^(z^2) erfc(z) = (h z/pi) (1/z^2 + 2 sum of e^(-n^2 h^2) / (z^2 + n^2 h^2))
 *         - [w > z] 2 e^(z^2) / (e^(2 pi z/h) - 1)  +-  2 z e^(w^2) / (sqrt(pi) |w^2 - z^2|
 *         (e^(2 pi w/h) - 1)),
 * as |z^2 + u^2| >= |w^2 - z^2| there. Below z = pi/h + 1/2 with w = pi/h + 3/2, from pi/h + 1/4 on
 * with w = pi/h: where pi/h >= 2 both have |w^2 - z^2| >= 1, and this is at most 12 z
 * e^(-(pi/h)^2). Terms beyond the last n are at most a part 2 e^(-(n+1)^2 h^2) / (1 - e^(-(2n+3)
 * h^2)) of 1/z^2. (Chiarella, Reichel 1968.) */
#include "loss/gaussian_tails.h"

#include <math.h>

#include "num/memory.h"

#define ROUGH_BITS 64
#define LEAST 0.4 /* of z: below it the first term and the residue cancel */

/* out = e^(-x), x an exact number */
static void set_factor(mpfi_t out, double x)
{
    mpfi_set_d(out, -x);
    mpfi_exp(out, out);
}

static void set_errors(gaussian_tails *t)
{
    mpfi_t x, y;
    mpfi_init2(x, ROUGH_BITS);
    mpfi_init2(y, ROUGH_BITS);
    mpfi_const_pi(x);
    mpfi_div_d(x, x, t->h);
    mpfi_sqr(x, x);
    mpfi_neg(x, x);
    mpfi_exp(x, x);
    mpfi_mul_ui(x, x, 12);
    mpfr_set(t->missed, &x->right, MPFR_RNDU);
    double n = (double)t->count + 1;
    set_factor(x, n * n * t->h * t->h);
    set_factor(y, (2 * n + 1) * t->h * t->h);
    mpfi_ui_sub(y, 1, y);
    mpfi_div(x, x, y);
    mpfi_mul_2ui(x, x, 1);
    mpfr_set(t->rest, &x->right, MPFR_RNDU);
    mpfi_clear(y);
    mpfi_clear(x);
}

bool gaussian_tails_init(gaussian_tails *t, mpfr_prec_t bits)
{
    double depth = ((double)bits + 4) * M_LN2;
    *t = (gaussian_tails){.h = floor(fmin(M_PI / sqrt(depth), 1.5) * 1024) / 1024};
    mpfr_init2(t->missed, ROUGH_BITS);
    mpfr_init2(t->rest, ROUGH_BITS);
    size_t count = (size_t)(sqrt(depth) / t->h) + 1;
    t->factor = memory_new(count, sizeof *t->factor);
    if (t->factor == NULL)
        return false;
    t->count = count;
    for (size_t i = 0; i < count; i++) {
        double n = (double)i + 1;
        mpfi_init2(t->factor[i], bits);
        set_factor(t->factor[i], n * n * t->h * t->h); /* h has 11 bits: exact */
    }
    set_errors(t);
    return true;
}

void gaussian_tails_clear(gaussian_tails *t)
{
    for (size_t i = 0; i < t->count; i++)
        mpfi_clear(t->factor[i]);
    memory_free(t->factor);
    mpfr_clear(t->missed);
    mpfr_clear(t->rest);
}

/* out = 2/(e^(2 pi z/h) - 1) */
static void set_residue(mpfi_t out, const gaussian_tails *t, const mpfi_t z)
{
    mpfi_const_pi(out);
    mpfi_mul(out, out, z);
    mpfi_div_d(out, out, t->h / 2);
    mpfi_expm1(out, out);
    mpfi_ui_div(out, 2, out);
}

/* out = (h/pi) (1/z + 2 z sum) */
static void set_sum(mpfi_t out, const gaussian_tails *t, const mpfi_t z, const mpfi_t square)
{
    mpfi_t term;
    mpfi_init2(term, mpfi_get_prec(out));
    mpfi_set_ui(out, 0);
    for (size_t i = t->count; i-- > 0;) {
        double n = (double)i + 1;
        mpfi_add_d(term, square, n * n * t->h * t->h);
        mpfi_div(term, t->factor[i], term);
        mpfi_add(out, out, term);
    }
    mpfi_mul_2ui(out, out, 1);
    mpfi_ui_div(term, 1, square);
    mpfi_add(out, out, term);
    mpfr_mul(&term->right, &term->right, t->rest, MPFR_RNDU);
    mpfr_add(&out->right, &out->right, &term->right, MPFR_RNDU);
    mpfi_mul(out, out, z);
    mpfi_mul_d(out, out, t->h);
    mpfi_const_pi(term);
    mpfi_div(out, out, term);
    mpfi_clear(term);
}

/* out = erfc(z); false where z is between the two lines */
static bool set_erfc(mpfi_t out, const gaussian_tails *t, const mpfi_t z)
{
    MPFR_DECL_INIT(line, ROUGH_BITS);
    mpfi_t square, part;
    mpfr_const_pi(line, MPFR_RNDD);
    mpfr_div_d(line, line, t->h, MPFR_RNDD);
    mpfr_add_d(line, line, 0.49, MPFR_RNDD);
    bool inside = mpfr_less_p(&z->right, line);
    mpfr_sub_d(line, line, 0.2, MPFR_RNDU);
    if (!inside && !mpfr_greater_p(&z->left, line))
        return false;
    mpfi_init2(square, mpfi_get_prec(out));
    mpfi_init2(part, mpfi_get_prec(out));
    mpfi_sqr(square, z);
    set_sum(out, t, z, square);
    mpfr_mul(line, &z->right, t->missed, MPFR_RNDU);
    mpfr_sub(&out->left, &out->left, line, MPFR_RNDD);
    mpfr_add(&out->right, &out->right, line, MPFR_RNDU);
    mpfi_neg(square, square);
    mpfi_exp(part, square);
    mpfi_mul(out, out, part);
    if (inside) {
        set_residue(part, t, z);
        mpfi_sub(out, out, part);
    }
    if (mpfr_sgn(&out->left) < 0)
        mpfr_set_zero(&out->left, 1);
    mpfi_clear(part);
    mpfi_clear(square);
    return true;
}

void gaussian_tail(mpfi_t out, const gaussian_tails *t, const mpfi_t x)
{
    mpfi_t z;
    mpfi_init2(z, mpfi_get_prec(out));
    mpfi_set_ui(z, 2);
    mpfi_sqrt(z, z);
    mpfi_div(z, x, z);
    bool below = mpfr_sgn(&z->left) < 0;
    if (below)
        mpfi_neg(z, z);
    if (mpfr_cmp_d(&z->left, LEAST) < 0 || !set_erfc(out, t, z)) {
        mpfr_erfc(&out->left, &z->right, MPFR_RNDD);
        mpfr_erfc(&out->right, &z->left, MPFR_RNDU);
    }
    mpfi_div_2ui(out, out, 1);
    if (below)
        mpfi_ui_sub(out, 1, out);
    mpfi_clear(z);
}
