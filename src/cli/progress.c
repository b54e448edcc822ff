/* SPDX-License-Identifier: MIT */
/* Progress on a terminal while a query runs. */
#include "cli/progress.h"

#include <stdio.h>
#include <unistd.h>

static const char *command;
static bool wanted, shown;
static double last;

void progress_start(const char *name, bool quiet)
{
    command = name;
    wanted = !quiet && isatty(STDERR_FILENO);
    shown = false;
    last = 0;
}

void progress_show(void *context, double seconds)
{
    (void)context;
    if (!wanted || seconds < 1 || (seconds > last && seconds < last + 0.25))
        return;
    last = seconds;
    shown = true;
    fprintf(stderr, "\rdpacct: %s: working, %.0f s ", command, seconds);
    fflush(stderr);
}

void progress_end(void)
{
    if (shown)
        fprintf(stderr, "\r%*s\r", 60, "");
    shown = false;
}
