/* SPDX-License-Identifier: MIT */
/* Decimals, each end rounded the way that its name says. */
#include "num/decimal.h"

#include <stdlib.h>
#include <string.h>

#include "num/memory.h"
#include "num/wide.h"

#define LONGEST_SCALE 1000000 /* of a power of ten that is formed: that of a literal */

static bool dec_reserve(dec *d, size_t n)
{
    if (n <= d->room)
        return true;
    char *grown = memory_new(n, 1);
    if (grown == NULL)
        return false;
    if (d->digit != d->local)
        memory_free(d->digit);
    d->digit = grown;
    d->room = n;
    return true;
}

static void dec_set_special(dec *d, int sign, bool infinite)
{
    d->sign = sign;
    d->infinite = infinite;
    d->exact = true;
    d->count = 0;
    d->point = 0;
}

static const uint64_t power10[] = {UINT64_C(1),
                                   UINT64_C(10),
                                   UINT64_C(100),
                                   UINT64_C(1000),
                                   UINT64_C(10000),
                                   UINT64_C(100000),
                                   UINT64_C(1000000),
                                   UINT64_C(10000000),
                                   UINT64_C(100000000),
                                   UINT64_C(1000000000),
                                   UINT64_C(10000000000),
                                   UINT64_C(100000000000),
                                   UINT64_C(1000000000000),
                                   UINT64_C(10000000000000),
                                   UINT64_C(100000000000000),
                                   UINT64_C(1000000000000000),
                                   UINT64_C(10000000000000000),
                                   UINT64_C(100000000000000000),
                                   UINT64_C(1000000000000000000)};
#define SHORT_DIGITS 18

/* The common case fast: x > 0, few digits, a power of ten that fits a word. x 10^s is rounded once
 * the way of `end`, then to an integer the same way, so the direction holds; it is exact when both
 * steps were. */
static bool short_set_fr(dec *d, mpfr_srcptr x, dp_end end, size_t n)
{
    mpfr_exp_t e = mpfr_get_exp(x);
    if (n > 17 || mpfr_sgn(x) < 0 || e < -40 || e > 40)
        return false;
    mpfr_rnd_t way = end == DP_UPPER ? MPFR_RNDU : MPFR_RNDD;
    long point = (long)e * 30103 / 100000; /* within one of the truth */
    MPFR_DECL_INIT(scaled, 128);
    uint64_t m = 0;
    for (int attempt = 0; attempt < 4; attempt++) {
        long s = (long)n - point;
        if (s > SHORT_DIGITS || s < -SHORT_DIGITS)
            return false;
        int inexact = s >= 0 ? wide_mul_fr(scaled, x, power10[s], way)
                             : wide_div_fr(scaled, x, power10[-s], way);
        if (wide_cmp_fr(scaled, power10[n - 1]) < 0) { /* before rounding up hides it */
            point--;
            continue;
        }
        inexact |= mpfr_rint(scaled, scaled, way);
        if (!wide_get_fr(&m, scaled))
            m = power10[n];
        if (m < power10[n]) {
            d->exact = inexact == 0;
            break;
        }
        point++; /* also after rounding up to 10^n: the next pass gives 10^(n-1) */
        m = 0;
    }
    if (m == 0)
        return false;
    for (size_t i = n; i-- > 0; m /= 10)
        d->digit[i] = (char)('0' + m % 10);
    d->sign = 1;
    d->infinite = false;
    d->point = point;
    d->count = n;
    if (d->exact)
        dec_strip(d);
    return true;
}

/* Two digits to one; `away`: from zero. */
static void dec_drop_second(dec *d, bool away)
{
    if (d->count < 2)
        return;
    d->count = 1;
    if (d->digit[1] == '0' || !away) {
        d->exact = d->exact && d->digit[1] == '0';
        return;
    }
    d->exact = false;
    if (d->digit[0] == '9') {
        d->digit[0] = '1';
        d->point++;
    } else {
        d->digit[0]++;
    }
}

bool dec_set_fr(dec *d, mpfr_srcptr x, dp_end end, size_t n)
{
    if (mpfr_zero_p(x) || mpfr_inf_p(x) || mpfr_nan_p(x)) {
        /* a NaN proves nothing: the widest end stands for it */
        int sign = mpfr_nan_p(x) ? (end == DP_UPPER ? 1 : -1) : mpfr_sgn(x);
        dec_set_special(d, sign, !mpfr_zero_p(x));
        return true;
    }
    if (dec_set_short(d, x, end == DP_UPPER ? MPFR_RNDU : MPFR_RNDD, n) ||
        short_set_fr(d, x, end, n))
        return true;
    bool single = n == 1;
    if (single) /* mpfr_get_str may want at least two digits */
        n = 2;
    if (!dec_reserve(d, n + 3)) /* sign and terminator */
        return false;
    mpfr_exp_t point;
    mpfr_get_str(d->digit, &point, 10, n, x, end == DP_UPPER ? MPFR_RNDU : MPFR_RNDD);
    d->sign = mpfr_sgn(x);
    d->infinite = false;
    if (d->sign < 0)
        memmove(d->digit, d->digit + 1, n);
    d->point = point;
    d->count = n;
    d->exact = false;
    if (d->digit[n - 1] == '0') {
        /* Round the other way: equal digits mean that nothing was rounded. */
        char *other = mpfr_get_str(NULL, &point, 10, n, x, end == DP_UPPER ? MPFR_RNDD : MPFR_RNDU);
        if (other == NULL)
            return false;
        d->exact = point == d->point && memcmp(other + (d->sign < 0 ? 1 : 0), d->digit, n) == 0;
        mpfr_free_str(other);
        if (d->exact)
            dec_strip(d);
    }
    if (single)
        dec_drop_second(d, (end == DP_UPPER) == (d->sign > 0));
    return true;
}

/* m = floor or ceiling of |x| * 10^shift */
static bool scaled_digits(mpz_t m, const mpq_t x, long shift, bool up)
{
    mpz_t num, den;
    mpz_inits(num, den, NULL);
    mpz_ui_pow_ui(m, 10, (unsigned long)labs(shift));
    mpz_abs(num, mpq_numref(x));
    mpz_set(den, mpq_denref(x));
    mpz_mul(shift >= 0 ? num : den, shift >= 0 ? num : den, m);
    mpz_tdiv_qr(m, den, num, den);
    bool inexact = mpz_sgn(den) != 0;
    if (up && inexact)
        mpz_add_ui(m, m, 1);
    mpz_clears(num, den, NULL);
    return inexact;
}

bool dec_set_q(dec *d, const mpq_t x, dp_end end, size_t n)
{
    if (mpq_sgn(x) == 0) {
        dec_set_special(d, 0, false);
        return true;
    }
    if (dec_set_short_q(d, x, end, n))
        return true;
    if (!dec_reserve(d, n + 4))
        return false;
    d->sign = mpq_sgn(x);
    d->infinite = false;
    bool up = (end == DP_UPPER) == (d->sign > 0); /* away from zero */
    /* 10^(point-1) <= |x| < 10^point. The digit counts give point up to one; the number of
     * digits of the quotient tells which. */
    long point = (long)mpz_sizeinbase(mpq_numref(x), 10) - (long)mpz_sizeinbase(mpq_denref(x), 10);
    mpz_t m, top;
    mpz_inits(m, top, NULL);
    mpz_ui_pow_ui(top, 10, n);
    bool inexact;
    for (point -= 1;; point++) {
        inexact = scaled_digits(m, x, (long)n - point, up);
        if (mpz_cmp(m, top) <= 0)
            break; /* n digits, or exactly 10^n after rounding up */
    }
    if (mpz_cmp(m, top) == 0) {
        mpz_divexact_ui(m, m, 10);
        point++;
    }
    mpz_get_str(d->digit, 10, m);
    d->count = strlen(d->digit);
    d->point = point - (long)(n - d->count);
    d->exact = !inexact;
    if (d->exact)
        dec_strip(d);
    mpz_clears(m, top, NULL);
    return true;
}

bool dec_set_figure(dec *d, const dp_figure *x, dp_end end, size_t n)
{
    switch (x->kind) {
    case DP_RATIONAL:
        return dec_set_q(d, x->rational, end, n);
    case DP_ENCLOSED:
        return dec_set_fr(d, end == DP_UPPER ? &x->enclosure->right : &x->enclosure->left, end, n);
    case DP_INFINITE:
        break;
    }
    dec_set_special(d, 1, true);
    return true;
}

static char digit_at(const dec *d, size_t i)
{
    return i < d->count ? d->digit[i] : '0';
}

static int cmp_magnitude(const dec *a, const dec *b)
{
    if (a->infinite || b->infinite)
        return (int)a->infinite - (int)b->infinite;
    if (a->point != b->point)
        return a->point < b->point ? -1 : 1;
    size_t n = a->count > b->count ? a->count : b->count;
    size_t both = a->count < b->count ? a->count : b->count;
    int order = memcmp(a->digit, b->digit, both);
    if (order != 0)
        return order < 0 ? -1 : 1;
    for (size_t i = both; i < n; i++)
        if (digit_at(a, i) != digit_at(b, i))
            return digit_at(a, i) < digit_at(b, i) ? -1 : 1;
    return 0;
}

int dec_cmp(const dec *a, const dec *b)
{
    if (a->sign != b->sign)
        return a->sign < b->sign ? -1 : 1;
    return a->sign == 0 ? 0 : a->sign * cmp_magnitude(a, b);
}

static bool are_zeros(const char *digit, size_t count)
{
    while (count > 0 && digit[count - 1] == '0')
        count--;
    return count == 0;
}

bool dec_agree(const dec *lo, const dec *hi, size_t n)
{
    if (lo->sign != hi->sign || lo->infinite != hi->infinite)
        return false;
    if (lo->sign == 0 || lo->infinite || dec_cmp(lo, hi) == 0)
        return true;
    /* small + one unit of its n-th digit == large, both in magnitude */
    const dec *small = lo->sign > 0 ? lo : hi, *large = lo->sign > 0 ? hi : lo;
    size_t last = n; /* position of the digit that takes the carry, counted from 1 */
    while (last > 0 && digit_at(small, last - 1) == '9')
        last--;
    if (last == 0) /* 99..9 + 1 = 100..0 with the point moved */
        return large->point == small->point + 1 && digit_at(large, 0) == '1' &&
               are_zeros(large->digit + 1, large->count - 1);
    if (large->point != small->point)
        return false;
    for (size_t i = 0; i < n; i++) {
        char want = digit_at(small, i);
        if (i + 1 == last)
            want++;
        else if (i + 1 > last)
            want = '0';
        if (digit_at(large, i) != want)
            return false;
    }
    return true;
}

static bool is_plain(const dec *d, long least)
{
    long most = d->exact ? 21 : (long)d->count;
    return d->point >= least && d->point <= most;
}

size_t dec_size(const dec *d)
{
    return d->count + 40; /* sign, point, up to 21 zeros, "e-" and a long exponent */
}

static size_t print_long(char *out, long value)
{
    char buffer[24];
    size_t n = 0, k = 0;
    unsigned long u = value < 0 ? 0UL - (unsigned long)value : (unsigned long)value;
    do
        buffer[n++] = (char)('0' + u % 10);
    while ((u /= 10) != 0);
    if (value < 0)
        out[k++] = '-';
    while (n > 0)
        out[k++] = buffer[--n];
    return k;
}

static size_t print_from(char *out, const dec *d, long least)
{
    size_t k = 0;
    if (d->sign < 0)
        out[k++] = '-';
    if (d->infinite) {
        memcpy(out + k, "inf", 3);
        return k + 3;
    }
    if (d->sign == 0) {
        out[k++] = '0';
        return k;
    }
    if (is_plain(d, least)) {
        long i = d->point < 0 ? d->point : 0;
        if (d->point <= 0) {
            out[k++] = '0';
            out[k++] = '.';
            for (; i < 0; i++)
                out[k++] = '0';
        }
        size_t whole = d->point > 0 ? (size_t)d->point : 0;
        size_t before = whole < d->count ? whole : d->count;
        memcpy(out + k, d->digit, before);
        memset(out + k + before, '0', whole - before);
        k += whole;
        if (whole > 0 && whole < d->count)
            out[k++] = '.';
        memcpy(out + k, d->digit + before, d->count - before);
        return k + d->count - before;
    }
    out[k++] = d->digit[0];
    if (d->count > 1) {
        out[k++] = '.';
        memcpy(out + k, d->digit + 1, d->count - 1);
        k += d->count - 1;
    }
    out[k++] = 'e';
    return k + print_long(out + k, d->point - 1);
}

size_t dec_print(char *out, const dec *d)
{
    return print_from(out, d, -1);
}

size_t dec_print_text(char *out, const dec *d)
{
    return print_from(out, d, -3);
}

bool dec_get_q(mpq_t q, const dec *d)
{
    long scale = d->sign != 0 ? d->point - (long)d->count : 0;
    if (d->infinite || scale > LONGEST_SCALE || scale < -LONGEST_SCALE)
        return false;
    mpz_t ten;
    mpz_init(ten);
    mpq_set_ui(q, 0, 1);
    for (size_t i = 0; d->sign != 0 && i < d->count; i++) {
        mpz_mul_ui(mpq_numref(q), mpq_numref(q), 10);
        mpz_add_ui(mpq_numref(q), mpq_numref(q), (unsigned long)(d->digit[i] - '0'));
    }
    mpz_ui_pow_ui(ten, 10, (unsigned long)labs(scale));
    if (scale < 0)
        mpz_set(mpq_denref(q), ten);
    else
        mpz_mul(mpq_numref(q), mpq_numref(q), ten);
    if (d->sign < 0)
        mpq_neg(q, q);
    mpq_canonicalize(q);
    mpz_clear(ten);
    return true;
}

bool dec_round_fr(mpq_t q, mpfr_srcptr x, dp_end end, size_t n)
{
    dec d;
    dec_init(&d);
    bool ok = dec_set_fr(&d, x, end, n) && dec_get_q(q, &d);
    dec_clear(&d);
    return ok;
}
