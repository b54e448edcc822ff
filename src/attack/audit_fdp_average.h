/* SPDX-License-Identifier: MIT */
/* The integral of which the recursion of onerun-fdp against mu-GDP is made (audit_fdp_run.c). */
#ifndef ATTACK_AUDIT_FDP_AVERAGE_H
#define ATTACK_AUDIT_FDP_AVERAGE_H

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

#endif
