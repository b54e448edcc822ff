/* SPDX-License-Identifier: MIT */
/* Series of which the recursion of onerun-fdp against mu-GDP is made (audit_fdp_run.c). */
#ifndef ATTACK_AUDIT_FDP_AVERAGE_H
#define ATTACK_AUDIT_FDP_AVERAGE_H

#include <math.h>

#define FDP_TERMS_MOST 16

/* Of I(w, e)/e - 1, the integral of sum He_k(w) s^k/k!. On the circle |s| = 1/(|w|+1) the integrand
 * is at most e, so that with x = (|w|+1) e what is left out from the k-th term on is at most
 * 2.8 x^k/(k+1). The sum of the terms without their signs is below 0.6 x, and the roundings below
 * 8u x, an error of w by 2u (|w|+1) included. */
static inline double fdp_average(double w, double e, int terms)
{
    static const double per[FDP_TERMS_MOST + 1] = {
        1,       1,        1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7, 1.0 / 8,
        1.0 / 9, 1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14, 1.0 / 15, 1.0 / 16};
    double last = 1, now = w * e, square = e * e, sum = now * 0.5;
    for (int k = 2; k < terms; k++) {
        double next = (w * e * now - square * last) * per[k];
        last = now;
        now = next;
        sum += now * per[k + 1];
    }
    return sum;
}

/* How many of them leave out 2^-70 or less of e, or x^16. */
static inline int fdp_terms(double x)
{
    return x < 0x1p-18 ? 4 : x < 0x1p-12 ? 6 : x < 0x1p-7 ? 12 : FDP_TERMS_MOST;
}

/* e^t - 1, |t| <= 1/4, within 4u of itself: t^15/16! and less is left out, or t^7/8! of what is
 * below 2^-8. */
static inline double fdp_growth(double t)
{
    double q = 1.0 / 5040;
    if (fabs(t) > 0x1p-8) {
        q = 1.0 / 1307674368000;
        q = q * t + 1.0 / 87178291200;
        q = q * t + 1.0 / 6227020800;
        q = q * t + 1.0 / 479001600;
        q = q * t + 1.0 / 39916800;
        q = q * t + 1.0 / 3628800;
        q = q * t + 1.0 / 362880;
        q = q * t + 1.0 / 40320;
        q = q * t + 1.0 / 5040;
    }
    q = q * t + 1.0 / 720;
    q = q * t + 1.0 / 120;
    q = q * t + 1.0 / 24;
    q = q * t + 1.0 / 6;
    q = q * t + 0.5;
    q = q * t + 1;
    return t * q;
}

#endif
