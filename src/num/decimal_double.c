/* SPDX-License-Identifier: MIT */
/* Doubles next to decimals, each on the side that it is asked for. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/decimal.h"

/* Digits of d as an integer m with |d| <= m * 10^scale, at most 25 digits: later digits only lift
 * the last one kept, which is upward for positive d. */
static void leading_integer(mpz_t m, long *scale, const dec *d)
{
    char buffer[32];
    size_t n = d->count < 25 ? d->count : 25;
    memcpy(buffer, d->digit, n);
    buffer[n] = '\0';
    mpz_set_str(m, buffer, 10);
    bool rest = false;
    for (size_t i = n; i < d->count; i++)
        rest |= d->digit[i] != '0';
    if (rest && d->sign > 0)
        mpz_add_ui(m, m, 1);
    *scale = d->point - (long)n;
}

/* value = sign * m * 10^scale rounded up to 53 bits */
static void scaled_up(mpfr_t value, mpz_t m, long scale, int sign)
{
    mpz_t ten;
    mpz_init(ten);
    mpz_ui_pow_ui(ten, 10, (unsigned long)labs(scale));
    if (sign < 0)
        mpz_neg(m, m);
    if (scale >= 0) {
        mpz_mul(m, m, ten);
        mpfr_set_z(value, m, MPFR_RNDU);
    } else {
        mpfr_t top;
        mpfr_init2(top, (mpfr_prec_t)mpz_sizeinbase(m, 2) + 1);
        mpfr_set_z(top, m, MPFR_RNDU); /* exact */
        mpfr_div_z(value, top, ten, MPFR_RNDU);
        mpfr_clear(top);
    }
    mpz_clear(ten);
}

/* Up to 15 digits and powers of ten up to 10^22 are exact doubles, so one division or product is
 * correctly rounded, and the sign of its exact remainder (fma) tells whether it fell below. */
static bool short_double_up(double *up, const dec *d)
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
    *up = gap < 0 ? nextafter(x, HUGE_VAL) : x;
    return true;
}

double dec_double_up(const dec *d)
{
    double up;
    if (short_double_up(&up, d))
        return up;
    if (d->sign == 0)
        return 0.0;
    if (d->infinite || d->point > 400)
        return d->sign > 0 ? HUGE_VAL : (d->infinite ? -HUGE_VAL : -1.7976931348623157e308);
    if (d->point < -400)
        return d->sign > 0 ? 4.9406564584124654e-324 : -0.0;
    mpz_t m;
    mpfr_t value;
    long scale;
    mpz_init(m);
    mpfr_init2(value, 53);
    leading_integer(m, &scale, d);
    scaled_up(value, m, scale, d->sign);
    /* Upward once more for subnormals: the smallest double above the smallest 53-bit number above
     * d is the smallest double above d. */
    up = mpfr_get_d(value, MPFR_RNDU);
    mpfr_clear(value);
    mpz_clear(m);
    return up;
}

size_t dec_print_json(char *out, const dec *d)
{
    double x = dec_double_up(d);
    if (isinf(x)) {
        memcpy(out, "\"Infinity\"", 10);
        return 10;
    }
    dec text;
    dec_init(&text);
    mpfr_t value;
    mpfr_init2(value, 53);
    /* The nearest 17 digits read back as x. If they lie below d, the next double's nearest 17
     * digits lie above x, hence not below d. */
    for (int step = 0; step < 2; step++) {
        mpfr_set_d(value, x, MPFR_RNDN); /* exact */
        if (mpfr_zero_p(value))
            break;
        char digits[32];
        mpfr_exp_t point;
        mpfr_get_str(digits, &point, 10, 17, value, MPFR_RNDN);
        text.sign = mpfr_sgn(value);
        text.point = point;
        text.count = 17;
        text.exact = true;
        memcpy(text.digit, digits + (text.sign < 0 ? 1 : 0), 17);
        dec_strip(&text);
        if (dec_cmp(&text, d) >= 0)
            break;
        x = nextafter(x, HUGE_VAL);
    }
    mpfr_clear(value);
    size_t n = dec_print(out, &text);
    dec_clear(&text);
    return n;
}
