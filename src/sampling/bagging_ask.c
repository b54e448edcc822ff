/* SPDX-License-Identifier: MIT */
/* Questions about bagging: for any learner here, for private ones in amplify_ask.c. */
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

dp_decision bagging_miss_meets(const bagging_miss *s, const mpq_t delta)
{
    if (mpq_cmp_ui(delta, 1, 1) >= 0 || mpz_sgn(s->count) == 0)
        return DP_YES;
    if (mpq_sgn(s->base) == 0)
        return DP_NO;
    logform gap; /* count ln(base) - ln(1 - delta) */
    mpq_t c, keep;
    int sign;
    logform_init(&gap);
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

/* The rows for any learner beside the exact one. */
static const bound *const *companions(const dp_bagging *b)
{
    static const bound *const with[] = {&bagging_with_published, &bagging_with_naive, NULL};
    static const bound *const without[] = {&bagging_without_published, NULL};
    static const bound *const independent[] = {&bagging_independent_published, NULL};
    static const bound *const none[] = {NULL};
    if (b->adjacency == DP_REPLACE_ONE) /* the paper's pairs are stated for add-remove */
        return none;
    switch (b->sampling) {
    case DP_WITHOUT_DISJOINT:
        return without;
    case DP_WITHOUT_INDEPENDENT:
        return independent;
    case DP_POISSON:
        return none;
    case DP_WITH_REPLACEMENT:
        break;
    }
    return with;
}

void bagging_remarks(dp_result *out, const dp_bagging *b)
{
    if (b->sampling == DP_WITH_REPLACEMENT)
        result_note(out, "tight: by Theorem 5 no smaller delta holds at any epsilon, for some "
                         "learner and data set");
    else if (b->sampling == DP_WITHOUT_DISJOINT)
        result_note(out, "tight: by Theorem 6 no smaller delta holds at any epsilon, for some "
                         "learner and data set");
    else
        result_note(out, "tight: no smaller delta holds at any epsilon, for some learner and data "
                         "set");
    if (b->adjacency == DP_ADD_REMOVE && b->sampling != DP_POISSON)
        result_note(out, "the guarantee holds at every epsilon >= 0; the epsilon of the published "
                         "pair is superfluous");
    if (b->sampling != DP_POISSON)
        result_note(out, "delta is at least 1/n however little is drawn, and at delta = 1/n the "
                         "model may publish one random person's record in full");
}

static dp_status any_learner(dp_result *out, const bagging_in *in, const dp_options *opt)
{
    const dp_bagging *b = in->b;
    dp_status status = result_evaluate(out, bagging_exact_bound(b), in, opt);
    if (status == DP_OK && in->at != NULL) {
        bool pair = b->adjacency == DP_ADD_REMOVE;
        status = result_evaluate(out, pair ? &bagging_remove : &bagging_replace, in, opt);
        if (status == DP_OK && pair)
            status = result_evaluate(out, &bagging_add, in, opt);
    }
    for (const bound *const *c = companions(b); status == DP_OK && *c != NULL; c++)
        if ((!(*c)->only_all || opt->all) && ((*c)->applies == NULL || (*c)->applies(in)))
            status = result_evaluate(out, *c, in, opt);
    return status;
}

dp_status bagging_decide(dp_result *out, const dp_bagging *b, const dp_options *opt)
{
    bool tight;
    unsigned met = 0;
    dp_options own = options_meeting(opt, &met);
    dp_check *c = &out->check;
    if (!c->asked)
        return DP_OK;
    mpq_srcptr delta = number_rational(&c->max_delta);
    dp_decision holds = bagging_meets(b, &c->max_epsilon, delta, &own, &tight);
    if (holds != DP_YES && !tight) {
        dp_decision whole = amplify_dominating_meets(b, &c->max_epsilon, delta, &own);
        tight = whole == DP_NO;
        holds = whole != DP_UNKNOWN ? whole : holds;
    }
    bool unproved = holds == DP_NO && !tight && !bagging_refutes(b, &c->max_epsilon, delta, &own);
    result_decide(out, unproved ? DP_UNKNOWN : holds,
                  unproved   ? DP_MET_BOUND
                  : met != 0 ? met
                             : DP_MET_PRECISION);
    return DP_OK;
}

/* delta below 1/n can never be met by any learner: say so where it is asked for. */
static void warn_unreachable(dp_result *out, const dp_bagging *b, const dp_options *opt)
{
    if (b->sampling == DP_POISSON || b->base_epsilon != NULL || opt->max_delta == NULL ||
        mpq_sgn(number_rational(opt->max_delta)) == 0)
        return;
    mpq_t share;
    mpq_init(share);
    mpz_set_ui(mpq_numref(share), 1);
    mpz_set(mpq_denref(share), b->dataset_size);
    if (mpq_cmp(number_rational(opt->max_delta), share) < 0)
        result_warn(out, "no setting of bagging alone reaches a delta below 1/n; train with a "
                         "private learner (base epsilon)");
    mpq_clear(share);
}

/* At a target: where the bounds are not what a model's whole profile shows. */
static void note_profile(dp_result *out, const dp_bagging *b)
{
    dp_known alone = {.b = *b}; /* borrows the numbers */
    if ((b->target_epsilon != NULL || b->target_delta != NULL) &&
        amplify_way(b) != AMPLIFY_NOTHING && mpq_cmp_ui(b->base_delta, 1, 1) < 0 &&
        !bagging_has_law(&alone))
        result_note(out, "the record may be drawn too often for the whole profile of a model to "
                         "be formed: single points of it stand for it");
}

dp_status dp_bagging_privacy(dp_result *out, const dp_bagging *b, const dp_options *opt,
                             dp_error *err)
{
    dp_options own;
    dp_status status = door_open(&own, out, "bagging", b, opt, err);
    opt = &own;
    if (status == DP_OK)
        status = bagging_domain(b, DP_SOLVE_NONE, err);
    if (status != DP_OK)
        return status;
    result_start(out);
    out->adjacency = dp_relation_text(b->adjacency);
    result_check_start(out, opt, b->target_epsilon, b->target_delta);
    if (b->base_epsilon != NULL) {
        status = bagging_private(out, b, opt, err);
        note_profile(out, b);
    } else {
        logform at;
        logform_init(&at);
        bagging_in in = {.b = b, .at = b->target_epsilon != NULL ? &at : NULL};
        if (in.at != NULL && !logform_add_number(&at, NULL, b->target_epsilon))
            status = DP_MEMORY;
        if (status == DP_OK)
            status = any_learner(out, &in, opt);
        bagging_remarks(out, b);
        logform_clear(&at);
    }
    if (status == DP_OK) {
        warn_unreachable(out, b, opt);
        status = bagging_decide(out, b, opt);
    }
    return result_end(out, status, err);
}
