/* SPDX-License-Identifier: MIT */
/* What the unsound statements about attackers claim, against mechanisms that gain more. */
#include "attackers.h"

#include <stdio.h>

/* The figure begins with the digits that the counterexample of the theorem quotes. */
static void begins(const dp_figure *f, const char *theorem, const char *digits,
                   const char *exponent)
{
    mpq_t quoted, end;
    char text[60];
    mpq_inits(quoted, end, NULL);
    for (int upper = 0; upper < 2; upper++) {
        char *shown = dp_figure_decimal(f, upper ? DP_UPPER : DP_LOWER, 12);
        snprintf(text, sizeof text, "%s%s%s", digits, upper ? "9999999999" : "", exponent);
        rational_of(quoted, text);
        rational_of(end, shown);
        if (upper ? mpq_cmp(end, quoted) > 0 : mpq_cmp(end, quoted) < 0)
            fail_msg("%s: %s does not begin with %s%s", theorem, shown, digits, exponent);
        dp_text_free(shown);
    }
    mpq_clears(quoted, end, NULL);
    snprintf(text, sizeof text, "%s", digits);
    if (strstr(dp_theorem_find(theorem)->counterexample, text) == NULL)
        fail_msg("%s does not quote %s", theorem, digits);
}

/* Randomized response of epsilon 0.4509747 is 0.1-zCDP, and its advantage is above what the
 * Gaussian of that rho has. */
static void test_advantage_of_gaussian(void **state)
{
    (void)state;
    asked a;
    mpq_t rho[1], limit;
    asked_init(&a);
    mpq_inits(rho[0], limit, NULL);
    rational_of(rho[0], "0.1");
    number_of(&a.epsilon, "0.4509747");
    assert_int_equal(
        dp_convert(&a.r, &(dp_conversion){.pure = &a.epsilon, .to = DP_CONVERT_ZCDP}, &a.opt, NULL),
        DP_OK);
    assert_int_equal(dp_figure_le(need(&a, "pure-to-zcdp", "rho"), rho[0]), DP_YES);
    dp_conversion pure = {.pure = &a.epsilon};
    assert_int_equal(dp_advantage(&a.r, &(dp_attacker){.statement = &pure}, &a.opt, NULL), DP_OK);
    rational_of(limit, "0.2217");
    assert_int_equal(dp_figure_le(need(&a, "adv-approx", "advantage"), limit), DP_NO);
    begins(need(&a, "adv-approx", "advantage"), "adv-gaussian-from-zcdp", "0.22174", "");
    dp_conversion claim = {.zcdp = (const mpq_t *)rho, .zcdp_count = 1};
    assert_int_equal(dp_advantage(&a.r, &(dp_attacker){.statement = &claim}, &a.opt, NULL), DP_OK);
    const dp_figure *said = need(&a, "adv-gaussian-from-zcdp", "advantage");
    assert_int_equal(dp_figure_le(said, limit), DP_YES);
    begins(said, "adv-gaussian-from-zcdp", "0.176936", "");
    mpq_clears(rho[0], limit, NULL);
    asked_clear(&a);
}

/* Publishing with probability delta has a precision of 1. Randomized response with odds (e +
 * delta)/(1 - delta) is (1, delta)-DP, for its own odds give no more than that delta at 1, and its
 * loss exceeds 1 with the probability that it tells the truth. */
static void test_posterior(void **state)
{
    (void)state;
    asked a;
    mpq_t limit;
    asked_init(&a);
    mpq_init(limit);
    number_of(&a.epsilon, "1");
    number_of(&a.delta, "1e-5");
    dp_conversion approx = {.approx = &a.epsilon, .approx_delta = &a.delta};
    dp_attacker q = {.statement = &approx, .belief = &a.epsilon};
    assert_int_equal(dp_advantage(&a.r, &q, &a.opt, NULL), DP_OK);
    begins(need(&a, "ppv-approx-nofpr", "ppv"), "ppv-approx-nofpr", "0.731058", "");
    assert_int_equal(
        dp_figure_le(need(&a, "posterior-approx-published", "exceed_probability"), a.delta.value),
        DP_YES);
    rational_of(limit, "0.73106"); /* what randomized response reaches, and more */
    assert_int_equal(dp_figure_le(need(&a, "loss-tail-approx", "exceed_probability"), limit),
                     DP_NO);
    /* epsilon 1.0000136 is below ln((e + delta)/(1 - delta)) = 1.0000136787..., and above 1 */
    number_of(&a.epsilon, "1.0000136");
    number_of(&a.delta, "1");
    dp_conversion claim = {.pure = &a.epsilon, .target_epsilon = &a.delta};
    assert_int_equal(dp_convert(&a.r, &claim, &a.opt, NULL), DP_OK);
    rational_of(limit, "1e-5");
    assert_int_equal(dp_figure_le(need(&a, "approx-profile", "delta"), limit), DP_YES);
    claim.target_epsilon = NULL;
    assert_int_equal(dp_advantage(&a.r, &(dp_attacker){.statement = &claim}, &a.opt, NULL),
                     DP_OK); /* it tells the truth with the accuracy at prior 1/2 */
    begins(need(&a, "accuracy-prior", "accuracy"), "posterior-approx-published", "0.73106", "");
    mpq_set_ui(limit, 1, 1);
    number_of(&a.epsilon, "0");
    number_of(&a.delta, "1e-5");
    q.belief = NULL;
    assert_int_equal(dp_advantage(&a.r, &q, &a.opt, NULL), DP_OK);
    assert_int_equal(dp_figure_le(need(&a, "ppv-fpr", "ppv"), limit), DP_YES);
    assert_true(mpq_equal(need(&a, "ppv-fpr", "ppv")->rational, limit));
    mpq_clear(limit);
    asked_clear(&a);
}

/* What is no bound for error balls: the exact row with 1/kappa in the place of n. At epsilon = 0,
 * delta = 1/10 and two of three secrets a guess it would be 0.7; 0.7333 is reached. */
static void test_error_balls(void **state)
{
    (void)state;
    asked a;
    mpq_t claimed;
    asked_init(&a);
    mpq_init(claimed);
    rational_of(claimed, "0.7"); /* (1 + (3/2 - 1)/10)/(3/2) */
    number_of(&a.epsilon, "0");
    number_of(&a.delta, "1/10");
    number_of(&a.kappa, "2/3");
    dp_number_set_ui(&a.secrets, 3);
    a.q.adjacency = DP_REPLACE_ONE;
    a.q.kappa = &a.kappa;
    a.q.secrets = &a.secrets;
    ask(&a);
    assert_int_equal(dp_figure_le(need(&a, "rero-replace-shortlist", "reconstruction"), claimed),
                     DP_NO);
    mpq_clear(claimed);
    asked_clear(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_advantage_of_gaussian),
        cmocka_unit_test(test_posterior),
        cmocka_unit_test(test_error_balls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
