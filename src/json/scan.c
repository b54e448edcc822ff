/* SPDX-License-Identifier: MIT */
#include "json/scan.h"

#include <stdlib.h>
#include <string.h>

#include "num/memory.h"

typedef struct scanner {
    const unsigned char *at, *start, *end;
    char *out;
    size_t used;
    const char *message;
} scanner;

static bool fault(scanner *s, const char *message)
{
    if (s->message == NULL)
        s->message = message;
    return false;
}

static void put(scanner *s, const void *bytes, size_t n)
{
    memcpy(s->out + s->used, bytes, n);
    s->used += n;
}

static int peek(const scanner *s)
{
    return s->at == s->end ? -1 : *s->at;
}

static bool accept(scanner *s, char c)
{
    if (peek(s) != c)
        return false;
    put(s, s->at++, 1);
    return true;
}

static void skip_space(scanner *s)
{
    while (s->at != s->end && memchr(" \t\n\r", *s->at, 4) != NULL)
        s->at++;
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static void take_digits(scanner *s)
{
    while (is_digit(peek(s)))
        put(s, s->at++, 1);
}

/* RFC 8259: -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)? */
static bool scan_number(scanner *s)
{
    static const char message[] = "a number is not written as JSON writes numbers";
    put(s, "\"" JSON_TAG, 1 + JSON_TAG_LENGTH);
    accept(s, '-');
    bool zero = peek(s) == '0';
    const unsigned char *start = s->at;
    take_digits(s);
    if (s->at == start || (zero && s->at - start > 1))
        return fault(s, message);
    if (accept(s, '.')) {
        start = s->at;
        take_digits(s);
        if (s->at == start)
            return fault(s, message);
    }
    if (accept(s, 'e') || accept(s, 'E')) {
        if (!accept(s, '-'))
            accept(s, '+');
        start = s->at;
        take_digits(s);
        if (s->at == start)
            return fault(s, message);
    }
    put(s, "\"", 1);
    return true;
}

static bool scan_hex4(scanner *s, unsigned *code)
{
    *code = 0;
    for (int i = 0; i < 4; i++) {
        int c = peek(s);
        unsigned digit;
        if (is_digit(c))
            digit = (unsigned)c - '0';
        else if (c >= 'a' && c <= 'f')
            digit = (unsigned)c - 'a' + 10;
        else if (c >= 'A' && c <= 'F')
            digit = (unsigned)c - 'A' + 10;
        else
            return fault(s, "\\u needs four hexadecimal digits");
        *code = *code * 16 + digit;
        put(s, s->at++, 1);
    }
    return true;
}

static bool is_tag(unsigned code)
{
    return code == 0xFDD0;
}

static bool scan_escape(scanner *s)
{
    int c = peek(s);
    if (c <= 0 || strchr("\"\\/bfnrtu", c) == NULL)
        return fault(s, "a string holds an unknown escape");
    put(s, s->at++, 1);
    unsigned code, low;
    if (c != 'u')
        return true;
    if (!scan_hex4(s, &code))
        return false;
    if (code == 0 || is_tag(code))
        return fault(s, "a string holds a character that is not allowed");
    if (code >= 0xDC00 && code <= 0xDFFF)
        return fault(s, "a string holds half a surrogate pair");
    if (code >= 0xD800 && code <= 0xDBFF) {
        if (!accept(s, '\\') || !accept(s, 'u') || !scan_hex4(s, &low) || low < 0xDC00 ||
            low > 0xDFFF)
            return fault(s, "a string holds half a surrogate pair");
    }
    return true;
}

/* One UTF-8 sequence of two to four bytes: shortest form, no surrogates, at most U+10FFFF. */
static bool scan_utf8(scanner *s)
{
    static const char message[] = "the text is not UTF-8";
    unsigned first = *s->at;
    size_t n = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || (size_t)(s->end - s->at) < n)
        return fault(s, message);
    unsigned code = first & (0xFFU >> (n + 1));
    for (size_t i = 1; i < n; i++) {
        if ((s->at[i] & 0xC0) != 0x80)
            return fault(s, message);
        code = code << 6 | (s->at[i] & 0x3FU);
    }
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (code < least[n] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
        return fault(s, message);
    if (is_tag(code))
        return fault(s, "a string holds a character that is not allowed");
    put(s, s->at, n);
    s->at += n;
    return true;
}

static bool scan_string(scanner *s)
{
    accept(s, '"');
    while (!accept(s, '"')) {
        int c = peek(s);
        if (c < 0)
            return fault(s, "a string is not closed");
        if (c < 0x20)
            return fault(s, "a string holds a control character");
        bool ok = true;
        if (c == '\\') {
            put(s, s->at++, 1);
            ok = scan_escape(s);
        } else if (c >= 0x80) {
            ok = scan_utf8(s);
        } else {
            put(s, s->at++, 1);
        }
        if (!ok)
            return false;
    }
    return true;
}

static bool scan_word(scanner *s, const char *word)
{
    size_t n = strlen(word);
    if ((size_t)(s->end - s->at) < n || memcmp(s->at, word, n) != 0)
        return fault(s, "expected a JSON value");
    put(s, s->at, n);
    s->at += n;
    return true;
}

static bool scan_scalar(scanner *s)
{
    int c = peek(s);
    if (c == '"')
        return scan_string(s);
    if (c == '-' || is_digit(c))
        return scan_number(s);
    if (c == 't')
        return scan_word(s, "true");
    if (c == 'f')
        return scan_word(s, "false");
    if (c == 'n')
        return scan_word(s, "null");
    return fault(s, c < 0 ? "the text ends too early" : "expected a JSON value");
}

static bool scan_key(scanner *s)
{
    skip_space(s);
    if (peek(s) != '"')
        return fault(s, "expected a key in double quotes");
    if (!scan_string(s))
        return false;
    skip_space(s);
    if (!accept(s, ':'))
        return fault(s, "expected ':' after a key");
    return true;
}

/* One value, without recursion: `open` holds the brackets that wait to be closed. */
static bool scan_value(scanner *s)
{
    char open[JSON_MAX_DEPTH];
    size_t depth = 0;
    for (;;) {
        skip_space(s);
        int c = peek(s);
        if (c == '{' || c == '[') {
            if (depth == JSON_MAX_DEPTH)
                return fault(s, "nested more than 64 deep");
            char close = c == '{' ? '}' : ']';
            accept(s, (char)c);
            skip_space(s);
            if (!accept(s, close)) {
                open[depth++] = close;
                if (close == '}' && !scan_key(s))
                    return false;
                continue;
            }
        } else if (!scan_scalar(s)) {
            return false;
        }
        /* a value is complete: close what ends here, or go on after a comma */
        for (;;) {
            if (depth == 0)
                return true;
            skip_space(s);
            if (accept(s, ',')) {
                if (open[depth - 1] == '}' && !scan_key(s))
                    return false;
                break;
            }
            if (!accept(s, open[depth - 1]))
                return fault(s, open[depth - 1] == '}' ? "expected ',' or '}'"
                                                       : "expected ',' or ']'");
            depth--;
        }
    }
}

char *json_scan(const char *text, size_t length, size_t *tagged_length, json_fault *where)
{
    /* A one-digit number grows by the tag and two quotes, and needs a separator beside it:
     * at most 3.5 bytes out for each byte in. */
    scanner s = {0};
    s.start = s.at = (const unsigned char *)text;
    s.end = s.start + length;
    s.out = memory_new(length + 4, 4);
    if (s.out == NULL) {
        *where = (json_fault){"out of memory", 0};
        return NULL;
    }
    bool ok = scan_value(&s);
    if (ok) {
        skip_space(&s);
        if (s.at != s.end)
            ok = fault(&s, "text follows the JSON value");
    }
    if (!ok) {
        *where = (json_fault){s.message, (size_t)(s.at - s.start)};
        memory_free(s.out);
        return NULL;
    }
    *tagged_length = s.used;
    return s.out;
}

static int by_key(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool object_has_duplicate(const cJSON *object)
{
    size_t n = 0;
    for (const cJSON *c = object->child; c != NULL; c = c->next)
        n++;
    if (n < 2)
        return false;
    const char **keys = memory_new(n, sizeof *keys);
    if (keys == NULL)
        return true; /* not proved free of duplicates */
    n = 0;
    for (const cJSON *c = object->child; c != NULL; c = c->next)
        keys[n++] = c->string;
    qsort(keys, n, sizeof *keys, by_key);
    bool twice = false;
    for (size_t i = 1; i < n; i++)
        twice |= strcmp(keys[i - 1], keys[i]) == 0;
    memory_free(keys);
    return twice;
}

bool json_has_duplicate(const cJSON *value)
{
    /* Preorder walk with a stack as deep as the scanner allows. */
    const cJSON *path[JSON_MAX_DEPTH + 1];
    size_t depth = 0;
    const cJSON *at = value;
    while (at != NULL) {
        if (cJSON_IsObject(at) && object_has_duplicate(at))
            return true;
        if (at->child != NULL) {
            path[depth++] = at;
            at = at->child;
            continue;
        }
        while (at != value && at->next == NULL)
            at = path[--depth];
        at = at == value ? NULL : at->next;
    }
    return false;
}
