/* SPDX-License-Identifier: MIT */
/* One pass over the text: checks all of it and lists its nodes. */
#include "document/json_scan.h"

#include <string.h>

#include "num/memory.h"

typedef struct scanner {
    const unsigned char *at, *start, *end;
    json_document *document;
    const char *message;
    bool refused; /* no room for a node */
} scanner;

static bool fault(scanner *s, const char *message)
{
    if (s->message == NULL)
        s->message = message;
    return false;
}

#define FIRST_NODES 16

/* One more node, whose token starts here. */
static bool add(scanner *s, json_kind kind, const unsigned char *token)
{
    json_document *d = s->document;
    if (d->count == d->room) {
        uint32_t room = d->room < FIRST_NODES ? FIRST_NODES : d->room + d->room / 2;
        json_node *grown = memory_grow(d->node, room, sizeof *grown);
        if (grown == NULL) {
            s->refused = true;
            return fault(s, "out of memory");
        }
        d->node = grown;
        d->room = room;
    }
    uint32_t place = (uint32_t)kind << NODE_OFFSET_BITS | (uint32_t)(token - s->start);
    d->node[d->count++] = (json_node){place, 0};
    return true;
}

static json_node *last(scanner *s)
{
    return &s->document->node[s->document->count - 1];
}

static int peek(const scanner *s)
{
    return s->at == s->end ? -1 : *s->at;
}

static bool accept(scanner *s, char c)
{
    if (peek(s) != c)
        return false;
    s->at++;
    return true;
}

static void skip_space(scanner *s)
{
    while (s->at != s->end && *s->at <= ' ' && memchr(" \t\n\r", *s->at, 4) != NULL)
        s->at++;
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static void take_digits(scanner *s)
{
    while (is_digit(peek(s)))
        s->at++;
}

/* RFC 8259: -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)? */
static bool scan_number(scanner *s)
{
    static const char message[] = "a number is not written as JSON writes numbers";
    const unsigned char *token = s->at;
    if (!add(s, JSON_NUMBER, token))
        return false;
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
    last(s)->extent = (uint32_t)(s->at - token);
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
        s->at++;
    }
    return true;
}

/* A noncharacter, which no text needs. */
static bool is_refused(unsigned code)
{
    return code == 0xFDD0;
}

static bool scan_escape(scanner *s)
{
    int c = peek(s);
    if (c <= 0 || strchr("\"\\/bfnrtu", c) == NULL)
        return fault(s, "a string holds an unknown escape");
    s->at++;
    unsigned code, low;
    if (c != 'u')
        return true;
    if (!scan_hex4(s, &code))
        return false;
    if (code == 0 || is_refused(code))
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
    if (is_refused(code))
        return fault(s, "a string holds a character that is not allowed");
    s->at += n;
    return true;
}

/* A string, or a key. */
static bool scan_string(scanner *s, json_kind kind)
{
    const unsigned char *token = ++s->at;
    bool ok = add(s, kind, token);
    while (ok) {
        int c = peek(s);
        if (c == '"')
            break;
        if (c < 0)
            return fault(s, "a string is not closed");
        if (c < 0x20)
            return fault(s, "a string holds a control character");
        if (c == '\\') {
            last(s)->place |= NODE_ESCAPED << NODE_OFFSET_BITS;
            s->at++;
            ok = scan_escape(s);
        } else if (c >= 0x80) {
            ok = scan_utf8(s);
        } else {
            s->at++;
        }
    }
    if (!ok)
        return false;
    last(s)->extent = (uint32_t)(s->at++ - token);
    return true;
}

static bool scan_word(scanner *s, json_kind kind, const char *word)
{
    size_t n = strlen(word);
    if ((size_t)(s->end - s->at) < n || memcmp(s->at, word, n) != 0)
        return fault(s, "expected a JSON value");
    s->at += n;
    return add(s, kind, s->at - n);
}

static bool scan_scalar(scanner *s)
{
    int c = peek(s);
    if (c == '"')
        return scan_string(s, JSON_STRING);
    if (c == '-' || is_digit(c))
        return scan_number(s);
    if (c == 't')
        return scan_word(s, JSON_TRUE, "true");
    if (c == 'f')
        return scan_word(s, JSON_FALSE, "false");
    if (c == 'n')
        return scan_word(s, JSON_NULL, "null");
    return fault(s, c < 0 ? "the text ends too early" : "expected a JSON value");
}

static bool scan_key(scanner *s)
{
    skip_space(s);
    if (peek(s) != '"')
        return fault(s, "expected a key in double quotes");
    if (!scan_string(s, JSON_KEY))
        return false;
    skip_space(s);
    if (!accept(s, ':'))
        return fault(s, "expected ':' after a key");
    return true;
}

/* One value, without recursion: `open` holds what waits to be closed. */
static bool scan_value(scanner *s)
{
    uint32_t open[JSON_MAX_DEPTH];
    char close[JSON_MAX_DEPTH];
    size_t depth = 0;
    for (;;) {
        skip_space(s);
        int c = peek(s);
        if (c == '{' || c == '[') {
            if (depth == JSON_MAX_DEPTH)
                return fault(s, "nested more than 64 deep");
            if (!add(s, c == '{' ? JSON_OBJECT : JSON_ARRAY, s->at++))
                return false;
            close[depth] = c == '{' ? '}' : ']';
            skip_space(s);
            if (accept(s, close[depth])) {
                last(s)->extent = s->document->count;
            } else {
                open[depth++] = s->document->count - 1;
                if (c == '{' && !scan_key(s))
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
            char wanted = close[depth - 1];
            if (accept(s, ',')) {
                if (wanted == '}' && !scan_key(s))
                    return false;
                break;
            }
            if (!accept(s, wanted))
                return fault(s, wanted == '}' ? "expected ',' or '}'" : "expected ',' or ']'");
            s->document->node[open[--depth]].extent = s->document->count;
        }
    }
}

bool json_scan(json_document *document, size_t length, json_fault *where)
{
    const unsigned char *text = (const unsigned char *)document->text;
    if (length > JSON_MAX_BYTES) {
        *where = (json_fault){"the text is longer than 256 MiB", 0};
        return false;
    }
    scanner s = {text, text, text + length, document, NULL, false};
    bool ok = scan_value(&s);
    if (ok) {
        skip_space(&s);
        if (s.at != s.end)
            ok = fault(&s, "text follows the JSON value");
    }
    if (!ok)
        *where = (json_fault){s.message, s.refused ? 0 : (size_t)(s.at - s.start)};
    return ok;
}
