/* SPDX-License-Identifier: MIT */
/* The names that were probably meant by one that is not known: of commands, options, fields, types,
 * choices and theorems alike. They are said, and never taken. */
#ifndef DOCUMENT_NEAR_H
#define DOCUMENT_NEAR_H

#include <stdbool.h>
#include <stddef.h>

#define NEAR_MOST 4 /* names that are said together */
#define NEAR_ROOM 256

typedef struct near_names {
    const char *wanted;
    const char *best; /* by edit distance, of which transpositions are one */
    size_t distance;
    bool known; /* right in another place, and so not misspelt: no name is near by its letters */
    const char *begins[NEAR_MOST], *holds[NEAR_MOST]; /* with the whole of it; as a word within */
    size_t beginning, holding;
} near_names;

void near_begin(near_names *n, const char *wanted);
void near_try(near_names *n, const char *name);
/* A name that is meant, however far it is. */
void near_is(near_names *n, const char *name);

/* "A", "A or B", "A, B or C", each between `before` and `after`; false: none is near. */
bool near_say(char to[NEAR_ROOM], const near_names *n, const char *before, const char *after);

/* The same of "A|B|C", bare. */
bool near_choice(char to[NEAR_ROOM], const char *wanted, const char *choices);

/* Only those that other accountants, and papers, call by the wanted word. */
bool near_choice_is(char to[NEAR_ROOM], const char *wanted, const char *choices);

#endif
