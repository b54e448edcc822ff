/* SPDX-License-Identifier: MIT */
/* Preloaded into the program: what if this allocation were refused? At each one a child meets the
 * refusal, and must end as a program without memory ends; the program itself goes on.
 *
 *   REFUSE_EXPECT   what the program prints when nothing is refused, and REFUSE_STATUS its status
 *   REFUSE_REPORT   a file that takes a line for each child that ended otherwise, and "tried N"
 *   REFUSE_ALL      so many allocations are tried all, later ones at random, ever fewer
 *   REFUSE_ONLY     instead of all that: the so manieth of each process is refused, no child
 *   REFUSE_RANDOM   instead of all that: SEED; each is refused with a probability of 1/1024 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

static size_t count, tried, all, only;
static bool on, exhausted;
static uint64_t state;
static int report = -1, expect = -1, status_expected;
static pid_t owner;

static size_t number(const char *name)
{
    const char *text = getenv(name);
    return text != NULL ? strtoul(text, NULL, 10) : 0;
}

__attribute__((constructor)) static void start(void)
{
    const char *path = getenv("REFUSE_REPORT");
    if (path != NULL)
        report = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    path = getenv("REFUSE_EXPECT");
    if (path != NULL)
        expect = open(path, O_RDONLY | O_CLOEXEC);
    status_expected = (int)number("REFUSE_STATUS");
    all = number("REFUSE_ALL");
    only = number("REFUSE_ONLY");
    state = number("REFUSE_RANDOM");
    owner = getpid();
    on = true;
}

__attribute__((destructor)) static void end(void)
{
    on = exhausted = false; /* all is printed */
    if (report >= 0 && getpid() == owner)
        dprintf(report, "tried %zu of %zu\n", tried, count);
}

static uint64_t chance(void)
{
    state = state * 6364136223846793005U + 1442695040888963407U;
    return state >> 33;
}

/* The contents of a file; the buffer is static because nothing may be allocated here. */
static size_t contents(int file, char *buffer, size_t room)
{
    size_t n = 0;
    for (ssize_t got; n < room && (got = pread(file, buffer + n, room - n, (off_t)n)) > 0;)
        n += (size_t)got;
    return n;
}

static void judge(int outcome, int out, int err)
{
    static char printed[1 << 20], wanted[1 << 20], said[4096];
    size_t n = contents(out, printed, sizeof printed), m = contents(err, said, sizeof said - 1);
    said[m] = '\0';
    bool same = WIFEXITED(outcome) && WEXITSTATUS(outcome) == status_expected &&
                n == contents(expect, wanted, sizeof wanted) && memcmp(printed, wanted, n) == 0;
    bool told = WIFEXITED(outcome) && WEXITSTATUS(outcome) == 3 && n == 0 &&
                strcasestr(said, "memory") != NULL;
    if (!same && !told)
        dprintf(report, "allocation %zu refused: status %d, signal %d, %zu bytes printed, %s\n",
                count, WIFEXITED(outcome) ? WEXITSTATUS(outcome) : -1,
                WIFSIGNALED(outcome) ? WTERMSIG(outcome) : 0, n, m > 0 ? said : "nothing said");
}

/* True in the child. What it reads is given back to the program. */
static bool child_meets_it(void)
{
    enum { FILES = 8 };
    off_t at[FILES];
    int out = memfd_create("out", MFD_CLOEXEC), err = memfd_create("err", MFD_CLOEXEC);
    for (int i = 0; i < FILES; i++)
        at[i] = lseek(i, 0, SEEK_CUR);
    pid_t child = fork();
    if (child == 0) {
        dup2(out, STDOUT_FILENO);
        dup2(err, STDERR_FILENO);
        exhausted = count % 2 == 1;
        on = exhausted;
        return true;
    }
    int outcome = 0;
    waitpid(child, &outcome, 0);
    for (int i = 0; i < FILES; i++)
        if (at[i] >= 0)
            lseek(i, at[i], SEEK_SET);
    judge(outcome, out, err);
    close(out);
    close(err);
    tried++;
    return false;
}

static bool refused(void)
{
    if (!on || exhausted)
        return exhausted;
    count++;
    if (only > 0)
        return count == only;
    if (all == 0)
        return chance() % 1024 == 0;
    if (count > all && chance() % (1 + count / 64) != 0)
        return false;
    on = false;
    bool mine = child_meets_it();
    if (!mine)
        on = true;
    return mine;
}

static void *answer(void *(*real)(void *, size_t), void *old, size_t bytes)
{
    int saved = errno;
    if (refused()) {
        errno = ENOMEM;
        return NULL;
    }
    errno = saved;
    return real(old, bytes);
}

static void *plain(void *old, size_t bytes)
{
    (void)old;
    return __libc_malloc(bytes);
}

static void *zeroed(void *old, size_t bytes)
{
    (void)old;
    return __libc_calloc(1, bytes);
}

void *malloc(size_t bytes)
{
    return answer(plain, NULL, bytes);
}

void *calloc(size_t n, size_t size)
{
    return answer(zeroed, NULL, n * size);
}

void *realloc(void *old, size_t bytes)
{
    return answer(__libc_realloc, old, bytes);
}
