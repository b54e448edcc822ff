/* SPDX-License-Identifier: MIT */
/* Plans beside the audits that they are about: the least number of trials of an attack that is
 * always right, or of a known accuracy. */
#include "support.h"

#include <math.h>

static double mass(int k, int n, double q)
{
    double c = 1;
    for (int i = 0; i < k; i++)
        c = c * (n - i) / (i + 1);
    return c * pow(q, k) * pow(1 - q, n - k);
}

static double tail(int k, int n, double q)
{
    double s = 0;
    for (int i = n; i >= k; i--)
        s += mass(i, n, q);
    return s;
}

static unsigned long planned(dp_audit_method method, bool one_run, const char *claim,
                             const char *delta, const char *confidence)
{
    dp_number e, d, c;
    dp_number *all[] = {&e, &d, &c};
    const char *text[] = {claim, delta, confidence};
    for (int i = 0; i < 3; i++) {
        dp_number_init(all[i]);
        number_of(all[i], text[i]);
    }
    dp_audit a = {.plan = true,
                  .claim_epsilon = &e,
                  .delta = &d,
                  .confidence = &c,
                  .method = method,
                  .one_run = one_run};
    dp_options opt = dp_options_default();
    dp_result r;
    dp_result_init(&r);
    assert_int_equal(dp_audit_evaluate(&r, &a, &opt, NULL), DP_OK);
    assert_string_equal(r.row[0].theorem->id, "audit-plan");
    unsigned long n = mpz_get_ui(mpq_numref(dp_result_figure(&r, "trials_needed")->rational));
    dp_result_clear(&r);
    for (int i = 0; i < 3; i++)
        dp_number_clear(all[i]);
    return n;
}

/* Is the claim refuted by n answers that are all right? */
static bool refuted(dp_audit_method method, bool one_run, unsigned long n, const char *claim,
                    const char *delta, const char *confidence)
{
    dp_number e, d, c, all, none;
    dp_number *list[] = {&e, &d, &c, &all, &none};
    for (int i = 0; i < 5; i++)
        dp_number_init(list[i]);
    number_of(&e, claim);
    number_of(&d, delta);
    number_of(&c, confidence);
    dp_number_set_ui(&all, n);
    dp_audit a = {.delta = &d, .confidence = &c, .method = method};
    if (one_run || method == DP_AUDIT_COIN)
        a.correct = &all;
    if (one_run) {
        a.one_run = true;
        a.canaries = a.guesses = &all;
    } else if (method == DP_AUDIT_COIN) {
        a.trials = &all;
    } else {
        a.true_positives = a.positives = a.negatives = &all;
        a.false_positives = &none;
    }
    dp_options opt = dp_options_default();
    opt.max_epsilon = &e;
    dp_result r;
    dp_result_init(&r);
    assert_int_equal(dp_audit_evaluate(&r, &a, &opt, NULL), DP_OK);
    bool is = r.check.holds == DP_NO;
    dp_result_clear(&r);
    for (int i = 0; i < 5; i++)
        dp_number_clear(list[i]);
    return is;
}

static void test_plans(void **state)
{
    (void)state;
    static const struct {
        dp_audit_method method;
        bool one_run;
        const char *claim, *delta, *confidence;
        unsigned long n;
    } plan[] = {
        {DP_AUDIT_CP, false, "1", "1e-5", "0.95", 12},
        {DP_AUDIT_CP, false, "5", "1e-5", "0.95", 550},
        {DP_AUDIT_CP, false, "8", "0", "0.99", 15797},
        {DP_AUDIT_SIDAK, false, "5", "0", "0.95", 548},
        {DP_AUDIT_FISHER, false, "5", "0", "0.95", 354},
        {DP_AUDIT_FISHER, false, "1", "0.01", "0.9", 0},
        {DP_AUDIT_COIN, false, "5", "1e-5", "0.95", 447},
        {DP_AUDIT_COIN, false, "ln(3)", "0", "175/256", 4}, /* a tie, as the next ones */
        {DP_AUDIT_COIN, false, "0", "0", "31/32", 5},
        {DP_AUDIT_COIN, false, "0", "1/2", "37/64", 3},
        {DP_AUDIT_EXACT, true, "0", "0", "31/32", 5},
        {DP_AUDIT_CP, false, "0", "0", "15/16", 5},
        {DP_AUDIT_SIDAK, false, "ln(3)", "0", "1369/4096", 3},
        {DP_AUDIT_SIDAK, false, "ln(3)", "0", "1370/4096", 4}, /* no square */
        {DP_AUDIT_SIDAK, false, "0", "0", "961/1024", 5},
        {DP_AUDIT_EXACT, true, "1", "1e-5", "0.95", 10},
        {DP_AUDIT_EXACT, true, "8", "0", "0.99", 13731},
        {DP_AUDIT_EXACT, true, "2", "0.01", "0.95", 0},
    };
    for (size_t i = 0; i < sizeof plan / sizeof *plan; i++) {
        unsigned long n = planned(plan[i].method, plan[i].one_run, plan[i].claim, plan[i].delta,
                                  plan[i].confidence);
        if (plan[i].n != 0)
            assert_int_equal(n, plan[i].n);
        assert_true(refuted(plan[i].method, plan[i].one_run, n, plan[i].claim, plan[i].delta,
                            plan[i].confidence));
        if (n > 1)
            assert_false(refuted(plan[i].method, plan[i].one_run, n - 1, plan[i].claim,
                                 plan[i].delta, plan[i].confidence));
    }
}

/* The trials for a power, 0 where there is none of it; the status is as told. */
static unsigned long powered(const char *const text[4], double seconds, dp_status told)
{
    dp_number e, c, a, p;
    dp_number *all[] = {&e, &c, &a, &p};
    for (int i = 0; i < 4; i++) {
        dp_number_init(all[i]);
        number_of(all[i], text[i]);
    }
    dp_audit q = {.plan = true,
                  .claim_epsilon = &e,
                  .confidence = &c,
                  .accuracy = &a,
                  .power = &p,
                  .method = DP_AUDIT_COIN};
    dp_options opt = dp_options_default();
    opt.max_seconds = seconds;
    dp_result r;
    dp_error err = {DP_OK, NULL, NULL};
    dp_result_init(&r);
    assert_int_equal(dp_audit_evaluate(&r, &q, &opt, &err), told);
    unsigned long n = 0;
    if (told == DP_OK)
        n = mpz_get_ui(mpq_numref(dp_result_figure(&r, "trials_needed")->rational));
    else
        assert_string_equal(err.message,
                            "the time limit was met before the answer was proved; raise it");
    dp_result_clear(&r);
    for (int i = 0; i < 4; i++)
        dp_number_clear(all[i]);
    return n;
}

/* Power, in doubles: 51 trials on, up to 102, a coin design with accuracy 0.9 refutes (1, 0) at 95
 * % with probability 0.9 at least; not with 50. */
static void test_power(void **state)
{
    (void)state;
    static const char *const text[] = {"1", "0.95", "0.9", "0.9"};
    double right = 1 / (1 + exp(-1));
    unsigned long n = powered(text, 0, DP_OK);
    for (int k = (int)n - 1; k <= 2 * (int)n; k++) {
        int v = 0;
        while (v <= k && tail(v, k, right) > 0.05)
            v++;
        assert_int_equal(tail(v, k, 0.9) >= 0.9, k >= (int)n);
    }
}

/* Ties of the level, and of the power, by fractions: were they not met, the answers would be
 * larger.
 */
static void test_power_ties(void **state)
{
    (void)state;
    static const char *const one[] = {"0", "1/2", "9/10", "81/100"};
    static const char *const two[] = {"0", "3/4", "9/10", "6561/10000"};
    static const char *const four[] = {"0", "15/16", "9/10", "0.531441"};
    assert_int_equal(powered(one, 0, DP_OK), 1);
    assert_int_equal(powered(two, 0, DP_OK), 2);
    assert_int_equal(powered(four, 0, DP_OK), 4);
}

static void test_power_late(void **state)
{
    (void)state;
    static const char *const text[] = {"1", "0.95", "0.732", "0.9"};
    powered(text, 0.001, DP_LIMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plans),
        cmocka_unit_test(test_power),
        cmocka_unit_test(test_power_ties),
        cmocka_unit_test(test_power_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
