/* SPDX-License-Identifier: MIT */
/* A strict reader in front of cJSON: cJSON keeps only a double of a number and lets several faults
 * of RFC 8259 pass, so one scan checks the text and turns each number token into a tagged string
 * before cJSON sees it. 0.1 then means one tenth, and 40 digits mean 40 digits. */
#ifndef JSON_READ_H
#define JSON_READ_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#define JSON_MAX_DEPTH 64

typedef struct json_fault {
    const char *message; /* static text */
    size_t offset;       /* bytes from the start of the text */
} json_fault;

/* Parses exactly one JSON value. NULL with *fault set when the text is not strict JSON (UTF-8,
 * no NUL, no duplicate keys within an object, depth at most 64). Release with cJSON_Delete. */
cJSON *json_parse(const char *text, size_t length, json_fault *fault);

/* The text of a number token or the contents of a string; NULL for anything else. */
const char *json_text(const cJSON *value);
bool json_is_number(const cJSON *value);

#endif
