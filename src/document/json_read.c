/* SPDX-License-Identifier: MIT */
/* What is done to a text that was found to be JSON, and the ways through its nodes. */
#include "document/json_read.h"

#include <string.h>

#include "document/json_scan.h"
#include "num/memory.h"

static unsigned hex4(const char *text)
{
    unsigned code = 0;
    for (int i = 0; i < 4; i++) {
        unsigned c = (unsigned char)text[i];
        code = code * 16 + (c <= '9' ? c - '0' : (c | 0x20U) - 'a' + 10);
    }
    return code;
}

/* Writes a character as UTF-8; returns the end. */
static char *encode(char *to, unsigned code)
{
    static const unsigned char first[] = {0, 0, 0xC0, 0xE0, 0xF0};
    unsigned n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (unsigned i = n - 1; i > 0; i--, code >>= 6)
        to[i] = (char)(0x80U | (code & 0x3FU));
    to[0] = (char)(first[n] | code);
    return to + n;
}

/* Decodes the escapes of a checked string in place: no escape is shorter than its character. */
static char *decode(char *text, size_t length)
{
    static const char letters[] = "bfnrt", meant[] = "\b\f\n\r\t";
    char *to = text;
    for (const char *from = text, *end = text + length; from < end;) {
        if (*from != '\\') {
            *to++ = *from++;
            continue;
        }
        char c = from[1];
        from += 2;
        if (c == 'u') {
            unsigned code = hex4(from);
            from += 4;
            if (code >= 0xD800 && code <= 0xDBFF) {
                code = 0x10000 + ((code - 0xD800) << 10) + (hex4(from + 2) - 0xDC00);
                from += 6;
            }
            to = encode(to, code);
        } else {
            const char *letter = strchr(letters, c);
            *to++ = letter != NULL ? meant[letter - letters] : c;
        }
    }
    return to;
}

/* Merges the sorted halves of `keys` into `to`. */
static void merge(const char *text, const uint32_t *keys, size_t half, size_t n, uint32_t *to)
{
    for (size_t i = 0, j = half; i < half || j < n;) {
        bool left = j == n || (i < half && strcmp(text + keys[i], text + keys[j]) <= 0);
        *to++ = left ? keys[i++] : keys[j++];
    }
}

/* Sorts the keys, with as much room behind them: n log n comparisons whoever chose the keys. */
static const uint32_t *sort(const char *text, uint32_t *keys, size_t n)
{
    uint32_t *from = keys, *to = keys + n;
    for (size_t half = 1; half < n; half *= 2) {
        for (size_t i = 0; i < n; i += 2 * half) {
            size_t left = n - i < half ? n - i : half;
            size_t both = n - i < 2 * half ? n - i : 2 * half;
            merge(text, from + i, left, both, to + i);
        }
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

#define FEW_KEYS 16 /* compared each with each */

/* The offsets of the keys of an object, as many as there is room for; returns how many there are.
 */
static size_t list_keys(const json_document *d, uint32_t object, uint32_t *keys, size_t room)
{
    size_t n = 0;
    for (uint32_t at = object + 1; at < d->node[object].extent; at = node_behind(d, at + 1), n++)
        if (n < room)
            keys[n] = node_offset(&d->node[at]);
    return n;
}

static bool has_duplicate(const json_document *d, uint32_t object)
{
    uint32_t few[FEW_KEYS];
    size_t n = list_keys(d, object, few, FEW_KEYS);
    for (size_t i = 1; i < n && n <= FEW_KEYS; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(d->text + few[i], d->text + few[j]) == 0)
                return true;
    if (n <= FEW_KEYS)
        return false;
    uint32_t *keys = memory_new(n, 2 * sizeof *keys);
    if (keys == NULL)
        return true; /* not proved free of duplicates */
    list_keys(d, object, keys, n);
    const uint32_t *sorted = sort(d->text, keys, n);
    bool twice = false;
    for (size_t i = 1; i < n && !twice; i++)
        twice = strcmp(d->text + sorted[i - 1], d->text + sorted[i]) == 0;
    memory_free(keys);
    return twice;
}

/* Ends every token by a 0, which takes the place of what followed it, decodes the strings, and
 * looks at the objects when their keys are decoded. False when one has a key twice. */
static bool finish(const json_document *d)
{
    for (uint32_t i = d->count; i-- > 0;) {
        const json_node *node = &d->node[i];
        json_kind kind = node_kind(node);
        char *token = d->text + node_offset(node);
        if (kind >= JSON_NUMBER && kind <= JSON_KEY)
            *(node_escaped(node) ? decode(token, node->extent) : token + node->extent) = '\0';
        else if (kind == JSON_OBJECT && has_duplicate(d, i))
            return false;
    }
    return true;
}

bool json_read(json_document *document, char *text, size_t length, json_fault *fault)
{
    *document = (json_document){.text = text};
    bool ok = json_scan(document, length, fault);
    if (ok && !finish(document)) {
        *fault = (json_fault){"an object has the same key twice", 0};
        ok = false;
    }
    if (!ok)
        json_clear(document);
    return ok;
}

size_t json_mark(const char *text, size_t length)
{
    return length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

void json_clear(json_document *document)
{
    memory_free(document->node);
    memory_free(document->owned);
    *document = (json_document){0};
}

json json_root(const json_document *document)
{
    return (json){document, 0, document->count};
}

json_kind json_kind_of(json v)
{
    return v.of != NULL ? node_kind(&v.of->node[v.at]) : JSON_NULL;
}

bool json_is_bool(json v)
{
    json_kind kind = json_kind_of(v);
    return kind == JSON_FALSE || kind == JSON_TRUE;
}

bool json_is_empty(json v)
{
    return !json_exists(json_first(v));
}

/* The value at that node, or at the next one if that is a key. */
static json value_at(const json_document *d, uint32_t at, uint32_t end)
{
    if (at >= end)
        return (json){0};
    return (json){d, at + (node_kind(&d->node[at]) == JSON_KEY), end};
}

json json_first(json v)
{
    if (json_kind_of(v) < JSON_ARRAY)
        return (json){0};
    return value_at(v.of, v.at + 1, v.of->node[v.at].extent);
}

json json_next(json v)
{
    return value_at(v.of, node_behind(v.of, v.at), v.end);
}

static const char *token(const json_document *d, uint32_t at)
{
    return d->text + node_offset(&d->node[at]);
}

const char *json_key(json v)
{
    bool member = v.at > 0 && node_kind(&v.of->node[v.at - 1]) == JSON_KEY;
    return member ? token(v.of, v.at - 1) : NULL;
}

json json_find(json object, const char *key)
{
    if (json_kind_of(object) != JSON_OBJECT)
        return (json){0};
    json member = json_first(object);
    while (json_exists(member) && strcmp(json_key(member), key) != 0)
        member = json_next(member);
    return member;
}

const char *json_text(json v)
{
    json_kind kind = json_kind_of(v);
    return kind == JSON_NUMBER || kind == JSON_STRING ? token(v.of, v.at) : NULL;
}
