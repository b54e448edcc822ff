/* SPDX-License-Identifier: MIT */
/* What the fuzz targets share. A target is one file that defines LLVMFuzzerTestOneInput; it is
 * linked with libFuzzer, or with replay.c, which runs it over a folder of files. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "document/answer.h"
#include "document/request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the process with the place and the claim that failed. */
#define EXPECT(claim) ((claim) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #claim))
_Noreturn void fuzz_fail(const char *file, int line, const char *claim);

/* Every query of the process keeps to these, whatever its input asks for. */
typedef struct fuzz_limits {
    double seconds;
    size_t bytes, digits;
} fuzz_limits;
extern fuzz_limits fuzz_limit;

/* A copy of the input with a NUL behind it; release with free. */
char *fuzz_text(const uint8_t *data, size_t size);

#define FUZZ_WORDS 40
/* The lines of `text`, cut in place. The first names the command; the others are its arguments. */
typedef struct fuzz_words {
    const command *command;
    int count;
    char *word[FUZZ_WORDS];
} fuzz_words;
void fuzz_split(fuzz_words *w, char *text);

/* Runs a query whose arguments have been read, and checks what every answer must be: a status that
 * agrees with the fault, ordered ends, no negative figure, parsable JSON. Returns the status. */
int fuzz_query(args *a, report *r);

/* Do the arguments name a file? Targets open none; ledgers have a target of their own. */
bool fuzz_reads_file(const args *a);

/* The lower and upper end of the figure as rationals; false when infinite or not a number. */
bool fuzz_ends(mpq_t lower, mpq_t upper, const dp_figure *x);

#endif
