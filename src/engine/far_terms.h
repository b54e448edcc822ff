/* SPDX-License-Identifier: MIT */
/* The terms of 64 nodes in doubles, for engine/far_nodes.c. */
#ifndef ENGINE_FAR_TERMS_H
#define ENGINE_FAR_TERMS_H

#include "engine/far_nodes.h"

typedef struct far_steps {
    double re[BINARY64_BLOCK], im[BINARY64_BLOCK];
} far_steps;

/* The numbers of `e`, to nearest, and those that are made of them. */
void far_kernel_init(far_kernel *k, const extremal *e);

/* Bounds the kernels of a block that begins at node `first`. */
double far_kernel_most(const far_kernel *k, uint64_t first);

/* P of the nodes, how far it may be away, and what it was multiplied by. */
typedef struct far_phi {
    double re[BINARY64_BLOCK], im[BINARY64_BLOCK], away[BINARY64_BLOCK], start;
} far_phi;

/* What a pass adds up. */
typedef struct far_bounds {
    double phi[BINARY64_BLOCK], node[BINARY64_BLOCK]; /* of either sum */
} far_bounds;

typedef struct far_terms {
    double t[BINARY64_BLOCK];
    far_steps sum[FAR_SUMS];
} far_terms;

/* From P the terms without phases; b += what they may be wrong by. */
typedef void far_terms_function(far_terms *out, far_bounds *b, const far_phi *phi,
                                const far_nodes *f, uint64_t first);

/* out[0] = the real part of the sum of the terms times p + i q times step, out[1] = that of the
 * imaginary parts times t. */
typedef void far_add_function(double *out, const far_steps *x, const double *t, double p, double q,
                              const far_steps *step);

/* For vectors of each width: the same bits. */
extern far_terms_function *const far_term_makers[BINARY64_WIDTHS];
extern far_add_function *const far_adders[BINARY64_WIDTHS];

#endif
