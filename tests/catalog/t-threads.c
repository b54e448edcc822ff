/* SPDX-License-Identifier: MIT */
/* The library holds no state of its own: queries on distinct objects run at the same time and give
 * what they give alone; a result that is used again is as good as a new one. */
#include "support.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 4
#define QUERIES 10

/* All figures of a result as text. */
static void write_result(char *text, size_t room, const dp_result *r)
{
    text[0] = '\0';
    for (size_t i = 0; i < r->count; i++)
        for (size_t j = 0; j < r->row[i].count; j++)
            for (int end = DP_LOWER; end <= DP_UPPER; end++) {
                char *figure = dp_figure_decimal(&r->row[i].quantity[j].figure, (dp_end)end, 12);
                if (strlen(text) + strlen(figure) + 2 < room) {
                    strcat(text, figure);
                    strcat(text, ";");
                }
                dp_text_free(figure);
            }
}

static void ask_bagging(dp_result *r, bool private_learner)
{
    dp_bagging b;
    dp_number base, at;
    dp_options opt = dp_options_default();
    opt.all = true;
    dp_bagging_init(&b);
    dp_number_init(&base);
    dp_number_init(&at);
    dp_number_parse(&base, "1", 1, NULL);
    dp_number_parse(&at, "0.01", 4, NULL);
    mpz_set_ui(b.dataset_size, 60000);
    mpz_set_ui(b.subsample_size, 300);
    if (private_learner) {
        b.base_epsilon = &base;
        b.target_epsilon = &at;
    }
    dp_bagging_privacy(r, &b, &opt, NULL);
    dp_number_clear(&at);
    dp_number_clear(&base);
    dp_bagging_clear(&b);
}

static void ask_divergences(dp_result *r)
{
    dp_composition c;
    mpq_t order;
    dp_options opt = dp_options_default();
    dp_composition_init(&c);
    mpq_init(order);
    mpq_set_ui(order, 5, 2);
    list_add(&c, "0.3", "0", 4);
    dp_divergences(r, &c, order, &opt, NULL);
    mpq_clear(order);
    dp_composition_clear(&c);
}

static void ask_composition(dp_result *r, int which)
{
    static const char *const steps[] = {"0.1", "0.37", "ln(3)", "1/3"};
    dp_composition c;
    dp_composition_init(&c);
    list_add(&c, steps[which % 4], "1e-7", 500);
    if (which % 2 == 0)
        list_add(&c, "0.05", "0", 7);
    if (which < 4)
        ask_delta(r, &c, "2", 20);
    else
        ask_epsilon(r, &c, "1e-3", 20);
    dp_composition_clear(&c);
}

static void run_query(dp_result *r, int which)
{
    if (which < 7)
        ask_composition(r, which);
    else if (which == 7)
        ask_divergences(r);
    else
        ask_bagging(r, which == 9);
}

typedef struct work {
    char text[QUERIES][4000];
    int first;
} work;

/* Asserts must not be used here: they belong to the main thread. */
static void *run_all(void *context)
{
    work *w = context;
    dp_result reused;
    dp_result_init(&reused);
    for (int i = 0; i < QUERIES; i++) {
        int which = (w->first + i) % QUERIES;
        run_query(&reused, which);
        write_result(w->text[which], sizeof w->text[which], &reused);
    }
    dp_result_clear(&reused);
    mpfr_free_cache(); /* MPFR keeps constants for each thread */
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    work *w = test_calloc(THREADS + 1, sizeof *w);
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++) {
        w[i].first = i * 3;
        assert_int_equal(pthread_create(&thread[i], NULL, run_all, &w[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    for (int q = 0; q < QUERIES; q++) { /* alone, with a result of its own */
        dp_result r;
        dp_result_init(&r);
        run_query(&r, q);
        write_result(w[THREADS].text[q], sizeof w[THREADS].text[q], &r);
        dp_result_clear(&r);
        assert_true(strlen(w[THREADS].text[q]) > 10);
        for (int i = 0; i < THREADS; i++)
            assert_string_equal(w[i].text[q], w[THREADS].text[q]);
    }
    test_free(w);
}

/* Objects may be cleared right after they were initialised, and after any failure. */
static void test_clear(void **state)
{
    (void)state;
    dp_number n;
    dp_figure f;
    dp_result r;
    dp_composition c;
    dp_bagging b;
    dp_igmm g;
    dp_generalization e;
    dp_response v;
    dp_number_init(&n);
    dp_figure_init(&f);
    dp_result_init(&r);
    dp_composition_init(&c);
    dp_bagging_init(&b);
    dp_igmm_init(&g);
    dp_generalization_init(&e);
    dp_response_init(&v);
    dp_options opt = dp_options_default();
    dp_compose_query q = {.list = &c};
    dp_error err = {DP_OK, NULL, NULL};
    assert_int_equal(dp_compose(&r, &q, &opt, &err), DP_DOMAIN);
    assert_int_equal(err.status, DP_DOMAIN);
    assert_int_equal(dp_kl(&r, &c, &opt, NULL), DP_DOMAIN);
    assert_int_not_equal(dp_igmm_privacy(&r, &g, &opt, NULL), DP_OK);
    assert_int_equal(dp_generalization_bound(&r, &e, &opt, NULL), DP_OK); /* of the mean */
    assert_int_not_equal(dp_response_probability(&r, &v, &opt, NULL), DP_OK);
    assert_null(dp_result_figure(&r, "epsilon"));
    assert_int_equal(opt.digits, 10);
    assert_string_equal(dp_version(), DPACCT_VERSION);
    for (int s = DP_OK; s <= DP_UNAVAILABLE; s++)
        assert_true(strlen(dp_status_text((dp_status)s)) > 1);
    dp_response_clear(&v);
    dp_generalization_clear(&e);
    dp_igmm_clear(&g);
    dp_bagging_clear(&b);
    dp_composition_clear(&c);
    dp_result_clear(&r);
    dp_figure_clear(&f);
    dp_number_clear(&n);
}

static void test_list_domain(void **state)
{
    (void)state;
    dp_composition c;
    dp_number x;
    mpq_t delta;
    mpz_t times;
    dp_error err;
    dp_composition_init(&c);
    dp_number_init(&x);
    mpq_init(delta);
    mpz_init_set_ui(times, 1);
    number_of(&x, "ln(1/2)");
    assert_int_equal(dp_composition_add(&c, &x, delta, times, &err), DP_DOMAIN);
    assert_string_equal(err.argument, "epsilon");
    number_of(&x, "ln(1)");
    rational_of(delta, "1.0001");
    assert_int_equal(dp_composition_add(&c, &x, delta, times, &err), DP_DOMAIN);
    assert_string_equal(err.argument, "delta");
    rational_of(delta, "-1e-9");
    assert_int_equal(dp_composition_add(&c, &x, delta, times, &err), DP_DOMAIN);
    rational_of(delta, "1");
    mpz_set_ui(times, 0);
    assert_int_equal(dp_composition_add(&c, &x, delta, times, &err), DP_DOMAIN);
    assert_string_equal(err.argument, "times");
    assert_int_equal(c.count, 0);
    mpz_set_ui(times, 1);
    assert_int_equal(dp_composition_add(&c, &x, delta, times, &err), DP_OK);
    assert_int_equal(c.count, 1);
    mpz_clear(times);
    mpq_clear(delta);
    dp_number_clear(&x);
    dp_composition_clear(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_clear),
        cmocka_unit_test(test_list_domain),
    };
    return cmocka_run_group_tests_name("library contract", tests, NULL, NULL);
}
