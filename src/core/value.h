/* SPDX-License-Identifier: MIT */
/* The value of a parameter: what text gives it, words of the command line, fields of JSON, what a
 * mechanism is set to. */
#ifndef CORE_VALUE_H
#define CORE_VALUE_H

#include "core/parameter.h"
#include "dpacct/number.h"
#include "num/misread.h"

typedef struct value {
    const parameter *of;
    char *text;       /* as given, or the preset; NULL: nothing is in force              */
    char *spare;      /* the text that was in force before, which the rest still holds; or NULL */
    dp_number number; /* of kinds that have one; the first of two                        */
    dp_number second; /* of a pair or range                                              */
    size_t choice;    /* the place among the choices; of a flag 0 or 1                   */
    mpq_t *list;
    dp_number *numbers;  /* of a list whose domain has logarithms, in its place */
    size_t columns;      /* of a table: numbers in each line */
    size_t count;        /* of the list; of the points of a range, SIZE_MAX for more        */
    bool kept;           /* of a text that is no longer in force                            */
    size_t spare_choice; /* what `spare` chose */
    bool given;          /* false: the preset is in force, or nothing                       */
    bool weak;           /* given, but what is given elsewhere takes its place              */
} value;

/* What is wrong with a text: `length` characters of it from `part` on, then the message, then
 * `choices` where they say what would be right. The part may be NULL: the message is about all. */
typedef struct value_fault {
    const char *part;
    size_t length;
    const char *message; /* static */
    const char *choices; /* of the parameter, or NULL */
    dp_status status;    /* DP_DOMAIN or DP_MEMORY */
    misread meant;       /* of a number: what the message says too, and the number; or "" */
} value_fault;

void value_init(value *v, const parameter *of);
void value_clear(value *v);

/* Reads the text: the value is then given, and keeps a copy of it. DP_DOMAIN or DP_MEMORY with the
 * fault filled in, and the value as it was. KIND_ITEM has no value and must not come here. */
dp_status value_set(value *v, const char *text, value_fault *f);

/* Explains a text that dp_number_parse refuses; what is outside the domain, which may be NULL, is
 * not said to be meant, and what the domain says of it is returned; otherwise NULL. */
const char *value_meant(misread *m, const domain *d, const char *part, size_t length);

/* Puts the preset in force, where there is one and nothing is given. */
dp_status value_preset(value *v, value_fault *f);

/* Takes text out of force: nothing is given then. The text that is set next is not read again
 * where it is the same. */
void value_forget(value *v);

/* As value_init leaves it, but the text that was in force is not read again where the next one is
 * the same. */
void value_again(value *v);

/* Gives what `from` was given to another of the same kind, whatever that was; `from` forgets it. */
void value_move(value *to, value *from);

/* The fault as an error of the library, whose texts are static; returns `status`. */
dp_status value_fail(dp_error *err, dp_status status, const value *v, const value_fault *f);

#endif
