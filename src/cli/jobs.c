/* SPDX-License-Identifier: MIT */
/* batch --jobs: reads the lines, shares them out to processes, and writes the answers in order. A
 * process that a line ends costs that line; another one takes its place. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

#include "cli/batch.h"
#include "cli/mem.h"
#include "cli/write.h"
#include "num/memory.h"

/* What is read ahead: lines for each process and bytes together. While many bytes of answers wait
 * for one before them, only that is asked on. */
#define MOST_LINES ((size_t)512)
#define MOST_SHARE ((size_t)128)
#define MOST_BYTES ((size_t)1 << 22)
#define MOST_WAITING ((size_t)1 << 24)

typedef enum stage { STAGE_WAITS, STAGE_ASKED, STAGE_ANSWERED } stage;

typedef struct entry {
    char *text; /* of the question; of the answers, where it is the first of `span` lines */
    size_t length, number, span;
    bool too_long;
    stage stage;
} entry;

typedef struct job {
    pid_t process; /* 0: none */
    int to, from;
    size_t first, lines, done; /* its share, by counts of all lines; no lines: it is free */
    job_slot *slot;
} job;

typedef struct jobs {
    job *of;
    size_t count;
    bool quiet, ended;
    int worst;
    out *o;
    line part; /* read without its end so far */
    size_t number;
    bool any;
    char *block;
    size_t at, end;
    /* Lines from `head` to `tail`, by their count, at that modulo `room`; before `next` none
     * waits. */
    entry *line;
    size_t room, head, next, tail;
    size_t bytes, waiting; /* of questions, and of answers */
} jobs;

static entry *line_at(jobs *x, size_t count)
{
    return &x->line[count % x->room];
}

static void drop_text(entry *e)
{
    memory_free(e->text);
    e->text = NULL;
}

static void drop_all(jobs *x)
{
    for (; x->line != NULL && x->head < x->tail; x->head++)
        drop_text(line_at(x, x->head));
    memory_free(x->part.text);
    memory_free(x->line);
    memory_free(x->block);
}

/* In the new process: nothing of the other ones, neither their ends of pipes nor the lines. */
static _Noreturn void be_job(jobs *x, job *j, int from, int to)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* who ends the program ends its processes */
#endif
    for (size_t i = 0; i < x->count; i++)
        if (x->of[i].process != 0) {
            close(x->of[i].to);
            close(x->of[i].from);
        }
    drop_all(x);
    out_clear(x->o);
    job_run(j->slot, from, to, x->quiet);
}

static bool start(jobs *x, job *j)
{
    int there[2], back[2];
    if (pipe(there) != 0)
        return false;
    pid_t process = -1;
    if (pipe(back) == 0) {
        fflush(NULL);
        process = fork();
        if (process == 0) {
            close(there[1]);
            close(back[0]);
            be_job(x, j, there[0], back[1]);
        }
        close(back[1]);
        if (process < 0)
            close(back[0]);
    }
    close(there[0]);
    if (process < 0) {
        close(there[1]);
        return false;
    }
    *j = (job){.process = process, .to = there[1], .from = back[0], .slot = j->slot};
    return true;
}

static void stop(job *j, int sign)
{
    if (j->process == 0)
        return;
    close(j->to);
    close(j->from);
    if (sign != 0)
        kill(j->process, sign);
    while (waitpid(j->process, NULL, 0) < 0 && errno == EINTR)
        continue;
    j->process = 0;
}

/* Takes the line that was read, unless it is blank. */
static bool take(jobs *x, const char *bytes, size_t n)
{
    x->number++;
    if (!line_append(&x->part, bytes, n))
        return false;
    if (!line_is_blank(&x->part, x->number) || x->part.too_long) {
        entry *e = line_at(x, x->tail);
        *e = (entry){.length = x->part.length, .number = x->number, .too_long = x->part.too_long};
        e->text = memory_new(e->length + 1, 1);
        if (e->text == NULL)
            return false;
        memcpy(e->text, x->part.text, e->length);
        x->bytes += e->length;
        x->tail++;
    }
    x->part.length = 0;
    x->part.too_long = false;
    x->any = false;
    return true;
}

static bool has_room(const jobs *x)
{
    return x->tail - x->head < x->room && x->bytes < MOST_BYTES;
}

/* Cuts what was read into lines, as long as there is room. */
static bool cut(jobs *x)
{
    while (x->at < x->end && has_room(x)) {
        const char *from = x->block + x->at;
        const char *newline = memchr(from, '\n', x->end - x->at);
        size_t n = newline != NULL ? (size_t)(newline - from) : x->end - x->at;
        x->at += n + (newline != NULL);
        x->any = newline == NULL;
        if (newline != NULL ? !take(x, from, n) : !line_append(&x->part, from, n))
            return false;
    }
    return !x->ended || !x->any || x->at < x->end || !has_room(x) || take(x, "", 0);
}

static line_outcome refill(jobs *x)
{
    ssize_t n = read(STDIN_FILENO, x->block, BATCH_BLOCK);
    if (n < 0 && errno == EINTR)
        return LINE_READ;
    x->at = 0;
    x->end = n > 0 ? (size_t)n : 0;
    x->ended = n <= 0;
    if (n < 0)
        x->any = false; /* the part of a line is no line */
    return n < 0 ? LINE_ERROR : LINE_READ;
}

/* How many lines from `next` on are one share. */
static size_t share(jobs *x, size_t *bytes)
{
    size_t lines = 0, most = (x->tail - x->next) / (2 * x->count) + 1;
    *bytes = 0;
    for (; lines < most && lines < MOST_SHARE && x->next + lines < x->tail; lines++) {
        const entry *e = line_at(x, x->next + lines);
        size_t more = sizeof(line_head) + e->length + 1;
        if (e->stage != STAGE_WAITS || (lines > 0 && *bytes + more > BATCH_BLOCK))
            break;
        *bytes += more;
    }
    return lines;
}

/* A job that waits reads all of its share before it writes, so nobody waits for one another. One
 * that has died is found by its end of the pipe. */
static bool hand_out(jobs *x, job *j)
{
    while (x->next < x->tail && line_at(x, x->next)->stage != STAGE_WAITS)
        x->next++;
    share_head head;
    head.lines = share(x, &head.bytes);
    if (head.lines == 0 || (x->waiting > MOST_WAITING && x->next > x->head))
        return true;
    char *packed = memory_new(sizeof head + head.bytes, 1), *to = packed;
    if (packed == NULL)
        return false;
    memcpy(to, &head, sizeof head);
    to += sizeof head;
    j->first = x->next;
    j->lines = head.lines;
    j->done = 0;
    for (; x->next < j->first + j->lines; x->next++) {
        entry *e = line_at(x, x->next);
        line_head of;
        memset(&of, 0, sizeof of);
        of.length = e->length;
        of.number = e->number;
        of.too_long = e->too_long;
        memcpy(to, &of, sizeof of);
        memcpy(to + sizeof of, e->text, e->length);
        to += sizeof of + e->length + 1;
        to[-1] = '\0';
        e->stage = STAGE_ASKED;
    }
    job_write(j->to, packed, sizeof head + head.bytes);
    memory_free(packed);
    return true;
}

/* Lines that were asked and have no answer are asked again. */
static void hand_back(jobs *x, job *j)
{
    for (size_t i = j->first + j->done; i < j->first + j->lines; i++)
        if (line_at(x, i)->stage == STAGE_ASKED)
            line_at(x, i)->stage = STAGE_WAITS;
    if (j->done < j->lines && j->first + j->done < x->next)
        x->next = j->first + j->done;
    j->lines = 0;
}

/* `text`, of so many bytes, is the answer to that many lines. */
static void answered(jobs *x, size_t first, size_t lines, char *text, size_t bytes)
{
    for (size_t i = first; i < first + lines; i++) {
        entry *e = line_at(x, i);
        x->bytes -= e->length;
        drop_text(e);
        e->stage = STAGE_ANSWERED;
    }
    entry *e = line_at(x, first);
    e->text = text;
    e->length = bytes;
    e->span = lines;
    x->waiting += bytes;
}

static bool write_out(jobs *x)
{
    while (x->head < x->tail && line_at(x, x->head)->stage == STAGE_ANSWERED) {
        entry *e = line_at(x, x->head);
        out_bytes(x->o, e->text, e->length);
        x->waiting -= e->length;
        x->head += e->span;
        drop_text(e);
    }
    x->next = x->next < x->head ? x->head : x->next; /* that entry is another line's soon */
    return x->o->used == 0 || out_write(x->o, stdout);
}

static bool any_works(const jobs *x)
{
    bool any = false;
    for (size_t i = 0; i < x->count; i++)
        any = any || x->of[i].process != 0;
    return any;
}

/* The line that ended the job is answered here. */
static bool lost(jobs *x, job *j)
{
    bool asked = j->slot->q.asked && j->lines > 0;
    size_t at = j->first + j->slot->at;
    stop(j, 0);
    if (asked) {
        out o;
        out_init(&o);
        j->slot->q.number = line_at(x, at)->number;
        line_lost(&o, &j->slot->q);
        answered(x, at, 1, o.data, x->quiet ? 0 : o.used);
        x->worst = EXIT_UNFINISHED;
        hand_back(x, j);
    }
    return asked && (start(x, j) || any_works(x));
}

static bool hear(jobs *x, job *j)
{
    answer_head head;
    if (!job_read(j->from, &head, sizeof head))
        return lost(x, j);
    char *text = memory_new(head.bytes, 1);
    if (text == NULL || !job_read(j->from, text, head.bytes)) {
        memory_free(text);
        return text != NULL && lost(x, j);
    }
    if (head.lines > 0)
        answered(x, j->first + j->done, head.lines, text, head.bytes);
    else
        memory_free(text);
    j->done += head.lines;
    x->worst = head.worst > x->worst ? head.worst : x->worst;
    if (head.last)
        hand_back(x, j);
    return true;
}

/* Waits for lines and answers. */
static line_outcome wait_for(jobs *x)
{
    struct pollfd of[BATCH_MOST_JOBS + 1];
    for (size_t i = 0; i < x->count; i++)
        of[i] = (struct pollfd){.fd = x->of[i].process != 0 ? x->of[i].from : -1, .events = POLLIN};
    bool reads = !x->ended && x->at == x->end && has_room(x);
    of[x->count] = (struct pollfd){.fd = reads ? STDIN_FILENO : -1, .events = POLLIN};
    if (poll(of, (nfds_t)x->count + 1, -1) < 0)
        return errno == EINTR ? LINE_READ : LINE_ERROR;
    for (size_t i = 0; i < x->count; i++)
        if (of[i].revents != 0 && !hear(x, &x->of[i]))
            return LINE_MEMORY;
    return of[x->count].revents != 0 ? refill(x) : LINE_READ;
}

static line_outcome answer_all(jobs *x)
{
    line_outcome read = LINE_READ;
    for (;;) {
        if (!write_out(x))
            return LINE_OUTPUT;
        if (!cut(x))
            return LINE_MEMORY;
        for (size_t i = 0; i < x->count; i++)
            if (x->of[i].process != 0 && x->of[i].lines == 0 && !hand_out(x, &x->of[i]))
                return LINE_MEMORY;
        if (x->ended && x->at == x->end && x->head == x->tail)
            return read == LINE_READ ? LINE_END : read;
        line_outcome outcome = wait_for(x);
        if (outcome == LINE_MEMORY)
            return outcome;
        if (outcome == LINE_ERROR)
            read = outcome;
    }
}

line_outcome jobs_answer(int *worst, out *o, size_t count, bool quiet)
{
    job of[BATCH_MOST_JOBS] = {{0}};
    jobs x = {.of = of, .quiet = quiet, .worst = EXIT_HOLDS, .o = o, .room = MOST_LINES * count};
    job_slot *slots = mmap(NULL, count * sizeof *slots, PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (slots == MAP_FAILED)
        return LINE_MEMORY;
    x.block = memory_new(BATCH_BLOCK, 1);
    x.line = memory_zero(x.room, sizeof *x.line);
    line_outcome outcome = LINE_MEMORY;
    int error = 0;
    if (x.block != NULL && x.line != NULL) {
        for (; x.count < count; x.count++) {
            of[x.count].slot = &slots[x.count];
            if (!start(&x, &of[x.count]))
                break;
        }
        error = errno; /* fewer of them answer too */
        outcome = x.count > 0 ? answer_all(&x) : LINE_ALONE;
    }
    for (size_t i = 0; i < x.count; i++)
        stop(&of[i], outcome == LINE_END ? 0 : SIGTERM);
    drop_all(&x);
    munmap(slots, count * sizeof *slots);
    *worst = x.worst;
    errno = error;
    return outcome;
}
