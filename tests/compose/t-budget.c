/* SPDX-License-Identifier: MIT */
/* Questions turned round: how many uses fit a budget, which epsilon they may have, whether a claim
 * is true. The answer holds, one more (or one unit more) does not, ties are decided exactly. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/types.h"
#include "document/answer.h"
#include "loss/cells.h"

typedef struct query {
    dp_composition list;
    dp_result r;
    dp_compose_query q;
    dp_options opt;
    dp_item add;
    dp_number a, b;
} query;

static void query_open(query *q)
{
    dp_composition_init(&q->list);
    dp_result_init(&q->r);
    dp_number_init(&q->a);
    dp_number_init(&q->b);
    dp_number_init(&q->add.epsilon);
    mpq_init(q->add.delta);
    mpz_init_set_ui(q->add.times, 1);
    q->q = (dp_compose_query){.list = &q->list, .method = DP_COMPOSE_OPTIMAL};
    q->opt = dp_options_default();
}

static void query_close(query *q)
{
    mpz_clear(q->add.times);
    mpq_clear(q->add.delta);
    dp_number_clear(&q->add.epsilon);
    dp_number_clear(&q->b);
    dp_number_clear(&q->a);
    dp_result_clear(&q->r);
    dp_composition_clear(&q->list);
}

static void set_budget(query *q, const char *epsilon, const char *delta)
{
    number_of(&q->a, epsilon);
    number_of(&q->b, delta);
    q->opt.max_epsilon = &q->a;
    q->opt.max_delta = &q->b;
}

#define DIGITS 20

/* Is the list with one more item (epsilon, delta), used `times` times, within the budget? */
static dp_decision within(const query *q, const char *at, const dp_number *epsilon,
                          const mpq_t delta, const mpz_t times, size_t digits)
{
    dp_composition c;
    dp_result r;
    dp_composition_init(&c);
    dp_result_init(&r);
    for (size_t i = 0; i < q->list.count; i++)
        assert_int_equal(dp_composition_add(&c, &q->list.item[i].epsilon, q->list.item[i].delta,
                                            q->list.item[i].times, NULL),
                         DP_OK);
    dp_decision answer = DP_YES;
    if (mpz_sgn(times) > 0)
        assert_int_equal(dp_composition_add(&c, epsilon, delta, times, NULL), DP_OK);
    if (c.count > 0) {
        ask_delta(&r, &c, at, digits);
        answer = dp_figure_le(row_of(&r, "compose-optimal", "delta"), q->b.value);
    }
    dp_result_clear(&r);
    dp_composition_clear(&c);
    return answer;
}

static const char *const epsilons[] = {"0.1", "0.01", "ln(2)", "1/3", "ln(11/10)", "0.5"};
static const char *const leaks[] = {"0", "1e-8", "1e-6", "0"};
#define OF(table, r) table[rng_below(r, sizeof table / sizeof *table)]

static void check_times(query *q, const char *at)
{
    q->q.add = &q->add;
    q->q.solve = DP_SOLVE_TIMES;
    assert_int_equal(dp_compose(&q->r, &q->q, &q->opt, NULL), DP_OK);
    const dp_figure *f = dp_result_figure(&q->r, "times");
    assert_true(f != NULL && f->kind == DP_RATIONAL);
    assert_int_equal(mpz_cmp_ui(mpq_denref(f->rational), 1), 0);
    mpz_t times;
    mpz_init_set(times, mpq_numref(f->rational));
    assert_int_equal(within(q, at, &q->add.epsilon, q->add.delta, times, DIGITS), DP_YES);
    mpz_add_ui(times, times, 1);
    assert_int_equal(within(q, at, &q->add.epsilon, q->add.delta, times, DIGITS), DP_NO);
    mpz_clear(times);
}

static void test_times(void **state)
{
    (void)state;
    rng r = rng_make(131);
    for (int i = 0; i < rounds(40); i++) {
        query q;
        query_open(&q);
        if (i % 2 == 0)
            list_add(&q.list, OF(epsilons, &r), OF(leaks, &r), 1 + rng_below(&r, 3));
        if (i % 4 == 0)
            list_add(&q.list, OF(epsilons, &r), OF(leaks, &r), 1);
        number_of(&q.add.epsilon, OF(epsilons, &r));
        rational_of(q.add.delta, OF(leaks, &r));
        const char *at = i % 3 == 0 ? "3" : "4.5";
        set_budget(&q, at, i % 5 == 0 ? "1e-3" : "2e-5");
        check_times(&q, at);
        query_close(&q);
    }
}

/* delta of k uses of odds 3 at ln 3, as the budget: k uses fit, and with a hair less k - 1. */
static void test_ties(void **state)
{
    (void)state;
    for (unsigned long k = 2; k <= 12; k++)
        for (int less = 0; less < 2; less++) {
            query q;
            dp_composition c;
            dp_result r;
            query_open(&q);
            dp_composition_init(&c);
            dp_result_init(&r);
            list_add(&c, "ln(3)", "0", k);
            ask_delta(&r, &c, "ln(3)", 1000);
            const dp_figure *delta = row_of(&r, "compose-optimal", "delta");
            assert_int_equal(delta->kind, DP_RATIONAL);
            set_budget(&q, "ln(3)", "1e-200");
            if (less)
                mpq_sub(q.b.value, delta->rational, q.b.value);
            else
                mpq_set(q.b.value, delta->rational);
            number_of(&q.add.epsilon, "ln(3)");
            q.q.add = &q.add;
            q.q.solve = DP_SOLVE_TIMES;
            assert_int_equal(dp_compose(&q.r, &q.q, &q.opt, NULL), DP_OK);
            const dp_figure *f = dp_result_figure(&q.r, "times");
            /* a thousand digits of a delta of odds are the rational itself */
            unsigned long most = mpz_get_ui(mpq_numref(f->rational));
            mpz_t times;
            mpz_init_set_ui(times, most);
            assert_true(less ? most < k : most >= k);
            assert_int_equal(within(&q, "ln(3)", &q.add.epsilon, q.add.delta, times, 1000), DP_YES);
            mpz_add_ui(times, times, 1);
            assert_int_equal(within(&q, "ln(3)", &q.add.epsilon, q.add.delta, times, 1000), DP_NO);
            mpz_clear(times);
            dp_result_clear(&r);
            dp_composition_clear(&c);
            query_close(&q);
        }
}

/* The epsilon of each of T uses: the largest decimal of ten digits that fits. */
static void test_epsilon(void **state)
{
    (void)state;
    static const char *const shares[][4] = {{"1", "1e-6", "100", "0"},
                                            {"1", "1e-6", "1", "0"},
                                            {"0.5", "1e-5", "7", "1e-8"},
                                            {"3", "1e-3", "1000", "1e-7"},
                                            {"2", "0.01", "2", "0"}};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        query q;
        mpz_t uses;
        dp_number leak, epsilon;
        query_open(&q);
        mpz_init_set_str(uses, shares[i][2], 10);
        dp_number_init(&leak);
        dp_number_init(&epsilon);
        set_budget(&q, shares[i][0], shares[i][1]);
        number_of(&leak, shares[i][3]);
        q.q.solve = DP_SOLVE_EPSILON;
        q.q.uses = uses;
        q.q.use_delta = &leak;
        if (i == 3)
            list_add(&q.list, "0.2", "0", 3);
        assert_int_equal(dp_compose(&q.r, &q.q, &q.opt, NULL), DP_OK);
        const dp_figure *f = dp_result_figure(&q.r, "use_epsilon");
        assert_true(f != NULL && f->kind == DP_RATIONAL);
        mpq_set(epsilon.value, f->rational);
        assert_int_equal(within(&q, shares[i][0], &epsilon, leak.value, uses, DIGITS), DP_YES);
        mpq_t unit;
        mpq_init(unit);
        mpq_set_ui(unit, 1, 1);
        while (mpq_cmp(unit, epsilon.value) > 0)
            mpz_mul_ui(mpq_denref(unit), mpq_denref(unit), 10);
        mpz_mul_ui(mpq_denref(unit), mpq_denref(unit), 1000000000);
        mpq_add(epsilon.value, epsilon.value, unit);
        assert_int_equal(within(&q, shares[i][0], &epsilon, leak.value, uses, DIGITS), DP_NO);
        mpq_clear(unit);
        dp_number_clear(&epsilon);
        dp_number_clear(&leak);
        mpz_clear(uses);
        query_close(&q);
    }
}

static void expect_claim(const char *epsilon, const char *delta, unsigned long times,
                         const char *claimed_epsilon, const char *claimed_delta, dp_decision holds)
{
    query q;
    query_open(&q);
    list_add(&q.list, epsilon, delta, times);
    number_of(&q.a, claimed_epsilon);
    number_of(&q.b, claimed_delta);
    q.q.claim_epsilon = &q.a;
    q.q.claim_delta = &q.b;
    assert_int_equal(dp_compose(&q.r, &q.q, &q.opt, NULL), DP_OK);
    assert_true(q.r.check.asked && q.r.check.is_claim);
    if (q.r.check.holds != holds)
        fail_msg("%s,%s x %lu: claim (%s, %s)", epsilon, delta, times, claimed_epsilon,
                 claimed_delta);
    query_close(&q);
}

static void test_claims(void **state)
{
    (void)state;
    expect_claim("ln(3)", "0", 2, "ln(3)", "3/8", DP_YES); /* exactly */
    expect_claim("ln(3)", "0", 2, "ln(3)", "0.37499999999999999999999999999999", DP_NO);
    expect_claim("1", "0", 3, "3", "0", DP_YES);
    expect_claim("1", "0", 3, "2.9999999999999999999999999999999999", "0", DP_NO);
    expect_claim("0.1", "0.5", 2, "0.2", "0.75", DP_YES);
    expect_claim("0.1", "0.5", 2, "7", "0.7499999999999999999999999999", DP_NO);
    expect_claim("0.1", "0", 100, "4", "1e-3", DP_YES);
    expect_claim("0.1", "0", 100, "1", "1e-3", DP_NO);
    expect_claim("1", "1e-5", 1000, "697.196", "0.0085834", DP_NO);
    expect_claim("5", "1", 1, "0", "1", DP_YES);
    expect_claim("0", "0", 9, "0", "0", DP_YES);
}

/* Bagging as an item of a list: what it reveals with is what bagging alone has. */
static void test_bagging_item(void **state)
{
    (void)state;
    query q;
    dp_bagging b;
    mpz_t times;
    mpq_t delta, one;
    query_open(&q);
    dp_bagging_init(&b);
    mpz_init_set_ui(times, 2);
    mpq_inits(delta, one, NULL);
    mpz_set_ui(b.dataset_size, 10);
    mpz_set_ui(b.subsample_size, 2);
    assert_int_equal(dp_composition_add_bagging(&q.list, &b, times, 10, NULL), DP_OK);
    number_of(&q.a, "0");
    q.q.target_epsilon = &q.a;
    assert_int_equal(dp_compose(&q.r, &q.q, &q.opt, NULL), DP_OK);
    rational_of(one, "0.3439"); /* 1 - 0.9^4 */
    assert_true(figure_holds_q(row_of(&q.r, "compose-optimal", "delta"), one));
    mpq_clears(delta, one, NULL);
    mpz_clear(times);
    dp_bagging_clear(&b);
    query_close(&q);
}

/* sigma of that text, within the budget beside the list? */
static dp_decision keeps(const query *q, const char *sigma)
{
    char text[80];
    dp_composition all;
    dp_compose_query asked = {.list = &all};
    dp_result r;
    mpz_t one, times;
    mpz_init_set_ui(one, 1);
    mpz_init_set_ui(times, 3);
    snprintf(text, sizeof text, "gaussian sigma=%s", sigma);
    dp_mechanism *m = mechanism_of(text);
    dp_composition_init(&all);
    dp_result_init(&r);
    assert_int_equal(known_append(&all, &q->list, one), DP_OK);
    assert_int_equal(account_enter(&all, m, times, NULL), DP_OK);
    assert_int_equal(dp_compose(&r, &asked, &q->opt, NULL), DP_OK);
    dp_decision holds = r.check.holds;
    dp_mechanism_free(m);
    dp_result_clear(&r);
    dp_composition_clear(&all);
    mpz_clears(one, times, NULL);
    return holds;
}

/* The noise of releases beside a list: it keeps the budget, and the next smaller decimal does not.
 */
static void test_noise_beside(void **state)
{
    (void)state;
    query q;
    dp_composition next;
    dp_error err;
    mpz_t times;
    query_open(&q);
    mpz_init_set_ui(times, 3);
    dp_composition_init(&next);
    dp_mechanism *m = mechanism_of("gaussian sigma=1");
    assert_int_equal(account_enter(&next, m, times, &err), DP_OK);
    list_add(&q.list, "0.1", "1e-8", 5);
    set_budget(&q, "1", "1e-6");
    q.opt.digits = 6;
    q.q.solve = DP_SOLVE_PARAMETER;
    q.q.parameter = "sigma";
    q.q.added = &next;
    assert_int_equal(dp_compose(&q.r, &q.q, &q.opt, &err), DP_OK);
    assert_int_equal(q.r.check.holds, DP_YES);
    const dp_figure *sigma = row_of(&q.r, "compose-pairs", "sigma");
    assert_non_null(sigma);
    mpq_t unit, below;
    mpq_inits(unit, below, NULL);
    rational_of(unit, "1e-4"); /* six digits of 11.4... */
    mpq_sub(below, sigma->rational, unit);
    char *found = exact_text(sigma->rational), *less = exact_text(below);
    assert_true(keeps(&q, found) == DP_YES && keeps(&q, less) == DP_NO);
    free(found);
    free(less);
    mpq_clears(unit, below, NULL);
    /* of the relation of the list, one mechanism, and its noise */
    next.adjacency = DP_REPLACE_ONE;
    assert_int_equal(dp_compose(&q.r, &q.q, &q.opt, &err), DP_DOMAIN);
    assert_string_equal(err.argument, "added");
    next.adjacency = DP_ADD_REMOVE;
    q.q.parameter = "scale";
    assert_int_equal(dp_compose(&q.r, &q.q, &q.opt, &err), DP_DOMAIN);
    q.q.parameter = "sigma";
    list_add(&q.list, "9", "0", 1); /* nothing is left */
    assert_int_equal(dp_compose(&q.r, &q.q, &q.opt, &err), DP_OK);
    assert_true(q.r.check.holds == DP_NO && q.r.count == 0);
    list_add(&next, "0.1", "0", 1);
    assert_int_equal(dp_compose(&q.r, &q.q, &q.opt, &err), DP_DOMAIN);
    assert_string_equal(err.argument, "added");
    dp_mechanism_free(m);
    dp_composition_clear(&next);
    mpz_clear(times);
    query_close(&q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times),        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_epsilon),      cmocka_unit_test(test_claims),
        cmocka_unit_test(test_bagging_item), cmocka_unit_test(test_noise_beside),
    };
    return cmocka_run_group_tests_name("budgets and claims", tests, NULL, NULL);
}
