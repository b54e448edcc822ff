/* SPDX-License-Identifier: MIT */
/* The JSON reader: what is accepted, what is refused and where, and that numbers keep their text.
 * The cases follow the usual collections of parser tests. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "document/emit.h"
#include "document/json_read.h"
#include "num/memory.h"

/* Reads a copy that ends where the text ends. */
static bool parse_bytes(json_document *d, const char *text, size_t length, json_fault *fault)
{
    char *copy = memory_new(length + 1, 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    copy[length] = 'x';
    *fault = (json_fault){NULL, 999};
    bool ok = json_read(d, copy, length, fault);
    if (ok)
        d->owned = copy;
    else
        memory_free(copy);
    return ok;
}

static bool parse(json_document *d, const char *text, json_fault *fault)
{
    return parse_bytes(d, text, strlen(text), fault);
}

static bool accepts(const char *text, json_fault *fault)
{
    json_document d;
    bool ok = parse(&d, text, fault);
    if (ok)
        json_clear(&d);
    return ok;
}

/* cJSON, another reader, sees the same document (numbers as doubles). */
static bool same(json value, const cJSON *other)
{
    const char *text = json_text(value);
    switch (json_kind_of(value)) {
    case JSON_NULL:
        return cJSON_IsNull(other);
    case JSON_FALSE:
        return cJSON_IsFalse(other);
    case JSON_TRUE:
        return cJSON_IsTrue(other);
    case JSON_NUMBER:
        return cJSON_IsNumber(other) && strtod(text, NULL) == other->valuedouble;
    case JSON_STRING:
        return cJSON_IsString(other) && strcmp(text, other->valuestring) == 0;
    default:
        break;
    }
    bool object = json_kind_of(value) == JSON_OBJECT;
    if (object ? !cJSON_IsObject(other) : !cJSON_IsArray(other))
        return false;
    json part = json_first(value);
    const cJSON *theirs = other->child;
    for (; json_exists(part) && theirs != NULL; part = json_next(part), theirs = theirs->next) {
        const char *key = json_key(part);
        if (object ? strcmp(key, theirs->string) != 0 : key != NULL)
            return false;
        if (object && json_find(value, key).at != part.at)
            return false;
        if (!same(part, theirs))
            return false;
    }
    return !json_exists(part) && theirs == NULL;
}

static void assert_same(const json_document *d, const char *text)
{
    cJSON *other = cJSON_Parse(text);
    if (other == NULL || !same(json_root(d), other))
        fail_msg("%s is not what cJSON reads", text);
    cJSON_Delete(other);
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
        json_document d;
        if (!parse(&d, good[i], &fault))
            fail_msg("%s: %s at %zu", good[i], fault.message, fault.offset);
        assert_same(&d, good[i]);
        json_clear(&d);
    }
}

typedef struct refusal {
    const char *text;
    size_t offset;
} refusal;

static const refusal refused[] = {
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

static void test_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        json_fault fault;
        if (accepts(refused[i].text, &fault))
            fail_msg("%s was accepted", refused[i].text);
        assert_true(fault.message != NULL && strlen(fault.message) > 5);
        if (fault.offset != refused[i].offset)
            fail_msg("%s: '%s' at %zu, not %zu", refused[i].text, fault.message, fault.offset,
                     refused[i].offset);
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
    json_document d;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(parse_bytes(&d, bad[i].text, bad[i].length, &fault));
    assert_true(parse_bytes(&d, "[12]x", 4, &fault)); /* the length ends the text */
    json_clear(&d);
    assert_true(parse_bytes(&d, "123456", 3, &fault));
    assert_string_equal(json_text(json_root(&d)), "123");
    json_clear(&d);
}

/* Every prefix of a document but the document itself is refused. */
static void test_prefixes(void **state)
{
    (void)state;
    static const char text[] = "{\"mechanisms\":[{\"epsilon\":\"ln(3)\",\"delta\":1e-5,\"x\":[true,"
                               "null,\"\\u00e9\xC3\xA9\"]}],\"n\":{}}";
    json_fault fault;
    for (size_t n = 0; n < sizeof text - 1; n++) {
        json_document d;
        assert_false(parse_bytes(&d, text, n, &fault));
        assert_true(fault.offset <= n);
    }
    assert_true(accepts(text, &fault));
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
    assert_true(accepts(text, &fault));
    nested(text, '[', 65, ']');
    assert_false(accepts(text, &fault));
    assert_int_equal(fault.offset, 64);
    nested(text, '[', 1000000, ']');
    assert_false(accepts(text, &fault));
    assert_int_equal(fault.offset, 64);
    memset(text, '[', 2000000);
    assert_false(accepts(text, &fault));
    text[0] = '\0';
    for (int i = 0; i < 65; i++)
        strcat(text, "{\"a\":");
    assert_false(accepts(text, &fault));
    assert_string_equal(fault.message, "nested more than 64 deep");
}

static char *print(json value)
{
    out o;
    out_init(&o);
    emit_value(&o, NULL, value);
    out_char(&o, '\0');
    assert_false(o.failed);
    return o.data;
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
        json_document d;
        assert_true(parse(&d, text, &fault));
        json root = json_root(&d), x = json_find(root, "x"), y = json_find(root, "y");
        assert_int_equal(json_kind_of(x), JSON_NUMBER);
        assert_int_equal(json_kind_of(y), JSON_STRING);
        assert_string_equal(json_text(x), kept[i]);
        assert_string_equal(json_text(y), kept[i]);
        char *printed = print(root);
        assert_string_equal(printed, text);
        memory_free(printed);
        json_clear(&d);
    }
    json_fault fault;
    json_document d;
    assert_true(parse(&d, "[null,true,[],{}]", &fault));
    for (json at = json_first(json_root(&d)); json_exists(at); at = json_next(at))
        assert_true(json_text(at) == NULL);
    assert_false(json_exists(json_find(json_root(&d), "x")));
    assert_false(json_is_empty(json_root(&d)));
    json_clear(&d);
}

/* Keys of a large object are sorted to be compared; a key that stands twice is found wherever it
 * is, also where all keys begin alike, and in time that does not grow with the square. */
static void test_many_keys(void **state)
{
    (void)state;
    enum { KEYS = 200000 };
    size_t size = (size_t)KEYS * 40;
    char *text = malloc(size);
    assert_non_null(text);
    rng r = rng_make(62);
    for (int round = 0; round < 6; round++) {
        int keys = round < 4 ? 15 + round : round == 4 ? 1000 : KEYS;
        for (int twice = 0; twice < 2; twice++) {
            int first = (int)rng_below(&r, (size_t)keys - 1);
            int second = first + 1 + (int)rng_below(&r, (size_t)(keys - first - 1));
            size_t n = (size_t)sprintf(text, "{");
            for (int i = 0; i < keys; i++) {
                int name = twice && i == second ? first : i;
                n += (size_t)sprintf(text + n, "%s\"a long beginning %x\":[{}]", i > 0 ? "," : "",
                                     (unsigned)name * 2654435761U);
            }
            sprintf(text + n, "}");
            json_fault fault;
            assert_int_equal(accepts(text, &fault), !twice);
            if (twice)
                assert_string_equal(fault.message, "an object has the same key twice");
        }
    }
    free(text);
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
        json_document d, again;
        if (!parse(&d, text, &fault)) {
            assert_true(fault.message != NULL && fault.offset <= n);
            continue;
        }
        accepted++;
        assert_same(&d, text);
        char *printed = print(json_root(&d));
        if (!parse(&again, printed, &fault))
            fail_msg("%s was printed as %s", text, printed);
        assert_same(&again, text);
        json_clear(&again);
        memory_free(printed);
        json_clear(&d);
    }
    assert_true(accepted > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accepted),  cmocka_unit_test(test_refused),
        cmocka_unit_test(test_nul),       cmocka_unit_test(test_prefixes),
        cmocka_unit_test(test_depth),     cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_many_keys), cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests_name("JSON", tests, NULL, NULL);
}
