/* SPDX-License-Identifier: MIT */
/* Mechanisms of a type: ledger objects with the parameters of the type, and the same as the text
 * TYPE:name=value,...[xTIMES], which is read as such an object. */
#include <stdio.h>
#include <string.h>

#include "catalog/types.h"
#include "core/parameters.h"
#include "document/item_types.h"
#include "document/request.h"
#include "num/memory.h"
#include "num/number.h"

static bool set_text(value *v, const char *text, const char *where, fault *f)
{
    value_fault wrong;
    char there[160];
    if (value_set(v, text, &wrong) == DP_OK)
        return true;
    snprintf(there, sizeof there, "%s: %s", where, v->of->name);
    return fault_value(f, there, &wrong);
}

static bool unknown_member(const mechanism_type *type, const char *key, const char *where, fault *f)
{
    item_type fields;
    item_type_of_mechanism(&fields, type);
    return item_unknown_field(&fields, key, where, f);
}

static bool set_member(dp_mechanism *m, json field, const char *where, fault *f)
{
    value *v = mechanism_value(m, json_key(field));
    if (v == NULL)
        return unknown_member(m->type, json_key(field), where, f);
    if (v->given) {
        fault_set(f, where, "\"%.40s\" is given twice", json_key(field));
        return false;
    }
    bool list = v->of->kind == KIND_LIST && json_kind_of(field) == JSON_ARRAY, other = true;
    char *own = list ? list_text(field, false, &other) : NULL;
    const char *text = list ? own : json_text(field);
    bool ok = false;
    if (text != NULL)
        ok = set_text(v, text, where, f);
    else if (!other)
        fault_set(f, where, "out of memory");
    else
        fault_set(f, where, "\"%.40s\" must be a number or a string%s", json_key(field),
                  v->of->kind == KIND_LIST ? ", or an array of them" : "");
    memory_free(own);
    return ok;
}

static bool is_common(const char *key)
{
    return strcmp(key, "mechanism") == 0 || strcmp(key, "name") == 0 || strcmp(key, "times") == 0 ||
           item_is_remark(key);
}

dp_mechanism *mechanism_read(const mechanism_type *type, const item *it, size_t index, fault *f)
{
    char where[ITEM_WHERE];
    item_where(where, it, index);
    dp_mechanism *m = mechanism_new(type);
    if (m == NULL) {
        fault_set(f, where, "out of memory");
        return NULL;
    }
    bool ok = true;
    for (json field = json_first(it->source); ok && json_exists(field); field = json_next(field))
        if (!is_common(json_key(field)))
            ok = set_member(m, field, where, f);
    dp_error err;
    if (ok && mechanism_complete(m, &err) != DP_OK) {
        fault_set(f, where, "%s %s", err.argument != NULL ? err.argument : "", err.message);
        ok = false;
    }
    if (ok)
        return m;
    mechanism_free(m);
    return NULL;
}

bool mechanism_enter(dp_composition *to, const mechanism_type *type, const item *it, size_t index,
                     fault *f)
{
    char where[ITEM_WHERE];
    item_where(where, it, index);
    dp_number times;
    dp_number_init(&times);
    dp_number_set_ui(&times, 1);
    dp_error err = {DP_OK, NULL, NULL};
    dp_mechanism *m = mechanism_read(type, it, index, f);
    bool ok = m != NULL;
    if (ok && it->times != NULL && (ok = args_part(&times, where, &item_times, it->times, f))) {
        err = (dp_error){DP_DOMAIN, "times", domain_fault(&domain_count, &times)};
        ok = err.message == NULL;
    }
    if (ok)
        ok = account_enter(to, m, number_integer(&times), &err) == DP_OK;
    if (!ok && err.message != NULL)
        fault_set(f, where, "%s %s", err.argument != NULL ? err.argument : "", err.message);
    mechanism_free(m);
    dp_number_clear(&times);
    return ok;
}

/* ---- TYPE:name=value,...[xTIMES] ---- */

/* The object as it grows; it never holds more than four characters for each of the text's. */
typedef struct builder {
    char *text;
    size_t length;
} builder;

static void put(builder *b, const char *text, size_t length)
{
    memcpy(b->text + b->length, text, length);
    b->length += length;
}

#define PUT(b, text) put(b, text, sizeof(text) - 1)

/* Only what needs no escape. */
static bool is_plain(const char *text)
{
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < 0x20 || *text == '"' || *text == '\\')
            return false;
    return true;
}

/* The last x of TIMES, behind the last value. */
static char *find_times(char *text)
{
    char *last = strrchr(text, '='), *x = strrchr(last != NULL ? last : text, 'x');
    return x != NULL && strpbrk(x, ",=") == NULL ? x : NULL;
}

/* name=value; a part without '=' goes on with the list of the one before. */
static bool put_parts(builder *b, char *parts)
{
    bool open = false;
    for (char *part = *parts != '\0' ? parts : NULL, *next; part != NULL; part = next) {
        next = strchr(part, ',');
        if (next != NULL)
            *next++ = '\0';
        size_t name = strcspn(part, "=");
        if (part[name] == '=') {
            if (open)
                PUT(b, "\"");
            PUT(b, ",\"");
            put(b, part, name);
            PUT(b, "\":\"");
            put(b, part + name + 1, strlen(part + name + 1));
            open = true;
        } else if (open) {
            PUT(b, ",");
            put(b, part, strlen(part));
        } else {
            return false;
        }
    }
    if (open)
        PUT(b, "\"");
    return true;
}

/* The object as text; NULL: the text is not of that form. The copy is cut. */
static char *object_text(char *copy)
{
    char *colon = strchr(copy, ':');
    builder b = {memory_new(8 * strlen(copy) + 64, 1), 0};
    if (b.text == NULL)
        return NULL;
    char *times = find_times(colon);
    if (times != NULL)
        *times++ = '\0';
    PUT(&b, "{\"mechanism\":\"");
    put(&b, copy, (size_t)(colon - copy));
    PUT(&b, "\"");
    bool ok = put_parts(&b, colon + 1);
    if (times != NULL) {
        PUT(&b, ",\"times\":\"");
        put(&b, times, strlen(times));
        PUT(&b, "\"");
    }
    PUT(&b, "}");
    b.text[b.length] = '\0';
    if (ok)
        return b.text;
    memory_free(b.text);
    return NULL;
}

/* A place for one more document, at the end; NULL: out of memory. */
static json_document *make_room(args *a)
{
    json_document **grown = memory_grow(a->typed, a->typed_count + 1, sizeof *grown);
    if (grown == NULL)
        return NULL;
    a->typed = grown;
    a->typed[a->typed_count] = memory_zero(1, sizeof **grown);
    return a->typed[a->typed_count];
}

/* gaussian:2 for gaussian:sigma=2; a type of another name */
static bool typed_near(char to[NEAR_ROOM], const command *const *queries, const char *text)
{
    item_type type;
    char name[40];
    size_t n = strcspn(text, ":");
    if (n >= sizeof name || strchr(text, '=') != NULL || strlen(text) > 80 || text[n] == '\0')
        return false;
    memcpy(name, text, n);
    name[n] = '\0';
    if (!item_type_find(&type, queries, name))
        return item_type_near(to, queries, name);
    const option *first = type.fields;
    if (first->of == NULL || strchr("0123456789.", text[n + 1]) == NULL)
        return false;
    snprintf(to, NEAR_ROOM, "did you mean %s:%s=%s?", name, option_key(first), text + n + 1);
    return true;
}

json_document *args_typed_text(args *a, const char *text, fault *f)
{
    char *copy = is_plain(text) ? memory_copy(text) : NULL;
    char *object = copy != NULL ? object_text(copy) : NULL;
    memory_free(copy);
    json_fault wrong = {"is not TYPE:name=value,...[xTIMES]", 0};
    json_document *d = object != NULL ? make_room(a) : NULL;
    if (d != NULL && json_read(d, object, strlen(object), &wrong)) {
        d->owned = object;
        a->typed_count++;
        return d;
    }
    char near[NEAR_ROOM];
    if (object == NULL && typed_near(near, a->queries, text))
        fault_set(f, "--mechanism", "'%.80s' %s; %s", text, wrong.message, near);
    else
        fault_set(f, "--mechanism", "'%.80s' %s", text, wrong.message);
    memory_free(d);
    memory_free(object);
    return NULL;
}
