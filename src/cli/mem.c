/* SPDX-License-Identifier: MIT */
/* The program's memory: one owner, one limit. GMP, MPFR, MPFI, cJSON and the project itself take
 * their blocks here; the first that is refused ends the process, so that nobody meets a refusal and
 * no answer lacks a part. */
#include "cli/mem.h"

#include <cjson/cJSON.h>
#include <gmp.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "document/answer.h"
#include "num/memory.h"

#define BLOCK_OVERHEAD sizeof(size_t) /* what malloc keeps beside a block */

static size_t used, cap; /* no cap: 0 */
static size_t marked;    /* of what is used, what no limit counts */
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

/* Freed blocks are kept for the next of their size: up to KEPT_WEIGHT bytes each, KEPT_MOST bytes
 * of a size, so 4 MB in all, which the limit does not count. None where a tool watches each block.
 */
#define UNIT ((size_t)16)
#define LEAST_WEIGHT (4 * sizeof(size_t)) /* no block of malloc has less */
#define KEPT_WEIGHT ((size_t)4096)
#define KEPT_MOST ((size_t)16384)

typedef struct spare {
    struct spare *next;
} spare;

static struct {
    spare *first;
    size_t bytes;
} kept[KEPT_WEIGHT / UNIT + 1];
static size_t most_kept;

/* What a block of so many bytes counts, as malloc makes it; too many stay too many. */
static size_t rounded(size_t bytes)
{
    size_t least = bytes + BLOCK_OVERHEAD + UNIT - 1;
    if (least < bytes)
        return SIZE_MAX / UNIT * UNIT;
    return least < LEAST_WEIGHT ? LEAST_WEIGHT : least / UNIT * UNIT;
}

/* At least weight - BLOCK_OVERHEAD bytes, or NULL; the weight is rounded. */
static void *obtain(size_t weight)
{
    size_t place = weight / UNIT;
    if (weight > KEPT_WEIGHT || kept[place].first == NULL)
        return malloc(weight - BLOCK_OVERHEAD);
    spare *block = kept[place].first;
    kept[place].first = block->next;
    kept[place].bytes -= place * UNIT;
    return block;
}

/* A block that has at least weight - BLOCK_OVERHEAD bytes. */
static void release(void *block, size_t weight)
{
    size_t place = weight / UNIT;
    if (block == NULL || weight > KEPT_WEIGHT || kept[place].bytes >= most_kept) {
        free(block);
        return;
    }
    spare *one = block;
    one->next = kept[place].first;
    kept[place].first = one;
    kept[place].bytes += place * UNIT;
}

static size_t weight_of(void *block)
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
    void *block = fit ? obtain(rounded(bytes)) : NULL;
    if (block == NULL)
        give_up(!fit);
    used += weight_of(block);
    return block;
}

void *memory_resize(void *old, size_t bytes)
{
    size_t before = weight_of(old), others = used - before;
    bool fit = bytes <= before || fits(others, bytes);
    void *block = fit ? realloc(old, rounded(bytes) - BLOCK_OVERHEAD) : NULL;
    if (block == NULL)
        give_up(!fit);
    used = others + weight_of(block);
    return block;
}

void memory_free(void *block)
{
    size_t weight = weight_of(block);
    used -= weight;
    release(block, weight);
}

size_t memory_failures(void)
{
    return 0; /* none is ever seen */
}

/* GMP says how long its blocks are, so malloc need not be asked. */
static void *take_number(size_t bytes)
{
    size_t weight = rounded(bytes);
    bool fit = fits(used, bytes);
    void *block = fit ? obtain(weight) : NULL;
    if (block == NULL)
        give_up(!fit);
    used += weight;
    return block;
}

static void *resize_number(void *old, size_t from, size_t to)
{
    size_t before = rounded(from), after = rounded(to), others = used - before;
    bool fit = to <= from || fits(others, to);
    if (fit && before == after)
        return old;
    bool keep = after <= KEPT_WEIGHT && kept[after / UNIT].first != NULL;
    void *block = !fit ? NULL : keep ? obtain(after) : realloc(old, after - BLOCK_OVERHEAD);
    if (block == NULL)
        give_up(!fit);
    if (keep) {
        memcpy(block, old, from < to ? from : to);
        release(old, before);
    }
    used = others + after;
    return block;
}

static void free_number(void *block, size_t bytes)
{
    size_t weight = rounded(bytes);
    used -= weight;
    release(block, weight);
}

static bool is_watched(void)
{
#ifdef DPACCT_WATCHED
    return true;
#else
    const char *loaded = getenv("LD_PRELOAD"); /* by valgrind, among others */
    return loaded != NULL && strstr(loaded, "memcheck") != NULL;
#endif
}

void mem_install(void)
{
    static cJSON_Hooks hooks = {memory_take, memory_free};
    most_kept = is_watched() ? 0 : KEPT_MOST;
    mp_set_memory_functions(take_number, resize_number, free_number);
    cJSON_InitHooks(&hooks);
}

void mem_limit(size_t bytes)
{
    cap = bytes > 0 && bytes <= SIZE_MAX - marked ? marked + bytes : 0;
}

void mem_mark(size_t own)
{
    marked = used > own ? used - own : 0;
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
