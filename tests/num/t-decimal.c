/* SPDX-License-Identifier: MIT */
/* Directed decimals and doubles against exact rationals. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/decimal.h"

/* The decimal, printed and read back. */
static void value_of(mpq_t q, const dec *d)
{
    char text[128];
    assert_true(dec_size(d) < sizeof text);
    text[dec_print(text, d)] = '\0';
    rational_of(q, text);
}

/* One unit of the n-th digit of d. */
static void unit_of(mpq_t unit, const dec *d, size_t n)
{
    long place = d->point - (long)n;
    mpz_ui_pow_ui(mpq_numref(unit), 10, (unsigned long)labs(place));
    mpz_set_ui(mpq_denref(unit), 1);
    if (place < 0)
        mpq_inv(unit, unit);
}

/* down <= x <= up, exact means equal, and inexact ends are less than a unit away */
static void check_rounded(const mpq_t x, const dec *low, const dec *high, size_t n, bool of_float)
{
    mpq_t down, up, unit;
    mpq_inits(down, up, unit, NULL);
    value_of(down, low);
    value_of(up, high);
    assert_true(mpq_cmp(down, x) <= 0 && mpq_cmp(x, up) <= 0);
    assert_true(!low->exact || mpq_equal(down, x));
    assert_true(!high->exact || mpq_equal(up, x));
    if (!of_float || low->digit[low->count - 1] == '0')
        assert_int_equal(low->exact, mpq_equal(down, x) != 0);
    assert_true(low->count <= n && high->count <= n);
    unit_of(unit, mpq_sgn(x) > 0 ? low : high, n);
    mpq_sub(down, up, down);
    assert_true(mpq_cmp(down, unit) <= 0);
    assert_true(dec_agree(low, high, n));
    mpq_clears(down, up, unit, NULL);
}

static void random_rational(mpq_t x, rng *r)
{
    mpz_set_ui(mpq_numref(x), 1 + rng_below(r, 1U << rng_below(r, 30)));
    mpz_set_ui(mpq_denref(x), 1 + rng_below(r, 1U << rng_below(r, 30)));
    if (rng_below(r, 4) == 0)
        mpz_ui_pow_ui(mpq_numref(x), 10, rng_below(r, 40));
    mpq_canonicalize(x);
    if (rng_below(r, 2) == 0)
        mpq_div_2exp(x, x, rng_below(r, 80));
    if (rng_below(r, 4) == 0)
        mpq_neg(x, x);
}

static void test_rationals(void **state)
{
    (void)state;
    rng r = rng_make(1);
    mpq_t x;
    mpq_init(x);
    for (int i = 0; i < rounds(20000); i++) {
        random_rational(x, &r);
        size_t n = 1 + rng_below(&r, i % 2 == 0 ? 4 : 40);
        dec low, high;
        dec_init(&low);
        dec_init(&high);
        assert_true(dec_set_q(&low, x, DP_LOWER, n));
        assert_true(dec_set_q(&high, x, DP_UPPER, n));
        check_rounded(x, &low, &high, n, false);
        dec_clear(&low);
        dec_clear(&high);
    }
    mpq_clear(x);
}

static void test_floats(void **state)
{
    (void)state;
    rng r = rng_make(2);
    mpq_t x;
    mpfr_t f;
    mpq_init(x);
    mpfr_init2(f, 90);
    for (int i = 0; i < rounds(20000); i++) {
        random_rational(x, &r);
        mpfr_set_prec(f, i % 2 == 0 ? 90 : 64); /* of one word, too */
        mpfr_set_q(f, x, MPFR_RNDN);
        if (i % 3 == 0) { /* just below and just above powers of ten */
            mpfr_set_ui(f, 10, MPFR_RNDN);
            mpfr_pow_si(f, f, (long)rng_below(&r, 30) - 15, MPFR_RNDN);
            for (uint64_t k = rng_below(&r, 3); k > 0; k--)
                mpfr_nextbelow(f);
        }
        mpfr_get_q(x, f);
        size_t n = 1 + rng_below(&r, i % 4 < 2 ? 3 : 30);
        dec low, high;
        dec_init(&low);
        dec_init(&high);
        assert_true(dec_set_fr(&low, f, DP_LOWER, n));
        assert_true(dec_set_fr(&high, f, DP_UPPER, n));
        check_rounded(x, &low, &high, n, true);
        dec_clear(&low);
        dec_clear(&high);
    }
    mpfr_clear(f);
    mpq_clear(x);
}

static void set_text(dec *d, const char *text, dp_end end, size_t n)
{
    mpq_t q;
    mpq_init(q);
    rational_of(q, text);
    assert_true(dec_set_q(d, q, end, n));
    mpq_clear(q);
}

static void assert_printed(const char *value, dp_end end, size_t n, const char *expected)
{
    dec d;
    char text[128];
    dec_init(&d);
    set_text(&d, value, end, n);
    text[dec_print(text, &d)] = '\0';
    assert_string_equal(text, expected);
    dec_clear(&d);
}

static void assert_shown(const char *value, size_t n, const char *expected)
{
    dec d;
    char text[128];
    dec_init(&d);
    set_text(&d, value, DP_UPPER, n);
    text[dec_print_text(text, &d)] = '\0';
    assert_string_equal(text, expected);
    dec_clear(&d);
}

static void test_printed(void **state)
{
    (void)state;
    assert_printed("0", DP_UPPER, 5, "0");
    assert_printed("1/3", DP_LOWER, 4, "0.3333");
    assert_printed("1/3", DP_UPPER, 4, "0.3334");
    assert_printed("-1/3", DP_UPPER, 4, "-0.3333");
    assert_printed("2/3", DP_UPPER, 1, "0.7");
    assert_printed("0.0996", DP_UPPER, 2, "0.10");
    assert_printed("0.096", DP_UPPER, 1, "0.1");
    assert_printed("0.5", DP_LOWER, 10, "0.5");
    assert_printed("1e-7", DP_LOWER, 3, "1e-7");
    assert_printed("1/7000000", DP_LOWER, 3, "1.42e-7");
    assert_printed("999999", DP_UPPER, 3, "1.00e6");
    assert_printed("60000", DP_UPPER, 3, "60000");
    assert_printed("1/300", DP_UPPER, 3, "3.34e-3");
    assert_shown("1/300", 3, "0.00334");
    assert_shown("0.0001", 10, "0.0001");
    assert_shown("0.0000999999", 6, "9.99999e-5");
    assert_shown("0.0000999999", 3, "0.000100");
    assert_shown("999999", 3, "1.00e6");
}

/* Beyond the decimal as `end` says, or at it. */
static bool is_beyond(const mpq_t x, const mpq_t d, dp_end end)
{
    int side = mpq_cmp(x, d);
    return end == DP_UPPER ? side >= 0 : side <= 0;
}

/* Exactly the double next to the decimal on that side, and a text that is on it too. */
static void check_double(const dec *d, dp_end end)
{
    mpq_t x, value;
    mpq_inits(x, value, NULL);
    value_of(x, d);
    double safe = dec_double(d, end), back = nextafter(safe, end == DP_UPPER ? 0 : INFINITY);
    mpq_set_d(value, safe);
    assert_true(is_beyond(value, x, end) && (end == DP_LOWER || safe > 0));
    mpq_set_d(value, back);
    assert_false(is_beyond(value, x, end));
    char text[DEC_JSON_SIZE + 1];
    text[dec_print_json(text, d, end)] = '\0';
    rational_of(value, text);
    assert_true(is_beyond(value, x, end));
    double shown = strtod(text, NULL), next = nextafter(safe, end == DP_UPPER ? INFINITY : -1);
    assert_true(shown == safe || shown == next);
    mpq_clears(x, value, NULL);
}

static void test_doubles(void **state)
{
    (void)state;
    rng r = rng_make(3);
    mpq_t x;
    mpq_init(x);
    for (int i = 0; i < rounds(20000); i++) {
        random_rational(x, &r);
        mpq_abs(x, x);
        if (i % 4 == 0)
            mpq_div_2exp(x, x, 1000 + rng_below(&r, 80));
        dec d;
        dec_init(&d);
        assert_true(dec_set_q(&d, x, i % 2 == 0 ? DP_UPPER : DP_LOWER, 1 + rng_below(&r, 25)));
        check_double(&d, DP_UPPER);
        check_double(&d, DP_LOWER);
        dec_clear(&d);
    }
    mpq_clear(x);
}

static void test_extremes(void **state)
{
    (void)state;
    dec d;
    char text[DEC_JSON_SIZE + 1];
    dec_init(&d);
    static const struct {
        const char *value, *up, *down;
        double above, below;
    } list[] = {
        {"1e-400", "4.9406564584124654e-324", "0", 0x1p-1074, 0},
        {"1e-5000", "4.9406564584124654e-324", "0", 0x1p-1074, 0},
        {"1e400", "\"Infinity\"", "1.7976931348623157e308", INFINITY, 0x1.fffffffffffffp1023},
        {"1e5000", "\"Infinity\"", "1.7976931348623157e308", INFINITY, 0x1.fffffffffffffp1023},
        /* between the text of the largest double and that double: no text for an upper end */
        {"1.79769313486231570814e308", "\"Infinity\"", "1.7976931348623155e308",
         0x1.fffffffffffffp1023, 0x1.ffffffffffffep1023},
        {"0.1", "0.10000000000000001", "0.099999999999999992", 0.1, 0x1.9999999999999p-4},
        {"0.3", "0.30000000000000004", "0.29999999999999999", 0x1.3333333333334p-2, 0.3},
        {"0", "0", "0", 0, 0},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        set_text(&d, list[i].value, DP_UPPER, 25);
        assert_true(dec_double(&d, DP_UPPER) == list[i].above &&
                    dec_double(&d, DP_LOWER) == list[i].below);
        text[dec_print_json(text, &d, DP_UPPER)] = '\0';
        assert_string_equal(text, list[i].up);
        text[dec_print_json(text, &d, DP_LOWER)] = '\0';
        assert_string_equal(text, list[i].down);
    }
    mpfr_t x;
    mpfr_init2(x, 64);
    mpfr_set_nan(x);
    assert_true(dec_set_fr(&d, x, DP_UPPER, 5) && d.infinite && d.sign > 0);
    assert_true(dec_set_fr(&d, x, DP_LOWER, 5) && d.infinite && d.sign < 0);
    mpfr_set_zero(x, 1);
    assert_true(dec_set_fr(&d, x, DP_UPPER, 5) && d.sign == 0);
    mpfr_clear(x);
    dec_clear(&d);
}

static bool agree(const char *low, const char *high, size_t n)
{
    dec a, b;
    dec_init(&a);
    dec_init(&b);
    set_text(&a, low, DP_LOWER, n);
    set_text(&b, high, DP_UPPER, n);
    bool answer = dec_agree(&a, &b, n);
    dec_clear(&a);
    dec_clear(&b);
    return answer;
}

static void test_agree(void **state)
{
    (void)state;
    assert_true(agree("0.123", "0.123", 3));
    assert_true(agree("0.123", "0.124", 3));
    assert_false(agree("0.123", "0.125", 3));
    assert_true(agree("0.999", "1", 3));
    assert_true(agree("0.99", "1.00", 2));
    assert_false(agree("0.99", "1.1", 2));
    assert_false(agree("0.99", "1", 3));
    assert_true(agree("-0.124", "-0.123", 3));
    assert_false(agree("-0.1", "0.1", 1));
    assert_false(agree("0.124", "0.123", 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rationals), cmocka_unit_test(test_floats),
        cmocka_unit_test(test_printed),   cmocka_unit_test(test_doubles),
        cmocka_unit_test(test_extremes),  cmocka_unit_test(test_agree),
    };
    return cmocka_run_group_tests_name("decimal", tests, NULL, NULL);
}
