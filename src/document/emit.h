/* SPDX-License-Identifier: MIT */
/* JSON written as it is made: each call appends one part to the output, which knows itself where a
 * comma is wanted. Keys of ours are plain text. Without memory `failed` is set, as ever. */
#ifndef DOCUMENT_EMIT_H
#define DOCUMENT_EMIT_H

#include "document/json_read.h"
#include "document/out.h"

/* Each is a member of an object (key != NULL), an element of an array, or a whole document
 * (key == NULL) at the start of a line. */
void emit_object(out *o, const char *key);
void emit_array(out *o, const char *key);
void emit_text(out *o, const char *key, const char *text); /* NULL: what made it had no memory */
void emit_number(out *o, const char *key, const char *token);
void emit_count(out *o, const char *key, size_t n);
void emit_bool(out *o, const char *key, bool value);
void emit_null(out *o, const char *key);
/* What was read, its numbers as they were written. */
void emit_value(out *o, const char *key, json value);
/* A member of an object that was read, under its own key. */
void emit_member(out *o, json member);

/* The members that stand from one place of the output to another, as members of what is open now.
 */
void emit_again(out *o, size_t from, size_t to);

/* Ends the object or array that was begun last. */
void emit_object_end(out *o);
void emit_array_end(out *o);

#endif
