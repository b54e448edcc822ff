/* SPDX-License-Identifier: MIT */
/* One run against a trade-off curve: the recursion of onerun-fdp, and its tangents. */
#ifndef ATTACK_AUDIT_FDP_H
#define ATTACK_AUDIT_FDP_H

#include "attack/audit.h"

#define FDP_TERMS 160

/* Phi(sqrt(2) (u + d)) by powers of d, |d| <= 1/8, at two numbers u; or nothing yet. */
typedef struct fdp_series {
    int terms;         /* 0: none */
    mpfr_prec_t least; /* of the precision it was made for */
    mpfr_t u;          /* the first number, a whole number of quarters */
    mpfr_t of[2][FDP_TERMS];
} fdp_series;

/* The curve F of a claim of mu-GDP, by its inverse G(y), the least x with F(x) >= y, times m. All
 * integers are of units 2^-places. */
typedef struct fdp_curve {
    unsigned long canaries; /* m */
    mpfr_prec_t places;
    mpz_t whole; /* m */
    mpfi_t mu;
    fdp_series near; /* the arguments of G lie close to each other */
} fdp_curve;

typedef enum fdp_end { FDP_BELOW = 0, FDP_ABOVE } fdp_end;

/* The curve of mu-GDP, mu the number x. */
void fdp_curve_init(fdp_curve *c, const audit_in *in, const mpfi_t x, mpfr_prec_t places);
void fdp_curve_clear(fdp_curve *c);

/* out = m G(y/m), below it or above it; 0 <= y <= m. */
void fdp_inverse(mpz_t out, fdp_curve *c, const mpz_t y, fdp_end end);

/* About G(y). */
double fdp_guess(double mu, double y);

/* The p-value of a claim of (epsilon, delta), and epsilon_lower: in closed form, audit_fdp_line.c.
 */
dp_status audit_line_p(dp_figure *out, const audit_in *in, const wanted *want);
dp_status audit_eval_line(dp_figure *out, const audit_in *in, const wanted *want);

#endif
