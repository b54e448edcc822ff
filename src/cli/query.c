/* SPDX-License-Identifier: MIT */
#include "cli/query.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "num/memory.h"
#include "json/read.h"

/* Larger ledgers are refused: a million mechanisms fit many times over. */
#define LEDGER_MAX_BYTES (256UL << 20)

/* The whole stream, malloc'd; NULL with errno set, or EFBIG past the limit. */
static char *read_all(FILE *stream, size_t *length)
{
    out text;
    out_init(&text);
    for (;;) {
        char *at = out_reserve(&text, 65536);
        if (at == NULL) {
            errno = ENOMEM;
            break;
        }
        size_t n = fread(at, 1, 65536, stream);
        out_grow(&text, n);
        if (text.used > LEDGER_MAX_BYTES) {
            errno = EFBIG;
            break;
        }
        if (n == 0) {
            if (ferror(stream))
                break;
            *length = text.used;
            return text.data;
        }
    }
    int saved = errno;
    out_clear(&text);
    errno = saved;
    return NULL;
}

int query_read_document(const char *path, cJSON **document, fault *f)
{
    bool standard = strcmp(path, "-") == 0;
    if (standard && isatty(STDIN_FILENO)) {
        fault_set(f, "-", "standard input is a terminal; pipe a ledger in or name a file");
        return EXIT_INPUT;
    }
    FILE *stream = standard ? stdin : fopen(path, "rb");
    size_t length = 0;
    char *text = stream != NULL ? read_all(stream, &length) : NULL;
    int error = errno;
    if (stream != NULL && !standard)
        fclose(stream);
    if (text == NULL) {
        fault_set(f, path, "cannot be read: %s", strerror(error));
        return error == ENOMEM ? EXIT_UNFINISHED : EXIT_INPUT;
    }
    json_fault where;
    *document = json_parse(text, length, &where);
    if (*document == NULL) {
        size_t line = 1;
        for (size_t i = 0; i < where.offset; i++)
            line += text[i] == '\n';
        fault_set(f, path, "line %zu: %s", line, where.message);
    }
    memory_free(text);
    return *document != NULL ? EXIT_HOLDS : EXIT_INPUT;
}

int query_run(args *a, report *r, fault *f)
{
    if (a->operand != NULL) {
        cJSON *document = NULL;
        int status = query_read_document(a->operand, &document, f);
        if (status != EXIT_HOLDS)
            return status;
        if (!args_read_ledger(a, document, f))
            return a->late ? EXIT_UNFINISHED : EXIT_INPUT;
    }
    if (!args_finish(a, f))
        return a->late ? EXIT_UNFINISHED : EXIT_INPUT;
    r->error = (dp_error){DP_OK, NULL, NULL};
    int status = a->command->run(a, r);
    if (r->error.message != NULL)
        report_fault(r, a, f);
    return status;
}
