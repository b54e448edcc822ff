/* SPDX-License-Identifier: MIT */
/* Plans of two samples for an attack of known rates, beside its power summed over all outcomes. */
#include "support.h"

#include <math.h>

#include "attack/audit_answers.h"

#define MOST 40

/* What is planned. */
static unsigned long planned(dp_audit_method method, const char *const text[6])
{
    dp_number x[6];
    for (int i = 0; i < 6; i++) {
        dp_number_init(&x[i]);
        number_of(&x[i], text[i]);
    }
    dp_audit a = {.plan = true,
                  .claim_epsilon = &x[0],
                  .delta = &x[1],
                  .confidence = &x[2],
                  .tpr = &x[3],
                  .fpr = &x[4],
                  .power = &x[5],
                  .method = method};
    dp_options opt = dp_options_default();
    dp_result r;
    dp_result_init(&r);
    assert_int_equal(dp_audit_evaluate(&r, &a, &opt, NULL), DP_OK);
    assert_int_equal(r.row[0].verdict, DP_EXACT);
    unsigned long n = mpz_get_ui(mpq_numref(dp_result_figure(&r, "trials_needed")->rational));
    dp_result_clear(&r);
    for (int i = 0; i < 6; i++)
        dp_number_clear(&x[i]);
    return n;
}

static void masses(double *at, int n, double p)
{
    at[0] = 1;
    for (int i = 0; i < n; i++) {
        at[i + 1] = at[i] * p;
        for (int k = i; k > 0; k--)
            at[k] = at[k] * (1 - p) + at[k - 1] * p;
        at[0] *= 1 - p;
    }
}

/* The lower limit of k of n at 1 - a, by halves. */
static double limit(int k, int n, double a)
{
    double low = 0, high = k > 0, at[MOST + 1];
    for (int i = 0; i < 40; i++) {
        double p = (low + high) / 2, tail = 0;
        masses(at, n, p);
        for (int j = k; j <= n; j++)
            tail += at[j];
        *(tail < a ? &low : &high) = p;
    }
    return low;
}

static double power_of(int n, double epsilon, double delta, double alpha, double tpr, double fpr)
{
    double low[MOST + 1], caught[MOST + 1], alarms[MOST + 1], power = 0;
    for (int k = 0; k <= n; k++)
        low[k] = limit(k, n, alpha / 2);
    masses(caught, n, tpr);
    masses(alarms, n, fpr);
    for (int t = 0; t <= n; t++)
        for (int f = 0; f <= n; f++) {
            double y = low[t], pass = low[n - f];
            if (y - delta >= exp(epsilon) * (1 - pass) || pass - delta >= exp(epsilon) * (1 - y))
                power += caught[t] * alarms[f];
        }
    return power;
}

/* From n on, up to 2n, it is enough; each number below n has one up to its double that is not. */
static void test_rectangle(void **state)
{
    (void)state;
    static const struct {
        const char *text[6];
        double value[6];
    } plan[] = {
        {{"0.5", "0", "0.8", "0.95", "0.1", "0.8"}, {0.5, 0, 0.2, 0.95, 0.1, 0.8}},
        {{"0.3", "0.01", "0.9", "0.5", "0", "0.7"}, {0.3, 0.01, 0.1, 0.5, 0, 0.7}},
        {{"0.6", "0.05", "0.7", "1", "0.45", "0.6"}, {0.6, 0.05, 0.3, 1, 0.45, 0.6}},
    };
    for (size_t i = 0; i < sizeof plan / sizeof *plan; i++) {
        const double *v = plan[i].value;
        int n = (int)planned(DP_AUDIT_CP, plan[i].text), weak = 2 * n + 1;
        assert_in_range(n, 2, MOST / 2);
        for (int k = 2 * n; k > 0; k--) {
            bool enough = power_of(k, v[0], v[1], v[2], v[3], v[4]) >= v[5];
            assert_true(enough || k < n);
            weak = enough ? weak : k;
            if (k < n)
                assert_true(weak <= 2 * k);
        }
    }
}

/* An attack that is always right needs what is planned without a power, by either method. */
static void test_ends(void **state)
{
    (void)state;
    static const char *const right[] = {"1", "1e-5", "0.95", "1", "0", "0.5"};
    assert_int_equal(planned(DP_AUDIT_CP, right), 12);
    static const char *const pure[] = {"1", "0", "0.95", "1", "0", "0.5"};
    assert_int_equal(planned(DP_AUDIT_FISHER, pure), 8);
}

/* The product of two tails takes fewer. Its power in doubles, over all outcomes, the supremum by a
 * search along the curve: 0.8948178 of 30, 0.9276256 of 31, 0.9181955 of 32. */
static void test_fisher(void **state)
{
    (void)state;
    static const char *const text[] = {"1", "0", "0.95", "0.9", "0.1", "0.9"};
    assert_int_equal(planned(DP_AUDIT_BY_DESIGN, text), 31);
    assert_int_equal(planned(DP_AUDIT_CP, text), 43);
    static const char *const near[] = {"1", "0", "0.95", "0.7", "0.1", "0.9"};
    assert_int_equal(planned(DP_AUDIT_BY_DESIGN, near), 78);
}

/* Numbers at which guesses of what refutes are off by one, as of few false positives, and larger
 * ones. Power as above: 0.98997 of 96, 0.99084 of 97; 0.49573 of 274, 0.50085 of 275; by incomplete
 * beta functions 0.899987 of 14064, 0.900019 of 14065. The others by
 * each count from twice as many down, before searches had guesses. */
static void test_larger(void **state)
{
    (void)state;
    static const struct {
        dp_audit_method method;
        const char *text[6];
        unsigned long n;
    } plan[] = {
        {DP_AUDIT_FISHER, {"0.5", "0.01", "0.99", "0.294", "0.01", "0.99"}, 97},
        {DP_AUDIT_FISHER, {"1", "0", "0.999999", "0.429", "0.05", "0.5"}, 275},
        {DP_AUDIT_FISHER, {"2", "0", "0.9", "0.038", "0.001", "0.5"}, 911},
        {DP_AUDIT_FISHER, {"1", "0", "0.95", "0.75", "0.2", "0.9"}, 379},
        {DP_AUDIT_CP, {"1", "0", "0.95", "0.75", "0.2", "0.9"}, 532},
        {DP_AUDIT_FISHER, {"1", "0", "0.95", "0.5", "0.16", "0.9"}, 3227},
        {DP_AUDIT_FISHER, {"1", "0", "0.95", "0.5", "0.17", "0.9"}, 9644},
        {DP_AUDIT_CP, {"1", "0", "0.95", "0.5", "0.17", "0.9"}, 14065},
        {DP_AUDIT_CP, {"4", "0", "0.95", "0.07", "0.0002", "0.8"}, 6347},
        {DP_AUDIT_CP, {"3", "0", "0.999999", "0.077", "0", "0.99999"}, 6002},
    };
    for (size_t i = 0; i < sizeof plan / sizeof *plan; i++)
        if (plan[i].n < 1000 || rounds_are_full())
            assert_int_equal(planned(plan[i].method, plan[i].text), plan[i].n);
}

/* What one number of the curve decides is what the p-value says, for all outcomes of few trials,
 * and most outcomes are decided so. */
static void decisions(const char *delta, const char *epsilon)
{
    enum { FEW = 14 };
    dp_audit q = {.method = DP_AUDIT_FISHER};
    dp_number claim;
    mpfi_t level;
    dp_figure value;
    dp_number_init(&claim);
    dp_figure_init(&value);
    mpfi_init2(level, 64);
    number_of(&claim, epsilon);
    audit_in in = {.of = &q, .members = FEW, .outsiders = FEW, .claim = &claim};
    mpq_inits(in.alpha, in.delta, NULL);
    rational_of(in.alpha, "0.05");
    rational_of(in.delta, delta);
    audit_fisher_log_level(level, &in);
    unsigned told[2] = {0, 0};
    for (in.hits = 1; in.hits <= FEW; in.hits++)
        for (in.alarms = 0; in.alarms < FEW; in.alarms++) {
            dp_decision is = audit_fisher_refutes(&in, level);
            wanted want = {128, false};
            audit_fisher_p(&value, &in, &want);
            assert_true(is == DP_UNKNOWN || is == dp_figure_le(&value, in.alpha));
            if (is != DP_UNKNOWN)
                told[is == DP_YES]++;
        }
    assert_true(told[0] >= 100 && told[1] >= 10);
    mpq_clears(in.alpha, in.delta, NULL);
    mpfi_clear(level);
    dp_figure_clear(&value);
    dp_number_clear(&claim);
}

static void test_decisions(void **state)
{
    (void)state;
    decisions("0", "0.5");
    decisions("0.01", "0.2");
}

/* Tails by the table are those without it. */
static void test_tails(void **state)
{
    (void)state;
    mpq_t rate;
    mpq_init(rate);
    rational_of(rate, "0.3");
    tails t = {.rate = rate}, none = {.rate = rate};
    mpfi_t x, y;
    mpfi_init2(x, TAILS_BITS);
    mpfi_init2(y, TAILS_BITS);
    tails_fill(&t, 300, 60, 120);
    assert_int_equal(t.n, 300);
    for (unsigned long k = 50; k <= 130; k++) {
        tails_beyond(x, &t, k, 300);
        tails_beyond(y, &none, k, 300);
        mpfi_sub(x, x, y);
        assert_true(mpfi_has_zero(x) > 0);
        assert_true(mpfr_cmp_ui_2exp(&x->right, 1, -50) < 0);
    }
    mpfi_clear(y);
    mpfi_clear(x);
    tails_clear(&t);
    mpq_clear(rate);
}

/* A yes is one of fewer misses and alarms and of more trials, a no the other way. */
static void test_answers(void **state)
{
    (void)state;
    static answers t;
    answers_note(&t, 3, 4, 50, true);
    answers_note(&t, 8, 4, 50, false);
    assert_int_equal(answers_recall(&t, 2, 4, 60), DP_YES);
    assert_int_equal(answers_recall(&t, 3, 4, 49), DP_UNKNOWN);
    assert_int_equal(answers_recall(&t, 3, 5, 50), DP_UNKNOWN);
    assert_int_equal(answers_recall(&t, 4, 4, 50), DP_UNKNOWN);
    assert_int_equal(answers_recall(&t, 8, 5, 40), DP_NO);
    assert_int_equal(answers_recall(&t, 8, 5, 51), DP_UNKNOWN);
    for (unsigned long i = 0; i < ANSWERS_MOST; i++)
        answers_note(&t, 100, 100, 50, false);
    assert_int_equal(answers_recall(&t, 2, 4, 60), DP_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rectangle), cmocka_unit_test(test_ends),
        cmocka_unit_test(test_fisher),    cmocka_unit_test(test_decisions),
        cmocka_unit_test(test_tails),     cmocka_unit_test(test_answers),
        cmocka_unit_test(test_larger),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
