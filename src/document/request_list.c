/* SPDX-License-Identifier: MIT */
/* The list of a question: entries from texts and objects, kept for the echo of the input, and what
 * they spend. */
#include <stdio.h>
#include <string.h>

#include "compose/parameters.h"
#include "document/item_types.h"
#include "document/json_read.h"
#include "document/request.h"
#include "num/memory.h"
#include "num/number.h"

bool option_adds(const option *o)
{
    return o->of == &filter_add || o->of == &compose_add;
}

bool args_any_added(const args *a)
{
    for (size_t i = 0; i < a->item_count; i++)
        if (a->items[i].added)
            return true;
    return false;
}

bool item_counts(const item *it)
{
    return !it->added && !it->left_out;
}

static dp_composition *list_of(args *a, bool added, bool left_out)
{
    return left_out ? &a->left_out : added ? &a->added : &a->composition;
}

/* The list that what is read now enters. */
static dp_composition *entered(args *a)
{
    return list_of(a, a->adding, a->leaving);
}

/* Keeps the item for the echo of the input. */
static bool keep_item(args *a, item it, const char *where, fault *f)
{
    item *items = list_grow(a->items, a->item_count, &a->item_room, sizeof *items);
    if (items == NULL) {
        fault_set(f, where, "out of memory");
        return false;
    }
    it.added = a->adding;
    it.left_out = a->leaving;
    a->items = items;
    a->items[a->item_count++] = it;
    return true;
}

bool args_add_item(args *a, item it, fault *f)
{
    char where[ITEM_WHERE];
    item_where(where, &it, a->item_count + 1);
    return (json_exists(it.source) || item_enter_pair(a, entered(a), &it, where, f)) &&
           keep_item(a, it, where, f);
}

bool args_add_object(args *a, json object, size_t index, fault *f)
{
    item it;
    return item_read(&it, a->queries, object, a->lines != NULL ? a->lines[index - 1] : 0, index,
                     f) &&
           args_add_item(a, it, f);
}

static bool add_typed(args *a, const char *text, fault *f)
{
    json_document *d = args_typed_text(a, text, f);
    return d != NULL && args_add_object(a, json_root(d), a->item_count + 1, f);
}

/* Are epsilon below 0.01 and delta not, as where they are given the wrong way round? */
static bool looks_swapped(const dp_composition *list)
{
    const dp_item *last = list->count > 0 ? &list->item[list->count - 1] : NULL;
    mpq_srcptr epsilon = last != NULL ? number_rational(&last->epsilon) : NULL;
    return epsilon != NULL && mpq_sgn(epsilon) > 0 && mpq_cmp_ui(epsilon, 1, 100) < 0 &&
           mpq_cmp_ui(last->delta, 1, 100) >= 0;
}

/* The text is copied, then cut in place. */
bool args_add_item_text(args *a, const char *text, fault *f)
{
    if (strchr(text, ':') != NULL)
        return add_typed(a, text, f);
    char *copy = memory_copy(text);
    if (copy == NULL || !args_own(a, copy)) {
        memory_free(copy);
        fault_set(f, "--mechanism", "out of memory");
        return false;
    }
    char where[80];
    snprintf(where, sizeof where, "mechanism %zu", a->item_count + 1);
    if (!item_text_check(text, a->queries, where, f))
        return false;
    item it = {.epsilon = copy};
    char *cut = strchr(copy, 'x');
    if (cut != NULL) {
        *cut = '\0';
        it.times = cut + 1;
    }
    cut = strchr(copy, ',');
    if (cut != NULL) {
        *cut = '\0';
        it.delta = cut + 1;
    }
    bool ok = args_add_item(a, it, f);
    a->swapped = a->swapped || (ok && it.delta != NULL && looks_swapped(entered(a)));
    return ok;
}

static bool enter(args *a, dp_composition *to, const item *it, size_t index, fault *f)
{
    const char *type =
        json_exists(it->source) ? json_text(json_find(it->source, "mechanism")) : NULL;
    if (type != NULL && strcmp(type, ITEM_PARALLEL) == 0)
        return cells_enter(a, to, it, index, f);
    return item_enter_one(a, to, it, index, f);
}

/* Mechanisms with a source enter when the adjacency of the list is known. */
static bool enter_described(args *a, fault *f)
{
    if (args_value(a, "adjacency") != NULL && args_is(a, "adjacency", "replace-one"))
        a->composition.adjacency = a->added.adjacency = a->left_out.adjacency =
            DP_REPLACE_ONE; /* read only now */
    bool ok = true;
    for (size_t i = 0; ok && i < a->item_count; i++) {
        const item *it = &a->items[i];
        if (json_exists(it->source))
            ok = args_in_time(a, f) && enter(a, list_of(a, it->added, it->left_out), it, i + 1, f);
    }
    return ok;
}

bool args_enter_alone(args *a, dp_composition *to, size_t index, fault *f)
{
    return enter(a, to, &a->items[index], index + 1, f);
}

bool args_set(args *a, const option *o, const char *text, fault *f)
{
    if (o->of->kind != KIND_ITEM)
        return args_set_value(a, o, text, f);
    a->adding = option_adds(o);
    bool ok = args_add_item_text(a, text, f);
    a->adding = false;
    return ok;
}

bool args_finish(args *a, fault *f)
{
    return args_complete(a, f) && enter_described(a, f);
}
