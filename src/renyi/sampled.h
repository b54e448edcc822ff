/* SPDX-License-Identifier: MIT */
/* Gaussian noise on a Poisson sample: with R = 1 - q + q e^((2z-1)/(2 s^2)), the likelihood ratio
 * of P = (1-q) N(0, s^2) + q N(1, s^2) to Q = N(0, s^2), A(alpha) = E_Q[R^alpha],  D_alpha(P||Q) =
 * ln A(alpha) / (alpha-1) >= D_alpha(Q||P) for alpha > 1: Mironov, Talwar, Zhang 2019, Theorem 5.
 * So it bounds both directions. ln A is convex in alpha. s is the standard deviation of the noise
 * over the norm to which a record is clipped, q the probability with which each record takes part,
 * for itself. */
#ifndef RENYI_SAMPLED_H
#define RENYI_SAMPLED_H

#include <gmp.h>
#include <mpfi.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct sampled {
    mpq_t sigma, rate;
    double log_sigma, log_rate; /* about */
} sampled;

/* sigma > 0, 0 <= rate <= 1 */
void sampled_init(sampled *g, const mpq_t sigma, const mpq_t rate);
void sampled_clear(sampled *g);

/* out encloses ln A(alpha) for every alpha > 1 of the interval, usually to the precision of out:
 *     an integer alpha       1 + sum over j >= 2 of C(alpha,j) (1-q)^(alpha-j) q^j
 * expm1(j(j-1)/2s^2) small s                consecutive sums of an alternating series else the
 * trapezoidal rule with a bound of what it misses what is too large      between a term and a sum
 * of two; wide, and sound. */
void sampled_log_moment(mpfi_t out, const sampled *g, const mpfi_t alpha);

/* out = D_alpha(P||Q) */
void sampled_renyi(mpfi_t out, const sampled *g, const mpfi_t alpha);

/* About ln A(1+t), and about ln(A - 1); t > 0. HUGE_VAL where doubles do not reach. */
double sampled_guess(const sampled *g, double t);
double sampled_log_excess(const sampled *g, double t);

/* ---- for sampled*.c and their tests ---- */

/* Each alone; false: not at this alpha, out is then of no use. */
bool sampled_sum(mpfi_t out, const sampled *g, const mpfi_t alpha);
bool sampled_series(mpfi_t out, const sampled *g, const mpfi_t alpha);
bool sampled_trapezoid(mpfi_t out, const sampled *g, const mpfi_t alpha);
void sampled_closed(mpfi_t out, const sampled *g, const mpfi_t alpha);

/* Nodes k h, first <= k <= last, in standard deviations of Q; those of a block weigh e^drop at most
 * where it may be left out. */
typedef struct sampled_plan {
    double log_rate, rate, sigma, alpha, t;
    double h;    /* at most 12 bits */
    double edge; /* in a strip of this half-width the integrand is analytic; 16 bits */
    double drop;
    int64_t first, last;
    int64_t nodes; /* kept */
    double top;    /* about the logarithm of the integral */
    bool rough;    /* for a guess: what is left out needs no bound */
} sampled_plan;

/* A plan that misses about e^-depth of A - 1, whose logarithm is about `top`, by leaving out nodes,
 * and e^-strip by its step. False: too many nodes. */
bool sampled_plan_make(sampled_plan *p, const sampled *g, double t, double top, double depth,
                       double strip);

/* Calls visit for consecutive blocks of nodes that are kept or left out, together all of them,
 * until it returns false. */
typedef bool sampled_visit(void *context, int64_t from, int64_t to, bool keep);
void sampled_plan_walk(const sampled_plan *p, sampled_visit *visit, void *context);

/* The rule with that plan, whatever it misses. */
bool sampled_rule(mpfi_t out, const sampled *g, const mpfi_t alpha, const sampled_plan *p);

#endif
