/* SPDX-License-Identifier: MIT */
/* The law of Gaussian noise on Poisson samples, and the engine on it. Digits of epsilon are those
 * of two programs that share no code, one in quadruple precision, from several contours each; those
 * of profiles are of quadrature at 40 digits. */
#include "law.h"

#include <string.h>

#include "engine/invert.h"
#include "loss/gaussian.h"
#include "loss/sampled_gaussian.h"

static void add_sampled(product *p, const char *sigma, const char *rate, unsigned long times,
                        bool add)
{
    mpq_t s, q;
    mpz_t n;
    mpq_inits(s, q, NULL);
    mpz_init_set_ui(n, times);
    rational_of(s, sigma);
    rational_of(q, rate);
    assert_int_equal(sampled_gaussian_add(p, s, q, n, add), DP_OK);
    mpz_clear(n);
    mpq_clears(s, q, NULL);
}

/* epsilon of one direction encloses the number of these digits and is as narrow as asked. */
static void check_epsilon(const char *sigma, const char *rate, unsigned long times, bool add,
                          const char *delta, const char *value, size_t digits)
{
    product p;
    engine e;
    mpq_t target;
    dp_figure x;
    limits lim = {0};
    mpq_init(target);
    dp_figure_init(&x);
    rational_of(target, delta);
    product_init(&p);
    add_sampled(&p, sigma, rate, times, add);
    assert_int_equal(engine_init(&e, &p), DP_OK);
    assert_int_equal(optimal_epsilon(&x, &e, target, digits, &lim), DP_OK);
    assert_int_equal(x.kind, DP_ENCLOSED);
    mpq_t slack, end;
    mpq_inits(slack, end, NULL);
    rational_of(end, value);
    const char *point = strchr(value, '.');
    mpz_ui_pow_ui(mpq_denref(slack), 10, strlen(point + 1));
    mpz_set_ui(mpq_numref(slack), 1);
    mpq_add(end, end, slack);
    assert_true(mpfr_cmp_q(&x.enclosure->left, end) <= 0);
    mpq_sub(end, end, slack);
    mpq_sub(end, end, slack);
    assert_true(mpfr_cmp_q(&x.enclosure->right, end) >= 0);
    mpq_clears(slack, end, NULL);
    engine_clear(&e);
    product_clear(&p);
    dp_figure_clear(&x);
    mpq_clear(target);
}

static void test_epsilon(void **state)
{
    (void)state;
    static const struct {
        const char *sigma, *rate;
        unsigned long times;
        const char *delta, *value[2]; /* removed and added */
    } row[] = {
        {"1", "0.01", 1000, "1e-5", {"1.828236666516576842614", "1.416661948036175106816"}},
        {"1", "0.01", 1000, "1e-10", {"3.290443750895298361675", "2.118533843158292206726"}},
        {"1", "0.01", 1000, "1e-30", {"9.34189563270514857459", "3.524376408350802355556"}},
        {"1", "0.01", 1000, "1e-100", {"29.5987115908058132", "5.47948423343714"}},
        {"1", "0.01", 1000, "1e-300", {"85.544271124418825663", NULL}},
        {"1", "0.01", 10000, "1e-5", {"6.187712389971539076998", "5.61150861765198090523"}},
        {"1", "0.01", 10000, "1e-10", {"9.31613852588233445457", "8.12174476490209428723"}},
        {"1", "0.01", 10000, "1e-30", {"17.63506105288602314255", "13.81410335579324086499"}},
        {"0.8", "256/60000", 14040, "1e-5", {"4.54600883425490808088", "3.901142029014475697860"}},
        {"0.8", "256/60000", 14040, "1e-10", {"7.2145895803685397245", "5.705483924123599785587"}},
        {"0.8", "256/60000", 14040, "1e-30", {"16.4118789538661247120", "9.691658537672727792083"}},
        {"1", "0.01", 100, "1e-5", {"0.718035661338824624", NULL}},
        {"0.3", "0.01", 1000, "1e-5", {"69.815710713000907", NULL}},
        {"2", "0.001", 1000000, "1e-9", {"3.12043616085782076", NULL}},
        {"1", "1e-4", 10000, "1e-5", {"0.0380169610655705704", NULL}},
        {"5", "0.5", 1000, "1e-5", {"18.0637454897829375", NULL}},
        {"10", "0.01", 100000, "1e-5", {"1.20337268208420909", NULL}},
        {"20", "0.1", 10000, "1e-10", {"3.10552593920368495", NULL}},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        for (int add = 0; add < 2; add++)
            if (row[i].value[add] != NULL)
                check_epsilon(row[i].sigma, row[i].rate, row[i].times, add == 1, row[i].delta,
                              row[i].value[add], i % 4 == 0 ? 20 : 10);
}

/* One use, in closed form; slopes beside differences. */
static void test_single(void **state)
{
    (void)state;
    static const struct {
        const char *sigma, *rate, *x, *value[2];
    } row[] = {
        {"1", "0.1", "0.5", {"0.00203253692034035765330685353581", "0"}},
        {"2",
         "0.25",
         "0.1",
         {"0.0208347604216270055607361715369", "0.00961323648553651050482108398942"}},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        for (int add = 0; add < 2; add++) {
            product p;
            product_init(&p);
            add_sampled(&p, row[i].sigma, row[i].rate, 1, add == 1);
            check_profile(only_law(&p), row[i].x, row[i].value[add], 28);
            check_wide_profile(only_law(&p), "-1/2", "1/20");
            product_clear(&p);
        }
}

/* A rate of 1 is the Gaussian, equal uses are one, and nothing is nothing. */
static void test_adding(void **state)
{
    (void)state;
    product p;
    mpq_t mu;
    mpq_init(mu);
    product_init(&p);
    add_sampled(&p, "2", "1", 3, false);
    assert_true(gaussian_of(mu, &p));
    assert_int_equal(mpq_cmp_ui(mu, 3, 4), 0);
    add_sampled(&p, "2", "0", 3, false);
    assert_int_equal(p.count, 1);
    add_sampled(&p, "2", "1/2", 3, false);
    add_sampled(&p, "2", "1/3", 3, false);
    add_sampled(&p, "2", "1/2", 4, false);
    assert_int_equal(p.count, 2);
    mpz_t uses;
    mpz_init(uses);
    p.item[1].ops->uses(uses, p.item[1].self);
    assert_int_equal(mpz_get_ui(uses), 10);
    mpz_clear(uses);
    product_clear(&p);
    mpq_clear(mu);
}

static void test_moments(void **state)
{
    (void)state;
    static const char *const row[][2] = {{"1", "0.01"}, {"1/5", "1/2"}, {"4", "1/3000"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        for (int add = 0; add < 2; add++) {
            product p;
            product_init(&p);
            add_sampled(&p, row[i][0], row[i][1], 7, add == 1);
            check_zeros(only_law(&p));
            check_guess(only_law(&p), 2.5);
            check_guess(only_law(&p), -0.3);
            product_clear(&p);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_epsilon),
        cmocka_unit_test(test_single),
        cmocka_unit_test(test_adding),
        cmocka_unit_test(test_moments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
