/* SPDX-License-Identifier: MIT */
/* The JSON Schemas of what is printed and of what a ledger holds, from the tables: parameters from
 * those of the commands, rows from the registry, figures from core/quantity.h. */
#ifndef CLI_SCHEMA_H
#define CLI_SCHEMA_H

#include "document/out.h"
#include "document/table.h"

/* Documents that end with a newline. */
void schema_output(out *o);
void schema_ledger(out *o);

/* ---- parts ---- */

/* A parameter as it is read, a string or a JSON number under any of its names, or as it is echoed,
 * a string under its key. */
typedef enum schema_form { SCHEMA_READ, SCHEMA_ECHO } schema_form;

/* A member, or an element where key is NULL, in which ` stands for the quotes of JSON. */
void schema_raw(out *o, const char *key, const char *text);

/* A reference to a definition; the description may be NULL. */
void schema_ref(out *o, const char *key, const char *definition, const char *description);

/* "prefix_name", with underscores for dashes, in buffer. */
#define SCHEMA_NAME 64
const char *schema_name(char buffer[SCHEMA_NAME], const char *prefix, const char *name);

/* Lists the words of "a|b" but for one that may be NULL. */
void schema_words(out *o, const char *words, const char *without);

/* The forms of numbers and texts that parameters refer to. */
void schema_literals(out *o, schema_form form);

/* The definition input_COMMAND. */
void schema_input(out *o, const command *c);

/* mechanism and mechanism_TYPE, for all types that a list may hold. */
void schema_items(out *o, schema_form form);

/* What the members of a ledger are, and which of them exclude each other. */
void schema_ledger_members(out *o);

/* The definition row_COMMAND, and those of what rows hold. */
/* Members of the answer of the command: the row that decides, a guarantee or a finding. */
void schema_deciding(out *o, const command *c);
void schema_row(out *o, const command *c);
void schema_figures(out *o);

/* Parts of the output that are the same for every command: texts, and definitions. */
#define VERSION                                                                                    \
    "{`type`:`string`,`pattern`:`^[0-9]+\\.[0-9]+\\.[0-9]+$`,"                                     \
    "`description`:`Version of the program.`}"
#define SCHEMA                                                                                     \
    "{`const`:`dpacct/1`,`description`:`Name and version of this schema. Within dpacct/1 keys "    \
    "are "                                                                                         \
    "only added.`}"
#define DAY "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
#define ID                                                                                         \
    "{`description`:`The id of the question, repeated; batch only. Any JSON value, with the "      \
    "digits "                                                                                      \
    "of numbers kept.`}"

void schema_fixed(out *o);

#endif
