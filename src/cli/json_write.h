/* SPDX-License-Identifier: MIT */
/* Building small documents of fixed shape with cJSON. Keys and texts are not copied. After any
 * failure json_print fails, so one check is enough. */
#ifndef CLI_JSON_WRITE_H
#define CLI_JSON_WRITE_H

#include <cjson/cJSON.h>

/* Appends to an object (key != NULL) or to an array (key == NULL); returns the new item. */
cJSON *json_add_object(cJSON *to, const char *key);
cJSON *json_add_array(cJSON *to, const char *key);
cJSON *json_add_static(cJSON *to, const char *key, const char *text);

/* One line of text without a newline, malloc'd; NULL when out of memory. */
char *json_print(const cJSON *document);

#endif
