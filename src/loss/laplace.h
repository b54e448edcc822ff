/* SPDX-License-Identifier: MIT */
/* The Laplace mechanism. Everything of it depends on epsilon = sensitivity / scale alone, with the
 * L1 sensitivity for vectors: the pair of one number dominates them for every split. */
#ifndef LOSS_LAPLACE_H
#define LOSS_LAPLACE_H

#include "loss/product.h"

/* The law of `times` uses, epsilon >= 0: to that of an equal epsilon where there is one.
 *     M(z) = ((z+1) e^(eps z) + z e^(-eps (z+1))) / (2z+1)
 * for one use, whose loss lies within +-epsilon with masses 1/2 and e^-eps / 2 at the ends and the
 * density e^((l-eps)/2)/4 between them, either way round. DP_MEMORY. */
dp_status laplace_add(product *to, const mpq_t epsilon, const mpz_t times);

/* out encloses the Renyi divergence of order alpha >= 1 in either direction, in (0, eps]; alpha may
 * be +infinity. At order 1 it is the KL divergence. Verdict: exact. */
void laplace_renyi(mpfi_t out, const mpq_t epsilon, const mpfi_t alpha);

/* out encloses eps + e^-eps - 1: the KL divergence, and the least rho of zCDP. Source: Harrison,
 * Manurangsi 2025. Verdict: exact. */
void laplace_kl(mpfi_t out, const mpq_t epsilon);

#endif
