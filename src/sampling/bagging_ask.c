/* SPDX-License-Identifier: MIT */
/* Questions about bagging: for any learner here, for private ones in amplify_ask.c and, by their
 * whole law, in amplify_dominating.c. */
#include "sampling/bagging_ask.h"

#include "core/door.h"
#include "num/number.h"

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
