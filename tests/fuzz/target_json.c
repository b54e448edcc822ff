/* SPDX-License-Identifier: MIT */
/* The JSON reader and writer: what is read can be written, and reads as the same document. */
#include <stdlib.h>
#include <string.h>

#include "document/emit.h"
#include "document/json_read.h"
#include "fuzz.h"
#include "num/memory.h"

static char *print(json what)
{
    out o;
    out_init(&o);
    emit_object(&o, NULL);
    emit_value(&o, "value", what);
    emit_object_end(&o);
    out_char(&o, '\0');
    EXPECT(!o.failed);
    return o.data;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    json_fault where = {NULL, 0};
    json_document document, again;
    if (!json_read(&document, text, size, &where)) {
        EXPECT(where.message != NULL && where.offset <= size);
        free(text);
        return 0;
    }
    char *once = print(json_root(&document));
    json_clear(&document);
    /* the wrapping object adds one level */
    char *copy = fuzz_text((const uint8_t *)once, strlen(once));
    if (!json_read(&again, copy, strlen(copy), &where)) {
        EXPECT(strstr(where.message, "deep") != NULL || strstr(where.message, "nest") != NULL);
    } else {
        json inner = json_find(json_root(&again), "value");
        EXPECT(json_exists(inner));
        char *twice = print(inner);
        EXPECT(strcmp(once, twice) == 0);
        memory_free(twice);
        json_clear(&again);
    }
    free(copy);
    memory_free(once);
    free(text);
    return 0;
}
