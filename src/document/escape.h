/* SPDX-License-Identifier: MIT */
#ifndef DOCUMENT_ESCAPE_H
#define DOCUMENT_ESCAPE_H

#include <stdbool.h>

#include "document/out.h"

/* Copies text that may come from outside so that a terminal or a log shows it and obeys nothing in
 * it: control characters, marks that reorder lines, and what is not UTF-8 become \x1b and the like,
 * byte for byte. What does not fit is cut between characters. Safe to do twice. */
void escape_text(char *to, size_t size, const char *text);

/* Appends the text as a JSON string, in which nothing acts either: \u001b, \u2028 and the like. */
void escape_json(out *o, const char *text);

/* Do the n bytes stand for themselves in a JSON string? */
bool escape_none(const char *text, size_t n);

/* Bytes of the character at `text` that may be shown as it is; 0 when there is none. */
size_t escape_shown(const char *text);

#endif
