/* SPDX-License-Identifier: MIT */
/* The mechanisms and attackers that reach the exact bounds, and the ends of all domains. */
#include "attackers.h"

/* Masses (delta, (1-delta) E/(1+E), (1-delta)/(1+E), 0) against the same reversed. */
static void worst_pair(laws *l, const char *odds, const char *delta)
{
    mpq_t e, d, one;
    mpq_inits(e, d, one, NULL);
    rational_of(e, odds);
    rational_of(d, delta);
    mpq_set_ui(one, 1, 1);
    mpq_set(l->p[0], d);
    mpq_sub(d, one, d);
    mpq_add(one, one, e);
    mpq_div(l->p[2], d, one);
    mpq_mul(l->p[1], l->p[2], e);
    for (size_t i = 0; i < 4; i++)
        mpq_set(l->q[i], l->p[3 - i]);
    mpq_clears(e, d, one, NULL);
}

static void test_witnesses(void **state_)
{
    (void)state_;
    static const char *const odds[] = {"1", "3", "7/5"}, *const delta[] = {"0", "1/10", "1"};
    asked a;
    mpq_t k, one;
    asked_init(&a);
    mpq_inits(k, one, NULL);
    mpq_set_ui(one, 1, 1);
    for (size_t i = 0; i < 9; i++) {
        laws l;
        laws_init(&l, 4);
        worst_pair(&l, odds[i / 3], delta[i % 3]);
        rational_of(k, odds[i / 3]);
        state(&a, &l, k);
        rational_of(a.w, delta[i % 3]);
        assert_true(mpq_equal(a.u, a.w)); /* it is (ln k, delta)-DP and no better */
        a.q.fpr = (const mpq_t *)a.fpr;
        a.q.fpr_count = 1;
        mpq_add(a.fpr[0], l.q[0], l.q[1]); /* the corner */
        for (unsigned long part = 1; part < 6; part++) {
            set_prior(&a, part, 6);
            ask(&a);
            hockey(a.u, (const mpq_t *)l.p, (const mpq_t *)l.q, l.n, one);
            expect_equal(&a, "adv-approx", "advantage", a.u);
            mpq_add(a.u, l.p[0], l.p[1]);
            expect_equal(&a, "tpr-at-fpr", "tpr", a.u);
            mpq_set_ui(a.u, 0, 1);
            for (size_t o = 0; o < 4; o++) {
                mpq_mul(a.w, a.v, l.p[o]);
                mpq_sub(k, one, a.v);
                mpq_mul(k, k, l.q[o]);
                mpq_add(a.u, a.u, mpq_cmp(a.w, k) > 0 ? a.w : k);
            }
            expect_equal(&a, "accuracy-prior", "accuracy", a.u);
        }
        laws_clear(&l);
    }
    mpq_clears(k, one, NULL);
    asked_clear(&a);
}

/* The binary pair with y = (E-1+delta)/(E-1/T) and x = y/T, E = T = 3, delta = 1/10: y = 63/80, x =
 * 21/80. Anything less of x keeps (ln 3, 1/10), and then the loss exceeds ln T with probability y.
 */
static void test_tail_witness(void **state_)
{
    (void)state_;
    asked a;
    laws l;
    mpq_t k;
    asked_init(&a);
    laws_init(&l, 2);
    mpq_init(k);
    rational_of(l.p[0], "63/80");
    rational_of(l.q[0], "20999999/80000000");
    rational_of(l.p[1], "17/80");
    rational_of(l.q[1], "59000001/80000000");
    rational_of(k, "3");
    state(&a, &l, k);
    rational_of(a.w, "0.10000002");
    assert_true(mpq_cmp(a.u, a.w) < 0);
    number_of(&a.delta, "1/10");
    number_of(&a.belief, "ln(3)");
    a.q.belief = &a.belief;
    ask(&a);
    expect_equal(&a, "loss-tail-approx", "exceed_probability", l.p[0]);
    number_of(&a.belief, "ln(6)"); /* delta/(1 - 3/6) */
    ask(&a);
    rational_of(a.u, "1/5");
    expect_equal(&a, "loss-tail-approx", "exceed_probability", a.u);
    mpq_clear(k);
    laws_clear(&l);
    asked_clear(&a);
}

/* The learner says 1 where the record is in its sample, which is so with probability 1/2, else with
 * probability r: P(1) = (1 + r)/2 against r, or against r/2 where it says 0 for what stands in the
 * place of the record. The loss on 1 exceeds ln 3 for all r < 1/5, or r < 1/2. */
static void test_tail_of_bagging(void **state_)
{
    (void)state_;
    asked a;
    mpq_t r, half;
    mpz_t times;
    dp_bagging bagging;
    dp_composition list;
    asked_init(&a);
    dp_composition_init(&list);
    mpq_inits(r, half, NULL);
    mpq_set_ui(half, 1, 2);
    mpz_init_set_ui(times, 1);
    dp_bagging_init(&bagging);
    mpz_set_ui(bagging.dataset_size, 2);
    mpz_set_ui(bagging.subsample_size, 1);
    a.q.statement = NULL;
    a.q.list = &list;
    number_of(&a.belief, "ln(3)");
    a.q.belief = &a.belief;
    static const char *const most[] = {"0.1999999999999999", "0.4999999999999999"};
    static const char *const above[] = {"0.60000001", "0.75000001"};
    for (int i = 0; i < 2; i++) {
        bagging.adjacency = i == 0 ? DP_ADD_REMOVE : DP_REPLACE_ONE;
        dp_composition_clear(&list);
        dp_composition_init_under(&list, bagging.adjacency);
        assert_int_equal(dp_composition_add_bagging(&list, &bagging, times, 0, NULL), DP_OK);
        ask(&a);
        assert_null(row_of(&a.r, "loss-tail-pair", "exceed_probability"));
        rational_of(r, most[i]);
        mpq_mul(r, r, half);
        mpq_add(r, r, half);
        expect_within(&a, "loss-tail-class", "exceed_probability", r);
        rational_of(r, above[i]);
        assert_int_equal(dp_figure_le(need(&a, "loss-tail-class", "exceed_probability"), r),
                         DP_YES);
    }
    mpz_clear(times);
    mpq_clears(r, half, NULL);
    dp_bagging_clear(&bagging);
    dp_composition_clear(&list);
    asked_clear(&a);
}

/* A loss beyond what doubles reach, of what is known by its profile alone: two uses of (1, 1/1000),
 * which leak with 0.001999, and zCDP that leaks with 1/1000. */
static void test_far_belief(void **state_)
{
    (void)state_;
    static const char *const belief[] = {"800", "1e30"};
    asked a;
    mpq_t rho[1];
    dp_composition list;
    asked_init(&a);
    dp_composition_init(&list);
    mpq_init(rho[0]);
    list_add(&list, "1", "1/1000", 2);
    rational_of(rho[0], "1e-5");
    number_of(&a.delta, "1/1000");
    a.statement = (dp_conversion){.zcdp = (const mpq_t *)rho, .zcdp_count = 1};
    a.q.belief = &a.belief;
    for (int i = 0; i < 4; i++) {
        number_of(&a.belief, belief[i % 2]);
        a.q.list = i < 2 ? &list : NULL;
        a.q.statement = i < 2 ? NULL : &a.statement;
        a.q.delta = i < 2 ? NULL : &a.delta;
        ask(&a);
        const dp_figure *f = need(&a, "loss-tail-class", "exceed_probability");
        rational_of(a.u, i < 2 ? "0.001999" : "0.001");
        expect_within(&a, "loss-tail-class", "exceed_probability", a.u);
        rational_of(a.u, i < 2 ? "0.0019991" : "0.0010001");
        assert_int_equal(dp_figure_le(f, a.u), DP_YES);
    }
    mpq_clear(rho[0]);
    dp_composition_clear(&list);
    asked_clear(&a);
}

/* With probability delta z is published, else n-ary randomized response: (E + (n-1) delta)/(E +
 * n-1); and sets of two of three at epsilon = 0. */
static void test_reconstruction(void **state_)
{
    (void)state_;
    asked a;
    asked_init(&a);
    a.q.adjacency = DP_REPLACE_ONE;
    number_of(&a.epsilon, "ln(3)");
    number_of(&a.delta, "1/10");
    dp_number_set_ui(&a.secrets, 4);
    a.q.secrets = &a.secrets;
    ask(&a);
    rational_of(a.u, "1/10"); /* + 9/10 * 3/6 */
    rational_of(a.v, "9/20");
    mpq_add(a.u, a.u, a.v);
    expect_equal(&a, "rero-replace-uniform", "reconstruction", a.u);
    number_of(&a.epsilon, "0");
    dp_number_set_ui(&a.secrets, 3);
    number_of(&a.kappa, "2/3");
    a.q.kappa = &a.kappa;
    ask(&a);
    rational_of(a.u, "11/15");
    expect_equal(&a, "rero-replace-shortlist", "reconstruction", a.u);
    asked_clear(&a);
}

/* epsilon 0, delta 0 and 1, priors, rates and kappa at their ends; odds that tie with the prior. */
static void test_edges(void **state_)
{
    (void)state_;
    asked a;
    asked_init(&a);
    a.q.fpr = (const mpq_t *)a.fpr;
    a.q.fpr_count = 1;
    a.q.kappa = &a.kappa;
    a.q.prior = &a.prior;
    static const char *const at[][8] = {
        /* epsilon, delta, prior, fpr, kappa; accuracy, tpr, reconstruction */
        {"0", "0", "1/2", "0", "0", "1/2", "0", "0"},
        {"0", "1", "1/2", "0", "0", "1", "1", "1"},
        {"1", "1", "1/3", "1/2", "1", "1", "1", "1"},
        {"0", "1/10", "0", "1", "1", "1", "1", "1"},
        {"1", "1/10", "1", "1", "1", "1", "1", "1"},
        {"1", "1/10", "1/2", "9/10", "19/20", NULL, "1", "1"},
        {"ln(3)", "1/10", "1/4", "0", "0", "31/40", "1/10", "1/10"}, /* k = E: no gain but delta */
        {"ln(3)", "1/10", "3/4", "9/40", "9/40", "31/40", "31/40", "31/40"}, /* the corner */
        {"ln(3)", "0", "1/5", "1/4", "1/4", "4/5", "3/4", "3/4"},
    };
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        number_of(&a.epsilon, at[i][0]);
        number_of(&a.delta, at[i][1]);
        number_of(&a.prior, at[i][2]);
        rational_of(a.fpr[0], at[i][3]);
        number_of(&a.kappa, at[i][4]);
        ask(&a);
        if (at[i][5] != NULL)
            expect_text(&a, "accuracy-prior", "accuracy", at[i][5]);
        expect_text(&a, "tpr-at-fpr", "tpr", at[i][6]);
        expect_text(&a, "rero-f", "reconstruction", at[i][7]);
    }
    mpq_t rho[1];
    mpq_init(rho[0]);
    a.statement = (dp_conversion){.zcdp = (const mpq_t *)rho, .zcdp_count = 1};
    rational_of(a.fpr[0], "1/3");
    number_of(&a.prior, "1/2");
    ask(&a); /* rho = 0 */
    expect_text(&a, "adv-approx", "advantage", "0");
    expect_text(&a, "tpr-at-fpr", "tpr", "1/3");
    number_of(&a.epsilon, "0");
    a.statement = (dp_conversion){.gdp = &a.epsilon};
    ask(&a);
    expect_text(&a, "adv-gdp", "advantage", "0");
    expect_text(&a, "tpr-at-fpr", "tpr", "1/3");
    mpq_clear(rho[0]);
    asked_clear(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_witnesses),       cmocka_unit_test(test_tail_witness),
        cmocka_unit_test(test_tail_of_bagging), cmocka_unit_test(test_reconstruction),
        cmocka_unit_test(test_edges),           cmocka_unit_test(test_far_belief),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
