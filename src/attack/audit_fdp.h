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

/* The curve of mu-GDP, mu the number x, or the claim where that is NULL. */
void fdp_curve_init(fdp_curve *c, const audit_in *in, mpfi_srcptr x, mpfr_prec_t places);
void fdp_curve_clear(fdp_curve *c);

/* out = m G(y/m), below it or above it; 0 <= y <= m. */
void fdp_inverse(mpz_t out, fdp_curve *c, const mpz_t y, fdp_end end);

/* About G(y), Phi(t), its inverse, and that of y/m. */
double fdp_guess(double mu, double y);
double fdp_normal(double t);
double fdp_normal_quantile(double y);
double fdp_quantile(const fdp_curve *c, const mpz_t y);

#define FDP_FEW_GUESSES 2000 /* soon gone through */

/* The recursion in doubles, audit_fdp_run.c: from below or above. */
typedef struct fdp_run {
    fdp_end end;
    unsigned long guesses, count; /* r, c */
    double canaries, mu;
    double limit, slope; /* where N is about 1, and Phi' there */
    double z, z_low, e, e_low, last, last_low;
    bool trapped; /* all further counts together add little: z and last, from above, are beyond */
} fdp_run;

/* The run from R = sum at q->count, R = before at the count before; false where it is not for it.
 */
bool fdp_run_open(fdp_run *q, const fdp_curve *c, const mpz_t before, const mpz_t sum);
/* Where N is 1 if the steps of z are 0. */
void fdp_run_limit(fdp_run *q);
/* Do all counts after that one leave z below far, which is below the limit? */
bool fdp_run_is_trapped(double *far, const fdp_run *q, double count);
/* Goes on until it is told whether N comes above 1; false where errors are not proved, or the steps
 * are too many. */
bool fdp_run_walk(fdp_run *q, const limits *lim);
/* n = N at the end of the run from its side: from above 2 unless it is proved to be at most 1. */
void fdp_run_mass(mpfr_t n, const fdp_run *q, const fdp_curve *c);

/* Guesses, audit_fdp_guess.c: N at the claim, or more than 1, or 2 where time is up; the parameter
 * below which alpha is refuted, 0 where it is not even there; the p-value of the claim. Slow ones
 * go count by count, should others have led nowhere. */
double fdp_guess_mass(const audit_in *in, double tau);
double fdp_guess_parameter(const audit_in *in, bool slow);
double fdp_guess_tau(const audit_in *in, bool slow);

/* The p-value of a claim of (epsilon, delta), and epsilon_lower: in closed form, audit_fdp_line.c.
 */
dp_status audit_line_p(dp_figure *out, const audit_in *in, const wanted *want);
dp_status audit_eval_line(dp_figure *out, const audit_in *in, const wanted *want);

#endif
