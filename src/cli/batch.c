/* SPDX-License-Identifier: MIT */
/* JSON Lines in, one JSON object a line out, in order, in constant memory. */
#include <errno.h>
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
#include "cli/program.h"
#include "cli/write.h"
#include "num/memory.h"
#include "num/number.h"

/* Answers are written when this many bytes wait, before a read may block, and before a question
 * that may take long. */
#define PENDING_BYTES (1UL << 16)

#define WORKER_DONE 64 /* and the outcome: the status of a worker that read all */

/* What a worker leaves to the next one when a line ends it: what was read of standard input, by
 * blocks of our own, so that answers are written before a read may block, and the line. */
typedef struct input {
    question q;
    char block[BATCH_BLOCK];
    size_t at, end;
    bool begun;  /* a line was read in part */
    int worst;   /* status so far */
    bool closed; /* nobody reads the answers any more */
} input;

static out *pending;    /* answers not written yet, */
static size_t complete; /* of which so many bytes are whole ones */

static line_outcome refill(input *in)
{
    if (!out_write(pending, stdout))
        return LINE_OUTPUT;
    ssize_t n;
    do
        n = read(STDIN_FILENO, in->block, sizeof in->block);
    while (n < 0 && errno == EINTR);
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
    if (!out_write(pending, stdout))
        pending->failed = true;
    complete = 0;
}

/* Answers the lines that are left, of this process or of the worker that does it. */
static line_outcome answer_all(input *in, out *o, bool quiet)
{
    line l = {0};
    report r;
    line_outcome outcome;
    pending = o;
    skip_rest(in);
    report_init(&r);
    while (in->q.number++, (outcome = next_line(&l, in)) == LINE_READ) {
        in->begun = false;
        if (line_is_blank(&l, in->q.number) && !l.too_long)
            continue;
        complete = o->used;
        int status = line_answer(o, &r, &l, &in->q);
        in->worst = status > in->worst ? status : in->worst;
        in->q.id[0] = '\0';
        if (quiet)
            o->used = 0;
        if (o->used > PENDING_BYTES && !out_write(o, stdout)) {
            outcome = LINE_OUTPUT;
            break;
        }
    }
    memory_free(l.text);
    report_clear(&r);
    return outcome;
}

/* The answers before the line that ends this worker. */
static void write_complete(void)
{
    const char *at = pending->data;
    for (ssize_t n; complete > 0; at += n, complete -= (size_t)n)
        if ((n = write(STDOUT_FILENO, at, complete)) <= 0)
            return;
}

/* A worker reads, answers and writes all lines. One that a line ends costs that line: the next
 * worker goes on behind it. Without processes the first such line is the last. */
static line_outcome work(input *in, out *o, bool quiet)
{
    for (;;) {
        fflush(NULL);
        pid_t worker = fork();
        int outcome;
        if (worker < 0)
            return answer_all(in, o, quiet);
        if (worker == 0) {
#ifdef __linux__
            prctl(PR_SET_PDEATHSIG, SIGTERM); /* who ends the program ends its worker */
#endif
            mem_at_end(quiet ? NULL : write_complete);
            line_outcome last = answer_all(in, o, quiet);
            if (last != LINE_OUTPUT && !out_write(o, stdout))
                last = LINE_OUTPUT;
            in->closed = o->closed;
            _exit(WORKER_DONE + (int)last);
        }
        while (waitpid(worker, &outcome, 0) < 0 && errno == EINTR)
            continue;
        if (WIFEXITED(outcome) && WEXITSTATUS(outcome) >= WORKER_DONE)
            return (line_outcome)(WEXITSTATUS(outcome) - WORKER_DONE);
        if (!in->q.asked && !in->begun)
            return LINE_MEMORY; /* no line is to blame: another worker would end like this one */
        line_lost(o, &in->q);
        in->worst = EXIT_UNFINISHED;
        if (quiet)
            o->used = 0;
        if (!out_write(o, stdout))
            return LINE_OUTPUT;
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
