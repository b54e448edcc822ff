/* SPDX-License-Identifier: MIT */
#ifndef JSON_SCAN_H
#define JSON_SCAN_H

#include "json/read.h"

/* U+FDD0, a noncharacter: the scanner refuses it in input, so it can mark number tokens. */
#define JSON_TAG "\xEF\xB7\x90"
#define JSON_TAG_LENGTH 3

/* Checks the text and returns a malloc'd copy in which each number token is a string that starts
 * with JSON_TAG. NULL with *fault set on a fault. */
char *json_scan(const char *text, size_t length, size_t *tagged_length, json_fault *fault);

/* Does any object in the tree hold a key twice? */
bool json_has_duplicate(const cJSON *value);

#endif
