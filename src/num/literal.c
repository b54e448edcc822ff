/* SPDX-License-Identifier: MIT */
/* Numbers from text, exactly: decimals, fractions, powers, ln(R). */
#include "num/literal.h"

#include <stdlib.h>
#include <string.h>

#include "num/guard.h"
#include "num/memory.h"

typedef struct cursor {
    const char *at, *end;
} cursor;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9'; /* not isdigit: no locale may widen the grammar */
}

static bool take(cursor *c, char wanted)
{
    if (c->at == c->end || *c->at != wanted)
        return false;
    c->at++;
    return true;
}

static bool take_sign(cursor *c)
{
    if (take(c, '-'))
        return true;
    take(c, '+');
    return false;
}

static const char *take_digits(cursor *c)
{
    const char *start = c->at;
    while (c->at != c->end && is_digit(*c->at))
        c->at++;
    return start;
}

/* Digits of both runs, read as one integer. */
static bool join_digits(mpz_t out, const char *a, size_t na, const char *b, size_t nb)
{
    char local[64], *buffer = na + nb < sizeof local ? local : memory_new(na + nb + 1, 1);
    if (buffer == NULL)
        return false;
    memcpy(buffer, a, na);
    memcpy(buffer + na, b, nb);
    buffer[na + nb] = '\0';
    bool ok = mpz_set_str(out, buffer, 10) == 0;
    if (buffer != local)
        memory_free(buffer);
    return ok;
}

/* The signed integer after an exponent mark; anything past the limit is reported as such without
 * being formed. */
static lit_status read_exponent(long *out, cursor *c)
{
    bool negative = take_sign(c);
    const char *start = take_digits(c);
    if (start == c->at)
        return LIT_SYNTAX;
    long value = 0;
    for (const char *p = start; p != c->at; p++) {
        value = value * 10 + (*p - '0');
        if (value > LIT_MAX_EXPONENT)
            return LIT_EXPONENT;
    }
    *out = negative ? -value : value;
    return LIT_OK;
}

/* value = mantissa * 10^scale in lowest terms. Only 2 and 5 can be common, so they are divided
 * out one after the other instead of taking a gcd of two huge integers. */
static void set_scaled(mpq_t value, mpz_t mantissa, long scale)
{
    mpz_ptr num = mpq_numref(value), den = mpq_denref(value);
    mpz_set(num, mantissa);
    mpz_set_ui(den, 1);
    if (mpz_sgn(mantissa) == 0)
        return;
    if (scale >= 0) {
        mpz_ui_pow_ui(den, 10, (unsigned long)scale);
        mpz_mul(num, num, den);
        mpz_set_ui(den, 1);
        return;
    }
    unsigned long places = (unsigned long)-scale;
    unsigned long twos = mpz_scan1(num, 0);
    if (twos > places)
        twos = places;
    mpz_fdiv_q_2exp(num, num, twos);
    mpz_set_ui(den, 5);
    unsigned long fives = mpz_remove(num, num, den);
    if (fives > places) {
        mpz_ui_pow_ui(den, 5, fives - places);
        mpz_mul(num, num, den);
        fives = places;
    }
    mpz_ui_pow_ui(den, 5, places - fives);
    mpz_mul_2exp(den, den, places - twos);
}

static lit_status read_power(mpq_t value, mpz_t base, cursor *c)
{
    long exponent;
    lit_status status = read_exponent(&exponent, c);
    if (status != LIT_OK)
        return status == LIT_EXPONENT ? LIT_TOO_LARGE : status;
    unsigned long size = (unsigned long)labs(exponent);
    mpz_t power;
    mpz_init_set_ui(power, size);
    bool fits = guard_pow_fits(base, power, GUARD_MAX_BITS);
    mpz_clear(power);
    if (!fits)
        return LIT_TOO_LARGE;
    if (exponent < 0 && mpz_sgn(base) == 0)
        return LIT_ZERO_DENOMINATOR;
    if (exponent < 0 && mpz_cmp_ui(base, 1) == 0)
        return LIT_SYNTAX; /* 1e-6 was meant, and nobody means 1 */
    mpz_pow_ui(mpq_numref(value), base, size);
    mpz_set_ui(mpq_denref(value), 1);
    if (exponent < 0)
        mpq_inv(value, value);
    return LIT_OK;
}

static lit_status read_atom(mpq_t value, cursor *c)
{
    const char *whole = take_digits(c);
    size_t n_whole = (size_t)(c->at - whole);
    bool point = take(c, '.');
    const char *part = take_digits(c);
    size_t n_part = point ? (size_t)(c->at - part) : 0;
    if (n_whole + n_part == 0 || (point && n_part == 0))
        return LIT_SYNTAX;
    mpz_t digits;
    mpz_init(digits);
    lit_status status = LIT_OK;
    long exponent = 0;
    if (!join_digits(digits, whole, n_whole, part, n_part))
        status = LIT_TOO_LARGE;
    else if (!point && take(c, '^'))
        status = read_power(value, digits, c);
    else {
        if (take(c, 'e') || take(c, 'E'))
            status = read_exponent(&exponent, c);
        if (status == LIT_OK)
            set_scaled(value, digits, exponent - (long)n_part);
    }
    mpz_clear(digits);
    return status;
}

static lit_status read_ratio(mpq_t value, cursor *c)
{
    lit_status status = read_atom(value, c);
    if (status != LIT_OK || !take(c, '/'))
        return status;
    mpq_t below;
    mpq_init(below);
    status = read_atom(below, c);
    if (status == LIT_OK && mpq_sgn(below) == 0)
        status = LIT_ZERO_DENOMINATOR;
    if (status == LIT_OK)
        mpq_div(value, value, below);
    mpq_clear(below);
    return status;
}

static lit_status read_log(mpq_t value, cursor *c, bool negative)
{
    bool inner = take_sign(c);
    lit_status status = read_ratio(value, c);
    if (status != LIT_OK)
        return status;
    if (!take(c, ')'))
        return LIT_SYNTAX;
    if (inner || mpq_sgn(value) == 0)
        return LIT_LOG_DOMAIN;
    if (negative)
        mpq_inv(value, value);
    return LIT_OK;
}

lit_status lit_parse(mpq_t value, bool *is_log, const char *text, size_t length)
{
    if (length == 0)
        return LIT_EMPTY;
    if (length > LIT_MAX_LENGTH)
        return LIT_TOO_LONG;
    cursor c = {text, text + length};
    bool negative = take_sign(&c), log = false;
    mpq_t read;
    mpq_init(read);
    lit_status status;
    if (c.end - c.at >= 3 && memcmp(c.at, "ln(", 3) == 0) {
        log = true;
        c.at += 3;
        status = read_log(read, &c, negative);
    } else {
        status = read_ratio(read, &c);
        if (negative)
            mpq_neg(read, read);
    }
    if (status == LIT_OK && c.at != c.end)
        status = LIT_SYNTAX;
    if (status == LIT_OK && (mpz_sizeinbase(mpq_numref(read), 2) > GUARD_MAX_BITS ||
                             mpz_sizeinbase(mpq_denref(read), 2) > GUARD_MAX_BITS))
        status = LIT_TOO_LARGE;
    if (status == LIT_OK) {
        mpq_swap(value, read);
        *is_log = log;
    }
    mpq_clear(read);
    return status;
}

const char *lit_message(lit_status status)
{
    switch (status) {
    case LIT_OK:
        return "ok";
    case LIT_EMPTY:
        return "is empty; give a number such as 0.1, 1e-5, 1/3, 2^-40 or ln(3)";
    case LIT_TOO_LONG:
        return "is longer than 100,000 characters";
    case LIT_EXPONENT:
        return "has a decimal exponent beyond 1,000,000";
    case LIT_TOO_LARGE:
        return "is too large to be formed exactly; at most 3,500,000 bits";
    case LIT_ZERO_DENOMINATOR:
        return "divides by zero";
    case LIT_LOG_DOMAIN:
        return "takes the logarithm of a number that is not positive";
    case LIT_SYNTAX:
        break;
    }
    return "is not a number; write it like 60000, 0.1, 1e-5, 1/3, 2^-40 or ln(3)";
}
