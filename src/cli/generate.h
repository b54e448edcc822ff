/* SPDX-License-Identifier: MIT */
/* What is made from the tables: the man page, the completions, docs/theorems.md, the schemas. */
#ifndef CLI_GENERATE_H
#define CLI_GENERATE_H

#include "document/out.h"
#include "dpacct/theorem.h"

#define GENERATE_CHOICES "man, bash, zsh, fish, theorems, schema, ledger-schema"

/* False when there is no such document. */
bool generate(out *o, const char *what);

void generate_man(out *o);
void generate_bash(out *o);
void generate_zsh(out *o);
void generate_fish(out *o);
void generate_theorems(out *o);

#endif
