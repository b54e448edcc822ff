/* SPDX-License-Identifier: MIT */
/* One entry enters a list of mechanisms: as a pair, or as what its type or a command describes. */
#include <stdio.h>
#include <string.h>

#include "catalog/types.h"
#include "compose/parameters.h"
#include "document/item_types.h"
#include "document/json_read.h"
#include "document/request.h"
#include "num/number.h"

static bool add_parsed(dp_composition *to, const dp_number *epsilon, const dp_number *delta,
                       const dp_number *times, const char *where, fault *f)
{
    dp_error err = {DP_DOMAIN, item_delta.name, domain_fault(parameter_domain(&item_delta), delta)};
    if (err.message == NULL)
        err = (dp_error){DP_DOMAIN, item_times.name,
                         domain_fault(parameter_domain(&item_times), times)};
    dp_status status = DP_DOMAIN;
    if (err.message == NULL)
        status =
            dp_composition_add(to, epsilon, number_rational(delta), number_integer(times), &err);
    if (status != DP_OK)
        fault_set(f, where, "%s %s", err.argument, err.message);
    return status == DP_OK;
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

/* A word in place of epsilon: a type that has nothing behind it, or what is near one. */
static bool is_word(const char *text, const args *a, const char *where, fault *f)
{
    item_type t;
    char near[NEAR_ROOM];
    if (item_type_find(&t, a->queries, text) && t.cells)
        fault_set(f, where, "'%.40s' holds cells, and stands in ledgers alone", text);
    else if (item_type_find(&t, a->queries, text) && t.fields[0].of != NULL)
        fault_set(f, where, "'%.40s' lacks its parameters; did you mean %s:%s=...?", text, t.name,
                  option_key(&t.fields[0]));
    else if (item_type_near(near, a->queries, text))
        fault_set(f, where, "'%.40s' is not a mechanism; %s", text, near);
    else
        return false;
    return true;
}

/* A pair of epsilon and delta. */
bool item_enter_pair(args *a, dp_composition *to, const item *it, const char *where, fault *f)
{
    if (it->epsilon == NULL) {
        fault_set(f, where, "epsilon is missing");
        return false;
    }
    const dp_number *epsilon = read_again(a, 0, where, &item_epsilon, it->epsilon, f);
    const dp_number *delta = NULL, *times = NULL;
    if (epsilon == NULL && is_word(it->epsilon, a, where, f)) /* and no number */
        return false;
    if (epsilon != NULL)
        delta = read_again(a, 1, where, &item_delta, it->delta != NULL ? it->delta : "0", f);
    if (delta != NULL)
        times = read_again(a, 2, where, &item_times, it->times != NULL ? it->times : "1", f);
    return times != NULL && add_parsed(to, epsilon, delta, times, where, f);
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
        ok = args_set_field(own, o, field, false, f);
    }
    if (ok && args_complete(own, f))
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
        return args_set_value(own, option_find(own->command, "adjacency"), relation, f);
    fault_set(f, where,
              "is stated for %s adjacency, the list for %s: mechanisms for different relations do "
              "not compose",
              mine->text, relation);
    return false;
}

bool item_enter_one(args *a, dp_composition *to, const item *it, size_t index, fault *f)
{
    char where[ITEM_WHERE];
    item_where(where, it, index);
    if (!json_exists(it->source))
        return item_enter_pair(a, to, it, where, f);
    const char *type = json_text(json_find(it->source, "mechanism"));
    const mechanism_type *known = mechanism_type_find(type);
    if (known != NULL)
        return mechanism_enter(to, known, it, index, f);
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
             own.command->describe(to, &own, number_integer(&times), digits, &err) == DP_OK;
        if (!ok)
            fault_set(f, where, "%s %s", err.argument, err.message);
    }
    dp_number_clear(&times);
    args_clear(&own);
    return ok;
}
