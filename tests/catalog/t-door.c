/* SPDX-License-Identifier: MIT */
/* The opaque handles: NULL and nonsense for everything, every parameter of every type out of its
 * domain, and what a refused call leaves. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "catalog/types.h"

static void is_refused(dp_status status, const dp_error *err, const char *argument)
{
    assert_int_equal(status, DP_DOMAIN);
    assert_int_equal(err->status, DP_DOMAIN);
    assert_string_equal(err->argument, argument);
    assert_true(strlen(err->message) > 8);
}

static void test_null(void **state)
{
    (void)state;
    dp_error err;
    dp_mechanism *m = mechanism_of("gaussian sigma=2");
    dp_account *a = dp_account_new(DP_ADD_REMOVE, &err);
    dp_question *q = dp_question_new();
    dp_answer *answer = (dp_answer *)a;
    assert_null(dp_mechanism_new(NULL, &err));
    is_refused(err.status, &err, "type");
    is_refused(dp_mechanism_set(NULL, "sigma", "1", &err), &err, "mechanism");
    is_refused(dp_mechanism_set(m, NULL, "1", &err), &err, "parameter");
    is_refused(dp_mechanism_set(m, "sigma", NULL, &err), &err, "sigma");
    is_refused(dp_account_add(NULL, m, "1", &err), &err, "account");
    is_refused(dp_account_add(a, NULL, "1", &err), &err, "mechanism");
    is_refused(dp_question_set(NULL, "slack", "1/2", &err), &err, "question");
    is_refused(dp_question_set(q, NULL, "1/2", &err), &err, "parameter");
    is_refused(dp_question_set(q, "slack", NULL, &err), &err, "slack");
    is_refused(dp_account_ask(NULL, a, q, &err), &err, "out");
    is_refused(dp_account_ask(&answer, NULL, q, &err), &err, "account");
    assert_null(answer);
    answer = (dp_answer *)a;
    is_refused(dp_account_ask(&answer, a, NULL, &err), &err, "question");
    assert_null(answer);
    assert_null(dp_answer_result(NULL));
    assert_null(dp_answer_text(NULL, "epsilon"));
    assert_true(dp_answer_double(NULL, "epsilon") == HUGE_VAL);
    assert_true(dp_answer_double(NULL, NULL) == HUGE_VAL);
    assert_int_equal(dp_answer_holds(NULL), DP_UNKNOWN);
    assert_int_equal(dp_account_add(a, m, NULL, NULL), DP_OK);
    assert_int_equal(dp_account_add(a, m, "0", NULL), DP_DOMAIN); /* no error to fill in */
    assert_int_equal(dp_question_set(q, "target-delta", "1e-5", NULL), DP_OK);
    assert_int_equal(dp_account_ask(&answer, a, q, NULL), DP_OK);
    assert_null(dp_answer_text(answer, NULL));
    assert_null(dp_answer_text(answer, "no-such"));
    assert_true(dp_answer_double(answer, NULL) == HUGE_VAL);
    assert_true(dp_answer_double(answer, "no-such") == HUGE_VAL);
    assert_int_equal(dp_answer_holds(answer), DP_UNKNOWN); /* nothing was asked */
    dp_answer_free(answer);
    dp_answer_free(NULL);
    dp_question_free(q);
    dp_question_free(NULL);
    dp_account_free(a);
    dp_account_free(NULL);
    dp_mechanism_free(m);
    dp_mechanism_free(NULL);
}

static void test_names(void **state)
{
    (void)state;
    dp_error err;
    static const char *const none[] = {"", "gauss", "gaussian ", "Gaussian", "gaussian:sigma=1"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        assert_null(dp_mechanism_new(none[i], &err));
        is_refused(err.status, &err, "type");
    }
    for (int r = -1; r < 4; r++) {
        dp_account *a = dp_account_new((dp_relation)r, &err);
        assert_int_equal(a != NULL, r == DP_ADD_REMOVE || r == DP_REPLACE_ONE);
        if (a == NULL)
            is_refused(err.status, &err, "relation");
        dp_account_free(a);
    }
    size_t count = dp_mechanism_types();
    assert_true(count >= 8);
    assert_null(dp_mechanism_type(count));
    assert_null(dp_mechanism_type(SIZE_MAX));
    for (size_t i = 0; i < count; i++) {
        dp_mechanism *m = dp_mechanism_new(dp_mechanism_type(i), &err);
        assert_non_null(m);
        is_refused(dp_mechanism_set(m, "", "1", &err), &err, "parameter");
        is_refused(dp_mechanism_set(m, "times", "1", &err), &err, "parameter");
        is_refused(dp_mechanism_set(m, "no-such-parameter", "1", &err), &err, "parameter");
        dp_mechanism_free(m);
    }
}

/* ---- every parameter of every type --------------------------------------------------------- */

static const char *const wrong[] = {"",    " ",   "nan", "inf",   "1/0",   "0/0",        "1 ",
                                    " 1",  "1x",  "+-1", "0x10",  "1e",    "ln(0)",      "ln(-1)",
                                    ",",   "1,",  ",1",  "1,,2",  "1;2",   "1e99999999", "ln(2",
                                    "[1]", "1,2", "yes", "both,", "1e-1/", "-1e9999"};

/* These two are right for some. */
static bool takes(const parameter *p, const char *text)
{
    const domain *d = parameter_domain(p);
    if (strcmp(text, "1,2") == 0)
        return p->kind == KIND_PAIR ||
               (p->kind == KIND_LIST && (d == &domain_not_negative || d == &domain_positive));
    return strcmp(text, "-1e9999") == 0 && d == &domain_real;
}

static const char *right(const parameter *p, char first[32])
{
    switch (p->kind) {
    case KIND_FLAG:
        return "true";
    case KIND_PROBABILITY:
    case KIND_SLACK:
        return "1/2";
    case KIND_PAIR:
        return "3,1/2";
    case KIND_LIST:
        return parameter_domain(p) == &domain_probability ? "1/3,1/2" : "3,7/2";
    case KIND_CHOICE:
        snprintf(first, 32, "%.*s", (int)strcspn(p->choices, "|"), p->choices);
        return first;
    default:
        return p->preset != NULL ? p->preset : "3";
    }
}

/* What is refused leaves the value as it was, whether there was one or not. */
static void try_wrong(dp_mechanism *m, const value *v, const char *before)
{
    dp_error err;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (takes(v->of, wrong[i]))
            continue;
        if (dp_mechanism_set(m, v->of->name, wrong[i], &err) != DP_DOMAIN)
            fail_msg("%s: %s is '%s'", m->type->name, v->of->name, wrong[i]);
        is_refused(err.status, &err, parameter_field(v->of));
        if (before == NULL)
            assert_null(v->text);
        else
            assert_string_equal(v->text, before);
    }
}

static void test_parameters(void **state)
{
    (void)state;
    const mechanism_type *t;
    for (size_t n = 0; (t = mechanism_type_at(n)) != NULL; n++) {
        dp_error err;
        char first[32], name[64];
        dp_mechanism *m = dp_mechanism_new(t->name, &err);
        assert_ptr_equal(m->type, t);
        for (size_t i = 0; i < m->count; i++) {
            const value *v = &m->given[i];
            const char *text = right(v->of, first);
            try_wrong(m, v, NULL);
            snprintf(name, sizeof name, "%s", v->of->name);
            for (char *p = name; *p != '\0'; p++)
                *p = *p == '-' ? '_' : *p;
            for (int again = 0; again < 2; again++) {
                assert_int_equal(dp_mechanism_set(m, name, text, &err), DP_OK);
                assert_int_equal(err.status, DP_OK);
                assert_string_equal(v->text, text);
            }
            try_wrong(m, v, text);
        }
        dp_mechanism_free(m);
    }
}

/* What is missing is refused when it is added; the account then still has nothing to say. */
static void test_missing(void **state)
{
    (void)state;
    const mechanism_type *t;
    dp_question *q = at_delta("1e-5");
    for (size_t n = 0; (t = mechanism_type_at(n)) != NULL; n++) {
        dp_error err;
        dp_answer *answer;
        dp_mechanism *m = dp_mechanism_new(t->name, &err);
        dp_account *a = dp_account_new(DP_ADD_REMOVE, &err);
        assert_int_equal(dp_account_add(a, m, NULL, &err), DP_DOMAIN);
        assert_non_null(err.argument);
        assert_int_equal(dp_account_ask(&answer, a, q, &err), DP_DOMAIN);
        assert_null(answer);
        dp_account_free(a);
        dp_mechanism_free(m);
    }
    dp_question_free(q);
}

/* Together they make no sense, though each is in its domain. */
static void test_together(void **state)
{
    (void)state;
    static const struct together {
        const char *type, *first, *one, *second, *two;
    } all[] = {
        {"pair", "p", "1/2,1/2", "q", "1"},
        {"pair", "p", "1/2,1/3", "q", "1/2,1/2"},
        {"pair", "p", "3/2,-1/2", "q", "1/2,1/2"},
        {"pair", "p", "-1e9999,1", "q", "1,0"},
        {"rdp", "alpha", "2,3", "rdp", "1"},
        {"randomized-response", "epsilon", "1", "categories", "1"},
    };
    dp_error err;
    dp_account *a = dp_account_new(DP_ADD_REMOVE, &err);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        dp_mechanism *m = dp_mechanism_new(all[i].type, &err);
        dp_status status = dp_mechanism_set(m, all[i].first, all[i].one, &err);
        if (status == DP_OK)
            status = dp_mechanism_set(m, all[i].second, all[i].two, &err);
        if (status == DP_OK)
            status = dp_account_add(a, m, NULL, &err);
        if (status != DP_DOMAIN)
            fail_msg("%s %s", all[i].type, all[i].two);
        assert_non_null(err.argument);
        dp_mechanism_free(m);
    }
    dp_mechanism *m = mechanism_of("gaussian sigma=1");
    static const char *const times[] = {"", "0", "-1", "1/2", "ln(2)", "1,2", "x", "1e99999999"};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        assert_int_equal(dp_account_add(a, m, times[i], &err), DP_DOMAIN);
    dp_mechanism_free(m);
    dp_account_free(a);
}

/* ---- questions ----------------------------------------------------------------------------- */

static void test_questions(void **state)
{
    (void)state;
    static const char *const numbers[] = {
        "target-epsilon", "target-delta", "max_epsilon", "max-delta", "slack",
        "digits",         "max-time",     "max_memory",  "method",    "all",
        "group-size",     "adaptive",     "threads"};
    dp_error err;
    dp_question *q = dp_question_new();
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        for (size_t j = 0; j < sizeof wrong / sizeof *wrong; j++)
            if (dp_question_set(q, numbers[i], wrong[j], &err) != DP_DOMAIN)
                fail_msg("%s is '%s'", numbers[i], wrong[j]);
    static const char *const none[] = {"", "epsilon", "solve", "max_tim", "adjacency", "ALL"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        is_refused(dp_question_set(q, none[i], "1", &err), &err, "parameter");
    assert_int_equal(dp_question_set(q, "digits", "0", &err), DP_DOMAIN);
    assert_int_equal(dp_question_set(q, "digits", "10001", &err), DP_DOMAIN);
    /* nothing of all that is in force: the same answer as from a fresh question */
    dp_mechanism *m = mechanism_of("gaussian sigma=2");
    dp_account *a = dp_account_new(DP_REPLACE_ONE, &err);
    assert_int_equal(dp_account_add(a, m, "10", &err), DP_OK);
    dp_question *fresh = at_delta("1e-5");
    assert_int_equal(dp_question_set(q, "target_delta", "1e-2", &err), DP_OK);
    assert_int_equal(dp_question_set(q, "target-delta", "1e-5", &err), DP_OK); /* the later */
    assert_int_equal(dp_question_set(q, "target-delta", "2", &err), DP_DOMAIN);
    char *one = epsilon_of(a, q), *two = epsilon_of(a, fresh);
    assert_string_equal(one, two);
    assert_string_equal(one, "7.511275901");
    dp_text_free(one);
    dp_text_free(two);
    dp_question_free(fresh);
    dp_question_free(q);
    dp_account_free(a);
    dp_mechanism_free(m);
}

/* However short, a time is one. */
static void test_limits(void **state)
{
    (void)state;
    static const char *const seconds[] = {"1e-400", "1e-1000000", "1e400", "1e1000000"};
    dp_error err;
    for (size_t i = 0; i < 4; i++) {
        dp_account *a = dp_account_new(DP_ADD_REMOVE, &err);
        dp_mechanism *m = dp_mechanism_new("laplace", &err);
        dp_mechanism_set(m, "scale", "3/7", &err);
        dp_account_add(a, m, "3", &err);
        dp_mechanism_set(m, "scale", "11/13", &err);
        dp_account_add(a, m, "2", &err);
        dp_question *q = at_delta("1e-5");
        assert_int_equal(dp_question_set(q, "max-time", seconds[i], &err), DP_OK);
        assert_int_equal(dp_question_set(q, "digits", i < 2 ? "200" : "2", &err), DP_OK);
        dp_answer *answer;
        dp_status status = dp_account_ask(&answer, a, q, &err);
        if (status == DP_OK)
            assert_int_equal((dp_answer_result(answer)->met & DP_MET_TIME) != 0, i < 2);
        else
            assert_true(i < 2 && (status == DP_LIMIT || status == DP_UNDECIDED));
        dp_answer_free(answer);
        dp_question_free(q);
        dp_mechanism_free(m);
        dp_account_free(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_null),       cmocka_unit_test(test_names),
        cmocka_unit_test(test_parameters), cmocka_unit_test(test_missing),
        cmocka_unit_test(test_together),   cmocka_unit_test(test_questions),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests_name("door", tests, NULL, NULL);
}
