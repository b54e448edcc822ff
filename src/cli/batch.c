/* SPDX-License-Identifier: MIT */
/* JSON Lines in, one JSON object a line out, in order, in constant memory. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/escape.h"
#include "cli/mem.h"
#include "cli/query.h"
#include "num/memory.h"
#include "json/read.h"
#include "json/write.h"

/* A line holds a question, not a data set; longer ones are reported and skipped. */
#define LINE_MAX_BYTES (16UL << 20)
/* Answers are written when this many bytes wait, before a read may block, and before a question
 * that may run out of memory, which ends the process. */
#define PENDING_BYTES (1UL << 16)
#define CHEAP_LINE_BYTES 4096

typedef struct line {
    char *text;
    size_t length, room;
    bool too_long;
} line;

/* Standard input by blocks of our own, so that answers are written before a read may block. */
typedef struct input {
    char block[1 << 16];
    size_t at, end;
    out *pending; /* answers not written yet */
} input;

typedef enum line_outcome {
    LINE_READ,
    LINE_END,
    LINE_MEMORY,
    LINE_ERROR,
    LINE_OUTPUT
} line_outcome;

static line_outcome refill(input *in)
{
    if (!out_write(in->pending, stdout))
        return LINE_OUTPUT;
    ssize_t n;
    do
        n = read(STDIN_FILENO, in->block, sizeof in->block);
    while (n < 0 && errno == EINTR);
    in->at = 0;
    in->end = n > 0 ? (size_t)n : 0;
    return n > 0 ? LINE_READ : n == 0 ? LINE_END : LINE_ERROR;
}

/* Appends bytes to the line; past the limit they are dropped. False when out of memory. */
static bool append(line *l, const char *bytes, size_t n)
{
    if (n > LINE_MAX_BYTES - l->length) {
        l->too_long = true;
        return true;
    }
    if (n > l->room - l->length) {
        size_t room = 2 * l->room + n;
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

static bool is_blank(const line *l)
{
    for (size_t i = 0; i < l->length; i++)
        if (memchr(" \t\r", l->text[i], 3) == NULL)
            return false;
    return true;
}

static void write_fault(out *o, const fault *f, size_t number, cJSON *id)
{
    char message[sizeof f->where + sizeof f->what + 4];
    snprintf(message, sizeof message, "%s%s%s", f->where, f->where[0] != '\0' ? ": " : "", f->what);
    char digits[24];
    snprintf(digits, sizeof digits, "%zu", number);
    cJSON *top = cJSON_CreateObject();
    json_add_static(top, "schema", "dpacct/1");
    json_add_static(top, "version", DPACCT_VERSION);
    if (id != NULL)
        json_add_parsed(top, "id", id);
    json_add_text(top, "error", message);
    json_add_number(top, "line", digits);
    char *text = json_print(top);
    if (text == NULL)
        o->failed = true;
    else
        escape_json(o, text);
    out_char(o, '\n');
    cJSON_free(text);
    cJSON_Delete(top);
}

static const command *line_command(const cJSON *object, fault *f)
{
    const cJSON *field = cJSON_GetObjectItemCaseSensitive(object, "command");
    const char *name = field != NULL ? json_text(field) : NULL;
    if (!cJSON_IsObject(object))
        fault_set(f, "", "a line must be a JSON object");
    else if (name == NULL || json_is_number(field))
        fault_set(f, "command", "is missing; name the command, such as \"bagging-with\"");
    else {
        const command *c = command_find(name);
        if (c != NULL && c->run != NULL)
            return c;
        const char *near = command_nearest(name);
        if (c == NULL && near != NULL)
            fault_set(f, "command", "'%.60s' is not a command; did you mean '%s'?", name, near);
        else
            fault_set(f, "command", "'%.60s' is not a command that batch can run", name);
    }
    return NULL;
}

/* Is a check open because the time or the memory of the line was over? */
static bool ran_out(const report *r)
{
    return r->result.check.asked && r->result.check.holds == DP_UNKNOWN &&
           (r->result.met & (DP_MET_TIME | DP_MET_MEMORY)) != 0;
}

/* Answers one parsed line. Returns the status of the answer. */
static int answer_object(out *o, report *r, cJSON *object, size_t number, bool expensive)
{
    fault f = {"", ""};
    const command *c = line_command(object, &f);
    cJSON *id = cJSON_DetachItemFromObjectCaseSensitive(object, "id");
    int status = EXIT_INPUT;
    if (c != NULL) {
        args a;
        mem_context(c->name);
        if ((expensive || c->takes_items) && !out_write(o, stdout))
            o->failed = true;
        if (!args_init(&a, c))
            return EXIT_UNFINISHED;
        if (args_read_object(&a, object, &f))
            status = query_run(&a, r, &f);
        else if (a.late)
            status = EXIT_UNFINISHED;
        if (f.what[0] == '\0')
            status = ran_out(r) ? EXIT_UNFINISHED : EXIT_HOLDS;
        if (f.what[0] == '\0')
            report_json(o, r, &a, id);
        else
            write_fault(o, &f, number, id);
        args_clear(&a);
    } else {
        write_fault(o, &f, number, id);
    }
    return status;
}

static int answer_line(out *o, report *r, const line *l, size_t number)
{
    fault f;
    if (l->too_long) {
        fault_set(&f, "", "the line is longer than 16 MiB");
    } else {
        json_fault where;
        cJSON *object = json_parse(l->text, l->length, &where);
        if (object != NULL) {
            int status = answer_object(o, r, object, number, l->length > CHEAP_LINE_BYTES);
            cJSON_Delete(object);
            return status;
        }
        fault_set(&f, "", "%s at byte %zu", where.message, where.offset + 1);
    }
    write_fault(o, &f, number, NULL);
    return EXIT_INPUT;
}

static int batch(args *a, out *o, fault *f)
{
    if (isatty(STDIN_FILENO)) {
        fault_set(f, "", "standard input is a terminal; pipe JSON Lines in");
        return EXIT_INPUT;
    }
    bool quiet = args_flag(a, "quiet");
    line l = {0};
    input *in = memory_zero(1, sizeof *in);
    report r;
    report_init(&r);
    int worst = EXIT_HOLDS;
    size_t number = 0;
    line_outcome outcome = LINE_MEMORY;
    if (in != NULL)
        in->pending = o;
    while (in != NULL && (outcome = next_line(&l, in)) == LINE_READ) {
        number++;
        if (is_blank(&l) && !l.too_long)
            continue;
        int status = answer_line(o, &r, &l, number);
        if (status > worst)
            worst = status;
        if (quiet)
            o->used = 0;
        if (o->used > PENDING_BYTES && !out_write(o, stdout)) {
            outcome = LINE_OUTPUT;
            break;
        }
    }
    if (outcome == LINE_MEMORY || outcome == LINE_ERROR) {
        fault_set(f, "", outcome == LINE_MEMORY ? "out of memory" : "cannot read standard input");
        worst = EXIT_UNFINISHED;
    }
    if (outcome == LINE_OUTPUT)
        o->failed = true; /* reported by the writer of what is left: nothing */
    memory_free(l.text);
    memory_free(in);
    report_clear(&r);
    return worst;
}

static const option options[] = {{.name = "quiet",
                                  .letter = 'q',
                                  .kind = KIND_FLAG,
                                  .role = ROLE_CONTROL,
                                  .brief = "print nothing, only exit",
                                  .manual = "The exit status is 2 when a line was bad."},
                                 {.name = "help",
                                  .letter = 'h',
                                  .kind = KIND_FLAG,
                                  .role = ROLE_CONTROL,
                                  .brief = "show this help",
                                  .manual = "Shows the usage of the command and exits."},
                                 {.name = NULL}};

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
