/* SPDX-License-Identifier: MIT */
/* From values to a report: reads the ledger, asks the library, draws the answer. */
#include "cli/query.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/hints.h"
#include "cli/ledger_csv.h"
#include "cli/mem.h"
#include "cli/progress.h"
#include "document/commands.h"
#include "document/escape.h"
#include "document/json_read.h"
#include "num/memory.h"
#include "num/number.h"

/* Larger ledgers are refused: a million mechanisms fit many times over. */
#define LEDGER_MAX_BYTES JSON_MAX_BYTES

#define BLOCK ((size_t)65536)

/* All that can be read, with room for a byte more, or NULL with errno set: EFBIG past the limit. */
static char *read_all(int file, size_t *length)
{
    out text;
    struct stat about;
    out_init(&text);
    bool sized = fstat(file, &about) == 0 && S_ISREG(about.st_mode);
    if (sized && (uintmax_t)about.st_size > LEDGER_MAX_BYTES) {
        errno = EFBIG;
        return NULL;
    }
    if (sized)
        out_reserve(&text, (size_t)about.st_size + BLOCK); /* as it is, it grows no more */
    for (;;) {
        char *at = out_reserve(&text, BLOCK);
        ssize_t n = read(file, at, BLOCK);
        if (n < 0 && errno == EINTR)
            continue;
        if (n == 0) {
            *length = text.used;
            return text.data;
        }
        if (n > 0)
            out_grow(&text, (size_t)n);
        if (text.used > LEDGER_MAX_BYTES)
            errno = EFBIG;
        if (n < 0 || text.used > LEDGER_MAX_BYTES)
            break;
    }
    int saved = errno;
    out_clear(&text);
    errno = saved;
    return NULL;
}

/* The contents, with room for a byte more; NULL with the fault filled in. */
static char *read_file(const char *path, size_t *length, fault *f)
{
    bool standard = strcmp(path, "-") == 0;
    if (standard && isatty(STDIN_FILENO)) {
        fault_set(f, "-", "standard input is a terminal; pipe a ledger in or name a file");
        return NULL;
    }
    int file = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    char *text = file >= 0 ? read_all(file, length) : NULL;
    int error = errno;
    if (file >= 0 && !standard)
        close(file);
    if (text == NULL)
        fault_set(f, path, "cannot be read: %s", strerror(error));
    return text;
}

static size_t lines_before(const char *text, size_t offset)
{
    size_t lines = 0;
    for (size_t i = 0; i < offset; i++)
        lines += text[i] == '\n';
    return lines;
}

/* Takes the text, which begins at `start`. */
static bool read_json(const char *path, json_document *document, char *text, size_t start,
                      size_t length, fault *f)
{
    json_fault where;
    if (json_read(document, text + start, length - start, &where)) {
        document->owned = text;
        return true;
    }
    fault_set(f, path, "line %zu: %s", 1 + lines_before(text + start, where.offset), where.message);
    memory_free(text);
    return false;
}

bool query_read_document(const char *path, json_document *document, fault *f)
{
    size_t length = 0;
    char *text = read_file(path, &length, f);
    return text != NULL && read_json(path, document, text, json_mark(text, length), length, f);
}

/* The lines of the text in its place as A,B;C,D; returns the length. */
static size_t join_lines(char *text, size_t length)
{
    size_t n = 0;
    for (size_t from = 0; from < length;) {
        size_t end = from, start = n;
        while (end < length && text[end] != '\n')
            end++;
        bool apart = true, remark = text[from] == '#';
        for (size_t i = from; i < end && !remark; i++) {
            bool blank = strchr(" \t\r,", text[i]) != NULL && text[i] != '\0';
            bool first = n == start;
            if (!blank && apart && !(first && start == 0))
                text[n++] = first ? ';' : ',';
            if (!blank)
                text[n++] = text[i] == ';' ? '?' : text[i];
            apart = blank;
        }
        from = end + 1;
    }
    return n;
}

static bool set_lines(args *a, const option *o, const char *path, char *text, size_t length,
                      fault *f)
{
    if (memchr(text, '\0', length) != NULL) {
        fault_set(f, path, "is not text");
        return false;
    }
    length = join_lines(text, length);
    text[length] = '\0';
    if (length == 0)
        fault_set(f, path, "holds no numbers");
    return length > 0 && args_set(a, o, text, f);
}

static bool set_arrays(args *a, const option *o, const char *path, json lines, fault *f)
{
    if (json_kind_of(lines) == JSON_ARRAY && !json_is_empty(lines))
        return args_set_table(a, o, lines, false, f);
    fault_set(f, path, "must be a JSON array of arrays of numbers, or lines of numbers");
    return false;
}

bool query_read_table(args *a, const option *o, const char *path, fault *f)
{
    size_t length = 0;
    char *text = path[0] != '\0' ? read_file(path, &length, f) : NULL;
    if (path[0] == '\0')
        fault_set(f, option_key(o), "'' is not a file");
    if (text == NULL)
        return false;
    size_t start = json_mark(text, length), first = start;
    while (first < length && strchr(" \t\r\n", text[first]) != NULL && text[first] != '\0')
        first++;
    if (first >= length || text[first] != '[') {
        bool ok = set_lines(a, o, path, text + start, length - start, f);
        memory_free(text);
        return ok;
    }
    json_document document;
    if (!read_json(path, &document, text, start, length, f))
        return false;
    bool ok = set_arrays(a, o, path, json_root(&document), f);
    json_clear(&document);
    return ok;
}

/* The table as a ledger; false with the fault filled in. */
static bool read_table(args *a, json_document *document, const char *text, size_t length, fault *f)
{
    out ledger, lines;
    json_fault where;
    out_init(&ledger);
    out_init(&lines);
    bool ok = ledger_from_csv(&ledger, &lines, text, length, f);
    a->lines = (size_t *)(void *)lines.data;
    if (ok && ledger.used > LEDGER_MAX_BYTES) {
        fault_set(f, "", "the table is too large");
        ok = false;
    }
    out_char(&ledger, '\0'); /* room for a byte more */
    if (ok && !json_read(document, ledger.data, ledger.used - 1, &where)) {
        char place[40];
        size_t entry = lines_before(ledger.data, where.offset);
        snprintf(place, sizeof place, "line %zu", entry > 0 ? a->lines[entry - 1] : 1);
        fault_set(f, place, "%s", where.message);
        ok = false;
    }
    if (ok)
        document->owned = ledger.data;
    else
        out_clear(&ledger);
    return ok;
}

/* Words that are no file may be items or options without their dashes. */
static void hint_file(const args *a, fault *f)
{
    char hint[HINT_ROOM], what[sizeof f->what];
    hint_operand(hint, a, a->operand);
    snprintf(what, sizeof what, "%.200s%s", f->what, hint);
    if (hint[0] != '\0')
        fault_set(f, a->operand, "%s", what);
}

static bool read_ledger(args *a, json_document *document, bool *table, fault *f)
{
    size_t length = 0;
    char *text = read_file(a->operand, &length, f);
    if (text == NULL) {
        hint_file(a, f);
        return false;
    }
    size_t start = json_mark(text, length);
    *table = ledger_is_csv(a->operand, text + start, length - start);
    if (!*table)
        return read_json(a->operand, document, text, start, length, f);
    bool ok = read_table(a, document, text + start, length - start, f);
    memory_free(text);
    return ok;
}

/* Lines of a table are those of a file. */
static void name_file(const args *a, fault *f)
{
    char where[sizeof f->where];
    if (f->what[0] == '\0' || strncmp(f->where, "line ", 5) != 0)
        return;
    snprintf(where, sizeof where, "%.200s: %.50s", a->operand, f->where);
    escape_text(f->where, sizeof f->where, where);
}

bool query_init(args *a, const command *c)
{
    if (!args_init(a, c, query_commands))
        return false;
    a->progress = progress_show;
    a->narrowed = progress_narrowed;
    a->limit_memory = mem_limit;
    a->threads = query_threads_free();
    return true;
}

int query_run(args *a, report *r, fault *f)
{
    args_limit_memory(a);
    json_document document;
    int status = EXIT_INPUT;
    bool table = false;
    if (a->operand == NULL)
        return report_ask(r, a, f);
    if (read_ledger(a, &document, &table, f)) {
        if (args_read_ledger(a, document, f))
            status = report_ask(r, a, f);
        else if (a->late)
            status = EXIT_UNFINISHED;
    }
    if (table)
        name_file(a, f);
    return status;
}
