/* SPDX-License-Identifier: MIT */
#include "solve/bagging.h"

#include "num/ival.h"
#include "solve/composing.h"
#include "solve/refine.h"

#define DECISION_BITS 4096

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
    .output = {"epsilon", "delta"}};

/* One model's pair as exact numbers, rounded to the chosen end. With odds R for the learner and
 * sampling at a rational rate, e^eps' is rational and the pair is exact. */
static void pair_end(dp_number *epsilon, mpq_t delta, const dp_bagging *b, dp_end end,
                     mpfr_prec_t bits)
{
    mpfi_t x, d;
    mpfi_init2(x, bits);
    mpfi_init2(d, bits);
    amplify_pair(x, d, b);
    mpfr_srcptr x_end = end == DP_UPPER ? &x->right : &x->left;
    mpfr_srcptr d_end = end == DP_UPPER ? &d->right : &d->left;
    epsilon->is_log = 0;
    mpfr_get_q(epsilon->value, x_end);
    mpfr_get_q(delta, d_end);
    if (b->sampling != DP_WITH_REPLACEMENT && amplify_way(b) == AMPLIFY_DIRECT) {
        mpq_t eta;
        mpq_init(eta);
        amplify_rate_q(eta, b);
        mpq_mul(delta, b->base_delta, eta);
        if (b->base_epsilon->is_log) { /* 1 + eta (R - 1) */
            mpq_set_ui(epsilon->value, 1, 1);
            mpq_sub(epsilon->value, b->base_epsilon->value, epsilon->value);
            mpq_mul(epsilon->value, epsilon->value, eta);
            mpz_add(mpq_numref(epsilon->value), mpq_numref(epsilon->value),
                    mpq_denref(epsilon->value));
            epsilon->is_log = 1;
        }
        mpq_clear(eta);
    }
    mpfi_clear(d);
    mpfi_clear(x);
}

static dp_status pair_list(dp_composition *list, const dp_bagging *b, dp_end end, size_t digits)
{
    dp_number epsilon;
    mpq_t delta;
    dp_composition_init(list);
    dp_number_init(&epsilon);
    mpq_init(delta);
    pair_end(&epsilon, delta, b, end, refine_bits(digits) + 24);
    dp_status status = dp_composition_add(list, &epsilon, delta, b->models, NULL);
    mpq_clear(delta);
    dp_number_clear(&epsilon);
    return status;
}

/* The row of the optimum for one end of the pair, in a result of its own. */
static dp_status composed_end(dp_result *row, const dp_bagging *b, dp_end end,
                              const dp_options *opt)
{
    dp_composition list;
    dp_status status = pair_list(&list, b, end, opt->digits);
    composing c;
    dp_status ready = composing_init(&c, &list, opt, row);
    status = status == DP_OK ? ready : status;
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    result_start(row);
    if (status != DP_OK)
        ;
    else if (b->target_delta != NULL)
        status = composing_at_delta(&c, b->target_delta->value);
    else if (b->target_epsilon != NULL)
        status = logform_add_number(&c.at, one, b->target_epsilon) ? composing_at_epsilon(&c, &c.at)
                                                                   : DP_MEMORY;
    else
        status = composing_end_point(&c);
    composing_clear(&c);
    dp_composition_clear(&list);
    mpq_clear(one);
    return status;
}

/* out = [lower end of low, upper end of high] */
static void join_ends(dp_figure *out, const dp_figure *low, const dp_figure *high, mpfr_prec_t bits)
{
    if (high->kind == DP_INFINITE || (high->kind == DP_RATIONAL && low->kind == DP_RATIONAL &&
                                      mpq_equal(low->rational, high->rational))) {
        out->kind = high->kind;
        mpq_set(out->rational, high->rational);
        return;
    }
    mpfi_ptr x = figure_enclose(out, bits);
    if (low->kind == DP_RATIONAL)
        mpfr_set_q(&x->left, low->rational, MPFR_RNDD);
    else
        mpfr_set(&x->left, &low->enclosure->left, MPFR_RNDD);
    if (high->kind == DP_RATIONAL)
        mpfr_set_q(&x->right, high->rational, MPFR_RNDU);
    else
        mpfr_set(&x->right, &high->enclosure->right, MPFR_RNDU);
}

dp_status bagging_composed(dp_result *out, const dp_bagging *b, const dp_options *opt)
{
    dp_result low, high;
    dp_result_init(&low);
    dp_result_init(&high);
    dp_status status = composed_end(&high, b, DP_UPPER, opt);
    if (status == DP_OK)
        status = composed_end(&low, b, DP_LOWER, opt);
    dp_row *row = status == DP_OK ? result_row(out, &amplify_composed) : NULL;
    if (row != NULL) {
        static const char *const name[] = {"epsilon", "delta"};
        for (size_t i = 0; i < 2; i++)
            join_ends(row_quantity(row, name[i]), row_figure(&low.row[0], name[i]),
                      row_figure(&high.row[0], name[i]), refine_bits(opt->digits) + 64);
        for (size_t i = 0; i < high.warnings; i++)
            result_warn(out, high.warning[i]);
    }
    dp_result_clear(&low);
    dp_result_clear(&high);
    return status;
}

dp_answer bagging_composed_meets(const dp_bagging *b, const dp_number *epsilon, const mpq_t delta,
                                 const dp_options *opt)
{
    dp_composition list;
    dp_result scratch;
    dp_result_init(&scratch);
    dp_answer answer = DP_UNKNOWN;
    dp_status status = pair_list(&list, b, DP_UPPER, opt->digits + 10);
    composing c;
    dp_status ready = composing_init(&c, &list, opt, &scratch);
    if (status == DP_OK && ready == DP_OK)
        answer = composing_meets(&c, epsilon, delta);
    composing_clear(&c);
    dp_composition_clear(&list);
    dp_result_clear(&scratch);
    return answer;
}

/* The bounds that say something at a target epsilon, for N models that need no composition. */
static const bound *const *profile_bounds(const dp_bagging *b)
{
    static const bound *const exact[] = {&amplify_profile, NULL};
    static const bound *const with[] = {&amplify_with_bbg, &amplify_with_hybrid, NULL};
    static const bound *const several[] = {&amplify_with_hybrid, NULL};
    static const bound *const none[] = {NULL};
    if (b->sampling == DP_WITH_REPLACEMENT)
        return mpz_cmp_ui(b->models, 1) == 0 ? with : several;
    return amplify_composes(b) ? none : exact;
}

/* epsilon with delta(epsilon) <= target by bisection over enclosures: delta falls as epsilon grows.
 * The ends are proved by evaluation: delta(upper) <= target, delta(lower) > target. */
static dp_status invert(dp_figure *out, const bound *b, const bagging_in *in, const mpq_t target,
                        size_t digits)
{
    logform x;
    logform_init(&x);
    bagging_in at = {in->b, &x};
    mpz_t low, high, middle;
    mpz_inits(low, high, middle, NULL);
    mpfr_prec_t scale = refine_bits(digits) + 64; /* candidates are multiples of 2^-scale */
    mpz_set_ui(high, 1);
    mpz_mul_2exp(high, high, (mp_bitcnt_t)scale);
    dp_answer answer = DP_NO;
    dp_status status = DP_OK;
    bool bounded = false;
    while (status == DP_OK) {
        if (bounded) {
            mpz_sub(middle, high, low);
            if (mpz_cmp_ui(middle, 1) <= 0)
                break;
            mpz_add(middle, low, high);
            mpz_fdiv_q_2exp(middle, middle, 1);
        } else {
            mpz_set(middle, high);
        }
        mpz_set(mpq_numref(x.rational), middle);
        mpz_set_ui(mpq_denref(x.rational), 1);
        mpq_div_2exp(x.rational, x.rational, (mp_bitcnt_t)scale);
        status = refine_decide(&answer, b->eval, 2, 1, &at, target, DECISION_BITS);
        if (answer == DP_YES) {
            mpz_set(high, middle);
            bounded = true;
        } else if (bounded) {
            mpz_set(low, middle);
        } else { /* not yet: twice as far, up to where no learner of any use is left */
            mpz_set(low, middle);
            mpz_mul_2exp(high, high, 1);
            if (mpz_sizeinbase(high, 2) > (size_t)scale + 40)
                break;
        }
    }
    if (status == DP_OK && !bounded) {
        figure_set_infinite(out);
    } else if (status == DP_OK) {
        mpfi_ptr f = figure_enclose(out, scale + 64);
        mpfi_set_z(f, high);
        mpfr_set_z(&f->left, low, MPFR_RNDD);
        mpfi_div_2exp(f, f, (unsigned long)scale);
    }
    mpz_clears(low, high, middle, NULL);
    logform_clear(&x);
    return status;
}

static dp_status inverted_row(dp_result *out, const bound *b, const bagging_in *in,
                              const dp_options *opt)
{
    logform zero;
    logform_init(&zero);
    bagging_in at = {in->b, &zero};
    dp_row *row = NULL;
    mpq_srcptr target = in->b->target_delta->value;
    dp_answer answer = DP_UNKNOWN;
    dp_status status = DP_OK;
    bool applies = b->applies == NULL || b->applies(&at);
    if (applies && (row = result_row(out, b)) == NULL)
        status = DP_MEMORY;
    if (row != NULL) /* where the target is met at 0 nothing is to be searched */
        status = refine_decide(&answer, b->eval, 2, 1, &at, target, DECISION_BITS);
    logform_clear(&zero);
    if (row == NULL)
        return status;
    dp_figure *epsilon = row_quantity(row, "epsilon");
    figure_set_q(row_quantity(row, "delta"), target);
    if (status == DP_OK && answer == DP_YES)
        figure_set_ui(epsilon, 0);
    else if (status == DP_OK)
        status = invert(epsilon, b, in, target, opt->digits);
    return status;
}

/* The learner-free profile as a row: at the target epsilon; at a target delta, epsilon 0 or none.
 */
static dp_status intrinsic_row(dp_result *out, const bagging_in *in, const dp_options *opt)
{
    const dp_bagging *b = in->b;
    if (b->target_delta == NULL)
        return result_evaluate(out, bagging_exact_bound(b), in, opt);
    dp_row *row = result_row(out, bagging_exact_bound(b));
    if (row == NULL)
        return DP_MEMORY;
    bagging_miss s;
    bagging_miss_init(&s);
    bagging_miss_set(&s, b, 0);
    dp_figure *epsilon = row_quantity(row, "epsilon");
    figure_set_q(row_quantity(row, "delta"), b->target_delta->value);
    if (bagging_miss_meets(&s, b->target_delta->value) == DP_YES)
        figure_set_ui(epsilon, 0);
    else
        figure_set_infinite(epsilon);
    bagging_miss_clear(&s);
    return DP_OK;
}

static dp_status private_rows(dp_result *out, const bagging_in *in, const dp_options *opt)
{
    const dp_bagging *b = in->b;
    dp_status status = DP_OK;
    bool target = b->target_epsilon != NULL || b->target_delta != NULL;
    if (amplify_composes(b))
        status = bagging_composed(out, b, opt);
    else if (!target)
        status = result_evaluate(
            out, b->sampling == DP_WITH_REPLACEMENT ? &amplify_with_pair : &amplify_point, in, opt);
    if (status == DP_OK && !target && amplify_composes(b) && b->sampling == DP_WITH_REPLACEMENT)
        status = result_evaluate(out, &amplify_with_pair, in, opt);
    for (const bound *const *p = profile_bounds(b); status == DP_OK && target && *p != NULL; p++) {
        if (b->target_delta != NULL)
            status = inverted_row(out, *p, in, opt);
        else if ((*p)->applies == NULL || (*p)->applies(in))
            status = result_evaluate(out, *p, in, opt);
    }
    if (status == DP_OK)
        status = intrinsic_row(out, in, opt);
    bool by_direction = b->target_epsilon != NULL && !amplify_composes(b) &&
                        b->sampling != DP_WITH_REPLACEMENT && b->adjacency == DP_ADD_REMOVE;
    if (status == DP_OK && by_direction)
        status = result_evaluate(out, &amplify_add, in, opt);
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
        if (row->theorem->verdict == DP_UNSOUND || row->theorem == &amplify_add.theorem ||
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

dp_status bagging_private(dp_result *out, const dp_bagging *b, const dp_options *opt, dp_error *err)
{
    logform at;
    mpq_t one;
    logform_init(&at);
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    bagging_in in = {b, b->target_epsilon != NULL ? &at : NULL};
    dp_status status = DP_OK;
    if (in.at != NULL && !logform_add_number(&at, one, b->target_epsilon))
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
    mpq_clear(one);
    logform_clear(&at);
    return status == DP_OK ? DP_OK : composing_fail(err, status);
}

/* One bound at (epsilon, delta). */
static dp_answer bound_meets(const bound *b, const bagging_in *in, const mpq_t delta)
{
    dp_answer answer = DP_UNKNOWN;
    if (b->applies != NULL && !b->applies(in))
        return DP_NO;
    refine_decide(&answer, b->eval, 2, 1, in, delta, DECISION_BITS);
    return answer;
}

dp_answer bagging_meets(const dp_bagging *b, const dp_number *epsilon, const mpq_t delta,
                        const dp_options *opt, bool *tight)
{
    bagging_miss s;
    bagging_miss_init(&s);
    bagging_miss_set(&s, b, 0);
    dp_answer answer = bagging_miss_meets(&s, delta);
    bagging_miss_clear(&s);
    *tight = b->base_epsilon == NULL;
    if (answer == DP_YES || b->base_epsilon == NULL || amplify_way(b) == AMPLIFY_NOTHING)
        return answer;
    logform at;
    mpq_t one;
    logform_init(&at);
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    bagging_in in = {b, &at};
    bool open = answer == DP_UNKNOWN;
    if (logform_add_number(&at, one, epsilon)) {
        const bound *const *p = profile_bounds(b);
        *tight = *p == &amplify_profile && amplify_way(b) == AMPLIFY_DIRECT;
        for (; answer != DP_YES && *p != NULL; p++) {
            answer = bound_meets(*p, &in, delta);
            open = open || answer == DP_UNKNOWN;
        }
        if (answer != DP_YES && amplify_composes(b)) {
            answer = bagging_composed_meets(b, epsilon, delta, opt);
            open = open || answer == DP_UNKNOWN;
        }
    }
    mpq_clear(one);
    logform_clear(&at);
    return answer == DP_YES ? DP_YES : open ? DP_UNKNOWN : DP_NO;
}
