/* SPDX-License-Identifier: MIT */
/* What other accountants, and papers, call what has another name here: said, and never taken. */
#ifndef DOCUMENT_ELSEWHERE_H
#define DOCUMENT_ELSEWHERE_H

#include <stdbool.h>
#include <stddef.h>

#define ELSEWHERE_WORD 64

/* The next name here of an option or a field that is called `name` elsewhere, from *at = 0 on;
 * false past the last one. Not every command has what is named. */
bool elsewhere_next(const char **here, size_t *at, const char *name);

/* What is to be said of an option of that command, or a field of that type; NULL: nothing. */
const char *elsewhere_note(const char *of, const char *name);

/* What stands in place of a type of mechanism that is none here, as a sentence; NULL: not known. */
const char *elsewhere_type(const char *name);

/* The same but for marks, capitals and words around: GaussianDpEvent. */
bool elsewhere_same_type(const char *name, const char *type);

#endif
