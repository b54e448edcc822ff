/* SPDX-License-Identifier: MIT */
/* k-ary randomized response: the true answer of k >= 3 with probability e^eps / Z, each other one
 * with 1 / Z, Z = e^eps + k - 1. Losses +eps, -eps, 0 with masses e^eps / Z, 1 / Z, (k - 2) / Z;
 * symmetric, no leak. */
#ifndef LOSS_RESPONSE_KARY_H
#define LOSS_RESPONSE_KARY_H

#include "loss/product.h"

/* `times` >= 1 uses of it. Equal (eps, k) merge; eps = 0 adds nothing. k = 2 is binary randomized
 * response, whose own law the caller takes: DP_DOMAIN for k < 3 and eps < 0. DP_MEMORY. */
dp_status response_kary_add(product *to, const dp_number *eps, const mpz_t k, const mpz_t times);

#endif
