/* SPDX-License-Identifier: MIT */
#include "json/write.h"

#include <string.h>

#include "json/scan.h"

static cJSON *add(cJSON *to, const char *key, cJSON *value)
{
    if (to == NULL || value == NULL) {
        cJSON_Delete(value);
        if (to != NULL)
            to->type = cJSON_Invalid; /* printing it fails: no document lacks a part */
        return NULL;
    }
    if (key == NULL)
        cJSON_AddItemToArray(to, value);
    else
        cJSON_AddItemToObjectCS(to, key, value);
    return value;
}

cJSON *json_add_object(cJSON *to, const char *key)
{
    return add(to, key, cJSON_CreateObject());
}

cJSON *json_add_array(cJSON *to, const char *key)
{
    return add(to, key, cJSON_CreateArray());
}

cJSON *json_add_text(cJSON *to, const char *key, const char *text)
{
    return add(to, key, cJSON_CreateString(text));
}

cJSON *json_add_static(cJSON *to, const char *key, const char *text)
{
    return add(to, key, cJSON_CreateStringReference(text));
}

cJSON *json_add_number(cJSON *to, const char *key, const char *text)
{
    return add(to, key, cJSON_CreateRaw(text));
}

cJSON *json_add_bool(cJSON *to, const char *key, bool value)
{
    return add(to, key, cJSON_CreateBool(value));
}

cJSON *json_add_null(cJSON *to, const char *key)
{
    return add(to, key, cJSON_CreateNull());
}

/* Tagged number strings become raw tokens again. */
static void untag(cJSON *value)
{
    cJSON *path[JSON_MAX_DEPTH + 1], *at = value;
    size_t depth = 0;
    while (at != NULL) {
        if (json_is_number(at)) {
            const char *token = json_text(at);
            memmove(at->valuestring, token, strlen(token) + 1);
            at->type = (at->type & ~0xFF) | cJSON_Raw;
        }
        if (at->child != NULL) {
            path[depth++] = at;
            at = at->child;
            continue;
        }
        while (at != value && at->next == NULL)
            at = path[--depth];
        at = at == value ? NULL : at->next;
    }
}

void json_add_parsed(cJSON *to, const char *key, cJSON *value)
{
    if (value != NULL)
        untag(value);
    add(to, key, value);
}

char *json_print(const cJSON *document)
{
    return document == NULL ? NULL : cJSON_PrintBuffered(document, 2048, 0);
}
