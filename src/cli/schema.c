/* SPDX-License-Identifier: MIT */
/* The two schemas, and how the whole is laid out. */
#include "cli/schema.h"

#include "cli/schema_literals.h"
#include "document/answer.h"
#include "document/commands.h"
#include "document/emit.h"

#define DRAFT "https://json-schema.org/draft/2020-12/schema"

/* ---- layout: what fits in a line stands in one ---- */

#define LINE 100
#define STEP 2

static const char *after_string(const char *p)
{
    for (p++; *p != '"'; p++)
        p += *p == '\\';
    return p + 1;
}

/* The end of the value at p; in *width its columns when it stands in one line. */
static const char *after_value(const char *p, size_t *width)
{
    const char *start = p;
    size_t depth = 0, spaces = 0;
    do {
        if (*p == '"') {
            p = after_string(p);
            continue;
        }
        depth += *p == '{' || *p == '[';
        depth -= *p == '}' || *p == ']';
        spaces += *p == ',' || *p == ':';
        p++;
    } while (depth > 0 || (*p != ',' && *p != '}' && *p != ']' && *p != ':' && *p != '\0'));
    *width = (size_t)(p - start) + spaces;
    return p;
}

static void put_line(out *o, const char *p, const char *end)
{
    while (p != end) {
        const char *next = *p == '"' ? after_string(p) : p + 1;
        out_bytes(o, p, (size_t)(next - p));
        if (*p == ',' || *p == ':')
            out_char(o, ' ');
        p = next;
    }
}

static void new_line(out *o, size_t indent)
{
    out_char(o, '\n');
    out_pad(o, indent);
}

/* `used` columns stand before the value in its line, `after` come behind it. */
static const char *lay_out(out *o, const char *p, size_t indent, size_t used, size_t after)
{
    size_t width;
    const char *end = after_value(p, &width);
    if (used + width + after <= LINE || (*p != '{' && *p != '[')) {
        put_line(o, p, end);
        return end;
    }
    bool object = *p == '{';
    out_char(o, *p++);
    for (bool more = true; more; p++) {
        size_t key = 0;
        indent += STEP;
        new_line(o, indent);
        if (object) {
            const char *colon = after_string(p);
            key = (size_t)(colon - p) + 2;
            put_line(o, p, colon + 1);
            p = colon + 1;
        }
        p = lay_out(o, p, indent, indent + key, 1);
        more = *p == ',';
        indent -= STEP;
        if (more)
            out_char(o, ',');
        else
            new_line(o, indent);
        if (!more)
            out_char(o, *p);
    }
    return p;
}

/* Ends the compact text that was made and appends it, laid out. */
static void finish(out *o, out *compact)
{
    out_char(compact, '\0');
    if (compact->failed)
        o->failed = true;
    else
        lay_out(o, compact->data, 0, 0, 0);
    out_char(o, '\n');
    out_clear(compact);
}

static void begin(out *o, const char *title, const char *made_by)
{
    out_init(o);
    emit_object(o, NULL);
    emit_text(o, "$schema", DRAFT);
    emit_number(o, "$comment", "\"SPDX-License-Identifier: MIT. Made by 'dpacct --generate ");
    out_text(o, made_by);
    out_text(o, "'.\"");
    emit_text(o, "title", title);
}

/* ---- the ledger ---- */

void schema_ledger(out *o)
{
    out s;
    begin(&s, "dpacct ledger, version 1", "ledger-schema");
    emit_text(
        &s, "description",
        "The FILE that 'dpacct compose' and 'dpacct curve' read: a list of mechanisms and, if "
        "wanted, what is asked about them. Options on the command line override the members that "
        "they "
        "state. "
        "The program refuses members that it does not know.");
    emit_text(&s, "type", "object");
    schema_ledger_members(&s);
    emit_object(&s, "$defs");
    schema_literals(&s, SCHEMA_READ);
    schema_items(&s, SCHEMA_READ);
    emit_object_end(&s);
    emit_object_end(&s);
    finish(o, &s);
}

/* The definition of the answer of each command. */
static void put_cases(out *o)
{
    emit_array(o, "allOf");
    for (size_t i = 0; query_commands[i] != NULL; i++) {
        char name[SCHEMA_NAME];
        emit_object(o, NULL);
        emit_object(o, "if");
        emit_object(o, "properties");
        emit_object(o, "command");
        emit_text(o, "const", query_commands[i]->name);
        emit_object_end(o);
        emit_object_end(o);
        emit_object_end(o);
        schema_ref(o, "then", schema_name(name, "answer_", query_commands[i]->name), NULL);
        emit_object_end(o);
    }
    emit_array_end(o);
}

/* ---- the output ---- */

/* What is the same for the answer of every command. */
static void put_answer(out *o)
{
    emit_object(o, "answer");
    emit_text(o, "type", "object");
    emit_text(o, "description", "The answer to a question.");
    emit_object(o, "properties");
    schema_raw(o, "schema", SCHEMA);
    schema_raw(o, "version", VERSION);
    emit_object(o, "command");
    emit_array(o, "enum");
    for (size_t i = 0; query_commands[i] != NULL; i++)
        emit_text(o, NULL, query_commands[i]->name);
    emit_array_end(o);
    emit_text(o, "description", "The command that was run.");
    emit_object_end(o);
    schema_raw(o, "id", ID);
    schema_raw(o, "input",
               "{`type`:`object`,`description`:`Every parameter in force, defaults too, as exact "
               "strings in the form given; nothing else.`}");
    emit_object(o, "adjacency");
    emit_array(o, "enum");
    for (int r = DP_ADD_REMOVE; r <= DP_REPLACE_ONE; r++)
        emit_text(o, NULL, dp_relation_text((dp_relation)r));
    emit_array_end(o);
    emit_text(
        o, "description",
        "Neighbouring data sets differ in the presence, or in the value, of one record; absent "
        "where the figures do not depend on it.");
    emit_object_end(o);
    schema_raw(
        o, "guarantee",
        "{`type`:[`object`,`null`],`description`:`The row of results that decides; null when "
        "there is none.`}");
    schema_ref(o, "guarantee_of", "guarantee_of", NULL);
    schema_raw(
        o, "finding",
        "{`type`:`object`,`description`:`In place of a guarantee, of an audit: the row of results "
        "that decides. It says what an attack showed, and guarantees nothing.`}");
    schema_raw(o, "results",
               "{`type`:`array`,`description`:`All rows, in the order of the text output.`}");
    schema_ref(o, "check", "check", NULL);
    schema_ref(o, "claim", "claim", NULL);
    schema_ref(o, "remaining", "remaining", NULL);
    schema_ref(o, "entries", "entries", NULL);
    schema_ref(o, "state", "state", NULL);
    schema_ref(o, "warnings", "remarks",
               "What matters to the safe use of the figures; the same lines go to standard error.");
    schema_ref(o, "notes", "remarks", "What explains the figures.");
    emit_object_end(o);
    schema_raw(o, "required",
               "[`schema`,`version`,`command`,`input`,`guarantee`,`results`,`check`,`warnings`,"
               "`notes`]");
    put_cases(o);
    emit_bool(o, "unevaluatedProperties", true);
    emit_object_end(o);
}

/* What the answer of the command has of its own. */
static void put_answer_of(out *o, const command *c)
{
    char name[SCHEMA_NAME];
    bool relation = false, check = false;
    for (const option *p = c->options; p->of != NULL; p++) {
        relation = relation || p->role == ROLE_RELATION;
        check = check || p->role == ROLE_CHECK;
    }
    emit_object(o, schema_name(name, "answer_", c->name));
    emit_object(o, "properties");
    schema_ref(o, "input", schema_name(name, "input_", c->name), NULL);
    schema_deciding(o, c);
    emit_object(o, "results");
    schema_ref(o, "items", schema_name(name, "row_", c->name), NULL);
    emit_text(o, "description", "All rows, in the order of the text output.");
    emit_object_end(o);
    if (!check)
        schema_raw(o, "check", "{`type`:`null`,`description`:`There is nothing to check.`}");
    if (option_find(c, "claim") == NULL)
        emit_bool(o, "claim", false);
    if (c != &cmd_compose)
        emit_bool(o, "remaining", false);
    if (option_find(c, "solve") == NULL)
        emit_bool(o, "guarantee_of", false);
    if (option_find(c, "by-entry") == NULL)
        emit_bool(o, "entries", false);
    if (c != &cmd_filter)
        emit_bool(o, "state", false);
    emit_object_end(o);
    if (c == &cmd_audit)
        schema_raw(o, "required", "[`adjacency`,`finding`]");
    else if (relation)
        schema_raw(o, "required", "[`adjacency`]");
    emit_object_end(o);
}

void schema_output(out *o)
{
    out s;
    begin(&s, "dpacct output, version 1", "schema");
    emit_text(
        &s, "description",
        "What dpacct prints with --json, and each line that batch prints. Every figure appears "
        "twice. Bare (\"delta\": 4.9875622670000003e-3) it is an IEEE double rounded towards the "
        "safe end: not below the upper end of the enclosure for what is lost, where it never is 0 "
        "for a positive figure, and not above the lower end for what may be used or is reached at "
        "least (probability, objective, rows of lower bounds), where it is the largest such "
        "double, "
        "0 below the smallest one; its decimal text is on the same side; the string \"Infinity\" "
        "stands for infinity, and for a finite figure that no double can hold. Under its name with "
        "_enclosure stand the two ends of the interval that is proved to hold the true value, as "
        "decimal strings rounded outward to --digits significant digits; \"Infinity\" stands for "
        "infinity. Programs that need exactness read the strings.");
    schema_raw(&s, "oneOf",
               "[{`$ref`:`#/$defs/answer`},{`type`:`array`,`minItems`:1,`items`:{`$ref`:`#/$defs/"
               "answer`},`description`:`The answers at the points of a range A:B:N.`},"
               "{`$ref`:`#/$defs/theorem_list`},"
               "{`$ref`:`#/$defs/line_error`},{`$ref`:`#/$defs/fault`}]");
    emit_object(&s, "$defs");
    put_answer(&s);
    for (size_t i = 0; query_commands[i] != NULL; i++) {
        put_answer_of(&s, query_commands[i]);
        schema_input(&s, query_commands[i]);
        schema_row(&s, query_commands[i]);
    }
    schema_items(&s, SCHEMA_ECHO);
    schema_figures(&s);
    schema_literals(&s, SCHEMA_ECHO);
    schema_fixed(&s);
    emit_object_end(&s);
    emit_object_end(&s);
    finish(o, &s);
}
