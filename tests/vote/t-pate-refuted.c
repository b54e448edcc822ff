/* SPDX-License-Identifier: MIT */
/* The published statements about teachers' votes that fail, refuted again. */
#include <math.h>

#include "core/result.h"
#include "vote/pate_instance.h"

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

/* Three classes, noise of scale 1: the class with 0.4 of the record's teachers trails by 10, the
 * third one is far behind, and all move to the leader: the gap grows by 1.1, and the loss of its
 * win is ln of the ratio of the tails (2 + g)/(4 e^g), above the 2 max f = 0.8 that is published.
 */
static void test_bagging(void **state)
{
    (void)state;
    static const char *const share[] = {"0.4", "0.3", "0.3", "0.3", "0.4", "0.3"};
    asked a;
    dp_number three;
    mpq_t f[6], expected;
    pate_account one;
    asked_init(&a, "1");
    dp_number_init(&three);
    number_of(&three, "3");
    mpq_init(expected);
    pate_account_init(&one);
    mpq_set_ui(one.scale, 1, 1);
    for (size_t i = 0; i < 6; i++) {
        mpq_init(f[i]);
        rational_of(f[i], share[i]);
    }
    pate_shares s;
    assert_int_equal(pate_shares_init(&s, &one, (const mpq_t *)f, NULL, 1, 2, 3), DP_OK);
    assert_int_equal(s.spreads, 1);
    rational_of(expected, "1.1");
    assert_true(mpq_equal(s.spread[0], expected));
    rational_of(expected, "0.7");
    assert_true(mpq_equal(s.far[0], expected));
    rational_of(expected, "0.32");
    assert_true(mpq_equal(s.square, expected));
    pate_shares_clear(&s);
    double loss = 1.1 - log(13.1 / 12);
    assert_true(loss > 1.012 && loss < 1.0124 && loss > 2 * 0.4);
    dp_pate p = {.aggregator = DP_LNMAX,
                 .inverse_scale = &a.scale,
                 .target_delta = &a.y,
                 .instance = (const mpq_t *)f,
                 .instance_count = 6,
                 .instance_line = 6,
                 .classes = &three};
    assert_int_equal(dp_pate_privacy(&a.r, &p, &a.opt, NULL), DP_OK);
    assert_string_equal(a.r.row[a.r.guarantee].theorem->id, "pate-laplace");
    assert_int_equal(a.r.row[a.r.count - 2].verdict, DP_PER_INSTANCE);
    assert_string_equal(a.r.row[a.r.count - 2].theorem->id, "pate-bagging-instance");
    assert_true(figure_compare_upper(row_of(&a.r, "pate-bagging-instance", "epsilon"),
                                     row_of(&a.r, "pate-renyi", "epsilon")) <= 0);
    assert_string_equal(a.r.row[a.r.count - 1].theorem->id, "pate-bagging-published");
    /* rho = 2 * 0.32, l = 3: 0.64 * 4 + ln(1000)/3 */
    assert_true(is_at_most(&a.r, "pate-bagging-published", "epsilon", "4.86259"));
    assert_false(is_at_most(&a.r, "pate-bagging-published", "epsilon", "4.86258"));
    number_of(&a.x, "3"); /* which the record kept, by its own row, and the noise does not */
    assert_true(is_at_most(&a.r, "pate-bagging-instance", "epsilon", "3"));
    a.opt.max_epsilon = &a.x;
    a.opt.max_delta = &a.y;
    assert_int_equal(dp_pate_privacy(&a.r, &p, &a.opt, NULL), DP_OK);
    assert_int_equal(a.r.check.holds, DP_NO);
    for (size_t i = 0; i < 6; i++)
        mpq_clear(f[i]);
    mpq_clear(expected);
    pate_account_clear(&one);
    dp_number_clear(&three);
    asked_clear(&a);
}

/* Equation (3) of the supplement for a record whose teachers vote (0.4, 0.3, 0.3), noise of scale
 * 1, votes 10 to 0 with a third class far behind. Where all its teachers move to the leader, the
 * loser wins with q' in place of q, and the divergence of order 1 + l, of winner and loser, is
 * above the equation as printed, with 0.8, at l = 60; with the 1.1 that the record moves it is not.
 */
static void test_conjecture(void **state)
{
    (void)state;
    double q = 12 / (4 * exp(10)), moved = 13.1 / (4 * exp(11.1)), l = 60, of[2];
    double truth = log((1 - q) * pow((1 - q) / (1 - moved), l) + q * pow(q / moved, l)) / l;
    mpfi_t r, lq;
    mpq_t e, alpha;
    mpfi_init2(r, 100);
    mpfi_init2(lq, 100);
    mpq_inits(e, alpha, NULL);
    mpq_set_ui(alpha, 61, 1);
    for (int i = 0; i < 2; i++) {
        rational_of(e, i == 0 ? "0.8" : "1.1");
        mpfi_set_d(lq, log(q));
        mpfi_set_ui(r, 9);
        pate_pair_dependent(r, lq, e, alpha);
        of[i] = mpfi_get_d(r);
        double a = (1 - q) * pow((1 - q) / (1 - exp(mpq_get_d(e)) * q), l);
        assert_true(fabs(of[i] - log(a + q * exp(mpq_get_d(e) * l)) / l) < 1e-12);
    }
    assert_true(of[0] < truth - 0.1 && truth < of[1]);
    mpfi_set_d(lq, log(0.26)); /* above 1/(1 + e^1.1) = 0.2497: nothing is known */
    mpfi_set_ui(r, 9);
    pate_pair_dependent(r, lq, e, alpha);
    assert_true(mpfi_cmp_ui(r, 9) == 0);
    mpq_clears(e, alpha, NULL);
    mpfi_clear(lq);
    mpfi_clear(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stop_after),
        cmocka_unit_test(test_script),
        cmocka_unit_test(test_bagging),
        cmocka_unit_test(test_conjecture),
    };
    return cmocka_run_group_tests_name("pate refuted", tests, NULL, NULL);
}
