/* SPDX-License-Identifier: MIT */
#ifndef LEARNING_IGMM_H
#define LEARNING_IGMM_H

#include "core/bound.h"
#include "dpacct/learning.h"
#include "num/logform.h"

typedef struct igmm_in {
    const dp_igmm *g;
    const logform *x; /* where the exact profile is asked, unless the target is a delta */
} igmm_in;

/* w = diameter / (batch sigma): the shift of one step in standard deviations */
void igmm_shift(mpq_t w, const dp_igmm *g);

/* One certified step: (ln(1 + eta (e^e1 - 1)), eta delta(e1)) with delta the exact profile of the
 * Gaussian at e1 and eta = batch/samples. Any e1 > 0 is sound. */
void igmm_step(mpfi_t epsilon, mpfi_t delta, const dp_igmm *g, const mpq_t e1);

/* The printed epsilon' and delta' of Theorem 7; false where they are undefined (epsilon' of at
 * least T steps' worth). Needs delta and slack. */
bool igmm_printed(mpfi_t epsilon, mpfi_t delta, const dp_igmm *g);

#define IGMM_HWC                                                                                   \
    "He, Wang, Tao 2021, Tighter Generalization Bounds for Iterative Differentially Private "      \
    "Learning Algorithms, Theorem 7"

/* epsilon, delta and more; evaluated on an igmm_in */
extern const bound igmm_published, igmm_gaussian;

/* Its engine composes igmm_step, at the target delta or at x. */
typedef struct igmm_composing {
    const dp_igmm *g;
    const dp_number *x;
} igmm_composing;
extern const bound igmm_certified;

#endif
