/* SPDX-License-Identifier: MIT */
/* What no bound proves is not false for that: bagging is said not to be (epsilon, delta)-DP only
 * where a learner of the class makes it so. */
#include "compose/optimal.h"
#include "sampling/bagging_ask.h"

#define MOST_BITS 4096

/* Is x below the epsilon of the pairs together? A learner attains that as a ratio of probabilities:
 * by an outcome of probability c E0^j, j the steps that the sample is away, in every model. */
static bool below_end(const dp_bagging *b, const logform *x)
{
    mpz_t times;
    mpz_init_set_ui(times, 1);
    if (amplify_composes(b))
        mpz_set(times, b->models);
    mpz_t draws;
    mpz_init_set(draws, times);
    if (b->sampling == DP_WITH_REPLACEMENT)
        mpz_mul(draws, times, b->subsample_size);
    dp_decision beyond = amplify_beyond(b, draws, x);
    mpfi_t end, delta, at;
    mpfi_init2(end, 64);
    mpfi_init2(delta, 64);
    mpfi_init2(at, 64);
    bool below = beyond == DP_NO, open = beyond == DP_UNKNOWN;
    for (mpfr_prec_t bits = 64; open && bits <= MOST_BITS; bits *= 2) {
        mpfi_set_prec(end, bits);
        mpfi_set_prec(delta, bits);
        mpfi_set_prec(at, bits);
        amplify_pair(end, delta, b);
        mpfi_mul_z(end, end, times);
        logform_enclose(at, x);
        below = mpfr_less_p(&at->right, &end->left);
        open = !below && !mpfr_lessequal_p(&end->right, &at->left);
    }
    mpfi_clear(at);
    mpfi_clear(delta);
    mpfi_clear(end);
    mpz_clear(draws);
    mpz_clear(times);
    return below;
}

/* By randomized response, or a leak, that is below what each model does. */
static bool below_models(const dp_bagging *b, const logform *x, const mpq_t delta,
                         const dp_options *opt)
{
    dp_composition list;
    dp_result scratch;
    composing c;
    mpz_t once;
    mpz_init_set_ui(once, 1);
    dp_composition_init_under(&list, b->adjacency);
    dp_result_init(&scratch);
    result_start(&scratch);
    dp_status status = dp_composition_add_bagging(&list, b, once, opt->digits, NULL);
    dp_status ready = composing_init(&c, &list, opt, &scratch);
    bool refuted = status == DP_OK && ready == DP_OK && composing_refutes(&c, x, delta);
    composing_clear(&c);
    dp_result_clear(&scratch);
    dp_composition_clear(&list);
    mpz_clear(once);
    return refuted;
}

bool bagging_refutes(const dp_bagging *b, const dp_number *epsilon, const mpq_t delta,
                     const dp_options *opt)
{
    if (amplify_way(b) == AMPLIFY_NOTHING)
        return false;
    logform x;
    logform_init(&x);
    bool refuted = logform_add_number(&x, NULL, epsilon) &&
                   ((mpq_sgn(delta) == 0 && below_end(b, &x)) || below_models(b, &x, delta, opt));
    logform_clear(&x);
    return refuted;
}
