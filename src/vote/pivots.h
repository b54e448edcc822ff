/* SPDX-License-Identifier: MIT */
/* The dual simplex of simplex.h in doubles: it finds rows that are likely to be active in the end.
 * What it finds is solved again at more precision; nothing of its numbers is kept. */
#ifndef VOTE_PIVOTS_H
#define VOTE_PIVOTS_H

#include "vote/simplex.h"

typedef struct pivots {
    size_t n, since; /* variables; pivots since x and y were last formed anew */
    double *inverse, *rho, *weight, *x, *y, *share;
    row_name *active; /* a cut by its number in the pool */
    row_name *before; /* room to form the inverse anew */
    bool *kept;
    double *row;
} pivots;

/* 0 <= x <= 1, to maximise weight x. False: out of memory. */
bool pivots_init(pivots *s, const double *weight, size_t n);
void pivots_clear(pivots *s);

/* Makes a violated row a x <= rho active. False where none can leave for it. `pool` has the cuts, n
 * values each. */
bool pivots_enter(pivots *s, const double *a, double rho, row_name name, const double *pool);

/* The most violated of x <= 1, x >= 0 and, when wanted, x_l <= x_(l+1), and by how much. */
row_name pivots_worst(double *worst, const pivots *s, bool rises);

/* a <- that row, of the first three kinds; its right-hand side */
double pivots_simple(double *a, size_t n, row_name name);

#endif
