/* SPDX-License-Identifier: MIT */
/* gnuplot as another process: no shell, no file name in its script, which it reads from a file
 * without a name and answers on a pipe. */
#include "cli/picture.h"

#include "document/escape.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define BLOCK ((size_t)65536)
#define NOT_FOUND 101 /* 127 is also what the loader ends with where memory is short */
#define SAID 160

static void run_child(int script, int answer, int said)
{
    signal(SIGPIPE, SIG_DFL);
    if (dup2(script, STDIN_FILENO) >= 0 && dup2(answer, STDOUT_FILENO) >= 0 &&
        dup2(said, STDERR_FILENO) >= 0)
        execlp("gnuplot", "gnuplot", (char *)NULL);
    int error = errno;
    dprintf(said, "%s", strerror(error));
    _exit(error == ENOENT ? NOT_FOUND : 1);
}

static bool read_answer(out *drawn, int from)
{
    for (;;) {
        char *at = out_reserve(drawn, BLOCK);
        ssize_t n = at != NULL ? read(from, at, BLOCK) : -1;
        if (n < 0 && at != NULL && errno == EINTR)
            continue;
        if (n <= 0)
            return n == 0;
        out_grow(drawn, (size_t)n);
    }
}

/* Why it ended without a picture, in its own words: the first line that it said. */
static const char *reason(FILE *said, int status)
{
    static char text[4 * SAID + 120];
    char line[SAID] = "", shown[4 * SAID];
    rewind(said);
    while (line[strspn(line, "\r\n")] == '\0' && fgets(line, sizeof line, said) != NULL)
        line[strcspn(line, "\r\n")] = '\0';
    if (line[0] == '\0' && WIFSIGNALED(status))
        snprintf(line, sizeof line, "it was ended by signal %d", WTERMSIG(status));
    escape_text(shown, sizeof shown, line);
    snprintf(text, sizeof text,
             "gnuplot could not draw it%s%s; --plot-data prints what it was given",
             line[0] != '\0' ? ": " : "", shown);
    return text;
}

static const char *run(out *drawn, FILE *script, FILE *said)
{
    int ends[2], status = 0;
    if (pipe(ends) != 0)
        return "no pipe to gnuplot could be made";
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        run_child(fileno(script), ends[1], fileno(said));
    }
    close(ends[1]);
    bool ok = child > 0 && read_answer(drawn, ends[0]);
    close(ends[0]);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND)
        return "needs gnuplot, which is not there; install it (gnuplot-nox), or draw what "
               "--plot-data prints";
    if (child < 0)
        return "gnuplot could not be started; --plot-data prints what it would be given";
    if (!ok || !WIFEXITED(status) || WEXITSTATUS(status) != 0 || drawn->used == 0)
        return reason(said, status);
    return NULL;
}

static const char *gnuplot_run(out *drawn, const out *script)
{
    FILE *file = tmpfile(), *said = tmpfile();
    const char *wrong = "no temporary file could be made";
    if (file != NULL && said != NULL) {
        bool ok = fwrite(script->data, 1, script->used, file) == script->used &&
                  fflush(file) == 0 && fseek(file, 0, SEEK_SET) == 0;
        wrong = ok ? run(drawn, file, said) : "the temporary file could not be written";
    }
    if (said != NULL)
        fclose(said);
    if (file != NULL)
        fclose(file);
    return wrong;
}

static const char *write_file(const char *path, const out *drawn)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    size_t done = 0;
    while (file >= 0 && done < drawn->used) {
        ssize_t n = write(file, drawn->data + done, drawn->used - done);
        if (n < 0 && errno != EINTR)
            break;
        done += n > 0 ? (size_t)n : 0;
    }
    bool ok = file >= 0 && close(file) == 0 && done == drawn->used;
    return ok ? NULL : "the file could not be written";
}

const char *picture_draw(out *o, const picture *p, const char *file, size_t width)
{
    out script, drawn;
    out_init(&script);
    out_init(&drawn);
    picture_script(&script, p, file, width);
    const char *wrong = script.failed ? "out of memory" : gnuplot_run(&drawn, &script);
    if (wrong == NULL && strcmp(file, "-") == 0)
        out_bytes(o, drawn.data, drawn.used);
    else if (wrong == NULL)
        wrong = write_file(file, &drawn);
    out_clear(&drawn);
    out_clear(&script);
    return wrong;
}
