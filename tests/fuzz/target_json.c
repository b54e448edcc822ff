/* SPDX-License-Identifier: MIT */
/* The JSON reader and writer: what is read can be written, and reads as the same document. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "json/read.h"
#include "json/write.h"

static char *print(cJSON *document)
{
    cJSON *top = cJSON_CreateObject();
    json_add_parsed(top, "value", document);
    char *text = json_print(top);
    EXPECT(text != NULL);
    cJSON_Delete(top);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    json_fault where = {NULL, 0};
    cJSON *document = json_parse(text, size, &where);
    if (document == NULL) {
        EXPECT(where.message != NULL && where.offset <= size);
        free(text);
        return 0;
    }
    char *once = print(document);
    cJSON *again = json_parse(once, strlen(once), &where);
    /* the wrapping object adds one level */
    if (again == NULL) {
        EXPECT(strstr(where.message, "deep") != NULL || strstr(where.message, "nest") != NULL);
    } else {
        cJSON *inner = cJSON_DetachItemFromObjectCaseSensitive(again, "value");
        EXPECT(inner != NULL);
        char *twice = print(inner);
        EXPECT(strcmp(once, twice) == 0);
        cJSON_free(twice);
        cJSON_Delete(again);
    }
    cJSON_free(once);
    free(text);
    return 0;
}
