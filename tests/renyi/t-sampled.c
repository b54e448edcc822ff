/* SPDX-License-Identifier: MIT */
/* Moments of the sampled Gaussian. The digits are quadratures of another program (mpmath, 60
 * digits) and the reference values of the Renyi divergence. */
#include "support.h"

#include <math.h>

#include "renyi/sampled.h"

#define BITS 128

typedef struct sgm {
    sampled of;
    mpfi_t alpha, out;
} sgm;

static void set_alpha(sgm *m, const char *alpha)
{
    mpq_t q;
    mpq_init(q);
    rational_of(q, alpha);
    mpfi_set_q(m->alpha, q);
    mpq_clear(q);
}

static void sgm_init(sgm *m, const char *rate, const char *sigma, const char *alpha)
{
    mpq_t q, s;
    mpq_inits(q, s, NULL);
    rational_of(q, rate);
    rational_of(s, sigma);
    sampled_init(&m->of, s, q);
    mpfi_init2(m->alpha, 2 * BITS);
    mpfi_init2(m->out, BITS);
    set_alpha(m, alpha);
    mpq_clears(q, s, NULL);
}

static void sgm_clear(sgm *m)
{
    mpfi_clear(m->out);
    mpfi_clear(m->alpha);
    sampled_clear(&m->of);
}

/* x holds the number of the text, times 1 +- 10^-digits, and is as narrow. */
static void is(const mpfi_t x, const char *text, int digits)
{
    mpq_t value, slack, end, ten;
    mpq_inits(value, slack, end, ten, NULL);
    rational_of(value, text);
    mpq_set_ui(ten, 10, 1);
    mpq_set(slack, value);
    for (int i = 0; i < digits; i++)
        mpq_div(slack, slack, ten);
    mpq_add(end, value, slack);
    assert_true(mpfr_cmp_q(&x->left, end) <= 0);
    mpq_sub(end, value, slack);
    assert_true(mpfr_cmp_q(&x->right, end) >= 0);
    mpfr_t width;
    mpfr_init2(width, 32);
    mpfr_sub(width, &x->right, &x->left, MPFR_RNDU);
    assert_true(mpfr_cmp_q(width, slack) <= 0);
    mpfr_clear(width);
    mpq_clears(value, slack, end, ten, NULL);
}

static const struct {
    const char *rate, *sigma, *alpha, *log_moment;
} value_of[] = {
    {"0.01", "1.1", "2.5", "0.000243116114055005619079267322728206845"},
    {"0.004", "0.5", "1.1", "0.0000306941021590716434939718442649851098"},
    {"1/5", "7/10", "5/4", "0.0232299183233782244561297277005010238"},
    {"1e-6", "30", "1.001", "5.56420175568143376119832435284946587e-19"},
    {"0.999", "1", "2.5", "1.87305723130183672313134655536744956"},
    {"0.5", "3", "17.3", "6.72449904221059944185637209197150081"},
    {"0.01", "0.1", "1.5", "30.5922447210179139291167905447519181"},
    {"1e-30", "1", "3.5", "7.51748299950832290470125768719837182e-60"},
    {"0.01", "1000", "1.000001", "5.00000745025326798608940555181302209e-17"},
    {"0.3", "0.05", "1.01", "1.07566453828123548103655042677480348"},
    {"1/3", "2", "1.7", "0.0181521472317449414825451191501598397"},
};
#define VALUES (sizeof value_of / sizeof *value_of)

static void test_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < VALUES; i++) {
        sgm m;
        sgm_init(&m, value_of[i].rate, value_of[i].sigma, value_of[i].alpha);
        sampled_log_moment(m.out, &m.of, m.alpha);
        is(m.out, value_of[i].log_moment, 30);
        sgm_clear(&m);
    }
    static const char *const renyi[][4] = {
        {"0.01", "1.1", "2", "1.28510081605161828053347111341e-4"},
        {"0.01", "1.1", "64", "21.7680128662873173876358493904"},
        {"0.00256", "1.4", "4", "8.76091660412222899761905789645e-6"},
        {"0.01", "1.1", "2.5", "1.62077409370003746052844881819e-4"},
        {"0.004", "0.5", "1.1", "3.06941021590716434939718442650e-4"},
    };
    for (size_t i = 0; i < sizeof renyi / sizeof *renyi; i++) {
        sgm m;
        sgm_init(&m, renyi[i][0], renyi[i][1], renyi[i][2]);
        sampled_renyi(m.out, &m.of, m.alpha);
        is(m.out, renyi[i][3], 28);
        sgm_clear(&m);
    }
}

static bool meet(const mpfi_t a, const mpfi_t b)
{
    return mpfr_lessequal_p(&a->left, &b->right) && mpfr_lessequal_p(&b->left, &a->right);
}

/* The sum, the series, the rule and what always holds have a point in common; guesses are near. */
static void test_methods(void **state)
{
    (void)state;
    static const char *const rates[] = {"0.5", "0.01", "1e-5", "0.99"},
                             *const sigmas[] = {"0.3", "1", "4"}, *const alphas[] = {"2",    "3",
                                                                                     "9",    "1.5",
                                                                                     "2.25", "33"};
    int several = 0;
    for (size_t i = 0; i < 4 * 3 * 6; i++) {
        sgm m;
        sgm_init(&m, rates[i % 4], sigmas[i / 4 % 3], alphas[i / 12]);
        mpfi_set_prec(m.out, 40);
        mpfi_t x;
        mpfi_init2(x, 40);
        sampled_log_moment(m.out, &m.of, m.alpha);
        sampled_closed(x, &m.of, m.alpha);
        assert_true(meet(x, m.out));
        assert_true(sampled_trapezoid(x, &m.of, m.alpha));
        assert_true(meet(x, m.out));
        if (i % 3 == 0 && sampled_series(x, &m.of, m.alpha)) {
            assert_true(meet(x, m.out));
            several++;
        }
        double near = sampled_guess(&m.of, mpfi_get_d(m.alpha) - 1), is = mpfi_get_d(m.out);
        assert_true(fabs(near - is) <= 1e-7 * is);
        mpfi_clear(x);
        sgm_clear(&m);
    }
    assert_true(several >= 15);
}

/* Rules so crude that what they miss is of the size of the moment: they hold it all the same. */
static void test_crude(void **state)
{
    (void)state;
    rng r = rng_make(20261122);
    double widest = 0;
    for (int i = 0; i < rounds(150); i++) {
        size_t k = rng_below(&r, VALUES);
        sgm m;
        sgm_init(&m, value_of[k].rate, value_of[k].sigma, value_of[k].alpha);
        double t = mpfi_get_d(m.alpha) - 1, top = sampled_log_excess(&m.of, t);
        double depth = 0.5 + 0.1 * (double)rng_below(&r, 60);
        double strip = depth + 1 + log(4 + 2 * t) - fmin(0, top) + 0.1 * (double)rng_below(&r, 60);
        sampled_plan p;
        assert_true(sampled_plan_make(&p, &m.of, t, top, depth, strip));
        if (p.nodes < 2000 && sampled_rule(m.out, &m.of, m.alpha, &p)) {
            mpq_t x;
            mpq_init(x);
            rational_of(x, value_of[k].log_moment);
            assert_true(mpfr_cmp_q(&m.out->left, x) <= 0 && mpfr_cmp_q(&m.out->right, x) >= 0);
            double width = mpfr_get_d(&m.out->right, MPFR_RNDN) / mpq_get_d(x);
            widest = fmax(widest, width);
            mpq_clear(x);
        }
        sgm_clear(&m);
    }
    assert_true(widest > 1.05); /* some were */
}

/* Without sampling it is the Gaussian, without records nothing; a rate that no double holds still
 * costs something. */
static void test_edges(void **state)
{
    (void)state;
    sgm m;
    sgm_init(&m, "1", "0.7", "3.25");
    sampled_log_moment(m.out, &m.of, m.alpha);
    is(m.out, "7.461734693877551020408163265306122448979591836735", 30); /* 3.25 2.25 / .98 */
    assert_true(fabs(sampled_guess(&m.of, 2.25) - 7.461734693877551) < 1e-12);
    sgm_clear(&m);
    sgm_init(&m, "0", "0.7", "3.25");
    sampled_log_moment(m.out, &m.of, m.alpha);
    assert_true(mpfi_is_zero(m.out));
    sgm_clear(&m);
    static const char *const far[][3] = {
        {"1e-400", "1", "2"},        {"1e-400", "1", "1.5"},      {"0.01", "1e400", "2"},
        {"0.01", "1e-400", "2"},     {"0.01", "1e-400", "1.5"},   {"0.01", "1e6", "1e13"},
        {"0.01", "0.02", "1000000"}, {"0.01", "1", "1e26"},       {"1e-300", "1e6", "1.000001"},
        {"0.01", "1e6", "1.000001"}, {"0.999999999", "1", "1.5"}, {"0.01", "1", "123456789012.5"},
    };
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        sgm_init(&m, far[i][0], far[i][1], far[i][2]);
        mpfi_set_prec(m.out, 64);
        sampled_log_moment(m.out, &m.of, m.alpha);
        assert_true(mpfr_sgn(&m.out->left) >= 0 && mpfr_lessequal_p(&m.out->left, &m.out->right));
        assert_true(mpfr_sgn(&m.out->right) > 0 && mpfr_number_p(&m.out->right));
        assert_true(i > 1 || i == 1 || mpfr_sgn(&m.out->left) > 0);
        sgm_clear(&m);
    }
}

/* What encloses several orders holds the moments of all, and chords lie above: ln A is convex. */
static void test_orders(void **state)
{
    (void)state;
    sgm m;
    sgm_init(&m, "0.02", "0.9", "2");
    mpfi_t ends[3], wide;
    mpfi_init2(wide, BITS);
    static const char *const order[] = {"2.25", "2.5", "2.75"};
    for (size_t i = 0; i < 3; i++) {
        mpfi_init2(ends[i], BITS);
        set_alpha(&m, order[i]);
        sampled_log_moment(ends[i], &m.of, m.alpha);
    }
    mpfi_interv_d(m.alpha, 2.25, 2.75);
    sampled_log_moment(wide, &m.of, m.alpha);
    for (size_t i = 0; i < 3; i++)
        assert_true(mpfi_is_inside(ends[i], wide));
    mpfi_add(wide, ends[0], ends[2]);
    mpfi_div_2ui(wide, wide, 1);
    assert_true(mpfr_greater_p(&wide->left, &ends[1]->right));
    sgm_clear(&m);
    /* the divergence itself is not convex: halfway between 2 and 3 its chord is below it */
    sgm_init(&m, "0.01", "0.3", "2");
    static const char *const about[] = {"2", "2.5", "3"};
    for (size_t i = 0; i < 3; i++) {
        set_alpha(&m, about[i]);
        sampled_renyi(ends[i], &m.of, m.alpha);
    }
    mpfi_add(wide, ends[0], ends[2]);
    mpfi_div_2ui(wide, wide, 1);
    assert_true(mpfr_less_p(&wide->right, &ends[1]->left));
    for (size_t i = 0; i < 3; i++)
        mpfi_clear(ends[i]);
    mpfi_clear(wide);
    sgm_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values), cmocka_unit_test(test_methods), cmocka_unit_test(test_crude),
        cmocka_unit_test(test_edges),  cmocka_unit_test(test_orders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
