/* SPDX-License-Identifier: MIT */
/* Privacy filters (filter-basic, filter-zcdp, filter-renyi, filter-gaussian): trees of adaptive
 * choices enumerated whole against the budget, states against lists in full, budgets against the
 * conversions, what is refused; and the counterexamples of the rows filter-optimal and
 * odometer-optimal, enumerated. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/types.h"
#include "core/uses.h"

/* A question to a filter, its numbers as text. */
typedef struct rules {
    dp_filter_method method;
    const char *epsilon, *delta, *slack, *order;
} rules;

static void enter(dp_composition *list, const char *text, unsigned long times)
{
    char copy[1000], *next, *part = strtok_r(strcpy(copy, text), " ", &next);
    dp_error err;
    mpz_t t;
    mpz_init_set_ui(t, times);
    dp_mechanism *m = dp_mechanism_new(part, &err);
    assert_non_null(m);
    while ((part = strtok_r(NULL, " ", &next)) != NULL) {
        char *equals = strchr(part, '=');
        *equals = '\0';
        assert_int_equal(dp_mechanism_set(m, part, equals + 1, &err), DP_OK);
    }
    assert_int_equal(account_enter(list, m, t, &err), DP_OK);
    dp_mechanism_free(m);
    mpz_clear(t);
}

/* Asks, and leaves the answer in out and state. */
static dp_status ask(dp_result *out, dp_composition *state, const dp_composition *spent,
                     const dp_composition *add, const rules *r, dp_error *err)
{
    dp_number x[4];
    const char *text[4] = {r->epsilon, r->delta, r->slack, r->order};
    for (size_t i = 0; i < 4; i++) {
        dp_number_init(&x[i]);
        if (text[i] != NULL)
            number_of(&x[i], text[i]);
    }
    dp_options opt = dp_options_default();
    opt.digits = 20;
    opt.max_epsilon = text[0] != NULL ? &x[0] : NULL;
    opt.max_delta = text[1] != NULL ? &x[1] : NULL;
    dp_filter_query q = {spent, add, r->method, text[3] != NULL ? &x[3] : NULL,
                         text[2] != NULL ? &x[2] : NULL};
    dp_status status = dp_filter(out, state, &q, &opt, err);
    for (size_t i = 0; i < 4; i++)
        dp_number_clear(&x[i]);
    return status;
}

/* Does it fit? `spent` becomes the state then. */
static bool take(dp_composition *spent, const char *mechanism, unsigned long times, const rules *r)
{
    dp_result out;
    dp_composition add, state;
    dp_error err;
    dp_result_init(&out);
    dp_composition_init(&add);
    dp_composition_init(&state);
    enter(&add, mechanism, times);
    if (ask(&out, &state, spent, &add, r, &err) != DP_OK)
        fail_msg("%s", err.message);
    assert_int_not_equal(out.check.holds, DP_UNKNOWN);
    bool fits = out.check.holds == DP_YES;
    assert_int_equal(out.guarantee, 0);
    dp_composition_clear(&add);
    dp_composition_clear(spent);
    *spent = state;
    dp_result_clear(&out);
    return fits;
}

/* ---- trees of choices ---- */

static const char *const responses[] = {"1/10", "1/3", "1/2", "4/5", "5/4"};
static const double losses[] = {0.1, 1.0 / 3, 0.5, 0.8, 1.25};

/* delta at epsilon of the rest of a tree whose outcomes so far have probabilities p and q: at every
 * node one of the responses is asked about, and released where it fits, as the numbers say. */
static double tree(const dp_composition *spent, double p, double q, double epsilon, int depth,
                   rng *choice, const rules *r)
{
    if (depth == 0)
        return fmax(0, p - exp(epsilon) * q);
    size_t which = rng_below(choice, 5);
    char text[64];
    snprintf(text, sizeof text, "pure-dp epsilon=%s", responses[which]);
    dp_composition now;
    dp_composition_init(&now);
    mpz_t one;
    mpz_init_set_ui(one, 1);
    for (size_t i = 0; i < spent->count; i++)
        assert_int_equal(dp_composition_add(&now, &spent->item[i].epsilon, spent->item[i].delta,
                                            spent->item[i].times, NULL),
                         DP_OK);
    assert_int_equal(uses_append(&now, spent, one), DP_OK);
    mpz_clear(one);
    double delta;
    if (take(&now, text, 1, r)) {
        double yes = 1 / (1 + exp(-losses[which]));
        delta = tree(&now, p * yes, q * (1 - yes), epsilon, depth - 1, choice, r) +
                tree(&now, p * (1 - yes), q * yes, epsilon, depth - 1, choice, r);
    } else {
        delta = tree(&now, p, q, epsilon, depth - 1, choice, r);
    }
    dp_composition_clear(&now);
    return delta;
}

static void test_trees(void **state)
{
    (void)state;
    static const rules rule[] = {{DP_FILTER_ZCDP, "1", "0.1", NULL, NULL},
                                 {DP_FILTER_ZCDP, "0.8", "0.02", NULL, NULL},
                                 {DP_FILTER_RDP, "1", "0.1", NULL, "3"},
                                 {DP_FILTER_RDP, "0.8", "0.02", NULL, NULL},
                                 {DP_FILTER_BASIC, "1", "0", NULL, NULL}};
    static const double epsilon[] = {1, 0.8, 1, 0.8, 1}, delta[] = {0.1, 0.02, 0.1, 0.02, 0};
    for (size_t k = 0; k < 5; k++)
        for (int round = 0; round < rounds(4); round++) {
            rng choice = rng_make(100 * k + (uint64_t)round + 1);
            dp_composition none;
            dp_composition_init(&none);
            double d = tree(&none, 1, 1, epsilon[k], 4, &choice, &rule[k]);
            dp_composition_clear(&none);
            if (d > delta[k] + 1e-12)
                fail_msg("filter %zu, tree %d: delta %.12g", k, round, d);
        }
}

/* ---- budgets ---- */

/* Is the budget of the filter what the row turns into epsilon: at most that, and no more? */
static void expect_budget(const rules *r, const char *type, const char *also, const char *method,
                          double width)
{
    dp_result out;
    dp_composition none;
    dp_error err;
    dp_result_init(&out);
    dp_composition_init(&none);
    assert_int_equal(ask(&out, NULL, &none, NULL, r, &err), DP_OK);
    const dp_figure *budget = dp_result_figure(&out, "budget");
    assert_non_null(budget);
    double target = strtod(r->epsilon, NULL);
    for (int above = 0; above < 2; above++) {
        char text[200], *shown = dp_figure_decimal(budget, DP_LOWER, 17);
        snprintf(text, sizeof text, "%s=%.17g%s", type,
                 strtod(shown, NULL) * (above ? 1 + width : 1 - 1e-15), also);
        dp_text_free(shown);
        dp_composition list;
        dp_number d;
        dp_result answer;
        dp_composition_init(&list);
        dp_number_init(&d);
        dp_result_init(&answer);
        enter(&list, text, 1);
        number_of(&d, r->delta);
        dp_compose_query q = {.list = &list,
                              .target_delta = &d,
                              .method =
                                  strcmp(method, "rdp") == 0 ? DP_COMPOSE_RDP : DP_COMPOSE_ZCDP};
        dp_options opt = dp_options_default();
        opt.digits = 15;
        assert_int_equal(dp_compose(&answer, &q, &opt, &err), DP_OK);
        double e = dp_figure_double(dp_result_figure(&answer, "epsilon"), DP_UPPER, 17);
        if (above ? e <= target : e > target * (1 + 1e-9))
            fail_msg("%s: epsilon %.12g at %s", text, e, r->delta);
        dp_result_clear(&answer);
        dp_number_clear(&d);
        dp_composition_clear(&list);
    }
    dp_composition_clear(&none);
    dp_result_clear(&out);
}

static void test_budgets(void **state)
{
    (void)state;
    static const rules zcdp[] = {{DP_FILTER_ZCDP, "1", "1e-6", NULL, NULL},
                                 {DP_FILTER_ZCDP, "0.01", "1e-300", NULL, NULL},
                                 {DP_FILTER_ZCDP, "50", "1e-9", NULL, NULL},
                                 {DP_FILTER_ZCDP, "0.1", "0.3", NULL, NULL}};
    for (size_t i = 0; i < 4; i++)
        expect_budget(&zcdp[i], "zcdp rho", "", "zcdp", 1e-6);
    static const rules rdp = {DP_FILTER_RDP, "1", "1e-6", NULL, "20"};
    expect_budget(&rdp, "rdp rdp", " alpha=20", "rdp", 1e-6);
}

/* sigma of the Gaussian whose mu^2 is the budget: just private enough by its exact profile. */
static void test_gaussian_budget(void **state)
{
    (void)state;
    static const char *const at[][2] = {{"1", "1e-5"}, {"0.1", "1e-15"}, {"8", "1e-300"},
                                        {"0", "0.01"}, {"0", "1e-200"},  {"3", "0.6"}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        rules r = {DP_FILTER_GAUSSIAN, at[i][0], at[i][1], NULL, NULL};
        dp_composition none, list;
        dp_result out, answer;
        dp_error err;
        dp_result_init(&out);
        dp_result_init(&answer);
        dp_composition_init(&none);
        dp_composition_init(&list);
        assert_int_equal(ask(&out, NULL, &none, NULL, &r, &err), DP_OK);
        const dp_figure *budget = dp_result_figure(&out, "budget");
        assert_int_equal(budget->kind, DP_RATIONAL);
        /* mu^2 = p/q is p q uses with sigma = q */
        char text[200];
        mpz_t times;
        mpz_init(times);
        mpz_mul(times, mpq_numref(budget->rational), mpq_denref(budget->rational));
        gmp_snprintf(text, sizeof text, "%Zd", mpq_denref(budget->rational));
        dp_mechanism *m = dp_mechanism_new("gaussian", &err);
        if (strlen(text) < 190) { /* the tiniest are written in too many digits for this */
            assert_int_equal(dp_mechanism_set(m, "sigma", text, &err), DP_OK);
            if (account_enter(&list, m, times, &err) != DP_OK)
                fail_msg("%s %s", err.argument, err.message);
            dp_number x;
            dp_number_init(&x);
            number_of(&x, at[i][0]);
            dp_compose_query q = {.list = &list, .target_epsilon = &x};
            dp_options opt = dp_options_default();
            opt.digits = 20;
            assert_int_equal(dp_compose(&answer, &q, &opt, &err), DP_OK);
            double d = dp_figure_double(dp_result_figure(&answer, "delta"), DP_UPPER, 17);
            double want = strtod(at[i][1], NULL);
            if (d > want * (1 + 1e-15) || d < want * (1 - 1e-12))
                fail_msg("delta %.17g for %s", d, at[i][1]);
            dp_number_clear(&x);
        }
        dp_mechanism_free(m);
        mpz_clear(times);
        dp_composition_clear(&list);
        dp_composition_clear(&none);
        dp_result_clear(&answer);
        dp_result_clear(&out);
    }
}

/* ---- states ---- */

/* The sum is that of the list in full, whatever the order, and its size does not grow. */
static void test_states(void **state)
{
    (void)state;
    static const char *const mechanism[] = {
        "pure-dp epsilon=1/7",      "approx-dp epsilon=0.03 delta=1e-9",
        "gaussian sigma=13/3",      "laplace scale=11",
        "zcdp rho=1/997 xi=1/1000", "randomized-response epsilon=ln(3/2) categories=4",
        "discrete-laplace scale=9"};
    static const rules rule[] = {{DP_FILTER_ZCDP, "100", "1e-6", "5e-7", NULL},
                                 {DP_FILTER_RDP, "100", "1e-6", "5e-7", "4.5"}};
    for (size_t k = 0; k < 2; k++) {
        dp_composition full, spent;
        dp_result out, sum;
        dp_error err;
        dp_result_init(&out);
        dp_result_init(&sum);
        dp_composition_init(&full);
        dp_composition_init(&spent);
        for (size_t i = 0; i < 60; i++) {
            enter(&full, mechanism[6 - i % 7], 1 + i % 3);
            assert_true(take(&spent, mechanism[6 - i % 7], 1 + i % 3, &rule[k]));
            assert_true(spent.count <= 1 && uses_count(&spent) == 1);
        }
        assert_int_equal(ask(&out, NULL, &full, NULL, &rule[k], &err), DP_OK);
        assert_int_equal(ask(&sum, NULL, &spent, NULL, &rule[k], &err), DP_OK);
        static const char *const name[] = {"spent", "spent_delta"};
        for (size_t j = 0; j < 2; j++)
            if (!mpq_equal(dp_result_figure(&out, name[j])->rational,
                           dp_result_figure(&sum, name[j])->rational))
                fail_msg("%s: %s and %s", name[j],
                         dp_figure_decimal(dp_result_figure(&out, name[j]), DP_UPPER, 40),
                         dp_figure_decimal(dp_result_figure(&sum, name[j]), DP_UPPER, 40));
        dp_composition_clear(&spent);
        dp_composition_clear(&full);
        dp_result_clear(&sum);
        dp_result_clear(&out);
    }
}

/* 1/3, 1/5, 1/7 and so on: the denominators would grow without end. */
static void test_long_states(void **state)
{
    (void)state;
    rules r = {DP_FILTER_BASIC, "50", NULL, NULL, NULL};
    dp_composition spent;
    dp_composition_init(&spent);
    for (unsigned i = 0; i < 40; i++) {
        char text[1000];
        snprintf(text, sizeof text, "pure-dp epsilon=1/%u%0600u", 3 + 2 * i, 1 + i);
        assert_true(take(&spent, text, 1, &r));
        assert_int_equal(spent.count, 1);
        assert_true(mpz_sizeinbase(mpq_denref(spent.item[0].epsilon.value), 2) < 4096);
    }
    dp_composition_clear(&spent);
}

/* ---- what fits, and how often ---- */

static double times_of(const rules *r, const char *held, unsigned long uses, const char *added)
{
    dp_composition spent, add;
    dp_result out;
    dp_error err;
    dp_result_init(&out);
    dp_composition_init(&spent);
    dp_composition_init(&add);
    enter(&spent, held, uses);
    enter(&add, added, 1);
    assert_int_equal(ask(&out, NULL, &spent, &add, r, &err), DP_OK);
    const dp_figure *f = dp_result_figure(&out, "times");
    double t = f == NULL ? -1 : dp_figure_double(f, DP_LOWER, 17);
    assert_int_equal(out.check.holds, t >= 1 ? DP_YES : DP_NO);
    dp_composition_clear(&add);
    dp_composition_clear(&spent);
    dp_result_clear(&out);
    return t;
}

static void test_fits(void **state)
{
    (void)state;
    rules basic = {DP_FILTER_BASIC, "1", "1e-6", NULL, NULL};
    assert_true(times_of(&basic, "pure-dp epsilon=0.1", 7, "pure-dp epsilon=0.1") == 3);
    assert_true(times_of(&basic, "pure-dp epsilon=0.1", 10, "pure-dp epsilon=1e-300") == 0);
    assert_true(times_of(&basic, "approx-dp epsilon=0.1 delta=3e-7", 3,
                         "approx-dp epsilon=0.01 delta=1e-7") == 1);
    assert_true(isinf(times_of(&basic, "pure-dp epsilon=1", 1, "pure-dp epsilon=0")));
    rules logs = {DP_FILTER_BASIC, "ln(54)", NULL, NULL, NULL};
    assert_true(times_of(&logs, "pure-dp epsilon=ln(3)", 3, "pure-dp epsilon=ln(2)") == 1);
    assert_true(times_of(&logs, "pure-dp epsilon=ln(3)", 2, "pure-dp epsilon=ln(6)") == 1);
    rules gauss = {DP_FILTER_GAUSSIAN, "1", "1e-6", NULL, NULL};
    /* mu^2 of (1, 1e-6) is 0.0560289638... */
    assert_true(times_of(&gauss, "gaussian sigma=10", 4, "gaussian sigma=10") == 1);
    assert_true(times_of(&gauss, "gaussian sigma=10", 5, "gaussian sigma=10") == 0);
    rules split = {DP_FILTER_ZCDP, "5", "1e-6", "5e-7", NULL};
    assert_true(times_of(&split, "approx-dp epsilon=0 delta=1e-7", 4,
                         "approx-dp epsilon=0 delta=1e-7") == 1);
}

/* A refused release leaves the state as it was, and a smaller one may follow. */
static void test_refusal(void **state)
{
    (void)state;
    rules r = {DP_FILTER_ZCDP, "1", "1e-6", NULL, NULL};
    dp_composition spent;
    dp_composition_init(&spent);
    assert_true(take(&spent, "pure-dp epsilon=0.1", 3, &r));
    assert_false(take(&spent, "pure-dp epsilon=5", 1, &r));
    assert_int_equal(uses_count(&spent), 1);
    assert_true(take(&spent, "pure-dp epsilon=0.05", 1, &r));
    dp_composition_clear(&spent);
}

static void expect_error(const rules *r, const char *added, const char *argument)
{
    dp_composition spent, add;
    dp_result out;
    dp_error err;
    dp_result_init(&out);
    dp_composition_init(&spent);
    dp_composition_init(&add);
    enter(&add, added, 1);
    dp_status status = ask(&out, NULL, &spent, &add, r, &err);
    assert_true(status == DP_DOMAIN || status == DP_UNAVAILABLE);
    assert_string_equal(err.argument, argument);
    dp_composition_clear(&add);
    dp_composition_clear(&spent);
    dp_result_clear(&out);
}

static void test_errors(void **state)
{
    (void)state;
    static const char pure[] = "pure-dp epsilon=0.1";
    expect_error(&(rules){DP_FILTER_ZCDP, NULL, "1e-6", NULL, NULL}, pure, "max_epsilon");
    expect_error(&(rules){DP_FILTER_ZCDP, "1", NULL, NULL, NULL}, pure, "max_delta");
    expect_error(&(rules){DP_FILTER_GAUSSIAN, "1", "1", NULL, NULL}, pure, "max_delta");
    expect_error(&(rules){DP_FILTER_ZCDP, "1", "1e-6", "1e-5", NULL}, pure, "slack");
    expect_error(&(rules){DP_FILTER_BASIC, "1", "1e-6", "1e-7", NULL}, pure, "slack");
    expect_error(&(rules){DP_FILTER_ZCDP, "1", "1e-6", NULL, "3"}, pure, "order");
    expect_error(&(rules){DP_FILTER_RDP, "1", "1e-6", NULL, "1"}, pure, "order");
    expect_error(&(rules){DP_FILTER_GAUSSIAN, "1", "1e-6", NULL, NULL}, pure, "method");
    expect_error(&(rules){DP_FILTER_GAUSSIAN, "1", "1e-6", NULL, NULL}, "laplace scale=3",
                 "method");
    expect_error(&(rules){DP_FILTER_BASIC, "1", "1e-6", NULL, NULL}, "gaussian sigma=3", "method");
    expect_error(&(rules){DP_FILTER_RDP, "1", "1e-6", NULL, "5"}, "rdp alpha=4 rdp=0.1", "method");
    expect_error(&(rules){(dp_filter_method)7, "1", "1e-6", NULL, NULL}, pure, "method");
    dp_result out;
    dp_composition list, other;
    dp_error err;
    dp_result_init(&out);
    dp_composition_init(&list);
    dp_composition_init_under(&other, DP_REPLACE_ONE);
    rules r = {DP_FILTER_BASIC, "1", NULL, NULL, NULL};
    assert_int_equal(ask(&out, NULL, &list, &other, &r, &err), DP_DOMAIN);
    assert_int_equal(dp_filter(&out, NULL, NULL, NULL, &err), DP_DOMAIN);
    assert_int_equal(ask(&out, NULL, NULL, NULL, &r, &err), DP_DOMAIN);
    enter(&list, pure, 1);
    assert_int_equal(ask(&out, &list, &list, NULL, &r, &err), DP_DOMAIN);
    dp_composition_clear(&other);
    dp_composition_clear(&list);
    dp_result_clear(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees),           cmocka_unit_test(test_budgets),
        cmocka_unit_test(test_gaussian_budget), cmocka_unit_test(test_states),
        cmocka_unit_test(test_long_states),     cmocka_unit_test(test_fits),
        cmocka_unit_test(test_refusal),         cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
