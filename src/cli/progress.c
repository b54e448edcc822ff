/* SPDX-License-Identifier: MIT */
/* Progress on a terminal while a query runs. */
#include "cli/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "num/limits.h"

static const char *command;
static bool wanted;
static size_t shown, room; /* columns of the line, and what fits one */
static double began, last;
static char bracket[120], place[60];

void progress_start(const char *name, bool quiet)
{
    struct winsize size;
    command = name;
    wanted = !quiet && isatty(STDERR_FILENO);
    bool known = wanted && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    room = known ? size.ws_col - 1U : 79;
    shown = 0;
    began = limits_clock();
    last = 0;
    bracket[0] = place[0] = '\0';
}

void progress_point(size_t at, size_t count)
{
    bracket[0] = '\0';
    snprintf(place, sizeof place, ", point %zu of %zu", at + 1, count);
}

void progress_narrowed(void *context, const char *what, double lower, double upper)
{
    (void)context;
    if (!wanted)
        return;
    if (!isfinite(upper) && lower <= 0)
        snprintf(bracket, sizeof bracket, "narrowing %.40s", what);
    else if (!isfinite(upper))
        snprintf(bracket, sizeof bracket, "%.40s is at least %.6g", what, lower);
    else if (lower <= 0)
        snprintf(bracket, sizeof bracket, "%.40s is at most %.6g", what, upper);
    else if (upper - lower <= 1e-10 * upper)
        snprintf(bracket, sizeof bracket, "%.40s about %.10g, more digits", what, upper);
    else
        snprintf(bracket, sizeof bracket, "%.40s in [%.10g, %.10g]", what, lower, upper);
}

void progress_show(void *context, double seconds)
{
    (void)context;
    (void)seconds; /* of a part of the question */
    seconds = wanted ? limits_clock() - began : 0;
    if (seconds < 1 || seconds < last + 0.25)
        return;
    last = seconds;
    char line[240];
    snprintf(line, sizeof line, "dpacct: %s: %.0f s%s%s%s", command, seconds, place,
             bracket[0] != '\0' ? ", " : ", working", bracket);
    size_t length = strlen(line) < room ? strlen(line) : room;
    fprintf(stderr, "\r%.*s%*s", (int)length, line, length < shown ? (int)(shown - length) : 0, "");
    fflush(stderr);
    shown = length;
}

void progress_end(void)
{
    if (shown > 0)
        fprintf(stderr, "\r%*s\r", (int)shown, "");
    shown = 0;
}
