/* SPDX-License-Identifier: MIT */
/* Doubles that choose and never decide: where to put the contour, how long a period to take, where
 * to look for epsilon. Everything chosen here is checked afterwards by certified arithmetic. */
#ifndef ENGINE_TILT_H
#define ENGINE_TILT_H

#include "loss/buckets.h"

typedef struct tilt {
    const loss *law;
    size_t count;
    double total;   /* the largest loss, HUGE_VAL where it is not bounded */
    double largest; /* about the largest distance from 0 of the losses of one use */
    double mean;    /* of the loss under P */
    double deviation;
    double lift; /* K(-1) where that is above 0, as it is where P alone leaks */
} tilt;

void tilt_init(tilt *t, const loss *law, size_t count); /* of laws that are prepared */
/* Of doubles: `law` refers to them, and t to it. */
void tilt_init_buckets(tilt *t, loss *law, buckets *b);

/* K(z) = ln E_P e^(zL), and its derivatives; HUGE_VAL where E_P e^(zL) is infinite. */
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
