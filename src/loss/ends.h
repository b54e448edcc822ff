/* SPDX-License-Identifier: MIT */
/* Laws of losses between two ends, where a use has
 *     M(z) = e^(low z) F_0(z) + e^(high z) F_1(z),
 * F_k analytic and bounded above each height, in which a loss at that end and what leads away from
 * it are taken together. A term of prod M^T e^(-xz) then falls along rays to that side to which its
 * sum of ends lies beyond x: engine/ends.h. */
#ifndef LOSS_ENDS_H
#define LOSS_ENDS_H

#include "loss/loss.h"

/* The points z_m = c + i tau + rho_m e^(i pi/4), or e^(3i pi/4) where it leads left, with rho_m =
 * e^(2 m step). */
typedef struct ends_ray {
    double c, tau, step; /* of 24 bits */
    bool left;
    long first;
    size_t count;
    mpfr_prec_t bits; /* values within about 2^-bits */
} ends_ray;

typedef struct ends_ops {
    size_t (*kinds)(const void *self);
    mpz_srcptr (*times)(const void *self, size_t kind);
    void (*places)(mpfi_t low, mpfi_t high, const void *self, size_t kind);

    /* A height from which on the rays suit the law. Chooses only. */
    double (*height)(const void *self, size_t kind, double c);

    /* most[k] >= |F_k(z)| for all Im z >= tau, tau >= 1 */
    void (*most)(mpfr_t most[2], const void *self, size_t kind, double tau);

    /* f[k][m] = F_k(z_m). DP_MEMORY. */
    dp_status (*ray)(cball *const f[2], const void *self, size_t kind, const ends_ray *at);

    /* m[j] = M(c + i t[j]), t ascending, within about 2^-bits of M(c). DP_LIMIT. */
    dp_status (*line)(cball *m, const void *self, size_t kind, double c, mpfi_t *t, size_t count,
                      mpfr_prec_t bits, const limits *lim);
} ends_ops;

/* The point z_m: z = (c +- r) + i (tau + r), r = rho_m / sqrt(2). */
void ends_point(mpfi_t re, mpfi_t im, const ends_ray *at, size_t m);

#endif
