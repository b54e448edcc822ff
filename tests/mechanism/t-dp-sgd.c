/* SPDX-License-Identifier: MIT */
/* DP-SGD: dp-sgd-renyi and dp-sgd-moments beside the reference values of another program (mpmath),
 * steps and rates from the sizes of a run, what is solved for, and the proof that less would not
 * do.
 */
#include "mechanism/dp_sgd.h"

#include "core/result.h"

#include "support.h"

#include <math.h>
#include <string.h>

#include "num/logform.h"
#include "num/number.h"

static dp_mechanism *run_of(const char *sigma, const char *rate, const char *steps)
{
    dp_mechanism *m = dp_mechanism_new("dp-sgd", NULL);
    assert_int_equal(dp_mechanism_set(m, "noise-multiplier", sigma, NULL), DP_OK);
    assert_int_equal(dp_mechanism_set(m, "sampling-rate", rate, NULL), DP_OK);
    assert_int_equal(dp_mechanism_set(m, "steps", steps, NULL), DP_OK);
    return m;
}

static dp_mechanism *epochs_of(const char *size, const char *batch, const char *epochs)
{
    dp_mechanism *m = dp_mechanism_new("dp-sgd", NULL);
    assert_int_equal(dp_mechanism_set(m, "noise-multiplier", "1.1", NULL), DP_OK);
    assert_int_equal(dp_mechanism_set(m, "dataset-size", size, NULL), DP_OK);
    assert_int_equal(dp_mechanism_set(m, "batch-size", batch, NULL), DP_OK);
    assert_int_equal(dp_mechanism_set(m, "epochs", epochs, NULL), DP_OK);
    return m;
}

/* Every row at a target; the mechanism is given up. */
static void ask(dp_result *r, dp_mechanism *m, const char *epsilon, const char *delta)
{
    dp_number x, y;
    dp_error err;
    dp_options opt = dp_options_default();
    opt.all = true;
    opt.digits = 20;
    dp_number_init(&x);
    dp_number_init(&y);
    number_of(&x, epsilon != NULL ? epsilon : "0");
    number_of(&y, delta != NULL ? delta : "0");
    if (dp_sgd_privacy(r, m, epsilon != NULL ? &x : NULL, delta != NULL ? &y : NULL, DP_SGD_NOTHING,
                       &opt, &err) != DP_OK)
        fail_msg("%s: %s", err.argument, err.message);
    dp_number_clear(&y);
    dp_number_clear(&x);
    dp_mechanism_free(m);
}

/* The figure is the number of the text to that many digits. */
static void is(const dp_figure *f, const char *text, int digits)
{
    mpq_t low, high, slack;
    mpq_inits(low, high, slack, NULL);
    rational_of(low, text);
    mpq_abs(slack, low);
    for (int i = 0; i < digits; i++) {
        mpq_set_ui(high, 10, 1);
        mpq_div(slack, slack, high);
    }
    mpq_add(high, low, slack);
    mpq_sub(low, low, slack);
    if (dp_figure_le(f, high) != DP_YES || dp_figure_le(f, low) == DP_YES)
        fail_msg("not %s", text);
    mpq_clears(low, high, slack, NULL);
}

static bool at_most(const dp_figure *f, const char *text)
{
    mpq_t q;
    mpq_init(q);
    rational_of(q, text);
    bool le = dp_figure_le(f, q) == DP_YES;
    mpq_clear(q);
    return le;
}

/* The reference values over integer orders, which no order between is above; what the steps truly
 * spend, by the law of their losses, is below. */
static void test_values(void **state)
{
    (void)state;
    static const struct {
        const char *sigma, *steps, *classic, *classic_order, *improved;
        unsigned long improved_order;
    } of[] = {
        {"1", "1000", "2.53834754545892162164370580549", "8", "2.10775307545156529446140556107", 8},
        {"4", "10000", "1.25857474125278750899997708615", "20", "1.03549006603629667934417375613",
         17}};
    dp_result r;
    dp_result_init(&r);
    for (size_t i = 0; i < 2; i++) {
        ask(&r, run_of(of[i].sigma, "0.01", of[i].steps), NULL, "0.00001");
        is(row_of(&r, "dp-sgd-moments", "epsilon"), of[i].classic, 19);
        is(row_of(&r, "dp-sgd-moments", "alpha"), of[i].classic_order, 19);
        assert_true(at_most(row_of(&r, "dp-sgd-renyi", "epsilon"), of[i].improved));
        dp_mechanism *m = run_of(of[i].sigma, "0.01", of[i].steps);
        dp_sgd s;
        mpz_t one;
        mpq_t alpha, delta;
        dp_figure f;
        mpz_init_set_ui(one, 1);
        mpq_inits(alpha, delta, NULL);
        dp_figure_init(&f);
        rational_of(delta, "0.00001");
        dp_sgd_init(&s, m, one);
        assert_true(dp_sgd_epsilon(figure_enclose(&f, 128), alpha, &s, delta, true, true));
        is(&f, of[i].improved, 28);
        assert_int_equal(mpq_cmp_ui(alpha, of[i].improved_order, 1), 0);
        dp_figure_clear(&f);
        mpq_clears(alpha, delta, NULL);
        dp_sgd_clear(&s);
        mpz_clear(one);
        dp_mechanism_free(m);
    }
    ask(&r, run_of("1", "0.01", "1000"), NULL, "1e-5");
    assert_false(at_most(row_of(&r, "dp-sgd-renyi", "epsilon"), "1.828236666516576842614"));
    assert_true(at_most(row_of(&r, "dp-sgd-renyi", "epsilon"), "2.1014"));
    ask(&r, run_of("1", "0.01", "1000"), "1", NULL);
    assert_false(at_most(row_of(&r, "dp-sgd-renyi", "delta"), "0.0025767"));
    dp_result_clear(&r);
}

/* Without sampling it is the Gaussian: T steps of sigma 2 as compose-renyi has it. Where nobody is
 * sampled nothing is spent; a rate that no double holds is not that. Improved conversions below 0
 * are 0. */
static void test_edges(void **state)
{
    (void)state;
    dp_result r;
    dp_result_init(&r);
    ask(&r, run_of("2", "1", "10"), NULL, "1e-5");
    is(row_of(&r, "dp-sgd-renyi", "epsilon"), "8.0783595490", 9);
    ask(&r, run_of("2", "0", "10"), NULL, "1e-5");
    assert_true(at_most(row_of(&r, "dp-sgd-renyi", "epsilon"), "0"));
    ask(&r, run_of("2", "1e-400", "10"), "0", NULL);
    assert_false(at_most(row_of(&r, "dp-sgd-renyi", "delta"), "1e-401"));
    assert_true(at_most(row_of(&r, "dp-sgd-renyi", "delta"), "3e-400"));
    ask(&r, run_of("8", "256/60000", "23438"), NULL, "0.154");
    assert_true(at_most(row_of(&r, "dp-sgd-renyi", "epsilon"), "0"));
    ask(&r, run_of("2", "0.5", "10"), NULL, "0");
    assert_int_equal(row_of(&r, "dp-sgd-renyi", "epsilon")->kind, DP_INFINITE);
    dp_result_clear(&r);
}

/* Noise on an averaged gradient has a sigma that is the batch size smaller: every row that decides
 * says which one it takes. */
static void test_noise_is_of_the_sum(void **state)
{
    (void)state;
    size_t rows = 0;
    for (size_t i = 0; i < dp_theorem_count(); i++) {
        const dp_theorem *t = dp_theorem_at(i);
        if (strcmp(t->family, "dp-sgd") != 0)
            continue;
        rows++;
        assert_non_null(strstr(t->assumes, "on the sum of gradients clipped to C"));
    }
    assert_true(rows >= 5);
}

/* 60 epochs of 60000 / 256 = 234.375 batches are 14062.5 steps: the last one is run too. */
static void test_epochs(void **state)
{
    (void)state;
    dp_result a, b;
    dp_result_init(&a);
    dp_result_init(&b);
    ask(&a, epochs_of("60000", "256", "60"), NULL, "1e-5");
    ask(&b, run_of("1.1", "256/60000", "14063"), NULL, "1e-5");
    const dp_figure *x = row_of(&a, "dp-sgd-renyi", "epsilon");
    assert_int_equal(figure_compare_upper(x, row_of(&b, "dp-sgd-renyi", "epsilon")), 0);
    ask(&b, run_of("1.1", "256/60000", "14062"), NULL, "1e-5");
    assert_true(figure_compare_upper(x, row_of(&b, "dp-sgd-renyi", "epsilon")) > 0);
    ask(&a, epochs_of("60000", "256", "64"), NULL, "1e-5"); /* 15000, and no more */
    ask(&b, run_of("1.1", "256/60000", "15000"), NULL, "1e-5");
    x = row_of(&a, "dp-sgd-renyi", "epsilon");
    assert_int_equal(figure_compare_upper(x, row_of(&b, "dp-sgd-renyi", "epsilon")), 0);
    dp_result_clear(&b);
    dp_result_clear(&a);
}

/* What was solved keeps the budget by the row itself, and the next one, shown as `next`, does not
 * at any order. */
static void solved(dp_mechanism *m, dp_sgd_unknown unknown, const char *epsilon, const char *delta,
                   const char *found, const char *next, bool fails)
{
    dp_result r;
    dp_error err;
    dp_options opt = dp_options_default();
    dp_number e, d;
    dp_result_init(&r);
    dp_number_init(&e);
    dp_number_init(&d);
    number_of(&e, epsilon);
    number_of(&d, delta);
    opt.digits = 8;
    opt.max_epsilon = &e;
    opt.max_delta = &d;
    assert_int_equal(dp_sgd_privacy(&r, m, NULL, NULL, unknown, &opt, &err), DP_OK);
    const char *name = unknown == DP_SGD_NOISE ? "noise_multiplier" : "steps";
    is(row_of(&r, "dp-sgd-renyi", name), found, 30);
    assert_int_equal(r.check.holds, DP_YES);
    assert_int_equal(dp_figure_le(row_of(&r, "dp-sgd-renyi", "delta"), number_rational(&d)),
                     DP_YES);
    dp_sgd s;
    mpz_t one;
    logform x;
    logform_init(&x);
    assert_true(logform_add_number(&x, NULL, &e));
    mpz_init_set_ui(one, 1);
    for (int i = 0; i < 2; i++) {
        mpq_t q;
        mpq_init(q);
        rational_of(q, i == 0 ? found : next);
        mechanism_set_q(m, unknown == DP_SGD_NOISE ? "noise-multiplier" : "steps", q);
        dp_sgd_init(&s, m, one);
        assert_int_equal(dp_sgd_fails(&s, &x, number_rational(&d), 160), i == 1 && fails);
        dp_sgd_clear(&s);
        mpq_clear(q);
    }
    mpz_clear(one);
    logform_clear(&x);
    dp_number_clear(&d);
    dp_number_clear(&e);
    dp_result_clear(&r);
    dp_mechanism_free(m);
}

static void test_solve(void **state)
{
    (void)state;
    solved(run_of("1", "0.01", "1"), DP_SGD_STEPS, "2", "1e-5", "881", "882", true);
    solved(run_of("4", "0.01", "1"), DP_SGD_STEPS, "ln(3)", "1e-6", "8894", "8895", true);
    solved(run_of("1", "256/60000", "23438"), DP_SGD_NOISE, "0", "0.154", "2.6544522", "2.6544521",
           true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values), cmocka_unit_test(test_edges),
        cmocka_unit_test(test_epochs), cmocka_unit_test(test_noise_is_of_the_sum),
        cmocka_unit_test(test_solve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
