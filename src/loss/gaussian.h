/* SPDX-License-Identifier: MIT */
/* The Gaussian mechanism. Everything of it depends on mu = sensitivity / sigma alone, and n of them
 * are one with mu^2 = sum mu_i^2. */
#ifndef LOSS_GAUSSIAN_H
#define LOSS_GAUSSIAN_H

#include "core/bound.h"
#include "loss/product.h"

/* out = Phi(mu/2 - x/mu) - e^x Phi(-mu/2 - x/mu): the exact privacy profile of a Gaussian whose
 * means lie mu standard deviations apart, mu > 0. For numbers near each other: the profile at both
 * ends of x is what is enclosed. */
void gaussian_profile(mpfi_t out, const mpfi_t mu, const mpfi_t x);

/* The same at one number x of any sign, for mu^2 > 0, to all bits of s but where mu is below
 * 2^-8000 or so; and about -ds/dx. */
void gaussian_profile_at(mpfi_t s, mpfr_t slope, const mpq_t mu_squared, mpfr_srcptr x);

/* out = the least x >= 0 whose profile is at most delta, in (0, 1) */
void gaussian_epsilon(mpfi_t out, const mpfi_t mu, const mpq_t delta);

/* About the mu whose profile at x >= 0 is delta, in (0, 1), to begin a search with; false where
 * none was found. */
bool gaussian_guess(mpfr_t mu, const mpfi_t x, const mpq_t delta);

/* The law of `times` uses, mu^2 >= 0: M(z) = e^(mu^2 z(z+1)/2) with mu^2 the exact sum over all
 * that the product holds. The loss is normal with mean mu^2/2 and variance mu^2, either way round,
 * and not bounded. DP_MEMORY. */
dp_status gaussian_add(product *to, const mpq_t mu_squared, const mpz_t times);

/* Its nodes in doubles (loss/blocks.h), mu^2 > 0. */
dp_status gaussian_blocks(block_law *out, const mpq_t mu_squared, const block_line *at);

/* The mu^2 of all Gaussians of the product; false, and 0, where there is none. */
bool gaussian_of(mpq_t mu_squared, const product *p);

/* out = alpha mu^2 / 2, the Renyi divergence of order alpha >= 0 in either direction. At order 1 it
 * is the KL divergence and the least rho of zCDP. Verdict: exact. */
void gaussian_renyi(mpfi_t out, const mpq_t mu_squared, const mpfi_t alpha);
void gaussian_kl(mpq_t out, const mpq_t mu_squared);

#endif
