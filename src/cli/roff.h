/* SPDX-License-Identifier: MIT */
/* Man pages in pieces. */
#ifndef CLI_ROFF_H
#define CLI_ROFF_H

#include "document/out.h"
#include "document/table.h"

/* The head of a page with its NAME section. */
void man_head(out *o, const char *name, const char *section, const char *brief);
/* Text with roff's special characters escaped; a blank line begins a paragraph. */
void roff(out *o, const char *text);
/* A section of such text. */
void man_section(out *o, const char *title, const char *text);
/* An entry of a list: what it is called, with what stands behind it as it is, and what it is. */
void man_entry(out *o, const char *name, const char *after, const char *text);
/* "a, b, c" of "a|b|c" */
void roff_choices(out *o, const char *choices);
void man_option(out *o, const option *p);
/* Of the fields of lists that are parameters. */
void man_parameter(out *o, const parameter *p, const char *name);

/* The pages of section 5. */
void man_ledger(out *o);
void man_json(out *o);

#endif
