/* SPDX-License-Identifier: MIT */
/* Few digits of a number of one word, by one exact product of two words. */
#include "num/decimal.h"

#include <string.h>

#include "num/wide.h"

#if defined(__SIZEOF_INT128__) && GMP_NUMB_BITS == 64

#define MOST_FIVES 27 /* 5^27 < 2^63 */
#define MOST_DIGITS 18

static const uint64_t power5[] = {1,
                                  5,
                                  25,
                                  125,
                                  625,
                                  3125,
                                  15625,
                                  78125,
                                  390625,
                                  1953125,
                                  9765625,
                                  48828125,
                                  244140625,
                                  1220703125,
                                  6103515625,
                                  30517578125,
                                  152587890625,
                                  762939453125,
                                  3814697265625,
                                  19073486328125,
                                  95367431640625,
                                  476837158203125,
                                  2384185791015625,
                                  11920928955078125,
                                  59604644775390625,
                                  298023223876953125,
                                  1490116119384765625,
                                  7450580596923828125};

/* What a floor leaves: nothing, less than 1/2, 1/2, or more. */
typedef enum rest { REST_NONE, REST_LESS, REST_HALF, REST_MORE } rest;

/* floor(x 10^s): x = m 2^(e - 64), so x 10^s = (m 5^s) 2^(e - 64 + s), where the product has at
 * most 127 bits. */
static bool floor_scaled(uint64_t *q, rest *left, mpfr_srcptr x, long s)
{
    long shift = 64 - s - (long)mpfr_get_exp(x);
    if (s < 0 || s > MOST_FIVES || shift <= 0 || shift >= 128)
        return false;
    const mp_limb_t *m = (const mp_limb_t *)mpfr_custom_get_significand(x);
    wide_u128 product = (wide_u128)*m * power5[s], half = (wide_u128)1 << (shift - 1);
    wide_u128 below = product & (2 * half - 1), whole = product >> shift;
    if (whole >> 64 != 0)
        return false;
    *q = (uint64_t)whole;
    *left = below == 0      ? REST_NONE
            : below < half  ? REST_LESS
            : below == half ? REST_HALF
                            : REST_MORE;
    return true;
}

static bool goes_up(uint64_t q, rest left, mpfr_rnd_t way)
{
    if (way == MPFR_RNDN)
        return left == REST_MORE || (left == REST_HALF && q % 2 == 1);
    return way == MPFR_RNDU && left != REST_NONE;
}

/* q 10^(point - n), where q may have become 10^n. */
static void put(dec *d, uint64_t q, size_t n, long point, bool exact)
{
    static const char pairs[] = "00010203040506070809"
                                "10111213141516171819"
                                "20212223242526272829"
                                "30313233343536373839"
                                "40414243444546474849"
                                "50515253545556575859"
                                "60616263646566676869"
                                "70717273747576777879"
                                "80818283848586878889"
                                "90919293949596979899";
    size_t i = n;
    for (; i > 1; q /= 100)
        memcpy(d->digit + (i -= 2), pairs + 2 * (q % 100), 2);
    if (i > 0) {
        d->digit[0] = (char)('0' + q % 10);
        q /= 10;
    }
    d->sign = 1;
    d->infinite = false;
    d->exact = exact;
    d->count = n;
    d->point = point + (q != 0);
    if (q != 0)
        d->digit[0] = '1'; /* before zeros */
    if (exact)
        dec_strip(d);
}

static const uint64_t power10[] = {1,
                                   10,
                                   100,
                                   1000,
                                   10000,
                                   100000,
                                   1000000,
                                   10000000,
                                   100000000,
                                   1000000000,
                                   10000000000,
                                   100000000000,
                                   1000000000000,
                                   10000000000000,
                                   100000000000000,
                                   1000000000000000,
                                   10000000000000000,
                                   100000000000000000,
                                   1000000000000000000,
                                   10000000000000000000U};

bool dec_set_short(dec *d, mpfr_srcptr x, mpfr_rnd_t way, size_t n)
{
    if (n > MOST_DIGITS || !mpfr_regular_p(x) || mpfr_sgn(x) < 0 || mpfr_get_prec(x) > 64)
        return false;
    uint64_t least = power10[n - 1], q;
    rest left;
    long e = (long)mpfr_get_exp(x);
    if (e < -100 || e > 100)
        return false;
    long point = e * 30103 / 100000; /* within one of the truth */
    for (int tries = 0;; tries++) {
        if (tries == 3 || !floor_scaled(&q, &left, x, (long)n - point))
            return false;
        if (q < least)
            point--;
        else if (q >= 10 * least)
            point++;
        else
            break;
    }
    put(d, q + goes_up(q, left, way), n, point, left == REST_NONE);
    return true;
}

bool dec_set_short_q(dec *d, const mpq_t x, dp_end end, size_t n)
{
    uint64_t num, den;
    if (n > MOST_DIGITS || mpq_sgn(x) <= 0 || !wide_get_z(&num, mpq_numref(x)) ||
        !wide_get_z(&den, mpq_denref(x)))
        return false;
    long point = (long)mpz_sizeinbase(mpq_numref(x), 10) - (long)mpz_sizeinbase(mpq_denref(x), 10);
    wide_u128 top, below, q;
    for (int tries = 0;; tries++) {
        long s = (long)n - point;
        if (tries == 4 || s < -19 || s > 19)
            return false;
        top = (wide_u128)num * power10[s > 0 ? s : 0];
        below = (wide_u128)den * power10[s < 0 ? -s : 0];
        q = top / below;
        if (q < power10[n - 1])
            point--;
        else if (q >= power10[n])
            point++;
        else
            break;
    }
    bool exact = q * below == top;
    put(d, (uint64_t)q + (!exact && end == DP_UPPER), n, point, exact);
    return true;
}

#else

bool dec_set_short(dec *d, mpfr_srcptr x, mpfr_rnd_t way, size_t n)
{
    (void)d, (void)x, (void)way, (void)n;
    return false;
}

bool dec_set_short_q(dec *d, const mpq_t x, dp_end end, size_t n)
{
    (void)d, (void)x, (void)end, (void)n;
    return false;
}

#endif
