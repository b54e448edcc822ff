/* SPDX-License-Identifier: MIT */
/* The values of options: read from text by kind and domain, presets, rules between options. */
#include "document/request.h"

#include "document/escape.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static bool has_number(const option *o)
{
    return o->kind != KIND_FLAG && o->kind != KIND_CHOICE && o->kind != KIND_ITEM;
}

static bool has_second(const option *o)
{
    return o->kind == KIND_PAIR || o->kind == KIND_RANGE;
}

bool args_init(args *a, const command *c)
{
    memset(a, 0, sizeof *a);
    a->command = c;
    a->began = limits_clock();
    dp_composition_init(&a->composition);
    size_t n = 0;
    while (c->options[n].name != NULL)
        n++;
    a->values = memory_zero(n, sizeof *a->values);
    if (a->values == NULL)
        return false;
    for (; a->count < n; a->count++) {
        value *v = &a->values[a->count];
        v->option = &c->options[a->count];
        if (has_number(v->option))
            dp_number_init(&v->number);
        if (has_second(v->option))
            dp_number_init(&v->second);
    }
    return true;
}

static void drop_list(value *v)
{
    for (size_t i = 0; i < v->list_count; i++)
        mpq_clear(v->list[i]);
    memory_free(v->list);
    v->list = NULL;
    v->list_count = 0;
}

void args_clear(args *a)
{
    for (size_t i = 0; i < a->count; i++) {
        if (has_number(a->values[i].option))
            dp_number_clear(&a->values[i].number);
        if (has_second(a->values[i].option))
            dp_number_clear(&a->values[i].second);
        drop_list(&a->values[i]);
    }
    memory_free(a->values);
    memory_free(a->items);
    for (size_t i = 0; i < a->owned_count; i++)
        memory_free(a->owned[i]);
    memory_free(a->owned);
    dp_composition_clear(&a->composition);
    json_clear(&a->ledger);
}

static value *find_value(const args *a, const char *name)
{
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->values[i].option->name, name) == 0)
            return &a->values[i];
    return NULL;
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
    double seconds =
        v->text != NULL ? mpq_get_d(number_rational(&v->number)) : atof(v->option->preset);
    return a->began + seconds - limits_clock();
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
    *count = v != NULL && v->text != NULL ? v->list_count : 0;
    return *count > 0 ? (const mpq_t *)v->list : NULL;
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
        v->text = NULL;
}

/* Long literals are named, not repeated, in messages. */
static const char *shown(const char *text)
{
    return strlen(text) <= 60 ? text : "(a long literal)";
}

static bool parse_part(dp_number *x, const domain *d, const char *where, const char *text,
                       size_t length, fault *f)
{
    dp_error err;
    const char *message = NULL;
    if (dp_number_parse(x, text, length, &err) != DP_OK)
        message = err.message;
    else
        message = domain_fault(d, x);
    if (message != NULL)
        fault_set(f, where, "'%.*s' %s", (int)(length <= 60 ? length : 17),
                  length <= 60 ? text : "(a long literal)", message);
    return message == NULL;
}

static bool parse_number(dp_number *x, const domain *d, const char *where, const char *text,
                         fault *f)
{
    return parse_part(x, d, where, text, strlen(text), f);
}

/* EPS[,DELTA]; a missing delta is 0 */
static bool parse_pair(value *v, const char *where, const char *text, fault *f)
{
    const char *comma = strchr(text, ',');
    size_t length = comma != NULL ? (size_t)(comma - text) : strlen(text);
    dp_number_set_ui(&v->second, 0);
    return parse_part(&v->number, &domain_loss, where, text, length, f) &&
           (comma == NULL || parse_number(&v->second, &domain_probability, where, comma + 1, f));
}

/* A:B:N */
static bool parse_range(value *v, const char *where, const char *text, fault *f)
{
    const char *first = strchr(text, ':'), *second = first != NULL ? strchr(first + 1, ':') : NULL;
    dp_number count;
    if (second == NULL) {
        fault_set(f, where, "'%s' must be written A:B:N, such as 0:5:11", shown(text));
        return false;
    }
    dp_number_init(&count);
    bool ok =
        parse_part(&v->number, &domain_real, where, text, (size_t)(first - text), f) &&
        parse_part(&v->second, &domain_real, where, first + 1, (size_t)(second - first - 1), f) &&
        parse_number(&count, &domain_count, where, second + 1, f);
    v->points = ok && mpz_fits_ulong_p(number_integer(&count)) ? mpz_get_ui(number_integer(&count))
                                                               : SIZE_MAX;
    dp_number_clear(&count);
    return ok;
}

#define LIST_MOST 100000

/* A,B,C,... */
static bool parse_list(value *v, const char *where, const char *text, fault *f)
{
    size_t count = 1;
    for (const char *p = text; *p != '\0'; p++)
        count += *p == ',';
    drop_list(v);
    v->list = count <= LIST_MOST ? memory_new(count, sizeof *v->list) : NULL;
    if (v->list == NULL) {
        fault_set(f, where, "must have at most %d numbers", LIST_MOST);
        return false;
    }
    bool ok = true;
    for (const char *p = text; ok && v->list_count < count; v->list_count++) {
        size_t length = strcspn(p, ",");
        mpq_init(v->list[v->list_count]);
        ok = parse_part(&v->number, option_domain(v->option), where, p, length, f);
        if (ok)
            mpq_set(v->list[v->list_count], number_rational(&v->number));
        p += length + (p[length] == ',');
    }
    return ok;
}

static bool find_choice(value *v, const char *where, const char *text, fault *f)
{
    size_t n = strlen(text), index = 0;
    for (const char *p = v->option->choices; p != NULL; index++) {
        const char *bar = strchr(p, '|');
        size_t length = bar != NULL ? (size_t)(bar - p) : strlen(p);
        if (length == n && memcmp(p, text, n) == 0) {
            v->choice = index;
            return true;
        }
        p = bar != NULL ? bar + 1 : NULL;
    }
    fault_set(f, where, "'%s' is not one of %s", shown(text), v->option->choices);
    return false;
}

static bool set_text(value *v, const char *where, const char *text, fault *f)
{
    bool ok = true;
    if (v->option->kind == KIND_CHOICE)
        ok = find_choice(v, where, text, f);
    else if (v->option->kind == KIND_PAIR)
        ok = parse_pair(v, where, text, f);
    else if (v->option->kind == KIND_RANGE)
        ok = parse_range(v, where, text, f);
    else if (v->option->kind == KIND_LIST || v->option->kind == KIND_LIST_FILE)
        ok = parse_list(v, where, text, f);
    else if (v->option->kind != KIND_FLAG)
        ok = parse_number(&v->number, option_domain(v->option), where, text, f);
    if (ok)
        v->text = text;
    return ok;
}

static void name_option(char *where, size_t size, const option *o)
{
    snprintf(where, size, "--%s", o->name);
}

void args_forget_weak(args *a, const char *name)
{
    value *v = find_value(a, name);
    if (v->weak) {
        v->given = v->weak = false;
        v->text = NULL;
    }
}

void args_move(args *a, const char *from, const char *to)
{
    value *source = find_value(a, from), *target = find_value(a, to);
    if (!target->given) {
        dp_number_set(&target->number, &source->number);
        target->text = source->text;
        target->given = true;
    }
    source->text = NULL;
    source->given = false;
}

bool args_set(args *a, const option *o, const char *text, fault *f)
{
    char where[80];
    name_option(where, sizeof where, o);
    if (o->kind == KIND_ITEM)
        return args_add_item_text(a, text, f);
    value *v = &a->values[o - a->command->options];
    if (v->given && o->kind != KIND_FLAG) {
        fault_set(f, where, "is given twice; give it once");
        return false;
    }
    v->given = true;
    return set_text(v, where, text, f);
}

bool args_set_weak(args *a, const option *o, const char *text, fault *f)
{
    value *v = &a->values[o - a->command->options];
    if (v->given && o->role == ROLE_RELATION && strcmp(v->text, text) != 0) {
        const char *given = v->text;
        v->given = false;
        if (args_set(a, o, text, f))
            fault_set(f, option_key(o),
                      "is %s in the ledger and %s on the command line: what is private under one "
                      "relation need not be under the other",
                      text, given);
        return false;
    }
    if (v->given)
        return true;
    v->weak = true;
    return args_set(a, o, text, f);
}

/* How many options of the rule were given, and is `name` among its options? */
static size_t count_given(const args *a, const char *names)
{
    size_t given = 0;
    for (size_t i = 0; i < a->count; i++) {
        const char *name = a->values[i].option->name;
        size_t n = strlen(name);
        for (const char *p = strstr(names, name); p != NULL; p = strstr(p + 1, name))
            if ((p == names || p[-1] == '|') && (p[n] == '\0' || p[n] == '|'))
                given += a->values[i].given;
    }
    return given;
}

static bool check_rules(const args *a, fault *f)
{
    for (const rule *r = a->command->rules; r != NULL && r->options != NULL; r++) {
        size_t given = count_given(a, r->options);
        char names[160];
        size_t n = (size_t)snprintf(names, sizeof names, "--");
        for (const char *p = r->options; *p != '\0' && n < sizeof names - 8; p++)
            n += (size_t)snprintf(names + n, sizeof names - n, *p == '|' ? ", --" : "%c", *p);
        if (given > 1) {
            fault_set(f, names, "exclude each other; give one of them");
            return false;
        }
        if (given == 0 && r->kind == RULE_EXACTLY_ONE) {
            fault_set(f, names, "one of them is needed");
            return false;
        }
    }
    return true;
}

bool args_finish(args *a, fault *f)
{
    for (size_t i = 0; i < a->count; i++) {
        value *v = &a->values[i];
        if (v->option->required && !v->given) {
            char where[80];
            name_option(where, sizeof where, v->option);
            fault_set(f, where, "is missing; give it as --%s %s", v->option->name,
                      v->option->metavar);
            return false;
        }
        if (!v->given && v->option->preset != NULL &&
            !set_text(v, v->option->name, v->option->preset, f))
            return false;
    }
    return check_rules(a, f) && args_enter_described(a, f);
}
