/* SPDX-License-Identifier: MIT */
/* Work that is cut into parts, each of which is made once, by whoever is free. */
#ifndef NUM_THREADS_H
#define NUM_THREADS_H

#include <stdbool.h>
#include <stddef.h>

#define THREADS_MOST 64

/* `calling`: on the thread that called threads_run. What a part makes must not depend on who makes
 * it, nor on the other parts. It takes no memory and calls no MPFR: what frees the caches of a
 * thread, and whose memory they are, is the caller's business. */
typedef void threads_work(void *of, size_t part, bool calling);

/* Makes parts 0 to count-1 by at most that many threads, 0 and 1: none but the calling one, which
 * makes all where no other can be started. All are made, and the threads ended, when it returns. */
void threads_run(threads_work *work, void *of, size_t count, size_t threads);

#endif
