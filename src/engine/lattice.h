/* SPDX-License-Identifier: MIT */
/* The composed loss when all laws lie on one lattice: with h as in loss.h the losses of a product
 * are all congruent modulo 2h, so L lives on the atoms l_i = top - 2 h i, i = 0, 1, ..., or for all
 * integers i where the losses are not bounded and top is some loss, and on the cell l_i - 2h <= x
 * <= l_i s(x) = G_i + (1 - e^(x - l_i)) V_i,   G_i = s(l_i),   V_i = e^(l_i) Q(L >= l_i), with s(x)
 * = E_P[(1 - e^(x-L))_+]: all terms positive, nothing cancels. */
#ifndef ENGINE_LATTICE_H
#define ENGINE_LATTICE_H

#include <stdint.h>

#include "engine/totals.h"
#include "num/limits.h"

typedef struct lattice {
    const totals *all;
    dp_number step; /* h, or 2h where it is `halved`: rational, or ln(R) where all laws have one */
    bool halved;
    mpz_t rise;  /* top / h */
    bool direct; /* there is but one law, which sums a cell by itself */
    double h;
} lattice;

/* False when there is no common step, or memory; *f is then still safe to clear. */
bool lattice_init(lattice *f, const totals *all);
void lattice_clear(lattice *f);

/* out encloses 2h, the distance of two atoms. */
void lattice_spacing(mpfi_t out, const lattice *f);

/* G and V of one cell by whichever of the two evaluators below is the faster one. DP_LIMIT when
 * time runs out. */
dp_status lattice_cell(mpfi_t g, mpfi_t v, const lattice *f, const mpz_t i, mpfr_prec_t bits,
                       const limits *lim);

/* Up to this many terms the direct sum is the faster one; at high precision, where a node of the
 * contour costs a sine, up to as many for each bit. */
#define DIRECT_TERMS 3000UL
#define DIRECT_TERMS_A_BIT 8UL

/* Cell i by the law's own sum, where f->direct: loss.h. */
dp_status direct_cell(mpfi_t g, mpfi_t v, const lattice *f, const mpz_t i, mpfr_prec_t bits,
                      const limits *lim);

/* Any laws: a trapezoidal sum over one period, prepared for x near `x`. */
typedef struct contour {
    const lattice *f;
    double c;            /* tilt, 24 bits */
    double above, below; /* z of the alias bounds: above > c > below >= -1 */
    bool no_above;       /* no atom lies a period above */
    uint64_t period;     /* N, odd */
    double lambda;       /* dropped nodes have |phi| <= e^-lambda */
    mpfr_prec_t work;
    bool dear;       /* not opened: it would take longer than a bracket */
    node_list nodes; /* those that are summed */
    cball *g, *v;    /* M(z)/M(c) times g_n / scale and v_n, twice that at n > 0 */
    mpfi_t scale;    /* r (1 - e^(-2h)) */
    mpfr_t dropped;  /* bounds all other nodes of either sum together */
    mpfi_t k, k_above, k_below;
} contour;

/* DP_LIMIT when the sum would need too many nodes or too much time; where `cheap` is asked also,
 * with p->dear, when a bracket is likely to cost less. */
dp_status contour_open(contour *p, const lattice *f, double x, mpfr_prec_t bits, bool cheap,
                       const limits *lim);
void contour_close(contour *p);

/* G and V of cell i: enclosures for any i, narrow for cells near the prepared x. */
void contour_cell(mpfi_t g, mpfi_t v, const contour *p, const mpz_t i);

/* Parts of the above: the terms at p->nodes, and the sums of the terms. */
dp_status contour_terms(contour *p, const limits *lim);
void contour_add(mpfi_t g, mpfi_t v, const contour *p, const mpz_t i);

#endif
