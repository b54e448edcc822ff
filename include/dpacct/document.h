/* SPDX-License-Identifier: MIT */
/* One door for every question: JSON in, JSON out, no type of GMP or MPFR to know. */
#ifndef DPACCT_DOCUMENT_H
#define DPACCT_DOCUMENT_H

#include "dpacct/figure.h"
#include "dpacct/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Answers one question: what `dpacct batch` does with a line.
 *   request  a JSON object (UTF-8, at most 16 MiB) with "command" and the fields of that command,
 *            named as its long options, dashes or underscores: {"command": "compose",
 *            "mechanisms": [{"epsilon": "0.1", "times": 35}], "target_delta": "1e-5"}. Numbers are
 *            read exactly, as JSON numbers or as strings. No field names a file.
 *   returns  a document dpacct/1 (docs/schema), without a newline at its end: the answer, or an
 *            object with "error". Figures are decimal enclosures rounded outward, and doubles at
 *            their safe end. The answer to a check is "check": {"holds": true | false | null}.
 *            The caller frees it with dp_text_free.
 *   status   NULL, or what the question came to: DP_OK exactly where the document is an answer;
 *            where limits were met its figures are wider, or its check is open, and it says so.
 *            DP_DOMAIN for what is no question or out of its domain, DP_UNAVAILABLE, DP_LIMIT,
 *            DP_UNDECIDED as elsewhere. DP_MEMORY: the library was refused a block; the document
 *            is then an error too, or NULL where there was no memory for that either.
 * "max_time" (20 seconds of processor time of the calling thread, unless given) and "max_memory"
 * (10^9 bytes for the tables of the engines) are those of this question alone. Sizes are judged
 * before numbers are formed, so that no request lets an exact number grow without bounds; but GMP
 * itself ends the process when the system refuses it memory, unless mp_set_memory_functions says
 * otherwise, and the library does not touch that. No state is kept: any number of threads may ask
 * at the same time, each calling mpfr_free_cache before it ends (dpacct.h).
 * Not there in a library that was built with DPACCT_DOCUMENT=OFF. */
DP_API char *dp_ask(const char *request, dp_status *status);

#ifdef __cplusplus
}
#endif
#endif
