/* SPDX-License-Identifier: MIT */
/* Small JSON documents, through cJSON, with numbers as their text. */
#include "cli/json_write.h"

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

cJSON *json_add_static(cJSON *to, const char *key, const char *text)
{
    return add(to, key, cJSON_CreateStringReference(text));
}

char *json_print(const cJSON *document)
{
    return document == NULL ? NULL : cJSON_PrintBuffered(document, 2048, 0);
}
