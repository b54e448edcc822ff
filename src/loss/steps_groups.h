/* SPDX-License-Identifier: MIT */
/* Groups of records in exact rationals: a part of steps_group_add. */
#ifndef LOSS_STEPS_GROUPS_H
#define LOSS_STEPS_GROUPS_H

#include "loss/product.h"

/* Groups of k of a mechanism that is (ln odds, delta)-DP. DP_MEMORY. */
dp_status steps_group_add_exact(product *to, mpq_srcptr odds, const mpq_t delta, unsigned long k,
                                const mpz_t times);

#endif
