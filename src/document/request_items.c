/* SPDX-License-Identifier: MIT */
/* Items of a list: -m texts and ledger objects to mechanisms. */
#include <stdio.h>
#include <string.h>

#include "catalog/types.h"
#include "compose/parameters.h"
#include "document/item_types.h"
#include "document/json_read.h"
#include "document/request.h"
#include "num/memory.h"
#include "num/number.h"

static void *grow(void *list, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return list;
    size_t more = *room == 0 ? 16 : *room + *room / 2;
    void *grown = memory_grow(list, more, size);
    if (grown != NULL)
        *room = more;
    return grown;
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

dp_composition *args_entered(args *a)
{
    return a->leaving ? &a->left_out : a->adding ? &a->added : &a->composition;
}

static bool add_parsed(args *a, const dp_number *epsilon, const dp_number *delta,
                       const dp_number *times, const char *where, fault *f)
{
    dp_error err = {DP_DOMAIN, item_delta.name, domain_fault(parameter_domain(&item_delta), delta)};
    if (err.message == NULL)
        err = (dp_error){DP_DOMAIN, item_times.name,
                         domain_fault(parameter_domain(&item_times), times)};
    dp_status status = DP_DOMAIN;
    if (err.message == NULL)
        status = dp_composition_add(args_entered(a), epsilon, number_rational(delta),
                                    number_integer(times), &err);
    if (status != DP_OK)
        fault_set(f, where, "%s %s", err.argument, err.message);
    return status == DP_OK;
}

/* Keeps the item for the echo of the input. */
static bool keep_item(args *a, item it, const char *where, fault *f)
{
    item *items = grow(a->items, a->item_count, &a->item_room, sizeof *items);
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

void item_where(char where[ITEM_WHERE], const item *it, size_t index)
{
    strcpy(where, it->line > 0 ? "line " : "mechanism ");
    char digits[24], *at = digits + sizeof digits - 1;
    *at = '\0';
    for (size_t n = it->line > 0 ? it->line : index; n > 0 || *at == '\0'; n /= 10)
        *--at = (char)('0' + n % 10);
    strcat(where, at);
}

/* args_part of the number that has been read at that place of an item before, if it is the same. */
static const dp_number *read_again(args *a, size_t place, const char *where, const parameter *of,
                                   const char *text, fault *f)
{
    known_part *part = &a->known->part[place];
    size_t n = strlen(text) + 1;
    if (n > 1 && n <= sizeof part->text && memcmp(part->text, text, n) == 0)
        return &part->number;
    part->text[0] = '\0';
    if (!args_part(&part->number, where, of, text, f))
        return NULL;
    if (n <= sizeof part->text)
        memcpy(part->text, text, n);
    return &part->number;
}

/* A pair of epsilon and delta. */
static bool enter_pair(args *a, const item *it, const char *where, fault *f)
{
    if (it->epsilon == NULL) {
        fault_set(f, where, "epsilon is missing");
        return false;
    }
    const dp_number *epsilon = read_again(a, 0, where, &item_epsilon, it->epsilon, f);
    const dp_number *delta = NULL, *times = NULL;
    if (epsilon != NULL)
        delta = read_again(a, 1, where, &item_delta, it->delta != NULL ? it->delta : "0", f);
    if (delta != NULL)
        times = read_again(a, 2, where, &item_times, it->times != NULL ? it->times : "1", f);
    return times != NULL && add_parsed(a, epsilon, delta, times, where, f);
}

bool args_add_item(args *a, item it, fault *f)
{
    char where[ITEM_WHERE];
    item_where(where, &it, a->item_count + 1);
    return (json_exists(it.source) || enter_pair(a, &it, where, f)) && keep_item(a, it, where, f);
}

bool item_unknown_field(const item_type *type, const char *key, const char *where, fault *f)
{
    char near[NEAR_ROOM];
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

static bool is_own_field(const char *key)
{
    return strcmp(key, "mechanism") != 0 && strcmp(key, "name") != 0 &&
           strcmp(key, item_times.name) != 0 && !item_is_remark(key);
}

bool args_read_described(args *own, const item *it, size_t index, fault *f)
{
    char where[ITEM_WHERE];
    bool ok = true;
    item_where(where, it, index);
    for (json field = json_first(it->source); ok && json_exists(field); field = json_next(field)) {
        if (!is_own_field(json_key(field)))
            continue;
        const option *o = option_find(own->command, json_key(field));
        if (o == NULL || !option_describes(o)) {
            item_type type;
            item_type_of_command(&type, own->command);
            return item_unknown_field(&type, json_key(field), where, f);
        }
        ok = args_set_field(own, o, field, f);
    }
    if (ok && args_finish(own, f))
        return true;
    char what[sizeof f->what];
    snprintf(what, sizeof what, "%.80s: %.300s", f->where, f->what);
    fault_set(f, where, "%s", what);
    return false;
}

/* Is the item stated for the relation of the list? */
static bool same_relation(args *own, const args *list, const char *where, fault *f)
{
    const value *mine = args_value(own, "adjacency"), *theirs = args_value(list, "adjacency");
    const char *relation = theirs != NULL ? theirs->text : "add-remove";
    if (mine == NULL || strcmp(mine->text, relation) == 0)
        return true;
    if (!mine->given)
        return args_set(own, option_find(own->command, "adjacency"), relation, f);
    fault_set(f, where,
              "is stated for %s adjacency, the list for %s: mechanisms for different relations do "
              "not compose",
              mine->text, relation);
    return false;
}

static bool enter(args *a, const item *it, size_t index, fault *f)
{
    char where[ITEM_WHERE];
    item_where(where, it, index);
    const char *type = json_text(json_find(it->source, "mechanism"));
    if (strcmp(type, ITEM_PARALLEL) == 0)
        return cells_enter(a, it, index, f);
    const mechanism_type *known = mechanism_type_find(type);
    if (known != NULL)
        return mechanism_enter(a, known, it, index, f);
    args own;
    dp_number times;
    dp_number_init(&times);
    dp_number_set_ui(&times, 1);
    bool ok = args_init(&own, command_in(a->queries, type), a->queries) &&
              args_read_described(&own, it, index, f) && same_relation(&own, a, where, f) &&
              (it->times == NULL || args_part(&times, where, &item_times, it->times, f));
    if (ok) {
        dp_error err = {DP_DOMAIN, item_times.name,
                        domain_fault(parameter_domain(&item_times), &times)};
        size_t digits = mpz_get_ui(number_integer(args_number(a, "digits")));
        ok = err.message == NULL &&
             own.command->describe(args_entered(a), &own, number_integer(&times), digits, &err) ==
                 DP_OK;
        if (!ok)
            fault_set(f, where, "%s %s", err.argument, err.message);
    }
    dp_number_clear(&times);
    args_clear(&own);
    return ok;
}

bool args_enter_described(args *a, fault *f)
{
    if (args_value(a, "adjacency") != NULL && args_is(a, "adjacency", "replace-one"))
        a->composition.adjacency = a->added.adjacency = a->left_out.adjacency =
            DP_REPLACE_ONE; /* read only now */
    bool ok = true;
    for (size_t i = 0; ok && i < a->item_count; i++) {
        a->adding = a->items[i].added;
        a->leaving = a->items[i].left_out;
        if (json_exists(a->items[i].source))
            ok = args_in_time(a, f) && enter(a, &a->items[i], i + 1, f);
    }
    a->adding = a->leaving = false;
    return ok;
}

bool args_enter_into(args *a, dp_composition *to, const item *it, size_t index, fault *f)
{
    char where[ITEM_WHERE];
    item_where(where, it, index);
    dp_composition all = a->composition;
    bool adding = a->adding, leaving = a->leaving;
    a->adding = a->leaving = false;
    a->composition = *to;
    bool ok = json_exists(it->source) ? enter(a, it, index, f) : enter_pair(a, it, where, f);
    *to = a->composition;
    a->composition = all;
    a->adding = adding;
    a->leaving = leaving;
    return ok;
}

bool args_enter_alone(args *a, dp_composition *to, size_t index, fault *f)
{
    return args_enter_into(a, to, &a->items[index], index + 1, f);
}

bool args_own(args *a, char *text)
{
    char **owned = grow(a->owned, a->owned_count, &a->owned_room, sizeof *owned);
    if (owned == NULL)
        return false;
    a->owned = owned;
    a->owned[a->owned_count++] = text;
    return true;
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

/* EPS[,DELTA][xTIMES]: the text is copied, then cut in place. */
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
    a->swapped = a->swapped || (ok && it.delta != NULL && looks_swapped(args_entered(a)));
    return ok;
}
