/* SPDX-License-Identifier: MIT */
/* Strict JSON (RFC 8259) as a flat list of nodes over the text itself: eight bytes for each value
 * and for each key. Strings are decoded in place; numbers stay as they were written, so 0.1 means
 * one tenth and 40 digits mean 40 digits. */
#ifndef DOCUMENT_JSON_READ_H
#define DOCUMENT_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JSON_MAX_DEPTH 64
#define JSON_MAX_BYTES ((size_t)1 << 28)

typedef enum json_kind {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_KEY, /* stands before its value */
    JSON_ARRAY,
    JSON_OBJECT
} json_kind;

/* Nodes are in the order of the text, those within an array or object behind it. */
typedef struct json_node {
    uint32_t place;  /* kind and offset, see json_scan.h */
    uint32_t extent; /* of an array or object: the index behind its last node */
} json_node;

typedef struct json_document {
    char *text;
    char *owned; /* released with the document; NULL where the text is another's */
    json_node *node;
    uint32_t count, room;
} json_document;

/* A value of a document, which outlives it; no value where `of` is NULL. */
typedef struct json {
    const json_document *of;
    uint32_t at, end; /* its node; the end of what holds it */
} json;

typedef struct json_fault {
    const char *message; /* static text */
    size_t offset;       /* bytes from the start of the text */
} json_fault;

/* Reads exactly one JSON value from `length` bytes, behind which one more may be written: the text
 * is changed and must outlive the document. False with *fault set, the text unchanged but for
 * escapes and the ends of tokens where a key stands twice, when it is not strict JSON (UTF-8, no
 * NUL, no duplicate keys within an object, depth at most 64). Release with json_clear. */
bool json_read(json_document *document, char *text, size_t length, json_fault *fault);
void json_clear(json_document *document);

/* Bytes of a byte-order mark at the start of the text: 3 or 0. It is no part of the JSON. */
size_t json_mark(const char *text, size_t length);

json json_root(const json_document *document);

static inline bool json_exists(json v)
{
    return v.of != NULL;
}

/* JSON_NULL also where there is no value. */
json_kind json_kind_of(json v);
bool json_is_bool(json v);
/* Are there elements or members? */
bool json_is_empty(json v);

/* The elements of an array, or the values of an object, one after the other. */
json json_first(json v);
json json_next(json v);
/* The key of a member; NULL elsewhere. */
const char *json_key(json v);
/* The member of an object with that key. */
json json_find(json object, const char *key);

/* The text of a number, or the contents of a string; NULL for anything else. */
const char *json_text(json v);

#endif
