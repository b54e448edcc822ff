/* SPDX-License-Identifier: MIT */
/* The types of mechanism that a list may hold, in one table: the reader of lists, its messages and
 * the schema of the ledger walk it. */
#ifndef DOCUMENT_ITEM_TYPES_H
#define DOCUMENT_ITEM_TYPES_H

#include "document/table.h"

#define ITEM_FIELDS 8 /* of a mechanism type at most */

typedef struct item_type {
    const char *name; /* what "mechanism" says */
    const char *brief;
    const option *fields;   /* all of them for a pair; of a command those that describe; ends with a
                               NULL parameter */
    const command *command; /* that describes it, or NULL */
    bool cells;             /* it has lists of mechanisms, about disjoint data */
    const struct mechanism_type *type; /* of which it is, or NULL: with no command a pair of epsilon
                                          and delta */
    option own[ITEM_FIELDS + 1];       /* the fields of a mechanism type */
} item_type;

/* The type of groups of disjoint data, and its field with the lists of mechanisms. */
#define ITEM_PARALLEL "parallel"
#define ITEM_CELLS "cells"

extern const item_type item_parallel;

/* The type that a mechanism type is, or a command that describes a mechanism. */
void item_type_of_mechanism(item_type *t, const struct mechanism_type *type);
void item_type_of_command(item_type *t, const command *c);

/* Is it more than a pair of epsilon and delta? */
bool item_type_is_described(const item_type *t);

/* An entry that names no type has this one. */
#define ITEM_TYPE_PRESET "approx-dp"

/* Some of the queries describe a mechanism. False past the last one. The fields may stand in *t
 * itself: it is not to be copied. */
bool item_type_at(item_type *t, const command *const *queries, size_t index);

bool item_type_find(item_type *t, const command *const *queries, const char *name);

/* Has the type a field of that name? For a command also the letter of its option. */
const option *item_type_field(const item_type *t, const char *name);

/* Says which fields are near a name that is none. */
bool item_field_near(char to[NEAR_ROOM], const item_type *t, const char *name);
/* What is to be said of a type that is none, as a sentence: "did you mean ...?" */
bool item_type_near(char to[NEAR_ROOM], const command *const *queries, const char *name);

/* The fields of any type. */
bool item_any_near(char to[NEAR_ROOM], const command *const *queries, const char *name);

/* How often the mechanism is used: a field of every entry, beside its name. */
extern const option item_uses;

/* What may stand in a ledger and beside its entries, is kept and not read, but that dates must
 * be some: "date", "owner", "note",
 * "url", and what begins with "x-". The list ends with NULL. */
extern const char *const item_remarks[];
#define ITEM_REMARK_PREFIX "x-"
bool item_is_remark(const char *key);

#endif
