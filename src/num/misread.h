/* SPDX-License-Identifier: MIT */
/* The one place that explains what a text that is no number was probably meant to be. */
#ifndef NUM_MISREAD_H
#define NUM_MISREAD_H

#include <stdbool.h>
#include <stddef.h>

#define MISREAD_ROOM 64

typedef struct misread {
    const char *message;        /* static: what is wrong, "; ", what would be right in general */
    size_t what;                /* characters of it that say what is wrong                    */
    char instead[MISREAD_ROOM]; /* the number that was probably meant, or ""                  */
} misread;

/* Explains `length` bytes that lit_parse refuses with LIT_SYNTAX. Long texts are not explained.
 * What stands in `instead` is read by lit_parse. */
void misread_explain(misread *m, const char *text, size_t length);

#endif
