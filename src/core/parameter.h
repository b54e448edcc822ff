/* SPDX-License-Identifier: MIT */
/* A parameter is declared once: its names, kind, domain, unit, default and texts. */
#ifndef CORE_PARAMETER_H
#define CORE_PARAMETER_H

#include <stddef.h>

#include "num/domain.h"

enum kind {
    KIND_FLAG = 0,    /* true or false                                                   */
    KIND_COUNT,       /* positive integer of any size                                    */
    KIND_LOSS,        /* privacy loss: a number >= 0, or ln(R) with R >= 1               */
    KIND_PROBABILITY, /* rational in [0, 1]                                              */
    KIND_SLACK,       /* rational in (0, 1)                                              */
    KIND_POSITIVE,    /* rational > 0                                                    */
    KIND_REAL,        /* rational                                                        */
    KIND_DIGITS,      /* 1 to 10000                                                      */
    KIND_PAIR,        /* EPS[,DELTA]: a privacy loss and a probability                   */
    KIND_RANGE,       /* A:B:N: two numbers and a count                                  */
    KIND_CHOICE,      /* one of `choices`                                                */
    KIND_LIST,        /* numbers of its domain separated by commas; a JSON array         */
    KIND_LIST_FILE,   /* such a list; the command line names a file with the JSON array  */
    KIND_TABLE_FILE,  /* lines of as many numbers, "1,2;3,4"; on the command line a file, in JSON an
                         array of arrays */
    KIND_TEXT,        /* words                                                           */
    KIND_DATE,        /* a day, YYYY-MM-DD                                               */
    KIND_ITEM         /* EPS[,DELTA][xTIMES] adds to the list of mechanisms: no value     */
};

/* "a|b": words that are no choices, and what would be right, in place of the list of choices. */
typedef struct choice_other {
    const char *words, *instead;
} choice_other;

typedef struct parameter {
    const char *name;          /* with dashes                                                 */
    const char *key;           /* in JSON; NULL: the name                                     */
    const char *field;         /* of the library's query, named in its errors; NULL: see below */
    const char *unit;          /* "nats", "records", "uses", ...; NULL: none                  */
    const char *preset;        /* the value in force when none is given; NULL: none           */
    const char *choices;       /* "a|b|c" for KIND_CHOICE                                     */
    const choice_other *other; /* words that are none of them, ended by NULL; NULL: none */
    const char *brief;         /* at most 60 characters, no full stop                         */
    const char *manual;        /* sentences                                                   */
    const domain *domain;      /* narrower than that of its kind, or NULL                     */
    enum kind kind;
    bool required;
} parameter;

/* Dashes and underscores are the same, so that fields of JSON have the names of long options. */
bool parameter_same_name(const char *a, const char *b);

const char *parameter_key(const parameter *p);

/* Is that its name, dashes or underscores, or its key? */
bool parameter_is_named(const parameter *p, const char *name);

/* The name of the field: without dashes that of the parameter, with dashes the key, unless given.
 */
const char *parameter_field(const parameter *p);

/* What a number of the parameter must be: NULL where there is none, or where there are two. */
const domain *parameter_domain(const parameter *p);

/* How many choices there are, and whether the text is one of them: its place then. */
size_t parameter_choices(const parameter *p);
bool parameter_choice(size_t *place, const parameter *p, const char *text);

#endif
