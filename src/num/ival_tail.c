/* SPDX-License-Identifier: MIT */
/* Tails of the normal law. For t > 0
 *     Phi(-t)/phi(t) = 1/(t + 1/(t + 2/(t + 3/(t + ...))))
 * (Laplace). Every part is positive, so that nothing cancels: what follows the level n lies in
 * [0, n/t], and each level before it narrows that, by about e^(-2 asinh(t/(2 sqrt(k)))). Where that
 * is few levels they cost less than the series of erf, which loses t^2 bits. */
#include "num/ival.h"

#include <math.h>

#define LEAST 2.5    /* of the argument of erfc: below, the series is short */
#define LEVELS 2     /* at most, for each bit */
#define MORE_BITS 16 /* for the roundings of an end */
#define LARGE 1e9    /* of t: one level does */

/* How many levels are about as narrow as the bits; 0: too many. */
static unsigned long levels(double t, mpfr_prec_t bits)
{
    double left = (double)bits * M_LN2;
    for (unsigned long n = 1; n <= LEVELS * (unsigned long)bits; n++) {
        left -= 2 * asinh(t / (2 * sqrt((double)n)));
        if (left < 0)
            return n + 2;
    }
    return 0;
}

bool ival_mills(mpfi_t out, const mpfi_t t)
{
    double least = mpfr_get_d(&t->left, MPFR_RNDD);
    unsigned long n = least > 1 ? levels(fmin(least, LARGE), mpfi_get_prec(out)) : 0;
    if (n == 0)
        return false;
    mpfi_t rest, below;
    mpfi_init2(rest, mpfi_get_prec(out) + MORE_BITS);
    mpfi_init2(below, mpfi_get_prec(out) + MORE_BITS);
    mpfi_ui_div(rest, n, t);
    mpfi_put_ui(rest, 0);
    for (unsigned long k = n - 1; k > 0; k--) {
        mpfi_add(below, rest, t);
        mpfi_ui_div(rest, k, below);
    }
    mpfi_add(below, rest, t);
    mpfi_ui_div(out, 1, below);
    mpfi_clear(below);
    mpfi_clear(rest);
    return true;
}

/* out = erfc(x) = sqrt(2/pi) e^(-x^2) Phi(-t)/phi(t), t = sqrt(2) x */
static bool far(mpfi_t out, const mpfi_t x)
{
    if (!(mpfr_cmp_d(&x->left, LEAST) > 0))
        return false;
    mpfr_exp_t large = mpfr_number_p(&x->right) ? mpfr_get_exp(&x->right) : 64;
    mpfr_prec_t bits = mpfi_get_prec(out) + MORE_BITS + 2 * (large < 64 ? large : 64);
    mpfi_t t, root;
    mpfi_init2(t, bits);
    mpfi_init2(root, bits);
    mpfi_set_ui(root, 2);
    mpfi_sqrt(root, root);
    mpfi_mul(t, root, x);
    mpfi_set_prec(root, mpfi_get_prec(out) + MORE_BITS);
    bool told = ival_mills(root, t);
    if (told) {
        mpfi_sqr(t, x);
        mpfi_neg(t, t);
        mpfi_exp(t, t);
        mpfi_mul(root, root, t);
        mpfi_const_pi(t);
        mpfi_div_2ui(t, t, 1);
        mpfi_sqrt(t, t);
        mpfi_div(out, root, t);
    }
    mpfi_clear(root);
    mpfi_clear(t);
    return told;
}

/* Is it so narrow that its ends are told by one evaluation? */
static bool is_narrow(const mpfi_t x)
{
    if (mpfr_equal_p(&x->left, &x->right))
        return true;
    MPFR_DECL_INIT(width, 32);
    mpfr_sub(width, &x->right, &x->left, MPFR_RNDU);
    return mpfr_regular_p(width) && mpfr_regular_p(&x->left) &&
           mpfr_get_exp(width) < mpfr_get_exp(&x->left) - 32;
}

/* erfc falls: at the right end, rounded down, it is the left end of the value. The right end is at
 * most a unit more, for the rounding, and the width times the greatest slope, which is 2/sqrt(pi)
 * e^(-x^2) at the left end, below 1.13. */
static void at_right(mpfi_t x)
{
    mpfi_t rise;
    mpfr_t at;
    mpfi_init2(rise, 64);
    mpfr_init2(at, mpfi_get_prec(x));
    mpfr_erfc(at, &x->right, MPFR_RNDD);
    mpfr_sqr(&rise->right, &x->left, MPFR_RNDD);
    mpfr_neg(&rise->right, &rise->right, MPFR_RNDN); /* exact */
    mpfr_exp(&rise->right, &rise->right, MPFR_RNDU);
    mpfr_mul_ui(&rise->right, &rise->right, 113, MPFR_RNDU);
    mpfr_div_ui(&rise->right, &rise->right, 100, MPFR_RNDU);
    mpfr_sub(&rise->left, &x->right, &x->left, MPFR_RNDU);
    mpfr_mul(&rise->right, &rise->right, &rise->left, MPFR_RNDU);
    mpfr_set(&x->left, at, MPFR_RNDD);
    mpfr_set(&x->right, at, MPFR_RNDU);
    mpfr_nextabove(&x->right);
    mpfr_add(&x->right, &x->right, &rise->right, MPFR_RNDU);
    mpfr_clear(at);
    mpfi_clear(rise);
}

void ival_to_erfc(mpfi_t x)
{
    bool narrow = is_narrow(x);
    if (narrow && far(x, x))
        return;
    if (narrow && mpfr_sgn(&x->left) > 0) {
        at_right(x);
        return;
    }
    mpfi_t other;
    mpfi_init2(other, mpfi_get_prec(x));
    mpfr_swap(&x->left, &x->right);
    mpfr_ptr end[] = {&x->left, &x->right};
    for (int up = 0; up < 2; up++) {
        mpfi_set_fr(other, end[up]);
        if (far(other, other))
            mpfr_set(end[up], up ? &other->right : &other->left, up ? MPFR_RNDU : MPFR_RNDD);
        else
            mpfr_erfc(end[up], end[up], up ? MPFR_RNDU : MPFR_RNDD);
    }
    mpfi_clear(other);
}
