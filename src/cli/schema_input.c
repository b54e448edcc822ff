/* SPDX-License-Identifier: MIT */
/* Parameters in the schemas: what commands echo, what a list of mechanisms holds, the members of a
 * ledger. */
#include <stdio.h>
#include <string.h>

#include "cli/schema.h"
#include "core/quantity.h"
#include "document/commands.h"
#include "document/emit.h"
#include "document/item_types.h"

typedef bool (*filter)(const option *o);

static bool is_echoed(const option *o)
{
    return o->role <= ROLE_EXTENT && o->of->kind != KIND_ITEM;
}

static bool is_stored(const option *o)
{
    return option_may_be_stored(o) && o->of->kind != KIND_ITEM;
}

static bool describes_and_is_echoed(const option *o)
{
    return option_describes(o) && o->role == ROLE_PARAMETER;
}

/* ---- names ---- */

#define NAMES 4
#define NAME 48

/* The names under which the option is read, its key first. */
static size_t names_of(char names[NAMES][NAME], const option *o, schema_form form)
{
    char others[NAMES - 1][NAME] = {"", "", {o->letter, '\0'}};
    size_t count = 1;
    snprintf(names[0], NAME, "%s", option_key(o));
    snprintf(others[0], NAME, "%s", o->of->name);
    snprintf(others[1], NAME, "%s", o->of->name);
    for (char *p = others[1]; *p != '\0'; p++)
        if (*p == '-')
            *p = '_';
    for (size_t i = 0; form == SCHEMA_READ && i < NAMES - 1; i++) {
        bool fresh = others[i][0] != '\0';
        for (size_t j = 0; j < count; j++)
            fresh = fresh && strcmp(names[j], others[i]) != 0;
        if (fresh)
            memcpy(names[count++], others[i], NAME);
    }
    return count;
}

/* Is the option there, under any of its names? exactly: under one of them alone. */
static void put_presence(out *o, const option *p, schema_form form, bool exactly)
{
    char names[NAMES][NAME];
    size_t count = names_of(names, p, form);
    emit_object(o, NULL);
    if (count > 1)
        emit_array(o, exactly ? "oneOf" : "anyOf");
    for (size_t i = 0; i < count; i++) {
        if (count > 1)
            emit_object(o, NULL);
        emit_array(o, "required");
        emit_text(o, NULL, names[i]);
        emit_array_end(o);
        if (count > 1)
            emit_object_end(o);
    }
    if (count > 1)
        emit_array_end(o);
    emit_object_end(o);
}

/* ---- values ---- */

/* Ends are closed: who reads a number as a double may round it to one. */
static void put_end(out *o, const char *key, const domain_end *end)
{
    char text[40];
    if (end->den == 0 || 10 % end->den != 0)
        return;
    unsigned tenths = end->num % end->den * 10 / end->den;
    int n = snprintf(text, sizeof text, "%u", end->num / end->den);
    if (tenths != 0)
        snprintf(text + n, sizeof text - (size_t)n, ".%u", tenths);
    emit_number(o, key, text);
}

/* The members that say what a number of the domain is. */
static void put_domain(out *o, const domain *d, schema_form form)
{
    bool bounded = d->low.den != 0;
    bool positive = bounded && (d->low.open || d->low.num > 0);
    emit_number(o, "$ref", "\"#/$defs/");
    out_text(o, d->log ? "loss" : positive ? "positive" : bounded ? "not_negative" : "plain");
    out_char(o, '"');
    if (form == SCHEMA_ECHO)
        return;
    if (d->whole)
        schema_raw(o, "type", "[`string`,`integer`]");
    put_end(o, "minimum", &d->low);
    put_end(o, "maximum", &d->high);
    if (d->odd)
        schema_raw(o, "not", "{`multipleOf`:2}");
}

static void put_list(out *o, const option *p, schema_form form)
{
    /* one with a preset may be a single number */
    schema_raw(o, "type", p->of->preset != NULL ? "[`string`,`number`,`array`]" : "`array`");
    emit_object(o, "items");
    put_domain(o, parameter_domain(p->of), form);
    emit_object_end(o);
    emit_number(o, "minItems", "1");
}

/* A phrase as a sentence. */
static void put_brief(out *o, const option *p, schema_form form)
{
    char text[300];
    const domain *d = parameter_domain(p->of);
    bool number = d != NULL && d->must != NULL && form == SCHEMA_READ;
    const char *unit = p->of->unit;
    snprintf(text, sizeof text, "%s%s%s.%s%s%s", p->of->brief, number ? "; " : "",
             number ? d->must : "", unit != NULL ? " Unit: " : "", unit != NULL ? unit : "",
             unit != NULL ? "." : "");
    if (text[0] >= 'a' && text[0] <= 'z')
        text[0] = (char)(text[0] - 'a' + 'A');
    emit_text(o, "description", text);
}

static void put_value(out *o, const option *p, schema_form form)
{
    switch (p->of->kind) {
    case KIND_FLAG:
        schema_raw(o, form == SCHEMA_ECHO ? "const" : "type",
                   form == SCHEMA_ECHO ? "true" : "`boolean`");
        break;
    case KIND_CHOICE:
        emit_array(o, "enum");
        schema_words(o, p->of->choices, NULL);
        emit_array_end(o);
        break;
    case KIND_LIST:
    case KIND_LIST_FILE:
        put_list(o, p, form);
        break;
    case KIND_TABLE_FILE:
        emit_text(o, "type", "array");
        emit_object(o, "items");
        put_list(o, p, form);
        emit_object_end(o);
        emit_number(o, "minItems", "1");
        break;
    case KIND_TEXT:
        schema_raw(o, "type", "`string`");
        break;
    case KIND_DATE:
        schema_raw(o, "type", "`string`");
        schema_raw(o, "pattern", "`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`");
        break;
    case KIND_PAIR:
        schema_raw(o, "$ref", "`#/$defs/pair`");
        break;
    case KIND_RANGE:
        schema_raw(o, "$ref", "`#/$defs/range`");
        break;
    case KIND_ITEM:
        break;
    default: /* numbers */
        put_domain(o, parameter_domain(p->of), form);
    }
    put_brief(o, p, form);
    if (form == SCHEMA_READ && p->of->preset != NULL)
        emit_text(o, "default", p->of->preset);
}

/* The option under all of its names; `where` is the path to them. */
static void put_member(out *o, const option *p, schema_form form, const char *where)
{
    char names[NAMES][NAME];
    size_t count = names_of(names, p, form);
    emit_object(o, names[0]);
    put_value(o, p, form);
    emit_object_end(o);
    for (size_t i = 1; i < count; i++) {
        char path[160];
        snprintf(path, sizeof path, "`#/%s/%s`", where, names[0]);
        emit_object(o, names[i]);
        schema_raw(o, "$ref", path);
        emit_object_end(o);
    }
}

static void put_members(out *o, const option *list, filter f, schema_form form, const char *where)
{
    for (const option *p = list; p->of != NULL; p++)
        if (f == NULL || f(p))
            put_member(o, p, form, where);
}

/* ---- which go together ---- */

/* The options of a rule; 0 where some of them are not among those of the object, or have a value
 * when they are not given. */
#define RULE_MOST 8
static size_t options_of(const option *list[RULE_MOST], const command *c, const rule *r, filter f)
{
    size_t count = 0;
    for (const option *p = c->options; p->of != NULL && count < RULE_MOST; p++)
        if (names_hold(r->options, p->of->name)) {
            if (!f(p) || p->of->preset != NULL)
                return 0;
            list[count++] = p;
        }
    size_t wanted = 1;
    for (const char *p = r->options; *p != '\0'; p++)
        wanted += *p == '|';
    return count == wanted ? count : 0;
}

/* An element of "allOf", which begins with the first of them. */
static void begin_condition(out *o, bool *begun)
{
    if (!*begun)
        emit_array(o, "allOf");
    *begun = true;
}

static void put_exclusion(out *o, const option *a, const option *b, schema_form form)
{
    emit_object(o, NULL);
    emit_object(o, "not");
    emit_array(o, "allOf");
    put_presence(o, a, form, false);
    put_presence(o, b, form, false);
    emit_array_end(o);
    emit_object_end(o);
    emit_object_end(o);
}

static void put_rules(out *o, bool *begun, const command *c, filter f, schema_form form)
{
    for (const rule *r = c->rules; r != NULL && r->options != NULL; r++) {
        const option *list[RULE_MOST];
        size_t count = options_of(list, c, r, f);
        if (count > 0 && r->kind == RULE_EXACTLY_ONE) {
            begin_condition(o, begun);
            emit_object(o, NULL);
            emit_array(o, "oneOf");
            for (size_t i = 0; i < count; i++)
                put_presence(o, list[i], form, false);
            emit_array_end(o);
            emit_object_end(o);
            continue;
        }
        for (size_t i = 0; i < count; i++)
            for (size_t j = i + 1; j < count; j++) {
                begin_condition(o, begun);
                put_exclusion(o, list[i], list[j], form);
            }
    }
}

/* Is the option there in every object of the form? */
static bool is_needed(const command *c, const option *p, schema_form form)
{
    if (form == SCHEMA_READ)
        return p->of->required;
    return c != NULL ? option_is_in_force(c, p) : p->of->required || p->of->preset != NULL;
}

/* What must be there: the names that are given first, and options that have several names. */
static void put_needs(out *o, bool *begun, const command *c, const option *list, filter f,
                      schema_form form, const char *first)
{
    char names[NAMES][NAME];
    bool any = first != NULL;
    if (any)
        emit_array(o, "required");
    schema_words(o, first, NULL);
    for (const option *p = list; p->of != NULL; p++)
        if ((f == NULL || f(p)) && is_needed(c, p, form) && names_of(names, p, form) == 1) {
            if (!any)
                emit_array(o, "required");
            any = true;
            emit_text(o, NULL, names[0]);
        }
    if (any)
        emit_array_end(o);
    for (const option *p = list; p->of != NULL; p++)
        if ((f == NULL || f(p)) && is_needed(c, p, form) && names_of(names, p, form) > 1) {
            begin_condition(o, begun);
            put_presence(o, p, form, true);
        }
}

/* ---- objects ---- */

static void put_item_list(out *o, const char *key, const char *description)
{
    emit_object(o, key);
    schema_raw(o, "type", "`array`");
    schema_raw(o, "items", "{`$ref`:`#/$defs/mechanism`}");
    emit_number(o, "minItems", "1");
    if (description != NULL)
        emit_text(o, "description", description);
    emit_object_end(o);
}

/* What may stand anywhere in a ledger and in a question, is kept and not interpreted. */
static void put_remark_members(out *o)
{
    char pattern[200];
    size_t n = (size_t)snprintf(pattern, sizeof pattern, "^(%s.*", ITEM_REMARK_PREFIX);
    for (size_t i = 1; item_remarks[i] != NULL && n < sizeof pattern; i++) /* the first is a date */
        n += (size_t)snprintf(pattern + n, sizeof pattern - n, "|%s", item_remarks[i]);
    if (n < sizeof pattern)
        snprintf(pattern + n, sizeof pattern - n, ")$");
    emit_object(o, "patternProperties");
    schema_raw(o, pattern,
               "{`description`:`Of the user's, repeated in the output and not interpreted.`}");
    schema_raw(
        o, "^date$",
        "{`type`:`string`,`pattern`:`^[0-9]{4}-[0-9]{2}-[0-9]{2}(T|$)`,"
        "`description`:`A day of the calendar, YYYY-MM-DD, behind which a time may stand.`}");
    emit_object_end(o);
}

#define IN_ORDER "The list of mechanisms, in the order given."

void schema_input(out *o, const command *c)
{
    char name[SCHEMA_NAME], text[300];
    bool begun = false;
    emit_object(o, schema_name(name, "input_", c->name));
    emit_text(o, "type", "object");
    snprintf(text, sizeof text, "Parameters of %s: %s.", c->name, c->brief);
    emit_text(o, "description", text);
    emit_object(o, "properties");
    if (c->takes_items)
        put_item_list(o, "mechanisms", IN_ORDER);
    if (option_find(c, "from") != NULL)
        put_item_list(o, "mechanism", "What stands beside the list, where days of it are asked.");
    if (option_find(c, "add") != NULL)
        put_item_list(o, "add", "What is to be released next.");
    put_members(o, c->options, is_echoed, SCHEMA_ECHO, "");
    emit_object_end(o);
    put_remark_members(o);
    put_needs(o, &begun, c, c->options, is_echoed, SCHEMA_ECHO, NULL);
    if (c->needs_items) {
        begin_condition(o, &begun);
        schema_raw(o, NULL, "{`oneOf`:[{`required`:[`mechanisms`]},{`required`:[`epsilon`]}]}");
    }
    put_rules(o, &begun, c, is_echoed, SCHEMA_ECHO);
    if (begun)
        emit_array_end(o);
    emit_bool(o, "additionalProperties", false);
    emit_object_end(o);
}

/* A list for each group of data; what is there is of no groups itself. */
static void put_cells(out *o)
{
    emit_object(o, ITEM_CELLS);
    schema_raw(o, "type", "`array`");
    schema_raw(o, "items",
               "{`type`:`array`,`items`:{`allOf`:[{`$ref`:`#/$defs/mechanism`},{`not`:{`required`:["
               "`mechanism`],`properties`:{`mechanism`:{`const`:`" ITEM_PARALLEL
               "`,`description`:`Cells have none themselves.`}}}}]}}");
    emit_number(o, "minItems", "1");
    emit_text(o, "description", "The mechanisms about each group of disjoint data.");
    emit_object_end(o);
}

static void put_type(out *o, const item_type *t, schema_form form)
{
    char name[SCHEMA_NAME], where[SCHEMA_NAME + 40], text[300];
    bool named = item_type_is_described(t) || form == SCHEMA_READ, begun = false;
    filter f = t->command == NULL    ? NULL
               : form == SCHEMA_READ ? option_describes
                                     : describes_and_is_echoed;
    emit_object(o, schema_name(name, "mechanism_", t->name));
    snprintf(where, sizeof where, "$defs/%s/properties", name);
    emit_text(o, "type", "object");
    snprintf(text, sizeof text, "%s: %s.", t->name, t->brief);
    emit_text(o, "description", text);
    emit_object(o, "properties");
    emit_object(o, "name");
    emit_text(o, "type", "string");
    emit_text(o, "description", "A name of the user's, repeated in the output; not interpreted.");
    emit_object_end(o);
    if (named) {
        emit_object(o, "mechanism");
        emit_text(o, "const", t->name);
        emit_text(o, "description", "What is known about it.");
        emit_object_end(o);
    }
    if (t->cells)
        put_cells(o);
    put_members(o, t->fields, f, form, where);
    put_member(o, &item_uses, form, where);
    emit_object_end(o);
    put_remark_members(o);
    put_needs(o, &begun, t->command, t->fields, f, form,
              t->cells ? (form == SCHEMA_READ ? "mechanism|cells" : "mechanism|cells|times")
              : form == SCHEMA_READ ? (item_type_is_described(t) ? "mechanism" : NULL)
              : named               ? "mechanism|times"
                                    : "times");
    if (begun)
        emit_array_end(o);
    emit_bool(o, "additionalProperties", false);
    emit_object_end(o);
}

/* An echoed pair has no name of its type: pure-dp stands as a pair with delta 0. */
static bool is_repeated(const item_type *t, schema_form form)
{
    return form == SCHEMA_ECHO && !item_type_is_described(t) &&
           strcmp(t->name, ITEM_TYPE_PRESET) != 0;
}

/* if "mechanism" is that type, or where it is the preset is left out, then the type's definition */
static void put_case(out *o, const item_type *t)
{
    char name[SCHEMA_NAME];
    emit_object(o, NULL);
    emit_object(o, "if");
    emit_object(o, "properties");
    emit_object(o, "mechanism");
    emit_text(o, "const", t->name);
    emit_object_end(o);
    emit_object_end(o);
    if (item_type_is_described(t) || strcmp(t->name, ITEM_TYPE_PRESET) != 0)
        schema_raw(o, "required", "[`mechanism`]");
    emit_object_end(o);
    schema_ref(o, "then", schema_name(name, "mechanism_", t->name), NULL);
    emit_object_end(o);
}

void schema_items(out *o, schema_form form)
{
    item_type t;
    emit_object(o, "mechanism");
    emit_text(o, "type", "object");
    emit_text(o, "description",
              form == SCHEMA_READ
                  ? "One mechanism of the list: a pair, or the parameters of the type that "
                    "\"mechanism\" names."
                  : "One mechanism of the list, with what was left out filled in: a pair, or the "
                    "parameters of the type that \"mechanism\" names.");
    emit_object(o, "properties");
    emit_object(o, "mechanism");
    emit_array(o, "enum");
    for (size_t i = 0; item_type_at(&t, query_commands, i); i++)
        if (form == SCHEMA_READ || item_type_is_described(&t))
            emit_text(o, NULL, t.name);
    emit_array_end(o);
    emit_text(o, "description",
              form == SCHEMA_READ ? "What is known about the mechanism." : "Absent for a pair.");
    if (form == SCHEMA_READ)
        emit_text(o, "default", ITEM_TYPE_PRESET);
    emit_object_end(o);
    emit_object_end(o);
    emit_array(o, "allOf");
    for (size_t i = 0; item_type_at(&t, query_commands, i); i++)
        if (!is_repeated(&t, form))
            put_case(o, &t);
    emit_array_end(o);
    emit_object_end(o);
    for (size_t i = 0; item_type_at(&t, query_commands, i); i++)
        if (!is_repeated(&t, form))
            put_type(o, &t, form);
}

void schema_ledger_members(out *o)
{
    const command *c = command_in(query_commands, "compose");
    bool begun = false;
    emit_object(o, "properties");
    put_item_list(o, "mechanisms", "The mechanisms that were or will be used, in any order.");
    put_members(o, c->options, is_stored, SCHEMA_READ, "properties");
    emit_object_end(o);
    put_remark_members(o);
    put_needs(o, &begun, c, c->options, is_stored, SCHEMA_READ, "mechanisms");
    put_rules(o, &begun, c, is_stored, SCHEMA_READ);
    if (begun)
        emit_array_end(o);
    emit_bool(o, "additionalProperties", false);
}
