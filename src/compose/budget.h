/* SPDX-License-Identifier: MIT */
/* What the search for what still fits a budget (E, D) shares with its guesses. */
#ifndef COMPOSE_BUDGET_H
#define COMPOSE_BUDGET_H

#include "compose/optimal.h"

typedef struct budget {
    const dp_composition *held, *added; /* added NULL: the pair */
    dp_number epsilon;                  /* of the added mechanism */
    mpq_t delta;
    mpz_t times; /* of it */
    const dp_number *max_epsilon;
    mpq_srcptr max_delta;
    const dp_options *opt;
    limits lim; /* of all decisions together */
    dp_result *out;
} budget;

/* copy = the list held, and the added mechanism `times` times */
dp_status budget_extend(dp_composition *copy, const budget *b, const mpz_t times);

/* Where to begin, in doubles: about the largest number of uses, at most 1e300, and about the
 * largest epsilon of the uses; 0 where nothing is guessed. */
double budget_guess_times(const budget *b);
double budget_guess_epsilon(const budget *b);

#endif
