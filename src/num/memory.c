/* SPDX-License-Identifier: MIT */
/* The library's memory: malloc, and a count of its refusals. */
#include "num/memory.h"

#include <stdlib.h>

static _Thread_local size_t failures;

/* No object is larger: the differences of pointers would not fit. */
static size_t asked(size_t bytes)
{
    return bytes == 0 ? 1 : bytes;
}

static void *counted(void *block)
{
    failures += block == NULL;
    return block;
}

void *memory_take(size_t bytes)
{
    return counted(bytes <= PTRDIFF_MAX ? malloc(asked(bytes)) : NULL);
}

void *memory_resize(void *old, size_t bytes)
{
    return counted(bytes <= PTRDIFF_MAX ? realloc(old, asked(bytes)) : NULL);
}

void memory_free(void *block)
{
    free(block);
}

size_t memory_failures(void)
{
    return failures;
}
