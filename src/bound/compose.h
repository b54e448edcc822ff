/* SPDX-License-Identifier: MIT */
#ifndef BOUND_COMPOSE_H
#define BOUND_COMPOSE_H

#include "bound/composition.h"

/* What the closed forms of composition are asked: epsilon at a delta, delta at an epsilon, or the
 * pair that belongs to a slack. */
typedef struct compose_in {
    const composed *list;
    const logform *target_epsilon; /* or NULL */
    mpq_srcptr target_delta;       /* or NULL */
    mpq_srcptr slack;              /* or NULL: taken from the target */
} compose_in;

extern const bound compose_optimal, compose_basic, compose_basic_sum, compose_advanced;
extern const bound compose_kov_sum, compose_kov_log, compose_kov_hoeffding;

#endif
