/* SPDX-License-Identifier: MIT */
/* Parts of trapezoid.c for plans with `beside` set: an atom, or a part of some order, is left out.
 */
#ifndef ENGINE_NEAR_ATOM_H
#define ENGINE_NEAR_ATOM_H

#include "engine/trapezoid.h"

/* Makes of the items of a law those of what is left, and returns what lambda is to be raised by. */
double near_atom_scan(scan_item *item, size_t count, const trapezoid *p);

/* The first terms, phi, less those of the atom; makes p->k. DP_MEMORY. */
dp_status near_atom_take(trapezoid *p, const line *at, const limits *lim);

/* As totals_decay, of what the sum holds; up to the height `far` where the atom is left out. */
void near_atom_decay(mpfr_t low, const trapezoid *p, mpfr_srcptr t);

/* out += what is left out beyond that height. Wants p->k. */
void near_atom_far(mpfr_t out, const trapezoid *p);

/* s and slope, of the rest at the number x, become those of the law with the part. */
void near_atom_add_part(mpfi_t s, mpfr_t slope, const trapezoid *p, mpfr_srcptr x);

/* s becomes that of the law with the atom, for c > 0. */
void near_atom_add(mpfi_t s, const trapezoid *p, const mpfi_t x, const mpfi_t period);

#endif
