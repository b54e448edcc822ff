/* SPDX-License-Identifier: MIT */
#ifndef CLI_ARGV_H
#define CLI_ARGV_H

#include "document/request.h"

/* Reads command-line words after the command's name. */
typedef enum argv_outcome { ARGV_OK, ARGV_HELP, ARGV_SHORT_HELP, ARGV_FAULT } argv_outcome;
argv_outcome args_read_argv(args *a, int argc, char **argv, fault *f);

/* The value of --of: an item, or TYPE, whose own options follow from word[*next] on. */
bool argv_of(args *a, const option *of, const char *type, int count, char **word, int *next,
             fault *f);

#endif
