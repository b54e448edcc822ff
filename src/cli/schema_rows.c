/* SPDX-License-Identifier: MIT */
/* The rows of the output: which theorems a command shows, and which figures their rows have. */
#include <stdio.h>
#include <string.h>

#include "cli/schema.h"
#include "core/bound.h"
#include "core/quantity.h"
#include "document/answer.h"
#include "document/commands.h"
#include "document/emit.h"

/* The row of the registry, or NULL past the last one. */
static const bound *row_at(size_t index)
{
    return (const bound *)dp_theorem_at(index); /* its first member */
}

/* Is the figure a kind of the command's rows, and not a name in them? */
static bool is_kind(const command *c, const quantity *q)
{
    for (size_t i = 0; c->kinds != NULL && row_at(i) != NULL; i++)
        if (bound_is_for(row_at(i), c->name) && row_at(i)->output[0] != NULL &&
            strcmp(row_at(i)->output[0], q->name) == 0)
            return true;
    return false;
}

/* Has some row of the command the figure, under its own name? */
static bool is_shown(const command *c, const quantity *q)
{
    if (is_kind(c, q))
        return false;
    if (names_hold(q->of, c->name))
        return true;
    for (size_t i = 0; row_at(i) != NULL; i++)
        if (bound_is_for(row_at(i), c->name) && bound_gives(row_at(i), q->name))
            return true;
    return false;
}

static bool may_be_vacuous(const command *c)
{
    for (size_t i = 0; row_at(i) != NULL; i++)
        if (bound_is_for(row_at(i), c->name) && row_at(i)->may_be_vacuous)
            return true;
    return false;
}

static bool has_design(const command *c)
{
    for (size_t i = 0; row_at(i) != NULL; i++)
        if (bound_is_for(row_at(i), c->name) && row_at(i)->design != NULL)
            return true;
    return false;
}

static void put_theorem(out *o, const command *c)
{
    emit_object(o, "theorem");
    emit_array(o, "anyOf");
    emit_object(o, NULL);
    emit_array(o, "enum");
    for (size_t i = 0; row_at(i) != NULL; i++)
        if (bound_is_for(row_at(i), c->name))
            emit_text(o, NULL, row_at(i)->theorem.id);
    emit_array_end(o);
    emit_object_end(o);
    schema_ref(o, NULL, "later_theorem", NULL);
    emit_array_end(o);
    emit_text(o, "description", "Name of the theorem; 'dpacct theorems NAME' explains it.");
    emit_object_end(o);
}

static const char *partner(char name[SCHEMA_NAME], const quantity *q)
{
    snprintf(name, SCHEMA_NAME, "%s%s", q->name,
             q->kind == QUANTITY_FIGURE ? "_enclosure" : "_exact");
    return name;
}

/* quantity_NAME: the bare figure. */
static void put_quantity(out *o, const quantity *q)
{
    char name[SCHEMA_NAME], text[400];
    snprintf(text, sizeof text, "%s. %s%s%s%s", q->brief, q->unit != NULL ? "Unit: " : "",
             q->unit != NULL ? q->unit : "", q->unit != NULL ? ". " : "",
             q->kind != QUANTITY_FIGURE ? "\"Infinity\" when any will do."
             : q->lower                 ? "As a double not above the lower end."
                                        : "As a double not below the upper end.");
    schema_ref(o, schema_name(name, "quantity_", q->name), q->sign ? "signed_figure" : "figure",
               text);
}

/* The figure and, beside it, its ends or its exact text. */
static void put_shown(out *o, const quantity *q)
{
    static const char *const form[] = {[QUANTITY_FIGURE] = "enclosure",
                                       [QUANTITY_COUNT] = "count_or_any",
                                       [QUANTITY_DECIMAL] = "decimal_or_any"};
    char name[SCHEMA_NAME];
    schema_ref(o, q->name, schema_name(name, "quantity_", q->name), NULL);
    schema_ref(o, partner(name, q), form[q->kind], NULL);
}

/* The kinds of the rows, of shares alone or all, with what each is. */
static void put_kinds(out *o, const command *c, bool shares)
{
    char text[1200];
    size_t n = (size_t)snprintf(text, sizeof text, "Whose value it is.");
    emit_object(o, c->kinds);
    emit_array(o, "enum");
    for (size_t i = 0; quantity_at(i) != NULL; i++) {
        const quantity *q = quantity_at(i);
        if (!is_kind(c, q) || (shares && !q->share))
            continue;
        emit_text(o, NULL, q->name);
        if (n < sizeof text)
            n +=
                (size_t)snprintf(text + n, sizeof text - n, " %s: %s%s%s.", q->name, q->brief,
                                 q->unit != NULL ? "; unit: " : "", q->unit != NULL ? q->unit : "");
    }
    emit_array_end(o);
    if (!shares)
        emit_text(o, "description", text);
    emit_object_end(o);
}

/* The value of a row that names its kind. */
static void put_value(out *o, const command *c)
{
    put_kinds(o, c, false);
    schema_ref(o, "value", "figure",
               "The figure of that kind. As a double not below the upper end.");
    schema_ref(o, "value_enclosure", "enclosure", NULL);
}

/* Every design that a row of the command has, once. */
static void put_designs(out *o, const command *c)
{
    emit_object(o, "design");
    emit_array(o, "enum");
    for (size_t i = 0; row_at(i) != NULL; i++) {
        const char *design = bound_is_for(row_at(i), c->name) ? row_at(i)->design : NULL;
        for (size_t j = 0; design != NULL && j < i; j++)
            if (bound_is_for(row_at(j), c->name) && row_at(j)->design != NULL &&
                strcmp(row_at(j)->design, design) == 0)
                design = NULL;
        if (design != NULL)
            emit_text(o, NULL, design);
    }
    emit_array_end(o);
    emit_text(o, "description", "How the noise function came about.");
    emit_object_end(o);
}

/* A noise function and its worst case. */
static void put_noise(out *o, const command *c)
{
    put_designs(o, c);
    schema_raw(o, "gamma",
               "{`type`:`array`,`items`:{`type`:`string`,`pattern`:"
               "`^(0|[1-9][0-9]*)(\\.[0-9]+)?(e-?[1-9][0-9]*)?(/[1-9][0-9]*)?$`},`minItems`:1,"
               "`description`:`The noise function, exact: for (K+1)/2 to K votes, or for 0 to K "
               "where it is not symmetric.`}");
    emit_object(o, "worst");
    emit_text(o, "type", "object");
    emit_object(o, "propertyNames");
    emit_array(o, "enum");
    for (size_t v = 0; v < 8; v++)
        emit_text(o, NULL, vertex_text(v));
    emit_array_end(o);
    emit_object_end(o);
    schema_raw(o, "additionalProperties", "{`type`:`string`,`pattern`:`^[1-9][0-9]*$`}");
    emit_text(
        o, "description",
        "The worst case of delta: how many mechanisms answer 1 with these probabilities on the "
        "two data sets, c = (e^epsilon + delta)/(e^epsilon + 1) = 1 - d. Empty where no case "
        "spends anything.");
    emit_object_end(o);
}

/* A figure and its partner need each other. */
static void put_dependents(out *o, const command *c)
{
    char name[SCHEMA_NAME];
    emit_object(o, "dependentRequired");
    for (size_t i = 0; quantity_at(i) != NULL; i++) {
        const quantity *q = quantity_at(i);
        if (!is_shown(c, q))
            continue;
        emit_array(o, q->name);
        emit_text(o, NULL, partner(name, q));
        emit_array_end(o);
        emit_array(o, partner(name, q));
        emit_text(o, NULL, q->name);
        emit_array_end(o);
    }
    if (c->kinds != NULL) {
        schema_raw(o, c->kinds, "[`value`]");
        schema_raw(o, "value", "[`value_enclosure`]");
        schema_raw(o, "value_enclosure", "[`value`]");
    }
    if (has_design(c)) {
        schema_raw(o, "design", "[`gamma`,`worst`]");
        schema_raw(o, "gamma", "[`design`]");
        schema_raw(o, "worst", "[`design`]");
    }
    emit_object_end(o);
}

/* A share is at most 1, unless a statement that fails says otherwise. */
static void put_shares(out *o, const command *c)
{
    bool any = false;
    if (c->kinds != NULL) {
        emit_object(o, "if");
        emit_object(o, "properties");
        schema_raw(o, "verdict", "{`enum`:[`exact`,`proved`]}");
        put_kinds(o, c, true);
        emit_object_end(o);
        emit_object_end(o);
        schema_raw(o, "then", "{`properties`:{`value`:{`$ref`:`#/$defs/share`}}}");
        return;
    }
    for (size_t i = 0; quantity_at(i) != NULL; i++) {
        if (!quantity_at(i)->share || !is_shown(c, quantity_at(i)))
            continue;
        if (!any) {
            schema_raw(o, "if", "{`properties`:{`verdict`:{`enum`:[`exact`,`proved`]}}}");
            emit_object(o, "then");
            emit_object(o, "properties");
        }
        any = true;
        schema_ref(o, quantity_at(i)->name, "share", NULL);
    }
    if (any) {
        emit_object_end(o);
        emit_object_end(o);
    }
}

static bool has_assumptions(const command *c)
{
    return c == &cmd_audit || c == &cmd_advantage;
}

void schema_row(out *o, const command *c)
{
    char name[SCHEMA_NAME], text[300];
    emit_object(o, schema_name(name, "row_", c->name));
    emit_text(o, "type", "object");
    snprintf(
        text, sizeof text,
        "One statement of %s: the theorem, its verdict, and its figures under their names. Each "
        "bare figure has an enclosure beside it, and what was solved for its exact text.",
        c->name);
    emit_text(o, "description", text);
    emit_object(o, "properties");
    put_theorem(o, c);
    schema_ref(o, "verdict", "verdict",
               "What is known about the figures of this row: the verdict of the theorem, or proved "
               "where the theorem was applied to an upper bound.");
    if (c->kinds != NULL)
        put_value(o, c);
    for (size_t i = 0; quantity_at(i) != NULL; i++)
        if (is_shown(c, quantity_at(i)))
            put_shown(o, quantity_at(i));
    if (may_be_vacuous(c))
        schema_raw(o, "vacuous",
                   "{`const`:true,`description`:`The figures say nothing: a bound or a probability "
                   "reaches 1. Absent otherwise.`}");
    if (has_design(c))
        put_noise(o, c);
    if (has_assumptions(c))
        schema_raw(o, "assumptions",
                   "{`type`:`array`,`items`:{`type`:`string`,`minLength`:1},`minItems`:1,"
                   "`description`:`What the statement takes.`}");
    emit_object_end(o);
    emit_array(o, "required");
    schema_words(o, has_assumptions(c) ? "theorem|verdict|assumptions" : "theorem|verdict", NULL);
    if (c->kinds != NULL) {
        emit_text(o, NULL, c->kinds);
        emit_text(o, NULL, "value");
    }
    emit_array_end(o);
    put_dependents(o, c);
    put_shares(o, c);
    emit_bool(o, "unevaluatedProperties", true);
    emit_object_end(o);
}

void schema_deciding(out *o, const command *c)
{
    char name[SCHEMA_NAME];
    schema_name(name, "row_", c->name);
    if (c == &cmd_audit) {
        schema_raw(o, "guarantee", "{`type`:`null`,`description`:`An audit guarantees nothing.`}");
        schema_ref(o, "finding", name,
                   "The row of results that decides: what the outcomes of an attack show.");
        return;
    }
    emit_object(o, "guarantee");
    emit_array(o, "anyOf");
    schema_ref(o, NULL, name, NULL);
    schema_raw(o, NULL, "{`type`:`null`}");
    emit_array_end(o);
    emit_text(o, "description", "The row of results that decides; null when there is none.");
    emit_object_end(o);
    emit_bool(o, "finding", false);
}

/* Of a theorem: any that is known now, or one that a later version adds. */
static void put_theorem_names(out *o)
{
    emit_object(o, "known_theorem");
    emit_array(o, "enum");
    for (size_t i = 0; row_at(i) != NULL; i++)
        emit_text(o, NULL, row_at(i)->theorem.id);
    emit_array_end(o);
    emit_text(o, "description", "The theorems of this version.");
    emit_object_end(o);
    schema_raw(o, "name", "{`type`:`string`,`pattern`:`^[a-z0-9]+(-[a-z0-9]+)*$`}");
    schema_raw(o, "later_theorem",
               "{`$ref`:`#/$defs/name`,`not`:{`$ref`:`#/$defs/known_theorem`},`description`:`A "
               "theorem that a later version adds.`}");
    schema_raw(o, "theorem_name",
               "{`anyOf`:[{`$ref`:`#/$defs/known_theorem`},{`$ref`:`#/$defs/later_theorem`}]}");
}

#define WHOLE "(0|[1-9][0-9]*)"
#define DECIMAL WHOLE "(\\.[0-9]+)?(e-?[1-9][0-9]*)?"

void schema_figures(out *o)
{
    put_theorem_names(o);
    for (size_t i = 0; quantity_at(i) != NULL; i++)
        put_quantity(o, quantity_at(i));
    emit_object(o, "verdict");
    emit_array(o, "enum");
    for (int v = DP_EXACT; v <= DP_PER_INSTANCE; v++)
        emit_text(o, NULL, dp_verdict_text((dp_verdict)v));
    emit_array_end(o);
    emit_text(o, "description",
              "exact: no smaller value is possible for the stated class; proved: sound, may be "
              "loose; unsound: as published it fails, and it never decides anything; per-instance: "
              "about the actual data only, from which it is computed: no privacy, not to be "
              "published, and it never decides anything.");
    emit_object_end(o);
    schema_raw(
        o, "figure",
        "{`oneOf`:[{`type`:`number`,`minimum`:0},{`const`:`Infinity`}],`description`:`A "
        "double at the safe end of the quantity; the string Infinity where there is none.`}");
    schema_raw(o, "signed_figure", "{`oneOf`:[{`type`:`number`},{`const`:`Infinity`}]}");
    schema_raw(o, "share", "{`type`:`number`,`minimum`:0,`maximum`:1}");
    schema_raw(o, "decimal",
               "{`type`:`string`,`pattern`:`^(Infinity|-?" DECIMAL ")$`,`description`:`A decimal "
               "number such as 4.987562266e-3, or Infinity.`}");
    schema_raw(o, "enclosure",
               "{`type`:`array`,`prefixItems`:[{`$ref`:`#/$defs/decimal`,`description`:`Lower end, "
               "rounded down.`},{`$ref`:`#/$defs/decimal`,`description`:`Upper end, rounded up.`}],"
               "`items`:false,`minItems`:2,`description`:`[lower, upper]: the true value is proved "
               "to lie between them.`}");
    schema_raw(o, "count_or_any",
               "{`type`:`string`,`pattern`:`^(Infinity|" WHOLE "|[1-9](\\.[0-9]+)?e[1-9][0-9]*)$`,"
               "`description`:`An exact integer as a string; Infinity when any number will do.`}");
    schema_raw(o, "decimal_or_any",
               "{`type`:`string`,`pattern`:`^(Infinity|" DECIMAL ")$`,`description`:`An exact "
               "decimal as a string; Infinity when any value will do.`}");
}
