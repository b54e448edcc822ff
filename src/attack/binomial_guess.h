/* SPDX-License-Identifier: MIT */
/* Binomial tails in doubles: for where to look. Nothing that is certified rests on them. */
#ifndef ATTACK_BINOMIAL_GUESS_H
#define ATTACK_BINOMIAL_GUESS_H

#include "attack/binomial.h"

/* About ln(yes/no). */
double guess_logit(const share *s);

/* About ln Pr[Bin(n, p) = k] at p = 1/(1 + e^-x). */
double guess_log_mass(double k, double n, double x);

/* About ln Pr[Bin(n, p) >= k]; in *slope its derivative by x, where that is wanted. */
double guess_log_tail(double k, double n, double x, double *slope);

/* About the x at which that is log_a, for 1 <= k <= n. */
double guess_low(double k, double n, double log_a);
/* The same from x on, up to a last step of so small a share. */
double guess_low_near(double k, double n, double log_a, double x, double step_most);

#endif
