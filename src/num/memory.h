/* SPDX-License-Identifier: MIT */
/* Every block that the project asks for comes from here. The library takes it from malloc; the
 * program links functions of its own in their place (cli/mem.c), which count. */
#ifndef NUM_MEMORY_H
#define NUM_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* As malloc, realloc and free; of no bytes there is a block too. A refusal is counted. */
void *memory_take(size_t bytes);
void *memory_resize(void *old, size_t bytes);
void memory_free(void *block);

/* How often this thread was refused. What was refused since it began makes a query fail, whoever
 * forgot to say so. */
size_t memory_failures(void);

/* The bytes of `count` elements; too many stay too many. */
static inline size_t memory_bytes(size_t count, size_t size)
{
    return size != 0 && count > SIZE_MAX / size ? SIZE_MAX : count * size;
}

static inline void *memory_new(size_t count, size_t size)
{
    return memory_take(memory_bytes(count, size));
}

static inline void *memory_grow(void *old, size_t count, size_t size)
{
    return memory_resize(old, memory_bytes(count, size));
}

/* All bytes 0. */
static inline void *memory_zero(size_t count, size_t size)
{
    void *block = memory_new(count, size);
    if (block != NULL)
        memset(block, 0, count * size);
    return block;
}

/* A copy of n characters, ended by a 0. */
static inline char *memory_text(const char *text, size_t n)
{
    char *copy = memory_new(n + 1, 1);
    if (copy != NULL) {
        memcpy(copy, text, n);
        copy[n] = '\0';
    }
    return copy;
}

static inline char *memory_copy(const char *text)
{
    return memory_text(text, strlen(text));
}

#endif
