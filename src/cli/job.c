/* SPDX-License-Identifier: MIT */
/* One of the processes of batch --jobs: answers a share of the lines after the other. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/batch.h"
#include "cli/mem.h"
#include "num/memory.h"

/* What is left of a share after that many seconds, another process may answer. */
#define SHARE_SECONDS 0.004

static job_slot *mine;
static out *pending;          /* answers that are not sent yet, */
static size_t complete;       /* of which so many bytes are whole ones, */
static size_t answered, sent; /* lines of the share */
static int to_fd, worst = EXIT_HOLDS;

bool job_read(int fd, void *to, size_t bytes)
{
    char *at = to;
    while (bytes > 0) {
        ssize_t n = read(fd, at, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        bytes -= (size_t)n;
    }
    return true;
}

bool job_write(int fd, const void *from, size_t bytes)
{
    const char *at = from;
    while (bytes > 0) {
        ssize_t n = write(fd, at, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        bytes -= (size_t)n;
    }
    return true;
}

/* Who cannot send has nobody to answer to. It takes no memory. */
static void send_answers(size_t bytes, bool last)
{
    answer_head head;
    memset(&head, 0, sizeof head); /* what lies between its members is sent too */
    head.lines = answered - sent;
    head.bytes = bytes;
    head.worst = worst;
    head.last = last;
    if (!job_write(to_fd, &head, sizeof head) || !job_write(to_fd, pending->data, bytes))
        _exit(EXIT_UNFINISHED);
    sent = answered;
}

static void flush(void)
{
    send_answers(pending->used, false);
    pending->used = complete = 0;
}

/* The answers before the line that ends this process. */
static void send_complete(void)
{
    send_answers(complete, false);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void answer_share(report *r, char *texts, size_t lines, bool quiet)
{
    double began = now();
    answered = sent = 0;
    while (answered < lines) {
        line_head head;
        memcpy(&head, texts, sizeof head);
        line l = {.text = texts + sizeof head, .length = head.length, .too_long = head.too_long};
        texts = l.text + head.length + 1;
        mine->at = answered;
        mine->q.number = head.number;
        complete = pending->used;
        int status = line_answer(pending, r, &l, &mine->q);
        worst = status > worst ? status : worst;
        if (quiet)
            pending->used = 0;
        answered++;
        if (now() - began > SHARE_SECONDS)
            break;
        if (pending->used > BATCH_BLOCK)
            flush();
    }
    send_answers(pending->used, true);
    pending->used = complete = 0;
}

_Noreturn void job_run(job_slot *slot, int from, int to, bool quiet)
{
    report r;
    out o;
    share_head head;
    out_init(&o);
    report_init(&r);
    mine = slot;
    pending = &o;
    to_fd = to;
    slot->q.flush = flush;
    slot->q.asked = false;
    mem_at_end(send_complete);
    while (job_read(from, &head, sizeof head)) {
        slot->at = 0;
        slot->q.id[0] = '\0';
        slot->q.asked = true; /* what ends it from here on, is the fault of a line */
        mem_limit(MEM_CAP);
        char *long_one = head.bytes > sizeof slot->share ? memory_new(head.bytes, 1) : NULL;
        char *texts = long_one != NULL ? long_one : slot->share;
        if (!job_read(from, texts, head.bytes))
            break;
        answer_share(&r, texts, head.lines, quiet);
        memory_free(long_one);
    }
    _exit(EXIT_HOLDS);
}
