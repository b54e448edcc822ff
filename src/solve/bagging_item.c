/* SPDX-License-Identifier: MIT */
/* Bagging as an item of a composition. */
#include "dpacct/compose.h"
#include "solve/bagging.h"
#include "solve/pairs.h"
#include "solve/refine.h"

/* Any learner: the profile is that of (0, 1 - base) used count times. */
static dp_status add_miss(dp_composition *c, const dp_bagging *b, const mpz_t times, dp_error *err)
{
    bagging_miss s;
    dp_number zero;
    mpz_t count;
    bagging_miss_init(&s);
    dp_number_init(&zero);
    mpz_init(count);
    bagging_miss_set(&s, b, 0);
    mpz_mul(count, s.count, times);
    mpz_sub(mpq_numref(s.base), mpq_denref(s.base), mpq_numref(s.base));
    dp_status status = dp_composition_add(c, &zero, s.base, count, err);
    mpz_clear(count);
    dp_number_clear(&zero);
    bagging_miss_clear(&s);
    return status;
}

static dp_status add_pair(dp_composition *c, const dp_bagging *b, const mpz_t times, size_t digits,
                          dp_error *err)
{
    dp_number epsilon;
    mpq_t delta;
    mpz_t count;
    dp_number_init(&epsilon);
    mpq_init(delta);
    mpz_init(count);
    mpz_set(count, times);
    if (amplify_composes(b))
        mpz_mul(count, count, b->models);
    dp_status status = DP_UNDECIDED;
    if (bagging_model_pair(&epsilon, delta, b, DP_UPPER, refine_bits(digits) + 64))
        status = dp_composition_add(c, &epsilon, delta, count, err);
    else
        fail(err, status, "base_epsilon", "is too large for its amplified pair to be formed");
    mpz_clear(count);
    mpq_clear(delta);
    dp_number_clear(&epsilon);
    return status;
}

dp_status dp_composition_add_bagging(dp_composition *c, const dp_bagging *b, const mpz_t times,
                                     size_t digits, dp_error *err)
{
    dp_status status = bagging_domain(b, DP_SOLVE_NONE, err);
    if (status != DP_OK)
        return status;
    if (b->adjacency != c->adjacency)
        return fail(err, DP_DOMAIN, "adjacency",
                    "is not that of the list; mechanisms for different relations do not compose");
    if (b->base_epsilon == NULL || amplify_way(b) == AMPLIFY_NOTHING)
        return add_miss(c, b, times, err);
    return add_pair(c, b, times, digits, err);
}
