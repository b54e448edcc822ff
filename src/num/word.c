/* SPDX-License-Identifier: MIT */
/* Series of fixed-point numbers: an error is bounded, and what lies nearer than that to a number of
 * the asked precision is left to MPFR. */
#include "num/word.h"

#include <limits.h>
#include <stdbool.h>

#include "num/fixed.h"

#if defined(__SIZEOF_INT128__) && GMP_NUMB_BITS == 64 && ULONG_MAX >= UINT64_MAX

#define ONE ((wide_u128)1 << 127) /* the unit of the coefficients */

/* a b / 2^128, rounded down */
static inline wide_u128 top_product(wide_u128 a, wide_u128 b)
{
    uint64_t ah = (uint64_t)(a >> 64), al = (uint64_t)a;
    uint64_t bh = (uint64_t)(b >> 64), bl = (uint64_t)b;
    wide_u128 mid = (wide_u128)ah * bl + ((wide_u128)al * bl >> 64);
    wide_u128 other = (wide_u128)al * bh + (uint64_t)mid;
    return (wide_u128)ah * bh + (mid >> 64) + (other >> 64);
}

static inline uint64_t leading(mpfr_srcptr x)
{
    return *(const mp_limb_t *)mpfr_custom_get_significand(x);
}

/* A number that is not 0, x = sign w 2^(e - 128) with the first bit of w set, known within SLACK
 * units of w. */
typedef struct approximate {
    wide_u128 w;
    long e;
    bool negative;
} approximate;

#define SLACK ((wide_u128)1 << 29)

/* m q 2^-191, where q is in units of 2^-127 and at least 1/2, times 2^e: rounded down within a unit
 * of w. */
static approximate times_word(uint64_t m, wide_u128 q, long e)
{
    wide_u128 low = (wide_u128)m * (uint64_t)q, high = (wide_u128)m * (uint64_t)(q >> 64);
    high += low >> 64; /* m q 2^-64 */
    approximate x = {.w = high, .e = e + 1};
    while (x.w >> 127 == 0) {
        x.w = x.w << 1 | (low >> 63 & 1);
        low <<= 1;
        x.e--;
    }
    return x;
}

/* The number of the precision of `out` next to x, below or above it. False, and nothing set, where
 * one lies within SLACK of x: then x may be on either side. */
static bool round_to(mpfr_t out, int *inexact, const approximate *x, mpfr_rnd_t way)
{
    int rest_bits = 128 - (int)mpfr_get_prec(out);
    wide_u128 unit = (wide_u128)1 << rest_bits, rest = x->w & (unit - 1);
    if (rest <= SLACK || rest >= unit - SLACK)
        return false;
    bool away = (way == MPFR_RNDU) != x->negative;
    uint64_t m = (uint64_t)(x->w >> 64) & ~(uint64_t)((unit - 1) >> 64);
    mpfr_set_ui_2exp(out, (unsigned long)m, (mpfr_exp_t)(x->e - 64), MPFR_RNDN); /* exact */
    if (away)
        mpfr_nextabove(out);
    if (x->negative)
        mpfr_neg(out, out, MPFR_RNDN);
    *inexact = way == MPFR_RNDU ? 1 : -1;
    return true;
}

/* Is |x| in [2^(least - 1), 2^most), and one word enough for both? */
static bool is_short(mpfr_srcptr out, mpfr_srcptr x, long least, long most, mpfr_rnd_t way)
{
    return (way == MPFR_RNDD || way == MPFR_RNDU) && mpfr_get_prec(out) <= 64 &&
           mpfr_get_prec(x) <= 64 && mpfr_regular_p(x) && mpfr_get_exp(x) >= least &&
           mpfr_get_exp(x) <= most;
}

#define EXP_TERMS 12
#define EXP_SMALL (-8) /* the series is for |t| < 2^-8 */
#define EXP_LARGE 1    /* and |x| < 2, so that e^x - 1 < 2^5 - 1 */

/* (e^t - 1)/t = sum t^(n-1)/n!, t = a or -a, a 2^128 given: in units of 2^-127. Each coefficient
 * and each product is rounded down by less than one unit, and the errors of deeper terms are
 * multiplied by a < 2^-8: below 2.02 units. The terms dropped are below 2^(-8*12) 1.01/13! <
 * 2^-128, half a unit. It is above .99, so the relative error is below 2^-125. */
static wide_u128 exp_series(wide_u128 a, bool negative)
{
    static const wide_u128 inverse[EXP_TERMS + 1] = {0,
                                                     ONE,
                                                     ONE / 2,
                                                     ONE / 6,
                                                     ONE / 24,
                                                     ONE / 120,
                                                     ONE / 720,
                                                     ONE / 5040,
                                                     ONE / 40320,
                                                     ONE / 362880,
                                                     ONE / 3628800,
                                                     ONE / 39916800,
                                                     ONE / 479001600};
    wide_u128 q = inverse[EXP_TERMS];
    for (int n = EXP_TERMS - 1; n > 0; n--)
        q = negative ? inverse[n] - top_product(a, q) : inverse[n] + top_product(a, q);
    return q;
}

/* From v = |e^t - 1| to |e^(2t) - 1| = v (2 + v) or v (2 - v), k times, in units of 2^-123. An
 * error d of v becomes less than 2 d (1 + v) or 2 d, and the square is rounded down by less than 32
 * units: with prod(1 + v_i) < e^2 < 8, and d < 2 at first, less than 2^k 8 (2 + 32) < 2^(k + 9)
 * units are left. As |x| >= 2^(k - 9), that is below |x| 2^-105; and |e^x - 1| >= |x|/3, so the
 * relative error is below 2^-103, 2^25 units of w. */
static approximate redoubled(approximate v, int k)
{
    wide_u128 x = v.w >> (5 - v.e); /* v = w 2^(e - 128) = x 2^-123 */
    for (; k > 0; k--) {
        wide_u128 square = top_product(x, x) << 5;
        x = v.negative ? 2 * x - square : 2 * x + square;
    }
    approximate y = {.w = x, .e = 5, .negative = v.negative};
    for (; y.w >> 127 == 0; y.e--)
        y.w <<= 1;
    return y;
}

/* e^x - 1, with a relative error below 2^-103 */
static approximate near_expm1(mpfr_srcptr x)
{
    long e = (long)mpfr_get_exp(x);
    int k = e > EXP_SMALL ? (int)(e - EXP_SMALL) : 0;
    bool negative = mpfr_sgn(x) < 0;
    wide_u128 a =
        (wide_u128)leading(x) << 64 >> -(e - k); /* a < 2^-8; exact, or a unit too small */
    approximate y = times_word(leading(x), exp_series(a, negative), e - k);
    y.negative = negative;
    return k > 0 ? redoubled(y, k) : y;
}

#define FIXED_LEAST (-48) /* |x| >= 2^-49 has no bit below a unit of 2^-112 */
#define FIXED_LARGE 14    /* and |x| < FIXED_MOST */

static approximate of_fixed(fixed128 m, long e)
{
    approximate x = {.w = (wide_u128)m, .e = 128 - FIXED_POINT + e};
    for (; x.w >> 127 == 0; x.e--)
        x.w <<= 1;
    return x;
}

/* m 2^n of e^x: m is within 8 units, of which there are more than 2^111 in it. A unit becomes at
 * most 2^17 of w. */
static fixed128 exp_parts(int *n, mpfr_srcptr x)
{
    fixed128 size = (fixed128)leading(x) << (mpfr_get_exp(x) - FIXED_LEAST);
    return fixed_exp(n, mpfr_sgn(x) < 0 ? -size : size);
}

int word_exp(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t way)
{
    int inexact, n;
    if (!is_short(out, x, FIXED_LEAST, FIXED_LARGE, way))
        return mpfr_exp(out, x, way);
    fixed128 m = exp_parts(&n, x);
    approximate y = of_fixed(m, n);
    return round_to(out, &inexact, &y, way) ? inexact : mpfr_exp(out, x, way);
}

/* e^x - 1 for 2 <= |x| < FIXED_MOST: m - 2^-n times 2^n, n >= 3, or 1 - m 2^n, n <= -2, both above
 * 1/2 and within 8 units and one for what is cut; 1 where nothing else is left, which is then not
 * rounded here. */
static approximate far_expm1(mpfr_srcptr x)
{
    int n;
    fixed128 m = exp_parts(&n, x), one = (fixed128)1 << FIXED_POINT;
    if (mpfr_sgn(x) > 0)
        return of_fixed(m - fixed_shift(one, -n), n);
    approximate y = of_fixed(one - fixed_shift(m, n), 0);
    y.negative = true;
    return y;
}

int word_expm1(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t way)
{
    int inexact;
    if (!is_short(out, x, -60, FIXED_LARGE, way))
        return mpfr_expm1(out, x, way);
    approximate y = mpfr_get_exp(x) > EXP_LARGE ? far_expm1(x) : near_expm1(x);
    return round_to(out, &inexact, &y, way) ? inexact : mpfr_expm1(out, x, way);
}

/* 2^254/d, 2^127 <= d < 2^128: a quotient of one word, whose relative error is below 2^-62, then
 * one step of Newton, which squares that. Its two products are rounded down by less than one unit,
 * the second taken four times: below 2^-121 in all. */
static wide_u128 reciprocal(wide_u128 d)
{
    wide_u128 r = ONE / (uint64_t)(d >> 64) << 63;
    wide_u128 less = ONE - top_product(d, r); /* 2 - d r, in units of 2^-126 */
    return top_product(r, less) << 2;
}

bool word_tanh_half(mpfr_t out, mpfr_srcptr x)
{
    int inexact;
    if (!is_short(out, x, -60, EXP_LARGE, MPFR_RNDD) || mpfr_sgn(x) < 0)
        return false;
    /* v/(2 + v), v = e^x - 1 < 8: it rises by less than its share where v does, so the relative
     * errors add up to less than 2^-103 + 2^-120. */
    approximate v = near_expm1(x);
    wide_u128 d = ((wide_u128)2 << 124) + (v.w >> (4 - v.e)); /* units of 2^-124 */
    int s = 0;
    for (; d >> 127 == 0; s++)
        d <<= 1;
    approximate y = {.w = top_product(v.w, reciprocal(d)), .e = v.e + s - 2};
    for (; y.w >> 127 == 0; y.e--)
        y.w <<= 1;
    return round_to(out, &inexact, &y, MPFR_RNDD);
}

#define LOG_LARGE (-4) /* |x| < 2^-4 */

/* ln(1 + t)/t = sum (-t)^(n-1)/n, the same way: with a < 1/16 the errors are below 2.14 units, what
 * is dropped after 128/-e + 1 terms is below 2^-128 1.07, and the value is above .96. */
static wide_u128 log_series(wide_u128 a, bool negative, long e)
{
    static const wide_u128 inverse[] = {
        0,        ONE,      ONE / 2,  ONE / 3,  ONE / 4,  ONE / 5,  ONE / 6,  ONE / 7,  ONE / 8,
        ONE / 9,  ONE / 10, ONE / 11, ONE / 12, ONE / 13, ONE / 14, ONE / 15, ONE / 16, ONE / 17,
        ONE / 18, ONE / 19, ONE / 20, ONE / 21, ONE / 22, ONE / 23, ONE / 24, ONE / 25, ONE / 26,
        ONE / 27, ONE / 28, ONE / 29, ONE / 30, ONE / 31, ONE / 32, ONE / 33};
    long n = 128 / -e + 1;
    wide_u128 q = inverse[n];
    for (n--; n > 0; n--)
        q = negative ? inverse[n] + top_product(a, q) : inverse[n] - top_product(a, q);
    return q;
}

int word_log1p(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t way)
{
    int inexact;
    if (!is_short(out, x, -60, LOG_LARGE, way))
        return mpfr_log1p(out, x, way);
    long e = (long)mpfr_get_exp(x);
    bool negative = mpfr_sgn(x) < 0;
    wide_u128 a = (wide_u128)leading(x) << 64 >> -e;
    approximate y = times_word(leading(x), log_series(a, negative, e), e);
    y.negative = negative;
    return round_to(out, &inexact, &y, way) ? inexact : mpfr_log1p(out, x, way);
}

static int bits_of(uint64_t k)
{
    return 64 - __builtin_clzll(k);
}

/* |q| = num/den, rounded down to `prec` bits in *m and up to *m + *inexact, times 2^*e: one exact
 * division. False where it takes more than two words. */
static bool divide(uint64_t *m, bool *inexact, long *e, mpq_srcptr q, int prec)
{
    mpz_srcptr num = mpq_numref(q), den = mpq_denref(q);
    if (mpz_size(num) != 1 || mpz_size(den) != 1)
        return false;
    uint64_t a = mpz_getlimbn(num, 0), b = mpz_getlimbn(den, 0);
    int shift = prec + bits_of(b) - bits_of(a); /* 2^(prec - 1) < a 2^shift / b < 2^(prec + 1) */
    if (shift < 0)
        return false;
    wide_u128 top = (wide_u128)a << shift, whole = top / b; /* of prec + bits_of(b) bits: fits */
    *inexact = whole * b != top;
    if (whole >> prec != 0) {
        *inexact = *inexact || (whole & 1) != 0;
        whole >>= 1;
        shift--;
    }
    *m = (uint64_t)whole;
    *e = -shift;
    return true;
}

static void set_end(mpfr_t out, uint64_t m, long e, bool away)
{
    mpfr_set_ui_2exp(out, (unsigned long)m, (mpfr_exp_t)e, MPFR_RNDN); /* exact */
    if (away)
        mpfr_nextabove(out);
}

void word_set_q(mpfi_t out, mpq_srcptr q)
{
    uint64_t m;
    bool inexact;
    long e;
    mpfr_prec_t prec = mpfi_get_prec(out);
    if (prec > 64 || mpfr_get_prec(&out->right) != prec ||
        !divide(&m, &inexact, &e, q, (int)prec)) {
        mpfi_set_q(out, q);
        return;
    }
    bool negative = mpq_sgn(q) < 0;
    set_end(&out->left, m, e, inexact && negative);
    set_end(&out->right, m, e, inexact && !negative);
    if (negative) {
        mpfr_neg(&out->left, &out->left, MPFR_RNDN);
        mpfr_neg(&out->right, &out->right, MPFR_RNDN);
    }
}

#else

int word_exp(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t way)
{
    return mpfr_exp(out, x, way);
}

int word_expm1(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t way)
{
    return mpfr_expm1(out, x, way);
}

int word_log1p(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t way)
{
    return mpfr_log1p(out, x, way);
}

bool word_tanh_half(mpfr_t out, mpfr_srcptr x)
{
    (void)out, (void)x;
    return false;
}

void word_set_q(mpfi_t out, mpq_srcptr q)
{
    mpfi_set_q(out, q);
}

#endif

void word_mul_z(mpq_t out, mpq_srcptr a, mpz_srcptr n)
{
    if (mpz_size(mpq_denref(a)) == 1 && mpz_size(n) == 1 && mpz_sgn(n) > 0 && mpz_fits_ulong_p(n) &&
        mpz_fits_ulong_p(mpq_denref(a))) {
        mp_limb_t k = mpz_getlimbn(n, 0), d = mpz_getlimbn(mpq_denref(a), 0);
        mp_limb_t common = mpn_gcd_1(&k, 1, d);
        mpz_mul_ui(mpq_numref(out), mpq_numref(a), (unsigned long)(k / common));
        mpz_set_ui(mpq_denref(out), (unsigned long)(d / common));
        return;
    }
    mpq_t by;
    mpq_init(by);
    mpq_set_z(by, n);
    mpq_mul(out, a, by);
    mpq_clear(by);
}
