/* SPDX-License-Identifier: MIT */
/* Every unsound statement of the registry is refuted again: its figure as printed, recomputed by
 * the library, against a true value found here or by an exact bound. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The figures of a query that is asked with every bound. */
typedef struct asked {
    dp_composition list;
    dp_result r;
    dp_number x, y;
    dp_options opt;
} asked;

static void asked_init(asked *a)
{
    dp_composition_init(&a->list);
    dp_result_init(&a->r);
    dp_number_init(&a->x);
    dp_number_init(&a->y);
    a->opt = dp_options_default();
    a->opt.all = true;
    a->opt.digits = 12;
    a->opt.max_seconds = 2;
}

static void asked_clear(asked *a)
{
    dp_number_clear(&a->y);
    dp_number_clear(&a->x);
    dp_result_clear(&a->r);
    dp_composition_clear(&a->list);
}

static const dp_figure *need(const dp_result *r, const char *theorem, const char *quantity)
{
    const dp_figure *f = row_of(r, theorem, quantity);
    if (f == NULL)
        fail_msg("no %s of %s", quantity, theorem);
    return f;
}

/* The figure begins with the digits that the counterexample of the theorem quotes. */
static void expect_quoted(const dp_figure *f, const char *theorem, const char *digits,
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

/* a < b for certain */
static void expect_below(const dp_figure *a, const dp_figure *b)
{
    assert_false(figure_may_be_le(b, a));
}

/* The optimum at a slightly larger epsilon than the printed one still exceeds the printed delta. */
static void refute_pair(asked *a, const char *theorem, const char *quoted, const char *exponent,
                        const char *epsilon_above, const char *optimum)
{
    const dp_figure *printed = need(&a->r, theorem, "delta");
    const dp_figure *epsilon = need(&a->r, theorem, "epsilon");
    mpq_t above;
    dp_result best;
    mpq_init(above);
    dp_result_init(&best);
    rational_of(above, epsilon_above);
    assert_int_equal(dp_figure_le(epsilon, above), DP_YES);
    ask_delta(&best, &a->list, epsilon_above, 12);
    expect_quoted(printed, theorem, quoted, exponent);
    expect_below(printed, need(&best, "compose-optimal", "delta"));
    expect_quoted(need(&best, "compose-optimal", "delta"), theorem, optimum, exponent);
    dp_result_clear(&best);
    mpq_clear(above);
}

static void ask_he2021(asked *a, const char *epsilon, const char *delta, unsigned long times,
                       const char *slack, const char *target)
{
    list_add(&a->list, epsilon, delta, times);
    dp_compose_query q = {.list = &a->list, .method = DP_COMPOSE_HE2021};
    number_of(&a->x, slack != NULL ? slack : target);
    *(slack != NULL ? &q.slack : &q.target_epsilon) = &a->x;
    assert_int_equal(dp_compose(&a->r, &q, &a->opt, NULL), DP_OK);
}

static void test_theorem_4(void **state)
{
    (void)state;
    asked a;
    asked_init(&a);
    ask_he2021(&a, "1", "1e-5", 1000, "1e-12", NULL);
    refute_pair(&a, "he2021-theorem-4", "0.0085793", "", "697.196", "0.0099502");
    asked_clear(&a);
}

static void test_corollary_1(void **state)
{
    (void)state;
    asked a;
    asked_init(&a);
    ask_he2021(&a, "0.01", "1e-6", 10000, "1e-10", NULL);
    refute_pair(&a, "he2021-corollary-1", "0.00992892", "", "7.286137", "0.00995017");
    asked_clear(&a);
}

static void test_corollary_2(void **state)
{
    (void)state;
    asked a;
    asked_init(&a);
    ask_he2021(&a, "1", "0", 10, NULL, "8");
    const dp_figure *printed = need(&a.r, "he2021-corollary-2", "delta");
    expect_quoted(printed, "he2021-corollary-2", "6.3058", "e-9");
    const dp_figure *optimum = need(&a.r, "compose-optimal", "delta");
    expect_quoted(optimum, "he2021-corollary-2", "0.0377024", "");
    expect_below(printed, optimum);
    asked_clear(&a);
}

static void test_theorem_6(void **state)
{
    (void)state;
    asked a;
    asked_init(&a);
    ask_he2021(&a, "0.001", "1e-6", 1000, "1e-9", NULL);
    refute_pair(&a, "he2021-theorem-6", "9.993646", "e-4", "0.2040843", "9.995006");
    asked_clear(&a);
}

static void test_independent_tightness(void **state)
{
    (void)state;
    asked a;
    dp_bagging b;
    asked_init(&a);
    dp_bagging_init(&b);
    b.sampling = DP_WITHOUT_INDEPENDENT;
    mpz_set_ui(b.dataset_size, 2);
    mpz_set_ui(b.subsample_size, 1);
    mpz_set_ui(b.models, 2);
    assert_int_equal(dp_bagging_privacy(&a.r, &b, &a.opt, NULL), DP_OK);
    const dp_figure *exact = need(&a.r, "bagging-independent-exact", "delta");
    assert_int_equal(mpq_cmp_ui(exact->rational, 3, 4), 0);
    expect_below(exact, need(&a.r, "bagging-independent-published", "delta"));
    dp_bagging_clear(&b);
    asked_clear(&a);
}

/* Pr[1] is 9/32 with the record and 1/8 without it: delta(ln 7/4) = 9/32 - 7/32 = 1/16. */
static void test_mixture(void **state)
{
    (void)state;
    asked a;
    dp_bagging b;
    mpq_t truth, odds;
    mpq_inits(truth, odds, NULL);
    asked_init(&a);
    dp_bagging_init(&b);
    number_of(&a.x, "ln(2)");
    mpz_set_ui(b.dataset_size, 2);
    mpz_set_ui(b.subsample_size, 2);
    b.base_epsilon = &a.x;
    assert_int_equal(dp_bagging_privacy(&a.r, &b, &a.opt, NULL), DP_OK);
    const dp_figure *claimed = need(&a.r, "amplify-with-mixture", "delta");
    assert_true(claimed->kind == DP_RATIONAL && mpq_sgn(claimed->rational) == 0);
    mpfr_t low, high;
    mpfr_inits2(200, low, high, (mpfr_ptr)NULL);
    rational_of(odds, "7/4");
    mpfr_set_q(low, odds, MPFR_RNDD);
    mpfr_log(low, low, MPFR_RNDD);
    mpfr_set_q(high, odds, MPFR_RNDU);
    mpfr_log(high, high, MPFR_RNDU);
    assert_true(figure_holds_fr(need(&a.r, "amplify-with-mixture", "epsilon"), low, high));
    mpfr_clears(low, high, (mpfr_ptr)NULL);
    /* what is certified there is not below the truth */
    number_of(&a.y, "ln(7/4)");
    b.target_epsilon = &a.y;
    assert_int_equal(dp_bagging_privacy(&a.r, &b, &a.opt, NULL), DP_OK);
    rational_of(truth, "1/16");
    for (size_t i = 0; i < a.r.count; i++)
        assert_int_equal(dp_figure_le(&a.r.row[i].quantity[1].figure, truth), DP_NO);
    dp_bagging_clear(&b);
    asked_clear(&a);
    mpq_clears(truth, odds, NULL);
}

/* Phi(r/2 - x/r) - e^x Phi(-r/2 - x/r) for r = 2, to within 2^-200 */
static void gaussian_delta(mpfr_t out, const mpfr_t x)
{
    mpfr_t half, arg;
    mpfr_inits2(300, half, arg, (mpfr_ptr)NULL);
    mpfr_div_ui(half, x, 2, MPFR_RNDN);
    mpfr_sqrt_ui(arg, 2, MPFR_RNDN);
    mpfr_sub_ui(out, half, 1, MPFR_RNDN); /* Phi(1 - x/2) = erfc((x/2 - 1)/sqrt 2)/2 */
    mpfr_div(out, out, arg, MPFR_RNDN);
    mpfr_erfc(out, out, MPFR_RNDN);
    mpfr_add_ui(half, half, 1, MPFR_RNDN);
    mpfr_div(half, half, arg, MPFR_RNDN);
    mpfr_erfc(half, half, MPFR_RNDN);
    mpfr_exp(arg, x, MPFR_RNDN);
    mpfr_mul(half, half, arg, MPFR_RNDN);
    mpfr_sub(out, out, half, MPFR_RNDN);
    mpfr_div_ui(out, out, 2, MPFR_RNDN);
    mpfr_clears(half, arg, (mpfr_ptr)NULL);
}

static void test_igmm(void **state)
{
    (void)state;
    asked a;
    dp_igmm g;
    asked_init(&a);
    dp_igmm_init(&g);
    mpz_set_ui(g.samples, 1);
    mpz_set_ui(g.batch, 1);
    mpz_set_ui(g.times, 1);
    mpq_set_ui(g.diameter, 2, 1);
    mpq_set_ui(g.sigma, 1, 1);
    number_of(&a.x, "1e-5");
    number_of(&a.y, "0.999999");
    g.delta = &a.x;
    g.slack = &a.y;
    assert_int_equal(dp_igmm_privacy(&a.r, &g, &a.opt, NULL), DP_OK);
    const dp_figure *epsilon = need(&a.r, "igmm-published", "epsilon");
    const dp_figure *printed = need(&a.r, "igmm-published", "delta");
    const dp_figure *exact = need(&a.r, "igmm-gaussian", "delta");
    expect_quoted(epsilon, "igmm-published", "6.79299", "");
    expect_quoted(exact, "igmm-published", "3.3721", "e-3");
    expect_below(printed, exact);
    expect_below(printed, need(&a.r, "igmm-certified", "delta"));
    assert_true(figure_may_be_le(exact, need(&a.r, "igmm-certified", "delta")));
    mpfr_t low, high;
    mpfr_inits2(300, low, high, (mpfr_ptr)NULL);
    gaussian_delta(high, &epsilon->enclosure->left);
    gaussian_delta(low, &epsilon->enclosure->right);
    assert_true(figure_holds_fr(exact, low, high));
    mpfr_clears(low, high, (mpfr_ptr)NULL);
    dp_igmm_clear(&g);
    asked_clear(&a);
}

/* The majority of one mechanism with T = 0.4, lambda = 0.01: published with probability p it is
 * private at (0.5, 1e-4) only if 0.01 p + (1-p)/2 <= e^0.5 (1-p)/2 + 1e-4. */
static void test_response(void **state)
{
    (void)state;
    asked a;
    dp_response r;
    asked_init(&a);
    dp_response_init(&r);
    mpz_set_ui(r.mechanisms, 1);
    number_of(&r.epsilon, "0.4");
    rational_of(r.delta, "0.01");
    number_of(&a.x, "0.5");
    r.target_epsilon = &a.x;
    rational_of(r.target_delta, "1e-4");
    assert_int_equal(dp_response_probability(&a.r, &r, &a.opt, NULL), DP_OK);
    mpq_t one;
    mpfr_t most, grow;
    mpq_init(one);
    mpfr_inits2(200, most, grow, (mpfr_ptr)NULL);
    mpq_set_ui(one, 1, 1);
    assert_int_equal(dp_figure_le(need(&a.r, "rr-prob-printed", "probability"), one), DP_YES);
    /* (g + 1e-4)/(g + 0.01), g = (e^0.5 - 1)/2, rounded up */
    mpfr_set_d(grow, 0.5, MPFR_RNDU);
    mpfr_expm1(grow, grow, MPFR_RNDU);
    mpfr_div_ui(grow, grow, 2, MPFR_RNDU);
    rational_of(one, "1e-4");
    mpfr_add_q(most, grow, one, MPFR_RNDU);
    rational_of(one, "0.01");
    mpfr_add_q(grow, grow, one, MPFR_RNDD);
    mpfr_div(most, most, grow, MPFR_RNDU);
    const dp_figure *printed = need(&a.r, "rr-prob-printed", "probability");
    assert_false(figure_holds_fr(printed, most, most));
    const dp_figure *certified = dp_result_figure(&a.r, "probability");
    expect_below(certified, printed);
    assert_true(mpfr_lessequal_p(&certified->enclosure->left, most));
    mpfr_clears(most, grow, (mpfr_ptr)NULL);
    mpq_clear(one);
    dp_response_clear(&r);
    asked_clear(&a);
}

/* What the quotations claim, against the learners of their counterexamples. */
static void test_generalization(void **state)
{
    (void)state;
    asked a;
    dp_generalization g;
    mpq_t claim;
    mpq_init(claim);
    asked_init(&a);
    dp_generalization_init(&g);
    number_of(&g.epsilon, "1/100");
    number_of(&a.x, "1");
    number_of(&a.y, "0.4");
    g.samples = &a.x;
    g.gap = &a.y;
    assert_int_equal(dp_generalization_bound(&a.r, &g, &a.opt, NULL), DP_OK);
    /* |Gen| = 1/2 always */
    rational_of(claim, "0.13");
    assert_int_equal(
        dp_figure_le(need(&a.r, "generalization-nissim-stemmer-quoted", "bound"), claim), DP_YES);
    const dp_figure *failure =
        need(&a.r, "generalization-nissim-stemmer-quoted", "failure_probability");
    rational_of(claim, "0");
    assert_int_equal(dp_figure_le(failure, claim), DP_YES);
    /* Pr(Gen = 1) = delta */
    rational_of(g.delta, "1e-3");
    assert_int_equal(dp_generalization_bound(&a.r, &g, &a.opt, NULL), DP_OK);
    failure = need(&a.r, "generalization-dwork-quoted", "failure_probability");
    rational_of(claim, "1e-4"); /* 8 delta epsilon, ten times less */
    assert_int_equal(dp_figure_le(failure, claim), DP_YES);
    rational_of(claim, "1");
    assert_int_equal(dp_figure_le(need(&a.r, "generalization-dwork-quoted", "bound"), claim),
                     DP_YES);
    assert_int_not_equal(
        dp_figure_le(need(&a.r, "generalization-certified-failure", "failure_probability"),
                     g.delta),
        DP_YES);
    dp_generalization_clear(&g);
    asked_clear(&a);
    mpq_clear(claim);
}

/* The constant 0.7177597398 keeps (1, 0)-DP, and at p = 0.6 its error (1 - gamma)(0.648 - 1/2) is
 * below the bound |0.648 - 0.6| that every (1, 0)-DP answer should have. */
static void test_lemma_3_2(void **state)
{
    (void)state;
    asked a;
    dp_majority m;
    mpq_t gamma[2], vote[1], error;
    asked_init(&a);
    dp_majority_init(&m);
    mpq_inits(gamma[0], gamma[1], vote[0], error, NULL);
    list_add(&a.list, "1", "0", 3);
    number_of(&a.x, "1");
    m.groups = &a.list;
    m.allowance = &a.x;
    rational_of(gamma[0], "0.7177597398");
    mpq_set(gamma[1], gamma[0]);
    rational_of(vote[0], "0.6");
    m.gamma = (const mpq_t *)gamma;
    m.gamma_count = 2;
    m.votes = (const mpq_t *)vote;
    m.vote_count = 1;
    assert_int_equal(dp_majority_designs(&a.r, &m, &a.opt, NULL), DP_OK);
    assert_int_equal(a.r.check.holds, DP_YES);
    const dp_figure *claimed = need(&a.r, "majority-lemma-3-2", "total_variation");
    rational_of(error, "0.2822402602"); /* 1 - gamma */
    rational_of(vote[0], "0.148");
    mpq_mul(error, error, vote[0]);
    assert_int_equal(dp_figure_le(claimed, error), DP_NO);
    rational_of(vote[0], "0.048");
    assert_true(figure_holds_q(claimed, vote[0]));
    mpq_clears(gamma[0], gamma[1], vote[0], error, NULL);
    dp_majority_clear(&m);
    asked_clear(&a);
}

/* Randomized response with epsilon = 1 is 0.4622-zCDP, and its delta at 0 is above what the
 * Gaussian profile of that rho says; so is that of discrete Gaussian noise. */
static void test_zcdp_gaussian(void **state)
{
    (void)state;
    asked a;
    mpq_t rho[1], limit;
    asked_init(&a);
    mpq_inits(rho[0], limit, NULL);
    rational_of(rho[0], "0.4622");
    number_of(&a.x, "1");
    assert_int_equal(
        dp_convert(&a.r, &(dp_conversion){.pure = &a.x, .to = DP_CONVERT_ZCDP}, &a.opt, NULL),
        DP_OK);
    assert_int_equal(dp_figure_le(need(&a.r, "pure-to-zcdp", "rho"), rho[0]), DP_YES);
    number_of(&a.y, "0");
    dp_conversion q = {.pure = &a.x, .target_epsilon = &a.y};
    assert_int_equal(dp_convert(&a.r, &q, &a.opt, NULL), DP_OK);
    rational_of(limit, "0.4621");
    assert_int_equal(dp_figure_le(need(&a.r, "approx-profile", "delta"), limit), DP_NO);
    expect_quoted(need(&a.r, "approx-profile", "delta"), "zcdp-to-dp-gaussian", "0.4621", "");
    q = (dp_conversion){.zcdp = (const mpq_t *)rho, .zcdp_count = 1, .target_epsilon = &a.y};
    assert_int_equal(dp_convert(&a.r, &q, &a.opt, NULL), DP_OK);
    expect_quoted(need(&a.r, "zcdp-to-dp-gaussian", "delta"), "zcdp-to-dp-gaussian", "0.369", "");
    assert_int_equal(dp_figure_le(need(&a.r, "zcdp-to-dp-gaussian", "delta"), limit), DP_YES);
    /* sigma = 1, sensitivity 1: rho = 1/2; the discrete one has 0.1413515 at epsilon = 1 */
    rational_of(rho[0], "1/2");
    q.target_epsilon = &a.x;
    assert_int_equal(dp_convert(&a.r, &q, &a.opt, NULL), DP_OK);
    expect_quoted(need(&a.r, "zcdp-to-dp-gaussian", "delta"), "zcdp-to-dp-gaussian", "0.12693", "");
    mpq_clears(rho[0], limit, NULL);
    asked_clear(&a);
}

/* A new unsound statement must come with a test above, or in t-dp-sgd-refuted, t-pate-refuted,
 * t-advantage-refuted, t-audit-refuted or t-discrete-gaussian. */
static void test_all_are_here(void **state)
{
    (void)state;
    static const char *const refuted[] = {"compose-cells-greatest",
                                          "bagging-independent-tightness",
                                          "amplify-with-mixture",
                                          "he2021-theorem-4",
                                          "he2021-corollary-1",
                                          "he2021-corollary-2",
                                          "he2021-theorem-6",
                                          "igmm-published",
                                          "generalization-nissim-stemmer-quoted",
                                          "generalization-dwork-quoted",
                                          "rr-prob-printed",
                                          "majority-lemma-3-2",
                                          "zcdp-to-dp-gaussian",
                                          "filter-optimal",
                                          "odometer-optimal", /* in t-filter */
                                          "pate-lnmax-script",
                                          "pate-bagging-published",
                                          "pate-stop-after",
                                          "dp-sgd-moments-printed",
                                          "dp-sgd-clt",
                                          "adv-gaussian-from-zcdp",
                                          "ppv-approx-nofpr",
                                          "posterior-approx-published",
                                          "discrete-gaussian-continuous",
                                          "audit-logkatz",
                                          "audit-bayes",
                                          "audit-gdp-to-eps",
                                          "onerun-2023"};
    for (size_t i = 0; i < dp_theorem_count(); i++) {
        const dp_theorem *t = dp_theorem_at(i);
        bool known = false;
        for (size_t j = 0; j < sizeof refuted / sizeof *refuted; j++)
            known = known || strcmp(t->id, refuted[j]) == 0;
        if (known != (t->verdict == DP_UNSOUND))
            fail_msg("%s", t->id);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_theorem_4),
        cmocka_unit_test(test_corollary_1),
        cmocka_unit_test(test_corollary_2),
        cmocka_unit_test(test_theorem_6),
        cmocka_unit_test(test_independent_tightness),
        cmocka_unit_test(test_mixture),
        cmocka_unit_test(test_igmm),
        cmocka_unit_test(test_response),
        cmocka_unit_test(test_generalization),
        cmocka_unit_test(test_lemma_3_2),
        cmocka_unit_test(test_zcdp_gaussian),
        cmocka_unit_test(test_all_are_here),
    };
    return cmocka_run_group_tests_name("counterexamples", tests, NULL, NULL);
}
