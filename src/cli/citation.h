/* SPDX-License-Identifier: MIT */
/* What theorems rest on, as a list of references and as BibTeX. */
#ifndef CLI_CITATION_H
#define CLI_CITATION_H

#include "catalog/works.h"
#include "document/out.h"
#include "dpacct/theorem.h"

/* Authors, title, venue, year and DOI on one line, without its end. */
void put_reference(out *o, const work *w);

/* Is the theorem, or a part of it, of this project? */
bool is_own(const dp_theorem *t);

/* An entry of BibTeX: the work, or the theorem as a part of dpacct. */
void put_bibtex_work(out *o, const work *w);
void put_bibtex_own(out *o, const dp_theorem *t);

#endif
