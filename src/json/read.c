/* SPDX-License-Identifier: MIT */
#include "json/read.h"

#include <string.h>

#include "num/memory.h"
#include "json/scan.h"

cJSON *json_parse(const char *text, size_t length, json_fault *fault)
{
    size_t tagged_length;
    char *tagged = json_scan(text, length, &tagged_length, fault);
    if (tagged == NULL)
        return NULL;
    cJSON *value = cJSON_ParseWithLength(tagged, tagged_length);
    memory_free(tagged);
    if (value == NULL) {
        fault->message = "out of memory";
        return NULL;
    }
    if (json_has_duplicate(value)) {
        cJSON_Delete(value);
        fault->message = "an object has the same key twice";
        fault->offset = 0;
        return NULL;
    }
    return value;
}

bool json_is_number(const cJSON *value)
{
    return cJSON_IsString(value) && strncmp(value->valuestring, JSON_TAG, JSON_TAG_LENGTH) == 0;
}

const char *json_text(const cJSON *value)
{
    if (!cJSON_IsString(value))
        return NULL;
    return json_is_number(value) ? value->valuestring + JSON_TAG_LENGTH : value->valuestring;
}
