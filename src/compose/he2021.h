/* SPDX-License-Identifier: MIT */
#ifndef COMPOSE_HE2021_H
#define COMPOSE_HE2021_H

#include "compose/slack.h"

#define HE2021                                                                                     \
    "He, Wang, Tao 2021, Tighter Generalization Bounds for Iterative Differentially Private "      \
    "Learning Algorithms"
#define FIXED                                                                                      \
    "parameters fixed in advance, mechanisms chosen adaptively, " GIVEN_EARLIER                    \
    "; the adjacency of the items"

/* b = delta / (1 + e^eps) */
void he2021_mass(mpfi_t b, const dp_number *epsilon, const mpq_t delta);

/* out = sum t ln(1 - b), or of ln(1 - e^eps b) when `leaked` */
void he2021_log_keep(mpfi_t out, const dp_composition *items, bool leaked);

/* epsilon' and the slack of the theorems; false where there is no slack in (0, 1). */
bool he2021_epsilon(mpfi_t x, mpfi_t d, const compose_in *q, bool third_only);
bool he2021_applies(const void *in, bool third_only);

/* out encloses the largest sum of v_i(alpha_i) = ln(1 - b_i) - ln(1 - e^alpha_i b_i) over
 * 0 <= alpha_i <= eps_i, sum alpha_i = x. */
void he2021_worst_alpha(mpfi_t out, const dp_composition *items, const mpfi_t x);

#endif
