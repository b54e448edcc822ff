/* SPDX-License-Identifier: MIT */
/* Roots: the secants may go anywhere, what is returned has proved signs on both sides. */
#include "attack/audit_root.h"

#include <math.h>

/* About the value at x. */
static void value_at(mpfr_t y, audit_function f, const void *in, mpfr_srcptr x)
{
    mpfi_t at, out;
    mpfi_init2(at, mpfr_get_prec(x));
    mpfi_init2(out, mpfr_get_prec(x));
    mpfi_set_fr(at, x);
    f(out, in, at);
    mpfi_mid(y, out);
    mpfi_clear(out);
    mpfi_clear(at);
}

/* The proved sign at x, or 0. */
static int sign_at(audit_function f, const void *in, mpfr_srcptr x)
{
    mpfi_t at, out;
    mpfi_init2(at, mpfr_get_prec(x));
    mpfi_init2(out, mpfr_get_prec(x));
    mpfi_set_fr(at, x);
    f(out, in, at);
    int sign = mpfi_nan_p(out)             ? 0
               : mpfr_sgn(&out->left) > 0  ? 1
               : mpfr_sgn(&out->right) < 0 ? -1
                                           : 0;
    mpfi_clear(out);
    mpfi_clear(at);
    return sign;
}

#define STEPS 40

/* x = x1 - y1 (x1 - x0)/(y1 - y0) until it moves by less than the width. */
static void secants(mpfr_t x, audit_function f, const void *in, double error, const mpfr_t width)
{
    mpfr_prec_t bits = mpfr_get_prec(x);
    mpfr_t x0, y0, y, step;
    mpfr_inits2(bits, x0, y0, y, step, (mpfr_ptr)0);
    mpfr_add_d(x0, x, error, MPFR_RNDN);
    value_at(y0, f, in, x0);
    for (int i = 0; i < STEPS; i++) {
        value_at(y, f, in, x);
        mpfr_sub(step, x, x0, MPFR_RNDN);
        mpfr_sub(y0, y, y0, MPFR_RNDN);
        mpfr_mul(step, step, y, MPFR_RNDN);
        mpfr_div(step, step, y0, MPFR_RNDN);
        if (!mpfr_number_p(step))
            break;
        mpfr_swap(x0, x);
        mpfr_swap(y0, y);
        mpfr_sub(x, x0, step, MPFR_RNDN);
        if (mpfr_cmpabs(step, width) < 0)
            break;
    }
    mpfr_clears(x0, y0, y, step, (mpfr_ptr)0);
}

#define SPARE 32
#define LESS 24 /* the width is 2^-(bits-24) of the number: what is asked for leaves more room */

void audit_root(mpfi_t out, audit_function f, const void *in, double guess, double error,
                bool grows)
{
    mpfr_prec_t bits = mpfi_get_prec(out) + SPARE;
    mpfr_t x, width, end;
    mpfr_inits2(bits, x, width, end, (mpfr_ptr)0);
    mpfr_set_d(x, guess, MPFR_RNDN);
    mpfr_set_d(width, fmax(fabs(guess), 1e-6), MPFR_RNDN);
    mpfr_div_2ui(width, width, (unsigned long)(mpfi_get_prec(out) - LESS), MPFR_RNDN);
    if (mpfr_cmp_d(width, error) < 0)
        secants(x, f, in, error, width);
    mpfr_set_inf(&out->left, -1);
    mpfr_set_inf(&out->right, 1);
    bool low = false, high = false;
    for (int i = 0; i < STEPS && !(low && high); i++) {
        if (!low) {
            mpfr_sub(end, x, width, MPFR_RNDD);
            low = sign_at(f, in, end) == (grows ? -1 : 1);
            if (low)
                mpfr_set(&out->left, end, MPFR_RNDD);
        }
        if (!high) {
            mpfr_add(end, x, width, MPFR_RNDU);
            high = sign_at(f, in, end) == (grows ? 1 : -1);
            if (high)
                mpfr_set(&out->right, end, MPFR_RNDU);
        }
        mpfr_mul_2ui(width, width, 5, MPFR_RNDU);
    }
    mpfr_clears(x, width, end, (mpfr_ptr)0);
}

/* Regula falsi, the value at an end that stays halved each time; halves where it is slow. */
double guess_root(double (*f)(const void *in, double x), const void *in, double low, double high)
{
    double below = f(in, low), above = f(in, high);
    double wide = fabs(high - low);
    for (int i = 0; i < 200; i++) {
        double x = high - above * (high - low) / (above - below);
        if (!(x > fmin(low, high) && x < fmax(low, high)) || i % 2 == 1)
            x = (low + high) / 2;
        double y = f(in, x);
        if ((y > 0) == (above > 0)) {
            below *= (y > 0) == (above > 0) ? 0.5 : 1;
            high = x;
            above = y;
        } else {
            low = high;
            below = above;
            high = x;
            above = y;
        }
        if (y == 0 || fabs(high - low) <= 1e-13 * fmax(fabs(x), 1e-3) || x == low)
            break;
        wide = fabs(high - low);
    }
    return wide > 0 ? high : low;
}
