/* SPDX-License-Identifier: MIT */
/* Bagging of a private learner: its rows, and which of them is the guarantee. */
#include "sampling/bagging_ask.h"

#include "compose/enclosed_pair.h"
#include "core/refine.h"
#include "num/guard.h"
#include "num/ival.h"
#include "num/number.h"

#define DECISION_BITS 4096
/* A power this small is formed exactly. */
#define EXACT_BITS 65536UL

/* x := draws x, where that is not long */
static bool raise_end(dp_number *x, const mpz_t draws)
{
    mpq_t to;
    mpq_init(to);
    bool short_enough = true;
    if (!x->is_log) {
        mpq_set_z(to, draws);
        mpq_mul(to, to, number_rational(x));
        number_set_q(x, to);
    } else if ((short_enough = guard_pow_fits_q(number_odds(x), draws, EXACT_BITS))) {
        unsigned long count = mpz_get_ui(draws);
        mpz_pow_ui(mpq_numref(to), mpq_numref(number_odds(x)), count);
        mpz_pow_ui(mpq_denref(to), mpq_denref(number_odds(x)), count);
        number_set_log(x, to);
    }
    mpq_clear(to);
    return short_enough;
}

/* One model's pair, exact where it can be written down, else rounded to the chosen end. */
bool bagging_model_pair(dp_number *epsilon, mpq_t delta, const void *context, dp_end end,
                        mpfr_prec_t bits)
{
    const dp_bagging *b = context;
    bool with = b->sampling == DP_WITH_REPLACEMENT;
    dp_number exact;
    mpq_t leak;
    mpfi_t x, d;
    dp_number_init(&exact);
    mpq_init(leak);
    mpfi_init2(x, bits);
    mpfi_init2(d, bits);
    amplify_pair(x, d, b);
    bool ok = pairs_round(epsilon, delta, x, d, end);
    if (amplify_leak(leak, b, b->subsample_size))
        mpq_set(delta, leak);
    if (amplify_end(&exact, b) && (!with || raise_end(&exact, b->subsample_size)))
        dp_number_set(epsilon, &exact);
    mpfi_clear(d);
    mpfi_clear(x);
    mpq_clear(leak);
    dp_number_clear(&exact);
    return ok;
}

/* N models composed: at the target, or the end point. */
static pairs model_pairs(const dp_bagging *b)
{
    return (pairs){bagging_model_pair, b, b->models, b->target_epsilon, b->target_delta};
}

static dp_status composed_row(dp_result *out, void *in, const dp_options *opt)
{
    pairs p = model_pairs(((const bagging_in *)in)->b);
    return pairs_row(out, &amplify_composed, &p, opt);
}

const bound amplify_composed = {
    .theorem =
        {.id = "amplify-composed",
         .family = "bagging-without",
         .verdict = DP_PROVED,
         .source = "amplification of one model, then compose-optimal",
         .statement =
             "N independent models, each amplified to (eps', delta'), compose as N uses of "
             "(eps', delta')",
         .assumes =
             "independent subsamples (without or with replacement, Poisson); sampled indices "
             "secret and fresh; the learner (eps0, delta0)-DP",
         .proof =
             "Composition of amplify-point or amplify-with-pair. One pair of a model's profile "
             "stands for all of it, so the bound may be loose. The pair is rounded up before "
             "it is composed."},
    .engine = composed_row,
    .output = {"epsilon", "delta"},
    .also_for = "bagging-with|bagging-poisson|compose|curve"};

/* The bounds that say something at a target epsilon, for N models that need no composition. */
static const bound *const *profile_bounds(const dp_bagging *b)
{
    static const bound *const exact[] = {&amplify_profile, NULL};
    static const bound *const grouped[] = {&amplify_grouped, NULL};
    static const bound *const replaced[] = {&amplify_replaced, NULL};
    static const bound *const with[] = {&amplify_with_bbg, &amplify_with_hybrid, NULL};
    static const bound *const several[] = {&amplify_with_hybrid, NULL};
    static const bound *const none[] = {NULL};
    if (b->sampling == DP_WITH_REPLACEMENT)
        return mpz_cmp_ui(b->models, 1) == 0 ? with : several;
    if (amplify_composes(b))
        return none;
    amplify_route way = amplify_way(b);
    return way == AMPLIFY_DIRECT ? exact : way == AMPLIFY_SAME_SIZE ? replaced : grouped;
}

static dp_status closed_inverse(dp_result *out, dp_figure *epsilon, const bound *b,
                                const dp_bagging *bagging, const dp_options *opt)
{
    bagging_in in = {.b = bagging, .target = number_rational(bagging->target_delta)};
    dp_figure f[2] = {*epsilon};
    dp_figure_init(&f[1]);
    dp_status status = result_refine(out, f, 2, b->eval, &in, opt, REFINE_CLOSED_FORM);
    *epsilon = f[0];
    dp_figure_clear(&f[1]);
    return status;
}

static dp_status inverted(dp_result *out, dp_figure *epsilon, const bound *b, const bagging_in *in,
                          const dp_options *opt)
{
    dp_options own = options_meeting(opt, &out->met);
    limits lim;
    limits_start(&lim, &own);
    if (lim.deadline > 0 && b == &amplify_with_bbg) /* the other bound has its half */
        own.deadline = lim.deadline - limits_left(&lim) / 2;
    dp_status status = bagging_invert(epsilon, b, in->b, &own);
    if (status != DP_LIMIT)
        return status;
    result_warn_wide(out);
    return DP_OK;
}

static dp_status inverted_row(dp_result *out, const bound *b, const bagging_in *in,
                              const dp_options *opt)
{
    logform zero;
    logform_init(&zero);
    bagging_in at = {.b = in->b, .at = &zero};
    dp_row *row = NULL;
    mpq_srcptr target = number_rational(in->b->target_delta);
    dp_decision answer = DP_UNKNOWN;
    dp_status status = DP_OK;
    bool applies = b->applies == NULL || b->applies(&at);
    if (applies && (row = result_row(out, b)) == NULL)
        status = DP_MEMORY;
    dp_options own = options_meeting(opt, &out->met);
    limits lim;
    limits_start(&lim, &own);
    if (row != NULL) /* where the target is met at 0 nothing is to be searched */
        status = refine_decide(&answer, b->eval, 2, 1, &at, target, DECISION_BITS, &lim);
    logform_clear(&zero);
    if (row == NULL)
        return status;
    dp_figure *epsilon = row_quantity(row, "epsilon");
    figure_set_q(row_quantity(row, "delta"), target);
    if (status == DP_OK && answer == DP_YES)
        figure_set_ui(epsilon, 0);
    else if (status == DP_OK && b == amplify_curve(in->b))
        status = closed_inverse(out, epsilon, b, in->b, opt);
    else if (status == DP_OK)
        status = inverted(out, epsilon, b, in, opt);
    return status;
}

/* A row whose figure a private learner need not attain is proved, whatever the theorem's own class.
 */
static dp_status weakened(dp_result *out, dp_status status, bool attained)
{
    if (status == DP_OK && !attained)
        result_weaken(out, out->count - 1);
    return status;
}

/* The profile for any learner as a row: at the target epsilon; at a target delta, epsilon 0 or
 * none. A private learner attains it where it always leaks. */
static dp_status intrinsic_row(dp_result *out, const bagging_in *in, const dp_options *opt)
{
    const dp_bagging *b = in->b;
    bool attained = mpq_cmp_ui(b->base_delta, 1, 1) == 0;
    if (b->target_delta == NULL)
        return weakened(out, result_evaluate(out, bagging_exact_bound(b), in, opt), attained);
    dp_row *row = result_row(out, bagging_exact_bound(b));
    if (row == NULL)
        return DP_MEMORY;
    result_weaken(out, out->count - (attained ? 0 : 1));
    bagging_miss s;
    bagging_miss_init(&s);
    bagging_miss_set(&s, b, 0);
    dp_figure *epsilon = row_quantity(row, "epsilon");
    figure_set_q(row_quantity(row, "delta"), number_rational(b->target_delta));
    limits lim;
    limits_start(&lim, opt);
    dp_decision meets = bagging_miss_meets(&s, number_rational(b->target_delta), &lim);
    if (meets == DP_YES)
        figure_set_ui(epsilon, 0);
    else
        figure_set_infinite(epsilon);
    if (meets == DP_UNKNOWN)
        result_weaken(out, out->count - 1);
    bagging_miss_clear(&s);
    return DP_OK;
}

/* The pair of one model, or of all disjoint ones. Of a learner that always leaks no epsilon is the
 * least; of two steps of a learner the pair is known to be the least where they never leak. */
static dp_status point_row(dp_result *out, const bagging_in *in, const dp_options *opt)
{
    const dp_bagging *b = in->b;
    if (b->sampling == DP_WITH_REPLACEMENT)
        return result_evaluate(out, &amplify_with_pair, in, opt);
    bool least =
        amplify_is_one_step(b) ? mpq_cmp_ui(b->base_delta, 1, 1) < 0 : mpq_sgn(b->base_delta) == 0;
    const bound *pair = amplify_way(b) == AMPLIFY_DIRECT ? &amplify_point : amplify_curve(b);
    dp_status status = weakened(out, result_evaluate(out, pair, in, opt), least);
    if (status == DP_OK && amplify_way(b) == AMPLIFY_GROUP_RESULT) /* the textbook's, beside it */
        status = weakened(out, result_evaluate(out, &amplify_point, in, opt), false);
    return status;
}

static dp_status profile_rows(dp_result *out, const bagging_in *in, const dp_options *opt)
{
    const dp_bagging *b = in->b;
    dp_status status = DP_OK;
    for (const bound *const *p = profile_bounds(b); status == DP_OK && *p != NULL; p++) {
        size_t before = out->count;
        if (b->target_delta != NULL)
            status = inverted_row(out, *p, in, opt);
        else if ((*p)->applies == NULL || (*p)->applies(in))
            status = result_evaluate(out, *p, in, opt);
        if (out->count > before)
            status = weakened(out, status, amplify_attained(in));
    }
    return status;
}

static dp_status private_rows(dp_result *out, bagging_in *in, const dp_options *opt)
{
    const dp_bagging *b = in->b;
    dp_status status = DP_OK;
    bool target = b->target_epsilon != NULL || b->target_delta != NULL;
    if (amplify_composes(b))
        status = amplify_composed.engine(out, in, opt);
    else if (!target)
        status = point_row(out, in, opt);
    if (status == DP_OK && !target && amplify_composes(b) && b->sampling == DP_WITH_REPLACEMENT)
        status = result_evaluate(out, &amplify_with_pair, in, opt);
    if (status == DP_OK && target)
        status = profile_rows(out, in, opt);
    if (status == DP_OK)
        status = intrinsic_row(out, in, opt);
    bool by_direction = b->target_epsilon != NULL && !amplify_composes(b) &&
                        b->sampling != DP_WITH_REPLACEMENT && b->adjacency == DP_ADD_REMOVE;
    if (status == DP_OK && by_direction)
        status = weakened(out, result_evaluate(out, &amplify_add, in, opt), amplify_attained(in));
    if (status == DP_OK && opt->all && amplify_with_mixture.applies(in) &&
        b->sampling == DP_WITH_REPLACEMENT && b->target_delta == NULL)
        status = result_evaluate(out, &amplify_with_mixture, in, opt);
    return status;
}

/* The row with the least figure, among those that bound both directions. */
static void choose_guarantee(dp_result *out, const dp_bagging *b)
{
    const char *name = b->target_epsilon != NULL ? "delta" : "epsilon";
    if (b->target_epsilon == NULL && b->target_delta == NULL)
        return; /* the amplified pair stands first */
    mpfr_t best, key;
    mpfr_init2(best, 256);
    mpfr_init2(key, 256);
    mpfr_set_inf(best, 1);
    for (size_t i = 0; i < out->count; i++) {
        const dp_row *row = &out->row[i];
        const dp_figure *f = row_figure(row, name);
        if (row->verdict == DP_UNSOUND || row->theorem == &amplify_add.theorem ||
            f->kind == DP_INFINITE)
            continue;
        if (f->kind == DP_RATIONAL)
            mpfr_set_q(key, f->rational, MPFR_RNDU);
        else
            mpfr_set(key, &f->enclosure->right, MPFR_RNDU);
        if (mpfr_cmp(key, best) < 0) {
            mpfr_set(best, key, MPFR_RNDU);
            out->guarantee = i;
        }
    }
    mpfr_clear(key);
    mpfr_clear(best);
}

dp_status bagging_bounds(dp_result *out, const dp_bagging *b, const dp_options *opt, dp_error *err)
{
    logform at;
    logform_init(&at);
    bagging_in in = {.b = b, .at = b->target_epsilon != NULL ? &at : NULL};
    dp_status status = DP_OK;
    if (in.at != NULL && !logform_add_number(&at, NULL, b->target_epsilon))
        status = DP_MEMORY;
    if (status == DP_OK && amplify_way(b) == AMPLIFY_NOTHING) {
        status = intrinsic_row(out, &in, opt);
        result_note(out,
                    "a learner known only under replace-one adjacency gives nothing for Poisson "
                    "samples, whose size varies: the guarantee is that for any learner");
    } else if (status == DP_OK) {
        status = private_rows(out, &in, opt);
        choose_guarantee(out, b);
    }
    result_note(out, "sampled indices must stay secret: where they are published there is no "
                     "amplification");
    logform_clear(&at);
    return status == DP_OK ? DP_OK : result_fail(out, err, status);
}

/* One bound at (epsilon, delta). */
static dp_decision bound_meets(const bound *b, const bagging_in *in, const mpq_t delta,
                               const dp_options *opt)
{
    dp_decision answer = DP_UNKNOWN;
    limits lim;
    limits_start(&lim, opt);
    if (b->applies != NULL && !b->applies(in))
        return DP_NO;
    refine_decide(&answer, b->eval, 2, 1, in, delta, DECISION_BITS, &lim);
    return answer;
}

dp_decision bagging_meets(const dp_bagging *b, const dp_number *epsilon, const mpq_t delta,
                          const dp_options *opt, bool *tight)
{
    bagging_miss s;
    bagging_miss_init(&s);
    bagging_miss_set(&s, b, 0);
    limits lim;
    limits_start(&lim, opt);
    dp_decision answer = bagging_miss_meets(&s, delta, &lim);
    bagging_miss_clear(&s);
    *tight = b->base_epsilon == NULL || mpq_cmp_ui(b->base_delta, 1, 1) == 0;
    if (answer == DP_YES || b->base_epsilon == NULL || amplify_way(b) == AMPLIFY_NOTHING)
        return answer;
    logform at;
    logform_init(&at);
    bagging_in in = {.b = b, .at = &at};
    bool open = answer == DP_UNKNOWN;
    if (logform_add_number(&at, NULL, epsilon)) {
        const bound *const *p = profile_bounds(b);
        *tight = *tight || amplify_attained(&in) || bagging_is_pair(NULL, b);
        for (; answer != DP_YES && *p != NULL; p++) {
            answer = bound_meets(*p, &in, delta, opt);
            open = open || answer == DP_UNKNOWN;
        }
        if (answer != DP_YES && amplify_composes(b)) {
            pairs models = model_pairs(b);
            answer = pairs_meet(&models, epsilon, delta, opt);
            open = open || answer == DP_UNKNOWN;
        }
    }
    logform_clear(&at);
    return answer == DP_YES ? DP_YES : open ? DP_UNKNOWN : DP_NO;
}
