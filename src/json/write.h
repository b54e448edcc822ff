/* SPDX-License-Identifier: MIT */
/* Building documents with cJSON. Keys are static texts and are not copied; numbers are text that
 * we made, because cJSON prints doubles below the bound they stand for. After any failure
 * json_print fails, so one check is enough. */
#ifndef JSON_WRITE_H
#define JSON_WRITE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

/* Appends to an object (key != NULL) or to an array (key == NULL); returns the new item. */
cJSON *json_add_object(cJSON *to, const char *key);
cJSON *json_add_array(cJSON *to, const char *key);
cJSON *json_add_text(cJSON *to, const char *key, const char *text);   /* copies text     */
cJSON *json_add_static(cJSON *to, const char *key, const char *text); /* keeps the pointer */
cJSON *json_add_number(cJSON *to, const char *key, const char *text); /* JSON token or null */
cJSON *json_add_bool(cJSON *to, const char *key, bool value);
cJSON *json_add_null(cJSON *to, const char *key);

/* Moves a value that json_parse read into the document, its numbers as they were written. */
void json_add_parsed(cJSON *to, const char *key, cJSON *value);

/* One line of text without a newline, malloc'd; NULL when out of memory. */
char *json_print(const cJSON *document);

#endif
