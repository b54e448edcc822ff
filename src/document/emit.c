/* SPDX-License-Identifier: MIT */
/* Answers as JSON, without a tree of them. */
#include "document/emit.h"

#include <stdio.h>
#include <string.h>

#include "document/escape.h"

/* A comma goes before all but what is first: a bracket outside a string always begins something. */
static void separate(out *o)
{
    char before = o->used > 0 ? o->data[o->used - 1] : '\n';
    if (before != '{' && before != '[' && before != '\n' && before != ':')
        out_char(o, ',');
}

/* Writes what stands before a value, and returns where that begins, with room for `bytes` of it;
 * NULL when out of memory. */
static char *begin(out *o, const char *key, size_t bytes)
{
    size_t n = key != NULL ? strlen(key) : 0;
    char *at = out_reserve(o, n + 4 + bytes);
    if (at == NULL)
        return NULL;
    char before = o->used > 0 ? at[-1] : '\n';
    if (before != '{' && before != '[' && before != '\n' && before != ':')
        *at++ = ',';
    if (key != NULL) {
        *at++ = '"';
        memcpy(at, key, n);
        at += n;
        *at++ = '"';
        *at++ = ':';
    }
    return at;
}

static void end(out *o, const char *at)
{
    o->used = (size_t)(at - o->data);
}

static void begin_with(out *o, const char *key, char bracket)
{
    char *at = begin(o, key, 1);
    if (at == NULL)
        return;
    *at = bracket;
    end(o, at + 1);
}

void emit_object(out *o, const char *key)
{
    begin_with(o, key, '{');
}

void emit_array(out *o, const char *key)
{
    begin_with(o, key, '[');
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
    size_t n = strlen(text);
    char *at = begin(o, key, n + 2);
    if (at == NULL)
        return;
    if (!escape_none(text, n)) {
        end(o, at);
        escape_json(o, text);
        return;
    }
    at[0] = '"';
    memcpy(at + 1, text, n);
    at[n + 1] = '"';
    end(o, at + n + 2);
}

void emit_number(out *o, const char *key, const char *token)
{
    size_t n = strlen(token);
    char *at = begin(o, key, n);
    if (at == NULL)
        return;
    memcpy(at, token, n);
    end(o, at + n);
}

void emit_again(out *o, size_t from, size_t to)
{
    char *at = from < to ? begin(o, NULL, to - from) : NULL;
    if (at == NULL)
        return;
    from += o->data[from] == ',';
    memcpy(at, o->data + from, to - from);
    end(o, at + (to - from));
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
