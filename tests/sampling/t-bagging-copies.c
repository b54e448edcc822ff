/* SPDX-License-Identifier: MIT */
/* Private learners whose sample may hold a record several times, or that need two of their steps:
 * in lists, against the worst learner on every sample in exact rationals. */
#include "learners.h"

/* What is shown is what the worst learner spends, and claims are decided at it. */
static void check_attained(const dp_bagging *b, const worst *w, unsigned long uses,
                           const char *target, bool exact)
{
    mpq_t odds, delta, claim;
    mpq_inits(odds, delta, claim, NULL);
    rational_of(odds, target);
    truth(delta, w, uses, odds);
    for (int i = 0; i < 2; i++) {
        dp_result r;
        mpq_set_ui(claim, i == 0 ? 1000 : 999, 1000);
        mpq_canonicalize(claim);
        mpq_mul(claim, claim, delta);
        ask(&r, b, uses, odds, claim);
        const dp_figure *f = dp_result_figure(&r, "delta");
        assert_true(exact ? figure_holds_q(f, delta) : is_nearly(f, delta));
        assert_int_equal(r.row[r.guarantee].verdict, exact ? DP_EXACT : DP_PROVED);
        if (exact && mpq_sgn(delta) > 0)
            assert_int_equal(r.check.holds, i == 0 ? DP_YES : DP_NO);
        dp_result_clear(&r);
    }
    mpq_clears(odds, delta, claim, NULL);
}

static void test_added(void **state)
{
    (void)state;
    rng r = rng_make(58);
    for (int round = 0; round < rounds(60); round++) {
        setting s;
        worst w;
        dp_bagging b;
        dp_number base;
        setting_init(&s);
        worst_init(&w);
        dp_bagging_init(&b);
        dp_number_init(&base);
        unsigned long n = 1 + rng_below(&r, 4), k = rng_below(&r, 4), uses = 1 + rng_below(&r, 2);
        s.each = 1 + rng_below(&r, 2);
        rational_of(s.odds, all_odds[rng_below(&r, 4)]);
        rational_of(s.leak, all_leaks[rng_below(&r, 4)]);
        bool with = n < 2 || rng_below(&r, 4) > 0;
        mpz_set_ui(b.dataset_size, n);
        if (with) {
            draw(&s, n, k);
        } else {
            k = 1 + k % n; /* k = n too */
            s.copies = 1;
            s.each = 2;
            mpq_set_ui(s.weight[0], n - k, n);
            mpq_canonicalize(s.weight[0]);
            mpq_set_ui(s.weight[1], k, n);
            mpq_canonicalize(s.weight[1]);
            b.sampling = DP_WITHOUT_INDEPENDENT;
        }
        mpz_set_ui(b.subsample_size, k);
        set_bagging(&b, &base, &s, DP_ADD_REMOVE);
        worst_set(&w, &s, false);
        if (k > 0)
            check_attained(&b, &w, uses, all_targets[rng_below(&r, 4)], !with || n > 1);
        dp_number_clear(&base);
        dp_bagging_clear(&b);
        worst_clear(&w);
        setting_clear(&s);
    }
}

/* Poisson samples of a learner known under add-remove, where a record is replaced. */
static void test_exchanged(void **state)
{
    (void)state;
    rng r = rng_make(59);
    for (int round = 0; round < rounds(24); round++) {
        setting s;
        worst w;
        dp_bagging b;
        dp_number base;
        setting_init(&s);
        worst_init(&w);
        dp_bagging_init(&b);
        dp_number_init(&base);
        s.copies = s.each = 1;
        rational_of(s.odds, all_odds[rng_below(&r, 4)]);
        rational_of(s.leak, all_leaks[rng_below(&r, 4)]);
        mpq_set_ui(s.weight[1], 1 + rng_below(&r, 5), 5);
        mpq_canonicalize(s.weight[1]);
        mpq_set_ui(s.weight[0], 1, 1);
        mpq_sub(s.weight[0], s.weight[0], s.weight[1]);
        b.sampling = DP_POISSON;
        mpq_set(b.sampling_rate, s.weight[1]);
        set_bagging(&b, &base, &s, DP_REPLACE_ONE);
        b.base_adjacency = DP_BASE_ADD_REMOVE;
        worst_set(&w, &s, true);
        check_attained(&b, &w, 1 + rng_below(&r, 3), all_targets[rng_below(&r, 4)], true);
        dp_number_clear(&base);
        dp_bagging_clear(&b);
        worst_clear(&w);
        setting_clear(&s);
    }
}

/* Uses of a learner with eps0 = 1 and delta0 = 1e-4, n = 10 and k = 3 or q = 0.3, at epsilon = 0.5:
 * sums over all outcomes in 60 digits of mpmath, from the definitions. */
static void check_value(dp_sampling how, dp_relation relation, dp_base_adjacency base,
                        unsigned long uses, const char *expected)
{
    dp_bagging b;
    dp_number one, x;
    dp_composition list;
    dp_result r;
    mpz_t times;
    dp_bagging_init(&b);
    dp_number_init(&one);
    dp_number_init(&x);
    mpz_init_set_ui(times, uses);
    dp_composition_init_under(&list, relation);
    number_of(&one, "1");
    b.base_epsilon = &one;
    rational_of(b.base_delta, "1e-4");
    rational_of(b.sampling_rate, "3/10");
    mpz_set_ui(b.dataset_size, 10);
    mpz_set_ui(b.subsample_size, 3);
    b.sampling = how;
    b.adjacency = relation;
    b.base_adjacency = base;
    assert_int_equal(dp_composition_add_bagging(&list, &b, times, 20, NULL), DP_OK);
    dp_result_init(&r);
    ask_delta(&r, &list, "0.5", 20);
    char *text = dp_figure_decimal(dp_result_figure(&r, "delta"), DP_UPPER, 20);
    assert_string_equal(text, expected);
    dp_text_free(text);
    dp_result_clear(&r);
    dp_composition_clear(&list);
    mpz_clear(times);
    dp_number_clear(&x);
    dp_number_clear(&one);
    dp_bagging_clear(&b);
}

static void test_values(void **state)
{
    (void)state;
    check_value(DP_WITH_REPLACEMENT, DP_ADD_REMOVE, DP_BASE_REPLACE_ONE, 3,
                "0.057022681722821593712");
    check_value(DP_WITH_REPLACEMENT, DP_ADD_REMOVE, DP_BASE_ADD_REMOVE, 2,
                "0.16695821970080646954");
    check_value(DP_WITH_REPLACEMENT, DP_REPLACE_ONE, DP_BASE_REPLACE_ONE, 2,
                "0.040498088246656484578");
    check_value(DP_WITHOUT_INDEPENDENT, DP_ADD_REMOVE, DP_BASE_ADD_REMOVE, 3,
                "0.20530822784701268700");
    check_value(DP_WITHOUT_INDEPENDENT, DP_REPLACE_ONE, DP_BASE_ADD_REMOVE, 2,
                "0.22091811213774922703");
    check_value(DP_POISSON, DP_REPLACE_ONE, DP_BASE_ADD_REMOVE, 3, "0.18253547744242857943");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_added),
        cmocka_unit_test(test_exchanged),
    };
    return cmocka_run_group_tests_name("copies of a record", tests, NULL, NULL);
}
