/* SPDX-License-Identifier: MIT */
/* One law whose profile is a sum of a closed form, beside others of few losses in all: with p_i the
 * masses of the sums l_i of these, s(x) = sum p_i s_0(x - l_i). */
#ifndef ENGINE_SHIFTED_H
#define ENGINE_SHIFTED_H

#include "engine/atoms.h"

typedef struct shifted_sum {
    const loss *law;
    atom_table table; /* of the others */
    mpfr_prec_t bits;
    mpfr_t eta, error; /* bound the errors of l_i, and the relative ones of p_i */
} shifted_sum;

/* About how many terms are added up; infinity where that is not possible. */
double shifted_terms(const product *list);

dp_status shifted_open(shifted_sum *p, const product *list, mpfr_prec_t bits, const limits *lim);
void shifted_close(shifted_sum *p);

/* s encloses s(x); slope is about -ds/dx. False: not in closed form after all. */
bool shifted_profile(mpfi_t s, mpfr_t slope, const shifted_sum *p, const mpfi_t x);

#endif
