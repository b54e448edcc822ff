/* SPDX-License-Identifier: MIT */
/* From values to a report: reads the ledger, asks the library, draws the answer. */
#include "cli/query.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/mem.h"
#include "cli/progress.h"
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

bool query_read_document(const char *path, json_document *document, fault *f)
{
    bool standard = strcmp(path, "-") == 0;
    if (standard && isatty(STDIN_FILENO)) {
        fault_set(f, "-", "standard input is a terminal; pipe a ledger in or name a file");
        return false;
    }
    int file = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    size_t length = 0;
    json_fault where;
    char *text = file >= 0 ? read_all(file, &length) : NULL;
    int error = errno;
    if (file >= 0 && !standard)
        close(file);
    if (text == NULL) {
        fault_set(f, path, "cannot be read: %s", strerror(error));
        return false;
    }
    if (json_read(document, text, length, &where)) {
        document->owned = text;
        return true;
    }
    size_t line = 1;
    for (size_t i = 0; i < where.offset; i++)
        line += text[i] == '\n';
    fault_set(f, path, "line %zu: %s", line, where.message);
    memory_free(text);
    return false;
}

bool query_init(args *a, const command *c)
{
    if (!args_init(a, c))
        return false;
    a->progress = progress_show;
    a->limit_memory = mem_limit;
    return true;
}

int query_run(args *a, report *r, fault *f)
{
    args_limit_memory(a);
    if (a->operand != NULL) {
        json_document document;
        if (!query_read_document(a->operand, &document, f))
            return EXIT_INPUT;
        if (!args_read_ledger(a, document, f))
            return a->late ? EXIT_UNFINISHED : EXIT_INPUT;
    }
    return report_ask(r, a, f);
}
