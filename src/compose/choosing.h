/* SPDX-License-Identifier: MIT */
/* Composition takes pairs. Of a mechanism that is known by a curve every point is a sound pair, and
 * which of them gives the least figure depends on the question: the points are chosen in doubles,
 * then rounded up. */
#ifndef COMPOSE_CHOOSING_H
#define COMPOSE_CHOOSING_H

#include "loss/known.h"

/* What is asked; NULL where it is not given. */
typedef struct choice_for {
    const dp_number *epsilon;
    mpq_srcptr delta;
} choice_for;

/* out, which is empty, = the list with one pair for each item that is known by a curve. */
dp_status choose_pairs(dp_composition *out, const dp_composition *items, choice_for question,
                       mpfr_prec_t bits);

#endif
