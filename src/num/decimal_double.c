/* SPDX-License-Identifier: MIT */
/* Doubles next to decimals, each on the side that it is asked for. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/decimal.h"

/* |d| up or down to an integer m times 10^scale, of at most 25 digits: later digits only lift the
 * last one kept, when `away` from 0. */
static void leading_integer(mpz_t m, long *scale, const dec *d, bool away)
{
    char buffer[32];
    size_t n = d->count < 25 ? d->count : 25;
    memcpy(buffer, d->digit, n);
    buffer[n] = '\0';
    mpz_set_str(m, buffer, 10);
    bool rest = false;
    for (size_t i = n; i < d->count; i++)
        rest |= d->digit[i] != '0';
    if (rest && away)
        mpz_add_ui(m, m, 1);
    *scale = d->point - (long)n;
}

/* value = sign * m * 10^scale rounded to 53 bits */
static void scaled(mpfr_t value, mpz_t m, long scale, int sign, mpfr_rnd_t way)
{
    mpz_t ten;
    mpz_init(ten);
    mpz_ui_pow_ui(ten, 10, (unsigned long)labs(scale));
    if (sign < 0)
        mpz_neg(m, m);
    if (scale >= 0) {
        mpz_mul(m, m, ten);
        mpfr_set_z(value, m, way);
    } else {
        mpfr_t top;
        mpfr_init2(top, (mpfr_prec_t)mpz_sizeinbase(m, 2) + 1);
        mpfr_set_z(top, m, MPFR_RNDN); /* exact */
        mpfr_div_z(value, top, ten, way);
        mpfr_clear(top);
    }
    mpz_clear(ten);
}

static double next_to(double x, dp_end end)
{
    return nextafter(x, end == DP_UPPER ? HUGE_VAL : -HUGE_VAL);
}

/* Up to 15 digits and powers of ten up to 10^22 are exact doubles, so one division or product is
 * correctly rounded, and the sign of its exact remainder (fma) tells on which side it fell. */
static bool short_double(double *out, const dec *d, dp_end end)
{
    long scale = d->point - (long)d->count;
    if (d->sign <= 0 || d->infinite || d->count > 15 || scale < -22 || scale > 22)
        return false;
    double m = 0, ten = 1;
    for (size_t i = 0; i < d->count; i++)
        m = m * 10 + (d->digit[i] - '0');
    for (long i = labs(scale); i > 0; i--)
        ten *= 10;
    double x = scale < 0 ? m / ten : m * ten;
    double gap = scale < 0 ? fma(x, ten, -m) : -fma(m, ten, -x);
    *out = (end == DP_UPPER ? gap < 0 : gap > 0) ? next_to(x, end) : x;
    return true;
}

double dec_double(const dec *d, dp_end end)
{
    double x;
    if (short_double(&x, d, end))
        return x;
    if (d->sign == 0)
        return 0.0;
    bool away = (end == DP_UPPER) == (d->sign > 0);
    if (d->infinite || d->point > 400)
        return d->sign * (d->infinite || away ? HUGE_VAL : 1.7976931348623157e308);
    if (d->point < -400)
        return away ? d->sign * 4.9406564584124654e-324 : 0.0;
    mpfr_rnd_t way = end == DP_UPPER ? MPFR_RNDU : MPFR_RNDD;
    mpz_t m;
    mpfr_t value;
    long scale;
    mpz_init(m);
    mpfr_init2(value, 53);
    leading_integer(m, &scale, d, away);
    scaled(value, m, scale, d->sign, way);
    /* The same way once more for subnormals: the double next to the 53-bit number next to d, on the
     * same side, is the double next to d. */
    x = mpfr_get_d(value, way);
    mpfr_clear(value);
    mpz_clear(m);
    return x;
}

/* The 17 digits nearest to x. */
static void nearest_digits(dec *text, double x)
{
    char digits[32];
    mpfr_exp_t point;
    MPFR_DECL_INIT(value, 53);
    mpfr_set_d(value, x, MPFR_RNDN); /* exact */
    if (dec_set_short(text, value, MPFR_RNDN, 17)) {
        text->exact = true;
        dec_strip(text);
        return;
    }
    mpfr_get_str(digits, &point, 10, 17, value, MPFR_RNDN);
    text->sign = mpfr_sgn(value);
    text->point = point;
    text->count = 17;
    text->exact = true;
    memcpy(text->digit, digits + (text->sign < 0 ? 1 : 0), 17);
    dec_strip(text);
}

size_t dec_print_json(char *out, const dec *d, dp_end end)
{
    double x = dec_double(d, end);
    dec text;
    dec_init(&text);
    /* The nearest 17 digits read back as x. If they lie on the wrong side of d, those of the next
     * double lie beyond x, hence not on the wrong side. */
    for (int step = 0; step < 2 && !isinf(x); step++) {
        text.sign = 0;
        if (x != 0)
            nearest_digits(&text, x);
        int side = dec_cmp(&text, d);
        if (end == DP_UPPER ? side >= 0 : side <= 0)
            break;
        x = next_to(x, end);
    }
    size_t n = 10;
    if (isinf(x))
        memcpy(out, "\"Infinity\"", n);
    else
        n = dec_print(out, &text);
    dec_clear(&text);
    return n;
}
