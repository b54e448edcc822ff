/* SPDX-License-Identifier: MIT */
/* Ledgers as tables: a header row with the names of the fields of an entry, then an entry a row. */
#ifndef CLI_LEDGER_CSV_H
#define CLI_LEDGER_CSV_H

#include "document/out.h"
#include "document/request.h"

/* Is the text a table? By the name of its file, or by its first cell; what begins with a bracket
 * is JSON whatever its name is. */
bool ledger_is_csv(const char *path, const char *text, size_t length);

/* Appends the JSON ledger that the table means, one entry a line, and to `lines` the line (size_t)
 * on which each of them begins. A field that is empty is left out, a row that is empty passed over.
 * False with the fault filled in, its place the line. */
bool ledger_from_csv(out *ledger, out *lines, const char *text, size_t length, fault *f);

#endif
