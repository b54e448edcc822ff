/* SPDX-License-Identifier: MIT */
/* What a composition claims: where a check is open the answer says why, and names the limit that
 * was met and no other. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#undef fail /* cmocka's */
#include "catalog/types.h"
#include "compose/optimal.h"
#include "core/result.h"

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
static dp_decision check(question *q, const char *epsilon, const char *delta)
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

/* ln(3) rounded to `places` decimals; free it */
static char *log_3(size_t places, mpfr_rnd_t end)
{
    mpfr_t x;
    mpfr_exp_t point;
    mpfr_init2(x, (mpfr_prec_t)(places * 4));
    mpfr_set_ui(x, 3, MPFR_RNDN);
    mpfr_log(x, x, MPFR_RNDN);
    char *text = malloc(places + 3);
    assert_non_null(text);
    mpfr_get_str(text + 1, &point, 10, places + 1, x, end);
    assert_int_equal(point, 1);
    text[0] = text[1];
    text[1] = '.';
    mpfr_clear(x);
    return text;
}

/* At a sum that no precision in reach tells from the budget nothing is proved; within reach all is.
 */
static void test_at_the_sum(void **state)
{
    (void)state;
    static const struct {
        size_t places;
        bool up;
        const char *leak, *delta;
        dp_decision answer;
    } cases[] = {
        {15000, true, "0", "0", DP_YES},          {15000, false, "0", "0", DP_NO},
        {25000, true, "0", "0", DP_UNKNOWN},      {25000, false, "0", "0", DP_UNKNOWN},
        {25000, false, "0", "1e-30", DP_YES},     {25000, true, "0.1", "0.1", DP_UNKNOWN},
        {25000, false, "0.1", "0.1", DP_UNKNOWN}, {15000, false, "0.1", "0.1", DP_NO},
        {25000, true, "0.1", "0.09", DP_NO},      {25000, true, "0.1", "0.1000000001", DP_YES},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        question q;
        open_question(&q);
        list_add(&q.list, "ln(3)", cases[i].leak, 1);
        char *budget = log_3(cases[i].places, cases[i].up ? MPFR_RNDU : MPFR_RNDD);
        assert_int_equal(check(&q, budget, cases[i].delta), cases[i].answer);
        if (cases[i].answer == DP_UNKNOWN)
            assert_int_equal(q.r.met, DP_MET_PRECISION);
        if (cases[i].up) { /* the figure is the leak, or cannot tell */
            mpq_t leak;
            mpq_init(leak);
            rational_of(leak, cases[i].leak);
            ask_delta(&q.r, &q.list, budget, 10);
            assert_true(figure_holds_q(dp_result_figure(&q.r, "delta"), leak));
            mpq_clear(leak);
        }
        free(budget);
        close_question(&q);
    }
}

/* The leak against a target that is its decimal: never infinite without a proof. */
static void test_at_the_leak(void **state)
{
    (void)state;
    char target[25003] = "0.";
    memset(target + 2, '3', 25000);
    question q;
    open_question(&q);
    list_add(&q.list, "0.1", "1/3", 1);
    ask_epsilon(&q.r, &q.list, target, 10); /* below 1/3, decided in rationals */
    assert_int_equal(dp_result_figure(&q.r, "epsilon")->kind, DP_INFINITE);
    target[25001] = '4';
    ask_epsilon(&q.r, &q.list, target, 10);
    assert_int_equal(dp_result_figure(&q.r, "epsilon")->kind, DP_ENCLOSED);
    close_question(&q);

    open_question(&q); /* 1 - (1 - 1e-9)^(10^8), too long a rational: open, and shown as it is */
    list_add(&q.list, "0.1", "1e-9", 100000000);
    mpfr_t x;
    mpfr_exp_t point;
    mpfr_init2(x, 100000);
    mpfr_set_si(x, -1, MPFR_RNDN);
    mpfr_div_ui(x, x, 1000000000, MPFR_RNDN);
    mpfr_log1p(x, x, MPFR_RNDN);
    mpfr_mul_ui(x, x, 100000000, MPFR_RNDN);
    mpfr_expm1(x, x, MPFR_RNDN);
    mpfr_neg(x, x, MPFR_RNDN);
    mpfr_get_str(target + 3, &point, 10, 24990, x, MPFR_RNDD);
    assert_int_equal(point, -1);
    target[2] = '0';
    mpfr_clear(x);
    ask_epsilon(&q.r, &q.list, target, 10);
    const dp_figure *f = dp_result_figure(&q.r, "epsilon");
    assert_int_equal(f->kind, DP_ENCLOSED);
    assert_true(mpfr_zero_p(&f->enclosure->left) && mpfr_inf_p(&f->enclosure->right));
    assert_int_equal(q.r.met, DP_MET_PRECISION);
    assert_int_equal(q.r.warnings, 1);
    close_question(&q);
}

/* A list is of one relation; what is added to it may stand in it. */
static void test_lists(void **state)
{
    (void)state;
    dp_composition list;
    dp_bagging b;
    dp_error err;
    mpz_t one;
    mpz_init_set_ui(one, 1);
    dp_bagging_init(&b);
    mpz_set_ui(b.dataset_size, 10);
    mpz_set_ui(b.subsample_size, 2);
    for (int relation = 0; relation < 2; relation++) {
        dp_composition_init_under(&list, (dp_relation)relation);
        for (int stated = 0; stated < 2; stated++) {
            b.adjacency = (dp_relation)stated;
            dp_status status = dp_composition_add_bagging(&list, &b, one, 10, &err);
            assert_int_equal(status, stated == relation ? DP_OK : DP_DOMAIN);
            assert_int_equal(list.count, stated < relation ? 0 : 1);
        }
        assert_string_equal(err.argument, "adjacency");
        dp_result r;
        dp_result_init(&r);
        dp_compose_query q = {.list = &list};
        dp_options opt = dp_options_default();
        assert_int_equal(dp_compose(&r, &q, &opt, NULL), DP_OK);
        assert_string_equal(r.adjacency, dp_relation_text((dp_relation)relation));
        dp_result_clear(&r);
        dp_composition_clear(&list);
    }
    dp_composition_init(&list);
    list_add(&list, "ln(3)", "0.25", 2);
    for (size_t i = 0; i < 100; i++) /* through several moves of the list */
        assert_int_equal(dp_composition_add(&list, &list.item[i].epsilon, list.item[i].delta,
                                            list.item[i].times, NULL),
                         DP_OK);
    for (size_t i = 0; i < list.count; i++)
        assert_true(
            list.item[i].epsilon.is_log && mpq_cmp_ui(list.item[i].epsilon.value, 3, 1) == 0 &&
            mpq_cmp_ui(list.item[i].delta, 1, 4) == 0 && mpz_cmp_ui(list.item[i].times, 2) == 0);
    dp_composition_clear(&list);
    dp_bagging_clear(&b);
    mpz_clear(one);
}

/* A result is refused that holds more than fits; one that is just full is not. */
static void test_full(void **state)
{
    (void)state;
    static const char *const text[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
    static const char *const name[] = {"0", "1", "2", "3", "4",  "5",
                                       "6", "7", "8", "9", "10", "11"};
    dp_result r;
    dp_error err;
    dp_result_init(&r);
    for (size_t extra = 0; extra <= 3; extra++) {
        result_start(&r);
        for (size_t i = 0; i < DP_RESULT_REMARKS + (extra == 1); i++) {
            result_warn(&r, text[i]);
            result_warn(&r, text[i]); /* kept once */
        }
        for (size_t i = 0; i < DP_RESULT_REMARKS + (extra == 2); i++)
            result_note(&r, text[i]);
        dp_row *row = result_row(&r, &compose_optimal);
        for (size_t i = 0; i < DP_ROW_QUANTITIES + (extra == 3 ? 2 : 0); i++)
            figure_set_ui(row_quantity(row, name[i]), i);
        assert_int_equal(result_end(&r, DP_UNAVAILABLE, &err), DP_UNAVAILABLE);
        assert_int_equal(result_end(&r, DP_OK, &err), extra == 0 ? DP_OK : DP_LIMIT);
        assert_int_equal(r.count, extra == 0 ? 1 : 0);
    }
    dp_result_clear(&r);
}

/* A limit that leaves the pairs undecided is named, not the curve beside them that is too loose. */
static void test_rival_beside_a_limit(void **state)
{
    (void)state;
    question q;
    mpz_t once;
    open_question(&q);
    mpz_init_set_ui(once, 1);
    list_add(&q.list, "1", "0", 35);
    dp_mechanism *m = mechanism_of("bounded-range eta=1");
    assert_int_equal(account_enter(&q.list, m, once, &q.err), DP_OK);
    q.opt.max_seconds = 0.2;
    assert_int_equal(check(&q, "17.7575356", "1/3"), DP_UNKNOWN); /* within 1e-7 of the profile */
    assert_true(q.r.met != 0 && (q.r.met & DP_MET_BOUND) == 0);
    q.opt.max_seconds = 20;
    assert_int_equal(check(&q, "17.7", "1/3"), DP_UNKNOWN);
    assert_true((q.r.met & DP_MET_BOUND) != 0);
    assert_int_equal(check(&q, "17.8", "1/3"), DP_YES);
    dp_mechanism_free(m);
    mpz_clear(once);
    close_question(&q);
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

    open_question(&q); /* a budget */
    add_irregular(&q.list, 200);
    number_of(&q.epsilon, "0.9");
    number_of(&q.delta, "1e-3");
    q.opt.max_epsilon = &q.epsilon;
    q.opt.max_delta = &q.delta;
    q.opt.max_seconds = 1e-9;
    dp_compose_query ask = {.list = &q.list, .add = &q.list.item[0]};
    assert_int_equal(dp_compose(&q.r, &ask, &q.opt, &q.err), DP_UNDECIDED);
    assert_string_equal(q.err.message,
                        "the time limit was met before the answer was proved; raise it");
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
    number_of(&q.epsilon, "1e60");
    mpz_set(q.list.item[0].times, mpq_numref(q.epsilon.value));
    assert_int_equal(check(&q, "1e58", "1e-6"), DP_YES); /* by one moment */
    assert_int_equal(
        check(&q, "4995837495787997219838636520828431964279979378101843996718", "1e-6"),
        DP_UNKNOWN);
    assert_string_equal(q.r.check.why,
                        "the method's own limit was met; neither more time nor more memory will "
                        "help");
    close_question(&q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_at_the_sum),      cmocka_unit_test(test_at_the_leak),
        cmocka_unit_test(test_lists),           cmocka_unit_test(test_full),
        cmocka_unit_test(test_names_the_limit), cmocka_unit_test(test_rival_beside_a_limit),
    };
    return cmocka_run_group_tests_name("claims", tests, NULL, NULL);
}
