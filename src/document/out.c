/* SPDX-License-Identifier: MIT */
/* A growing buffer of output. */
#include "document/out.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "num/memory.h"

void out_init(out *o)
{
    memset(o, 0, sizeof *o);
}

void out_clear(out *o)
{
    if (!o->lent)
        memory_free(o->data);
    out_init(o);
}

void out_lend(out *o, char *data, size_t room)
{
    out_clear(o);
    o->data = data;
    o->room = room;
    o->lent = true;
}

char *out_reserve(out *o, size_t n)
{
    if (o->failed)
        return NULL;
    if (o->data == NULL || o->room - o->used < n) {
        size_t room = o->room + o->room / 2 + n + 256;
        char *grown = o->lent ? memory_new(room, 1) : memory_grow(o->data, room, 1);
        if (grown == NULL) {
            o->failed = true;
            return NULL;
        }
        if (o->lent)
            memcpy(grown, o->data, o->used);
        o->lent = false;
        o->data = grown;
        o->room = room;
    }
    return o->data + o->used;
}

void out_grow(out *o, size_t n)
{
    o->used += n;
}

void out_bytes(out *o, const char *bytes, size_t n)
{
    char *at = out_reserve(o, n);
    if (at != NULL) {
        memcpy(at, bytes, n);
        o->used += n;
    }
}

void out_text(out *o, const char *text)
{
    out_bytes(o, text, strlen(text));
}

void out_char(out *o, char c)
{
    if (o->used < o->room && !o->failed)
        o->data[o->used++] = c;
    else
        out_bytes(o, &c, 1);
}

void out_pad(out *o, size_t n)
{
    char *at = out_reserve(o, n);
    if (at != NULL) {
        memset(at, ' ', n);
        o->used += n;
    }
}

void out_format(out *o, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int n = vsnprintf(NULL, 0, format, list);
    va_end(list);
    char *at = n >= 0 ? out_reserve(o, (size_t)n + 1) : NULL;
    if (at != NULL) {
        vsnprintf(at, (size_t)n + 1, format, again);
        o->used += (size_t)n;
    }
    va_end(again);
}
