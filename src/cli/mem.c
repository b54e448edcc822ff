/* SPDX-License-Identifier: MIT */
/* The program's memory: one owner, one limit. GMP, MPFR, MPFI, cJSON and the project itself take
 * their blocks here; the first that is refused ends the process, so that nobody meets a refusal and
 * no answer lacks a part. */
#include "cli/mem.h"

#include <cjson/cJSON.h>
#include <gmp.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "document/answer.h"
#include "num/memory.h"

#define BLOCK_OVERHEAD sizeof(size_t) /* what malloc keeps beside a block */

static size_t used, cap; /* no cap: 0 */
static const char *context;
static bool as_json;
static void (*at_end)(void);

/* No stdio here: the heap may be exhausted. */
static void say(const char *text)
{
    ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
    (void)ignored;
}

/* Of the limit, or of the system. */
static _Noreturn void give_up(bool limited)
{
    if (at_end != NULL)
        at_end();
    say(as_json ? "{\"schema\":\"dpacct/1\",\"error\":{\"argument\":\"\",\"message\":\""
                : "dpacct: ");
    if (context != NULL && !as_json) {
        say(context);
        say(": ");
    }
    say(limited ? "out of memory: the memory limit was met; raise --max-memory"
                : "out of memory: the system has no more, and no limit would help");
    if (as_json) {
        say("\",\"help\":\"dpacct ");
        say(context != NULL ? context : "");
        say(context != NULL ? " --help\"}}" : "--help\"}}");
    }
    say("\n");
    _exit(EXIT_UNFINISHED);
}

static size_t weight(void *block)
{
    return block == NULL ? 0 : malloc_usable_size(block) + BLOCK_OVERHEAD;
}

static bool fits(size_t others, size_t bytes)
{
    return cap == 0 || (others <= cap && bytes <= cap - others);
}

void *memory_take(size_t bytes)
{
    bool fit = fits(used, bytes);
    void *block = fit ? malloc(bytes == 0 ? 1 : bytes) : NULL;
    if (block == NULL)
        give_up(!fit);
    used += weight(block);
    return block;
}

void *memory_resize(void *old, size_t bytes)
{
    size_t before = weight(old), others = used - before;
    bool fit = bytes <= before || fits(others, bytes);
    void *block = fit ? realloc(old, bytes == 0 ? 1 : bytes) : NULL;
    if (block == NULL)
        give_up(!fit);
    used = others + weight(block);
    return block;
}

void memory_free(void *block)
{
    used -= weight(block);
    free(block);
}

size_t memory_failures(void)
{
    return 0; /* none is ever seen */
}

/* GMP says how long its blocks are, so malloc need not be asked. */
static size_t number_weight(size_t bytes)
{
    size_t rounded = (bytes + BLOCK_OVERHEAD + 15) & ~(size_t)15;
    return rounded < 32 ? 32 : rounded;
}

static void *take_number(size_t bytes)
{
    bool fit = fits(used, bytes);
    void *block = fit ? malloc(bytes) : NULL;
    if (block == NULL)
        give_up(!fit);
    used += number_weight(bytes);
    return block;
}

static void *resize_number(void *old, size_t from, size_t to)
{
    size_t others = used - number_weight(from);
    bool fit = to <= from || fits(others, to);
    void *block = fit ? realloc(old, to) : NULL;
    if (block == NULL)
        give_up(!fit);
    used = others + number_weight(to);
    return block;
}

static void free_number(void *block, size_t bytes)
{
    used -= number_weight(bytes);
    free(block);
}

void mem_install(void)
{
    static cJSON_Hooks hooks = {memory_take, memory_free};
    mp_set_memory_functions(take_number, resize_number, free_number);
    cJSON_InitHooks(&hooks);
}

void mem_limit(size_t bytes)
{
    cap = bytes;
}

void mem_context(const char *name)
{
    context = name;
}

void mem_json(bool on)
{
    as_json = on;
}

void mem_at_end(void (*last)(void))
{
    at_end = last;
}
