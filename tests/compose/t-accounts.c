/* SPDX-License-Identifier: MIT */
/* Accounts of mechanisms of several types, by their text: against each other, against closed forms,
 * and rows of compose-pairs, compose-renyi, compose-zcdp-sum and divergence-renyi-sum in order. */
#include "support.h"

#include <stdio.h>
#include <string.h>

#include "catalog/types.h"
#include "dpacct/account.h"
#include "dpacct/dpacct.h"

static void add(dp_account *a, const char *text, const char *times)
{
    dp_error err;
    dp_mechanism *m = mechanism_of(text);
    if (dp_account_add(a, m, times, &err) != DP_OK)
        fail_msg("%s: %s", text, err.message);
    dp_mechanism_free(m);
}

/* What is asked, "name=value ..." */
static dp_answer *ask(const dp_account *a, const char *text)
{
    char copy[256], *next;
    dp_error err;
    dp_question *q = dp_question_new();
    for (char *part = strtok_r(strcpy(copy, text), " ", &next); part != NULL;
         part = strtok_r(NULL, " ", &next)) {
        char *equals = strchr(part, '=');
        *equals = '\0';
        assert_int_equal(dp_question_set(q, part, equals + 1, &err), DP_OK);
    }
    dp_answer *answer;
    if (dp_account_ask(&answer, a, q, &err) != DP_OK)
        fail_msg("%s: %s", text, err.message);
    dp_question_free(q);
    return answer;
}

static char *figure(const dp_account *a, const char *asked, const char *name)
{
    dp_answer *answer = ask(a, asked);
    char *text = dp_answer_text(answer, name);
    assert_non_null(text);
    dp_answer_free(answer);
    return text;
}

typedef struct entry {
    const char *mechanism, *times;
} entry;

static dp_account *account_of(const entry *e, size_t count, const size_t *order)
{
    dp_error err;
    dp_account *a = dp_account_new(DP_ADD_REMOVE, &err);
    for (size_t i = 0; i < count; i++)
        add(a, e[order == NULL ? i : order[i]].mechanism, e[order == NULL ? i : order[i]].times);
    return a;
}

static void same(const entry *a, size_t na, const entry *b, size_t nb, const char *asked,
                 const char *name)
{
    dp_account *x = account_of(a, na, NULL), *y = account_of(b, nb, NULL);
    char *of_x = figure(x, asked, name), *of_y = figure(y, asked, name);
    assert_string_equal(of_x, of_y);
    dp_text_free(of_x);
    dp_text_free(of_y);
    dp_account_free(x);
    dp_account_free(y);
}

static void test_gaussians_add(void **state)
{
    (void)state;
    static const entry many[] = {{"gaussian sigma=2", "4"}}, one[] = {{"gaussian sigma=1", "1"}},
                       mixed[] = {{"gaussian sigma=2", "1"},
                                  {"gaussian sigma=3 sensitivity=3/2", "2"},
                                  {"gaussian sigma=4 sensitivity=2", NULL}};
    static const char *const deltas[] = {"1e-1", "1e-5", "1e-50", "1e-300"};
    for (size_t i = 0; i < 4; i++) {
        char asked[80];
        snprintf(asked, sizeof asked, "target-delta=%s digits=60", deltas[i]);
        same(many, 1, one, 1, asked, "epsilon");
        snprintf(asked, sizeof asked, "target-delta=%s digits=12", deltas[i]);
        same(mixed, 3, one, 1, asked, "epsilon");
    }
    same(many, 1, one, 1, "target-epsilon=30 digits=60", "delta");
    same(mixed, 3, one, 1, "target-epsilon=0 digits=12", "delta");
}

static void test_responses(void **state)
{
    (void)state;
    static const entry pair[] = {{"pair p=3/4,1/4 q=1/4,3/4", "35"}},
                       response[] = {{"randomized-response epsilon=ln(3)", "35"}},
                       item[] = {{"pure-dp epsilon=ln(3)", "35"}},
                       three[] = {{"pair p=1/2,1/4,1/4 q=1/4,1/2,1/4", "10"}},
                       kary[] = {{"randomized-response epsilon=ln(2) categories=3", "10"}};
    same(pair, 1, item, 1, "target-delta=1e-5 digits=20", "epsilon");
    same(response, 1, item, 1, "target-delta=1e-5 digits=20", "epsilon");
    same(three, 1, kary, 1, "target-delta=1e-5 digits=20", "epsilon");
    same(three, 1, kary, 1, "target-epsilon=1 digits=20", "delta");
}

static void test_order(void **state)
{
    (void)state;
    static const entry list[] = {{"gaussian sigma=3", "2"},
                                 {"laplace scale=4", "3"},
                                 {"pair p=1/2,1/3,1/6 q=1/4,1/4,1/2", "2"},
                                 {"approx-dp epsilon=0.1 delta=1e-9", "5"},
                                 {"randomized-response epsilon=1 categories=20", "2"}};
    static const size_t orders[][5] = {{0, 1, 2, 3, 4}, {4, 3, 2, 1, 0}, {2, 0, 4, 1, 3}};
    char *first = NULL;
    for (size_t i = 0; i < 3; i++) {
        dp_account *a = account_of(list, 5, orders[i]);
        char *text = figure(a, "target-delta=1e-6", "epsilon");
        if (first == NULL)
            first = text;
        else
            assert_string_equal(text, first);
        if (text != first)
            dp_text_free(text);
        dp_account_free(a);
    }
    dp_text_free(first);
}

static const dp_figure *row_epsilon(const dp_result *r, const char *id)
{
    for (size_t i = 0; i < r->count; i++)
        if (strcmp(r->row[i].theorem->id, id) == 0)
            return &r->row[i].quantity[0].figure;
    fail_msg("no row %s", id);
    return NULL;
}

static void test_rows(void **state)
{
    (void)state;
    static const entry list[] = {{"gaussian sigma=3", "2"}, {"laplace scale=4", "3"}};
    dp_account *a = account_of(list, 2, NULL);
    dp_answer *answer = ask(a, "target-delta=1e-6 all=true");
    const dp_result *r = dp_answer_result(answer);
    double pairs = dp_figure_double_up(row_epsilon(r, "compose-pairs"), 10),
           renyi = dp_figure_double_up(row_epsilon(r, "compose-renyi"), 10),
           zcdp = dp_figure_double_up(row_epsilon(r, "compose-zcdp-sum"), 10);
    assert_true(pairs < renyi && renyi < zcdp);
    assert_string_equal(r->row[r->guarantee].theorem->id, "compose-pairs");
    dp_answer_free(answer);
    dp_account_free(a);
}

/* Items count by themselves, whatever laws join theirs: the noise of 1/10 is a response, which
 * stands before that of 1 and after that of 1/20, and makes their list longer. */
static void test_items_alone(void **state)
{
    (void)state;
    static const entry lists[][2][4] = {
        {{{"pure-dp epsilon=1", "1"},
          {"pure-dp epsilon=1", "2"},
          {"discrete-laplace scale=10", "1"}},
         {{"pure-dp epsilon=1", "3"}, {"pure-dp epsilon=0.1", "1"}}},
        {{{"pure-dp epsilon=1", "1"}, {"discrete-laplace scale=10", "1"}},
         {{"pure-dp epsilon=1", "1"}, {"pure-dp epsilon=0.1", "1"}}},
        {{{"pure-dp epsilon=1/20", "1"}, {"discrete-laplace scale=10", "2"}},
         {{"pure-dp epsilon=1/20", "1"}, {"pure-dp epsilon=0.1", "2"}}},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        size_t n[2] = {i == 0 ? 3 : 2, 2};
        entry list[2][4]; /* each beside noise that is no response */
        for (size_t side = 0; side < 2; side++) {
            memcpy(list[side], lists[i][side], sizeof list[side]);
            list[side][n[side]++] = (entry){"gaussian sigma=3", "1"};
        }
        same(list[0], n[0], list[1], n[1], "method=zcdp target-delta=1e-5 digits=20", "rho");
        same(list[0], n[0], list[1], n[1], "method=zcdp target-delta=1e-5 digits=20", "epsilon");
    }
}

/* No row that is sound is below what some mechanism spends. */
static void test_random_rows(void **state)
{
    (void)state;
    static const char *const types[] = {"pure-dp epsilon=1",
                                        "pure-dp epsilon=1/20",
                                        "approx-dp epsilon=1/2 delta=1e-9",
                                        "discrete-laplace scale=10",
                                        "discrete-laplace scale=2",
                                        "randomized-response epsilon=ln(2)",
                                        "pair p=3/4,1/4 q=1/4,3/4",
                                        "gaussian sigma=4",
                                        "laplace scale=3"};
    rng r = rng_make(19);
    for (int i = 0; i < rounds(60); i++) {
        dp_error err;
        dp_account *a = dp_account_new(DP_ADD_REMOVE, &err);
        for (size_t left = 2 + rng_below(&r, 6); left > 0; left--)
            add(a, types[rng_below(&r, sizeof types / sizeof *types)], "1");
        dp_answer *answer = ask(a, "target-delta=1e-5 all=true digits=8");
        const dp_result *out = dp_answer_result(answer);
        double exact = dp_figure_double_up(&out->row[out->guarantee].quantity[0].figure, 8);
        for (size_t k = 0; k < out->count; k++)
            if (out->row[k].verdict == DP_EXACT) /* else there may be none */
                exact = dp_figure_double_up(&out->row[k].quantity[0].figure, 8);
        for (size_t k = 0; k < out->count; k++)
            if (out->row[k].verdict == DP_PROVED &&
                dp_figure_double_up(&out->row[k].quantity[0].figure, 8) < exact * (1 - 1e-7))
                fail_msg("list %d: %s is below the exact row", i, out->row[k].theorem->id);
        dp_answer_free(answer);
        dp_account_free(a);
    }
}

/* renyi.md: rho = 0.1 at delta = 1e-5 is 1.91424 by the improved conversion; and points of a curve
 * at alpha = 10, r = 1/2: 1.4180. */
static void test_curves(void **state)
{
    (void)state;
    static const entry rho[] = {{"zcdp rho=0.1", "1"}}, point[] = {{"rdp alpha=10 rdp=1/2", "1"}};
    dp_account *a = account_of(rho, 1, NULL), *b = account_of(point, 1, NULL);
    char *x = figure(a, "target-delta=1e-5 digits=6", "epsilon"),
         *y = figure(b, "target-delta=1e-5 digits=5", "epsilon");
    assert_string_equal(x, "1.91424");
    assert_string_equal(y, "1.4181"); /* rounded up */
    dp_text_free(x);
    dp_text_free(y);
    static const entry mixed[] = {{"rdp alpha=4,16 rdp=0.02,0.08", "1"}, {"gaussian sigma=1", "1"}};
    dp_account *c = account_of(mixed, 2, NULL);
    char *z = figure(c, "target-delta=1e-5 digits=10", "epsilon");
    assert_string_equal(z, "4.772335886"); /* between the points, at the order 5.3829; rounded up */
    dp_text_free(z);
    dp_account_free(c);
    dp_answer *open = ask(a, "max-epsilon=1 max-delta=1e-5");
    assert_int_equal(dp_answer_holds(open), DP_UNKNOWN); /* a bound refutes nothing */
    dp_answer_free(open);
    open = ask(a, "target-delta=1e-5 max-epsilon=2");
    assert_int_equal(dp_answer_holds(open), DP_YES);
    dp_answer_free(open);
    dp_account_free(a);
    dp_account_free(b);
}

static void test_divergence(void **state)
{
    (void)state;
    dp_composition list;
    dp_result out;
    dp_options opt = dp_options_default();
    dp_error err;
    mpq_t order, one;
    mpq_init(order);
    mpq_init(one);
    mpq_set_ui(order, 2, 1);
    mpq_set_ui(one, 1, 1);
    dp_result_init(&out);
    dp_composition_init(&list);
    dp_mechanism *m = mechanism_of("gaussian sigma=1");
    mpz_t times;
    mpz_init_set_ui(times, 1);
    assert_int_equal(account_enter(&list, m, times, &err), DP_OK);
    mpz_clear(times);
    dp_mechanism_free(m);
    assert_int_equal(dp_divergences(&out, &list, order, &opt, &err), DP_OK);
    const dp_figure *renyi = row_epsilon(&out, "divergence-renyi-sum");
    assert_int_equal(dp_figure_le(renyi, one), DP_YES); /* alpha mu^2 / 2 */
    mpq_set_str(one, "999999/1000000", 10);
    assert_int_equal(dp_figure_le(renyi, one), DP_NO);
    dp_result_clear(&out);
    dp_composition_clear(&list);
    mpq_clear(order);
    mpq_clear(one);
}

static void test_refusals(void **state)
{
    (void)state;
    dp_error err;
    dp_account *a = dp_account_new(DP_REPLACE_ONE, &err);
    assert_null(dp_account_new((dp_relation)7, &err));
    assert_null(dp_mechanism_new("gauss", &err));
    dp_mechanism *m = dp_mechanism_new("gaussian", &err);
    assert_int_equal(dp_account_add(a, m, NULL, &err), DP_DOMAIN); /* no sigma */
    assert_string_equal(err.argument, "sigma");
    assert_int_equal(dp_mechanism_set(m, "sigma", "-1", &err), DP_DOMAIN);
    assert_int_equal(dp_mechanism_set(m, "sigma", "2", &err), DP_OK);
    assert_int_equal(dp_account_add(a, m, "0", &err), DP_DOMAIN);
    assert_int_equal(dp_account_add(a, m, "1.5", &err), DP_DOMAIN);
    assert_int_equal(dp_account_add(a, m, "1", &err), DP_OK);
    dp_mechanism_free(m);
    dp_question *q = dp_question_new();
    dp_answer *answer;
    assert_int_equal(dp_account_ask(&answer, a, q, &err), DP_UNAVAILABLE); /* no target */
    assert_null(answer);
    assert_int_equal(dp_question_set(q, "sigma", "1", &err), DP_DOMAIN);
    assert_int_equal(dp_question_set(q, "method", "basic", &err), DP_OK);
    assert_int_equal(dp_question_set(q, "target_delta", "1e-5", &err), DP_OK);
    assert_int_equal(dp_account_ask(&answer, a, q, &err), DP_UNAVAILABLE);
    dp_question_free(q);
    dp_account_free(a);
    assert_int_equal(dp_account_ask(NULL, NULL, NULL, &err), DP_DOMAIN);
    dp_account_free(NULL);
    dp_answer_free(NULL);
    dp_question_free(NULL);
    dp_mechanism_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gaussians_add), cmocka_unit_test(test_responses),
        cmocka_unit_test(test_order),         cmocka_unit_test(test_rows),
        cmocka_unit_test(test_curves),        cmocka_unit_test(test_divergence),
        cmocka_unit_test(test_refusals),      cmocka_unit_test(test_items_alone),
        cmocka_unit_test(test_random_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
