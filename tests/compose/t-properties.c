/* SPDX-License-Identifier: MIT */
/* Composition: what must hold whatever the list, and the edges of the domain. */
#include "support.h"

#include <stdio.h>
#include <string.h>

static const char *const epsilons[] = {"0.1",   "0.25", "1", "ln(2)", "0.01",  "1/3", "ln(11/10)",
                                       "0.003", "2",    "0", "1e-4",  "0.125", "1/7"};
static const char *const deltas[] = {"0", "0", "1e-8", "1e-5", "1e-12", "1/1000"};

typedef struct entry {
    const char *epsilon, *delta;
    unsigned long times;
} entry;

#define MOST 6

static size_t random_entries(entry e[MOST], rng *r)
{
    size_t count = 1 + rng_below(r, MOST - 1);
    for (size_t i = 0; i < count; i++) {
        e[i].epsilon = epsilons[rng_below(r, sizeof epsilons / sizeof *epsilons)];
        e[i].delta = deltas[rng_below(r, sizeof deltas / sizeof *deltas)];
        e[i].times = 1 + rng_below(r, rng_below(r, 8) == 0 ? 2000 : 4);
    }
    return count;
}

static void add_entries(dp_composition *c, const entry *e, size_t count)
{
    for (size_t i = 0; i < count; i++)
        list_add(c, e[i].epsilon, e[i].delta, e[i].times);
}

static const dp_figure *optimum(const dp_result *r, const char *quantity)
{
    const dp_figure *f = row_of(r, "compose-optimal", quantity);
    assert_non_null(f);
    return f;
}

/* Two lists that are the same to the theorem give figures that meet. */
static void expect_same(const dp_composition *a, const dp_composition *b, const char *target)
{
    dp_result x, y;
    dp_result_init(&x);
    dp_result_init(&y);
    ask_epsilon(&x, a, target, 10);
    ask_epsilon(&y, b, target, 14);
    assert_true(figures_meet(optimum(&x, "epsilon"), optimum(&y, "epsilon")));
    ask_delta(&x, a, "0.7", 10);
    ask_delta(&y, b, "0.7", 14);
    assert_true(figures_meet(optimum(&x, "delta"), optimum(&y, "delta")));
    dp_result_clear(&x);
    dp_result_clear(&y);
}

static void test_order_and_splits(void **state)
{
    (void)state;
    rng r = rng_make(51);
    for (int i = 0; i < rounds(25); i++) {
        entry e[MOST], swapped[MOST];
        size_t count = random_entries(e, &r);
        dp_composition a, b, c;
        dp_composition_init(&a);
        dp_composition_init(&b);
        dp_composition_init(&c);
        for (size_t j = 0; j < count; j++)
            swapped[count - 1 - j] = e[j];
        add_entries(&a, e, count);
        add_entries(&b, swapped, count);
        for (size_t j = 0; j < count; j++) { /* t uses as 1 and t - 1, far apart */
            entry first = e[j];
            first.times = 1;
            add_entries(&c, &first, 1);
        }
        for (size_t j = 0; j < count; j++) {
            entry rest = e[j];
            rest.times -= 1;
            if (rest.times > 0)
                add_entries(&c, &rest, 1);
        }
        expect_same(&a, &b, "1e-3");
        expect_same(&a, &c, "0.1");
        dp_composition_clear(&a);
        dp_composition_clear(&b);
        dp_composition_clear(&c);
    }
}

/* One more mechanism, a larger epsilon, a larger target: never a smaller, a larger figure. */
static void test_monotone(void **state)
{
    (void)state;
    rng r = rng_make(52);
    for (int i = 0; i < rounds(25); i++) {
        entry e[MOST];
        size_t count = random_entries(e, &r);
        dp_composition c;
        dp_result x, y;
        dp_composition_init(&c);
        dp_result_init(&x);
        dp_result_init(&y);
        add_entries(&c, e, count);
        ask_epsilon(&x, &c, "0.01", 10);
        ask_epsilon(&y, &c, "0.02", 10);
        assert_true(figure_may_be_le(optimum(&y, "epsilon"), optimum(&x, "epsilon")));
        list_add(&c, i % 2 == 0 ? "0.05" : "0", i % 3 == 0 ? "1e-6" : "0", 1);
        ask_epsilon(&y, &c, "0.01", 10);
        assert_true(figure_may_be_le(optimum(&x, "epsilon"), optimum(&y, "epsilon")));
        ask_delta(&x, &c, "0.9", 10);
        ask_delta(&y, &c, "0.8", 10);
        assert_true(figure_may_be_le(optimum(&x, "delta"), optimum(&y, "delta")));
        dp_result_clear(&y);
        dp_result_clear(&x);
        dp_composition_clear(&c);
    }
}

/* delta(x) rounded down, turned back: epsilon(that) >= x; rounded up: <= x. */
static void test_round_trip(void **state)
{
    (void)state;
    rng r = rng_make(53);
    for (int i = 0; i < rounds(25); i++) {
        entry e[MOST];
        char at[40];
        size_t count = random_entries(e, &r);
        dp_composition c;
        dp_result forward, back;
        mpq_t x;
        mpq_init(x);
        dp_composition_init(&c);
        dp_result_init(&forward);
        dp_result_init(&back);
        add_entries(&c, e, count);
        snprintf(at, sizeof at, "%zu/1000", rng_below(&r, 3000));
        rational_of(x, at);
        ask_delta(&forward, &c, at, 15);
        for (int upper = 0; upper < 2; upper++) {
            char *delta =
                dp_figure_decimal(optimum(&forward, "delta"), upper ? DP_UPPER : DP_LOWER, 15);
            ask_epsilon(&back, &c, delta, 12);
            dp_decision below = dp_figure_le(optimum(&back, "epsilon"), x);
            bool ok = upper ? below != DP_NO || mpq_sgn(x) == 0 : true;
            if (!upper && below == DP_YES) { /* then x is epsilon itself, or the profile is flat */
                dp_result again;
                dp_result_init(&again);
                ask_delta(&again, &c, at, 15);
                mpq_t d;
                mpq_init(d);
                rational_of(d, delta);
                ok = dp_figure_le(optimum(&again, "delta"), d) != DP_NO;
                mpq_clear(d);
                dp_result_clear(&again);
            }
            if (!ok)
                fail_msg("at %s, delta %s", at, delta);
            dp_text_free(delta);
        }
        dp_result_clear(&back);
        dp_result_clear(&forward);
        dp_composition_clear(&c);
        mpq_clear(x);
    }
}

/* The optimum is not above any proved theorem, and no sound row is below it. */
static void test_optimum_is_least(void **state)
{
    (void)state;
    rng r = rng_make(54);
    dp_number target;
    dp_number_init(&target);
    for (int i = 0; i < rounds(20); i++) {
        entry e[MOST];
        size_t count = random_entries(e, &r);
        dp_composition c;
        dp_result out;
        dp_composition_init(&c);
        dp_result_init(&out);
        add_entries(&c, e, i % 2 == 0 ? 1 : count);
        dp_options opt = dp_options_default();
        opt.all = true;
        opt.max_seconds = 0.5;
        dp_compose_query q = {.list = &c, .method = DP_COMPOSE_OPTIMAL};
        bool at_delta = i % 3 != 0;
        number_of(&target, at_delta ? "0.02" : "1.5");
        *(at_delta ? &q.target_delta : &q.target_epsilon) = &target;
        assert_int_equal(dp_compose(&out, &q, &opt, NULL), DP_OK);
        const char *asked = at_delta ? "epsilon" : "delta", *given = at_delta ? "delta" : "epsilon";
        assert_true(out.count > 3);
        for (size_t j = 0; j < out.count; j++) {
            const char *id = out.row[j].theorem->id;
            if (out.row[j].verdict == DP_UNSOUND ||
                dp_figure_le(row_of(&out, id, given), target.value) != DP_YES)
                continue;
            if (!figure_may_be_le(optimum(&out, asked), row_of(&out, id, asked)))
                fail_msg("%s is below the optimum", id);
        }
        dp_result_clear(&out);
        dp_composition_clear(&c);
    }
    dp_number_clear(&target);
}

/* ---- edges ---- */

static void expect_rational(const char *epsilon, const char *delta, unsigned long times,
                            const char *at, const char *target, const char *expected)
{
    dp_composition c;
    dp_result r;
    mpq_t value;
    mpq_init(value);
    dp_composition_init(&c);
    dp_result_init(&r);
    list_add(&c, epsilon, delta, times);
    if (at != NULL)
        ask_delta(&r, &c, at, 10);
    else
        ask_epsilon(&r, &c, target, 10);
    const dp_figure *f = optimum(&r, at != NULL ? "delta" : "epsilon");
    if (expected == NULL) {
        assert_int_equal(f->kind, DP_INFINITE);
    } else {
        rational_of(value, expected);
        if (f->kind != DP_RATIONAL || !mpq_equal(f->rational, value))
            fail_msg("%s,%s x%zu at %s%s: not %s", epsilon, delta, times, at ? at : "",
                     target ? target : "", expected);
    }
    dp_result_clear(&r);
    dp_composition_clear(&c);
    mpq_clear(value);
}

static void test_edges(void **state)
{
    (void)state;
    expect_rational("0", "0", 5, "0", NULL, "0");
    expect_rational("0", "1e-3", 2, "7", NULL, "1999/1000000");
    expect_rational("1", "0", 3, "3", NULL, "0"); /* x is the sum of epsilon */
    expect_rational("1", "0", 3, "4", NULL, "0");
    expect_rational("0.1", "0.5", 2, "0.2", NULL, "0.75");
    expect_rational("5", "1", 2, "0", NULL, "1");
    expect_rational("ln(3)", "0", 1, "0", NULL, "1/2");
    expect_rational("ln(3)", "0", 2, "0", NULL, "1/2");
    expect_rational("ln(3)", "0", 2, "ln(9)", NULL, "0");
    expect_rational("ln(3)", "0", 2, "ln(3)", NULL, "3/8");
    expect_rational("1", "0", 3, NULL, "0", "3");
    expect_rational("0.1", "0.5", 2, NULL, "0.75", "0.2"); /* exactly the floor */
    expect_rational("0.1", "0.5", 2, NULL, "0.7499999999", NULL);
    expect_rational("0.1", "0.5", 2, NULL, "1", "0");
    expect_rational("9", "1", 2, NULL, "1", "0");
    expect_rational("9", "1", 2, NULL, "0.999", NULL);
    expect_rational("0", "0", 7, NULL, "0", "0");
    expect_rational("0.1", "0", 3, NULL, "0.99", "0");
    expect_rational("1e-6", "0", 1000000, NULL, "0.9", "0");
}

/* One mechanism: (e^eps - e^x)/(1 + e^eps), and its inverse ln(e^eps - delta (1 + e^eps)). */
static void test_one(void **state)
{
    (void)state;
    rng r = rng_make(55);
    mpfr_t e, x, d, low, high;
    mpfr_inits2(500, e, x, d, low, high, (mpfr_ptr)NULL);
    for (int i = 0; i < rounds(200); i++) {
        char eps[30], at[40], target[30];
        dp_composition c;
        dp_result out;
        dp_composition_init(&c);
        dp_result_init(&out);
        snprintf(eps, sizeof eps, "%zue-%zu", 1 + rng_below(&r, 3000), rng_below(&r, 12));
        snprintf(at, sizeof at, "%zu/1000", 1 + rng_below(&r, 998));
        list_add(&c, eps, "0", 1);
        mpq_t ratio, whole;
        mpq_inits(ratio, whole, NULL);
        rational_of(whole, eps);
        rational_of(ratio, at);
        mpq_mul(ratio, ratio, whole); /* x < eps */
        mpfr_set_q(e, whole, MPFR_RNDN);
        mpfr_set_q(x, ratio, MPFR_RNDN);
        mpfr_sub(d, e, x, MPFR_RNDN); /* e^x expm1(eps - x) / (1 + e^eps) */
        mpfr_expm1(d, d, MPFR_RNDN);
        mpfr_exp(x, x, MPFR_RNDN);
        mpfr_mul(d, d, x, MPFR_RNDN);
        mpfr_exp(e, e, MPFR_RNDN);
        mpfr_add_ui(e, e, 1, MPFR_RNDN);
        mpfr_div(d, d, e, MPFR_RNDN);
        mpfr_mul_2si(low, d, -400, MPFR_RNDU);
        mpfr_add(high, d, low, MPFR_RNDU);
        mpfr_sub(low, d, low, MPFR_RNDD);
        gmp_snprintf(target, sizeof target, "%Qd", ratio);
        ask_delta(&out, &c, target, 20);
        assert_true(figure_holds_fr(optimum(&out, "delta"), low, high));
        mpq_clears(ratio, whole, NULL);
        dp_result_clear(&out);
        dp_composition_clear(&c);
    }
    mpfr_clears(e, x, d, low, high, (mpfr_ptr)NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_and_splits),
        cmocka_unit_test(test_monotone),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_optimum_is_least),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_one),
    };
    return cmocka_run_group_tests_name("composition, properties", tests, NULL, NULL);
}
