/* SPDX-License-Identifier: MIT */
/* How the parts of the schemas are written. */
#include "cli/schema.h"

#include <stdio.h>
#include <string.h>

#include "document/emit.h"
#include "num/memory.h"

void schema_raw(out *o, const char *key, const char *text)
{
    emit_number(o, key, ""); /* the comma and the key */
    for (; *text != '\0'; text++)
        if (*text == '`')
            out_char(o, '"');
        else if (*text == '"' || *text == '\\')
            out_bytes(o, (char[]){'\\', *text}, 2);
        else
            out_char(o, *text);
}

static void put_reference(out *o, const char *definition)
{
    emit_number(o, "$ref", "\"#/$defs/");
    out_text(o, definition);
    out_char(o, '"');
}

void schema_ref(out *o, const char *key, const char *definition, const char *description)
{
    emit_object(o, key);
    put_reference(o, definition);
    if (description != NULL)
        emit_text(o, "description", description);
    emit_object_end(o);
}

const char *schema_name(char buffer[SCHEMA_NAME], const char *prefix, const char *name)
{
    snprintf(buffer, SCHEMA_NAME, "%s%s", prefix, name);
    for (char *p = buffer; *p != '\0'; p++)
        if (*p == '-')
            *p = '_';
    return buffer;
}

void schema_words(out *o, const char *words, const char *without)
{
    for (const char *p = words; p != NULL;) {
        size_t n = strcspn(p, "|");
        if (without == NULL || strlen(without) != n || memcmp(p, without, n) != 0) {
            char *word = memory_text(p, n);
            emit_text(o, NULL, word);
            memory_free(word);
        }
        p = p[n] == '|' ? p + n + 1 : NULL;
    }
}
