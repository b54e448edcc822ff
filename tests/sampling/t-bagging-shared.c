/* SPDX-License-Identifier: MIT */
/* Bagging whose losses are many: beside every point of its own profile, and its pair shared out on
 * a lattice beside the pair itself. */
#include "learners.h"

#include "engine/invert.h"
#include "loss/pair.h"
#include "loss/steps.h"

/* No point of the own profile gives less for all uses, few or many. */
static void test_points(void **state)
{
    (void)state;
    static const char *const points[] = {"0", "0.1", "0.2", "0.3", "0.5"};
    static const unsigned long uses[] = {1, 3, 40};
    for (size_t i = 0; i < 12; i++) {
        dp_bagging b;
        dp_number base, x;
        mpq_t odds, delta, none;
        mpz_t times;
        dp_result shown, flat, own;
        dp_bagging_init(&b);
        dp_number_init(&base);
        dp_number_init(&x);
        mpq_inits(odds, delta, none, NULL);
        mpz_init_set_ui(times, uses[i % 3]);
        b.adjacency = i < 6 ? DP_ADD_REMOVE : DP_REPLACE_ONE;
        b.base_adjacency = i / 3 % 2 == 0 ? DP_BASE_REPLACE_ONE : DP_BASE_ADD_REMOVE;
        mpz_set_ui(b.dataset_size, 20);
        mpz_set_ui(b.subsample_size, 6);
        number_of(&base, "0.7");
        b.base_epsilon = &base;
        rational_of(b.base_delta, "1e-4");
        rational_of(odds, uses[i % 3] == 40 ? "8" : "3/2");
        mpq_set_ui(none, 2, 1);
        ask(&shown, &b, uses[i % 3], odds, none);
        for (size_t j = 0; j < 5; j++) {
            dp_composition list;
            dp_options opt = dp_options_default();
            number_of(&x, points[j]);
            b.target_epsilon = &x;
            dp_result_init(&own);
            assert_int_equal(dp_bagging_privacy(&own, &b, &opt, NULL), DP_OK);
            b.target_epsilon = NULL;
            const dp_figure *f = dp_result_figure(&own, "delta");
            if (f->kind == DP_RATIONAL)
                mpq_set(delta, f->rational);
            else
                mpfr_get_q(delta, &f->enclosure->right);
            dp_composition_init_under(&list, b.adjacency);
            assert_int_equal(dp_composition_add(&list, &x, delta, times, NULL), DP_OK);
            dp_result_init(&flat);
            ask_delta(&flat, &list, uses[i % 3] == 40 ? "ln(8)" : "ln(3/2)", 10);
            assert_true(figure_may_be_le(dp_result_figure(&shown, "delta"),
                                         dp_result_figure(&flat, "delta")));
            dp_result_clear(&flat);
            dp_composition_clear(&list);
            dp_result_clear(&own);
        }
        dp_result_clear(&shown);
        mpz_clear(times);
        mpq_clears(odds, delta, none, NULL);
        dp_number_clear(&x);
        dp_number_clear(&base);
        dp_bagging_clear(&b);
    }
}

/* Shared out on a lattice the pair spends more, and hardly more. */
static void test_shared(void **state)
{
    (void)state;
    static const char *const masses[2][4] = {{"1/10", "3/10", "3/5", "0"},
                                             {"1/20", "13/40", "3/5", "1/40"}};
    mpq_t p[4], q[4], odds;
    mpz_t times;
    mpz_init_set_ui(times, 200);
    mpq_init(odds);
    for (size_t i = 0; i < 4; i++) {
        mpq_inits(p[i], q[i], NULL);
        rational_of(p[i], masses[0][i]);
        rational_of(q[i], masses[1][i]);
    }
    for (int swap = 0; swap < 2; swap++) {
        product to[2];
        dp_figure delta[2];
        logform x;
        dp_number at;
        dp_number_init(&at);
        number_of(&at, "3");
        logform_init(&x);
        assert_true(logform_add_number(&x, NULL, &at));
        for (int i = 0; i < 2; i++) {
            engine e;
            limits lim;
            dp_options opt = dp_options_default();
            limits_start(&lim, &opt);
            unsigned met = 0;
            lim.met = &met;
            product_init(&to[i]);
            dp_status status =
                i == 0 ? pair_add(&to[i], (const mpq_t *)p, (const mpq_t *)q, 4, swap == 1, times)
                       : steps_shared_add(&to[i], (const mpq_t *)p, (const mpq_t *)q, 4, swap == 1,
                                          false, DP_UPPER, times);
            assert_int_equal(status, DP_OK);
            assert_int_equal(engine_init(&e, &to[i]), DP_OK);
            dp_figure_init(&delta[i]);
            assert_int_equal(optimal_delta_at(&delta[i], &e, &x, 6, &lim), DP_OK);
            engine_clear(&e);
        }
        assert_true(to[1].upper_only && !to[0].upper_only);
        mpfr_t low, high;
        mpfr_inits2(64, low, high, (mpfr_ptr)0);
        mpfr_set(low, &delta[0].enclosure->left, MPFR_RNDD);
        mpfr_mul_d(high, low, 1.002, MPFR_RNDU);
        assert_true(mpfr_cmp(&delta[1].enclosure->right, low) >= 0);
        assert_true(mpfr_cmp(&delta[1].enclosure->left, high) <= 0);
        mpfr_clears(low, high, (mpfr_ptr)0);
        for (int i = 0; i < 2; i++) {
            dp_figure_clear(&delta[i]);
            product_clear(&to[i]);
        }
        logform_clear(&x);
        dp_number_clear(&at);
    }
    mpz_clear(times);
    mpq_clear(odds);
    for (size_t i = 0; i < 4; i++)
        mpq_clears(p[i], q[i], NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_shared),
    };
    return cmocka_run_group_tests_name("losses shared out", tests, NULL, NULL);
}
