/* SPDX-License-Identifier: MIT */
/* Memory functions that refuse, in the place of the library's, and a count of what is held. */
#include "refusing.h"

#include <gmp.h>
#include <stdlib.h>

#include "num/memory.h"

size_t taken, refused, live, only;
bool exhausted;
uint64_t state;

static bool refuse(void)
{
    taken++;
    state = state * 6364136223846793005U + 1442695040888963407U;
    bool now = exhausted  ? taken >= only
               : only > 0 ? taken == only
                          : only == 0 && (state >> 33) % 16 == 0;
    refused += now;
    return now;
}

void *memory_take(size_t bytes)
{
    void *block = refuse() ? NULL : malloc(bytes == 0 ? 1 : bytes);
    live += block != NULL;
    return block;
}

void *memory_resize(void *old, size_t bytes)
{
    void *block = refuse() ? NULL : realloc(old, bytes == 0 ? 1 : bytes);
    live += block != NULL && old == NULL;
    return block;
}

void memory_free(void *block)
{
    live -= block != NULL;
    free(block);
}

size_t memory_failures(void)
{
    return refused;
}

static void *take_number(size_t bytes)
{
    void *block = malloc(bytes);
    if (block == NULL)
        abort();
    live++;
    return block;
}

static void *resize_number(void *old, size_t from, size_t to)
{
    (void)from;
    void *block = realloc(old, to);
    if (block == NULL)
        abort();
    return block;
}

static void free_number(void *block, size_t bytes)
{
    (void)bytes;
    memory_free(block);
}

void count_numbers(void)
{
    mp_set_memory_functions(take_number, resize_number, free_number);
}
