/* SPDX-License-Identifier: MIT */
/* A part A of a law that decays no further, and is known in closed form: M = A + R, both of
 * nonnegative masses, where the rest R decays, the further the greater the order of the part. The
 * trapezoidal rule sums R, and s = s_A + s_R. */
#ifndef LOSS_PART_H
#define LOSS_PART_H

#include "loss/loss.h"

typedef struct part_ops {
    /* The least order, for a line c > 0, whose rest is e^-need or less before the waves of its
     * atoms meet again; 0: none. Chooses only. */
    unsigned (*order)(const void *self, double c, double need);
    /* phi[k] -= A(c + i t_k) / M(c) for node[k] */
    dp_status (*take)(cball *phi, const void *self, unsigned order, const line *at,
                      const uint64_t *node, size_t count);
    /* At every node |A(z)/M(c)| <= e^-D, D that of the items of the scan times this, which is at
     * most 1. */
    double (*share)(const void *self, unsigned order);
    /* 0 <= low <= -ln|R(c+iu)/M(c)| for all |u| >= t. Nondecreasing in t. */
    void (*decay)(mpfr_t low, const void *self, unsigned order, double c, mpfr_srcptr t);
    /* s encloses s_A at the number x >= 0, and slope is about -ds_A/dx. */
    void (*profile)(mpfi_t s, mpfr_t slope, const void *self, unsigned order, mpfr_srcptr x);
} part_ops;

#endif
