/* SPDX-License-Identifier: MIT */
/* A parameter is declared once: its names, kind, domain, unit, default and texts. A value is what
 * text gives it: words of the command line, fields of JSON, what a mechanism is set to. */
#ifndef CORE_PARAMETER_H
#define CORE_PARAMETER_H

#include "dpacct/number.h"
#include "num/domain.h"

typedef enum kind {
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
    KIND_ITEM         /* EPS[,DELTA][xTIMES] adds to the list of mechanisms: no value     */
} kind;

typedef struct parameter {
    const char *name;     /* with dashes                                                 */
    const char *key;      /* in JSON; NULL: the name                                     */
    const char *field;    /* of the library's query, named in its errors; NULL: see below */
    const char *unit;     /* "nats", "records", "uses", ...; NULL: none                  */
    const char *preset;   /* the value in force when none is given; NULL: none           */
    const char *choices;  /* "a|b|c" for KIND_CHOICE                                     */
    const char *brief;    /* at most 60 characters, no full stop                         */
    const char *manual;   /* sentences                                                   */
    const domain *domain; /* narrower than that of its kind, or NULL                     */
    kind kind;
    bool required;
} parameter;

const char *parameter_key(const parameter *p);

/* The name of the field: without dashes that of the parameter, with dashes the key, unless given.
 */
const char *parameter_field(const parameter *p);

/* What a number of the parameter must be: NULL where there is none, or where there are two. */
const domain *parameter_domain(const parameter *p);

/* How many choices there are, and whether the text is one of them: its place then. */
size_t parameter_choices(const parameter *p);
bool parameter_choice(size_t *place, const parameter *p, const char *text);

typedef struct value {
    const parameter *of;
    char *text;       /* as given, or the preset; NULL: nothing is in force              */
    dp_number number; /* of kinds that have one; the first of two                        */
    dp_number second; /* of a pair or range                                              */
    size_t choice;    /* the place among the choices; of a flag 0 or 1                   */
    mpq_t *list;
    size_t count; /* of the list; of the points of a range, SIZE_MAX for more        */
    bool given;   /* false: the preset is in force, or nothing                       */
    bool weak;    /* given, but what is given elsewhere takes its place              */
} value;

/* What is wrong with a text: `length` characters of it from `part` on, then the message, then
 * `choices` where they say what would be right. The part may be NULL: the message is about all. */
typedef struct value_fault {
    const char *part;
    size_t length;
    const char *message; /* static */
    const char *choices; /* of the parameter, or NULL */
} value_fault;

void value_init(value *v, const parameter *of);
void value_clear(value *v);

/* Reads the text: the value is then given, and keeps a copy of it. DP_DOMAIN or DP_MEMORY with the
 * fault filled in, and the value as it was. KIND_ITEM has no value and must not come here. */
dp_status value_set(value *v, const char *text, value_fault *f);

/* Puts the preset in force, where there is one and nothing is given. */
dp_status value_preset(value *v, value_fault *f);

/* Takes text out of force: nothing is given then. */
void value_forget(value *v);

/* Gives what `from` was given to another of the same kind, whatever that was; `from` forgets it. */
void value_move(value *to, value *from);

/* The fault as an error of the library, whose texts are static; returns `status`. */
dp_status value_fail(dp_error *err, dp_status status, const value *v, const value_fault *f);

#endif
