/* SPDX-License-Identifier: MIT */
/* A:B:N in place of a number: the same question at each of N points. */
#ifndef CLI_RANGE_H
#define CLI_RANGE_H

#include "document/request.h"

#define RANGE_MOST 1000

/* Is the text a range for an option that takes one number of the question? */
bool ranges_over(const option *o, const char *text);

/* Gives the option the point a->at of the range. */
bool range_set(args *a, const option *o, const char *text, fault *f);

#endif
