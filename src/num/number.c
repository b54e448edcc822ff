/* SPDX-License-Identifier: MIT */
/* Exact inputs: a rational, or the logarithm of one. */
#include "num/number.h"

#include <stdint.h>

#include "num/literal.h"
#include "num/memory.h"
#include "num/misread.h"

void dp_number_init(dp_number *x)
{
    if (x == NULL)
        return;
    mpq_init(x->value);
    x->is_log = 0;
}

void dp_number_clear(dp_number *x)
{
    if (x == NULL)
        return;
    mpq_clear(x->value);
}

void dp_number_set(dp_number *x, const dp_number *from)
{
    if (x == NULL || from == NULL)
        return;
    mpq_set(x->value, from->value);
    x->is_log = from->is_log != 0;
}

void dp_number_set_ui(dp_number *x, unsigned long value)
{
    if (x == NULL)
        return;
    mpq_set_ui(x->value, value, 1);
    x->is_log = 0;
}

/* Most literals: an integer below 2^32, such as 10 or 1e9. */
static bool is_small(unsigned long *value, const char *text, size_t length)
{
    uint64_t n = 0;
    size_t i = 0;
    for (; i < length && i < 10 && text[i] >= '0' && text[i] <= '9'; i++)
        n = 10 * n + (uint64_t)(text[i] - '0');
    if (i == 0 || (i > 1 && text[0] == '0'))
        return false;
    if (i + 2 == length && text[i] == 'e' && text[i + 1] >= '0' && text[i + 1] <= '9') {
        for (int zeros = text[i + 1] - '0'; zeros > 0; zeros--)
            n *= 10;
        i = length;
    }
    *value = (unsigned long)n;
    return i == length && n <= UINT32_MAX;
}

dp_status dp_number_parse(dp_number *x, const char *text, size_t length, dp_error *err)
{
    bool is_log;
    if (x == NULL || (text == NULL && length > 0)) {
        if (err != NULL)
            *err = (dp_error){DP_DOMAIN, x == NULL ? "x" : "text", "must not be NULL"};
        return DP_DOMAIN;
    }
    size_t before = memory_failures();
    unsigned long value;
    lit_status status = LIT_OK;
    if (is_small(&value, text, length)) {
        mpq_set_ui(x->value, value, 1);
        is_log = false;
    } else {
        status = lit_parse(x->value, &is_log, text, length);
    }
    if (memory_failures() != before) {
        if (err != NULL)
            *err = (dp_error){DP_MEMORY, NULL, "out of memory"};
        return DP_MEMORY;
    }
    if (status != LIT_OK) {
        misread wrong = {.message = lit_message(status)};
        if (err != NULL && status == LIT_SYNTAX)
            misread_explain(&wrong, text, length);
        if (err != NULL)
            *err = (dp_error){DP_DOMAIN, NULL, wrong.message};
        return DP_DOMAIN;
    }
    x->is_log = is_log;
    return DP_OK;
}

int dp_number_sgn(const dp_number *x)
{
    if (x == NULL)
        return 0;
    return x->is_log ? mpq_cmp_ui(x->value, 1, 1) : mpq_sgn(x->value);
}

mpq_srcptr number_rational(const dp_number *x)
{
    return x != NULL && !x->is_log ? x->value : NULL;
}

mpq_srcptr number_odds(const dp_number *x)
{
    return x != NULL && x->is_log ? x->value : NULL;
}

mpz_srcptr number_integer(const dp_number *x)
{
    bool whole = x != NULL && !x->is_log && mpz_cmp_ui(mpq_denref(x->value), 1) == 0;
    return whole ? mpq_numref(x->value) : NULL;
}

int number_order(const dp_number *a, const dp_number *b)
{
    return a->is_log != b->is_log ? a->is_log - b->is_log : mpq_cmp(a->value, b->value);
}

size_t number_bits(const dp_number *x)
{
    return mpz_sizeinbase(mpq_numref(x->value), 2) + mpz_sizeinbase(mpq_denref(x->value), 2);
}

void number_set_q(dp_number *x, mpq_srcptr value)
{
    mpq_set(x->value, value);
    x->is_log = 0;
}

void number_set_d(dp_number *x, double value)
{
    mpq_set_d(x->value, value);
    x->is_log = 0;
}

void number_set_log(dp_number *x, mpq_srcptr odds)
{
    mpq_set(x->value, odds);
    x->is_log = 1;
}
