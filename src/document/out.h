/* SPDX-License-Identifier: MIT */
/* Output is built in memory, so that nothing partial is ever printed. */
#ifndef DOCUMENT_OUT_H
#define DOCUMENT_OUT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct out {
    char *data;
    size_t used, room;
    bool failed; /* out of memory: later additions do nothing */
    bool closed; /* nobody reads the stream any more */
    bool lent;   /* the data is another's, and is left to it where there is no more room */
} out;

void out_init(out *o);
void out_clear(out *o);

/* Begins anew in so many bytes of another. */
void out_lend(out *o, char *data, size_t room);

/* Room for n more bytes at the end, or NULL; out_grow then says how many were used. */
char *out_reserve(out *o, size_t n);
void out_grow(out *o, size_t n);

void out_bytes(out *o, const char *bytes, size_t n);
void out_text(out *o, const char *text);
void out_char(out *o, char c);
void out_pad(out *o, size_t n); /* n spaces */
void out_format(out *o, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
