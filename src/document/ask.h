/* SPDX-License-Identifier: MIT */
/* A question as one JSON object, its answer as another: what a line of a batch is. */
#ifndef DOCUMENT_ASK_H
#define DOCUMENT_ASK_H

#include "document/answer.h"

/* A line holds a question, not a data set; longer ones are refused. */
#define ASK_MOST_BYTES ((size_t)16 << 20)

/* Of whoever asks; no function has to be there. */
typedef struct asking {
    size_t line; /* that errors name */
    void (*progress)(void *context, double seconds);
    void (*narrowed)(void *context, const char *what, double lower, double upper);
    void (*limit_memory)(size_t bytes);
    /* The question is known, is it answered at once? `c` is NULL where the answer is an error. */
    void (*begin)(void *context, const command *c, json id, bool at_once);
    void *context;
} asking;

/* Appends the answer to the question in `length` bytes of text, which is changed and has room for
 * one byte more. Returns the exit status; *status says what the question came to. */
int ask_text(out *o, report *r, char *text, size_t length, const asking *how, dp_status *status);

/* Appends the answer that a fault is. */
void ask_fault(out *o, const fault *f, size_t line, json id);

/* The fault of a line that has more than ASK_MOST_BYTES. */
void ask_too_long(fault *f);

#endif
