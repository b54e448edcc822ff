/* SPDX-License-Identifier: MIT */
/* Laplace noise on a Poisson sample beyond its pair: zCDP beside values of another program and
 * above the Renyi divergences of the pair, and groups above what two records attain. */
#include "core/mechanism.h"

#include "support.h"

#include <math.h>

static dp_mechanism *sampled(const char *scale, const char *rate)
{
    dp_mechanism *m = dp_mechanism_new("sampled-laplace", NULL);
    assert_int_equal(dp_mechanism_set(m, "scale", scale, NULL), DP_OK);
    assert_int_equal(dp_mechanism_set(m, "sampling-rate", rate, NULL), DP_OK);
    assert_int_equal(mechanism_complete(m, NULL), DP_OK);
    return m;
}

static void test_zcdp(void **state)
{
    (void)state;
    static const char *const row[][3] = {
        {"1", "1/10", "0.012545167964016081220215462656214"}, /* x tanh(x/2) of the largest loss */
        {"1/3", "9/10", "2.0497870683678639429793424156501"}, /* of the noise alone */
        {"1", "0", "0"},
    };
    mpfi_t xi, rho;
    mpq_t q;
    mpq_init(q);
    mpfi_init2(xi, 100);
    mpfi_init2(rho, 100);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        dp_mechanism *m = sampled(row[i][0], row[i][1]);
        assert_int_equal(m->type->zcdp(xi, rho, m), DP_OK);
        rational_of(q, row[i][2]);
        assert_true(mpfi_is_zero(xi) > 0);
        assert_true(fabs(mpfi_get_d(rho) - mpq_get_d(q)) <= 1e-15 * mpq_get_d(q));
        dp_mechanism_free(m);
    }
    mpfi_clear(rho);
    mpfi_clear(xi);
    mpq_clear(q);
}

/* Renyi divergence of that order in one direction, by midpoints. */
static double divergence(double e, double q, double alpha, bool add)
{
    double sum = 0, h = 1e-3, step = 1e-3 / 2;
    for (double z = -30; z < 30; z += h) {
        double none = exp(-fabs(z + step)) / 2,
               p = (1 - q) * none + q * exp(-fabs(z + step - e)) / 2;
        double of = add ? none : p, over = add ? p : none;
        sum += of * exp((alpha - 1) * log(of / over)) * h;
    }
    return log(sum) / (alpha - 1);
}

static void test_above_divergences(void **state)
{
    (void)state;
    static const char *const row[][2] = {{"1", "1/10"}, {"1/3", "9/10"}, {"5", "1/2"}};
    mpfi_t xi, rho;
    mpfi_init2(xi, 100);
    mpfi_init2(rho, 100);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        dp_mechanism *m = sampled(row[i][0], row[i][1]);
        assert_int_equal(m->type->zcdp(xi, rho, m), DP_OK);
        double e = i == 0 ? 1 : i == 1 ? 3 : 0.2, q = i == 0 ? 0.1 : i == 1 ? 0.9 : 0.5;
        for (double alpha = 1.1; alpha < 9; alpha *= 2.3)
            for (int add = 0; add < 2; add++)
                assert_true(divergence(e, q, alpha, add != 0) < alpha * mpfi_get_d(rho));
        dp_mechanism_free(m);
    }
    mpfi_clear(rho);
    mpfi_clear(xi);
}

/* Two records, noise of scale 1, q = 1/10: (1-q)^2 Lap(0) + 2q(1-q) Lap(1) + q^2 Lap(2) beside
 * Lap(0), by midpoints, where they are removed. */
static double attained(double x)
{
    double sum = 0, h = 1e-3;
    for (double z = -20; z < 22; z += h) {
        double y = z + h / 2, none = exp(-fabs(y)) / 2;
        double p = 0.81 * none + 0.09 * exp(-fabs(y - 1)) + 0.005 * exp(-fabs(y - 2));
        sum += fmax(0, p - exp(x) * none) * h;
    }
    return sum;
}

static void test_groups(void **state)
{
    (void)state;
    dp_composition one, two;
    dp_result r;
    mpz_t size;
    mpz_init_set_ui(size, 1);
    dp_composition_init(&one);
    dp_composition_init(&two);
    dp_mechanism *m = sampled("1", "1/10");
    assert_int_equal(uses_add(&one, m, size), DP_OK);
    dp_mechanism_free(m);
    mpz_set_ui(size, 2);
    assert_int_equal(dp_composition_for_groups(&two, &one, size, NULL), DP_OK);
    static const char *const at[] = {"0", "1/20", "1/5", "0.3"};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        mpq_t x;
        mpq_init(x);
        rational_of(x, at[i]);
        dp_result_init(&r);
        ask_delta(&r, &two, at[i], 10);
        double above = dp_figure_double(&r.row[0].quantity[1].figure, DP_UPPER, 17);
        double least = attained(mpq_get_d(x));
        assert_true(least > 1e-5 && least < above && above < 20 * least);
        dp_result_clear(&r);
        mpq_clear(x);
    }
    dp_composition_clear(&two);
    dp_composition_clear(&one);
    mpz_clear(size);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zcdp),
        cmocka_unit_test(test_above_divergences),
        cmocka_unit_test(test_groups),
    };
    return cmocka_run_group_tests_name("sampled laplace", tests, NULL, NULL);
}
