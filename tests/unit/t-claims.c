/* SPDX-License-Identifier: MIT */
/* What a composition claims: where a check is open the answer says why, and names the limit that
 * was met and no other. */
#include "support.h"

#include <string.h>

typedef struct question {
    dp_composition list;
    dp_result r;
    dp_number epsilon, delta;
    dp_options opt;
    dp_error err;
} question;

static void open_question(question *q)
{
    dp_composition_init(&q->list);
    dp_result_init(&q->r);
    dp_number_init(&q->epsilon);
    dp_number_init(&q->delta);
    q->opt = dp_options_default();
    q->err = (dp_error){DP_OK, NULL, NULL};
}

static void close_question(question *q)
{
    dp_number_clear(&q->delta);
    dp_number_clear(&q->epsilon);
    dp_result_clear(&q->r);
    dp_composition_clear(&q->list);
}

/* Is the list (epsilon, delta)-DP? */
static dp_answer check(question *q, const char *epsilon, const char *delta)
{
    number_of(&q->epsilon, epsilon);
    number_of(&q->delta, delta);
    q->opt.max_epsilon = &q->epsilon;
    q->opt.max_delta = &q->delta;
    dp_compose_query ask = {.list = &q->list};
    assert_int_equal(dp_compose(&q->r, &ask, &q->opt, &q->err), DP_OK);
    assert_true(q->r.check.asked);
    assert_int_equal(q->r.check.why != NULL, q->r.check.holds == DP_UNKNOWN);
    return q->r.check.holds;
}

/* n items without a common step that is not too fine */
static void add_irregular(dp_composition *list, size_t n)
{
    dp_number epsilon;
    mpq_t none;
    mpz_t one;
    dp_number_init(&epsilon);
    mpq_init(none);
    mpz_init_set_ui(one, 1);
    for (size_t i = 0; i < n; i++) {
        mpq_set_ui(epsilon.value, 1, 97 + 2 * i);
        assert_int_equal(dp_composition_add(list, &epsilon, none, one, NULL), DP_OK);
    }
    mpz_clear(one);
    mpq_clear(none);
    dp_number_clear(&epsilon);
}

static void test_names_the_limit(void **state)
{
    (void)state;
    static const char *const at = "0.05";
    question q;
    open_question(&q);
    add_irregular(&q.list, 200);
    assert_int_equal(check(&q, at, "1e-3"), DP_NO);
    q.opt.max_seconds = 1e-9;
    assert_int_equal(check(&q, at, "1e-3"), DP_UNKNOWN);
    assert_true(q.r.met & DP_MET_TIME);
    assert_string_equal(q.r.check.why, "the time limit was met; raise it");
    close_question(&q);

    open_question(&q); /* few atoms, whose tables are refused */
    list_add(&q.list, "1/3", "0", 10);
    list_add(&q.list, "1/7", "0", 10);
    list_add(&q.list, "ln(2)", "0", 1);
    ask_delta(&q.r, &q.list, "5.2", 30);
    char *above = dp_figure_decimal(dp_result_figure(&q.r, "delta"), DP_UPPER, 30);
    q.opt.max_bytes = 1;
    assert_int_equal(check(&q, "5.2", above), DP_UNKNOWN);
    assert_true(q.r.met & DP_MET_MEMORY);
    assert_string_equal(q.r.check.why, "the memory limit was met; raise it");
    q.opt.max_bytes = 0;
    assert_int_equal(check(&q, "5.2", above), DP_YES);
    dp_text_free(above);
    close_question(&q);

    open_question(&q); /* beyond what any engine spans, and nothing raises that */
    list_add(&q.list, "0.1", "0", 1);
    number_of(&q.epsilon, "1e18");
    mpz_set(q.list.item[0].times, mpq_numref(q.epsilon.value));
    assert_int_equal(check(&q, "1e16", "1e-6"), DP_UNKNOWN);
    assert_string_equal(q.r.check.why,
                        "the method's own limit was met; neither more time nor more memory will "
                        "help");
    close_question(&q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_the_limit),
    };
    return cmocka_run_group_tests_name("claims", tests, NULL, NULL);
}
