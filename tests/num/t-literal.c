/* SPDX-License-Identifier: MIT */
/* The grammar of numbers: what is read, what is refused and why, and that nothing large is formed
 * before it is judged. Values come from an evaluation with GMP alone. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "num/guard.h"
#include "num/literal.h"

static void expect(const char *text, const char *fraction, bool is_log)
{
    mpq_t value, expected;
    bool log = !is_log;
    mpq_inits(value, expected, NULL);
    assert_int_equal(mpq_set_str(expected, fraction, 10), 0);
    lit_status status = lit_parse(value, &log, text, strlen(text));
    if (status != LIT_OK)
        fail_msg("'%s' %s", text, lit_message(status));
    if (!mpq_equal(value, expected) || log != is_log)
        fail_msg("'%s' is not %s", text, fraction);
    mpq_clears(value, expected, NULL);
}

static void test_accepted(void **state)
{
    (void)state;
    static const char *const table[][2] = {
        {"0", "0"},         {"-0", "0"},           {"007", "7"},
        {"+5", "5"},        {"-5", "-5"},          {".5", "1/2"},
        {"0.5", "1/2"},     {"-0.125", "-1/8"},    {"00.50", "1/2"},
        {"1e3", "1000"},    {"1E+3", "1000"},      {"1e-3", "1/1000"},
        {"0e999999", "0"},  {"2.50e1", "25"},      {"12.34e-2", "617/5000"},
        {"1/3", "1/3"},     {"4/6", "2/3"},        {"-1/3", "-1/3"},
        {"0.1/0.3", "1/3"}, {"1e-2/2^2", "1/400"}, {"2^10", "1024"},
        {"2^-3", "1/8"},    {"2^+3", "8"},         {"10^0", "1"},
        {"0^0", "1"},       {"0^5", "0"},          {"1^1000000", "1"},
        {"2^3/3^2", "8/9"}, {"0/5", "0"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        expect(table[i][0], table[i][1], false);
    expect("ln(3)", "3", true);
    expect("+ln(3/2)", "3/2", true);
    expect("-ln(3)", "1/3", true);
    expect("ln(+0.5)", "1/2", true);
    expect("-ln(0.5)", "2", true);
    expect("ln(2^-3)", "1/8", true);
    expect("ln(1)", "1", true);
}

static void refuse_bytes(const char *text, size_t length, lit_status expected)
{
    mpq_t value;
    bool log = true;
    mpq_init(value);
    mpq_set_ui(value, 22, 7);
    lit_status status = lit_parse(value, &log, text, length);
    if (status != expected)
        fail_msg("'%.60s': status %d, not %d", text, (int)status, (int)expected);
    assert_true(mpq_cmp_ui(value, 22, 7) == 0 && log); /* untouched */
    mpq_clear(value);
}

static const char *const bad[] = {
    " ",
    "1 ",
    " 1",
    "1e",
    "1e+",
    "e5",
    "1.",
    ".",
    "+",
    "-",
    "--1",
    "+-1",
    "0x10",
    "inf",
    "nan",
    "Infinity",
    "1e1.5",
    "1.e5",
    "1,5",
    "1_000",
    "1'000",
    "1/",
    "/2",
    "1//2",
    "1/2/3",
    "1/-2",
    "2^",
    "2^^3",
    "2^3^2",
    "2.5^2",
    ".5^2",
    "(1)",
    "ln",
    "ln(",
    "ln()",
    "ln(3",
    "ln 3",
    "ln(3))",
    "ln(ln(2))",
    "LN(3)",
    "log(3)",
    "ln(3)/2",
    "2ln(3)",
    "ln(3)e1",
    "1e5e5",
    "1..5",
    "1.5.5",
    "\t1",
    "1\n",
    "\xE2\x88\x92"
    "1",
    "\xEF\xBC\x91",
    "1\xC2\xA0",
    "1e\xC2\xB2",
    "\xFF",
    "1%",
    "$1",
    "e",
    "pi",
    "0b1",
    "1d5",
    "1f",
    "1L",
    "2^1e3",
    "2^1.5",
    "2**3",
    "1e--5",
    "ln(--2)",
};

static void test_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuse_bytes(bad[i], strlen(bad[i]), LIT_SYNTAX);
    refuse_bytes("", 0, LIT_EMPTY);
    refuse_bytes("1\0", 2, LIT_SYNTAX);
    refuse_bytes("\0"
                 "1",
                 2, LIT_SYNTAX);
    refuse_bytes("1e5\0"
                 "9",
                 5, LIT_SYNTAX);
}

/* Literals without a value, or one that is not formed. */
static void test_no_value(void **state)
{
    (void)state;
    refuse_bytes("1/0", 3, LIT_ZERO_DENOMINATOR);
    refuse_bytes("0/0", 3, LIT_ZERO_DENOMINATOR);
    refuse_bytes("1/0.000e5", 9, LIT_ZERO_DENOMINATOR);
    refuse_bytes("0^-1", 4, LIT_ZERO_DENOMINATOR);
    refuse_bytes("1/0^2", 5, LIT_ZERO_DENOMINATOR);
    refuse_bytes("ln(1/0)", 7, LIT_ZERO_DENOMINATOR);
    refuse_bytes("ln(0)", 5, LIT_LOG_DOMAIN);
    refuse_bytes("-ln(0)", 6, LIT_LOG_DOMAIN);
    refuse_bytes("ln(-1)", 6, LIT_LOG_DOMAIN);
    refuse_bytes("ln(-0)", 6, LIT_LOG_DOMAIN);
    refuse_bytes("1e1000001", 9, LIT_EXPONENT);
    refuse_bytes("1e-1000001", 10, LIT_EXPONENT);
    refuse_bytes("1e99999999999999999999999", 25, LIT_EXPONENT);
    refuse_bytes("2^99999999999", 13, LIT_TOO_LARGE);
    refuse_bytes("2^-99999999999", 14, LIT_TOO_LARGE);
    refuse_bytes("2^99999999999999999999999999", 28, LIT_TOO_LARGE);
    refuse_bytes("99999999999999999999^1000000", 28, LIT_TOO_LARGE);
}

/* Every rule names what is wrong, no two alike. */
static void test_messages(void **state)
{
    (void)state;
    for (int a = LIT_OK; a <= LIT_LOG_DOMAIN; a++) {
        assert_true(strlen(lit_message((lit_status)a)) > 1);
        for (int b = a + 1; b <= LIT_LOG_DOMAIN; b++)
            assert_string_not_equal(lit_message((lit_status)a), lit_message((lit_status)b));
    }
    dp_number x;
    dp_error err;
    dp_number_init(&x);
    number_of(&x, "ln(3)");
    assert_int_equal(dp_number_parse(&x, "1,5", 3, &err), DP_DOMAIN);
    assert_string_equal(err.message, "has a decimal comma; write a point, such as 0.1");
    assert_int_equal(dp_number_parse(&x, "five", 4, &err), DP_DOMAIN);
    assert_string_equal(err.message, lit_message(LIT_SYNTAX));
    assert_int_equal(err.status, DP_DOMAIN);
    assert_true(x.is_log && mpq_cmp_ui(x.value, 3, 1) == 0);
    assert_int_equal(dp_number_parse(&x, "1,5", 3, NULL), DP_DOMAIN);
    dp_number_clear(&x);
}

static lit_status status_of(const char *text, size_t length)
{
    mpq_t value;
    bool log;
    mpq_init(value);
    lit_status status = lit_parse(value, &log, text, length);
    if (status == LIT_OK) /* what the header promises of results */
        assert_true(mpz_sizeinbase(mpq_numref(value), 2) <= GUARD_MAX_BITS &&
                    mpz_sizeinbase(mpq_denref(value), 2) <= GUARD_MAX_BITS);
    mpq_clear(value);
    return status;
}

static lit_status status_of_text(const char *text)
{
    return status_of(text, strlen(text));
}

static void test_limits(void **state)
{
    (void)state;
    assert_int_equal(status_of_text("1e1000000"), LIT_OK);
    assert_int_equal(status_of_text("1e-1000000"), LIT_OK);
    assert_int_equal(status_of_text("1e000000000000000000000000005"), LIT_OK);
    assert_int_equal(status_of_text("2^1000000"), LIT_OK);
    assert_int_equal(status_of_text("3^1000000"), LIT_OK);
    static char text[LIT_MAX_LENGTH + 2];
    memset(text, '7', sizeof text);
    assert_int_equal(status_of(text, LIT_MAX_LENGTH), LIT_OK);
    refuse_bytes(text, LIT_MAX_LENGTH + 1, LIT_TOO_LONG);
    text[0] = '.';
    assert_int_equal(status_of(text, LIT_MAX_LENGTH), LIT_OK);
    memset(text, '-', sizeof text);
    refuse_bytes(text, LIT_MAX_LENGTH, LIT_SYNTAX);
}

/* Two parts that are each within the limits may not make a result that is not. */
static void test_large_results(void **state)
{
    (void)state;
    static char text[LIT_MAX_LENGTH + 1];
    assert_int_equal(status_of_text("1e1000000/1e-1000000"), LIT_TOO_LARGE);
    assert_int_equal(status_of_text("1e-1000000/1e1000000"), LIT_TOO_LARGE);
    assert_int_equal(status_of_text("1e1000000/1e1000000"), LIT_OK);
    memset(text, '7', sizeof text);
    memcpy(text + 90000, "e1000000", 8);
    assert_int_equal(status_of(text, 90008), LIT_TOO_LARGE);
    memcpy(text + 90000, "e-1000000", 9);
    text[0] = '.';
    assert_int_equal(status_of(text, 90009), LIT_TOO_LARGE);
}

/* Random members of the grammar, valued by GMP from the parts. */
static void add_atom(char *text, mpq_t value, rng *r)
{
    mpz_t ten;
    char digits[40];
    mpz_init(ten);
    unsigned long whole = rng_below(r, 100000), part = rng_below(r, 1000);
    long exponent = (long)rng_below(r, 41) - 20;
    if (rng_below(r, 4) == 0) {
        exponent /= 4;
        snprintf(digits, sizeof digits, "%lu^%ld", whole + 1, exponent);
        mpz_ui_pow_ui(mpq_numref(value), whole + 1, (unsigned long)labs(exponent));
        mpz_set_ui(mpq_denref(value), 1);
        if (exponent < 0)
            mpq_inv(value, value);
    } else {
        snprintf(digits, sizeof digits, "%lu.%03lue%+ld", whole, part, exponent);
        mpz_ui_pow_ui(ten, 10, (unsigned long)labs(exponent));
        mpz_set_ui(mpq_numref(value), whole * 1000 + part);
        mpz_set_ui(mpq_denref(value), 1000);
        mpz_mul(exponent < 0 ? mpq_denref(value) : mpq_numref(value),
                exponent < 0 ? mpq_denref(value) : mpq_numref(value), ten);
        mpq_canonicalize(value);
    }
    strcat(text, digits);
    mpz_clear(ten);
}

static void test_random(void **state)
{
    (void)state;
    rng r = rng_make(11);
    mpq_t value, below, read;
    mpq_inits(value, below, read, NULL);
    for (int i = 0; i < rounds(20000); i++) {
        char text[120] = "";
        bool log = rng_below(&r, 3) == 0, negative = rng_below(&r, 3) == 0, is_log = !log;
        strcat(text, negative ? "-" : (rng_below(&r, 2) == 0 ? "+" : ""));
        strcat(text, log ? "ln(" : "");
        add_atom(text, value, &r);
        if (rng_below(&r, 2) == 0) {
            strcat(text, "/");
            add_atom(text, below, &r);
            if (mpq_sgn(below) == 0)
                continue;
            mpq_div(value, value, below);
        }
        if (log && mpq_sgn(value) == 0)
            continue;
        strcat(text, log ? ")" : "");
        if (negative && log)
            mpq_inv(value, value);
        else if (negative)
            mpq_neg(value, value);
        if (lit_parse(read, &is_log, text, strlen(text)) != LIT_OK || !mpq_equal(read, value) ||
            is_log != log)
            fail_msg("'%s' was read wrongly", text);
    }
    mpq_clears(value, below, read, NULL);
}

/* What is refused is refused at once. */
static void test_hostile(void **state)
{
    (void)state;
    static char text[LIT_MAX_LENGTH];
    clock_t start = clock();
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(status_of_text("10^99999999999999"), LIT_TOO_LARGE);
        assert_int_equal(status_of_text("1/10^4611686018427387904"), LIT_TOO_LARGE);
        assert_int_equal(status_of_text("1e4611686018427387904"), LIT_EXPONENT);
        assert_int_equal(status_of_text("ln(2^18446744073709551617)"), LIT_TOO_LARGE);
    }
    memset(text, '9', sizeof text);
    memcpy(text + 99990, "^999999999", 10);
    for (int i = 0; i < 10; i++)
        assert_int_equal(status_of(text, sizeof text), LIT_TOO_LARGE);
    memset(text, '9', sizeof text);
    text[1] = 'e';
    assert_int_equal(status_of(text, sizeof text), LIT_EXPONENT);
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 2);
}

static bool fits(const char *base, const char *exponent, unsigned long limit)
{
    mpq_t b, e;
    mpq_inits(b, e, NULL);
    rational_of(b, base);
    rational_of(e, exponent);
    bool answer = guard_pow_fits_q(b, mpq_numref(e), limit);
    mpq_clears(b, e, NULL);
    return answer;
}

static void test_guard(void **state)
{
    (void)state;
    assert_true(fits("2", "50", 100));
    assert_false(fits("2", "51", 100)); /* 2 has two bits */
    assert_true(fits("3", "50", 100));
    assert_false(fits("-3", "51", 100));
    assert_true(fits("1", "10^300", 100) && fits("-1", "10^300", 100) && fits("0", "10^300", 100));
    assert_true(fits("10^300", "0", 100));
    assert_false(fits("2", "10^300", GUARD_MAX_BITS));
    assert_false(fits("1/2", "51", 100) || fits("2", "-1", 100));
    assert_false(fits("2", "2^63", GUARD_MAX_BITS) || fits("2^63", "2^63", GUARD_MAX_BITS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accepted), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_no_value), cmocka_unit_test(test_messages),
        cmocka_unit_test(test_limits),   cmocka_unit_test(test_large_results),
        cmocka_unit_test(test_random),   cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_guard),
    };
    return cmocka_run_group_tests_name("literal", tests, NULL, NULL);
}
