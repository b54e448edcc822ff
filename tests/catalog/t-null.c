/* SPDX-License-Identifier: MIT */
/* NULL for every pointer of every public function, options that are all zero, and what functions
 * without a status make of nonsense. */
#include "stage.h"

#include <math.h>
#include <stdlib.h>

static void test_defaults(void **state)
{
    (void)state;
    assert_int_equal(dp_options_default().digits, 10);
    for (size_t i = 0; i < QUERIES; i++) {
        stage s;
        stage_open(&s);
        s.opt = (dp_options){0};
        assert_int_equal(queries[i](&s, NULL), DP_OK);
        char *zero = print_result(&s.out);
        s.opt = dp_options_default();
        assert_int_equal(queries[i](&s, NULL), DP_OK);
        char *defaults = print_result(&s.out);
        assert_string_equal(zero, defaults);
        free(zero);
        free(defaults);
        stage_close(&s);
    }
}

static void test_null(void **state)
{
    (void)state;
    stage s;
    stage_open(&s);
    dp_error err;
#define NULL_IS(argument_, call)                                                                   \
    assert_int_equal(call, DP_DOMAIN);                                                             \
    assert_int_equal(err.status, DP_DOMAIN);                                                       \
    assert_string_equal(err.argument, argument_)
    NULL_IS("out", dp_compose(NULL, &s.query, &s.opt, &err));
    NULL_IS("query", dp_compose(&s.out, NULL, &s.opt, &err));
    NULL_IS("options", dp_compose(&s.out, &s.query, NULL, &err));
    NULL_IS("out", dp_compose_curve(NULL, &s.list, &s.x, NULL, 1, &s.opt, &err));
    NULL_IS("list", dp_compose_curve(&s.out, NULL, &s.x, NULL, 1, &s.opt, &err));
    NULL_IS("epsilon", dp_compose_curve(&s.out, &s.list, NULL, NULL, 1, &s.opt, &err));
    NULL_IS("options", dp_compose_curve(&s.out, &s.list, &s.x, NULL, 1, NULL, &err));
    NULL_IS("list", dp_composition_add(NULL, &s.point, s.share[0], s.times, &err));
    NULL_IS("epsilon", dp_composition_add(&s.list, NULL, s.share[0], s.times, &err));
    NULL_IS("delta", dp_composition_add(&s.list, &s.point, NULL, s.times, &err));
    NULL_IS("times", dp_composition_add(&s.list, &s.point, s.share[0], NULL, &err));
    NULL_IS("list", dp_composition_add_bagging(NULL, &s.bagging, s.times, 0, &err));
    NULL_IS("bagging", dp_composition_add_bagging(&s.list, NULL, s.times, 0, &err));
    NULL_IS("times", dp_composition_add_bagging(&s.list, &s.bagging, NULL, 0, &err));
    NULL_IS("out", dp_bagging_privacy(NULL, &s.bagging, &s.opt, &err));
    NULL_IS("bagging", dp_bagging_privacy(&s.out, NULL, &s.opt, &err));
    NULL_IS("options", dp_bagging_privacy(&s.out, &s.bagging, NULL, &err));
    NULL_IS("out", dp_bagging_solve(NULL, &s.bagging, DP_SOLVE_MODELS, &s.opt, &err));
    NULL_IS("bagging", dp_bagging_solve(&s.out, NULL, DP_SOLVE_MODELS, &s.opt, &err));
    NULL_IS("options", dp_bagging_solve(&s.out, &s.bagging, DP_SOLVE_MODELS, NULL, &err));
    NULL_IS("out", dp_kl(NULL, &s.list, &s.opt, &err));
    NULL_IS("list", dp_kl(&s.out, NULL, &s.opt, &err));
    NULL_IS("options", dp_kl(&s.out, &s.list, NULL, &err));
    NULL_IS("out", dp_divergences(NULL, &s.list, s.order, &s.opt, &err));
    NULL_IS("list", dp_divergences(&s.out, NULL, s.order, &s.opt, &err));
    NULL_IS("order", dp_divergences(&s.out, &s.list, NULL, &s.opt, &err));
    NULL_IS("options", dp_divergences(&s.out, &s.list, s.order, NULL, &err));
    NULL_IS("out", dp_convert(NULL, &s.conversion, &s.opt, &err));
    NULL_IS("conversion", dp_convert(&s.out, NULL, &s.opt, &err));
    NULL_IS("options", dp_convert(&s.out, &s.conversion, NULL, &err));
    NULL_IS("out", dp_igmm_privacy(NULL, &s.igmm, &s.opt, &err));
    NULL_IS("learner", dp_igmm_privacy(&s.out, NULL, &s.opt, &err));
    NULL_IS("options", dp_igmm_privacy(&s.out, &s.igmm, NULL, &err));
    NULL_IS("out", dp_generalization_bound(NULL, &s.learner, &s.opt, &err));
    NULL_IS("learner", dp_generalization_bound(&s.out, NULL, &s.opt, &err));
    NULL_IS("options", dp_generalization_bound(&s.out, &s.learner, NULL, &err));
    NULL_IS("out", dp_majority_designs(NULL, &s.majority, &s.opt, &err));
    NULL_IS("council", dp_majority_designs(&s.out, NULL, &s.opt, &err));
    NULL_IS("options", dp_majority_designs(&s.out, &s.majority, NULL, &err));
    NULL_IS("out", dp_response_probability(NULL, &s.votes, &s.opt, &err));
    NULL_IS("votes", dp_response_probability(&s.out, NULL, &s.opt, &err));
    NULL_IS("options", dp_response_probability(&s.out, &s.votes, NULL, &err));
    NULL_IS("x", dp_number_parse(NULL, "1", 1, &err));
    NULL_IS("text", dp_number_parse(&s.x, NULL, 1, &err));
    stage_close(&s);
}

static void test_null_lists(void **state)
{
    (void)state;
    REFUSED(ask_compose, "list", s.query.list = NULL);
    REFUSED(ask_majority, "groups", s.majority.groups = NULL);
}

/* Functions without a status: nothing is done to NULL, and nothing is said of it. */
static void test_without_status(void **state)
{
    (void)state;
    dp_number_init(NULL), dp_number_clear(NULL), dp_number_set_ui(NULL, 1);
    dp_figure_init(NULL), dp_figure_clear(NULL), dp_text_free(NULL);
    dp_result_init(NULL), dp_result_clear(NULL);
    dp_composition_init(NULL), dp_composition_clear(NULL);
    dp_composition_init_under(NULL, DP_REPLACE_ONE);
    dp_bagging_init(NULL), dp_bagging_clear(NULL);
    dp_igmm_init(NULL), dp_igmm_clear(NULL);
    dp_generalization_init(NULL), dp_generalization_clear(NULL);
    dp_majority_init(NULL), dp_majority_clear(NULL);
    dp_response_init(NULL), dp_response_clear(NULL);
    dp_number x;
    dp_number_init(&x);
    dp_number_set(&x, NULL), dp_number_set(NULL, &x);
    dp_number_clear(&x);
    assert_int_equal(dp_number_sgn(NULL), 0);
    assert_null(dp_result_figure(NULL, "delta"));
    assert_null(dp_theorem_find(NULL));
    assert_null(dp_theorem_at(SIZE_MAX));
    assert_int_equal(dp_quantity_safe(NULL), DP_UPPER);
    assert_string_equal(dp_relation_text((dp_relation)9), "unknown");
    assert_string_equal(dp_status_text((dp_status)99), "unknown");
    assert_string_equal(dp_verdict_text((dp_verdict)9), "unknown");
    dp_figure f;
    mpq_t bound;
    dp_figure_init(&f);
    mpq_init(bound);
    assert_int_equal(dp_figure_le(&f, bound), DP_YES);
    assert_int_equal(dp_figure_le(NULL, bound), DP_UNKNOWN);
    assert_int_equal(dp_figure_le(&f, NULL), DP_UNKNOWN);
    mpz_set_ui(mpq_denref(bound), 0);
    assert_int_equal(dp_figure_le(&f, bound), DP_UNKNOWN);
    mpq_clear(bound);
    static const size_t digits[] = {0, 10001, 1000000000, SIZE_MAX};
    for (size_t i = 0; i < 4; i++) {
        assert_null(dp_figure_decimal(&f, DP_UPPER, digits[i]));
        assert_true(dp_figure_double(&f, DP_UPPER, digits[i]) == HUGE_VAL);
        assert_true(dp_figure_double(&f, DP_LOWER, digits[i]) == -HUGE_VAL);
        assert_true(dp_figure_double_up(&f, digits[i]) == HUGE_VAL);
    }
    assert_null(dp_figure_decimal(NULL, DP_UPPER, 3));
    assert_null(dp_figure_decimal(&f, (dp_end)5, 3));
    assert_true(dp_figure_double(NULL, DP_UPPER, 3) == HUGE_VAL);
    char *text = dp_figure_decimal(&f, DP_UPPER, 10000);
    assert_string_equal(text, "0");
    dp_text_free(text);
    dp_figure_clear(&f);
}
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_null),
        cmocka_unit_test(test_null_lists),
        cmocka_unit_test(test_without_status),
    };
    return cmocka_run_group_tests_name("null", tests, NULL, NULL);
}
