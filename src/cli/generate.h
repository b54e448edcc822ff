/* SPDX-License-Identifier: MIT */
/* What is made from the tables: the man pages, the completions, docs/theorems.md, the schemas. */
#ifndef CLI_GENERATE_H
#define CLI_GENERATE_H

#include "document/out.h"
#include "document/table.h"
#include "dpacct/theorem.h"

#define GENERATE_CHOICES "man, man-pages, bash, zsh, fish, theorems, schema, ledger-schema"

/* False when there is no such document: a choice, or the name of a man page. */
bool generate(out *o, const char *what);

void generate_man(out *o); /* dpacct(1) */
/* The names of all man pages, and a page by its name; false: there is none. */
void generate_man_names(out *o);
bool generate_man_page(out *o, const char *page);
/* What makes the shell complete these commands; false: it is none of bash, zsh and fish. */
bool generate_completion(out *o, const char *shell, const command *const *commands);
void generate_theorems(out *o);

#endif
