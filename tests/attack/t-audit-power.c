/* SPDX-License-Identifier: MIT */
/* Plans of two samples for an attack of known rates, beside its power summed over all outcomes. */
#include "support.h"

#include <math.h>

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
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rectangle),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_fisher),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
