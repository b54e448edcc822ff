/* SPDX-License-Identifier: MIT */
/* Values of options from the fields of an object: texts, and arrays where the option takes many. */
#include <string.h>

#include "document/json_read.h"
#include "document/request.h"
#include "num/memory.h"

char *list_text(json array, bool commas, bool *other)
{
    *other = true;
    size_t length = 1;
    for (json c = json_first(array); json_exists(c); c = json_next(c)) {
        const char *text = json_text(c);
        if (text == NULL || (strchr(text, ',') != NULL && !commas))
            return NULL;
        length += strlen(text) + 1;
    }
    char *out = memory_new(length, 1), *end = out;
    *other = false;
    if (out == NULL)
        return NULL;
    for (json c = json_first(array); json_exists(c); c = json_next(c)) {
        size_t n = strlen(json_text(c));
        memcpy(end, json_text(c), n);
        end += n;
        *end++ = ',';
    }
    out[end > out ? end - out - 1 : 0] = '\0';
    return out;
}

/* The text of a scalar field; *absent is set for false flags. */
static const char *scalar_text(const option *o, json field, bool *absent, fault *f)
{
    *absent = false;
    if (o->of->kind == KIND_FLAG) {
        *absent = json_kind_of(field) == JSON_FALSE;
        if (json_is_bool(field))
            return "true";
        fault_set(f, json_key(field), "must be true or false");
        return NULL;
    }
    const char *text = json_text(field);
    if (text == NULL)
        fault_set(f, json_key(field), "must be a number or a string");
    return text;
}

bool args_set_array(args *a, const option *o, json array, bool weak, fault *f)
{
    bool other;
    char *joined = list_text(array, o->repeats, &other);
    if (joined == NULL || !args_own(a, joined)) {
        memory_free(joined);
        fault_set(f, option_key(o), "%s",
                  other ? "must hold numbers, or strings such as \"1/3\"" : "out of memory");
        return false;
    }
    return weak ? args_set_weak(a, o, joined, f) : args_set_value(a, o, joined, f);
}

/* The length of the line as text, with its end; 0 with the fault filled in. */
static size_t line_length(const option *o, json line, fault *f)
{
    size_t length = 0;
    bool ok = json_kind_of(line) == JSON_ARRAY;
    for (json c = json_first(line); ok && json_exists(c); c = json_next(c)) {
        const char *text = json_text(c);
        ok = text != NULL && strpbrk(text, ",;") == NULL;
        length += ok ? strlen(text) + 1 : 0;
    }
    if (!ok || length == 0)
        fault_set(f, option_key(o), "must hold arrays of numbers, one for each line");
    return ok ? length : 0;
}

bool args_set_table(args *a, const option *o, json lines, bool weak, fault *f)
{
    size_t length = 1;
    for (json line = json_first(lines); json_exists(line); line = json_next(line)) {
        size_t more = line_length(o, line, f);
        if (more == 0)
            return false;
        length += more;
    }
    char *joined = memory_new(length, 1);
    if (joined == NULL || !args_own(a, joined)) {
        memory_free(joined);
        fault_set(f, option_key(o), "out of memory");
        return false;
    }
    char *end = joined;
    for (json line = json_first(lines); json_exists(line); line = json_next(line))
        for (json c = json_first(line); json_exists(c);) {
            size_t n = strlen(json_text(c));
            memcpy(end, json_text(c), n);
            end += n;
            c = json_next(c);
            *end++ = json_exists(c) ? ',' : ';';
        }
    joined[end > joined ? end - joined - 1 : 0] = '\0';
    return weak ? args_set_weak(a, o, joined, f) : args_set_value(a, o, joined, f);
}

bool args_set_field(args *a, const option *o, json field, bool weak, fault *f)
{
    if ((o->of->kind == KIND_LIST || o->of->kind == KIND_LIST_FILE) &&
        json_kind_of(field) == JSON_ARRAY)
        return args_set_array(a, o, field, weak, f);
    if (o->of->kind == KIND_TABLE_FILE && json_kind_of(field) == JSON_ARRAY)
        return args_set_table(a, o, field, weak, f);
    bool absent;
    const char *text = scalar_text(o, field, &absent, f);
    if (text == NULL || absent)
        return absent;
    return weak ? args_set_weak(a, o, text, f) : args_set_value(a, o, text, f);
}
