/* SPDX-License-Identifier: MIT */
/* JSON Lines in, one JSON object a line out, in order, in constant memory. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/batch.h"
#include "cli/mem.h"
#include "cli/program.h"
#include "cli/worker.h"
#include "cli/write.h"
#include "num/memory.h"
#include "num/number.h"

/* Answers are written when this many bytes wait, before a read may block, and before a question
 * that may take long. */
#define PENDING_BYTES (1UL << 16)

#define WORKER_DONE 64 /* and the outcome: the status of a worker that read all */

/* What a worker leaves when a line ends it. To the next one: what was read of standard input, by
 * blocks of our own, so that answers are written before a read may block, and the line. To the
 * program: the answers before it that wait. */
typedef struct input {
    question q;
    char block[BATCH_BLOCK];
    size_t at, end;
    bool begun;      /* a line was read in part */
    int worst;       /* status so far */
    bool closed;     /* nobody reads the answers any more */
    size_t complete; /* bytes of whole answers */
    char answers[2 * PENDING_BYTES];
} input;

static out *pending; /* answers not written yet, in the room of */
static input *shared;

/* All of it, into which room is made for the next ones. What is written is nobody else's to write.
 */
static bool write_pending(void)
{
    shared->complete = 0;
    bool ok = out_write(pending, stdout);
    if (!pending->lent)
        out_lend(pending, shared->answers, sizeof shared->answers);
    return ok;
}

static line_outcome refill(input *in)
{
    if (!write_pending())
        return LINE_OUTPUT;
    ssize_t n;
    do
        n = read(STDIN_FILENO, in->block, sizeof in->block);
    while (n < 0 && wait_again(STDIN_FILENO, POLLIN));
    in->at = 0;
    in->end = n > 0 ? (size_t)n : 0;
    return n > 0 ? LINE_READ : n == 0 ? LINE_END : LINE_ERROR;
}

/* The next line without its newline; a line past the limit is read to its end but not kept. */
static line_outcome next_line(line *l, input *in)
{
    l->length = 0;
    l->too_long = false;
    bool any = false;
    for (;;) {
        if (in->at == in->end) {
            line_outcome outcome = refill(in);
            if (outcome == LINE_END && any)
                return LINE_READ;
            if (outcome != LINE_READ)
                return outcome;
        }
        any = true;
        in->begun = true;
        const char *start = in->block + in->at;
        const char *newline = memchr(start, '\n', in->end - in->at);
        size_t n = newline != NULL ? (size_t)(newline - start) : in->end - in->at;
        if (n > 0 && !line_append(l, start, n))
            return LINE_MEMORY;
        in->at += n + (newline != NULL);
        if (newline != NULL)
            return LINE_READ;
    }
}

/* The rest of a line that was read in part when memory ran out. */
static void skip_rest(input *in)
{
    while (in->begun && (in->at < in->end || refill(in) == LINE_READ)) {
        const char *start = in->block + in->at;
        const char *newline = memchr(start, '\n', in->end - in->at);
        in->at = newline != NULL ? (size_t)(newline - in->block) + 1 : in->end;
        in->begun = newline == NULL;
    }
    in->begun = false;
}

static void flush(void)
{
    if (!write_pending())
        pending->failed = true;
}

/* Answers the lines that are left, of this process or of the worker that does it. */
static line_outcome answer_all(input *in, out *o, bool quiet)
{
    line l = {0};
    report r;
    line_outcome outcome;
    pending = o;
    shared = in;
    out_lend(o, in->answers, sizeof in->answers);
    skip_rest(in);
    report_init(&r);
    while (in->q.number++, (outcome = next_line(&l, in)) == LINE_READ) {
        in->begun = false;
        if (line_is_blank(&l, in->q.number) && !l.too_long)
            continue;
        int status = line_answer(o, &r, &l, &in->q);
        in->worst = status > in->worst ? status : in->worst;
        in->q.id[0] = '\0';
        if (quiet)
            o->used = 0;
        in->complete = o->used;
        if ((o->used > PENDING_BYTES || !o->lent) && !write_pending()) {
            outcome = LINE_OUTPUT;
            break;
        }
    }
    if (outcome != LINE_OUTPUT && !write_pending())
        outcome = LINE_OUTPUT;
    memory_free(l.text);
    report_clear(&r);
    return outcome;
}

/* In the worker: reads, answers and writes all lines. */
static _Noreturn void be_worker(input *in, out *o, bool quiet)
{
    line_outcome last = answer_all(in, o, quiet);
    in->closed = o->closed;
    _exit(WORKER_DONE + (int)last);
}

/* Waits for the end of the worker, which its end of the pipe tells, and ends it where its answers
 * have no reader left: the line that it is at may be a long one. */
static int wait_for(pid_t worker, int alive, input *in)
{
    struct pollfd of[2] = {{.fd = alive, .events = POLLIN}};
    bool watched = true;
    int ready = 1;
    if (alive >= 0)
        while ((ready = worker_poll(of, 1, &watched, -1)) < 0 && errno == EINTR)
            continue;
    bool gone = ready < 0 && errno == EPIPE;
    in->closed = in->closed || gone;
    return worker_end(worker, gone ? SIGKILL : 0);
}

static void end_pipe(int fd)
{
    if (fd >= 0)
        close(fd);
}

/* What a worker that has ended left to be written, and what is said of the line that ended it, if
 * one did. */
static bool tell_lost(input *in, out *o, bool blame, bool quiet)
{
    out_bytes(o, in->answers, in->complete);
    in->complete = 0;
    if (blame) {
        line_lost(o, &in->q);
        in->worst = EXIT_UNFINISHED;
    }
    if (quiet)
        o->used = 0;
    return out_write(o, stdout);
}

static void write_complete(void)
{
    write_all(STDOUT_FILENO, shared->answers, shared->complete);
}

/* One that a line ends costs that line: the next worker goes on behind it. Without processes the
 * first such line is the last. */
static line_outcome work(input *in, out *o, bool quiet)
{
    for (;;) {
        int alive[2] = {-1, -1};
        if (!quiet && pipe(alive) != 0)
            alive[0] = alive[1] = -1;
        pid_t worker = worker_start();
        if (worker == 0) {
            end_pipe(alive[0]);
            be_worker(in, o, quiet);
        }
        end_pipe(alive[1]);
        int outcome = worker > 0 ? wait_for(worker, alive[0], in) : 0;
        end_pipe(alive[0]);
        if (worker < 0) {
            mem_at_end(write_complete);
            return answer_all(in, o, quiet);
        }
        if (WIFEXITED(outcome) && WEXITSTATUS(outcome) >= WORKER_DONE)
            return (line_outcome)(WEXITSTATUS(outcome) - WORKER_DONE);
        if (in->closed)
            return LINE_OUTPUT;
        bool blame =
            in->q.asked || in->begun; /* a line: else all workers would end like this one */
        if (!tell_lost(in, o, blame, quiet))
            return LINE_OUTPUT;
        if (!blame)
            return LINE_MEMORY;
    }
}

static line_outcome answer_alone(int *worst, out *o, bool quiet)
{
    input *in = mmap(NULL, sizeof *in, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (in == MAP_FAILED)
        return LINE_MEMORY;
    in->q.shown = true;
    in->q.flush = flush;
    line_outcome outcome = work(in, o, quiet);
    if (o->lent)
        out_clear(o);
    *worst = in->worst;
    if (outcome == LINE_OUTPUT)
        o->closed = o->closed || in->closed;
    munmap(in, sizeof *in);
    return outcome;
}

static int batch(args *a, out *o, const command *const *all, fault *f)
{
    (void)all;
    if (isatty(STDIN_FILENO)) {
        fault_set(f, "", "standard input is a terminal; pipe JSON Lines in");
        return EXIT_INPUT;
    }
    worker_keep_standard();
    int worst = EXIT_HOLDS;
    line_outcome outcome =
        mpz_cmp_ui(number_integer(args_number(a, "jobs")), 1) > 0
            ? jobs_answer(&worst, o, mpz_get_ui(number_integer(args_number(a, "jobs"))),
                          args_flag(a, "quiet"))
            : answer_alone(&worst, o, args_flag(a, "quiet"));
    if (outcome == LINE_MEMORY || outcome == LINE_ERROR) {
        fault_set(f, "", outcome == LINE_MEMORY ? "out of memory" : "cannot read standard input");
        worst = EXIT_UNFINISHED;
    }
    if (outcome == LINE_ALONE) {
        fault_set(f, "--jobs", "no process can be started: %s; ask without it", strerror(errno));
        worst = EXIT_UNFINISHED;
    }
    if (outcome == LINE_OUTPUT)
        o->failed = true; /* reported by the writer of what is left: nothing */
    return worst;
}

static const option options[] = {{&batch_jobs, .letter = 'j', .metavar = "J", .role = ROLE_CONTROL},
                                 {&batch_quiet, .letter = 'q', .role = ROLE_CONTROL},
                                 {&output_help, .letter = 'h', .role = ROLE_CONTROL},
                                 {NULL}};

static const example examples[] = {
    {"batch < questions.jsonl", "one answer a line, in the order of the questions"},
    {"batch --jobs 4 < questions.jsonl", "the same answers, by four processes"},
    {NULL, NULL}};

const command cmd_batch = {
    .name = "batch",
    .brief = "answer JSON Lines from standard input",
    .manual =
        "Reads one JSON object a line, such as {\"command\": \"bagging-with\", \"n\": 60000, "
        "\"k\": 300, \"id\": 1}, with the names of the long options (dashes or underscores) as "
        "fields, and writes one JSON object a line, in order; an \"id\" is repeated.\n\n"
        "A bad line is answered by an object with \"error\" and the line number; the rest goes on, "
        "and the exit status is 2 at the end. Checks are reported in each object, not in the exit "
        "status. A line that runs out of time has an \"error\", or a check that is not decided, "
        "and "
        "the exit status at the end is then 3; no option of a line outlives it. Memory does not "
        "grow with the number of lines; each of --jobs may take as much as one line may.",
    .options = options,
    .examples = examples,
    .act = batch};
