/* SPDX-License-Identifier: MIT */
/* Bagging as it is given: what it may be, and what holds of it for any learner. */
#include "sampling/bagging_ask.h"

#include "core/door.h"
#include "num/number.h"
#include "sampling/parameters.h"

/* Ties are settled exactly first, so only values that differ by less than 2^-2^20 stay open. */
#define DECISION_BITS (1L << 20)

void dp_bagging_init(dp_bagging *b)
{
    if (b == NULL)
        return;
    *b = (dp_bagging){.sampling = DP_WITH_REPLACEMENT};
    mpz_inits(b->dataset_size, b->subsample_size, b->models, NULL);
    mpq_inits(b->sampling_rate, b->base_delta, NULL);
    mpz_set_ui(b->dataset_size, 1);
    mpz_set_ui(b->models, 1);
}

void dp_bagging_clear(dp_bagging *b)
{
    if (b == NULL)
        return;
    mpz_clears(b->dataset_size, b->subsample_size, b->models, NULL);
    mpq_clears(b->sampling_rate, b->base_delta, NULL);
}

/* More records than there are: N k > n for disjoint subsamples, k > n for independent ones. */
static bool too_many(const dp_bagging *b)
{
    if (b->sampling == DP_WITHOUT_INDEPENDENT)
        return mpz_cmp(b->subsample_size, b->dataset_size) > 0;
    if (b->sampling != DP_WITHOUT_DISJOINT)
        return false;
    mpz_t draws;
    mpz_init(draws);
    mpz_mul(draws, b->models, b->subsample_size);
    bool more = mpz_cmp(draws, b->dataset_size) > 0;
    mpz_clear(draws);
    return more;
}

dp_status bagging_domain(const dp_bagging *b, dp_bagging_unknown unknown, dp_error *err)
{
    bool poisson = b->sampling == DP_POISSON, k = unknown != DP_SOLVE_SUBSAMPLE_SIZE;
    bool models = unknown != DP_SOLVE_MODELS;
    const given all[] = {
        {&bagging_dataset_size, .z = poisson ? NULL : b->dataset_size},
        {&bagging_subsample_size, .z = poisson || !k ? NULL : b->subsample_size},
        {&bagging_models, .z = models ? b->models : NULL},
        {&bagging_sampling_rate,
         .q = poisson && unknown != DP_SOLVE_RATE ? b->sampling_rate : NULL},
        {&bagging_base_epsilon, .number = b->base_epsilon},
        {&bagging_base_delta, .q = b->base_delta},
        {&bagging_target_epsilon, .number = b->target_epsilon},
        {&bagging_target_delta, .number = b->target_delta},
    };
    dp_status status = door_enum("sampling", (int)b->sampling, DP_POISSON, err);
    if (status == DP_OK)
        status = door_choice(&bagging_adjacency, (int)b->adjacency, err);
    if (status == DP_OK)
        status = door_choice(&bagging_base_adjacency, (int)b->base_adjacency, err);
    if (status == DP_OK)
        status = DOOR_GIVEN(all, err);
    if (status != DP_OK)
        return status;
    if (!poisson && k && models && too_many(b))
        return fail(
            err, DP_DOMAIN, "subsample_size",
            mpz_cmp(b->subsample_size, b->dataset_size) > 0
                ? "exceeds the data set: at most n records can be drawn without replacement; were "
                  "n and k swapped?"
            : b->sampling == DP_WITHOUT_DISJOINT
                ? "models times subsample size exceeds the data set: without replacement at "
                  "most n records can be drawn"
                : "exceeds the data set: at most n records can be drawn without "
                  "replacement");
    if (b->base_epsilon == NULL && b->target_delta != NULL)
        return fail(err, DP_DOMAIN, "target_delta",
                    "needs a private learner: with any learner delta is the same at every epsilon");
    if (b->target_epsilon != NULL && b->target_delta != NULL)
        return fail(err, DP_DOMAIN, "target_epsilon", "excludes target_delta; give one of them");
    return DP_OK;
}

dp_decision bagging_miss_meets(const bagging_miss *s, const mpq_t delta, const limits *lim)
{
    if (mpq_cmp_ui(delta, 1, 1) >= 0 || mpz_sgn(s->count) == 0)
        return DP_YES;
    if (mpq_sgn(s->base) == 0)
        return DP_NO;
    logform gap; /* count ln(base) - ln(1 - delta) */
    mpq_t c, keep;
    int sign;
    logform_init(&gap);
    gap.lim = lim;
    mpq_inits(c, keep, NULL);
    mpq_set_z(c, s->count);
    bool ok = logform_add_log(&gap, c, s->base);
    mpq_set_si(c, -1, 1);
    mpz_sub(mpq_numref(keep), mpq_denref(delta), mpq_numref(delta));
    mpz_set(mpq_denref(keep), mpq_denref(delta));
    ok = ok && logform_add_log(&gap, c, keep) && logform_sign(&sign, &gap, DECISION_BITS);
    mpq_clears(c, keep, NULL);
    logform_clear(&gap);
    return ok ? (sign >= 0 ? DP_YES : DP_NO) : DP_UNKNOWN;
}

const bound *bagging_exact_bound(const dp_bagging *b)
{
    switch (b->sampling) {
    case DP_WITHOUT_DISJOINT:
        return &bagging_without_exact;
    case DP_WITHOUT_INDEPENDENT:
        return &bagging_independent_exact;
    case DP_POISSON:
        return &bagging_poisson_exact;
    case DP_WITH_REPLACEMENT:
        break;
    }
    return &bagging_with_exact;
}
