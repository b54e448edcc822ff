/* SPDX-License-Identifier: MIT */
/* Curves of steps and k-ary randomized response: outcomes that are enclosed, against the formulas
 * at high precision and against exact pairs. */
#include "laws.h"

#include "loss/response_kary.h"
#include "loss/steps.h"
#include "num/number.h"

static const limits no_limits = {0};

/* A law by its formulas. */
typedef struct truth {
    size_t count;
    mpfr_t l[4], p[4];
} truth;

static void truth_init(truth *t, size_t count)
{
    t->count = count;
    for (size_t j = 0; j < 4; j++)
        mpfr_inits2(TRUTH_BITS, t->l[j], t->p[j], (mpfr_ptr)0);
}

static void truth_clear(truth *t)
{
    for (size_t j = 0; j < 4; j++)
        mpfr_clears(t->l[j], t->p[j], (mpfr_ptr)0);
}

static void check_moments(const loss *law, const truth *t, unsigned long times)
{
    static const double at[] = {1, 0.5, -0.5, -0.999, 1e-9, 7.25, 60};
    mpfi_t k, z;
    mpfr_t re, im, c, zero;
    mpfi_init2(k, 150);
    mpfi_init2(z, 53);
    mpfr_inits2(TRUTH_BITS, re, im, c, zero, (mpfr_ptr)0);
    mpfr_set_ui(zero, 0, MPFR_RNDN);
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        mpfi_set_d(z, at[i]);
        mpfr_set_d(c, at[i], MPFR_RNDN);
        true_power(re, im, (const mpfr_t *)t->l, (const mpfr_t *)t->p, t->count, c, zero, times);
        mpfr_log(re, re, MPFR_RNDN);
        law->ops->log_moment(k, law->self, z, &no_limits);
        assert_true(holds(k, re, 340));
        mpfr_sub(c, &k->right, &k->left, MPFR_RNDU);
        assert_true(mpfr_cmp_d(c, 1e-38 * (double)times) < 0);
    }
    mpfr_clears(re, im, c, zero, (mpfr_ptr)0);
    mpfi_clear(z);
    mpfi_clear(k);
}

static void check_nodes(const loss *law, const truth *t, unsigned long times, const line *at,
                        mpfr_srcptr spacing)
{
    enum { NODES = 30 };
    cball phi[NODES];
    uint64_t node[NODES];
    mpfr_t re, im, base, c, angle;
    mpfr_inits2(TRUTH_BITS, re, im, base, c, angle, (mpfr_ptr)0);
    for (size_t k = 0; k < NODES; k++) {
        cball_init(&phi[k], at->work);
        cball_set_ui(&phi[k], 1);
        node[k] = k < 20 ? k : 1000 * k + 7;
    }
    assert_int_equal(law->ops->multiply(phi, law->self, at, node, NODES, &no_limits), DP_OK);
    mpfr_set_d(c, at->c, MPFR_RNDN);
    for (size_t k = 0; k < NODES; k++) {
        mpfr_set_ui(angle, 0, MPFR_RNDN);
        true_power(base, im, (const mpfr_t *)t->l, (const mpfr_t *)t->p, t->count, c, angle, times);
        mpfr_mul_ui(angle, spacing, (unsigned long)node[k], MPFR_RNDN);
        true_power(re, im, (const mpfr_t *)t->l, (const mpfr_t *)t->p, t->count, c, angle, times);
        mpfr_div(re, re, base, MPFR_RNDN);
        mpfr_div(im, im, base, MPFR_RNDN);
        mpfr_sub(re, re, phi[k].re, MPFR_RNDN);
        mpfr_sub(im, im, phi[k].im, MPFR_RNDN);
        mpfr_hypot(re, re, im, MPFR_RNDN);
        mpfr_sub_d(re, re, 1e-90, MPFR_RNDN);
        assert_true(mpfr_lessequal_p(re, phi[k].radius));
        assert_true(mpfr_get_d(phi[k].radius, MPFR_RNDU) < ldexp(8, -(int)at->work));
        cball_clear(&phi[k]);
    }
    mpfr_clears(re, im, base, c, angle, (mpfr_ptr)0);
}

/* The formulas of the sample's pair, given that the loss is finite. */
static void sample_truth(truth *t, double eps0, double delta0, double q, bool reverse)
{
    mpfr_t lift, s, ratio;
    mpfr_inits2(TRUTH_BITS, lift, s, ratio, (mpfr_ptr)0);
    truth_init(t, delta0 > 0 ? 3 : 2);
    mpfr_set_d(lift, eps0, MPFR_RNDN);
    mpfr_exp(lift, lift, MPFR_RNDN);
    mpfr_add_ui(s, lift, 1, MPFR_RNDN);
    mpfr_d_div(s, 1 - delta0, s, MPFR_RNDN); /* 1 - delta0 is a double */
    for (size_t j = 0; j < t->count; j++) {  /* plus, minus, hidden */
        mpfr_set_ui(ratio, 0, MPFR_RNDN);
        if (j == 0)
            mpfr_set(ratio, lift, MPFR_RNDN);
        if (j == 1)
            mpfr_ui_div(ratio, 1, lift, MPFR_RNDN);
        mpfr_sub_ui(ratio, ratio, 1, MPFR_RNDN);
        mpfr_mul_d(ratio, ratio, q, MPFR_RNDN);
        mpfr_add_ui(ratio, ratio, 1, MPFR_RNDN);
        mpfr_set(t->p[j], s, MPFR_RNDN);
        if (j == 1)
            mpfr_mul(t->p[j], s, lift, MPFR_RNDN);
        if (j == 2)
            mpfr_set_d(t->p[j], delta0, MPFR_RNDN);
        mpfr_log(t->l[j], ratio, MPFR_RNDN);
        if (reverse) {
            mpfr_neg(t->l[j], t->l[j], MPFR_RNDN);
        } else {
            mpfr_mul(t->p[j], t->p[j], ratio, MPFR_RNDN);
            mpfr_set_d(s, 1 - q * delta0, MPFR_RNDN); /* exact: short doubles */
            mpfr_div(t->p[j], t->p[j], s, MPFR_RNDN);
            mpfr_set(s, lift, MPFR_RNDN);
            mpfr_add_ui(s, s, 1, MPFR_RNDN);
            mpfr_d_div(s, 1 - delta0, s, MPFR_RNDN);
        }
    }
    mpfr_clears(lift, s, ratio, (mpfr_ptr)0);
}

static void sample_of(product *to, const dp_number *eps0, double delta0, double q, bool reverse,
                      unsigned long times)
{
    mpq_t d, rate;
    mpz_t t;
    mpq_inits(d, rate, NULL);
    mpz_init_set_ui(t, times);
    mpq_set_d(d, delta0);
    mpq_set_d(rate, q);
    product_init(to);
    assert_int_equal(steps_poisson_add(to, eps0, d, rate, reverse, t), DP_OK);
    assert_int_equal(steps_poisson_add(to, eps0, d, rate, reverse, t), DP_OK);
    mpz_clear(t);
    mpq_clears(d, rate, NULL);
}

static void test_poisson(void **state)
{
    (void)state;
    static const double eps[] = {1, 0.25, 0x1p-20, 5.5, 40}, delta[] = {0, 0x1p-10, 0.25},
                        rate[] = {0.125, 0x1p-12, 0.9375, 0.5};
    dp_number eps0;
    mpfr_t spacing;
    mpfr_init2(spacing, 53);
    dp_number_init(&eps0);
    rng r = rng_make(211);
    for (int i = 0; i < rounds(60); i++) {
        double e = eps[rng_below(&r, 5)], d = delta[rng_below(&r, 3)], q = rate[rng_below(&r, 4)];
        bool reverse = rng_below(&r, 2) == 0;
        unsigned long times = 1 + rng_below(&r, 500);
        product to;
        truth t;
        number_set_d(&eps0, e);
        sample_of(&to, &eps0, d, q, reverse, times);
        sample_truth(&t, e, d, q, reverse);
        assert_int_equal(to.count, 1); /* the same twice: merged */
        assert_int_equal(to.leaks, d > 0 && !reverse ? 1 : 0);
        check_moments(&to.item[0], &t, 2 * times);
        mpfr_set_d(spacing, ldexp(1.375, -(int)rng_below(&r, 10)), MPFR_RNDN);
        line at = {.c = e > 10 ? 0.25 : 1.5, .spacing = spacing, .last = 40000, .work = 128};
        check_nodes(&to.item[0], &t, 2 * times, &at, spacing);
        truth_clear(&t);
        product_clear(&to);
    }
    dp_number_clear(&eps0);
    mpfr_clear(spacing);
}

/* s(x) = sum over losses above x of P - e^x Q, of all uses in one group */
static double profile(const loss *law, double x)
{
    assert_int_equal(law->ops->groups(law->self), 1);
    size_t count = (size_t)law->ops->group_size(law->self, 0);
    mpfr_t *row[3];
    for (size_t k = 0; k < 3; k++) {
        row[k] = malloc(count * sizeof *row[k]);
        for (size_t i = 0; i < count; i++)
            mpfr_init2(row[k][i], 120);
    }
    law->ops->group(row[0], row[1], row[2], law->self, 0);
    mpfr_t sum, lift, part;
    mpfr_inits2(120, sum, lift, part, (mpfr_ptr)0);
    mpfr_set_d(lift, x, MPFR_RNDN);
    mpfr_exp(lift, lift, MPFR_RNDN);
    mpfr_set_ui(sum, 0, MPFR_RNDN);
    for (size_t i = 0; i < count; i++) {
        if (mpfr_cmp_d(row[0][i], x) <= 0)
            continue;
        mpfr_mul(part, lift, row[2][i], MPFR_RNDN);
        mpfr_sub(part, row[1][i], part, MPFR_RNDN);
        mpfr_add(sum, sum, part, MPFR_RNDN);
    }
    double s = mpfr_get_d(sum, MPFR_RNDN);
    for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; i < count; i++)
            mpfr_clear(row[k][i]);
        free(row[k]);
    }
    mpfr_clears(sum, lift, part, (mpfr_ptr)0);
    return s;
}

/* Randomized response of ln 3 at rate 1/10, 100 times: 5.349 and 4.453 at 1e-5; and a rational next
 * to ln 3, whose law is enclosed, gives the same. */
static void test_amplified(void **state)
{
    (void)state;
    static const double at[2] = {5.349, 4.453};
    dp_number eps0;
    mpq_t q, none;
    mpz_t times;
    dp_number_init(&eps0);
    mpq_inits(q, none, NULL);
    mpz_init_set_ui(times, 100);
    mpq_set_ui(q, 1, 10);
    for (int reverse = 0; reverse < 2; reverse++) {
        double s[2];
        for (int rational = 0; rational < 2; rational++) {
            product to;
            product_init(&to);
            number_of(&eps0, rational ? "1.09861228866810969139524523692252570464749" : "ln(3)");
            assert_int_equal(steps_poisson_add(&to, &eps0, none, q, reverse, times), DP_OK);
            assert_int_equal(to.count, 1);
            assert_true(profile(&to.item[0], at[reverse] - 6e-4) > 1e-5);
            assert_true(profile(&to.item[0], at[reverse] + 6e-4) < 1e-5);
            s[rational] = profile(&to.item[0], at[reverse]);
            product_clear(&to);
        }
        assert_true(fabs(s[0] - s[1]) < 1e-15 * s[0]);
    }
    mpz_clear(times);
    mpq_clears(q, none, NULL);
    dp_number_clear(&eps0);
}

static void check_domain(const char *eps, const char *delta, const char *rate, dp_status expected,
                         size_t laws, size_t leaks)
{
    dp_number eps0;
    mpq_t d, q;
    mpz_t once;
    product to;
    dp_number_init(&eps0);
    mpq_inits(d, q, NULL);
    mpz_init_set_ui(once, 1);
    number_of(&eps0, eps);
    rational_of(d, delta);
    rational_of(q, rate);
    product_init(&to);
    assert_int_equal(steps_poisson_add(&to, &eps0, d, q, false, once), expected);
    assert_int_equal(to.count, laws);
    assert_int_equal(to.leaks, leaks);
    product_clear(&to);
    mpz_clear(once);
    mpq_clears(d, q, NULL);
    dp_number_clear(&eps0);
}

static void test_domain(void **state)
{
    (void)state;
    check_domain("1", "0", "1.1", DP_DOMAIN, 0, 0);
    check_domain("1", "0", "1", DP_OK, 1, 0);
    check_domain("1", "0.1", "1", DP_OK, 1, 1);
    check_domain("0", "0.1", "1", DP_OK, 0, 1);
    check_domain("1", "0", "-0.1", DP_DOMAIN, 0, 0);
    check_domain("1", "1.5", "0.1", DP_DOMAIN, 0, 0);
    check_domain("1", "0.1", "0", DP_OK, 0, 0);
    check_domain("0", "0", "0.1", DP_OK, 0, 0);
    check_domain("0", "0.1", "0.1", DP_OK, 1, 1);
    check_domain("1", "1", "0.1", DP_OK, 1, 1); /* hidden, of loss ln(1 - q), and the leak */
    check_domain("ln(2)", "0.1", "0.1", DP_OK, 1, 1);
    check_domain("2", "0.1", "0.1", DP_OK, 1, 1);
}

static void kary_truth(truth *t, double eps, unsigned long k)
{
    mpfr_t z;
    mpfr_init2(z, TRUTH_BITS);
    truth_init(t, 3);
    mpfr_set_d(t->l[0], eps, MPFR_RNDN);
    mpfr_set_d(t->l[1], -eps, MPFR_RNDN);
    mpfr_set_ui(t->l[2], 0, MPFR_RNDN);
    mpfr_exp(t->p[0], t->l[0], MPFR_RNDN);
    mpfr_set_ui(t->p[1], 1, MPFR_RNDN);
    mpfr_set_ui(t->p[2], k - 2, MPFR_RNDN);
    mpfr_add_ui(z, t->p[0], k - 1, MPFR_RNDN);
    for (size_t j = 0; j < 3; j++)
        mpfr_div(t->p[j], t->p[j], z, MPFR_RNDN);
    mpfr_clear(z);
}

static void check_kary(double e, unsigned long ways, unsigned long times)
{
    product to;
    truth t;
    dp_number eps, h;
    mpz_t k, uses;
    mpfr_t spacing;
    mpfr_init2(spacing, TRUTH_BITS);
    dp_number_init(&eps);
    dp_number_init(&h);
    mpz_init_set_ui(k, ways);
    mpz_init_set_ui(uses, times);
    number_set_d(&eps, e);
    product_init(&to);
    assert_int_equal(response_kary_add(&to, &eps, k, uses), DP_OK);
    assert_int_equal(response_kary_add(&to, &eps, k, uses), DP_OK);
    assert_int_equal(to.count, 1);
    assert_true(to.item[0].ops->symmetric);
    bool halved;
    assert_true(to.item[0].ops->step(&h, &halved, to.item[0].self) && !halved);
    mpq_mul_2exp(h.value, h.value, 1); /* eps / 2 */
    assert_true(!h.is_log && mpq_equal(h.value, eps.value));
    mpq_div_2exp(h.value, h.value, 3); /* nodes on a finer lattice */
    kary_truth(&t, e, ways);
    check_moments(&to.item[0], &t, 2 * times);
    line at = {.c = 0.75, .step = &h, .period = 100003, .last = 40000, .work = 128};
    mpfr_set_q(spacing, h.value, MPFR_RNDN);
    mpfr_mul_ui(spacing, spacing, 100003, MPFR_RNDN);
    mpfr_const_pi(t.l[3], MPFR_RNDN);
    mpfr_div(spacing, t.l[3], spacing, MPFR_RNDN);
    check_nodes(&to.item[0], &t, 2 * times, &at, spacing);
    truth_clear(&t);
    product_clear(&to);
    mpfr_clear(spacing);
    mpz_clears(k, uses, NULL);
    dp_number_clear(&h);
    dp_number_clear(&eps);
}

static void test_kary(void **state)
{
    (void)state;
    check_kary(1, 3, 10);
    check_kary(0.375, 10, 1);
    check_kary(12.5, 1000000000, 300);
    check_kary(0x1p-30, 4, 77);
    dp_number eps;
    mpz_t k, uses;
    product to;
    dp_number_init(&eps);
    mpz_init_set_ui(uses, 30);
    mpz_init_set_ui(k, 100);
    number_of(&eps, "1");
    product_init(&to);
    assert_int_equal(response_kary_add(&to, &eps, k, uses), DP_OK);
    assert_true(fabs(profile(&to.item[0], 5) - 6.5290e-5) < 5e-9); /* mechanisms.md 3.1 */
    number_of(&eps, "ln(2)");
    assert_int_equal(response_kary_add(&to, &eps, k, uses), DP_OK);
    assert_int_equal(to.count, 2);
    number_of(&eps, "0");
    assert_int_equal(response_kary_add(&to, &eps, k, uses), DP_OK);
    assert_int_equal(to.count, 2);
    number_of(&eps, "1");
    mpz_set_ui(k, 2);
    assert_int_equal(response_kary_add(&to, &eps, k, uses), DP_DOMAIN);
    product_clear(&to);
    mpz_clears(k, uses, NULL);
    dp_number_clear(&eps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_poisson),
        cmocka_unit_test(test_amplified),
        cmocka_unit_test(test_domain),
        cmocka_unit_test(test_kary),
    };
    return cmocka_run_group_tests_name("steps", tests, NULL, NULL);
}
