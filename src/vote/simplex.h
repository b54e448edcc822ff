/* SPDX-License-Identifier: MIT */
/* Dual simplex over few variables: maximise w x subject to rows a x <= rho that are found one after
 * the other, starting from 0 <= x <= 1. It only finds a candidate and multipliers; both are
 * certified afterwards, so nothing here is directed. */
#ifndef VOTE_SIMPLEX_H
#define VOTE_SIMPLEX_H

#include <mpfr.h>
#include <stdbool.h>
#include <stddef.h>

#include "num/limits.h"

typedef enum row_kind { ROW_UPPER = 0, ROW_LOWER, ROW_RISE, ROW_CUT, ROW_FAR } row_kind;

/* x_l <= 1; -x_l <= 0; x_l - x_(l+1) <= 0; the caller's row of that number; or one that nothing
 * within the others attains */
typedef struct row_name {
    row_kind kind;
    size_t index;
} row_name;

typedef struct simplex {
    size_t n;
    mpfr_prec_t bits;
    mpfr_t *inverse; /* of the active rows, n by n */
    mpfr_t *rho;     /* their right-hand sides */
    mpfr_t *weight, *x, *y, *share;
    mpfr_t part, step;
    row_name *active;
    const limits *lim;
} simplex;

/* False: out of memory. */
bool simplex_init(simplex *s, mpfr_t *weight, size_t n, mpfr_prec_t bits, const limits *lim);
void simplex_clear(simplex *s);

/* a x - rho into `excess` */
void simplex_excess(mpfr_t excess, simplex *s, mpfr_t *a, const mpfr_t rho);

/* Makes a violated row active. False when it excludes every point. */
bool simplex_enter(simplex *s, mpfr_t *a, const mpfr_t rho, row_name name);

/* A row of the first three kinds, and its right-hand side. */
void simplex_simple(mpfr_t *a, mpfr_t rho, const simplex *s, row_name name);

/* Makes a row active in place of one that is not kept, and keeps it; whether it is violated does
 * not matter, and x and y stay until simplex_solve. False where it depends on those that are kept.
 */
bool simplex_place(simplex *s, mpfr_t *a, const mpfr_t rho, row_name name, bool *kept);
void simplex_solve(simplex *s);

/* Active rows a x <= rho of y < 0 give way to -a x <= far, bounds to the opposite bound, by which y
 * is turned round and no other one changes: then the pivots may go on. `far` is above every -a x.
 */
void simplex_turn(simplex *s, const mpfr_t far);

/* Enters bounds, and rises when wanted, until none is violated by more than `slack`. DP_UNDECIDED
 * when `steps` pivots or the time are used up, DP_MEMORY. */
dp_status simplex_settle(simplex *s, bool rises, const mpfr_t slack, size_t *steps);

#endif
