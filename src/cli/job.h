/* SPDX-License-Identifier: MIT */
/* One of the processes of batch --jobs, and what passes between it and the one that reads and
 * writes. A share is lines one after the other: its text and its answers lie in memory that all of
 * them have. Which share is to be answered, goes by its place through a pipe that all of them read;
 * what was answered, back through the channel of the job. */
#ifndef CLI_JOB_H
#define CLI_JOB_H

#include <stdatomic.h>

#include "cli/batch.h"

#define NOWHERE SIZE_MAX

/* Lines of so many bytes together are a share, or one line that is longer. */
#define SHARE_BYTES ((size_t)1 << 14)
#define SHARE_ANSWERS ((size_t)1 << 19)

typedef struct share {
    atomic_size_t taken;  /* by that job; NOWHERE: it is free to take, whoever reads of it */
    size_t number, bytes; /* of the first line; of the text, whose lines end with "\n" */
    bool too_long;        /* its only line is, and has no text */
    bool sent;            /* the text comes by the channel of the job that asks for it */
    char text[BATCH_BLOCK];
    char answers[SHARE_ANSWERS];
} share;

/* What is known of a job that ends: where in its share the line is that ended it, if one is asked.
 */
typedef struct job_slot {
    question q;
    size_t at, after; /* the line in the text of the share, and what follows it */
} job_slot;

typedef struct reply {
    size_t place;         /* of the share */
    size_t from, bytes;   /* of answers, as far as they go */
    size_t after, number; /* what is not answered yet begins there with that line */
    int worst;
    bool sent;  /* those answers come behind this, and are not among those of the share */
    bool wants; /* the text is to be sent */
    bool last;  /* no more of this share: what is left of it, another may answer */
} reply;

/* `which` it is, and the slot of it. */
_Noreturn void job_run(size_t which, job_slot *own, share *shares, int work, int channel,
                       bool quiet);

/* All of it, or false. */
bool job_read(int fd, void *to, size_t bytes);

#endif
