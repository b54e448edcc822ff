/* SPDX-License-Identifier: MIT */
/* Parts of trapezoid.c for plans with `beside` set. */
#ifndef ENGINE_NEAR_ATOM_H
#define ENGINE_NEAR_ATOM_H

#include "engine/trapezoid.h"

/* The first terms, phi, less those of the atom; makes p->k. */
void near_atom_take(trapezoid *p, const limits *lim);

/* As totals_decay, of what the sum holds; up to the height `far` where the atom is left out. */
void near_atom_decay(mpfr_t low, const trapezoid *p, mpfr_srcptr t);

/* out += what is left out beyond that height. Wants p->k. */
void near_atom_far(mpfr_t out, const trapezoid *p);

/* s becomes that of the law with the atom, for c > 0. */
void near_atom_add(mpfi_t s, const trapezoid *p, const mpfi_t x, const mpfi_t period);

#endif
