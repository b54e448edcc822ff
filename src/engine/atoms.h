/* SPDX-License-Identifier: MIT */
/* All atoms of a short product, by meeting in the middle: its groups of uses (loss.h) are cut in
 * two halves, each half becomes a sorted table of (loss, P mass, Q mass), and s(x) = sum over pairs
 * with l_a + l_b > x of P_a P_b - e^x Q_a Q_b is one walk along both. Any set of outcomes gives a
 * lower bound of s, so a loss that is misplaced by at most eta costs at most e^eta - 1 of the P
 * mass counted. Atoms of a half that no atom of the other one lifts above the least x that is asked
 * are left out as soon as that shows: near the top a few are left of 2^50. */
#ifndef ENGINE_ATOMS_H
#define ENGINE_ATOMS_H

#include "loss/product.h"
#include "num/limits.h"

typedef struct atom_table {
    mpfr_t *loss, *p, *q; /* losses ascending */
    size_t count;
} atom_table;

/* All losses of the laws of the list that have groups, in any order, once for each way to come
 * about. Each loss is within eta, each mass within a relative error. False: out of memory; clear it
 * all the same. */
bool atoms_table(atom_table *t, mpfr_t eta, mpfr_t error, const product *list, mpfr_prec_t bits);
void atoms_table_clear(atom_table *t);

typedef struct atoms {
    mpfr_prec_t work;
    atom_table half[2];
    mpfr_t eta;   /* bounds the error of l_a + l_b - x */
    mpfr_t error; /* bounds the relative error of each product of masses */
    mpfr_t least; /* every pair above it is there */
} atoms;

/* Atoms of the larger half for x >= least, -HUGE_VAL for any x: how big the tables would be. About
 * that, and infinity where they are more than ATOMS_MOST, or no atoms are known. */
#define ATOMS_MOST 131072.0
double atoms_size(const product *list, double least);

dp_status atoms_open(atoms *p, const product *list, double least, mpfr_prec_t bits,
                     const limits *lim);
void atoms_close(atoms *p);

/* s encloses s(x), and is [0, 1] for what lies below the least x; slope is about e^x Q(L > x). */
void atoms_profile(mpfi_t s, mpfr_t slope, const atoms *p, const mpfi_t x);

/* Puts each group into the half with fewer atoms so far, largest first as far as their order
 * allows; returns the size of the larger half. */
double atoms_divide(unsigned char *side, const product *list);

#endif
