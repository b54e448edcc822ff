/* SPDX-License-Identifier: MIT */
/* Lists with groups of disjoint data: the maximum over the cells that a record may be in. */
#ifndef COMPOSE_CELLS_H
#define COMPOSE_CELLS_H

#include "core/bound.h"
#include "dpacct/compose.h"

/* The second is a published statement that fails. */
extern const bound compose_cells, compose_cells_greatest;

/* A question about a list without cells, which appends its rows and decides its check. */
typedef dp_status (*cells_ask)(dp_result *out, const dp_composition *list, const void *in,
                               const dp_options *opt, dp_error *err);

/* The question about a list with cells: the result started, with its check. */
typedef struct cells_asked {
    const dp_composition *list;
    cells_ask ask;
    const void *in;
    bool every_row; /* every row has its maximum; else that of the guarantee alone */
    dp_error *err;
    const char *solved; /* of cells_least: what is solved for, and where it goes */
    dp_figure *least;
} cells_asked;

dp_status cells_answer(dp_result *out, const cells_asked *asked, const dp_options *opt);

/* The least solved figure of all choices, into asked->least; no rows, but the check. */
dp_status cells_least(dp_result *out, const cells_asked *asked, const dp_options *opt);

/* What still fits a budget beside a list with cells (budget.h); `ask` asks the query that it gets
 * as `in`. */
dp_status cells_budget(dp_result *out, const dp_compose_query *q, cells_ask ask,
                       const dp_options *opt, dp_error *err);

/* The engines of the two rows: `in` is a cells_asked. */
dp_status compose_cells_row(dp_result *out, void *in, const dp_options *opt);
dp_status compose_cells_greatest_row(dp_result *out, void *in, const dp_options *opt);

#endif
