/* SPDX-License-Identifier: MIT */
#ifndef COMPOSE_ROUND_PAIR_H
#define COMPOSE_ROUND_PAIR_H

#include <mpfi.h>
#include <stdbool.h>

#include "dpacct/figure.h"
#include "dpacct/number.h"

/* Rounds an enclosed pair to the end; false where it has no finite end of reasonable size. */
bool pairs_round(dp_number *epsilon, mpq_t delta, const mpfi_t x, const mpfi_t d, dp_end end);

#endif
