/* SPDX-License-Identifier: MIT */
/* The values of options: read from text by kind and domain, presets, rules between options. */
#include "document/request.h"

#include "document/escape.h"
#include "document/near.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/quantity.h"
#include "num/limits.h"
#include "num/memory.h"
#include "num/number.h"

void fault_set(fault *f, const char *where, const char *format, ...)
{
    char what[sizeof f->what];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    escape_text(f->where, sizeof f->where, where);
    escape_text(f->what, sizeof f->what, what);
}

/* All but the values. */
static void start(args *a, const command *c, const command *const *queries)
{
    memset(a, 0, sizeof *a);
    a->command = c;
    a->queries = queries;
    a->began = limits_clock();
    dp_composition_init(&a->composition);
    dp_composition_init(&a->added);
    dp_composition_init(&a->left_out);
}

bool args_init(args *a, const command *c, const command *const *queries)
{
    start(a, c, queries);
    size_t n = 0;
    while (c->options[n].of != NULL)
        n++;
    a->known = memory_zero(1, sizeof *a->known);
    a->values = memory_zero(n, sizeof *a->values);
    for (size_t i = 0; a->known != NULL && i < 3; i++)
        dp_number_init(&a->known->part[i].number);
    if (a->values == NULL || a->known == NULL)
        return false;
    for (; a->count < n; a->count++)
        value_init(&a->values[a->count], c->options[a->count].of);
    return true;
}

static void drop_rest(args *a)
{
    memory_free(a->items);
    memory_free(a->point);
    for (size_t i = 0; i < a->owned_count; i++)
        memory_free(a->owned[i]);
    memory_free(a->owned);
    dp_composition_clear(&a->composition);
    dp_composition_clear(&a->added);
    dp_composition_clear(&a->left_out);
    json_clear(&a->ledger);
    memory_free(a->lines);
    for (size_t i = 0; i < a->typed_count; i++) {
        json_clear(a->typed[i]);
        memory_free(a->typed[i]);
    }
    memory_free(a->typed);
}

void args_clear(args *a)
{
    for (size_t i = 0; i < a->count; i++)
        value_clear(&a->values[i]);
    memory_free(a->values);
    for (size_t i = 0; a->known != NULL && i < 3; i++)
        dp_number_clear(&a->known->part[i].number);
    memory_free(a->known);
    drop_rest(a);
}

bool args_again(args *a, const command *c, const command *const *queries)
{
    if (a->command == c && a->count > 0) {
        a->began = limits_clock();
        return true;
    }
    if (a->command != NULL)
        args_clear(a);
    return args_init(a, c, queries);
}

void args_rest(args *a)
{
    drop_rest(a);
    value *values = a->values;
    known_names *known = a->known;
    size_t count = a->count;
    start(a, a->command, a->queries);
    a->values = values;
    a->known = known;
    a->count = count;
    for (size_t i = 0; i < count; i++)
        value_again(&values[i]);
    for (size_t i = 0; known != NULL && i < 3; i++)
        if (known->part[i].text[0] == '\0') { /* it may be long */
            dp_number_clear(&known->part[i].number);
            dp_number_init(&known->part[i].number);
        }
}

void *list_grow(void *list, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return list;
    size_t more = *room == 0 ? 16 : *room + *room / 2;
    void *grown = memory_grow(list, more, size);
    if (grown != NULL)
        *room = more;
    return grown;
}

bool args_own(args *a, char *text)
{
    char **owned = list_grow(a->owned, a->owned_count, &a->owned_room, sizeof *owned);
    if (owned == NULL)
        return false;
    a->owned = owned;
    a->owned[a->owned_count++] = text;
    return true;
}

const option *args_option(args *a, size_t place, const char *key)
{
    size_t n = strlen(key) + 1;
    if (place >= KEYS_KNOWN || n > KEY_BYTES)
        return option_find(a->command, key);
    if (memcmp(a->known->field[place].key, key, n) != 0) {
        memcpy(a->known->field[place].key, key, n);
        a->known->field[place].of = option_find(a->command, key);
    }
    return a->known->field[place].of;
}

static size_t place_of(const args *a, const char *name)
{
    for (size_t i = 0; i < a->count; i++)
        if (a->values[i].of->name[0] == name[0] && strcmp(a->values[i].of->name, name) == 0)
            return i;
    return NO_VALUE;
}

static value *find_value(const args *a, const char *name)
{
    size_t slot = (uint32_t)(uintptr_t)name * UINT32_C(2654435761) >> 16 & (NAMES_KNOWN - 1);
    for (size_t i = 0; i < NAMES_TRIED && a->known->value[slot].name != name; i++) {
        if (a->known->value[slot].name == NULL || i == NAMES_TRIED - 1) {
            a->known->value[slot].name = name;
            a->known->value[slot].place = (unsigned char)place_of(a, name);
            break;
        }
        slot = (slot + 1) % NAMES_KNOWN;
    }
    size_t place = a->known->value[slot].place;
    return place != NO_VALUE ? &a->values[place] : NULL;
}

const value *args_value_named(const args *a, const char *name)
{
    size_t place = place_of(a, name);
    return place != NO_VALUE ? &a->values[place] : NULL;
}

const value *args_value(const args *a, const char *name)
{
    return find_value(a, name);
}

bool args_flag(const args *a, const char *name)
{
    const value *v = find_value(a, name);
    return v != NULL && v->given;
}

const dp_number *args_number(const args *a, const char *name)
{
    const value *v = find_value(a, name);
    return v != NULL && v->text != NULL ? &v->number : NULL;
}

double args_time_left(const args *a)
{
    const value *v = find_value(a, "max-time");
    if (v == NULL)
        return HUGE_VAL;
    dp_number preset;
    dp_number_init(&preset);
    if (v->text == NULL)
        dp_number_parse(&preset, v->of->preset, strlen(v->of->preset), NULL);
    double seconds = mpq_get_d(number_rational(v->text != NULL ? &v->number : &preset));
    dp_number_clear(&preset);
    return a->began + seconds - limits_clock();
}

void args_limit_memory(const args *a)
{
    mpz_srcptr n = number_integer(args_number(a, "max-memory"));
    if (a->limit_memory != NULL && n != NULL && mpz_fits_ulong_p(n))
        a->limit_memory(mpz_get_ui(n));
}

bool args_in_time(args *a, fault *f)
{
    if (args_time_left(a) > 0)
        return true;
    a->late = true;
    fault_set(f, "", "the time limit was met before all mechanisms were read; raise it");
    return false;
}

const mpq_t *args_list(const args *a, const char *name, size_t *count)
{
    const value *v = find_value(a, name);
    *count = v != NULL && v->text != NULL ? v->count : 0;
    return *count > 0 ? (const mpq_t *)v->list : NULL;
}

const dp_number *args_numbers(const args *a, const char *name, size_t *count)
{
    const value *v = find_value(a, name);
    *count = v != NULL && v->text != NULL ? v->count : 0;
    return *count > 0 ? v->numbers : NULL;
}

const mpq_t *args_table(const args *a, const char *name, size_t *count, size_t *columns)
{
    const value *v = find_value(a, name);
    *columns = v != NULL && v->text != NULL ? v->columns : 0;
    return args_list(a, name, count);
}

const dp_number *args_second(const args *a, const char *name)
{
    const value *v = find_value(a, name);
    return v != NULL && v->text != NULL ? &v->second : NULL;
}

bool args_is(const args *a, const char *name, const char *choice)
{
    const value *v = find_value(a, name);
    return v != NULL && v->text != NULL && strcmp(v->text, choice) == 0;
}

void args_forget(args *a, const char *name)
{
    value *v = find_value(a, name);
    if (v != NULL && !v->given)
        value_forget(v);
}

/* Long literals are named, not repeated, in messages. */
void value_says(char *to, size_t size, const value_fault *v)
{
    bool whole = v->length <= 60, meant = v->meant.instead[0] != '\0' && v->meant.message != NULL;
    snprintf(to, size, "'%.*s' %.*s%s%s", whole ? (int)v->length : 17,
             whole ? v->part : "(a long literal)",
             meant ? (int)v->meant.what : (int)strlen(v->message),
             meant ? v->meant.message : v->message, meant ? "; write " : "",
             meant ? v->meant.instead : "");
}

bool fault_value(fault *f, const char *where, const value_fault *v)
{
    char what[sizeof f->what], near[NEAR_ROOM];
    if (v->part == NULL) {
        fault_set(f, where, "%s", v->message);
        return false;
    }
    value_says(what, sizeof what, v);
    if (v->choices != NULL && near_choice(near, v->part, v->choices))
        fault_set(f, where, "%s %s; did you mean %s?", what, v->choices, near);
    else
        fault_set(f, where, "%s%s%s", what, v->choices != NULL ? " " : "",
                  v->choices != NULL ? v->choices : "");
    return false;
}

static void name_option(char *where, size_t size, const option *o)
{
    snprintf(where, size, "--%s", o->of->name);
}

void args_forget_weak(args *a, const char *name)
{
    value *v = find_value(a, name);
    if (v->weak)
        value_forget(v);
}

void args_move(args *a, const char *from, const char *to)
{
    value *source = find_value(a, from), *target = find_value(a, to);
    if (!target->given)
        value_move(target, source);
    else
        value_forget(source);
    target->weak = false;
}

static bool set_value(value *v, const option *o, const char *text, fault *f)
{
    char where[80];
    value_fault wrong;
    if (value_set(v, text, &wrong) == DP_OK)
        return true;
    name_option(where, sizeof where, o);
    return fault_value(f, where, &wrong);
}

/* A list that is given again grows. */
static bool append(value *v, const option *o, const char *text, fault *f)
{
    size_t size = strlen(v->text) + strlen(text) + 2;
    char *both = memory_new(size, 1);
    if (both != NULL)
        snprintf(both, size, "%s,%s", v->text, text);
    else
        fault_set(f, o->of->name, "out of memory");
    bool ok = both != NULL && set_value(v, o, both, f);
    memory_free(both);
    return ok;
}

bool args_set_value(args *a, const option *o, const char *text, fault *f)
{
    char where[80];
    value *v = &a->values[o - a->command->options];
    if (v->given && o->repeats && o->of->kind == KIND_LIST)
        return append(v, o, text, f);
    if (!v->given || o->of->kind == KIND_FLAG)
        return set_value(v, o, text, f);
    name_option(where, sizeof where, o);
    fault_set(f, where, "is given twice; give it once");
    return false;
}

/* What the ledger says where the command line says another thing. */
static bool fail_relation(const value *v, const option *o, const char *text, fault *f)
{
    value ledger;
    value_init(&ledger, v->of);
    if (set_value(&ledger, o, text, f))
        fault_set(f, option_key(o),
                  "is %s in the ledger and %s on the command line: what is private under one "
                  "relation need not be under the other",
                  text, v->text);
    value_clear(&ledger);
    return false;
}

/* How many options of the rule were given, `strong`: by the command line? */
static size_t count_given(const args *a, const char *names, bool strong)
{
    size_t given = 0;
    for (size_t i = 0; i < a->count; i++) {
        if (!a->values[i].given)
            continue;
        const char *name = a->values[i].of->name;
        size_t n = strlen(name);
        for (const char *p = strstr(names, name); p != NULL; p = strstr(p + 1, name))
            if ((p == names || p[-1] == '|') && (p[n] == '\0' || p[n] == '|'))
                given += !(strong && a->values[i].weak);
    }
    return given;
}

/* Is the option in a rule? Looked up once. */
static bool is_ruled(const args *a, size_t i)
{
    if (i >= NAMES_KNOWN)
        return true;
    if (a->known->ruled[i] == RULED_UNKNOWN) {
        bool in = false;
        for (const rule *r = a->command->rules; r != NULL && r->options != NULL; r++)
            in = in || names_hold(r->options, a->values[i].of->name);
        a->known->ruled[i] = in ? RULED_YES : RULED_NO;
    }
    return a->known->ruled[i] == RULED_YES;
}

/* Does the command line give an option that excludes this one? */
static bool is_excluded(const args *a, const option *o)
{
    for (const rule *r = a->command->rules; r != NULL && r->options != NULL; r++)
        if (names_hold(r->options, o->of->name) && count_given(a, r->options, true) > 0)
            return true;
    return false;
}

bool args_set_weak(args *a, const option *o, const char *text, fault *f)
{
    value *v = &a->values[o - a->command->options];
    if (v->given && o->role == ROLE_RELATION && strcmp(v->text, text) != 0)
        return fail_relation(v, o, text, f);
    if (v->given || is_excluded(a, o))
        return true;
    bool ok = args_set_value(a, o, text, f);
    v->weak = ok;
    return ok;
}

/* --a, --b, --c */
static void list_options(char *to, size_t size, const char *names)
{
    size_t used = 0;
    for (const char *p = names; *p != '\0' && used < size;) {
        size_t n = strcspn(p, "|");
        used +=
            (size_t)snprintf(to + used, size - used, "%s--%.*s", used > 0 ? ", " : "", (int)n, p);
        p += n + (p[n] == '|');
    }
}

/* --json is another word for one of the forms. */
static bool check_form(const args *a, fault *f)
{
    const value *form = args_value(a, "format");
    if (!args_flag(a, "json") || form == NULL || !form->given || strcmp(form->text, "json") == 0)
        return true;
    fault_set(f, "--json", "and --format %s exclude each other; give one of them", form->text);
    return false;
}

/* Are fewer options given than could exclude each other? Most questions have so few. */
static bool none_exclude(const args *a)
{
    size_t given = 0;
    for (size_t i = 0; i < a->count; i++)
        given += a->values[i].given && is_ruled(a, i);
    return given < 2;
}

static bool check_rules(const args *a, fault *f)
{
    if (!check_form(a, f))
        return false;
    bool few = none_exclude(a);
    for (const rule *r = a->command->rules; r != NULL && r->options != NULL; r++) {
        if (few && r->kind == RULE_AT_MOST_ONE)
            continue;
        size_t given = count_given(a, r->options, false);
        if (given > 1 || (given == 0 && r->kind == RULE_EXACTLY_ONE)) {
            char names[160];
            list_options(names, sizeof names, r->options);
            fault_set(f, names,
                      given > 1 ? "exclude each other; give one of them" : "one of them is needed");
            return false;
        }
    }
    return true;
}

bool args_complete(args *a, fault *f)
{
    for (size_t i = 0; i < a->count; i++) {
        const option *o = &a->command->options[i];
        value *v = &a->values[i];
        value_fault wrong;
        if (o->of->required && !v->given) {
            char where[80];
            name_option(where, sizeof where, o);
            fault_set(f, where, "is missing; give it as --%s %s", o->of->name, o->metavar);
            return false;
        }
        if (value_preset(v, &wrong) != DP_OK)
            return fault_value(f, o->of->name, &wrong);
    }
    return check_rules(a, f);
}
