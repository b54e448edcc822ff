/* SPDX-License-Identifier: MIT */
/* What texts that are no numbers are taken for: each form by itself, two together, and none. */
#include "support.h"

#include <string.h>

#include "num/literal.h"
#include "num/misread.h"

static void explains(const char *text, const char *what, const char *instead)
{
    misread m;
    misread_explain(&m, text, strlen(text));
    if (strlen(what) != m.what || memcmp(m.message, what, m.what) != 0 ||
        strcmp(m.instead, instead) != 0)
        fail_msg("'%s' %.*s [%s]", text, (int)m.what, m.message, m.instead);
    assert_int_equal(memcmp(m.message + m.what, "; ", 2), 0);
}

static void test_forms(void **state)
{
    (void)state;
    static const char *const table[][3] = {
        {"5%", "is a percentage", "0.05"},
        {"1e-3%", "is a percentage", "1e-5"},
        {"60,000", "has thousands marks", "60000"},
        {"60_000", "has thousands marks", "60000"},
        {"1'000'000", "has thousands marks", "1000000"},
        {"1.000.000,5", "has thousands marks", "1000000.5"},
        {"60\xe2\x80\xaf"
         "000",
         "has thousands marks", "60000"},
        {"1,5", "has a decimal comma", "1.5"},
        {"0,001", "has a decimal comma", "0.001"},
        {" 5", "has a blank in it", "5"},
        {"5, 1e-6", "has a blank in it", ""},
        {"\"5\"", "has quotes in it", "5"},
        {"1e\xe2\x88\x92"
         "6",
         "has a dash that is not the minus sign", "1e-6"},
        {"10\xe2\x81\xbb\xe2\x81\xb5", "has a raised power", "10^-5"},
        {"60k", "has a letter for a power of ten", "60000"},
        {"1.5M", "has a letter for a power of ten", "1500000"},
        {"20s", "has a unit", "20"},
        {"5min", "has a unit", "300"},
        {"1GB", "has a unit", "1000000000"},
        {"2KiB", "has a unit", "2048"},
        {"3bits", "has a unit", ""},
        {"6*10^4", "is a product", "60000"},
        {"0.1x3", "is a product", ""},
        {"2**-4", "is a power in another form", "2^-4"},
        {"10e^-5", "is a power in another form", "10e-5"},
        {"inf", "is no finite number", ""},
        {"-Infinity", "is no finite number", ""},
        {"nan", "is no finite number", ""},
        {".1.", "has more than one point", ".1"},
        {"1..5", "has more than one point", "1.5"},
        {"1.2.3", "has more than one point", ""},
        {"5.", "does not end in a digit", "5"},
        {"1e5.5", "has an exponent that is no integer", ""},
        {"2^0.5", "has an exponent that is no integer", ""},
        {"1e-", "has no digits in its exponent", ""},
        {"e-5", "has no digits before its exponent", "1e-5"},
        {"1e--5", "has a sign twice", "1e-5"},
        {"log(3)", "is a logarithm in another form", "ln(3)"},
        {"ln 3", "has a blank in it", "ln(3)"},
        {"sqrt(2)", "is an expression", ""},
        {"1d-6", "has another letter than e before its exponent", "1e-6"},
        {"0.l", "has a letter for a digit", "0.1"},
        {"1O0", "has a letter for a digit", "100"},
        {"0x10", "is hexadecimal", "16"},
        {"<0.1", "begins with a sign that no number has", "0.1"},
        {"3q", "has something behind its last digit", "3"},
        {"-k", "is an option where a number belongs", ""},
        {"60,000 %", "has thousands marks", "600"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        explains(table[i][0], table[i][1], table[i][2]);
}

static void test_none(void **state)
{
    (void)state;
    static const char *const table[] = {"five", "x", ".", "", "1/3/5", "\xc2\xbd", "^2"};
    misread m;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        misread_explain(&m, table[i], strlen(table[i]));
        assert_ptr_equal(m.message, lit_message(LIT_SYNTAX));
        assert_string_equal(m.instead, "");
    }
    char text[200];
    memset(text, '1', sizeof text);
    misread_explain(&m, text, sizeof text);
    assert_string_equal(m.instead, "");
    misread_explain(&m, "5\0%", 3);
    assert_string_equal(m.instead, "");
}

/* Whatever the bytes, what is meant is a number, and a terminated one. */
static void test_random(void **state)
{
    (void)state;
    static const char signs[] = "0123456789..,_%eE+-^/kMsxX*' ()lnoOinf=<\xe2\x88\x92\xc3\x97";
    unsigned long seed = 1;
    for (int i = 0; i < 20000; i++) {
        char text[60];
        size_t n = 1 + (size_t)(i % 50);
        for (size_t j = 0; j < n; j++) {
            seed = (seed * 1103515245 + 12345) & 0x7fffffff;
            text[j] = signs[(seed >> 16) % (sizeof signs - 1)];
        }
        misread m;
        mpq_t value;
        bool log;
        mpq_init(value);
        misread_explain(&m, text, n);
        assert_non_null(m.message);
        assert_non_null(memchr(m.instead, '\0', sizeof m.instead));
        if (m.instead[0] != '\0')
            assert_int_equal(lit_parse(value, &log, m.instead, strlen(m.instead)), LIT_OK);
        mpq_clear(value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
