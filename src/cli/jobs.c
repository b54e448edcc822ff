/* SPDX-License-Identifier: MIT */
/* batch --jobs: the processes. A process that a line ends costs that line; another one takes its
 * place. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/parts.h"
#include "cli/worker.h"
#include "cli/write.h"

/* Shares for each process: what it answers, what is asked next, and as many answers that wait. */
#define SHARES_ASKED 2
#define SHARES 4
_Static_assert(SHARES *BATCH_MOST_JOBS <= 256, "a byte says which share");

/* To start a process takes as long as some hundred short lines: where fewer bytes are open, another
 * one starts only when those there have said nothing for so many milliseconds. */
#define FEW_BYTES ((size_t)1 << 14)
#define PATIENCE 1

typedef struct job {
    pid_t process; /* 0: none */
    int channel;
} job;

typedef struct jobs {
    job of[BATCH_MOST_JOBS];
    job_slot *slots;
    size_t most, running; /* at most so many are started */
    int work[2];          /* the places of shares to answer, a byte each */
    bool late;            /* nothing was heard for a while */
    bool watched;         /* does anybody read the answers? */
    size_t ended;         /* without a line to blame, since one was heard */
    parts parts;
} jobs;

/* In the new process: nothing of the other ones. */
static _Noreturn void be_job(jobs *x, size_t which, int channel)
{
    for (size_t i = 0; i < x->parts.jobs; i++)
        if (x->of[i].process != 0)
            close(x->of[i].channel);
    close(x->work[1]);
    job_run(which, &x->slots[which], x->parts.shares, x->work[0], channel, x->parts.quiet);
}

static bool start(jobs *x)
{
    int both[2];
    size_t which = 0;
    while (x->of[which].process != 0)
        which++;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, both) != 0)
        return false;
    x->slots[which].q.asked = false;
    pid_t process = worker_start();
    if (process == 0) {
        close(both[0]);
        be_job(x, which, both[1]);
    }
    close(both[1]);
    if (process < 0) {
        close(both[0]);
        return false;
    }
    x->of[which] = (job){process, both[0]};
    x->running++;
    return true;
}

static void stop(jobs *x, job *j, int sign)
{
    if (j->process == 0)
        return;
    close(j->channel);
    worker_end(j->process, sign);
    j->process = 0;
    x->running--;
}

/* Does another process start? */
static bool may_start(const jobs *x)
{
    return x->running < x->most && x->running < x->parts.asked;
}

/* No more than what is there to do. Where none can be started, those that are go on. */
static bool start_some(jobs *x)
{
    while (may_start(x) && (x->running == 0 || x->late || parts_open(&x->parts) >= FEW_BYTES)) {
        x->late = false;
        if (!start(x))
            x->most = x->running;
    }
    return x->running > 0 || x->parts.asked == 0;
}

/* Each byte is read by one job. */
static void tell_of(const jobs *x, size_t place)
{
    char byte = (char)(unsigned char)place;
    write_all(x->work[1], &byte, sizeof byte);
}

static void hand_out(jobs *x)
{
    while (x->parts.asked < SHARES_ASKED * x->parts.jobs) {
        size_t place = parts_next(&x->parts);
        if (place == NOWHERE)
            break;
        tell_of(x, place);
    }
}

/* A job that has died is found by the end of its channel. What it may have read of the share that
 * it did not take yet is told again. */
static bool lost(jobs *x, size_t which)
{
    job_slot *slot = &x->slots[which];
    stop(x, &x->of[which], 0);
    x->ended = slot->q.asked ? 0 : x->ended + 1;
    parts_lost(&x->parts, which, slot);
    for (size_t i = 0; i < x->parts.places; i++)
        if (parts_is_free(&x->parts, i))
            tell_of(x, i);
    return x->ended <= x->parts.jobs; /* more of them would end like these */
}

/* False when memory is out. */
static bool hear(jobs *x, size_t which)
{
    int channel = x->of[which].channel;
    reply r;
    out sent;
    out_init(&sent);
    bool ok = job_read(channel, &r, sizeof r);
    if (ok && r.wants) { /* it reads all before it writes */
        const part *p = x->parts.of[r.place];
        write_all(channel, p->text, p->bytes);
        return true;
    }
    if (ok && r.sent) {
        char *to = out_reserve(&sent, r.bytes);
        ok = job_read(channel, to, r.bytes);
    }
    if (ok) {
        x->ended = 0;
        parts_answered(&x->parts, &r, &sent);
    }
    out_clear(&sent);
    return ok || lost(x, which);
}

/* Waits for lines and answers. More than may be open at once must not be polled. */
static line_outcome wait_for(jobs *x)
{
    struct pollfd of[BATCH_MOST_JOBS + 2];
    size_t which[BATCH_MOST_JOBS], count = 0;
    for (size_t i = 0; i < x->parts.jobs; i++)
        if (x->of[i].process != 0) {
            which[count] = i;
            of[count++] = (struct pollfd){.fd = x->of[i].channel, .events = POLLIN};
        }
    int input = parts_wants_input(&x->parts) ? STDIN_FILENO : -1;
    of[count] = (struct pollfd){.fd = input, .events = POLLIN};
    int ready = worker_poll(of, count + 1, &x->watched, may_start(x) ? PATIENCE : -1);
    if (ready < 0)
        return errno == EINTR ? LINE_READ : errno == EPIPE ? LINE_OUTPUT : LINE_MEMORY;
    x->late = ready == 0;
    for (size_t i = 0; i < count; i++)
        if (of[i].revents != 0 && !hear(x, which[i]))
            return LINE_MEMORY;
    return of[count].revents != 0 ? parts_refill(&x->parts) : LINE_READ;
}

static line_outcome answer_all(jobs *x, out *o)
{
    line_outcome read = LINE_READ;
    for (;;) {
        if (!parts_write(&x->parts, o))
            return LINE_OUTPUT;
        hand_out(x);
        if (!start_some(x))
            return LINE_ALONE;
        if (parts_are_done(&x->parts))
            return read == LINE_READ ? LINE_END : read;
        line_outcome outcome = wait_for(x);
        o->closed = o->closed || outcome == LINE_OUTPUT;
        if (outcome == LINE_MEMORY || outcome == LINE_OUTPUT)
            return outcome;
        if (outcome == LINE_ERROR)
            read = outcome;
    }
}

static line_outcome run(jobs *x, share *shares, size_t count, bool quiet, out *o)
{
    if (pipe(x->work) != 0)
        return LINE_ALONE;
    parts_init(&x->parts, shares, SHARES * count, count, quiet);
    line_outcome outcome = answer_all(x, o);
    int error = errno;
    close(x->work[1]);
    for (size_t i = 0; i < x->parts.jobs; i++)
        stop(x, &x->of[i], outcome == LINE_END ? 0 : SIGKILL);
    close(x->work[0]);
    errno = error;
    return outcome;
}

static void *map(size_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return at != MAP_FAILED ? at : NULL;
}

line_outcome jobs_answer(int *worst, out *o, size_t count, bool quiet)
{
    jobs x = {.most = count, .watched = !quiet};
    size_t places = SHARES * count;
    share *shares = map(places * sizeof *shares);
    x.slots = map(count * sizeof *x.slots);
    if (shares == NULL || x.slots == NULL)
        return LINE_MEMORY;
    line_outcome outcome = run(&x, shares, count, quiet, o);
    int error = errno;
    *worst = x.parts.worst;
    parts_clear(&x.parts);
    munmap(shares, places * sizeof *shares);
    munmap(x.slots, count * sizeof *x.slots);
    errno = error;
    return outcome;
}
