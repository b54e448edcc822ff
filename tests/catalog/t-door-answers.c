/* SPDX-License-Identifier: MIT */
/* What accounts behind handles answer: copies are their own, one account is asked by many threads,
 * and the typed calls and dp_ask say the same. */
#include "support.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* ---- copies and threads -------------------------------------------------------------------- */

static void test_copies(void **state)
{
    (void)state;
    dp_error err;
    dp_question *q = at_delta("1e-6");
    dp_account *a = dp_account_new(DP_ADD_REMOVE, &err), *b = dp_account_new(DP_ADD_REMOVE, &err);
    dp_mechanism *m = mechanism_of("gaussian sigma=2");
    assert_int_equal(dp_account_add(a, m, "3", &err), DP_OK);
    char *before = epsilon_of(a, q);
    assert_int_equal(dp_mechanism_set(m, "sigma", "1/10", &err), DP_OK);
    char *after = epsilon_of(a, q);
    assert_string_equal(before, after);
    dp_text_free(after);
    assert_int_equal(dp_mechanism_set(m, "sensitivity", "1/4", &err), DP_OK);
    assert_int_equal(dp_account_add(a, m, NULL, &err), DP_OK);
    dp_mechanism_free(m);
    m = mechanism_of("gaussian sigma=0.4"); /* the same noise in another unit */
    assert_int_equal(dp_account_add(b, m, "1", &err), DP_OK);
    dp_mechanism_free(m);
    m = mechanism_of("gaussian sigma=2");
    assert_int_equal(dp_account_add(b, m, "3", &err), DP_OK);
    dp_mechanism_free(m);
    char *one = epsilon_of(a, q), *two = epsilon_of(b, q);
    assert_string_equal(one, two);
    assert_string_not_equal(one, before);
    dp_text_free(one);
    dp_text_free(two);
    dp_text_free(before);
    dp_account_free(a);
    dp_account_free(b);
    dp_question_free(q);
}

#define THREADS 4

typedef struct work {
    const dp_account *account;
    const dp_question *question;
    char *text[3];
} work;

/* Asserts must not be used here: they belong to the main thread. */
static void *ask_all(void *context)
{
    work *w = context;
    for (size_t i = 0; i < 3; i++) {
        dp_answer *answer;
        dp_account_ask(&answer, w->account, w->question, NULL);
        w->text[i] = dp_answer_text(answer, "epsilon");
        dp_answer_free(answer);
    }
    mpfr_free_cache();
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    static const char *const parts[][3] = {{"gaussian", "sigma", "2"},
                                           {"laplace", "scale", "3"},
                                           {"randomized-response", "epsilon", "ln(3)"},
                                           {"pair", "p", "1/3,2/3"},
                                           {"pure-dp", "epsilon", "0.1"}};
    dp_error err;
    dp_account *a = dp_account_new(DP_ADD_REMOVE, &err);
    for (size_t i = 0; i < 5; i++) {
        dp_mechanism *m = dp_mechanism_new(parts[i][0], &err);
        assert_int_equal(dp_mechanism_set(m, parts[i][1], parts[i][2], &err), DP_OK);
        if (i == 3)
            assert_int_equal(dp_mechanism_set(m, "q", "2/3,1/3", &err), DP_OK);
        assert_int_equal(dp_account_add(a, m, "2", &err), DP_OK);
        dp_mechanism_free(m);
    }
    dp_question *q = at_delta("1e-4");
    dp_question_set(q, "digits", "6", &err);
    work w[THREADS];
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++) {
        w[i] = (work){.account = a, .question = q};
        assert_int_equal(pthread_create(&thread[i], NULL, ask_all, &w[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    char *alone = epsilon_of(a, q);
    for (int i = 0; i < THREADS; i++)
        for (int j = 0; j < 3; j++) {
            assert_non_null(w[i].text[j]);
            assert_string_equal(w[i].text[j], alone);
            dp_text_free(w[i].text[j]);
        }
    dp_text_free(alone);
    dp_question_free(q);
    dp_account_free(a);
}

/* ---- the other doors ----------------------------------------------------------------------- */

/* The same list by typed calls: the same figures, byte for byte. */
static void test_typed(void **state)
{
    (void)state;
    static const char *const epsilons[] = {"0.1", "ln(3)", "1/7", "0", "2"};
    static const char *const deltas[] = {"0", "1e-6", "1/1000"};
    rng r = rng_make(7);
    for (int round = 0; round < rounds(12); round++) {
        dp_error err;
        dp_composition list;
        dp_composition_init(&list);
        dp_account *a = dp_account_new(DP_ADD_REMOVE, &err);
        for (size_t i = 0; i <= rng_below(&r, 2); i++) {
            const char *e = epsilons[rng_below(&r, 5)], *d = deltas[rng_below(&r, 3)];
            unsigned long times = 1 + rng_below(&r, 9);
            char text[24];
            snprintf(text, sizeof text, "%lu", times);
            dp_mechanism *m = dp_mechanism_new("approx-dp", &err);
            dp_mechanism_set(m, "epsilon", e, &err);
            dp_mechanism_set(m, "delta", d, &err);
            assert_int_equal(dp_account_add(a, m, text, &err), DP_OK);
            dp_mechanism_free(m);
            list_add(&list, e, d, times);
        }
        bool by_delta = round % 2 == 0;
        const char *name = by_delta ? "epsilon" : "delta";
        dp_question *q = dp_question_new();
        dp_question_set(q, by_delta ? "target-delta" : "target-epsilon", by_delta ? "1/10" : "1/3",
                        &err);
        dp_question_set(q, "digits", "17", &err);
        dp_answer *answer;
        assert_int_equal(dp_account_ask(&answer, a, q, &err), DP_OK);
        dp_result typed;
        dp_result_init(&typed);
        if (by_delta)
            ask_epsilon(&typed, &list, "1/10", 17);
        else
            ask_delta(&typed, &list, "1/3", 17);
        const dp_figure *f = dp_result_figure(&typed, name);
        assert_non_null(f);
        char *one = dp_answer_text(answer, name), *two = dp_figure_decimal(f, DP_UPPER, 17);
        assert_string_equal(one, two);
        assert_true(dp_answer_double(answer, name) == dp_figure_double(f, DP_UPPER, 17));
        assert_int_equal(dp_answer_result(answer)->count, typed.count);
        dp_text_free(one);
        dp_text_free(two);
        dp_result_clear(&typed);
        dp_answer_free(answer);
        dp_question_free(q);
        dp_account_free(a);
        dp_composition_clear(&list);
    }
}

/* Adds TYPE:name=value,...[xTIMES], which is cut. */
static void add_text(dp_account *a, char *text)
{
    dp_error err;
    char *equals = strrchr(text, '='), *times = strrchr(equals, 'x'), *next = strchr(text, ':');
    if (times != NULL)
        *times++ = '\0';
    *next++ = '\0';
    dp_mechanism *m = dp_mechanism_new(text, &err);
    assert_non_null(m);
    while (next != NULL) {
        char *name = next, *is = strchr(name, '='), *other = strchr(is + 1, '=');
        next = NULL;
        if (other != NULL) { /* the last comma before it ends the value */
            for (next = other; *next != ','; next--)
                ;
            *next++ = '\0';
        }
        *is = '\0';
        assert_int_equal(dp_mechanism_set(m, name, is + 1, &err), DP_OK);
    }
    if (dp_account_add(a, m, times, &err) != DP_OK)
        fail_msg("%s: %s %s", text, err.argument, err.message);
    dp_mechanism_free(m);
}

/* The decision and both ends of the figure, of `compose -m` and of handles. */
static void test_lists(void **state)
{
    (void)state;
    static const char *const lists[] = {
        "gaussian:sigma=2x10",
        "gaussian:sigma=3,sensitivity=1/2",
        "gaussian:sigma=1 gaussian:sigma=2x3",
        "laplace:scale=2x5",
        "laplace:scale=3,sensitivity=2x2 laplace:scale=7",
        "randomized-response:epsilon=ln(3)x7",
        "randomized-response:epsilon=1,categories=4x3",
        "pair:p=1/2,1/4,1/4,q=1/4,1/2,1/4x6",
        "pair:p=1/2,1/3,1/6,q=1/4,1/4,1/2,directions=onex3",
        "zcdp:rho=0.05x4",
        "zcdp:rho=0.05,xi=0.01 gaussian:sigma=3",
        "rdp:alpha=2,4,8,16,rdp=0.1,0.2,0.4,0.8x2",
        "pure-dp:epsilon=0.1x9 approx-dp:epsilon=1/3,delta=1e-6",
        "pure-dp:epsilon=0.2x5 gaussian:sigma=4x2 laplace:scale=5",
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        dp_error err;
        char copy[200],
            request[400] = "{\"command\":\"compose\",\"target_delta\":\"1e-3\","
                           "\"digits\":6,\"max_epsilon\":4,\"mechanism\":[",
            *save;
        dp_account *a = dp_account_new(DP_ADD_REMOVE, &err);
        snprintf(copy, sizeof copy, "%s", lists[i]);
        for (char *part = strtok_r(copy, " ", &save); part != NULL;) {
            size_t used = strlen(request);
            char *after = strtok_r(NULL, " ", &save);
            snprintf(request + used, sizeof request - used, "\"%s\"%s", part,
                     after != NULL ? "," : "]}");
            add_text(a, part);
            part = after;
        }
        dp_question *q = at_delta("1e-3");
        dp_question_set(q, "digits", "6", &err);
        dp_question_set(q, "max-epsilon", "4", &err);
        dp_answer *answer;
        assert_int_equal(dp_account_ask(&answer, a, q, &err), DP_OK);
        char *lower =
            dp_figure_decimal(dp_result_figure(dp_answer_result(answer), "epsilon"), DP_LOWER, 6);
        char *upper = dp_answer_text(answer, "epsilon"), expect[200], holds[60];
        snprintf(expect, sizeof expect, "\"epsilon_enclosure\":[\"%s\",\"%s\"]", lower, upper);
        static const char *const words[] = {
            [DP_YES] = "true", [DP_NO] = "false", [DP_UNKNOWN] = "null"};
        snprintf(holds, sizeof holds, "\"holds\":%s", words[dp_answer_holds(answer)]);
        dp_status status;
        char *document = dp_ask(request, &status);
        const char *guarantee = strstr(document, "\"guarantee\":");
        if (status != DP_OK || guarantee == NULL || strstr(guarantee, expect) == NULL ||
            strstr(document, holds) == NULL)
            fail_msg("%s\n%s\n%s\n%s", request, document, expect, holds);
        dp_text_free(document);
        dp_text_free(lower);
        dp_text_free(upper);
        dp_answer_free(answer);
        dp_question_free(q);
        dp_account_free(a);
    }
}

/* Points of a curve that ends early: D_4 = 0.2, at delta 1e-3 epsilon is 0.2 + ln(3/4) +
 * (ln(1000) - ln(4))/3 = 1.75280490, whatever search would land beyond the last order. Orders that
 * are no doubles too. */
static void test_last_order(void **state)
{
    (void)state;
    static const char *const points[][3] = {{"4", "0.2", "1.752804"},
                                            {"2,4", "0.1,0.2", "1.752804"},
                                            {"1.1", "0.1", "65.82655"},
                                            {"7/3", "1/10", "4.085727"}};
    dp_question *q = at_delta("1e-3");
    for (size_t i = 0; i < 4; i++) {
        dp_error err;
        dp_account *a = dp_account_new(DP_ADD_REMOVE, &err);
        dp_mechanism *m = dp_mechanism_new("rdp", &err);
        assert_int_equal(dp_mechanism_set(m, "alpha", points[i][0], &err), DP_OK);
        assert_int_equal(dp_mechanism_set(m, "rdp", points[i][1], &err), DP_OK);
        assert_int_equal(dp_account_add(a, m, NULL, &err), DP_OK);
        char *text = epsilon_of(a, q);
        assert_memory_equal(text, points[i][2], strlen(points[i][2]));
        dp_text_free(text);
        dp_mechanism_free(m);
        dp_account_free(a);
    }
    dp_question_free(q);
}

/* Groups are those of dp_composition_for_groups, and adaptive parameters the filter's; of a
 * question that is refused nothing is left. */
static void test_groups_and_adaptive(void **state)
{
    (void)state;
    static const struct {
        const char *mechanism, *times, *name, *value, *epsilon;
    } asked[] = {{"gaussian sigma=2", "1", "group-size", "1", "2.254084651"},
                 {"gaussian sigma=4", "1", "group_size", "2", "2.254084651"},
                 {"approx-dp epsilon=0.1", "20", "adaptive", "mechanisms", NULL},
                 {"approx-dp epsilon=0.1", "20", "adaptive", "parameters", "2.450788001"}};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        dp_error err;
        dp_mechanism *m = mechanism_of(asked[i].mechanism);
        dp_account *a = dp_account_new(DP_ADD_REMOVE, &err);
        dp_question *q = at_delta("1e-6"), *plain = at_delta("1e-6");
        assert_int_equal(dp_account_add(a, m, asked[i].times, &err), DP_OK);
        assert_int_equal(dp_question_set(q, asked[i].name, asked[i].value, &err), DP_OK);
        char *other = epsilon_of(a, plain), *epsilon = epsilon_of(a, q);
        assert_string_equal(epsilon, asked[i].epsilon != NULL ? asked[i].epsilon : other);
        dp_text_free(epsilon);
        dp_text_free(other);
        dp_question_free(plain);
        dp_question_free(q);
        dp_account_free(a);
        dp_mechanism_free(m);
    }
    dp_error err;
    dp_answer *answer;
    dp_mechanism *m = mechanism_of("zcdp rho=0.1 xi=0.01");
    dp_account *a = dp_account_new(DP_ADD_REMOVE, &err);
    dp_question *q = at_delta("1e-6");
    assert_int_equal(dp_account_add(a, m, NULL, &err), DP_OK);
    assert_int_equal(dp_question_set(q, "group-size", "2", &err), DP_OK);
    assert_int_equal(dp_account_ask(&answer, a, q, &err), DP_UNAVAILABLE);
    assert_null(answer);
    assert_int_equal(dp_question_set(q, "group-size", "1", &err), DP_OK);
    assert_int_equal(dp_question_set(q, "adaptive", "parameters", &err), DP_OK);
    assert_int_equal(dp_question_set(q, "method", "optimal", &err), DP_OK);
    assert_int_equal(dp_account_ask(&answer, a, q, &err), DP_UNAVAILABLE);
    assert_string_equal(err.argument, "method");
    dp_question_free(q);
    dp_account_free(a);
    dp_mechanism_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies),     cmocka_unit_test(test_threads),
        cmocka_unit_test(test_typed),      cmocka_unit_test(test_lists),
        cmocka_unit_test(test_last_order), cmocka_unit_test(test_groups_and_adaptive),
    };
    return cmocka_run_group_tests_name("answers of the door", tests, NULL, NULL);
}
