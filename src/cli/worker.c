/* SPDX-License-Identifier: MIT */
#include "cli/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

void worker_keep_standard(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) == -1 && errno == EBADF)
            (void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

pid_t worker_start(void)
{
    fflush(NULL);
    pid_t parent = getpid(), worker = fork();
    if (worker != 0)
        return worker;
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it had ended before that */
        _exit(0);
#else
    (void)parent;
#endif
    return 0;
}

int worker_end(pid_t worker, int sign)
{
    int outcome = 0;
    if (sign != 0)
        kill(worker, sign);
    while (waitpid(worker, &outcome, 0) < 0 && errno == EINTR)
        continue;
    return outcome;
}

int worker_poll(struct pollfd *of, size_t count, bool *watched, int timeout)
{
    struct pollfd *output = &of[count];
    *output = (struct pollfd){.fd = *watched ? STDOUT_FILENO : -1};
    int ready = poll(of, (nfds_t)count + 1, timeout);
    if (ready <= 0 || output->revents == 0)
        return ready;
    bool gone = (output->revents & POLLERR) != 0;
    *watched = gone; /* what is no pipe would be ready again at once */
    ready = poll(of, (nfds_t)count, gone ? READER_PATIENCE : timeout);
    if (ready == 0 && gone) {
        errno = EPIPE;
        return -1;
    }
    return ready;
}
