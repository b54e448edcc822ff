/* SPDX-License-Identifier: MIT */
/* JSON objects as input: the lines of `batch` and ledgers. Fields have the names of the options. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "compose/parameters.h"
#include "document/elsewhere.h"
#include "document/item_types.h"
#include "document/json_read.h"
#include "document/parameters.h"
#include "document/request.h"

static bool unknown_field(const args *a, const char *key, fault *f)
{
    char shown[64], near[NEAR_ROOM];
    const char *note = elsewhere_note(a->command->name, key);
    snprintf(shown, sizeof shown, "%.60s", key);
    if (option_find(a->command, key) != NULL)
        fault_set(f, shown, "is asked with the question, and not kept in a ledger");
    else if (note != NULL)
        fault_set(f, shown, "unknown field of '%s'; %s", a->command->name, note);
    else if (option_near(near, a->command, a->queries, key, true))
        fault_set(f, shown, "unknown field; did you mean %s?", near);
    else
        fault_set(f, shown, "unknown field of '%s'", a->command->name);
    return false;
}

static bool is_reserved(const char *key)
{
    return strcmp(key, "mechanisms") == 0 || strcmp(key, "command") == 0 ||
           strcmp(key, "id") == 0 || item_is_remark(key);
}

/* The parser refuses a key that stands twice; two names of one option are the same. Where the
 * command does not know a field it may be an option of `other`. */
static bool find_aliases(json object, const command *c, const command *other, fault *f)
{
    for (json field = json_first(object); json_exists(field); field = json_next(field)) {
        const option *o = option_find(c, json_key(field));
        const command *owner = o != NULL ? c : other;
        if (o == NULL && other != NULL)
            o = option_find(other, json_key(field));
        if (o == NULL && !is_reserved(json_key(field)))
            return false; /* reading it reports it; so no field is compared with many */
        for (json p = json_first(object); o != NULL && p.at != field.at; p = json_next(p))
            if (option_find(owner, json_key(p)) == o) {
                fault_set(f, json_key(field), "is given twice, first as \"%.60s\"; give it once",
                          json_key(p));
                return true;
            }
    }
    return false;
}

/* The same where there is no other command, but for the search for those that there seldom are. */
static bool has_aliases(args *a, json object, fault *f)
{
    uint64_t given = 0;
    size_t place = 0;
    for (json field = json_first(object); json_exists(field); field = json_next(field)) {
        const option *o = args_option(a, place++, json_key(field));
        if (o == NULL && !is_reserved(json_key(field)))
            return false;
        size_t bit = o != NULL ? (size_t)(o - a->command->options) : 0;
        if (o != NULL && (bit >= 64 || (given >> bit & 1) != 0))
            return find_aliases(object, a->command, NULL, f);
        given |= o != NULL ? UINT64_C(1) << bit : 0;
    }
    return false;
}

/* Texts, or objects as a list has them. */
static bool set_items(args *a, const option *o, json array, fault *f)
{
    bool ok = true;
    for (json c = json_first(array); ok && json_exists(c); c = json_next(c)) {
        const char *text = json_text(c);
        a->adding = option_adds(o);
        if (json_kind_of(c) == JSON_OBJECT)
            ok = args_add_object(a, c, a->item_count + 1, f);
        else if (text != NULL)
            ok = args_add_item_text(a, text, f);
        a->adding = false;
        if (text != NULL || json_kind_of(c) == JSON_OBJECT)
            continue;
        fault_set(f, json_key(array), "must hold strings such as \"0.1,1e-6x35\", or objects");
        return false;
    }
    return ok;
}

static bool set_field(args *a, const option *o, json field, bool weak, fault *f)
{
    if (o->of->kind != KIND_ITEM)
        return args_set_field(a, o, field, weak, f);
    if (json_kind_of(field) == JSON_ARRAY)
        return set_items(a, o, field, f);
    const char *text = json_text(field);
    if (text == NULL)
        fault_set(f, json_key(field), "must be a number or a string");
    return text != NULL && args_set(a, o, text, f);
}

/* Items read between two looks at the clock. */
#define ITEMS_BETWEEN 256

/* Is the entry of another day than was asked about? */
static bool is_left_out(const args *a, json entry, bool *dated)
{
    char day[DATE_ROOM] = "";
    const value *from = args_value(a, "from"), *to = args_value(a, "to");
    bool first = from != NULL && from->given, last = to != NULL && to->given;
    const char *date = json_text(json_find(entry, "date"));
    *dated = (date != NULL && date_read(day, date)) || !(first || last);
    return *dated && ((first && strncmp(day, from->text, DATE_ROOM - 1) < 0) ||
                      (last && strncmp(day, to->text, DATE_ROOM - 1) > 0));
}

/* An entry of a list, which --from and --to may leave out. */
static bool read_entry(args *a, json entry, size_t index, fault *f)
{
    bool dated;
    a->leaving = is_left_out(a, entry, &dated);
    bool ok = args_add_object(a, entry, index, f);
    a->leaving = false;
    if (!ok)
        return false;
    item *it = &a->items[a->item_count - 1];
    it->listed = true;
    return dated ||
           item_fail(it, index, "has no date, which --from and --to need of every entry", f);
}

static bool read_items(args *a, json list, fault *f)
{
    if (json_kind_of(list) != JSON_ARRAY) {
        fault_set(f, "mechanisms", "must be an array of objects");
        return false;
    }
    size_t index = 0;
    for (json c = json_first(list); json_exists(c); c = json_next(c)) {
        index++;
        if (json_kind_of(c) != JSON_OBJECT) {
            fault_set(f, "mechanisms", "entry %zu must be an object", index);
            return false;
        }
        if (!read_entry(a, c, index, f) || (index % ITEMS_BETWEEN == 0 && !args_in_time(a, f)))
            return false;
    }
    return true;
}

static bool is_item_list(const args *a, const char *key)
{
    return a->command->takes_items && strcmp(key, "mechanisms") == 0;
}

/* An answer to an object is JSON, and not read by a shell. */
static bool has_form(const option *o, json field, fault *f)
{
    const char *text = json_text(field);
    bool format = o->of == &output_format, quiet = o->of == &output_quiet || o->of == &output_help;
    if (!format && !quiet && o->of != &output_plot && o->of != &output_plot_data)
        return true;
    if (format ? text != NULL && strcmp(text, "json") == 0 : json_kind_of(field) == JSON_FALSE)
        return true;
    fault_set(f, json_key(field),
              "is of the command line; a line is answered in JSON, leave it out");
    return false;
}

bool args_read_object(args *a, json object, fault *f)
{
    if (has_aliases(a, object, f))
        return false;
    json list = {0}; /* read last, under what stands beside it */
    size_t place = 0;
    a->remarks = object;
    for (json field = json_first(object); json_exists(field); field = json_next(field), place++) {
        if (strcmp(json_key(field), "command") == 0 || strcmp(json_key(field), "id") == 0)
            continue;
        if (item_is_remark(json_key(field))) {
            if (!item_check_remark(field, "", f))
                return false;
            continue;
        }
        if (is_item_list(a, json_key(field)) && json_kind_of(field) == JSON_ARRAY) {
            list = field;
            continue;
        }
        const option *o = args_option(a, place, json_key(field));
        if (o == NULL)
            return unknown_field(a, json_key(field), f);
        if (!has_form(o, field, f) || !set_field(a, o, field, false, f))
            return false;
    }
    return !json_exists(list) || read_items(a, list, f);
}

/* A field that changes what the list means may not be passed over. */
static bool may_pass(const args *a, const option *known, json field, fault *f)
{
    const char *text = json_text(field);
    const char *harmless = known->of == &list_group_size              ? "1"
                           : known->of != &compose_adaptive           ? NULL
                           : option_find(a->command, "order") != NULL ? "parameters" /* filter */
                                                                      : "mechanisms";
    if (harmless == NULL || (text != NULL && strcmp(text, harmless) == 0))
        return true;
    fault_set(f, json_key(field), "is not known to '%s', whose figures would be about another list",
              a->command->name);
    return false;
}

/* The target of a ledger is a half of its budget too, and stays that beside a target of the command
 * line, which says nothing about budgets. */
static bool keep_budget(args *a, json field, const char *half, const char *other, fault *f)
{
    const option *o = option_find(a->command, half);
    const value *rest = args_value(a, other);
    return o == NULL || rest == NULL || !rest->given || set_field(a, o, field, true, f);
}

static bool keep_budgets(args *a, json ledger, fault *f)
{
    bool ok = true;
    for (json field = json_first(ledger); ok && json_exists(field); field = json_next(field)) {
        const option *o = option_find(a->command, json_key(field));
        if (o == NULL || args_value(a, o->of->name)->given)
            continue;
        if (o->of == &compose_target_delta)
            ok = keep_budget(a, field, "max-delta", "max-epsilon", f);
        else if (o->of == &compose_target_epsilon)
            ok = keep_budget(a, field, "max-epsilon", "max-delta", f);
    }
    return ok;
}

bool args_read_ledger(args *a, json_document document, fault *f)
{
    a->ledger = document;
    json ledger = json_root(&a->ledger);
    if (json_kind_of(ledger) != JSON_OBJECT) {
        fault_set(f, a->operand, "a ledger must be a JSON object with \"mechanisms\"");
        return false;
    }
    if (find_aliases(ledger, a->command, command_in(a->queries, "compose"), f))
        return false;
    bool list = false;
    a->remarks = ledger;
    for (json field = json_first(ledger); json_exists(field); field = json_next(field)) {
        if (item_is_remark(json_key(field))) {
            if (!item_check_remark(field, "", f))
                return false;
            continue;
        }
        if (strcmp(json_key(field), "mechanisms") == 0) {
            list = true;
            if (!read_items(a, field, f))
                return false;
            continue;
        }
        const option *o = option_find(a->command, json_key(field));
        const option *known = option_find(command_in(a->queries, "compose"), json_key(field));
        if (known != NULL && known->single) {
            fault_set(f, json_key(field), "is of one mechanism: it belongs in \"mechanisms\"");
            return false;
        }
        if (o == NULL && known != NULL && known->role <= ROLE_CHECK) {
            if (!may_pass(a, known, field, f))
                return false;
            continue; /* a target or budget that this command has no use for */
        }
        if (o == NULL || !option_may_be_stored(o))
            return unknown_field(a, json_key(field), f);
        if (!set_field(a, o, field, true, f))
            return false;
    }
    if (!list)
        fault_set(f, a->operand, "a ledger needs \"mechanisms\", an array of objects");
    return list && keep_budgets(a, ledger, f);
}
