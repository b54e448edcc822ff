/* SPDX-License-Identifier: MIT */
/* The sums over nodes of the sampled Gaussian in 128-bit fixed point (num/fixed.h), for one record:
 * about ten times faster than in MPFR, to 90 bits or so. */
#ifndef LOSS_SAMPLED_GAUSSIAN_FIXED_H
#define LOSS_SAMPLED_GAUSSIAN_FIXED_H

#include "loss/sampled_gaussian_parts.h"
#include "num/fixed.h"

#define SGM_FIXED_BITS 92 /* at most */

/* sum encloses that of phi |r|^p e^(-t arg r) sqrt(2 pi) over the nodes of the plan, to a relative
 * 2^-bits; its precision is at least that. False: not this way. */
bool sgm_fixed_sum(mpfi_t sum, const sgm_item *g, const sgm_plan *plan, const mpfi_t power,
                   mpfr_srcptr t, mpfr_prec_t bits);

/* z becomes z^times, to about 2^-depth of 1; false, and z as it was: not this way. |z| <= 1 or
 * next to it. */
bool sgm_fixed_pow(cball *z, const mpz_t times, mpfr_prec_t depth);

/* The waves of sampled_gaussian_nodes.c, at the node 0 first. */
typedef struct sgm_waves sgm_waves;

/* b, sum b_j with what the roundings of all steps add, and sum A_j there */
typedef struct sgm_wave_errors {
    mpfr_ptr turn, own, all;
} sgm_wave_errors;

/* For nodes up to `last`. DP_UNDECIDED: not this way; DP_MEMORY. */
dp_status sgm_waves_new(sgm_waves **out, sgm_wave_errors *e, const sgm_item *g,
                        const sgm_plan *plan, const mpfi_t power, mpfr_srcptr spacing,
                        uint64_t last);
size_t sgm_waves_count(const sgm_waves *a);
void sgm_waves_free(sgm_waves *a);
void sgm_waves_next(sgm_waves *a);
void sgm_waves_sum(mpfr_t re, mpfr_t im, const sgm_waves *a);

#endif
