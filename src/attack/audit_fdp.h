/* SPDX-License-Identifier: MIT */
/* One run against a trade-off curve: the recursion of onerun-fdp, and its tangents. */
#ifndef ATTACK_AUDIT_FDP_H
#define ATTACK_AUDIT_FDP_H

#include "attack/audit.h"

/* The curve F of a claim, by its inverse G(y), the least x with F(x) >= y, times m. All integers
 * are of units 2^-places. */
typedef struct fdp_curve {
    unsigned long canaries; /* m */
    bool gaussian;
    mpfr_prec_t places;
    mpz_t whole;         /* m */
    mpz_t delta[2];      /* m delta, rounded down and up */
    mpz_t e[2], less[2]; /* E and 1/E, the same */
    mpfi_t mu;
    double mu_guess;
} fdp_curve;

typedef enum fdp_end { FDP_BELOW = 0, FDP_ABOVE, FDP_GUESS } fdp_end;

/* The curve of (e^x, delta), or of x-GDP, at the number x. */
void fdp_curve_init(fdp_curve *c, const audit_in *in, const mpfi_t x, mpfr_prec_t places);
void fdp_curve_clear(fdp_curve *c);

/* out = m G(y/m), below it or above it, or about; 0 <= y <= m. */
void fdp_inverse(mpz_t out, const fdp_curve *c, const mpz_t y, fdp_end end);

#endif
