/* SPDX-License-Identifier: MIT */
/* The largest integer that meets a condition which smaller ones meet too. */
#include "core/search.h"

#include <stdbool.h>

#define MOST_BITS 4096
#define GUESS_BITS 24

/* 1, or 2^-24 of a guess beyond that */
static void first_step(mpz_t step, const mpz_t guess)
{
    mpz_fdiv_q_2exp(step, guess, GUESS_BITS);
    if (mpz_sgn(step) <= 0)
        mpz_set_ui(step, 1);
}

/* Down from `low`, which does not fit: low fits or is -1 afterwards, high = the least known not to.
 */
static dp_decision descend(mpz_t low, mpz_t high, search_test test, const void *context)
{
    mpz_t step;
    mpz_init(step);
    first_step(step, low);
    dp_decision answer = DP_NO;
    while (answer == DP_NO && mpz_sgn(low) > 0) {
        mpz_set(high, low);
        mpz_sub(low, low, step);
        if (mpz_sgn(low) < 0)
            mpz_set_ui(low, 0);
        mpz_mul_2exp(step, step, 1);
        answer = test(context, low);
    }
    if (answer != DP_YES)
        mpz_set_si(low, -1);
    mpz_clear(step);
    return answer == DP_UNKNOWN ? DP_UNKNOWN : DP_YES;
}

/* Up from `low`, which fits: high does not afterwards. */
static dp_decision climb(mpz_t low, mpz_t high, search_test test, const void *context)
{
    mpz_t step;
    dp_decision answer;
    mpz_init(step);
    first_step(step, low);
    do {
        mpz_add(high, low, step);
        answer = test(context, high);
        if (answer == DP_YES)
            mpz_set(low, high);
        mpz_mul_2exp(step, step, 1);
    } while (answer == DP_YES && mpz_sizeinbase(step, 2) < MOST_BITS);
    mpz_clear(step);
    return answer == DP_NO ? DP_YES : DP_UNKNOWN;
}

dp_decision search_largest(mpz_t z, search_test test, const void *context)
{
    mpz_t low, high, middle;
    mpz_inits(low, high, middle, NULL);
    mpz_set(low, z);
    dp_decision answer = test(context, low);
    if (answer == DP_YES)
        answer = climb(low, high, test, context);
    else if (answer == DP_NO)
        answer = descend(low, high, test, context);
    else
        mpz_set_si(low, -1);
    while (answer != DP_UNKNOWN && mpz_sgn(low) >= 0) {
        mpz_sub(middle, high, low);
        if (mpz_cmp_ui(middle, 1) <= 0)
            break;
        mpz_fdiv_q_2exp(middle, middle, 1);
        mpz_add(middle, middle, low);
        answer = test(context, middle);
        if (answer != DP_UNKNOWN)
            mpz_set(answer == DP_YES ? low : high, middle);
    }
    mpz_set(z, low);
    mpz_clears(low, high, middle, NULL);
    return answer == DP_UNKNOWN ? DP_UNKNOWN : DP_YES;
}
