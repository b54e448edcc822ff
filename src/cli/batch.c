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

#include "cli/mem.h"
#include "cli/program.h"
#include "cli/progress.h"
#include "cli/write.h"
#include "document/ask.h"
#include "document/json_read.h"
#include "num/memory.h"

/* Answers are written when this many bytes wait, before a read may block, and before a question
 * that may take long. */
#define PENDING_BYTES (1UL << 16)

typedef struct line {
    char *text;
    size_t length, room;
    bool too_long;
} line;

#define ID_BYTES 1024
#define WORKER_DONE 64 /* and the outcome: the status of a worker that read all */

/* What a worker leaves to the next one when a line ends it: what was read of standard input, by
 * blocks of our own, so that answers are written before a read may block, and the line. */
typedef struct input {
    char block[1 << 16];
    size_t at, end;
    size_t number;     /* of the line */
    bool begun, asked; /* a line was read in part; it waits for its answer */
    int worst;         /* status so far */
    bool closed;       /* nobody reads the answers any more */
    char id[ID_BYTES]; /* of the question, as JSON; "" where it has none, or a long one */
} input;

static out *pending;    /* answers not written yet, */
static size_t complete; /* of which so many bytes are whole ones */

typedef enum line_outcome {
    LINE_READ,
    LINE_END,
    LINE_MEMORY,
    LINE_ERROR,
    LINE_OUTPUT
} line_outcome;

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

/* Appends bytes to the line, with room for one more; past the limit they are dropped. False when
 * out of memory. */
static bool append(line *l, const char *bytes, size_t n)
{
    if (n > ASK_MOST_BYTES - l->length) {
        l->too_long = true;
        return true;
    }
    if (n >= l->room - l->length) {
        size_t room = l->room + l->room / 2 + n + 1;
        char *grown = memory_grow(l->text, room, 1);
        if (grown == NULL)
            return false;
        l->text = grown;
        l->room = room;
    }
    memcpy(l->text + l->length, bytes, n);
    l->length += n;
    return true;
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
        if (n > 0 && !append(l, start, n))
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

static bool is_blank(const line *l, size_t number)
{
    for (size_t i = number == 1 ? json_mark(l->text, l->length) : 0; i < l->length; i++)
        if (memchr(" \t\r", l->text[i], 3) == NULL)
            return false;
    return true;
}

/* Only a string or a number that is not long is said again where memory runs out. */
static void keep_id(input *in, json id)
{
    const char *text = json_text(id);
    if (text == NULL || strlen(text) > ID_BYTES - 3 || strpbrk(text, "\"\\") != NULL)
        return;
    for (const char *p = text; *p != '\0'; p++)
        if ((unsigned char)*p < ' ')
            return;
    const char *quote = json_kind_of(id) == JSON_NUMBER ? "" : "\"";
    snprintf(in->id, ID_BYTES, "%s%s%s", quote, text, quote);
}

/* Answers that wait are written before one that may take long. */
static void begin(void *context, const command *c, json id, bool at_once)
{
    keep_id(context, id);
    if (c != NULL)
        mem_context(c->name);
    if (at_once)
        return;
    if (!out_write(pending, stdout))
        pending->failed = true;
    complete = 0;
}

static int answer_line(out *o, report *r, line *l, input *in)
{
    asking how = {.line = in->number,
                  .progress = progress_show,
                  .narrowed = progress_narrowed,
                  .limit_memory = mem_limit,
                  .begin = begin,
                  .context = in};
    if (!l->too_long) {
        dp_status ignored;
        return ask_text(o, r, l->text, l->length, &how, &ignored);
    }
    fault f;
    ask_too_long(&f);
    ask_fault(o, &f, in->number, (json){0});
    return EXIT_INPUT;
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
    while (in->number++, (outcome = next_line(&l, in)) == LINE_READ) {
        in->begun = false;
        if (is_blank(&l, in->number) && !l.too_long)
            continue;
        in->asked = true;
        in->id[0] = '\0';
        complete = o->used;
        mem_limit(MEM_CAP); /* whatever the line before asked for */
        int status = answer_line(o, &r, &l, in);
        in->worst = status > in->worst ? status : in->worst;
        in->asked = false;
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

/* What is said of a line that ended its worker. */
static void answer_lost(input *in, out *o, bool quiet)
{
    fault f;
    fault_set(&f, "", "out of memory, or ended by the system; the line is left out");
    json_document id;
    json_fault where;
    bool known = in->id[0] != '\0' && json_read(&id, in->id, strlen(in->id), &where);
    ask_fault(o, &f, in->number, known ? json_root(&id) : (json){0});
    if (known)
        json_clear(&id);
    if (quiet)
        o->used = 0;
    in->worst = EXIT_UNFINISHED;
    in->asked = false;
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
        if (!in->asked && !in->begun)
            return LINE_MEMORY; /* no line is to blame: another worker would end like this one */
        answer_lost(in, o, quiet);
        if (!out_write(o, stdout))
            return LINE_OUTPUT;
    }
}

static int batch(args *a, out *o, fault *f)
{
    if (isatty(STDIN_FILENO)) {
        fault_set(f, "", "standard input is a terminal; pipe JSON Lines in");
        return EXIT_INPUT;
    }
    input *in = mmap(NULL, sizeof *in, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (in == MAP_FAILED) {
        fault_set(f, "", "out of memory");
        return EXIT_UNFINISHED;
    }
    line_outcome outcome = work(in, o, args_flag(a, "quiet"));
    int worst = in->worst;
    if (outcome == LINE_MEMORY || outcome == LINE_ERROR) {
        fault_set(f, "", outcome == LINE_MEMORY ? "out of memory" : "cannot read standard input");
        worst = EXIT_UNFINISHED;
    }
    if (outcome == LINE_OUTPUT) {
        o->failed = true; /* reported by the writer of what is left: nothing */
        o->closed = o->closed || in->closed;
    }
    munmap(in, sizeof *in);
    return worst;
}

static const option options[] = {{&batch_quiet, .letter = 'q', .role = ROLE_CONTROL},
                                 {&output_help, .letter = 'h', .role = ROLE_CONTROL},
                                 {NULL}};

static const example examples[] = {
    {"batch < questions.jsonl", "one answer a line, in the order of the questions"}, {NULL, NULL}};

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
        "grow with the number of lines.",
    .options = options,
    .examples = examples,
    .act = batch};
