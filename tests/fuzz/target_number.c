/* SPDX-License-Identifier: MIT */
/* The number parser, and the printer of decimals against it: the first byte chooses the digits,
 * the rest is the literal. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

#define LARGE_BITS 20000

static bool is_small(const mpq_t x)
{
    return mpz_sizeinbase(mpq_numref(x), 2) + mpz_sizeinbase(mpq_denref(x), 2) < LARGE_BITS;
}

static bool parse(dp_number *x, const char *text)
{
    dp_error err = {DP_OK, NULL, NULL};
    bool ok = dp_number_parse(x, text, strlen(text), &err) == DP_OK;
    EXPECT(ok || (err.status == DP_DOMAIN && err.message != NULL));
    return ok;
}

/* The exact fraction, written out and read again, is the same number. */
static void check_round_trip(const dp_number *x)
{
    char *text = malloc(LARGE_BITS);
    EXPECT(text != NULL);
    strcpy(text, x->is_log ? "ln(" : "");
    mpq_get_str(text + strlen(text), 10, x->value);
    strcat(text, x->is_log ? ")" : "");
    dp_number again;
    dp_number_init(&again);
    EXPECT(parse(&again, text));
    EXPECT(again.is_log == x->is_log && mpq_equal(again.value, x->value));
    dp_number_clear(&again);
    free(text);
}

/* One decimal end: on its side of x, and within a unit of its last digit. */
static void check_end(const dp_figure *figure, dp_end end, size_t digits)
{
    char *text = dp_figure_decimal(figure, end, digits);
    EXPECT(text != NULL);
    dp_number read;
    dp_number_init(&read);
    EXPECT(parse(&read, text) && !read.is_log);
    mpq_t gap, unit;
    mpq_inits(gap, unit, NULL);
    mpq_sub(gap, read.value, figure->rational);
    EXPECT(end == DP_UPPER ? mpq_sgn(gap) >= 0 : mpq_sgn(gap) <= 0);
    mpq_abs(gap, gap);
    mpz_ui_pow_ui(mpq_denref(unit), 10, digits - 1);
    mpz_set_ui(mpq_numref(unit), 1);
    mpq_mul(unit, unit, read.value);
    if (mpq_cmp_ui(read.value, 0, 1) != 0 || end == DP_UPPER)
        EXPECT(mpq_cmp(gap, unit) <= 0);
    mpq_clears(gap, unit, NULL);
    dp_number_clear(&read);
    dp_text_free(text);
}

static void check_figure(const dp_number *x, size_t digits)
{
    dp_figure figure;
    dp_figure_init(&figure);
    figure.kind = DP_RATIONAL;
    mpq_set(figure.rational, x->value);
    check_end(&figure, DP_LOWER, digits);
    check_end(&figure, DP_UPPER, digits);
    double up = dp_figure_double_up(&figure, digits);
    EXPECT(up >= 0 && (up > 0 || mpq_sgn(x->value) == 0));
    if (up < HUGE_VAL) {
        mpq_t exact;
        mpq_init(exact);
        mpq_set_d(exact, up);
        EXPECT(mpq_cmp(exact, x->value) >= 0);
        mpq_clear(exact);
    }
    EXPECT(dp_figure_le(&figure, x->value) == DP_YES);
    dp_figure_clear(&figure);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    size_t digits = 1 + data[0] % 50;
    char *text = malloc(size + 2);
    EXPECT(text != NULL);
    memcpy(text, data + 1, size - 1);
    dp_error err = {DP_OK, NULL, NULL};
    dp_number x;
    dp_number_init(&x);
    if (dp_number_parse(&x, text, size - 1, &err) == DP_OK) {
        EXPECT(memchr(text, '\0', size - 1) == NULL);
        EXPECT(!x.is_log || mpq_sgn(x.value) > 0);
        mpq_t canonical;
        mpq_init(canonical);
        mpq_set(canonical, x.value);
        mpq_canonicalize(canonical);
        EXPECT(mpz_cmp(mpq_numref(canonical), mpq_numref(x.value)) == 0 &&
               mpz_cmp(mpq_denref(canonical), mpq_denref(x.value)) == 0);
        mpq_clear(canonical);
        if (is_small(x.value)) {
            check_round_trip(&x);
            if (!x.is_log && mpq_sgn(x.value) >= 0)
                check_figure(&x, digits);
        }
        text[size - 1] = ' ';
        EXPECT(dp_number_parse(&x, text, size, &err) == DP_DOMAIN);
    } else {
        EXPECT(err.status == DP_DOMAIN && err.message != NULL);
        EXPECT(mpq_sgn(x.value) == 0 && !x.is_log);
    }
    dp_number_clear(&x);
    free(text);
    return 0;
}
