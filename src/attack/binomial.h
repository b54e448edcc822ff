/* SPDX-License-Identifier: MIT */
/* Binomial tails and the limits of Clopper and Pearson, for up to 10^9 trials. */
#ifndef ATTACK_BINOMIAL_H
#define ATTACK_BINOMIAL_H

#include <gmp.h>
#include <mpfi.h>
#include <stdbool.h>

#define BINOMIAL_MOST 1000000000UL

/* A probability and its complement, enclosed each to its own bits: what is near 1 keeps the digits
 * of what it lacks. */
typedef struct share {
    mpfi_t yes, no;
} share;

void share_init(share *s, mpfr_prec_t bits);
void share_clear(share *s);
void share_set_q(share *s, const mpq_t p);
void share_swap(share *s);

/* s = 1/(1 + e^-x) */
void share_logistic(share *s, const mpfi_t x);
/* out = ln(yes/no) */
void share_logit(mpfi_t out, const share *s);

/* Bits at which a success probability must be enclosed, so that tails of n trials keep `bits`. */
mpfr_prec_t binomial_bits(mpfr_prec_t bits, unsigned long n);

/* out = Pr[Bin(n, p) = k], 0 <= k <= n. Enclosed; the width is that of p, times n. */
void binomial_mass(mpfi_t out, unsigned long k, unsigned long n, const share *p);

/* tail = Pr[Bin(n, p) >= k] and its complement, 0 <= k <= n + 1; mass = Pr[Bin(n, p) = k], which
 * may be NULL. The shorter tail is evaluated: a continued fraction of positive terms, whose
 * convergents stand on either side of it. */
void binomial_tail(share *tail, mpfi_ptr mass, unsigned long k, unsigned long n, const share *p);

/* The same tail exactly; false, and nothing, where its numbers would be long. */
bool binomial_tail_q(mpq_t out, unsigned long k, unsigned long n, const mpq_t p);

/* p = low(k, n, a): Pr[Bin(n, p) >= k] = a, for 0 < a < 1; 0 for k = 0. Clopper and Pearson's lower
 * limit: it exceeds the true p with a probability of at most a. */
void binomial_low(share *p, unsigned long k, unsigned long n, const share *a);

/* The same where it is a rational of few digits, exactly: a tie is decided by it. */
bool binomial_low_q(mpq_t p, unsigned long k, unsigned long n, const mpq_t a);

#endif
