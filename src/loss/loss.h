/* SPDX-License-Identifier: MIT */
/* The law of a privacy loss L = ln P/Q under P, given that it is finite, of all uses of one kind of
 * mechanism in one direction: what the engines know of a mechanism. With
 *     M(z) = E_P[e^(zL)],  M(0) = 1,  M(-1) = Q(L finite) / P(L finite),
 * losses of different mechanisms are independent, so their M multiply.
 *     Masses of P where Q has none are leaks, which belong to the product (product.h) and are no
 * part of a law. Masses of Q where P has none show in M(-1) alone. */
#ifndef LOSS_LOSS_H
#define LOSS_LOSS_H

#include <stdint.h>

#include "core/bound.h"
#include "loss/scan_item.h"
#include "num/cball.h"
#include "num/limits.h"
#include "num/logform.h"

/* The nodes z_n = c + i n spacing of a trapezoidal sum. */
typedef struct line {
    double c; /* of at most 30 significant bits, > -1 and not 0 */
    /* elsewhere than on a lattice */
    mpfr_srcptr spacing;
    /* on a lattice: spacing = pi / (period step), so that n spacing l, for l = m step, is the angle
     * pi n m / period: reduced exactly in integers */
    const dp_number *step;
    uint64_t period;
    uint64_t last;    /* no node beyond it is asked for */
    mpfr_prec_t work; /* precision of the values at the nodes */
} line;

/* Some outcomes of one use, or all of several uses: masses are those of the law (they sum to 1 over
 * all outcomes), and qmass = e^(-loss) mass. */
typedef struct outcome {
    mpfi_t loss, mass, qmass;
} outcome;

typedef struct loss_ops {
    const char *name;
    void (*clear)(void *self); /* a law owns its self; it is moved, never copied or shared */
    bool symmetric;            /* the exchanged pair has the same law */

    /* Work of one node, in factors: 1 for a closed form, the number of distinct epsilons for
     * randomized response. */
    double (*factors)(const void *self);

    /* k[0..2] += K, K', K'' near the real z, K = ln M; HUGE_VAL where M is infinite. Chooses only.
     */
    void (*guess)(double k[3], const void *self, double z);
    /* The largest loss of all uses in a double, HUGE_VAL where it is not bounded; and about the
     * largest distance of the losses of one use from 0 that matters. Chooses only. */
    void (*guess_range)(double *top, double *reach, const void *self);

    /* k encloses K(z) for every real z of the interval, z >= -1: exactly 0 at z = 0, and at z = -1
     * where M(-1) = 1. [.., +inf] where M may be infinite. `lim`: past the time it may be rough. */
    void (*log_moment)(mpfi_t k, const void *self, const mpfi_t z, const limits *lim);

    /* phi[k] *= M(c + i t_k) / M(c) for node[k], t_k = node[k] spacing, ascending; of modulus at
     * most 1, and each ball contains its value. DP_LIMIT when time runs out, DP_MEMORY. */
    dp_status (*multiply)(cball *phi, const void *self, const line *at, const uint64_t *node,
                          size_t count, const limits *lim);

    /* 0 <= low <= -ln|M(c + iu)/M(c)| for all |u| >= t; 0 where nothing is known. Nondecreasing in
     * t. NULL: 0. */
    void (*decay)(mpfr_t low, const void *self, double c, mpfr_srcptr t);

    /* Items of the scan (engine/scan.h) with, at every node n of the line,
     *     -ln|M(z_n)/M(c)| >= (1/4) sum_i w_i (1 - cos(2 pi n turn_i)).
     * With tau_j the masses of outcomes tilted by e^(cL), every set of pairs j < k gives such
     * items, w = 4 times tau_j tau_k and turn = spacing (l_j - l_k) / 2 pi: |E e^(itL)|^2 = 1 - E(1
     * - cos t(L - L')) with L' an independent copy. Writes at most `room` items and returns how
     * many there are; `out` NULL: only that. Constant for one self. */
    size_t (*resonances)(scan_item *out, size_t room, const void *self, const line *at);

    /* h with: every loss of one use is a multiple of h, and all are congruent modulo 2h. A
     * rational, or one logarithm. False where there is none. NULL: none. */
    bool (*step)(dp_number *h, const void *self);

    /* The outcomes of all uses together: how many there are, HUGE_VAL for a law that has a density
     * or infinitely many. NULL: HUGE_VAL. */
    double (*count)(const void *self);
    /* Encloses outcome 0 <= i < count(self), in any fixed order, relative to 2^-bits or so. */
    void (*outcome_at)(outcome *out, const void *self, size_t i, mpfr_prec_t bits);

    /* to += the largest loss of all uses, exactly; false: not bounded. */
    bool (*top)(logform *to, const void *self);

    /* s encloses s(x) = E[(1 - e^(x - L))_+] of all uses together, for the numbers x of the
     * interval, any real x; false: not in closed form. NULL: not. slope is about -ds/dx. */
    bool (*profile)(mpfi_t s, mpfr_t slope, const void *self, const mpfi_t x);
} loss_ops;

typedef struct loss {
    const loss_ops *ops;
    void *self;
} loss;

#endif
