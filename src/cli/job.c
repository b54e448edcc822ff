/* SPDX-License-Identifier: MIT */
/* One of the processes of batch --jobs: answers one share of the lines after the other. */
#include "cli/job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/mem.h"
#include "cli/write.h"
#include "num/memory.h"

/* What is left of a share after that many seconds, another process may answer. */
#define SHARE_SECONDS 0.004

static job_slot *mine;
static share *asked;    /* of which */
static out *pending;    /* are answers that are not told of yet, */
static size_t complete; /* of which so many bytes are whole ones, */
static size_t told;     /* behind so many others */
static reply next;
static int to_fd;

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

/* Who cannot send has nobody to answer to. It takes no memory. */
static void send_bytes(const void *from, size_t bytes)
{
    if (!write_all(to_fd, from, bytes))
        _exit(EXIT_UNFINISHED);
}

static void tell(size_t bytes)
{
    next.from = told;
    next.bytes = bytes;
    next.sent = !pending->lent;
    send_bytes(&next, sizeof next);
    if (next.sent)
        send_bytes(pending->data, bytes);
}

/* What is answered behind it stands behind it, also where it had no room there. */
static void flush(void)
{
    if (pending->used == 0)
        return;
    tell(pending->used);
    told += pending->lent ? pending->used : 0;
    out_lend(pending, asked->answers + told, SHARE_ANSWERS - told);
    complete = 0;
}

/* The answers before the line that ends this process. */
static void tell_complete(void)
{
    if (complete > 0)
        tell(complete);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void answer_line(report *r, line *l)
{
    if (line_is_blank(l, mine->q.number) && !l->too_long)
        return;
    int status = line_answer(pending, r, l, &mine->q);
    next.worst = status > next.worst ? status : next.worst;
}

/* The line between these places of the text of the share. */
static void begin_line(size_t at, size_t after)
{
    complete = pending->used;
    mine->at = at;
    mine->after = after;
    mine->q.number = next.number;
    mine->q.asked = true; /* what ends it from here on, is the fault of the line */
}

static void end_line(bool quiet)
{
    mine->q.asked = false;
    next.after = mine->after;
    next.number++;
    if (quiet)
        pending->used = 0;
    if (!pending->lent)
        flush();
}

/* `l` keeps its room for the next line, and for the next share. */
static void answer_share(report *r, line *l, bool quiet)
{
    double began = now();
    for (size_t at = 0; at < asked->bytes && (at == 0 || now() - began < SHARE_SECONDS);
         at = mine->after) {
        const char *text = asked->text + at, *newline = memchr(text, '\n', asked->bytes - at);
        size_t length = newline != NULL ? (size_t)(newline - text) : asked->bytes - at;
        begin_line(at, at + length + (newline != NULL));
        l->length = 0;
        l->too_long = asked->too_long;
        line_append(l, text, length);
        answer_line(r, l);
        end_line(quiet);
    }
}

/* A text that is too long for what all processes have is one line, and asked for. */
static void answer_sent(report *r, bool quiet)
{
    begin_line(0, asked->bytes);
    line l = {.text = memory_new(asked->bytes + 1, 1), .length = asked->bytes};
    next.wants = true;
    send_bytes(&next, sizeof next);
    next.wants = false;
    if (!job_read(to_fd, l.text, l.length))
        _exit(EXIT_UNFINISHED);
    answer_line(r, &l);
    memory_free(l.text);
    end_line(quiet);
}

_Noreturn void job_run(size_t which, job_slot *own, share *shares, int work, int channel,
                       bool quiet)
{
    report r;
    out o;
    line l = {0};
    unsigned char place;
    out_init(&o);
    report_init(&r);
    mine = own;
    pending = &o;
    to_fd = channel;
    own->q.flush = flush;
    own->q.asked = false;
    mem_at_end(tell_complete);
    while (job_read(work, &place, sizeof place)) {
        size_t nobody = NOWHERE;
        asked = &shares[place];
        if (!atomic_compare_exchange_strong(&asked->taken, &nobody, which))
            continue; /* it was told of twice */
        own->q.id[0] = '\0';
        memset(&next, 0, sizeof next); /* what lies between its members is sent too */
        next.place = place;
        next.number = asked->number;
        told = complete = 0;
        out_lend(&o, asked->answers, SHARE_ANSWERS);
        if (asked->sent)
            answer_sent(&r, quiet);
        else
            answer_share(&r, &l, quiet);
        next.last = true;
        tell(o.used);
    }
    _exit(EXIT_HOLDS);
}
