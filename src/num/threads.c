/* SPDX-License-Identifier: MIT */
/* Parts of work by POSIX threads, where there are any. */
#include "num/threads.h"

#if defined(DPACCT_THREADS)
#include <pthread.h>
#include <stdatomic.h>

#define STACK_BYTES (256 * 1024)

typedef struct shared {
    threads_work *work;
    void *of;
    size_t count;
    atomic_size_t next;
} shared;

static void make_parts(shared *s, bool calling)
{
    for (size_t i; (i = atomic_fetch_add(&s->next, 1)) < s->count;)
        s->work(s->of, i, calling);
}

static void *run(void *of)
{
    make_parts(of, false);
    return NULL;
}

/* A new thread has the rounding mode of the one that starts it. */
static size_t start(pthread_t *other, size_t most, shared *s)
{
    pthread_attr_t how;
    size_t count = 0;
    if (most == 0 || pthread_attr_init(&how) != 0)
        return 0;
    if (pthread_attr_setstacksize(&how, STACK_BYTES) == 0)
        while (count < most && pthread_create(&other[count], &how, run, s) == 0)
            count++;
    pthread_attr_destroy(&how);
    return count;
}

void threads_run(threads_work *work, void *of, size_t count, size_t threads)
{
    pthread_t other[THREADS_MOST];
    shared s = {.work = work, .of = of, .count = count};
    atomic_init(&s.next, 0);
    size_t most = threads < count ? threads : count;
    most = most < THREADS_MOST ? most : THREADS_MOST;
    size_t started = start(other, most > 0 ? most - 1 : 0, &s);
    make_parts(&s, true);
    for (size_t i = 0; i < started; i++)
        pthread_join(other[i], NULL);
}

#else

void threads_run(threads_work *work, void *of, size_t count, size_t threads)
{
    (void)threads;
    for (size_t i = 0; i < count; i++)
        work(of, i, true);
}

#endif
