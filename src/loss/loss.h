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
#include "loss/blocks.h"
#include "loss/scan_item.h"
#include "num/cball.h"
#include "num/limits.h"
#include "num/logform.h"

/* The nodes z_n = c + i n spacing of a trapezoidal sum. */
typedef struct line {
    double c; /* of at most 30 significant bits, > -1 and not 0 */
    /* elsewhere than on a lattice */
    mpfr_srcptr spacing;
    /* on a lattice with h = step, or half of it where it is `halved`: spacing = pi / (period h), so
     * that n spacing l, for l = m h, is the angle pi n m / period: reduced exactly in integers */
    const dp_number *step;
    bool halved;
    uint64_t period;
    uint64_t last;    /* no node beyond it is asked for */
    mpfr_prec_t work; /* precision of the values at the nodes */
} line;

typedef struct loss_ops {
    const char *name;
    void (*clear)(void *self); /* a law owns its self; it is moved, never copied or shared */
    bool symmetric;            /* the exchanged pair has the same law */
    bool of_class;             /* of a pair that is one of_class (core/mechanism.h) */

    /* Makes what the functions below need and adding did not, as tables. An engine calls it before
     * any of them; more than once does no harm. DP_MEMORY. NULL: nothing. */
    dp_status (*prepare)(void *self);

    /* Work of one node, in factors: 1 for a closed form, the number of distinct epsilons for
     * randomized response. */
    double (*factors)(const void *self);
    /* The same on no lattice, at the nodes that matter; NULL: factors. */
    double (*free_factors)(const void *self);
    /* to += the number of uses, whose roundings may add up at a node. */
    void (*uses)(mpz_t to, const void *self);

    /* k[j] += the j-th derivative of K = ln M near the real z, for each bit j of `which`: LOSS_K
     * and so on; HUGE_VAL where M is infinite. Chooses only. */
    void (*guess)(double k[3], const void *self, double z, unsigned which);
    /* *top += the largest loss of all uses, HUGE_VAL where it is not bounded; *reach is raised to
     * about the largest distance from 0 of the losses of one use that matter. Chooses only. */
    void (*guess_range)(double *top, double *reach, const void *self);

    /* k encloses K(z) for every real z of the interval, z >= -1: exactly 0 at z = 0, and at z = -1
     * where M(-1) = 1. [.., +inf] where M may be infinite. `lim`: past the time it may be rough. */
    void (*log_moment)(mpfi_t k, const void *self, const mpfi_t z, const limits *lim);

    /* phi[k] *= M(c + i t_k) / M(c) for node[k], t_k = node[k] spacing, ascending; of modulus at
     * most 1, and each ball contains its value. DP_LIMIT when time runs out, DP_MEMORY. */
    dp_status (*multiply)(cball *phi, const void *self, const line *at, const uint64_t *node,
                          size_t count, const limits *lim);

    /* The same at blocks of nodes of a line with c > 0, in doubles: loss/blocks.h. DP_UNDECIDED:
     * not for this line; DP_MEMORY. NULL: none. */
    dp_status (*blocks)(block_law *out, const void *self, const block_line *at);

    /* 0 <= low <= -ln|M(c + iu)/M(c)| for all |u| >= t; 0 where nothing is known. Nondecreasing in
     * t. NULL: 0. */
    void (*decay)(mpfr_t low, const void *self, double c, mpfr_srcptr t);
    /* About that, for searches, where it takes long; NULL: decay itself. */
    double (*near_decay)(const void *self, double c, double t);

    /* An atom that the law nearly has, of mass e^log under P at the loss `place`: with A(z) =
     * e^(log
     * + z place), M - A decays further than M. False: none. NULL: none. */
    bool (*near_atom)(mpfi_t log, mpfi_t place, const void *self);
    /* 0 <= low <= -ln|(M(z) - A(z))/M(c)| for all z = c + iu, t <= |u| <= far. */
    void (*decay_beside)(mpfr_t low, const void *self, double c, mpfr_srcptr t, mpfr_srcptr far);
    /* A part of it in closed form, without which it decays (loss/part.h). NULL: none. */
    const struct part_ops *part;
    /* Few uses by the ends of their losses (loss/ends.h). NULL: none. */
    const struct ends_ops *ends;

    /* Items of the scan (engine/scan.h) with, at every node n of the line,
     *     -ln|M(z_n)/M(c)| >= (1/4) sum_i w_i (1 - cos(2 pi n turn_i)).
     * With tau_j the masses of outcomes tilted by e^(cL), every set of pairs j < k gives such
     * items, w = 4 times tau_j tau_k and turn = spacing (l_j - l_k) / 2 pi: |E e^(itL)|^2 = 1 - E(1
     * - cos t(L - L')) with L' an independent copy. Writes at most `room` items and returns how
     * many there are; `out` NULL: only that. Constant for one self. */
    size_t (*resonances)(scan_item *out, size_t room, const void *self, const line *at);

    /* h with: every loss of one use is a multiple of h, and all are congruent modulo 2h. It is
     * `step`, a rational or one logarithm, or half of that where it is *halved. False where there
     * is none. NULL: none. */
    bool (*step)(dp_number *step, bool *halved, const void *self);

    /* The law is the sum of this many independent groups of uses, each with finitely many losses.
     * NULL or 0: it is not, or they are too many. */
    size_t (*groups)(const void *self);
    /* How many losses a group has: a number that counts objects, or HUGE_VAL. */
    double (*group_size)(const void *self, size_t group);
    /* All losses of a group, each once, in any order: the loss, its mass under P (the masses sum to
     * 1) and under Q, e^-loss of that. Each is within a relative 2^-bits, the bits of the number
     * that is set. */
    void (*group)(mpfr_t *lost, mpfr_t *p, mpfr_t *q, const void *self, size_t group);

    /* Are there two groups, which have the same losses with the same masses? NULL: that is not
     * said. */
    bool (*equal_groups)(const void *self);

    /* The masses of a group's losses in exact rationals, p / scale and q / scale, in any order;
     * false where they are none, or too long. NULL: false. */
    bool (*exact_group)(mpz_t *p, mpz_t *q, mpz_ptr scale, const void *self, size_t group);

    /* to += the largest loss of all uses, exactly; false: not bounded. NULL: not. */
    bool (*top)(logform *to, const void *self);
    /* The same where that is no logform: to += an enclosure of the largest loss. NULL: top alone
     * knows. */
    void (*near_top)(mpfi_t to, const void *self);
    /* Where they are not bounded but there is a step: to += some loss of all uses, exactly. NULL:
     * there is no step. */
    bool (*some)(logform *to, const void *self);

    /* s encloses s(x) = E[(1 - e^(x - L))_+] of all uses together, for the numbers x of the
     * interval, any real x; false: not in closed form. NULL: not. slope is about -ds/dx. */
    bool (*profile)(mpfi_t s, mpfr_t slope, const void *self, const mpfi_t x);
    /* About how many terms that is a sum of. NULL: few. */
    double (*terms)(const void *self);
    /* About where s(x) = e^log_s, between *low and *high; false: not known. Chooses only. NULL:
     * not. */
    bool (*places)(double *low, double *high, const void *self, double log_s);
    /* The limits, or NULL, of the calls of `profile` that follow, where these may take long: it is
     * false where they do not allow it. NULL: none takes long. */
    void (*limit)(const void *self, const limits *lim);

    /* For a law that is alone and has a step h: G and V of the cell l_i - 2h <= x <= l_i, l_i = top
     * - 2hi, by a sum of its own (engine/lattice.h), relative width 2^-bits. DP_LIMIT when time
     * runs out; `lim` may be NULL. DP_UNDECIDED: not for this law; g NULL: only that. NULL: none.
     */
    dp_status (*cell)(mpfi_ptr g, mpfi_ptr v, const void *self, mpz_srcptr i, mpfr_prec_t bits,
                      const limits *lim);

    /* s = s(x) of a law that is alone, 0 <= x < top, where that is rational; false where it is not,
     * or not small enough to tell. NULL: false. */
    bool (*exact)(mpq_t s, const void *self, const logform *x);
} loss_ops;

#define LOSS_K 1U
#define LOSS_K1 2U
#define LOSS_K2 4U

typedef struct loss {
    const loss_ops *ops;
    void *self;
} loss;

#endif
