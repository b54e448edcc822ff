/* SPDX-License-Identifier: MIT */
/* Answers as JSON, without a tree of them. */
#include "document/emit.h"

#include <stdio.h>

#include "document/escape.h"

/* A comma goes before all but what is first: a bracket outside a string always begins something. */
static void separate(out *o)
{
    char before = o->used > 0 ? o->data[o->used - 1] : '\n';
    if (before != '{' && before != '[' && before != '\n' && before != ':')
        out_char(o, ',');
}

static void begin(out *o, const char *key)
{
    if (o->failed)
        return;
    separate(o);
    if (key != NULL) {
        out_char(o, '"');
        out_text(o, key);
        out_bytes(o, "\":", 2);
    }
}

void emit_object(out *o, const char *key)
{
    begin(o, key);
    out_char(o, '{');
}

void emit_array(out *o, const char *key)
{
    begin(o, key);
    out_char(o, '[');
}

void emit_object_end(out *o)
{
    out_char(o, '}');
}

void emit_array_end(out *o)
{
    out_char(o, ']');
}

void emit_text(out *o, const char *key, const char *text)
{
    if (text == NULL) {
        o->failed = true;
        return;
    }
    begin(o, key);
    escape_json(o, text);
}

void emit_number(out *o, const char *key, const char *token)
{
    begin(o, key);
    out_text(o, token);
}

void emit_count(out *o, const char *key, size_t n)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%zu", n);
    emit_number(o, key, digits);
}

void emit_bool(out *o, const char *key, bool value)
{
    emit_number(o, key, value ? "true" : "false");
}

void emit_null(out *o, const char *key)
{
    emit_number(o, key, "null");
}

static const char *word(json_kind kind)
{
    return kind == JSON_TRUE ? "true" : kind == JSON_FALSE ? "false" : "null";
}

void emit_value(out *o, const char *key, json value)
{
    json_kind kind = json_kind_of(value);
    if (kind < JSON_NUMBER) {
        emit_number(o, key, word(kind));
    } else if (kind == JSON_NUMBER) {
        emit_number(o, key, json_text(value));
    } else if (kind == JSON_STRING) {
        emit_text(o, key, json_text(value));
    } else { /* as deep as the reader allows */
        (kind == JSON_OBJECT ? emit_object : emit_array)(o, key);
        for (json part = json_first(value); json_exists(part); part = json_next(part)) {
            if (kind == JSON_OBJECT)
                emit_member(o, part);
            else
                emit_value(o, NULL, part);
        }
        (kind == JSON_OBJECT ? emit_object_end : emit_array_end)(o);
    }
}

void emit_member(out *o, json member)
{
    separate(o);
    escape_json(o, json_key(member));
    out_char(o, ':');
    emit_value(o, NULL, member);
}
