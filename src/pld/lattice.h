/* SPDX-License-Identifier: MIT */
/* The composed loss when every epsilon is a multiple of one step h. It then lives on the atoms
 * l_i = total - 2 h i, i = 0 .. span, and on the cell l_i - 2h <= x <= l_i
 *     s(x) = G_i + (1 - e^(x - l_i)) V_i,   G_i = s(l_i),   V_i = e^(l_i) Q(L >= l_i),
 * with s(x) = E_P[(1 - e^(x-L))_+]: all terms positive, nothing cancels. */
#ifndef PLD_LATTICE_H
#define PLD_LATTICE_H

#include "bound/composition.h"
#include "pld/tilt.h"

typedef struct lattice {
    const composed *list;
    dp_number step; /* h: rational, or ln(R) when there is one epsilon and it is a logarithm */
    mpz_t span;     /* sum of times * epsilon / h: the number of atoms, less one */
    tilt tilt;
} lattice;

/* False when there is no common step, or memory; *f is then still safe to clear. */
bool lattice_init(lattice *f, const composed *list);
void lattice_clear(lattice *f);

/* G and V of cell i, relative width about 2^-bits each; enclosures whatever the width.
 * DP_LIMIT when the sum would need too many terms. */
dp_status lattice_cell(mpfi_t g, mpfi_t v, const lattice *f, const mpz_t i, mpfr_prec_t bits);

/* y / 2h for y = total - x, as an enclosure: its floor is the cell of x. */
void lattice_position(mpfi_t out, const lattice *f, const mpfi_t distance);

/* The two evaluators behind lattice_cell. direct: one epsilon, terms added one by one. contour: any
 * number of epsilons, a trapezoidal sum over one period of the characteristic function. */
dp_status direct_cell(mpfi_t g, mpfi_t v, const lattice *f, const mpz_t i, mpfr_prec_t bits);
dp_status contour_cell(mpfi_t g, mpfi_t v, const lattice *f, const mpz_t i, mpfr_prec_t bits);

#endif
