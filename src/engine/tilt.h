/* SPDX-License-Identifier: MIT */
/* Doubles that choose and never decide: where to put the contour, how long a period to take, where
 * to look for epsilon. Everything chosen here is checked afterwards by certified arithmetic. */
#ifndef ENGINE_TILT_H
#define ENGINE_TILT_H

#include "loss/response_list.h"

typedef struct tilt {
    size_t count;
    double *epsilon, *times;
    double total;   /* sum of epsilon: the largest loss */
    double largest; /* of the epsilons */
    double mean;    /* of the loss under P */
    double deviation;
} tilt;

bool tilt_init(tilt *t, const composed *c); /* false: out of memory */
void tilt_clear(tilt *t);

/* K(z) = ln E_P e^(zL) = sum t ln(cosh(eps(z+1/2))/cosh(eps/2)), and its derivatives. */
double tilt_k(const tilt *t, double z);
double tilt_k1(const tilt *t, double z);
double tilt_k2(const tilt *t, double z);

/* The saddle point of e^(K(z)-zx)/(z(z+1)): in (0, inf), or in (-1, 0) when `left` is set, which
 * suits x well below the mean, where the profile is near 1. */
double tilt_saddle(const tilt *t, double x, bool left);
bool tilt_is_left(const tilt *t, double x);

/* Saddle-point estimate of ln s(x), or of ln(1 - s(x)) on the left. */
double tilt_log_profile(const tilt *t, double x, double z);

/* x with ln s(x) about log_s. */
double tilt_find(const tilt *t, double log_s);

/* x with ln(1 - s(x)) about log_rest, below ln(1/2). */
double tilt_find_left(const tilt *t, double log_rest);

/* ln q, also of numbers beyond the doubles */
double tilt_log_q(const mpq_t q);

#endif
