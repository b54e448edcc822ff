/* SPDX-License-Identifier: MIT */
/* The law of Gaussian noise. Digits are those of mpmath at 2000 digits. */
#include "law.h"

#include <string.h>

#include "loss/gaussian.h"

/* Phi(mu/2 - x/mu) - e^x Phi(-mu/2 - x/mu) with mu^2, x */
static void test_profile(void **state)
{
    (void)state;
    static const char *const row[][3] = {
        {"1", "1", "0.1269367375066439458008296247577668804151"},
        {"1", "0", "0.3829249225480262072754092212166754797672"},
        {"1", "-1/2", "0.538079416212226236783332778136447695757"},
        {"1", "-50", "0.9999999999999999999998071250152036082217"},
        {"1/4", "3", "0.0000000003400911735673528824176796809147645824425"},
        {"1e-12", "1e-6", "0.00000008331551224542539602288533437554583904872"},
        {"1e-12", "0", "0.0000003989422804014160553449293341961483505172"},
        {"1e-600", "0", "3.989422804014326779399460599343818684759e-301"},
        {"1e-6", "1/50", "1.38378117708644239323692108472193161783e-93"},
        {"1e-6", "-1/1000000", "0.0003994422635288051227216118209629025011123"},
        {"1/100", "1", "1.230835983642704195675180482901990706637e-25"},
        {"4", "50", "1.066262024474971471033679115110642739792e-128"},
        {"9", "120", "1.016738816646003885185324236693435509247e-325"},
        {"4", "1000", "4.205836470991848904371103502507122518655e-54076"},
        {"100", "50", "0.4604933058986139970554817615064767682074"},
        {"10000", "1000", "1.0"},
        {"1e6", "1000", "1.0"},
        {"1e12", "3", "1.0"},
        {"1/50", "5", "2.014079706760113411209742953322415680954e-275"},
        {"16", "-7/2", "0.9940453090182479328066509824285214219804"},
        {"1e-4", "0.37", "1.859188953467148850524339913482666603624e-303"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        product p;
        product_init(&p);
        add_law(&p, gaussian_add, row[i][0], 1);
        check_profile(only_law(&p), row[i][1], row[i][2], 40);
        product_clear(&p);
    }
}

/* Reference values: mu, x, delta to 30 digits */
static void test_reference(void **state)
{
    (void)state;
    static const char *const row[][3] = {
        {"1", "1", "0.126936737506643945800829624758"},
        {"1/100", "0", "0.0398776116767449231926429435452"},
        {"1/10000", "0.05", "5.48144020074687753812576710763e-10"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        product p;
        product_init(&p);
        add_law(&p, gaussian_add, row[i][0], 1);
        check_profile(only_law(&p), row[i][1], row[i][2], 29);
        product_clear(&p);
    }
}

/* Where the profile is below all exponents, or nothing is left of the bits, it is still enclosed.
 */
static void test_extremes(void **state)
{
    (void)state;
    static const char *const row[][2] = {{"1e-20", "1000"}, {"1e-20", "-1000"}, {"1e300", "0"},
                                         {"1e-6000", "0"},  {"1", "1e12"},      {"1", "-1e12"},
                                         {"1e30", "1e25"},  {"1e-9000", "1"}};
    mpfi_t s, x;
    mpfr_t slope;
    mpfi_init2(s, 100);
    mpfi_init2(x, 100);
    mpfr_init2(slope, 64);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        product p;
        product_init(&p);
        add_law(&p, gaussian_add, row[i][0], 1);
        const loss *l = only_law(&p);
        number_in(x, row[i][1]);
        assert_true(l->ops->profile(s, slope, l->self, x));
        assert_true(mpfr_sgn(&s->left) >= 0 && mpfr_cmp_ui(&s->right, 1) <= 0);
        assert_true(mpfr_lessequal_p(&s->left, &s->right));
        bool tiny = mpfr_cmp_ui_2exp(&s->right, 1, -1000) < 0;
        assert_true(tiny || mpfr_cmp_d(&s->left, 0.99) > 0);
        check_wide_profile(l, "-1/3", "7/2");
        product_clear(&p);
    }
    mpfr_clear(slope);
    mpfi_clear(x);
    mpfi_clear(s);
}

static void test_moments(void **state)
{
    (void)state;
    static const char *const size[] = {"1", "1e-9", "1/7", "400"};
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        product p;
        product_init(&p);
        add_law(&p, gaussian_add, size[i], 3);
        check_zeros(only_law(&p));
        for (double z = -0.96; z < 20; z += 0.37)
            check_guess(only_law(&p), z);
        product_clear(&p);
    }
    mpfi_t k, z;
    mpfi_init2(k, 100);
    mpfi_init2(z, 100);
    product p;
    product_init(&p);
    add_law(&p, gaussian_add, "1/8", 2);
    number_in(z, "3");
    only_law(&p)->ops->log_moment(k, only_law(&p)->self, z, NULL);
    assert_true(mpfi_cmp_d(k, 1.5) == 0 && mpfi_diam_abs(&k->left, k) == 0);
    mpfi_clear(z);
    mpfi_clear(k);
    product_clear(&p);
}

/* All Gaussians are one, exactly; nothing is added by what releases nothing. */
static void test_merging(void **state)
{
    (void)state;
    product p;
    mpq_t all, sum;
    mpq_inits(all, sum, NULL);
    product_init(&p);
    assert_false(gaussian_of(all, &p));
    assert_int_equal(mpq_sgn(all), 0);
    add_law(&p, gaussian_add, "0", 5);
    add_law(&p, gaussian_add, "1/3", 0);
    assert_int_equal(p.count, 0);
    add_law(&p, gaussian_add, "1/3", 10);
    add_law(&p, gaussian_add, "1/7", 1);
    add_law(&p, gaussian_add, "1/3", 2);
    const loss *l = only_law(&p);
    assert_true(gaussian_of(all, &p));
    mpq_set_ui(sum, 29, 7); /* 4 + 1/7 */
    assert_true(mpq_equal(all, sum));
    gaussian_kl(sum, all);
    assert_int_equal(mpq_cmp_ui(sum, 29, 14), 0);
    assert_true(l->ops->symmetric && l->ops->factors(l->self) == 1);
    assert_int_equal(l->ops->resonances(NULL, 0, l->self, NULL), 0);
    logform f;
    logform_init(&f);
    assert_false(l->ops->top(&f, l->self));
    logform_clear(&f);
    double top = 5, reach = 0;
    l->ops->guess_range(&top, &reach, l->self);
    assert_true(top == HUGE_VAL && reach > 2 && reach < 100);
    mpz_t uses;
    mpz_init(uses);
    l->ops->uses(uses, l->self);
    assert_int_equal(mpz_cmp_ui(uses, 1), 0);
    mpz_clear(uses);
    mpq_clears(all, sum, NULL);
    product_clear(&p);
}

static void test_renyi(void **state)
{
    (void)state;
    mpq_t mu_squared;
    mpfi_t r, alpha;
    mpq_init(mu_squared);
    mpfi_init2(r, 100);
    mpfi_init2(alpha, 100);
    rational_of(mu_squared, "2/5");
    number_in(alpha, "7/2");
    gaussian_renyi(r, mu_squared, alpha);
    holds_digits(r, "0.7", 30);
    mpfi_set_ui(alpha, 1);
    gaussian_renyi(r, mu_squared, alpha);
    holds_digits(r, "0.2", 30);
    mpfi_clear(alpha);
    mpfi_clear(r);
    mpq_clear(mu_squared);
}

/* The least x >= 0 for mu and delta: 0 from the profile at 0 on, about .5205 for mu = sqrt(2) */
static void test_epsilon(void **state)
{
    (void)state;
    static const char *const row[][3] = {
        {"2", "0.52", "0.00208481434222773403618703442787"},
        {"2", "0.52049987781304653768274665389196", "1.88894068719758864035594704847e-32"},
        {"2", "0.52049987781304653768274665389197", "0"},
        {"2", "0.521", "0"},
        {"2", "0.8", "0"},
        {"2", "0.999999999999", "0"},
        {"1e-60", "0.5", "0"},
        {"1e-60", "1e-31", "9.02346347510034521365676612514e-31"},
    };
    mpq_t delta;
    mpfi_t mu, epsilon;
    mpq_init(delta);
    mpfi_init2(mu, 600);
    mpfi_init2(epsilon, 600);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        number_in(mu, row[i][0]);
        mpfi_sqrt(mu, mu);
        rational_of(delta, row[i][1]);
        mpfi_set_prec(epsilon, 600);
        gaussian_epsilon(epsilon, mu, delta);
        mpfi_round_prec(epsilon, 200); /* narrower than is asked of this inverse */
        assert_true(mpfr_lessequal_p(&epsilon->left, &epsilon->right));
        if (strcmp(row[i][2], "0") == 0)
            assert_true(mpfr_zero_p(&epsilon->left) && mpfr_zero_p(&epsilon->right));
        else
            holds_digits(epsilon, row[i][2], 30);
    }
    mpfi_clear(epsilon);
    mpfi_clear(mu);
    mpq_clear(delta);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_profile),  cmocka_unit_test(test_reference),
        cmocka_unit_test(test_extremes), cmocka_unit_test(test_moments),
        cmocka_unit_test(test_merging),  cmocka_unit_test(test_renyi),
        cmocka_unit_test(test_epsilon)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
