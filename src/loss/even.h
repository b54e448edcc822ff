/* SPDX-License-Identifier: MIT */
/* Moments of losses whose law is the same either way round. */
#ifndef LOSS_EVEN_H
#define LOSS_EVEN_H

#include <mpfi.h>

#include "num/limits.h"

/* k encloses K of an item at the number z. */
typedef void even_function(mpfi_t k, const void *item, mpfr_srcptr z, const limits *lim);

/* k encloses K at every number of z, K convex and even about -1/2. */
void even_moment(mpfi_t k, even_function *at, const void *item, const mpfi_t z, const limits *lim);

#endif
