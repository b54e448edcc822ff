/* SPDX-License-Identifier: MIT */
/* Forms that are another number than their digits: percentages, multiples, units, products. */
#include "num/misread_forms.h"

#include <gmp.h>
#include <string.h>

#include "num/decimal.h"
#include "num/literal.h"
#include "num/misread.h"

#define ROOM MISREAD_ROOM
#define MOST_BITS 4096 /* of what is multiplied out */
#define MOST_DIGITS 30

bool misread_reads(const char *text, size_t length)
{
    mpq_t value;
    bool log;
    mpq_init(value);
    bool ok = lit_parse(value, &log, text, length) == LIT_OK;
    mpq_clear(value);
    return ok;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* The words of the list as `by`, which is not longer than any; were there any? */
bool misread_replace(char *out, const char *text, const char *const *list, const char *by)
{
    bool found = false;
    while (*text != '\0') {
        size_t i = 0;
        while (list[i] != NULL && !begins(text, list[i]))
            i++;
        const char *from = list[i] != NULL ? by : text;
        size_t n = list[i] != NULL ? strlen(by) : 1;
        memcpy(out, from, n);
        out += n;
        text += list[i] != NULL ? strlen(list[i]) : 1;
        found = found || list[i] != NULL;
    }
    *out = '\0';
    return found;
}

/* factor times the rational that the text is, as a decimal where it is a short one, else "" */
static void put_product(char *out, const char *text, size_t length, mpq_srcptr factor)
{
    mpq_t value;
    dec d;
    bool log = true;
    mpq_init(value);
    dec_init(&d);
    out[0] = '\0';
    if (lit_parse(value, &log, text, length) == LIT_OK && !log &&
        mpz_sizeinbase(mpq_numref(value), 2) < MOST_BITS &&
        mpz_sizeinbase(mpq_denref(value), 2) < MOST_BITS) {
        mpq_mul(value, value, factor);
        if (dec_set_q(&d, value, DP_LOWER, MOST_DIGITS) && d.exact && dec_size(&d) < ROOM)
            out[dec_print(out, &d)] = '\0';
    }
    dec_clear(&d);
    mpq_clear(value);
}

/* The same with factor * 10^tens. */
static void put_scaled(char *out, const char *text, size_t length, unsigned long factor, int tens)
{
    mpq_t by;
    mpq_init(by);
    mpq_set_ui(by, factor, 1);
    mpz_ui_pow_ui(tens < 0 ? mpq_denref(by) : mpq_numref(by), 10,
                  (unsigned long)(tens < 0 ? -tens : tens));
    if (tens >= 0)
        mpz_mul_ui(mpq_numref(by), mpq_numref(by), factor);
    mpq_canonicalize(by);
    put_product(out, text, length, by);
    mpq_clear(by);
}

bool misread_percent(char *out, const char *text)
{
    size_t n = strlen(text);
    if (n < 2 || text[n - 1] != '%')
        return false;
    put_scaled(out, text, n - 1, 1, -2);
    return true;
}

typedef struct unit {
    const char *name;
    unsigned long factor; /* 0: of something else */
    int tens;
} unit;

/* Digits, then one of the units. */
static bool mend_unit(char *out, const char *text, const unit *list)
{
    for (const unit *u = list; u->name != NULL; u++) {
        size_t n = strlen(text), length = strlen(u->name);
        if (n <= length || strcmp(text + n - length, u->name) != 0 ||
            !misread_reads(text, n - length))
            continue;
        out[0] = '\0';
        if (u->factor != 0)
            put_scaled(out, text, n - length, u->factor, u->tens);
        return true;
    }
    return false;
}

bool misread_multiple(char *out, const char *text)
{
    static const unit list[] = {{"k", 1, 3},  {"K", 1, 3},  {"M", 1, 6},        {"mio", 1, 6},
                                {"G", 1, 9},  {"bn", 1, 9}, {"thousand", 1, 3}, {"million", 1, 6},
                                {"T", 1, 12}, {NULL, 0, 0}};
    return mend_unit(out, text, list);
}

bool misread_measure(char *out, const char *text)
{
    static const unit list[] = {
        {"s", 1, 0},     {"sec", 1, 0},         {"seconds", 1, 0},     {"ms", 1, -3},
        {"min", 60, 0},  {"h", 3600, 0},        {"d", 86400, 0},       {"KiB", 1024, 0},
        {"kB", 1, 3},    {"KB", 1, 3},          {"MiB", 1UL << 20, 0}, {"MB", 1, 6},
        {"GB", 1, 9},    {"GiB", 1UL << 30, 0}, {"TB", 1, 12},         {"nats", 1, 0},
        {"nat", 1, 0},   {"bits", 0, 0},        {"bit", 0, 0},         {"B", 1, 0},
        {"bytes", 1, 0}, {NULL, 0, 0}};
    return mend_unit(out, text, list);
}

/* 6*10^4 */
bool misread_product(char *out, const char *text)
{
    static const char *const signs[] = {"\xc3\x97", "\xc2\xb7", "\xe2\x8b\x85", NULL};
    char plain[ROOM];
    misread_replace(plain, text, signs, "*");
    const char *cross = strpbrk(plain, "*xX");
    if (cross == NULL || cross == plain || !misread_reads(plain, (size_t)(cross - plain)) ||
        !misread_reads(cross + 1, strlen(cross + 1)))
        return false;
    out[0] = '\0';
    mpq_t factor;
    bool log = true;
    mpq_init(factor);
    if (*cross == '*' && lit_parse(factor, &log, cross + 1, strlen(cross + 1)) == LIT_OK && !log &&
        mpz_sizeinbase(mpq_numref(factor), 2) < MOST_BITS &&
        mpz_sizeinbase(mpq_denref(factor), 2) < MOST_BITS)
        put_product(out, plain, (size_t)(cross - plain), factor);
    mpq_clear(factor);
    return true;
}

bool misread_hexadecimal(char *out, const char *text)
{
    if (text[0] != '0' || (text[1] != 'x' && text[1] != 'X') || strlen(text) > 17)
        return false;
    mpz_t value;
    mpz_init(value);
    bool ok = mpz_set_str(value, text + 2, 16) == 0;
    if (ok)
        mpz_get_str(out, 10, value); /* at most 20 characters */
    mpz_clear(value);
    return ok;
}
