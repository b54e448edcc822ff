/* SPDX-License-Identifier: MIT */
#ifndef CATALOG_WORKS_H
#define CATALOG_WORKS_H

#include <stddef.h>

/* A published work as BibTeX has it; its year ends `cited`. */
typedef struct work {
    const char *cited; /* how sources name it: "Mironov 2017" */
    const char *key, *type, *author, *title;
    const char *venue; /* journal, proceedings, publisher, or number of the preprint */
    const char *doi;   /* NULL: it has none */
} work;

/* NULL past the last one. */
const work *work_at(size_t index);
const char *work_year(const work *w);

/* The next work that the source names, which is moved behind it; NULL: none. */
const work *work_cited(const char **source);

#endif
