/* SPDX-License-Identifier: MIT */
/* Parameters chosen from earlier outputs: where the optimum of fixed parameters fails in place of a
 * filter (filter-optimal) and of an odometer (odometer-optimal), by enumeration. */
#include "support.h"

#include <math.h>
#include <stdlib.h>

static double binomial(int n, int j)
{
    return exp(lgamma(n + 1) - lgamma(j + 1) - lgamma(n - j + 1));
}

/* delta at epsilon of n responses after outcomes of probabilities p and q */
static double responses_after(double p, double q, double loss, int n, double epsilon)
{
    double yes = 1 / (1 + exp(-loss)), sum = 0;
    for (int j = 0; j <= n; j++)
        sum += binomial(n, j) * fmax(0, p * pow(yes, j) * pow(1 - yes, n - j) -
                                            exp(epsilon) * q * pow(1 - yes, j) * pow(yes, n - j));
    return sum;
}

static double optimum(const char *const *epsilon, const unsigned long *times, size_t count,
                      const char *at)
{
    dp_composition list;
    dp_result r;
    dp_composition_init(&list);
    dp_result_init(&r);
    for (size_t i = 0; i < count; i++)
        list_add(&list, epsilon[i], "0", times[i]);
    ask_delta(&r, &list, at, 17);
    double d = dp_figure_double(dp_result_figure(&r, "delta"), DP_UPPER, 17);
    dp_result_clear(&r);
    dp_composition_clear(&list);
    return d;
}

static void expect_near(double got, double want)
{
    if (!(got >= want * (1 - 1e-11) && got <= want * (1 + 1e-11)))
        fail_msg("%.17g, not %.17g", got, want);
}

/* filter-optimal: one response, then one of two lists by what it answered. */
static void test_optimum_is_no_filter(void **state)
{
    (void)state;
    static const struct {
        const char *first, *plus, *minus, *at;
        unsigned long n;
        double plus_path, minus_path, whole;
    } row[] = {
        {"0.3", "0.9", "0.29", "1", 8, 0, 0, 0.087538},
        {"0.5", "0.76", "0.27", "1", 8, 0.097100454270645468, 0.091841507263236418,
         0.10184031430026237},
        {"1", "1", "0.4", "1.5", 6, 0.21028836897981830, 0.17775590639228411, 0.21028836897981830},
    };
    for (size_t i = 0; i < 3; i++) {
        double a = optimum((const char *const[]){row[i].first, row[i].plus},
                           (unsigned long[]){1, 1}, 2, row[i].at);
        double b = optimum((const char *const[]){row[i].first, row[i].minus},
                           (unsigned long[]){1, row[i].n}, 2, row[i].at);
        double x = strtod(row[i].at, NULL), yes = 1 / (1 + exp(-strtod(row[i].first, NULL)));
        double whole = responses_after(yes, 1 - yes, strtod(row[i].plus, NULL), 1, x) +
                       responses_after(1 - yes, yes, strtod(row[i].minus, NULL), (int)row[i].n, x);
        if (i == 0) { /* that of the row */
            assert_true(a < 0.0824 && b < 0.0824 && whole > 0.0875);
            continue;
        }
        expect_near(a, row[i].plus_path);
        expect_near(b, row[i].minus_path);
        expect_near(whole, row[i].whole);
    }
}

/* odometer-optimal: the analyst stops at step t where the outcome so far is worth most, p -
 * e^(epsilon_t) q, epsilon_t the optimum of t steps at delta: backward induction. */
static double stopped_best(const char *loss, int steps, const char *delta)
{
    double epsilon[64] = {0}, worth[65] = {0}, yes = 1 / (1 + exp(-strtod(loss, NULL)));
    for (int t = 1; t <= steps; t++) {
        dp_composition list;
        dp_result r;
        dp_composition_init(&list);
        dp_result_init(&r);
        list_add(&list, loss, "0", (unsigned long)t);
        ask_epsilon(&r, &list, delta, 17);
        epsilon[t] = dp_figure_double(dp_result_figure(&r, "epsilon"), DP_UPPER, 17);
        dp_result_clear(&r);
        dp_composition_clear(&list);
    }
    for (int t = steps; t >= 0; t--) /* worth[j], j of t answers as the record says */
        for (int j = 0; j <= t; j++) {
            double p = pow(yes, j) * pow(1 - yes, t - j), q = pow(1 - yes, j) * pow(yes, t - j);
            double stop = t == 0 ? 0 : fmax(0, p - exp(epsilon[t]) * q);
            double go = t == steps ? 0 : worth[j] + worth[j + 1];
            worth[j] = fmax(stop, go);
        }
    return worth[0];
}

static void test_optimum_is_no_odometer(void **state)
{
    (void)state;
    expect_near(stopped_best("0.5", 20, "0.01"), 0.021149921461761877);
    expect_near(stopped_best("0.1", 60, "1e-6"), 5.3773853951070388e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_optimum_is_no_filter),
        cmocka_unit_test(test_optimum_is_no_odometer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
