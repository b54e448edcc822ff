/* SPDX-License-Identifier: MIT */
/* Long work shows that it goes on: one line on standard error, when that is a terminal. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/* Called once, before any work; quiet forbids it. */
void progress_start(const char *name, bool quiet);
/* For dp_options.progress: shown after the first second, at most four times a second. */
void progress_show(void *context, double seconds);
/* For dp_options.narrowed: what the line says next. */
void progress_narrowed(void *context, const char *what, double lower, double upper);
/* Which of several points the next figures are of. */
void progress_point(size_t at, size_t count);
/* Removes the line. */
void progress_end(void);

#endif
