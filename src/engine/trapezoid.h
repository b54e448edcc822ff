/* SPDX-License-Identifier: MIT */
/* The profile by the trapezoidal rule on Re z = c, spacing 2 pi / R, for laws on no lattice:
 *     (e^(K(c) - cx) / R) sum_n phi(t_n) e^(-i t_n x) e^(w^2 (z^2+z)/2) / (z (z+1))
 *         = s_w(x) + sum of aliases,   z = c + i t_n, phi = M(z)/M(c),
 * s_w the profile of the product with one more Gaussian loss N(-w^2/2, w^2); w = 0 is none. All
 * aliases are >= 0 and bounded as on the lattice with K(z) + w^2 z(z+1)/2 in place of K. For -1 < c
 * < 0 the sum is s_w - 1 less the aliases of 1 - s_w.
 *     Or, for c > 0 and a band of N nodes, h = R/N, two sums with the kernels h m^ and h M^ of
 * engine/extremal.h in place of 1/(z (z+1)): by Poisson's formula they are, with the same factor,
 * sum_j E[m(L - x + jR)] and the same of M under the tilted law, from below and above sum_j E[g(L -
 * x
 * + jR)], which is s and its aliases. Nodes beyond the band have no part.
 *     The sums are complex balls; what is bounded beside them is what is left out. */
#ifndef ENGINE_TRAPEZOID_H
#define ENGINE_TRAPEZOID_H

#include "engine/far_nodes.h"
#include "num/limits.h"
#include "num/turns.h"

#define TRAPEZOID_SUMS FAR_SUMS
/* Bits that hold c (c + 1) for every short double c: 24 bits from 2^500 down to 2^-500. */
#define TRAPEZOID_EXACT_BITS 2048

typedef struct trapezoid {
    /* the plan: any is sound */
    const totals *all;
    double c, above, below; /* the line, and the orders of the moments that bound the aliases */
    double period;          /* R, 24 bits */
    double lambda;          /* nodes with |phi| <= e^-lambda may be left out */
    uint64_t last;          /* and all beyond this one */
    mpfr_prec_t work;
    size_t sums;                   /* over the same nodes */
    double square[TRAPEZOID_SUMS]; /* w^2 of each, ascending, exactly */
    /* N = last + 1 of two sums with w = 0, (c+1) h <= 1/2; 0: no band */
    uint64_t band;
    /* The near atom of the law is left out of the sum, and added in closed form: it has no part in
     * sums with c > 0 but its aliases. Beyond the height `far` nothing is known of the rest. */
    bool beside;
    double far;
    bool parted;    /* a part is to be left out, in a plan */
    unsigned order; /* or, where it is not 0, the part of that order (loss/part.h), which is added
                       to the sum by who made the plan */
    bool dear;      /* not opened, but with more nodes it could be */
    double gap;     /* of a bracket, that it was planned for */
    double longer;  /* not opened, as a pass would take so many times as long as it may */
    /* Nodes of a band from here on may be summed in doubles: far_nodes.h. UINT64_MAX: none. */
    uint64_t doubles;
    /* what trapezoid_prepare makes */
    mpfr_t spacing;    /* 2 pi / R to within u: t_n = n spacing, exactly */
    mpfr_t dropped;    /* bounds all that is left out of any of the sums */
    node_list nodes;   /* in balls */
    bool scanned;      /* some of those before the far ones may be left out */
    far_nodes *blocks; /* the others, in doubles; NULL: none */
    extremal kernel;   /* of a band */
    const limits *lim;
    turns *phase;                /* e^(-i t_n x) of the x at hand */
    cball *term[TRAPEZOID_SUMS]; /* phi times the kernel at each node, twice that at n > 0 */
    mpfi_t atom_log, atom_place;
    mpfi_t k, k_above[TRAPEZOID_SUMS],
        k_below[TRAPEZOID_SUMS]; /* with the Gaussian but the first */
} trapezoid;

/* Chooses R and the orders of the aliases, which are then about e^log_tol each near x. */
bool trapezoid_period(trapezoid *p, double x, double log_tol);

/* DP_LIMIT where nodes or time do not suffice; to be closed in any case. */
dp_status trapezoid_prepare(trapezoid *p, const limits *lim);
void trapezoid_close(trapezoid *p);

/* s[j] encloses s_w(x) for square[j], at the precision it has; slope is about -ds/dx of the first.
 */
void trapezoid_profile(mpfi_ptr const *s, mpfr_t slope, const trapezoid *p, mpfr_srcptr x);

/* Parts of the above: the terms at p->nodes, the sums, and what is left out of them. */
dp_status trapezoid_terms(trapezoid *p, const limits *lim);
void trapezoid_add(mpfi_ptr const *sum, mpfr_t slope, const trapezoid *p, mpfr_srcptr x);
void trapezoid_dropped(mpfr_t most, const trapezoid *p);

#endif
