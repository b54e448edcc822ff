/* SPDX-License-Identifier: MIT */
#ifndef SAMPLING_BAGGING_H
#define SAMPLING_BAGGING_H

#include "core/bound.h"
#include "dpacct/bagging.h"
#include "num/logform.h"

/* What the bounds of bagging are evaluated for; `at` is the target epsilon or NULL, `target` the
 * delta at which the profile is inverted, or NULL. */
typedef struct bagging_in {
    const dp_bagging *b;
    const logform *at;
    mpq_srcptr target;
} bagging_in;

/* The probability that a fixed record is in no subsample: base^count, 0 <= base <= 1. */
typedef struct bagging_miss {
    mpq_t base;
    mpz_t count;
} bagging_miss;

void bagging_miss_init(bagging_miss *s);
void bagging_miss_clear(bagging_miss *s);
/* For a data set of n + extra records. Assumes the domain of dp_bagging_privacy. */
void bagging_miss_set(bagging_miss *s, const dp_bagging *b, unsigned long extra);

/* out = 1 - base^count: exact where asked and small, else -expm1(count * log1p(base - 1)). */
void bagging_delta(dp_figure *out, const bagging_miss *s, const wanted *want);

/* out = the target epsilon, or 0 when there is none. */
void bagging_set_epsilon(dp_figure *out, const bagging_in *in, const wanted *want);

/* out = e^x where that is rational: x = 0 or one logarithm. */
bool bagging_target_odds(mpq_t out, const logform *x);

extern const bound bagging_with_exact, bagging_with_published, bagging_with_naive;
extern const bound bagging_without_exact, bagging_without_published;
extern const bound bagging_independent_exact, bagging_independent_published;
extern const bound bagging_independent_tightness, bagging_poisson_exact;
extern const bound bagging_remove, bagging_add, bagging_replace;

#endif
