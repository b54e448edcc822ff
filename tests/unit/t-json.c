/* SPDX-License-Identifier: MIT */
/* The JSON reader: what is accepted, what is refused and where, and that numbers keep their text.
 * The cases follow the usual collections of parser tests. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "json/read.h"
#include "json/scan.h"
#include "json/write.h"

static cJSON *parse(const char *text, json_fault *fault)
{
    *fault = (json_fault){NULL, 999};
    return json_parse(text, strlen(text), fault);
}

static void test_accepted(void **state)
{
    (void)state;
    static const char *const good[] = {
        "null",
        "true",
        " false ",
        "\"\"",
        "0",
        "-0",
        "[]",
        "{}",
        "[[]]",
        "[1,2 , 3]",
        "{\"a\":1}",
        "{\"\":0}",
        " \t\r\n[\n1\r]\t ",
        "1e5",
        "1E+5",
        "1e-05",
        "-0.0",
        "123456789.000001e-300000",
        "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]",
        "\"\\u00e9\\uD83D\\uDE00\"",
        "\"\x7F\"",
        "\"\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80\"",
        "\"\xEF\xBF\xBD\"",
        "\"\xEF\xB7\x8F\"", /* U+FDCF, beside the mark */
        "\"\xEF\xB7\x91\"", /* U+FDD1 */
        "\"\xF4\x8F\xBF\xBF\"",
        "{\"a\":{\"a\":1},\"b\":[{\"a\":2},{\"a\":3}]}",
        "{\"a\":1,\"A\":2}", /* keys differ by case */
        "[1,[2,[3,{\"x\":[null,true,false]}]]]",
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        json_fault fault;
        cJSON *value = parse(good[i], &fault);
        if (value == NULL)
            fail_msg("%s: %s at %zu", good[i], fault.message, fault.offset);
        cJSON_Delete(value);
    }
}

typedef struct refusal {
    const char *text;
    size_t offset;
} refusal;

static void test_refused(void **state)
{
    (void)state;
    static const refusal bad[] = {
        {"", 0},
        {" ", 1},
        {"[", 1},
        {"]", 0},
        {"[1,]", 3},
        {"[,1]", 1},
        {"[1 2]", 3},
        {"[1}", 2},
        {"{", 1},
        {"{1:2}", 1},
        {"{\"a\"}", 4},
        {"{\"a\":}", 5},
        {"{\"a\":1,}", 7},
        {"{\"a\" 1}", 5},
        {"{'a':1}", 1},
        {"{a:1}", 1},
        {"nul", 0},
        {"nulll", 4},
        {"True", 0},
        {"truefalse", 4},
        {"01", 2},
        {"-", 1},
        {"-01", 3},
        {"1.", 2},
        {".5", 0},
        {"+1", 0},
        {"1e", 2},
        {"1e+", 3},
        {"1.e5", 2},
        {"0x10", 1},
        {"1_0", 1},
        {"NaN", 0},
        {"Infinity", 0},
        {"-Infinity", 1},
        {"1,2", 1},
        {"1 2", 2},
        {"\"", 1},
        {"\"\\\"", 3},
        {"\"\\x\"", 2},
        {"\"\\u12\"", 5},
        {"\"\\u12G4\"", 5},
        {"\"\t\"", 1},
        {"\"\n\"", 1},
        {"\"\x1F\"", 1},
        {"// c\n1", 0},
        {"/* c */1", 0},
        {"1 // c", 2},
        {"[1]]", 3},
        {"\xEF\xBB\xBF[]", 0},
        {"\"\\uD800\"", 7},
        {"\"\\uDC00\"", 7},
        {"\"\\uD800\\uD800\"", 13},
        {"\"\\uD800x\"", 7},
        {"\"\\u0000\"", 7},
        {"\"\\uFDD0\"", 7},
        {"\"\\ufdd0\"", 7},
        {"\"\xEF\xB7\x90\"", 1},
        {"\"\x80\"", 1},
        {"\"\xC3\"", 1},
        {"\"\xC0\x80\"", 1},
        {"\"\xE0\x80\x80\"", 1},
        {"\"\xED\xA0\x80\"", 1},
        {"\"\xF4\x90\x80\x80\"", 1},
        {"\"\xF5\x80\x80\x80\"", 1},
        {"\"\xFE\"", 1},
        {"\"\xFF\"", 1},
        {"{\"a\":1,\"a\":1}", 0},
        {"{\"a\":1,\"\\u0061\":2}", 0},
        {"[{\"b\":{\"x\":1,\"y\":2,\"x\":3}}]", 0},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        json_fault fault;
        cJSON *value = parse(bad[i].text, &fault);
        if (value != NULL)
            fail_msg("%s was accepted", bad[i].text);
        assert_true(fault.message != NULL && strlen(fault.message) > 5);
        if (fault.offset != bad[i].offset)
            fail_msg("%s: '%s' at %zu, not %zu", bad[i].text, fault.message, fault.offset,
                     bad[i].offset);
    }
}

static void test_nul(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t length;
    } bad[] = {{"\0", 1}, {"1\0", 2}, {"[1,\0]", 5}, {"\"a\0b\"", 5}, {"{\"a\0\":1}", 8}};
    json_fault fault;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_null(json_parse(bad[i].text, bad[i].length, &fault));
    cJSON *value = json_parse("[12]x", 4, &fault); /* the length ends the text */
    assert_non_null(value);
    cJSON_Delete(value);
    value = json_parse("123456", 3, &fault);
    assert_string_equal(json_text(value), "123");
    cJSON_Delete(value);
}

/* Every prefix of a document but the document itself is refused. */
static void test_prefixes(void **state)
{
    (void)state;
    static const char text[] = "{\"mechanisms\":[{\"epsilon\":\"ln(3)\",\"delta\":1e-5,\"x\":[true,"
                               "null,\"\\u00e9\xC3\xA9\"]}],\"n\":{}}";
    json_fault fault;
    for (size_t n = 0; n < sizeof text - 1; n++) {
        assert_null(json_parse(text, n, &fault));
        assert_true(fault.offset <= n);
    }
    cJSON *value = json_parse(text, sizeof text - 1, &fault);
    assert_non_null(value);
    cJSON_Delete(value);
}

static void nested(char *text, char open, size_t depth, char close)
{
    memset(text, open, depth);
    memset(text + depth, close, depth);
    text[2 * depth] = '\0';
}

static void test_depth(void **state)
{
    (void)state;
    static char text[2000001];
    json_fault fault;
    nested(text, '[', 64, ']');
    cJSON *value = parse(text, &fault);
    assert_non_null(value);
    cJSON_Delete(value);
    nested(text, '[', 65, ']');
    assert_null(parse(text, &fault));
    assert_int_equal(fault.offset, 64);
    nested(text, '[', 1000000, ']');
    assert_null(parse(text, &fault));
    assert_int_equal(fault.offset, 64);
    memset(text, '[', 2000000);
    assert_null(parse(text, &fault));
    text[0] = '\0';
    for (int i = 0; i < 65; i++)
        strcat(text, "{\"a\":");
    assert_null(parse(text, &fault));
    assert_string_equal(fault.message, "nested more than 64 deep");
}

/* Numbers are texts, of any length, told from strings that look like them. */
static void test_numbers(void **state)
{
    (void)state;
    static const char *const kept[] = {
        "0.1",
        "-0",
        "0.30000000000000004",
        "9007199254740993",
        "1234567890123456789012345678901234567890",
        "0.1234567890123456789012345678901234567890e-400",
        "1E+400",
        "1e-999999",
    };
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        json_fault fault;
        char text[120];
        strcpy(text, "{\"x\":");
        strcat(text, kept[i]);
        strcat(text, ",\"y\":\"");
        strcat(text, kept[i]);
        strcat(text, "\"}");
        cJSON *value = parse(text, &fault);
        const cJSON *x = value->child, *y = x->next;
        assert_true(json_is_number(x) && !json_is_number(y));
        assert_string_equal(json_text(x), kept[i]);
        assert_string_equal(json_text(y), kept[i]);
        cJSON *copy = cJSON_CreateObject();
        json_add_parsed(copy, "x", cJSON_Duplicate(x, true));
        char *printed = json_print(copy);
        assert_memory_equal(printed, "{\"x\":", 5);
        assert_memory_equal(printed + 5, kept[i], strlen(kept[i]));
        assert_string_equal(printed + 5 + strlen(kept[i]), "}");
        free(printed);
        cJSON_Delete(copy);
        cJSON_Delete(value);
    }
    json_fault fault;
    cJSON *other = parse("[null,true,[],{}]", &fault);
    for (const cJSON *at = other->child; at != NULL; at = at->next)
        assert_true(json_text(at) == NULL && !json_is_number(at));
    cJSON_Delete(other);
}

/* Random texts over the characters that matter: accepted ones survive printing and reading. */
static void test_random(void **state)
{
    (void)state;
    static const char alphabet[] = "[]{},:\"\\u0129-+.eE tfn\xC3\xA9";
    rng r = rng_make(61);
    int accepted = 0;
    for (int i = 0; i < rounds(300000); i++) {
        char text[16];
        size_t n = 1 + rng_below(&r, 8);
        for (size_t j = 0; j < n; j++)
            text[j] = alphabet[rng_below(&r, sizeof alphabet - 1)];
        text[n] = '\0';
        json_fault fault;
        cJSON *value = parse(text, &fault);
        if (value == NULL) {
            assert_true(fault.message != NULL && fault.offset <= n);
            continue;
        }
        accepted++;
        cJSON *holder = cJSON_CreateObject();
        json_add_parsed(holder, "v", value);
        char *printed = json_print(holder);
        cJSON *again = parse(printed, &fault);
        if (again == NULL)
            fail_msg("%s was printed as %s", text, printed);
        cJSON_Delete(again);
        free(printed);
        cJSON_Delete(holder);
    }
    assert_true(accepted > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accepted), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_nul),      cmocka_unit_test(test_prefixes),
        cmocka_unit_test(test_depth),    cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests_name("JSON", tests, NULL, NULL);
}
