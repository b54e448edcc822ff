/* SPDX-License-Identifier: MIT */
/* What batch and its jobs share: one line, read and answered. */
#ifndef CLI_BATCH_H
#define CLI_BATCH_H

#include "document/ask.h"
#include "document/out.h"

#define BATCH_MOST_JOBS 64
#define BATCH_BLOCK ((size_t)1 << 16)

typedef enum line_outcome {
    LINE_READ,
    LINE_END,
    LINE_MEMORY,
    LINE_ERROR,
    LINE_ALONE, /* no process could be started: errno says why */
    LINE_OUTPUT
} line_outcome;

typedef struct line {
    char *text;
    size_t length, room;
    bool too_long;
} line;

/* What a process that a line ends leaves to the one which goes on. */
#define ID_BYTES 1024
typedef struct question {
    size_t number;       /* of the line */
    bool asked;          /* it waits for its answer */
    bool shown;          /* progress is, where there is a terminal */
    char id[ID_BYTES];   /* of the question, as JSON; "" where it has none, or a long one */
    void (*flush)(void); /* answers that wait are written before one that may take long */
} question;

/* Appends bytes to the line, with room for one more; past the limit they are dropped. False when
 * out of memory. */
bool line_append(line *l, const char *bytes, size_t n);

bool line_is_blank(const line *l, size_t number);

/* Appends the answer; returns the exit status. */
int line_answer(out *o, report *r, line *l, question *q);

/* What is said of a line that ended its process. */
void line_lost(out *o, question *q);

/* Answers standard input by that many processes at once, in the order of the lines; sets the worst
 * exit status. */
line_outcome jobs_answer(int *worst, out *o, size_t jobs, bool quiet);

#endif
