/* SPDX-License-Identifier: MIT */
/* Output that was built in memory, written in one go. */
#include "cli/write.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

bool wait_again(int fd, short for_what)
{
    struct pollfd of = {.fd = fd, .events = for_what};
    if (errno != EAGAIN && errno != EINTR)
        return false;
    return errno == EINTR || poll(&of, 1, -1) >= 0 || errno == EINTR;
}

bool write_all(int fd, const char *from, size_t bytes)
{
    while (bytes > 0) {
        ssize_t n = write(fd, from, bytes);
        if (n < 0 && wait_again(fd, POLLOUT))
            continue;
        if (n <= 0)
            return false;
        from += n;
        bytes -= (size_t)n;
    }
    return true;
}

bool out_write(out *o, FILE *stream)
{
    bool ok = fflush(stream) == 0 && write_all(fileno(stream), o->data, o->failed ? 0 : o->used);
    o->closed = o->closed || (!ok && errno == EPIPE);
    o->used = 0;
    return ok && !o->failed && !ferror(stream);
}
