/* SPDX-License-Identifier: MIT */
/* An entry of a list as it was given: what it is called, what may stand in it, and what is wrong
 * with it. */
#include <stdio.h>
#include <string.h>

#include "compose/parameters.h"
#include "document/elsewhere.h"
#include "document/item_types.h"
#include "document/json_read.h"
#include "document/request.h"

void item_where(char where[ITEM_WHERE], const item *it, size_t index)
{
    strcpy(where, it->line > 0 ? "line " : "mechanism ");
    char digits[24], *at = digits + sizeof digits - 1;
    *at = '\0';
    for (size_t n = it->line > 0 ? it->line : index; n > 0 || *at == '\0'; n /= 10)
        *--at = (char)('0' + n % 10);
    strcat(where, at);
}

bool args_part(dp_number *x, const char *where, const parameter *of, const char *text, fault *f)
{
    dp_error err;
    value_fault wrong = {.part = text, .length = strlen(text)};
    char what[sizeof f->what];
    if (dp_number_parse(x, text, strlen(text), &err) == DP_OK)
        return true;
    wrong.message = err.message;
    value_meant(&wrong.meant, parameter_domain(of), text, wrong.length);
    value_says(what, sizeof what, &wrong);
    fault_set(f, where, "%s %.300s", of->name, what);
    return false;
}

bool item_unknown_field(const item_type *type, const char *key, const char *where, fault *f)
{
    char near[NEAR_ROOM];
    const char *note = elsewhere_note(type->name, key);
    if (note != NULL) {
        fault_set(f, where, "unknown field \"%.40s\" of '%s'; %s", key, type->name, note);
        return false;
    }
    bool found = item_field_near(near, type, key);
    size_t used = 0;
    for (const option *o = !found ? type->fields : NULL;
         o != NULL && o->of != NULL && used < sizeof near; o++)
        if (type->command == NULL || option_describes(o))
            used += (size_t)snprintf(near + used, sizeof near - used, "%s%s", used > 0 ? ", " : "",
                                     option_key(o));
    fault_set(f, where, "unknown field \"%.40s\" of '%s'%s%s%s", key, type->name,
              found      ? "; did you mean "
              : used > 0 ? "; known are "
                         : "",
              found || used > 0 ? near : "", found ? "?" : "");
    return false;
}

/* A date must be one; what else is remarked is the user's. */
bool item_check_remark(json field, const char *where, fault *f)
{
    char day[DATE_ROOM];
    const char *text = json_text(field);
    if (strcmp(json_key(field), "date") != 0 || (text != NULL && date_read(day, text)))
        return true;
    bool shown = text != NULL && strlen(text) <= 40;
    fault_set(f, where, "date%s%s%s " DATE_MUST, shown ? " '" : "", shown ? text : "",
              shown ? "'" : "");
    return false;
}

bool item_fail(const item *it, size_t index, const char *what, fault *f)
{
    char where[ITEM_WHERE];
    item_where(where, it, index);
    if (it->line > 0)
        fault_set(f, where, "%s", what);
    else
        fault_set(f, "mechanisms", "entry %zu: %s", index, what);
    return false;
}

static bool entry_type(item_type *type, const command *const *queries, json entry, const item *it,
                       size_t index, fault *f)
{
    json field = json_find(entry, "mechanism");
    const char *name = !json_exists(field) ? ITEM_TYPE_PRESET : json_text(field);
    if (name != NULL && item_type_find(type, queries, name))
        return true;
    char known[500], near[NEAR_ROOM];
    if (name != NULL && item_type_near(near, queries, name)) {
        snprintf(known, sizeof known, "unknown mechanism '%.40s'; %s", name, near);
        return item_fail(it, index, known, f);
    }
    size_t n = name == NULL
                   ? (size_t)snprintf(known, sizeof known, "\"mechanism\" must name a type")
                   : (size_t)snprintf(known, sizeof known, "unknown mechanism '%.40s'", name);
    n += (size_t)snprintf(known + n, sizeof known - n, "; known are ");
    for (size_t i = 0; n < sizeof known && item_type_at(type, queries, i); i++)
        n += (size_t)snprintf(known + n, sizeof known - n, "%s%s", i > 0 ? ", " : "", type->name);
    return item_fail(it, index, known, f);
}

static bool item_field(item *it, json field, size_t index, const item_type *type, fault *f)
{
    char where[ITEM_WHERE], near[NEAR_ROOM];
    const char *text = json_text(field);
    const char **slot = strcmp(json_key(field), "epsilon") == 0 ? &it->epsilon
                        : strcmp(json_key(field), "delta") == 0 ? &it->delta
                        : strcmp(json_key(field), "times") == 0 ? &it->times
                        : strcmp(json_key(field), "name") == 0  ? &it->name
                                                                : NULL;
    bool own = item_type_is_described(type) && slot != &it->times && slot != &it->name;
    bool remark = item_is_remark(json_key(field));
    if (!remark && (own || strcmp(json_key(field), "mechanism") == 0))
        return true; /* read with the fields of its command */
    bool named = slot == &it->name && json_kind_of(field) == JSON_NUMBER;
    if (!remark && slot != NULL && text != NULL && !named) {
        *slot = text;
        return true;
    }
    item_where(where, it, index);
    if (remark)
        return item_check_remark(field, where, f);
    if (slot == NULL && item_field_near(near, type, json_key(field)))
        fault_set(f, where, "unknown field \"%.40s\"; did you mean %s?", json_key(field), near);
    else if (slot == NULL)
        fault_set(f, where,
                  "unknown field \"%.40s\"; known are name, mechanism, epsilon, delta, "
                  "times",
                  json_key(field));
    else if (text == NULL)
        fault_set(f, where, "\"%s\" must be a number or a string", json_key(field));
    else
        fault_set(f, where, "\"name\" must be a string");
    return false;
}

bool item_read(item *it, const command *const *queries, json object, size_t line, size_t index,
               fault *f)
{
    item_type type;
    *it = (item){.entry = object, .line = line};
    if (!entry_type(&type, queries, object, it, index, f))
        return false;
    if (item_type_is_described(&type))
        it->source = object;
    for (json field = json_first(object); json_exists(field); field = json_next(field))
        if (!item_field(it, field, index, &type, f))
            return false;
    if (it->delta != NULL && !item_type_is_described(&type) &&
        item_type_field(&type, "delta") == NULL) {
        char what[100];
        snprintf(what, sizeof what, "a %.40s mechanism has no delta", type.name);
        return item_fail(it, index, what, f);
    }
    const char *date = json_text(json_find(object, "date"));
    if (date != NULL)
        date_read(it->day, date);
    return true;
}

bool cells_find(json *cells, const item *it, const char *where, fault *f)
{
    *cells = json_find(it->source, ITEM_CELLS);
    for (json field = json_first(it->source); json_exists(field); field = json_next(field)) {
        const char *key = json_key(field);
        bool named = parameter_is_named(&cells_partition, key);
        if (named && json_kind_of(field) != JSON_STRING) {
            fault_set(f, where, "\"partition\" must be a string");
            return false;
        }
        if (!named && strcmp(key, ITEM_CELLS) != 0 && strcmp(key, "mechanism") != 0 &&
            strcmp(key, "name") != 0 && strcmp(key, item_times.name) != 0 && !item_is_remark(key))
            return item_unknown_field(&item_parallel, key, where, f);
    }
    bool ok = json_kind_of(*cells) == JSON_ARRAY && json_exists(json_first(*cells));
    for (json c = ok ? json_first(*cells) : (json){0}; ok && json_exists(c); c = json_next(c))
        ok = json_kind_of(c) == JSON_ARRAY;
    if (!ok)
        fault_set(f, where,
                  "needs \"cells\", an array with an array of mechanisms for each group of data");
    return ok;
}

bool cells_read(item *it, const command *const *queries, json object, size_t index, fault *f)
{
    char where[ITEM_WHERE];
    *it = (item){0};
    item_where(where, it, index);
    const char *type =
        json_kind_of(object) == JSON_OBJECT ? json_text(json_find(object, "mechanism")) : NULL;
    if (json_kind_of(object) != JSON_OBJECT)
        fault_set(f, where, "must be an object");
    else if (type != NULL && strcmp(type, ITEM_PARALLEL) == 0)
        fault_set(f, where, "is itself of groups: name the smallest groups as cells");
    else
        return item_read(it, queries, object, 0, index, f);
    return false;
}
