/* SPDX-License-Identifier: MIT */
/* The published statements about teachers' votes that fail, refuted again. */
#include <math.h>

#include "support.h"

typedef struct asked {
    dp_result r;
    dp_number scale, x, y;
    dp_options opt;
} asked;

static void asked_init(asked *a, const char *scale)
{
    dp_result_init(&a->r);
    dp_number_init(&a->scale);
    dp_number_init(&a->x);
    dp_number_init(&a->y);
    a->opt = dp_options_default();
    a->opt.all = true;
    number_of(&a->scale, scale);
    number_of(&a->y, "1e-3");
}

static void asked_clear(asked *a)
{
    dp_number_clear(&a->y);
    dp_number_clear(&a->x);
    dp_number_clear(&a->scale);
    dp_result_clear(&a->r);
}

static bool is_at_most(const dp_result *r, const char *theorem, const char *quantity,
                       const char *limit)
{
    mpq_t q;
    mpq_init(q);
    rational_of(q, limit);
    bool ok = dp_figure_le(row_of(r, theorem, quantity), q) == DP_YES;
    mpq_clear(q);
    return ok;
}

/* Votes 1 to 0 against 0 to 1 under Laplace noise of scale 1/10: the loser is published with
 * probability (2 + 10)/(4 e^10), below 1.4e-4, so delta(0.1) >= 1 - 2.2 * 1.4e-4. */
static void test_stop_after(void **state)
{
    (void)state;
    asked a;
    asked_init(&a, "10");
    number_of(&a.x, "0.1");
    a.opt.max_epsilon = &a.x;
    a.opt.max_delta = &a.y;
    dp_pate p = {.aggregator = DP_LNMAX, .inverse_scale = &a.scale, .solve = DP_PATE_QUERIES};
    assert_int_equal(dp_pate_privacy(&a.r, &p, &a.opt, NULL), DP_OK);
    assert_int_not_equal(a.r.check.holds, DP_YES);
    assert_true(is_at_most(&a.r, "pate-stop-after", "queries", "1"));
    assert_false(is_at_most(&a.r, "pate-stop-after", "queries", "0"));
    assert_true(is_at_most(&a.r, "pate-moments", "queries", "0"));
    assert_true(is_at_most(&a.r, "pate-stop-after", "epsilon", "406.908"));
    assert_false(is_at_most(&a.r, "pate-stop-after", "epsilon", "406.907"));
    assert_true(12 / (4 * exp(10)) < 1.4e-4 && 1 - 2.2 * 1.4e-4 > 0.999);
    asked_clear(&a);
}

/* Votes 2 to 1, ten times, noise of scale 4/3: the first class wins with probability 1 - q, and
 * with q where a vote moves, q = 2.75 e^(-3/4) / 4; the total variation of ten such answers is
 * 0.7359. */
static void test_script(void **state)
{
    (void)state;
    asked a;
    mpq_t votes[20];
    asked_init(&a, "3/4");
    for (size_t i = 0; i < 20; i++) {
        mpq_init(votes[i]);
        mpq_set_ui(votes[i], 2 - i % 2, 1);
    }
    dp_pate p = {.aggregator = DP_LNMAX,
                 .inverse_scale = &a.scale,
                 .target_delta = &a.y,
                 .votes = (const mpq_t *)votes,
                 .vote_count = 20,
                 .vote_classes = 2};
    assert_int_equal(dp_pate_privacy(&a.r, &p, &a.opt, NULL), DP_OK);
    assert_true(is_at_most(&a.r, "pate-lnmax-script", "epsilon", "0"));
    assert_false(is_at_most(&a.r, "pate-lnmax-instance", "epsilon", "1"));
    double q = 2.75 * exp(-0.75) / 4, far = 0, choose = 1;
    for (int k = 0; k <= 10; k++) {
        far += choose * fmax(0, pow(1 - q, k) * pow(q, 10 - k) - pow(q, k) * pow(1 - q, 10 - k));
        choose = choose * (10 - k) / (k + 1);
    }
    assert_true(far > 0.73 && far < 0.74);
    for (size_t i = 0; i < 20; i++)
        mpq_clear(votes[i]);
    asked_clear(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stop_after),
        cmocka_unit_test(test_script),
    };
    return cmocka_run_group_tests_name("pate refuted", tests, NULL, NULL);
}
