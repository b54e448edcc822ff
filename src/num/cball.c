/* SPDX-License-Identifier: MIT */
/* Complex balls. In the proofs a' is the midpoint of a ball a, r_a its radius and s_a its bound of
 * the modulus, so |a| <= s_a and |a'| <= s_a + r_a; u = 2^-p, p the precision of the output. Every
 * bound is a sum of products of numbers >= 0, each rounded up: it is positive where its exact value
 * is, infinite where it overflows, and NaN (0 * infinity) only where `settle` makes it infinite. */
#include "num/cball.h"

#include "num/memory.h"
#include "num/wide.h"

#define BOUND(name) MPFR_DECL_INIT(name, CBALL_BOUND_BITS) /* on the stack: nothing to clear */
#define ANGLE_BITS 16                                      /* beyond p, for an angle within pi */
#define ANGLE_EXPONENT 65536 /* an exact angle beyond takes pi to as many bits */

void cball_init(cball *z, mpfr_prec_t bits)
{
    mpfr_init2(z->re, bits);
    mpfr_init2(z->im, bits);
    mpfr_init2(z->radius, CBALL_BOUND_BITS);
    mpfr_init2(z->size, CBALL_BOUND_BITS);
    cball_set_ui(z, 0);
}

void cball_clear(cball *z)
{
    mpfr_clears(z->re, z->im, z->radius, z->size, (mpfr_ptr)0);
}

cball *cball_list_new(size_t count, mpfr_prec_t bits)
{
    cball *list = memory_new(count + 1, sizeof *list);
    for (size_t i = 0; list != NULL && i < count; i++)
        cball_init(&list[i], bits);
    return list;
}

void cball_list_free(cball *list, size_t count)
{
    for (size_t i = 0; list != NULL && i < count; i++)
        cball_clear(&list[i]);
    memory_free(list);
}

/* Whatever is not a number becomes infinite; around a midpoint that is none nothing is known. */
static void settle(cball *z)
{
    if (mpfr_nan_p(z->size))
        mpfr_set_inf(z->size, 1);
    if (mpfr_number_p(z->re) && mpfr_number_p(z->im) && mpfr_number_p(z->radius))
        return;
    mpfr_set_ui(z->re, 0, MPFR_RNDN);
    mpfr_set_ui(z->im, 0, MPFR_RNDN);
    mpfr_set_inf(z->radius, 1);
}

static void forget(cball *z) /* nothing is known of it */
{
    mpfr_set_inf(z->size, 1);
    mpfr_set_inf(z->radius, 1);
    settle(z);
}

/* Charges the rounding of both parts to nearest; `inexact` is 0 only when both were exact. With e
 * the larger exponent each is off by at most half an ulp, 2^(e-p-1), or by half the least positive
 * number, 2^(emin-2), where it underflowed: with k = max(e - p, emin) both together by less than
 * sqrt(2) max(2^(k-1), 2^(k-2)) < 2^k. A part that overflowed is infinite, which settle sees. */
static void rounded(cball *z, int inexact)
{
    if (inexact != 0) {
        BOUND(error);
        mpfr_exp_t k = mpfr_get_emin();
        mpfr_srcptr part[] = {z->re, z->im};
        for (size_t i = 0; i < 2; i++) {
            if (!mpfr_regular_p(part[i]))
                continue;
            mpfr_exp_t ulp = mpfr_get_exp(part[i]) - mpfr_get_prec(part[i]);
            k = ulp > k ? ulp : k;
        }
        mpfr_set_ui_2exp(error, 1, k, MPFR_RNDU);
        mpfr_add(z->radius, z->radius, error, MPFR_RNDU);
    }
    settle(z);
}

void cball_set(cball *out, const cball *a)
{
    int inexact = mpfr_set(out->re, a->re, MPFR_RNDN);
    inexact |= mpfr_set(out->im, a->im, MPFR_RNDN);
    mpfr_set(out->radius, a->radius, MPFR_RNDU);
    mpfr_set(out->size, a->size, MPFR_RNDU);
    rounded(out, inexact);
}

void cball_set_ui(cball *out, unsigned long x)
{
    int inexact = mpfr_set_ui(out->re, x, MPFR_RNDN);
    mpfr_set_ui(out->im, 0, MPFR_RNDN);
    mpfr_set_ui(out->radius, 0, MPFR_RNDU);
    mpfr_set_ui(out->size, x, MPFR_RNDU);
    rounded(out, inexact);
}

/* Is its square far within the exponents? */
static bool squares(mpfr_srcptr x)
{
    return mpfr_regular_p(x) && mpfr_get_exp(x) < mpfr_get_emax() / 4 &&
           mpfr_get_exp(x) > mpfr_get_emin() / 4;
}

/* out = |re + i im|, rounded that way, up or down: each step is, and each is monotone. */
static void modulus(mpfr_t out, mpfr_srcptr re, mpfr_srcptr im, mpfr_rnd_t way)
{
    if (!squares(re) || !squares(im)) {
        mpfr_hypot(out, re, im, way);
        return;
    }
    BOUND(part);
    mpfr_abs(part, re, way);
    mpfr_sqr(part, part, way);
    mpfr_abs(out, im, way);
    mpfr_sqr(out, out, way);
    mpfr_add(out, out, part, way);
    mpfr_sqrt(out, out, way);
}

void cball_set_fr(cball *out, mpfr_srcptr re, mpfr_srcptr im)
{
    modulus(out->size, re, im, MPFR_RNDU);
    int inexact = mpfr_set(out->re, re, MPFR_RNDN);
    inexact |= mpfr_set(out->im, im, MPFR_RNDN);
    mpfr_set_ui(out->radius, 0, MPFR_RNDU);
    rounded(out, inexact);
}

void cball_set_disc(cball *out, mpfr_srcptr re, mpfr_srcptr im, mpfr_srcptr radius,
                    mpfr_srcptr size)
{
    int inexact = mpfr_set(out->re, re, MPFR_RNDN);
    inexact |= mpfr_set(out->im, im, MPFR_RNDN);
    mpfr_set(out->radius, radius, MPFR_RNDU);
    mpfr_set(out->size, size, MPFR_RNDU);
    rounded(out, inexact);
}

/* middle in x, or near it after rounding; away >= |y - middle| for all y in x */
static void centre(mpfr_t middle, mpfr_t away, mpfi_srcptr x)
{
    BOUND(other);
    mpfi_mid(middle, x);
    mpfr_sub(away, &x->right, middle, MPFR_RNDU);
    mpfr_sub(other, middle, &x->left, MPFR_RNDU);
    mpfr_max(away, away, other, MPFR_RNDU); /* of a NaN and a number, the number: an infinity */
}

/* most >= |y| for all y in x */
static void magnitude(mpfr_t most, mpfi_srcptr x)
{
    BOUND(other);
    mpfr_abs(most, &x->left, MPFR_RNDU);
    mpfr_abs(other, &x->right, MPFR_RNDU);
    mpfr_max(most, most, other, MPFR_RNDU);
    if (mpfi_nan_p(x))
        mpfr_set_inf(most, 1);
}

/* The distance to the rounded middle holds the rounding too. */
void cball_set_i(cball *out, mpfi_srcptr x)
{
    centre(out->re, out->radius, x);
    mpfr_set_ui(out->im, 0, MPFR_RNDN);
    magnitude(out->size, x);
    settle(out);
}

void cball_set_parts(cball *out, mpfi_srcptr re, mpfi_srcptr im)
{
    cball part;
    cball_init(&part, mpfr_get_prec(out->re));
    cball_set_i(&part, im);
    mpfr_swap(part.re, part.im); /* i times it */
    cball_set_i(out, re);
    cball_add(out, out, &part);
    cball_measure(out);
    cball_clear(&part);
}

/* r' = r or 2n - r, at most n, keeps the angle within pi, where three roundings at p + 16 bits move
 * it by less than 10 2^-16 u < 2^-12 u; the number on the circle moves no further. */
void cball_unit(cball *out, uint64_t r, uint64_t n)
{
    cball_set_ui(out, 1);
    if (r == n)
        mpfr_neg(out->re, out->re, MPFR_RNDN);
    if (r == 0 || r == n)
        return;
    mpfr_prec_t bits = mpfr_get_prec(out->re);
    mpfr_t angle;
    mpfr_init2(angle, bits + ANGLE_BITS);
    mpfr_const_pi(angle, MPFR_RNDN);
    wide_mul_fr(angle, angle, r < n ? r : 2 * n - r, MPFR_RNDN);
    wide_div_fr(angle, angle, n, MPFR_RNDN);
    int inexact = mpfr_sin_cos(out->im, out->re, angle, MPFR_RNDN);
    mpfr_clear(angle);
    if (r > n)
        mpfr_neg(out->im, out->im, MPFR_RNDN);
    mpfr_set_ui_2exp(out->radius, 1, 4 - ANGLE_BITS - bits, MPFR_RNDU);
    rounded(out, inexact);
}

/* |e^(i theta) - e^(i theta')| <= |theta - theta'| */
void cball_turn(cball *out, mpfi_srcptr theta)
{
    BOUND(away);
    mpfr_t middle;
    mpfr_init2(middle, mpfi_get_prec(theta) + 1);
    centre(middle, away, theta);
    cball_set_ui(out, 1);
    if (mpfi_nan_p(theta)) {
        forget(out);
    } else if (mpfr_nan_p(away) || mpfr_cmp_ui(away, 1) >= 0 ||
               (mpfr_regular_p(middle) && mpfr_get_exp(middle) > ANGLE_EXPONENT)) {
        mpfr_set_ui(out->re, 0, MPFR_RNDN);
        mpfr_set_ui(out->radius, 1, MPFR_RNDU);
    } else {
        int inexact = mpfr_sin_cos(out->im, out->re, middle, MPFR_RNDN);
        mpfr_set(out->radius, away, MPFR_RNDU);
        rounded(out, inexact);
    }
    mpfr_clear(middle);
}

/* z *= e^x, |z| = 1, for e' = e^m rounded, a number within the exponents, m the middle of x and
 * a <= 1 how far x reaches: e^m <= e' (1 + 2u) = E and, as e^a - 1 <= a + a^2,
 *     |e^x z - e' z'| <= |e^x - e'| + e' |z - z'| <= E (a + a^2) + u E + E r. */
static void times_power(cball *z, mpfr_srcptr power, mpfr_t away)
{
    BOUND(unit);
    BOUND(most);
    mpfr_set_ui_2exp(unit, 1, -mpfr_get_prec(power), MPFR_RNDU);
    mpfr_fma(away, away, away, away, MPFR_RNDU);
    mpfr_add(away, away, unit, MPFR_RNDU);
    mpfr_set(most, power, MPFR_RNDU);
    mpfr_mul_2ui(unit, unit, 1, MPFR_RNDU);
    mpfr_fma(most, most, unit, most, MPFR_RNDU);
    mpfr_add(z->radius, z->radius, away, MPFR_RNDU);
    mpfr_mul(z->radius, z->radius, most, MPFR_RNDU);
    mpfr_fma(z->size, most, away, most, MPFR_RNDU);
    int inexact = mpfr_mul(z->re, z->re, power, MPFR_RNDN);
    inexact |= mpfr_mul(z->im, z->im, power, MPFR_RNDN);
    rounded(z, inexact);
}

void cball_exp(cball *out, mpfi_srcptr x, mpfi_srcptr theta)
{
    BOUND(away);
    mpfr_t middle, power;
    mpfr_init2(middle, mpfi_get_prec(x) + 1);
    mpfr_init2(power, mpfr_get_prec(out->re));
    centre(middle, away, x);
    mpfr_exp(power, middle, MPFR_RNDN);
    cball_turn(out, theta);
    if (mpfr_regular_p(power) && mpfr_cmp_ui(away, 1) <= 0) {
        times_power(out, power, away);
        mpfr_set_ui(away, 1, MPFR_RNDU);
        if (mpfr_sgn(&x->right) <= 0)
            cball_cap(out, away);
    } else {
        mpfi_t e;
        mpfi_init2(e, mpfr_get_prec(out->re));
        mpfi_exp(e, x);
        cball_mul_i(out, out, e);
        mpfi_clear(e);
    }
    mpfr_clear(power);
    mpfr_clear(middle);
}

static void sum(cball *out, const cball *a, const cball *b,
                int (*op)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t))
{
    int inexact = op(out->re, a->re, b->re, MPFR_RNDN);
    inexact |= op(out->im, a->im, b->im, MPFR_RNDN);
    mpfr_add(out->radius, a->radius, b->radius, MPFR_RNDU);
    mpfr_add(out->size, a->size, b->size, MPFR_RNDU);
    rounded(out, inexact);
}

void cball_add(cball *out, const cball *a, const cball *b)
{
    sum(out, a, b, mpfr_add);
}

void cball_sub(cball *out, const cball *a, const cball *b)
{
    sum(out, a, b, mpfr_sub);
}

/* Where one product is 0 and the other beyond the exponents there are, MPFR 4.2's own functions
 * leave what is no number. */
int cball_two_products(mpfr_t out, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr c, mpfr_srcptr d,
                       bool minus)
{
    if (mpfr_zero_p(c) || mpfr_zero_p(d))
        return mpfr_mul(out, a, b, MPFR_RNDN);
    if (mpfr_zero_p(a) || mpfr_zero_p(b)) {
        int inexact = mpfr_mul(out, c, d, MPFR_RNDN);
        if (minus)
            mpfr_neg(out, out, MPFR_RNDN);
        return inexact;
    }
    return (minus ? mpfr_fmms : mpfr_fmma)(out, a, b, c, d, MPFR_RNDN);
}

/* ab - a'b' = (a - a') b + a' (b - b'): at most r_a s_b + (s_a + r_a) r_b */
void cball_mul(cball *out, const cball *a, const cball *b)
{
    BOUND(error);
    BOUND(other);
    mpfr_add(other, a->size, a->radius, MPFR_RNDU);
    mpfr_mul(other, other, b->radius, MPFR_RNDU);
    mpfr_mul(error, a->radius, b->size, MPFR_RNDU);
    mpfr_mul(out->size, a->size, b->size, MPFR_RNDU);
    mpfr_add(out->radius, error, other, MPFR_RNDU);
    mpfr_t re;
    mpfr_init2(re, mpfr_get_prec(out->re));
    int inexact = cball_two_products(re, a->re, b->re, a->im, b->im, true);
    inexact |= cball_two_products(out->im, a->re, b->im, a->im, b->re, false);
    mpfr_swap(out->re, re);
    mpfr_clear(re);
    rounded(out, inexact);
}

/* ax - a'x' = (a - a') x + a' (x - x') */
void cball_mul_i(cball *out, const cball *a, mpfi_srcptr x)
{
    BOUND(away);
    BOUND(most);
    mpfr_t middle;
    mpfr_init2(middle, mpfi_get_prec(x) + 1);
    centre(middle, away, x);
    magnitude(most, x);
    int inexact = mpfr_mul(out->re, a->re, middle, MPFR_RNDN);
    inexact |= mpfr_mul(out->im, a->im, middle, MPFR_RNDN);
    mpfr_clear(middle);
    BOUND(reach);
    mpfr_add(reach, a->size, a->radius, MPFR_RNDU);
    mpfr_mul(away, away, reach, MPFR_RNDU);
    mpfr_mul(out->radius, a->radius, most, MPFR_RNDU);
    mpfr_add(out->radius, out->radius, away, MPFR_RNDU);
    mpfr_mul(out->size, a->size, most, MPFR_RNDU);
    rounded(out, inexact);
}

void cball_pow(cball *out, const cball *a, const mpz_t times)
{
    if (mpz_sgn(times) == 0) {
        cball_set_ui(out, 1);
        return;
    }
    cball base;
    cball_init(&base, mpfr_get_prec(a->re));
    cball_set(&base, a);
    cball_set(out, a);
    for (size_t bit = mpz_sizeinbase(times, 2) - 1; bit-- > 0;) {
        cball_mul(out, out, out);
        if (mpz_tstbit(times, bit))
            cball_mul(out, out, &base);
    }
    cball_clear(&base);
}

/* 1/a - 1/a' = (a' - a) / (a a'): at most r_a / ((|a'| - r_a) |a'|). The midpoint is formed from
 * w = a' 2^-e with 1/2 <= |w| < 2, where nothing overflows and what underflows is far below u. It
 * is rounded to p bits, which moves 1/w by u / |w|; |w|^2 and both quotients are rounded once,
 * which makes a relative 2u: with the higher orders and what underflows less than 4u / |w| for p
 * >= 8. */
void cball_inv(cball *out, const cball *a)
{
    BOUND(low);
    BOUND(gap);
    modulus(low, a->re, a->im, MPFR_RNDD);
    mpfr_sub(gap, low, a->radius, MPFR_RNDD);
    if (mpfr_sgn(gap) <= 0) {
        forget(out);
        return;
    }
    mpfr_exp_t e = mpfr_get_exp(low);
    mpfr_prec_t bits = mpfr_get_prec(out->re);
    mpfr_div(out->radius, a->radius, gap, MPFR_RNDU);
    mpfr_div(out->radius, out->radius, low, MPFR_RNDU);
    mpfr_ui_div(low, 1, low, MPFR_RNDU);
    mpfr_mul_2si(low, low, 2 - bits, MPFR_RNDU);
    mpfr_add(out->radius, out->radius, low, MPFR_RNDU);
    mpfr_ui_div(out->size, 1, gap, MPFR_RNDU);
    mpfr_t norm;
    mpfr_init2(norm, bits);
    mpfr_mul_2si(out->re, a->re, -e, MPFR_RNDN);
    mpfr_mul_2si(out->im, a->im, -e, MPFR_RNDN);
    mpfr_fmma(norm, out->re, out->re, out->im, out->im, MPFR_RNDN);
    mpfr_div(out->re, out->re, norm, MPFR_RNDN);
    mpfr_div(out->im, out->im, norm, MPFR_RNDN);
    mpfr_neg(out->im, out->im, MPFR_RNDN);
    mpfr_clear(norm);
    int inexact = mpfr_mul_2si(out->re, out->re, -e, MPFR_RNDN); /* exact but where it underflows */
    inexact |= mpfr_mul_2si(out->im, out->im, -e, MPFR_RNDN);
    rounded(out, inexact);
}

void cball_one_minus(cball *out, const cball *a)
{
    int inexact = mpfr_ui_sub(out->re, 1, a->re, MPFR_RNDN);
    inexact |= mpfr_neg(out->im, a->im, MPFR_RNDN);
    mpfr_set(out->radius, a->radius, MPFR_RNDU);
    mpfr_add_ui(out->size, a->size, 1, MPFR_RNDU);
    rounded(out, inexact);
    cball_measure(out);
}

void cball_cap(cball *z, mpfr_srcptr bound)
{
    if (mpfr_less_p(bound, z->size))
        mpfr_set(z->size, bound, MPFR_RNDU);
    if (!mpfr_less_p(z->size, z->radius))
        return;
    mpfr_set_ui(z->re, 0, MPFR_RNDN); /* the disc of that size around 0 holds it all */
    mpfr_set_ui(z->im, 0, MPFR_RNDN);
    mpfr_set(z->radius, z->size, MPFR_RNDU);
}

void cball_measure(cball *z)
{
    BOUND(fresh);
    modulus(fresh, z->re, z->im, MPFR_RNDU);
    mpfr_add(fresh, fresh, z->radius, MPFR_RNDU);
    cball_cap(z, fresh);
}

void cball_real(mpfi_t out, const cball *z)
{
    BOUND(least);
    mpfr_neg(least, z->size, MPFR_RNDD);
    mpfr_sub(&out->left, z->re, z->radius, MPFR_RNDD);
    mpfr_add(&out->right, z->re, z->radius, MPFR_RNDU);
    mpfr_max(&out->left, &out->left, least, MPFR_RNDD);
    mpfr_min(&out->right, &out->right, z->size, MPFR_RNDU);
}
