/* SPDX-License-Identifier: MIT */
/* The nodes of a trapezoidal sum (engine/trapezoid.h) that are many and carry little, in doubles:
 *     sum_n f_n phi(t_n) e^(-i t_n x) k(t_n),   f_0 = 1, f_n = 2,
 * k = h m^ and h M^ (engine/extremal.h), over blocks of 64 nodes, with a proved bound of every
 * rounding. Blocks whose nodes all have |phi|
 * <= e^-lambda are abandoned as soon as that shows. Nothing is kept of a node: a pass over the
 * nodes serves up to three points x, and later passes skip what the first one abandoned. */
#ifndef ENGINE_FAR_NODES_H
#define ENGINE_FAR_NODES_H

#include "engine/extremal.h"
#include "engine/totals.h"
#include "loss/blocks.h"
#include "num/limits.h"

#define FAR_SUMS 2
#define FAR_POINTS 3
#define FAR_MOST 200000U

typedef struct far_sums {
    double high[FAR_SUMS], low[FAR_SUMS]; /* the second without e^(-c shift) */
    double slope;                         /* of the first, with z more: about */
} far_sums;

typedef struct far_point {
    mpfr_t x;
    bool known;
    far_sums sums;
} far_point;

/* What a node's kernels are made of, rounded; and sine and cosine of pi i / N, forwards and back.
 */
typedef struct far_kernel {
    double number[EXTREMAL_NUMBERS], line;
    uint64_t count;
    double sine[2][BINARY64_BLOCK], cosine[2][BINARY64_BLOCK];
} far_kernel;

typedef struct far_nodes {
    double c, spacing;
    uint64_t first, last; /* of whole blocks */
    double lambda, drop;  /* of the blocks, and 128 e^-lambda, rounded up */
    double left;          /* of what the first pass left out, in units of `drop` */
    bool passed;          /* and that pass was made */
    far_kernel kernel;
    mpfr_t turn;  /* spacing / 2 pi */
    mpfr_t shift; /* of the second sum: it is at x + shift, */
    mpfi_t lift;  /* times this */
    block_law *law;
    size_t laws;
    block_error error; /* of all laws */
    unsigned width;    /* of vectors */
    uint32_t *kept;    /* blocks that are not abandoned */
    size_t count, room;
    bool scanned;
    double most; /* bounds the error of either sum, at any point */
    far_point point[FAR_POINTS];
    double work, rare; /* products a node; of so many nodes one is not abandoned, about */
    double seconds;    /* a pass takes about that */
    binary64_circle circle;
} far_nodes;

/* Where and how much: c > 0, spacing exact, and the numbers of that line to FAR_BITS for a count
 * that 128 divides. */
#define FAR_BITS 400
typedef struct far_plan {
    double c, lambda;
    mpfr_srcptr spacing;
    const extremal *kernel; /* not needed afterwards */
} far_plan;

/* Do all laws have nodes in doubles? */
bool far_suits(const totals *all);

/* DP_UNDECIDED where some law has no nodes in doubles, or the plan is not for them; DP_MEMORY.
 * *f is then NULL. */
dp_status far_open(far_nodes **f, const totals *all, const far_plan *plan);
void far_close(far_nodes *f); /* of NULL too */

/* From this node on, of whole blocks; before the first pass. Where nodes that matter are rare they
 * are looked for, at most FAR_MOST of them. DP_UNDECIDED where they are not found and the blocks
 * are too many for a pass over all of them; DP_MEMORY. */
dp_status far_begin(far_nodes *f, const totals *all, const line *at, uint64_t first, double lambda,
                    const limits *lim);

/* The sums at up to FAR_POINTS points, in one pass. DP_LIMIT when time runs out, DP_MEMORY. */
dp_status far_visit(far_nodes *f, mpfr_srcptr const *x, size_t count, const limits *lim);

/* What was found at x; NULL: it was not visited. */
const far_point *far_at(const far_nodes *f, mpfr_srcptr x);

/* Are most blocks abandoned? */
bool far_is_sparse(const far_nodes *f);

/* sum += the sum of that number at the point */
void far_add(mpfi_t sum, const far_nodes *f, const far_point *at, size_t number);

#endif
