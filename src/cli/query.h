/* SPDX-License-Identifier: MIT */
#ifndef CLI_QUERY_H
#define CLI_QUERY_H

#include "document/answer.h"
#include "document/request.h"

/* Reads a file, or standard input for "-", as JSON that owns its text; false with the fault filled
 * in. */
bool query_read_document(const char *path, json_document *document, fault *f);

/* Sets a table option from a file: lines of numbers separated by spaces, tabs or commas, empty
 * lines and lines that begin with # left out, or a JSON array of arrays. False with the fault
 * filled in. */
bool query_read_table(args *a, const option *o, const char *path, fault *f);

/* How many threads the processors that this process may run on can use, at most 8. */
size_t query_threads_free(void);

/* args_init, for a program that shows progress, bounds its memory and has all processors. */
bool query_init(args *a, const command *c);

/* From complete arguments to a filled report: reads the ledger, checks the rules, runs the
 * command. Returns the exit status; when it is EXIT_INPUT or the report has no rows, `f` says why.
 */
int query_run(args *a, report *r, fault *f);

#endif
