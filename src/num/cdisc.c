/* SPDX-License-Identifier: MIT */
/* Complex numbers of the unit disc whose roundings are counted. */
#include "num/cdisc.h"

#include "num/memory.h"
#include "num/wide.h"

#define BOUND(name) MPFR_DECL_INIT(name, CBALL_BOUND_BITS)
/* Counts below 2^62 are added without a carry. */
#define ROOM_BITS 62
#define ROOM (UINT64_C(1) << ROOM_BITS)

void cdisc_init(cdisc *z, mpfr_prec_t bits)
{
    mpfr_init2(z->re, bits);
    mpfr_init2(z->im, bits);
    cdisc_set_one(z);
}

void cdisc_clear(cdisc *z)
{
    mpfr_clear(z->re);
    mpfr_clear(z->im);
}

cdisc *cdisc_list_new(size_t count, mpfr_prec_t bits)
{
    cdisc *list = memory_new(count + 1, sizeof *list);
    for (size_t i = 0; list != NULL && i < count; i++)
        cdisc_init(&list[i], bits);
    return list;
}

void cdisc_list_free(cdisc *list, size_t count)
{
    for (size_t i = 0; list != NULL && i < count; i++)
        cdisc_clear(&list[i]);
    memory_free(list);
}

void cdisc_set_one(cdisc *out)
{
    mpfr_set_ui(out->re, 1, MPFR_RNDN);
    mpfr_set_ui(out->im, 0, MPFR_RNDN);
    out->units = out->shift = 0;
}

void cdisc_set(cdisc *out, const cdisc *a)
{
    mpfr_set(out->re, a->re, MPFR_RNDN);
    mpfr_set(out->im, a->im, MPFR_RNDN);
    out->units = a->units;
    out->shift = a->shift;
}

/* units 2^by, by > 0, that are enough */
static uint64_t coarser(uint64_t units, uint64_t by)
{
    return by >= ROOM_BITS ? units != 0 : (units >> by) + ((units >> by << by) != units);
}

/* The count of an operation f(a, b) that is linear in a and in b, with |f(a, b)| <= |a| |b| for all
 * a and b. Let a', b' stand for a, b of the disc, a' within A - 1 = (1 + u)^m - 1 and b' within
 * B - 1 = (1 + u)^n - 1. Then |a'| <= A and
 *     |f(a', b') - f(a, b)| <= |f(a', b' - b)| + |f(a' - a, b)| <= A (B - 1) + (A - 1) = AB - 1.
 * Each part of the result is rounded once, to nearest: by at most u times itself, or 2^(emin - 1)
 * where it underflows, together by at most u |f(a', b')| + 2^emin <= u AB + u AB, as p is less than
 * -emin. So the result is within AB - 1 + 2u AB <= (1 + u)^(m + n + 2) - 1. */
static void count_product(cdisc *out, const cdisc *a, const cdisc *b)
{
    uint64_t shift = a->shift > b->shift ? a->shift : b->shift, x = a->units, y = b->units;
    if (shift != 0) {
        x = coarser(x, shift - a->shift);
        y = coarser(y, shift - b->shift);
    }
    x += y + 2; /* each is below 2^62 */
    if (x >= ROOM) {
        x = coarser(x, 2);
        shift += 2;
    }
    out->units = x;
    out->shift = shift;
}

/* The count of what is within error + 2u: the error, at least 0, becomes units of u. */
static void count_error(cdisc *out, mpfr_t error)
{
    out->units = 2;
    out->shift = 0;
    if (mpfr_zero_p(error))
        return;
    mpfr_mul_2si(error, error, mpfr_get_prec(out->re), MPFR_RNDU);
    mpfr_exp_t whole = mpfr_number_p(error) ? mpfr_get_exp(error) - CBALL_BOUND_BITS : 0;
    if (whole > 0) { /* an integer of 32 bits times 2^whole */
        mpfr_mul_2si(error, error, -whole, MPFR_RNDU);
        out->shift = (uint64_t)whole;
    }
    out->units += mpfr_number_p(error) ? mpfr_get_ui(error, MPFR_RNDU) : 0;
    if (!mpfr_number_p(error))
        out->shift = ROOM; /* any number at all, of the disc */
}

/* The error holds the rounding of the middle. */
void cdisc_set_i(cdisc *out, mpfi_srcptr x)
{
    cball a;
    cball_init(&a, mpfr_get_prec(out->re));
    cball_set_i(&a, x);
    mpfr_swap(out->re, a.re);
    mpfr_set_ui(out->im, 0, MPFR_RNDN);
    count_error(out, a.radius);
    cball_clear(&a);
}

void cdisc_set_ball(cdisc *out, const cball *a)
{
    BOUND(error);
    cball b;
    cball_init(&b, mpfr_get_prec(out->re));
    cball_set(&b, a);
    mpfr_swap(out->re, b.re);
    mpfr_swap(out->im, b.im);
    mpfr_set(error, b.radius, MPFR_RNDU);
    count_error(out, error);
    cball_clear(&b);
}

/* r' = r or 2n - r, at most n, keeps the angle within pi, where three roundings move it by less
 * than 3u (1 + u)^2 pi < 10u; the number on the circle moves no further, and is rounded. */
#define UNIT_COUNT 12
void cdisc_unit(cdisc *out, uint64_t r, uint64_t n)
{
    cdisc_set_one(out);
    if (r == n)
        mpfr_neg(out->re, out->re, MPFR_RNDN);
    if (r == 0 || r == n)
        return;
    mpfr_const_pi(out->re, MPFR_RNDN);
    wide_mul_fr(out->re, out->re, r < n ? r : 2 * n - r, MPFR_RNDN);
    wide_div_fr(out->re, out->re, n, MPFR_RNDN);
    mpfr_sin_cos(out->im, out->re, out->re, MPFR_RNDN);
    if (r > n)
        mpfr_neg(out->im, out->im, MPFR_RNDN);
    out->units = UNIT_COUNT;
}

/* The angle is within n away, and half an ulp of what it is rounded to; where it underflows, which
 * takes a middle below 2^emin, by less than the second unit that count_error adds. */
void cdisc_turn(cdisc *out, mpfr_srcptr middle, mpfr_srcptr away, uint64_t n)
{
    BOUND(error);
    BOUND(rounding);
    mpfr_t angle;
    mpfr_init2(angle, mpfr_get_prec(middle));
    wide_mul_fr(angle, middle, n, MPFR_RNDN);
    wide_mul_fr(error, away, n, MPFR_RNDU);
    mpfr_abs(rounding, angle, MPFR_RNDU);
    mpfr_mul_2si(rounding, rounding, -mpfr_get_prec(angle), MPFR_RNDU);
    mpfr_add(error, error, rounding, MPFR_RNDU);
    mpfr_sin_cos(out->im, out->re, angle, MPFR_RNDN);
    mpfr_clear(angle);
    count_error(out, error);
}

void cdisc_mul(cdisc *out, const cdisc *a, const cdisc *b, cdisc *scratch)
{
    cball_two_products(scratch->re, a->re, b->re, a->im, b->im, true);
    cball_two_products(scratch->im, a->re, b->im, a->im, b->re, false);
    count_product(out, a, b);
    mpfr_swap(out->re, scratch->re);
    mpfr_swap(out->im, scratch->im);
}

/* out = out^2, rounded as a product: the imaginary part is 2 re im. */
static void square(cdisc *out, cdisc *scratch)
{
    cball_two_products(scratch->re, out->re, out->re, out->im, out->im, true);
    mpfr_mul(out->im, out->re, out->im, MPFR_RNDN);
    mpfr_mul_2ui(out->im, out->im, 1, MPFR_RNDN);
    count_product(out, out, out);
    mpfr_swap(out->re, scratch->re);
}

void cdisc_pow(cdisc *out, const cdisc *a, const mpz_t times, cdisc *scratch)
{
    cdisc_set(out, a);
    for (size_t bit = mpz_sizeinbase(times, 2) - 1; bit-- > 0;) {
        square(out, scratch);
        if (mpz_tstbit(times, bit))
            cdisc_mul(out, out, a, scratch);
    }
}

/* With L(t) the map from x + iy to x + ity, whose norm is at most max(1, |t|), and T - 1 the error
 * of t, again |L(t') a' - L(t) a| <= |L(t') (a' - a)| + |(t' - t) Im a| <= T (A - 1) + T - 1. */
void cdisc_lean(cdisc *out, const cdisc *a, const cdisc *t)
{
    mpfr_mul(out->im, a->im, t->re, MPFR_RNDN);
    mpfr_set(out->re, a->re, MPFR_RNDN);
    count_product(out, a, t);
}

/* (1 + u)^n - 1 <= e^x - 1 <= x + x^2 for x = n u <= 1. Beyond, the disc is all that is known. */
void cdisc_ball(cball *out, const cdisc *z)
{
    mpfr_prec_t bits = mpfr_get_prec(z->re);
    BOUND(x);
    BOUND(one);
    mpfr_set_ui(one, 1, MPFR_RNDU);
    mpfr_set_ui(x, z->units == 0 ? 0 : 2, MPFR_RNDU);
    if (z->shift <= (uint64_t)bits) {
        wide_set_fr(x, z->units, MPFR_RNDU);
        mpfr_mul_2si(x, x, (mpfr_exp_t)z->shift - bits, MPFR_RNDU);
    }
    bool far = mpfr_cmp_ui(x, 1) > 0;
    mpfr_fma(x, x, x, x, MPFR_RNDU);
    if (far)
        mpfr_set_ui(x, 2, MPFR_RNDU);
    cball_set_disc(out, z->re, z->im, x, one);
    cball_cap(out, one);
}
