/* SPDX-License-Identifier: MIT */
/* Mechanisms of bounded range: reference values, the limit of small ranges, and two-point pairs,
 * which the closed form of the class is the largest of. */
#include "core/mechanism.h"

#include "support.h"

#include <math.h>

#include "catalog/types.h"

static dp_mechanism *range(const char *eta)
{
    dp_error err;
    dp_mechanism *m = dp_mechanism_new("bounded-range", &err);
    assert_non_null(m);
    assert_int_equal(dp_mechanism_set(m, "eta", eta, &err), DP_OK);
    return m;
}

/* x holds the number of the text, and is as narrow as doubles at least */
static void holds(const mpfi_t x, const char *text)
{
    mpq_t q;
    mpq_init(q);
    rational_of(q, text);
    assert_true(fabs(mpfi_get_d(x) / mpq_get_d(q) - 1) < 1e-15);
    assert_true(mpfr_get_d(&x->right, MPFR_RNDU) - mpfr_get_d(&x->left, MPFR_RNDD) <=
                1e-15 * mpq_get_d(q));
    mpq_clear(q);
}

static void curve_of(mpfi_t r, const dp_mechanism *m, double alpha)
{
    mpfi_t order;
    mpfi_init2(order, 256);
    mpfi_set_d(order, alpha);
    assert_int_equal(m->type->curve(r, m, order), DP_OK);
    mpfi_clear(order);
}

static void test_values(void **state)
{
    (void)state;
    static const struct {
        const char *eta, *rdp, *rho;
        double alpha;
    } row[] = {{"1", "0.240229013916555049263526747019", NULL, 2},
               {"4", "2.26539635852931513933982590773", NULL, 1.5},
               {"0.1", NULL, "0.00124982642745983750310199864649", 0},
               {"5", NULL, "2.41771961264793222305341903720", 0},
               {"1e-30", "2.5e-61", "1.25e-61", 2},
               {"1e9", "1e9", "999999978.27673416305358960", 1e60}};
    mpfi_t x, xi;
    mpfi_init2(x, 80);
    mpfi_init2(xi, 80);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        dp_mechanism *m = range(row[i].eta);
        if (row[i].rdp != NULL) {
            curve_of(x, m, row[i].alpha);
            holds(x, row[i].rdp);
        }
        assert_int_equal(m->type->zcdp(xi, x, m), DP_OK);
        if (row[i].rho != NULL)
            holds(x, row[i].rho);
        dp_mechanism_free(m);
    }
    dp_mechanism *m = range("0");
    curve_of(x, m, 3);
    assert_true(mpfi_is_zero(x));
    dp_mechanism_free(m);
    mpfi_clear(xi);
    mpfi_clear(x);
}

/* Losses t and t - eta, Q having mass (e^-t - e^-eta)/(1 - e^-eta) at the first: no order is above
 * the curve, and the best t comes close to it; nor is any above alpha times rho. */
static void test_pairs(void **state)
{
    (void)state;
    static const char *const etas[] = {"0.2", "1", "ln(9)", "6"};
    static const double number[] = {0.2, 1, 2.1972245773362196, 6};
    mpfi_t r, xi, rho;
    mpfi_init2(r, 80);
    mpfi_init2(xi, 80);
    mpfi_init2(rho, 80);
    for (size_t i = 0; i < 4; i++) {
        dp_mechanism *m = range(etas[i]);
        assert_int_equal(m->type->zcdp(xi, rho, m), DP_OK);
        for (double alpha = 1.25; alpha < 100; alpha *= 2) {
            double eta = number[i], most = 0, s = alpha - 1;
            for (int k = 0; k <= 4000; k++) {
                double t = eta * k / 4000, q = (exp(-t) - exp(-eta)) / -expm1(-eta);
                double p = q * exp(t);
                most = fmax(most, log(p * exp(s * t) + (1 - p) * exp(s * (t - eta))) / s);
            }
            curve_of(r, m, alpha);
            double found = mpfi_get_d(r);
            assert_true(most <= found * (1 + 1e-12) && most >= found * (1 - 1e-5));
            assert_true(found <= alpha * mpfi_get_d(rho) * (1 + 1e-12));
        }
        dp_mechanism_free(m);
    }
    mpfi_clear(rho);
    mpfi_clear(xi);
    mpfi_clear(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_pairs)};
    return cmocka_run_group_tests_name("bounded range", tests, NULL, NULL);
}
