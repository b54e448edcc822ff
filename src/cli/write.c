/* SPDX-License-Identifier: MIT */
/* Output that was built in memory, written in one go. */
#include "cli/write.h"

#include <errno.h>

bool out_write(out *o, FILE *stream)
{
    bool ok = !o->failed;
    if (ok && o->used > 0)
        ok = fwrite(o->data, 1, o->used, stream) == o->used;
    o->closed = o->closed || (!ok && !o->failed && errno == EPIPE);
    bool flushed = fflush(stream) == 0;
    o->closed = o->closed || (!flushed && errno == EPIPE);
    o->used = 0;
    return ok && flushed && !ferror(stream);
}
