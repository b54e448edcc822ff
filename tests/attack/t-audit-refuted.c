/* SPDX-License-Identifier: MIT */
/* What fails as an audit, recomputed: audit-logkatz, audit-bayes, audit-gdp-to-eps, onerun-2023. */
#include "support.h"

#include "alarms.h"

#include <math.h>
#include <string.h>

#include "loss/gaussian.h"

#define N 50

static double mass(int k, double p)
{
    double c = 1;
    for (int i = 0; i < k; i++)
        c = c * (N - i) / (i + 1);
    return c * pow(p, k) * pow(1 - p, N - k);
}

/* audit-logkatz, of n trials each with rates a/20 and b/20: how often the one-sided 95 % limit is
 * above the truth, exactly. Without a false positive it takes half a one. */
static void katz_alarm(mpq_t alarm, unsigned long n, unsigned long a, unsigned long b)
{
    mpz_t sum, part, one;
    mpz_inits(sum, part, one, NULL);
    for (unsigned long tp = 1; tp <= n; tp++)
        for (unsigned long fp = 0; fp <= n; fp++) {
            double t = (double)tp, f = fp > 0 ? (double)fp : 0.5, m = (double)n;
            double limit =
                log(t / f) - 1.6448536269514722 * sqrt((1 - t / m) / t + (1 - f / m) / f);
            if (limit <= log((double)a / (double)b))
                continue;
            const unsigned long factor[][2] = {
                {a, tp}, {20 - a, n - tp}, {b, fp}, {20 - b, n - fp}};
            mpz_bin_uiui(part, n, tp);
            mpz_bin_uiui(one, n, fp);
            mpz_mul(part, part, one);
            for (size_t i = 0; i < 4; i++) {
                mpz_ui_pow_ui(one, factor[i][0], factor[i][1]);
                mpz_mul(part, part, one);
            }
            mpz_add(sum, sum, part);
        }
    mpq_set_z(alarm, sum);
    mpz_ui_pow_ui(mpq_denref(alarm), 20, 2 * n);
    mpq_canonicalize(alarm);
    mpz_clears(sum, part, one, NULL);
}

/* coverage_logkatz-01 and coverage_logkatz-03 of the shared values. */
static void test_logkatz(void **state)
{
    (void)state;
    mpq_t alarm;
    mpq_init(alarm);
    assert_int_equal(dp_theorem_find("audit-logkatz")->verdict, DP_UNSOUND);
    katz_alarm(alarm, 50, 19, 19);
    is_about(alarm, "0.05960028967697265864680018244112158711839");
    katz_alarm(alarm, 100, 18, 1);
    is_about(alarm, "0.008320428222545177751111782891463754773686");
    mpq_clear(alarm);
}

#define GRID 40000

/* below[k][i] = Pr[rate <= i/GRID] under the posterior of k, by the mass of each cell's middle:
 * Beta(k + 1/2, N - k + 1/2). */
static void posteriors(double (*density)[GRID])
{
    for (int k = 0; k <= N; k++) {
        double sum = 0;
        for (int i = 0; i < GRID; i++) {
            double x = (i + 0.5) / GRID;
            density[k][i] = exp((k - 0.5) * log(x) + (N - k - 0.5) * log1p(-x));
            sum += density[k][i];
        }
        for (int i = 0; i < GRID; i++)
            density[k][i] /= sum;
    }
}

/* audit-bayes: rates 0.9 and 0.04; the limit is above the truth where the posterior gives less than
 * 5 % to ratios below it. */
static void test_bayes(void **state)
{
    (void)state;
    static double density[N + 1][GRID], below[GRID + 1];
    assert_int_equal(dp_theorem_find("audit-bayes")->verdict, DP_UNSOUND);
    posteriors(density);
    double alarm = 0, ratio = 0.9 / 0.04;
    for (int tp = 30; tp <= N; tp++) {
        below[0] = 0;
        for (int i = 0; i < GRID; i++)
            below[i + 1] = below[i] + density[tp][i];
        for (int fp = 0; fp <= 20; fp++) {
            double share = 0;
            for (int i = 0; i < GRID; i++) {
                double x = ratio * (i + 0.5);
                share += density[fp][i] *
                         (x < GRID ? below[(int)x] + (x - floor(x)) * density[tp][(int)x] : 1);
            }
            if (share < 0.05)
                alarm += mass(tp, 0.9) * mass(fp, 0.04);
        }
    }
    assert_true(fabs(alarm - 0.114) < 0.0005);
}

/* audit-gdp-to-eps: the rates of randomized response with epsilon 1, which is (1, 0)-DP. */
static void test_gdp(void **state)
{
    (void)state;
    assert_int_equal(dp_theorem_find("audit-gdp-to-eps")->verdict, DP_UNSOUND);
    double low = 0, high = 4, rate = 1 / (1 + exp(1));
    while (high - low > 1e-12) {
        double z = (low + high) / 2;
        *(erfc(z / sqrt(2)) / 2 > rate ? &low : &high) = z;
    }
    assert_true(fabs(2 * low - 1.2320) < 1e-4);
    mpfi_t mu, epsilon;
    mpq_t delta;
    mpfi_init2(mu, 80);
    mpfi_init2(epsilon, 80);
    mpq_init(delta);
    rational_of(delta, "1e-5");
    mpfi_set_d(mu, 2 * low);
    gaussian_epsilon(epsilon, mu, delta);
    assert_true(fabs(mpfi_get_d(epsilon) - 5.58) < 0.01);
    mpq_clear(delta);
    mpfi_clear(epsilon);
    mpfi_clear(mu);
}

/* onerun-2023: below what is attained (by the linear program of t-audit, at the same point). */
static void test_published(void **state)
{
    (void)state;
    dp_number three, one, zero, delta, confidence;
    dp_number *all[] = {&three, &one, &zero, &delta, &confidence};
    static const char *const text[] = {"3", "1", "0", "0.01", "0.95"};
    for (size_t i = 0; i < 5; i++) {
        dp_number_init(all[i]);
        number_of(all[i], text[i]);
    }
    dp_audit a = {.one_run = true,
                  .canaries = &three,
                  .guesses = &three,
                  .correct = &one,
                  .delta = &delta,
                  .confidence = &confidence,
                  .method = DP_AUDIT_2023};
    dp_options opt = dp_options_default();
    dp_result r;
    mpq_t p;
    opt.max_epsilon = &zero;
    mpq_init(p);
    dp_result_init(&r);
    assert_int_equal(dp_audit_evaluate(&r, &a, &opt, NULL), DP_OK);
    rational_of(p, "0.88375");
    const dp_figure *exact = row_of(&r, "onerun-exact", "p_value");
    const dp_figure *printed = row_of(&r, "onerun-2023", "p_value");
    assert_true(exact->kind == DP_RATIONAL && mpq_equal(exact->rational, p) != 0);
    rational_of(p, "0.88251");
    assert_int_equal(dp_figure_le(printed, p), DP_YES);
    assert_string_equal(r.row[r.guarantee].theorem->id, "onerun-exact");
    dp_result_clear(&r);
    mpq_clear(p);
    for (size_t i = 0; i < 5; i++)
        dp_number_clear(all[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_logkatz),
        cmocka_unit_test(test_bayes),
        cmocka_unit_test(test_gdp),
        cmocka_unit_test(test_published),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
