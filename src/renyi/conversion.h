/* SPDX-License-Identifier: MIT */
/* From Renyi divergences to (epsilon, delta). A row at one order takes r, which bounds the Renyi
 * divergence of order alpha > 1 in both directions, and encloses what the theorem gives for the r
 * of the interval: its upper end is safe where r only bounds from above. delta lies in (0, 1), x is
 * any real number. Every order is sound; where one is searched for, doubles choose it and the row
 * is evaluated at the decimal kept. */
#ifndef RENYI_CONVERSION_H
#define RENYI_CONVERSION_H

#include <gmp.h>
#include <mpfi.h>
#include <stdbool.h>

/* out = max(0, r + ln(1/delta) / (alpha-1)). Source: Mironov 2017, Proposition 3. Verdict: proved,
 * never below the next. */
void renyi_classic_epsilon(mpfi_t out, const mpfi_t r, const mpq_t alpha, const mpq_t delta);

/* out = max(0, r + ln(1-1/alpha) - (ln delta + ln alpha)/(alpha-1)). Source: Canonne, Kamath,
 * Steinke 2020, Proposition 12. Verdict: proved. */
void renyi_improved_epsilon(mpfi_t out, const mpfi_t r, const mpq_t alpha, const mpq_t delta);

/* out = the least epsilon >= 0 that D_alpha(P||Q) <= r implies at delta: no smaller one follows
 * from one order and one direction. Source: Asoodeh et al. 2021. Verdict: exact for that. The upper
 * end is proved at whatever precision; the lower is 0 where a proof of more was not found. */
void renyi_single_epsilon(mpfi_t out, const mpfi_t r, const mpq_t alpha, const mpq_t delta);

/* About that epsilon, to compare orders by. */
double renyi_single_guess(const mpfi_t r, const mpq_t alpha, const mpq_t delta);

/* out = delta of the classic and of the improved row at epsilon x, within [0, 1]. */
void renyi_classic_delta(mpfi_t out, const mpfi_t r, const mpq_t alpha, const mpfi_t x);
void renyi_improved_delta(mpfi_t out, const mpfi_t r, const mpq_t alpha, const mpfi_t x);

/* out = sqrt(1 - e^-r): bounds the total variation, which is delta at epsilon 0 and more than that
 * at any above. Source: Bretagnolle, Huber 1979, for the KL divergence, which r of any order above
 * 1 bounds. Verdict: proved. */
void renyi_total_variation(mpfi_t out, const mpfi_t r);

/* out = ln kappa(t) = t ln t - (1+t) ln(1+t) for t > 0, written -t log1p(1/t) - log1p(t): what the
 * improved row gains over the classic one, times t. */
void renyi_log_kappa(mpfi_t out, const mpfi_t t);

/* The divergences of what was released, or bounds of them, for every order of [least, most]. */
typedef struct renyi_curve {
    /* r encloses the bound at alpha > 1, an exact number; infinite where there is none. */
    void (*at)(mpfi_t r, const void *of, mpq_srcptr alpha);
    const void *of;
    mpq_srcptr least, most; /* NULL: just above 1, and without end */
    const mpq_t *corner;    /* orders where it has kinks or jumps, to be looked at by themselves */
    size_t corners;
    double (*guess)(const void *of, double t); /* about r at alpha = 1 + t; NULL: r itself */
} renyi_curve;

/* An order close to the best one of a row. False: nothing is known at any order. */
bool renyi_order_epsilon(mpq_t alpha, const renyi_curve *c, bool improved, const mpq_t delta);
bool renyi_order_delta(mpq_t alpha, const renyi_curve *c, bool improved, const mpfi_t x);

/* Zero-concentrated privacy: D_alpha <= xi + rho alpha for every alpha > 1. xi may be negative. */
typedef struct zcdp {
    mpq_t xi, rho;
} zcdp;

void zcdp_init(zcdp *z);
void zcdp_clear(zcdp *z);
renyi_curve zcdp_curve(const zcdp *z);

/* out = max(0, xi + rho + 2 sqrt(rho ln(1/delta))). Source: Bun, Steinke 2016, Proposition 1.3.
 * Verdict: proved, never below the improved row at its best order. */
void zcdp_classic_epsilon(mpfi_t out, const zcdp *z, const mpq_t delta);

/* Mean loss <= mean, and the loss about it subgaussian with standard deviation tau, in the sense of
 * Dwork, Rothblum 2016: E e^(s(L - E L)) <= e^(s^2 tau^2 / 2). Then r(alpha) <= mean + (alpha-1)
 * tau^2/2, so xi = mean - tau^2/2 and rho = tau^2/2. Verdict: proved. */
void zcdp_of_cdp(zcdp *z, const mpq_t mean, const mpq_t tau);

#endif
