/* SPDX-License-Identifier: MIT */
/* Standard input of `batch`, as it is: one answer for each line that is not blank, each an object.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/program.h"
#include "cli/write.h"
#include "document/commands.h"
#include "document/json_read.h"
#include "fuzz.h"

static FILE *given, *answered;

static void redirect(void)
{
    given = tmpfile();
    answered = tmpfile();
    EXPECT(given != NULL && answered != NULL);
    EXPECT(dup2(fileno(given), STDIN_FILENO) == STDIN_FILENO);
    EXPECT(dup2(fileno(answered), STDOUT_FILENO) == STDOUT_FILENO);
}

static size_t questions(const char *text, size_t size)
{
    size_t n = 0;
    bool blank = true;
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '\n') {
            n += !blank;
            blank = true;
        } else if (memchr(" \t\r", text[i], 3) == NULL) {
            blank = false;
        }
    }
    return n + !blank;
}

static size_t check_answers(char *text, size_t size)
{
    size_t n = 0;
    for (char *line = text, *end; line < text + size; line = end + 1, n++) {
        end = memchr(line, '\n', (size_t)(text + size - line));
        EXPECT(end != NULL);
        json_fault where;
        json_document answer;
        EXPECT(json_read(&answer, line, (size_t)(end - line), &where));
        json top = json_root(&answer);
        bool failed = json_exists(json_find(top, "error"));
        bool done = json_exists(json_find(top, "results"));
        EXPECT(failed != done);
        json_clear(&answer);
    }
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (given == NULL)
        redirect();
    EXPECT(ftruncate(STDIN_FILENO, 0) == 0 && ftruncate(STDOUT_FILENO, 0) == 0);
    EXPECT(pwrite(STDIN_FILENO, data, size, 0) == (ssize_t)size);
    EXPECT(lseek(STDIN_FILENO, 0, SEEK_SET) == 0 && lseek(STDOUT_FILENO, 0, SEEK_SET) == 0);
    args a;
    fault f = {"", ""};
    out o;
    out_init(&o);
    EXPECT(args_init(&a, &cmd_batch, query_commands));
    EXPECT(args_finish(&a, &f));
    int status = cmd_batch.act(&a, &o, commands, &f);
    EXPECT(f.what[0] == '\0' && out_write(&o, stdout));
    EXPECT(status == EXIT_HOLDS || status == EXIT_INPUT || status == EXIT_UNFINISHED);
    args_clear(&a);
    out_clear(&o);
    off_t length = lseek(STDOUT_FILENO, 0, SEEK_END);
    char *text = malloc((size_t)length + 1);
    EXPECT(text != NULL && pread(STDOUT_FILENO, text, (size_t)length, 0) == length);
    EXPECT(check_answers(text, (size_t)length) == questions((const char *)data, size));
    free(text);
    return 0;
}
