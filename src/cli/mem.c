/* SPDX-License-Identifier: MIT */
#include "cli/mem.h"

#include <gmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/report.h"

static size_t used, cap;
static const char *context = "dpacct";

/* No stdio here: the heap may be exhausted. */
static void say(const char *text)
{
    ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
    (void)ignored;
}

static _Noreturn void give_up(void)
{
    say("dpacct: ");
    say(context);
    say(": out of memory: the numbers asked for need more than the limit allows\n");
    _exit(EXIT_UNFINISHED);
}

static void *take(size_t n)
{
    void *p = used <= cap && n <= cap - used ? malloc(n) : NULL;
    if (p == NULL)
        give_up();
    used += n;
    return p;
}

static void *resize(void *old, size_t from, size_t to)
{
    void *p = to <= from || (used <= cap && to - from <= cap - used) ? realloc(old, to) : NULL;
    if (p == NULL)
        give_up();
    used = used - from + to;
    return p;
}

static void release(void *p, size_t n)
{
    free(p);
    used -= n;
}

void mem_install(size_t bytes)
{
    cap = bytes;
    mp_set_memory_functions(take, resize, release);
}

void mem_limit(size_t bytes)
{
    cap = bytes;
}

void mem_context(const char *name)
{
    context = name;
}
