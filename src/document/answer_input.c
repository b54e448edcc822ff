/* SPDX-License-Identifier: MIT */
/* What was asked, as JSON that can be asked again. */
#include <string.h>

#include "catalog/types.h"
#include "compose/parameters.h"
#include "document/answer.h"
#include "document/emit.h"
#include "document/item_types.h"
#include "num/memory.h"

static void put_part(out *o, const char *text, size_t length)
{
    char *part = memory_text(text, length);
    emit_text(o, NULL, part);
    memory_free(part);
}

/* The numbers of a list as they were given. */
static void put_list(out *o, const value *v)
{
    emit_array(o, parameter_key(v->of));
    for (const char *p = v->text; p != NULL;) {
        size_t n = strcspn(p, ",");
        put_part(o, p, n);
        p = p[n] == ',' ? p + n + 1 : NULL;
    }
    emit_array_end(o);
}

/* The same line by line. */
static void put_table(out *o, const value *v)
{
    emit_array(o, parameter_key(v->of));
    for (const char *p = v->text; p != NULL;) {
        size_t line = strcspn(p, ";");
        emit_array(o, NULL);
        for (size_t from = 0; from <= line;) {
            size_t n = strcspn(p + from, ",;");
            put_part(o, p + from, n);
            from += n + 1;
        }
        emit_array_end(o);
        p = p[line] == ';' ? p + line + 1 : NULL;
    }
    emit_array_end(o);
}

/* A single number, where a list is one unless more are given. */
static bool is_one(const value *v)
{
    return v->of->preset != NULL && v->count == 1;
}

static void put_value(out *o, const value *v)
{
    if (v->of->kind == KIND_FLAG)
        emit_bool(o, parameter_key(v->of), true);
    else if (v->of->kind == KIND_LIST_FILE || (v->of->kind == KIND_LIST && !is_one(v)))
        put_list(o, v);
    else if (v->of->kind == KIND_TABLE_FILE)
        put_table(o, v);
    else
        emit_text(o, parameter_key(v->of), v->text);
}

/* Every option in force up to that role, as exact texts. */
static void put_values(out *o, const args *a, role last)
{
    for (size_t i = 0; i < a->count; i++)
        if (a->values[i].text != NULL && a->command->options[i].role <= last)
            put_value(o, &a->values[i]);
}

/* The parameters of a mechanism, read once more. */
static void put_mechanism(out *o, const mechanism_type *type, const item *it, size_t index)
{
    fault f = {0};
    dp_mechanism *m = mechanism_read(type, it, index, &f);
    for (size_t i = 0; m != NULL && i < m->count; i++)
        if (m->given[i].text != NULL)
            put_value(o, &m->given[i]);
    mechanism_free(m);
}

static void put_item(out *o, const command *const *queries, const item *it, size_t index);

/* The lists of mechanisms about groups of data. */
static void put_cells(out *o, const command *const *queries, const item *it)
{
    fault f = {0};
    const char *partition = json_text(json_find(it->source, cells_partition.name));
    if (partition != NULL)
        emit_text(o, cells_partition.name, partition);
    emit_array(o, ITEM_CELLS);
    for (json cell = json_first(json_find(it->source, ITEM_CELLS)); json_exists(cell);
         cell = json_next(cell)) {
        emit_array(o, NULL);
        for (json c = json_first(cell); json_exists(c); c = json_next(c)) {
            item own;
            if (cells_read(&own, queries, c, 1, &f))
                put_item(o, queries, &own, 1);
        }
        emit_array_end(o);
    }
    emit_array_end(o);
}

/* The fields of a mechanism that a command describes, read once more. */
static void put_described(out *o, const command *const *queries, const item *it, size_t index)
{
    const char *type = json_text(json_find(it->source, "mechanism"));
    fault f = {0};
    args own;
    emit_text(o, "mechanism", type);
    if (strcmp(type, ITEM_PARALLEL) == 0) {
        put_cells(o, queries, it);
        return;
    }
    const mechanism_type *known = mechanism_type_find(type);
    if (known != NULL) {
        put_mechanism(o, known, it, index);
        return;
    }
    if (args_init(&own, command_in(queries, type), queries) &&
        args_read_described(&own, it, index, &f)) {
        if (args_number(&own, "base-epsilon") == NULL) { /* of a private learner alone */
            args_forget(&own, "base-delta");
            args_forget(&own, "base-adjacency");
        }
        put_values(o, &own, ROLE_PARAMETER); /* the relation is that of the list */
    }
    args_clear(&own);
}

void put_remarks(out *o, json object)
{
    for (json field = json_first(object); json_exists(field); field = json_next(field))
        if (item_is_remark(json_key(field)))
            emit_member(o, field);
}

static void put_item(out *o, const command *const *queries, const item *it, size_t index)
{
    emit_object(o, NULL);
    if (it->name != NULL)
        emit_text(o, "name", it->name);
    put_remarks(o, it->entry);
    if (json_exists(it->source)) {
        put_described(o, queries, it, index);
    } else {
        emit_text(o, "epsilon", it->epsilon);
        emit_text(o, "delta", it->delta != NULL ? it->delta : "0");
    }
    emit_text(o, "times", it->times != NULL ? it->times : "1");
    emit_object_end(o);
}

static bool is_given(const args *a, const char *name)
{
    const value *v = args_value(a, name);
    return v != NULL && v->given;
}

typedef enum place { LIST, BESIDE, ADDED, PLACES } place;

/* Where days are asked about what stands beside the list, and needs none, goes by another name. */
static place place_of(const item *it, bool days)
{
    return it->added ? ADDED : days && !it->listed ? BESIDE : LIST;
}

/* The items of that place; no key where there are none. What --from and --to leave out stands in
 * the list as they do, else it could not be asked again. */
static void put_items(out *o, const args *a, place at, bool days)
{
    static const char *const key[PLACES] = {"mechanisms", "mechanism", "add"};
    bool open = false;
    for (size_t i = 0; i < a->item_count; i++) {
        if (place_of(&a->items[i], days) != at)
            continue;
        if (!open)
            emit_array(o, key[at]);
        open = true;
        put_item(o, a->queries, &a->items[i], i + 1);
    }
    if (open)
        emit_array_end(o);
}

/* All that makes the answer: under the names that a line of `batch` reads, so that it can be asked
 * again. */
void put_input(out *o, const args *a)
{
    emit_object(o, "input");
    put_remarks(o, a->remarks);
    bool days = is_given(a, "from") || is_given(a, "to");
    if (days)
        put_items(o, a, BESIDE, days);
    put_items(o, a, LIST, days);
    put_items(o, a, ADDED, days);
    put_values(o, a, ROLE_EXTENT);
    emit_object_end(o);
}
