/* SPDX-License-Identifier: MIT */
/* What the formulas of DP-SGD that are no bounds claim, dp-sgd-moments-printed and dp-sgd-clt,
 * against what is spent at least. */
#include "mechanism/dp_sgd.h"

#include "support.h"

#include <stdio.h>
#include <string.h>

#include "loss/gaussian.h"

/* The figure begins with the digits that the counterexample of the theorem quotes. */
static void begins(const dp_figure *f, const char *theorem, const char *digits,
                   const char *exponent)
{
    mpq_t quoted, end;
    char text[60];
    mpq_inits(quoted, end, NULL);
    for (int upper = 0; upper < 2; upper++) {
        char *shown = dp_figure_decimal(f, upper ? DP_UPPER : DP_LOWER, 12);
        snprintf(text, sizeof text, "%s%s%s", digits, upper ? "9999999999" : "", exponent);
        rational_of(quoted, text);
        rational_of(end, shown);
        assert_true(upper ? mpq_cmp(end, quoted) <= 0 : mpq_cmp(end, quoted) >= 0);
        dp_text_free(shown);
    }
    mpq_clears(quoted, end, NULL);
    assert_non_null(strstr(dp_theorem_find(theorem)->counterexample, digits));
}

/* DP-SGD with sigma = 1, q = 1/100, every bound. */
static void ask_dp_sgd(dp_result *r, const char *steps, const char *epsilon, const char *delta)
{
    dp_mechanism *m = dp_mechanism_new("dp-sgd", NULL);
    assert_int_equal(dp_mechanism_set(m, "noise-multiplier", "1", NULL), DP_OK);
    assert_int_equal(dp_mechanism_set(m, "sampling-rate", "1/100", NULL), DP_OK);
    assert_int_equal(dp_mechanism_set(m, "steps", steps, NULL), DP_OK);
    dp_number x, y;
    dp_options opt = dp_options_default();
    opt.all = true;
    opt.digits = 12;
    dp_number_init(&x);
    dp_number_init(&y);
    number_of(&x, epsilon != NULL ? epsilon : "0");
    number_of(&y, delta != NULL ? delta : "0");
    assert_int_equal(dp_sgd_privacy(r, m, epsilon != NULL ? &x : NULL, delta != NULL ? &y : NULL,
                                    DP_SGD_NOTHING, &opt, NULL),
                     DP_OK);
    dp_number_clear(&y);
    dp_number_clear(&x);
    dp_mechanism_free(m);
}

/* One step at epsilon = 1: q times the profile of mu = 1 at ln(1 + (e-1)/q) = 5.1522... */
static void test_dp_sgd_limit(void **state)
{
    (void)state;
    dp_result r;
    dp_result_init(&r);
    ask_dp_sgd(&r, "1", "1", NULL);
    const dp_figure *claimed = row_of(&r, "dp-sgd-clt", "delta");
    begins(claimed, "dp-sgd-clt", "2.655240", "e-1270");
    mpfi_t mu, x, e, delta;
    mpfi_ptr all[] = {mu, x, e, delta};
    for (size_t i = 0; i < 4; i++)
        mpfi_init2(all[i], 128);
    mpfi_set_ui(mu, 1);
    mpfi_set_ui(e, 1);
    mpfi_exp(e, e);
    mpfi_sub_ui(x, e, 1);
    mpfi_mul_ui(x, x, 100);
    mpfi_log1p(x, x);
    gaussian_profile(delta, mu, x);
    mpfi_div_ui(delta, delta, 100);
    assert_true(mpfr_cmp(&delta->left, &claimed->enclosure->right) > 0);
    mpfi_set_d(x, 2.732e-9);
    assert_true(mpfr_cmp(&delta->left, &x->left) > 0);
    for (size_t i = 0; i < 4; i++)
        mpfi_clear(all[i]);
    dp_result_clear(&r);
}

/* K = T ln A(1+t), t = k/128 */
static void total_moment(mpfi_t out, unsigned long k)
{
    mpq_t sigma, rate;
    sampled g;
    mpfi_t alpha;
    mpq_inits(sigma, rate, NULL);
    mpfi_init2(alpha, 256);
    mpq_set_ui(sigma, 1, 1);
    mpq_set_ui(rate, 1, 100);
    sampled_init(&g, sigma, rate);
    mpfi_set_ui(alpha, 128 + k);
    mpfi_div_2ui(alpha, alpha, 7);
    sampled_log_moment(out, &g, alpha);
    mpfi_mul_ui(out, out, 1000000);
    sampled_clear(&g);
    mpfi_clear(alpha);
    mpq_clears(sigma, rate, NULL);
}

/* With r < s < u and y < z: E e^(sL) is at most e^((s-r) y + K(r)) where L <= y, e^(K(u) -
 * (u-s) z) where L > z, and e^(sz) P(L > y) between. So P(L > y) is not small, and delta(x) is
 * at least (1 - e^(x-y)) of it. L is the loss of 10^6 steps of a mechanism that is its own
 * worst case: one whose other records have no gradient. */
static void test_dp_sgd_moments(void **state)
{
    (void)state;
    dp_result r;
    dp_result_init(&r);
    ask_dp_sgd(&r, "10^6", NULL, "1e-10");
    begins(row_of(&r, "dp-sgd-moments-printed", "epsilon"), "dp-sgd-moments-printed", "123.0258",
           "");
    static const unsigned long order[] = {28, 40, 52}; /* r, s, u in 128ths */
    const unsigned long y = 124, z = 165;
    mpfi_t k[3], part;
    mpfi_init2(part, 256);
    for (size_t i = 0; i < 3; i++) {
        mpfi_init2(k[i], 256);
        total_moment(k[i], order[i]);
    }
    mpfi_set_ui(part, (order[1] - order[0]) * y);
    mpfi_div_2ui(part, part, 7);
    mpfi_add(k[0], k[0], part);
    mpfi_set_ui(part, (order[2] - order[1]) * z);
    mpfi_div_2ui(part, part, 7);
    mpfi_sub(k[2], k[2], part);
    for (size_t i = 0; i < 3; i++)
        mpfi_exp(k[i], k[i]);
    mpfi_sub(k[1], k[1], k[0]);
    mpfi_sub(k[1], k[1], k[2]);
    mpfi_set_ui(part, order[1] * z);
    mpfi_div_2ui(part, part, 7);
    mpfi_neg(part, part);
    mpfi_exp(part, part);
    mpfi_mul(k[1], k[1], part); /* P(L > 124) is more than this; 1 - e^(123.03-124) > 1/2 */
    mpfi_div_2ui(k[1], k[1], 1);
    mpfi_set_d(part, 1e-9);
    assert_true(mpfr_cmp(&k[1]->left, &part->right) > 0);
    for (size_t i = 0; i < 3; i++)
        mpfi_clear(k[i]);
    mpfi_clear(part);
    dp_result_clear(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dp_sgd_limit),
        cmocka_unit_test(test_dp_sgd_moments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
