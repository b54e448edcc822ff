/* SPDX-License-Identifier: MIT */
/* Randomized response of many small epsilons by sums of their even powers: with ln cosh x = sum_j
 * l_j x^(2j), E the largest epsilon, and w = E (z + 1/2),
 *     K(z) = P(w^2) - P(E^2/4),   P(v) = sum_j l_j S_j v^j,   S_j = sum t (eps/E)^(2j),
 * at any complex z, whatever the length of the list. As ln cosh x = sum_k ln(1 + (2x / ((2k-1)
 * pi))^2), |l_j| <= (4/pi^2)^j / j times the sum of (2k-1)^(-2j), which is below 1.24. */
#ifndef LOSS_RESPONSE_SERIES_H
#define LOSS_RESPONSE_SERIES_H

#include "loss/loss.h"
#include "loss/response.h"

#define SERIES_TERMS 80 /* at most */

struct response_series {
    mpfr_t largest; /* E, not below any epsilon, of 53 bits */
    mpfr_t uses;    /* rounded up */
    size_t terms;
    mpfi_t term[SERIES_TERMS + 1]; /* l_j S_j */
};

/* Makes r->series for a long list of few uses each, else leaves NULL. DP_MEMORY. */
dp_status response_series_make(response *r);
void response_series_free(response_series *s); /* of NULL too */

/* K(z); false: z is too large for it, or k has too many bits. */
bool response_series_moment(mpfi_t k, const response_series *s, const mpfi_t z);

/* phi *= e^(K(c + it) - K(c)), t = n spacing; false as above: phi is what it was. */
bool response_series_multiply(cball *phi, const response_series *s, const line *at, uint64_t n);

#endif
