/* SPDX-License-Identifier: MIT */
/* A list that holds mechanisms by its Renyi curve or by zCDP: for every order alpha = 1 + t > 1
 *     delta(x) <= 1 - D (1 - kappa(t) e^(K(t) - t x)),  kappa(t) = t^t / (1+t)^(1+t),
 * in each direction, with K(t) the sum of t times the Renyi divergences of order alpha of what is
 * finite, or of t (xi + rho alpha), and D of the leaks; because (1 - e^-u)_+ <= kappa(t) e^(tu). */
#ifndef COMPOSE_CURVES_H
#define COMPOSE_CURVES_H

#include "compose/sides.h"
#include "renyi/order.h"
#include "renyi/points.h"

/* In place of compose_in for the rows of such a list. */
typedef struct curve_in {
    const dp_composition *items;
    const composed *list;          /* the (epsilon, delta) items alone; of zCDP */
    const sides *sides;            /* with the pairs of those that have one */
    const logform *target_epsilon; /* exactly one of the two */
    mpq_srcptr target_delta;
    renyi_points *points; /* of each mechanism, empty where it has none */
    mpq_t *corner;        /* their orders, by size */
    size_t corners;
    mpq_srcptr most;      /* no curve is known above */
    order_choice *choice; /* by curves, by zCDP: chosen when first asked for */
    bool near;            /* for that choice: guesses will do */
    const limits *lim;    /* where the search for an order ends early; NULL: none */
} curve_in;

/* DP_MEMORY; safe to clear in any case. Targets may be NULL where only a divergence is asked. */
dp_status curves_init(curve_in *q, const dp_composition *items, const composed *list,
                      const sides *s, const logform *target_epsilon, mpq_srcptr target_delta);
void curves_clear(curve_in *q);

extern const bound compose_renyi, compose_zcdp_sum;

/* The Renyi divergence of order > 0, not 1, of the list. */
typedef struct renyi_in {
    const dp_composition *items;
    const sides *sides;
    mpq_srcptr order;
} renyi_in;

extern const bound divergence_renyi_sum;

#endif
