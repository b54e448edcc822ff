/* SPDX-License-Identifier: MIT */
/* All models of a private learner by the pair of distributions that dominates one of them, whole:
 * the law that bagging enters a list by (bagging_laws.c), composed without its single points. */
#include "sampling/amplify.h"

#include "compose/sides.h"
#include "core/refine.h"
#include "core/result.h"
#include "num/number.h"
#include "sampling/bagging_ask.h"

#define PAIR_DIGITS 6 /* of the item's own pair, which is not looked at */

/* Elsewhere the profile of one model has a closed form. */
static bool applies(const void *in)
{
    const dp_bagging *b = ((const bagging_in *)in)->b;
    dp_known alone = {.b = *b}; /* borrows the numbers */
    return b->base_epsilon != NULL && (b->sampling == DP_WITH_REPLACEMENT || amplify_composes(b)) &&
           amplify_way(b) != AMPLIFY_NOTHING && mpq_cmp_ui(b->base_delta, 1, 1) < 0 &&
           bagging_has_law(&alone);
}

bool amplify_has_dominating(const dp_bagging *b)
{
    return applies(&(bagging_in){.b = b});
}

typedef struct whole {
    dp_composition list;
    sides sides;
} whole;

/* Always leaves *w safe to clear. */
static dp_status whole_init(whole *w, const dp_bagging *b)
{
    dp_bagging models = *b;
    mpz_t once;
    models.target_epsilon = models.target_delta = NULL;
    mpz_init_set_ui(once, 1);
    dp_composition_init_under(&w->list, b->adjacency);
    dp_status status = dp_composition_add_bagging(&w->list, &models, once, PAIR_DIGITS, NULL);
    dp_status ready = sides_init_laws(&w->sides, &w->list, &w->list);
    mpz_clear(once);
    return status == DP_OK ? ready : status;
}

static void whole_clear(whole *w)
{
    sides_clear(&w->sides);
    dp_composition_clear(&w->list);
}

static dp_status set_figures(dp_row *row, const sides *s, const bagging_in *in,
                             const dp_options *opt, const limits *lim)
{
    dp_figure *epsilon = row_quantity(row, "epsilon"), *delta = row_quantity(row, "delta");
    mpq_srcptr target = number_rational(in->b->target_delta);
    if (!s->attained)
        row->verdict = DP_PROVED;
    if (target != NULL) {
        figure_set_q(delta, target);
        return sides_epsilon(epsilon, s, target, opt->digits, lim);
    }
    figure_set_form(epsilon, in->at, refine_bits(opt->digits) + 16);
    return sides_delta(delta, s, in->at, opt->digits, lim);
}

/* In half the time that is left, for other bounds may serve where it does not suffice. */
static dp_status dominating_row(dp_result *out, void *in, const dp_options *opt)
{
    dp_options own = options_meeting(opt, &out->met);
    limits lim;
    whole w;
    limits_start(&lim, &own);
    if (lim.deadline > 0)
        lim.deadline -= limits_left(&lim) / 2;
    dp_status status = whole_init(&w, ((bagging_in *)in)->b);
    size_t before = out->count;
    dp_row *row = status == DP_OK ? result_row(out, &amplify_dominating) : NULL;
    if (row != NULL)
        status = set_figures(row, &w.sides, in, opt, &lim);
    else if (status == DP_OK)
        status = DP_MEMORY;
    whole_clear(&w);
    if (status == DP_LIMIT)
        result_warn_wide(out);
    else if (status != DP_OK)
        out->count = before;
    return status == DP_MEMORY ? status : DP_OK; /* what takes too long is left to the others */
}

dp_decision amplify_dominating_meets(const dp_bagging *b, const dp_number *epsilon,
                                     const mpq_t delta, const dp_options *opt)
{
    if (!amplify_has_dominating(b))
        return DP_UNKNOWN;
    limits lim;
    whole w;
    logform x;
    limits_start(&lim, opt);
    logform_init(&x);
    bool ok = logform_add_number(&x, NULL, epsilon);
    ok = whole_init(&w, b) == DP_OK && ok;
    dp_decision answer = ok ? sides_meet(&w.sides, &x, delta, &lim) : DP_UNKNOWN;
    whole_clear(&w);
    logform_clear(&x);
    return answer;
}

const bound amplify_dominating = {
    .theorem =
        {.id = "amplify-dominating",
         .family = "bagging-with",
         .verdict = DP_EXACT,
         .source = "Zhu, Dong, Wang 2022, Optimal Accounting of Differential Privacy via "
                   "Characteristic Function, Theorems 10 and 11; group privacy of the learner for "
                   "each number of copies",
         .statement =
             "delta(x) = the maximum over both directions of the profile of N uses of the pair "
             "(P, Q) that dominates one model: P the mean, over the number J of copies of the "
             "record in the subsample, of what is farthest from Q in J steps of the learner",
         .assumes =
             "independent subsamples (without or with replacement, Poisson); sampled indices "
             "secret and fresh; the learner (eps0, delta0)-DP",
         .proof = "The privacy profile of a mixture that shares Q is at most the mean of the "
                  "profiles, each at most that of the chain of J steps, and one learner attains "
                  "all of these where a record is added or removed. A pair that dominates one "
                  "model dominates N of them by its N-fold product. Proved where a record is "
                  "replaced, for there no learner is known to attain all."},
    .applies = applies,
    .engine = dominating_row,
    .output = {"epsilon", "delta"},
    .also_for = "bagging-without|bagging-poisson"};

dp_status bagging_private(dp_result *out, const dp_bagging *b, const dp_options *opt, dp_error *err)
{
    logform at;
    logform_init(&at);
    bagging_in in = {.b = b, .at = b->target_epsilon != NULL ? &at : NULL};
    dp_status status = DP_OK;
    bool target = b->target_epsilon != NULL || b->target_delta != NULL;
    if (in.at != NULL && !logform_add_number(&at, NULL, b->target_epsilon))
        status = DP_MEMORY;
    if (status == DP_OK && target && amplify_has_dominating(b))
        status = dominating_row(out, &in, opt);
    logform_clear(&at);
    return status == DP_OK ? bagging_bounds(out, b, opt, err) : result_fail(out, err, status);
}
