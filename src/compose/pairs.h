/* SPDX-License-Identifier: MIT */
/* Rows of lists that hold mechanisms beside (epsilon, delta) items. */
#ifndef COMPOSE_PAIRS_H
#define COMPOSE_PAIRS_H

#include "compose/composing.h"

/* The second is that of a list which is one mechanism of the type dp-sgd. */
extern const bound compose_pairs, dp_sgd_pld;

/* Is the list that one? */
bool pairs_are_steps(const composing *c);

/* After a limit: the row of the steps' law, the first, is narrowed by what else is proved of them,
 * its upper end by the other rows, its lower end by one step alone. */
void dp_sgd_pld_narrow(composing *c);

/* compose_pairs, or dp_sgd_pld where the list is that mechanism. */
const bound *pairs_bound(const composing *c);

/* Their engine, of a composing with its targets: `row` is the one that it appends. */
dp_status pairs_engine(dp_result *out, const bound *row, void *in, const dp_options *opt);

/* Appends that row, of the dominating pairs, or where some mechanism has none, the better one of
 * the curves: delta at x, or epsilon at delta; neither: the end point, DP_UNAVAILABLE where the
 * losses are not bounded. */
dp_status pairs_answer(composing *c, const bound *row, const logform *x, mpq_srcptr delta);

/* Appends the row of these products: what pairs_answer does where all mechanisms have pairs. A
 * limit leaves it wide, DP_LIMIT. */
dp_status pairs_sides_row(composing *c, const bound *b, const sides *s, const logform *x,
                          mpq_srcptr delta);

/* Are there curves that may say more than the pairs? */
bool pairs_have_rivals(const composing *c);

/* Appends what else is known of a mechanism that is alone, without opt->all what is proved and
 * shown by itself; nothing where neither is given. */
dp_status pairs_others(composing *c, const logform *x, mpq_srcptr delta);

dp_decision pairs_decide(composing *c, const logform *x, const mpq_t delta);

#endif
