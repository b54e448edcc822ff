/* SPDX-License-Identifier: MIT */
#ifndef CLI_MARKUP_H
#define CLI_MARKUP_H

#include "document/out.h"

/* Text as markdown, and as LaTeX, shows it as it is. */
void put_markdown(out *o, const char *text);
void put_latex(out *o, const char *text);

#endif
