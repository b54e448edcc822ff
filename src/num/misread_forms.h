/* SPDX-License-Identifier: MIT */
/* What the forms of misread.c share, and those that are multiplied out. */
#ifndef NUM_MISREAD_FORMS_H
#define NUM_MISREAD_FORMS_H

#include <stdbool.h>
#include <stddef.h>

/* Is that a number? */
bool misread_reads(const char *text, size_t length);

/* The words of the list as `by`, which is not longer than any; were there any? */
bool misread_replace(char *out, const char *text, const char *const *list, const char *by);

/* Is the text, shorter than MISREAD_ROOM, of the form, and which number is that, or ""? */
bool misread_percent(char *out, const char *text);
bool misread_multiple(char *out, const char *text);
bool misread_measure(char *out, const char *text);
bool misread_product(char *out, const char *text);
bool misread_hexadecimal(char *out, const char *text);

#endif
