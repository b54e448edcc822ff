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

/* About G(y), Phi(t), and the quantile of y/m. */
double fdp_guess(double mu, double y);
double fdp_normal(double t);
double fdp_quantile(const fdp_curve *c, const mpz_t y);

/* The recursion in doubles, audit_fdp_run.c: from below or above, or as a guess. */
typedef struct fdp_run {
    fdp_end end;
    bool guess;
    unsigned long guesses, count; /* r, c */
    double canaries, mu;
    double limit, slope; /* where N is about 1, and Phi' there */
    double z, z_low, e, e_low, last, last_low;
} fdp_run;

/* The run from R = sum at q->count, R = before at the count before; false where it is not for it.
 */
bool fdp_run_open(fdp_run *q, const fdp_curve *c, const mpz_t before, const mpz_t sum);
/* Goes on until it is told whether N comes above 1; false where errors are not proved, or the steps
 * are too many. */
bool fdp_run_walk(fdp_run *q, const limits *lim);
/* n = N at the end of the run from its side: from above 2 unless it is proved to be at most 1. */
void fdp_run_mass(mpfr_t n, const fdp_run *q, const fdp_curve *c);
/* About N, of a guess. */
double fdp_run_guess(const fdp_run *q);

/* The p-value of a claim of (epsilon, delta), and epsilon_lower: in closed form, audit_fdp_line.c.
 */
dp_status audit_line_p(dp_figure *out, const audit_in *in, const wanted *want);
dp_status audit_eval_line(dp_figure *out, const audit_in *in, const wanted *want);

#endif
