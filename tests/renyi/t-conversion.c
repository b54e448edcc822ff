/* SPDX-License-Identifier: MIT */
/* Conversions of Renyi divergences. The digits are the reference values of an independent program
 * (mpmath), those of one order by bisecting its definition; an infimum over orders is known to as
 * many as are shown. */
#include "support.h"

#include <math.h>

#include "loss/gaussian.h"
#include "loss/laplace.h"
#include "renyi/conversion.h"

#define BITS 128

/* The number of the text, times 1 +- 10^-digits, is in x. */
static void holds(const mpfi_t x, const char *text, int digits)
{
    mpq_t value, slack, end;
    mpq_inits(value, slack, end, NULL);
    rational_of(value, text);
    mpq_abs(slack, value);
    for (int i = 0; i < digits; i++) {
        mpq_set_ui(end, 10, 1);
        mpq_div(slack, slack, end);
    }
    mpq_add(end, value, slack);
    assert_true(mpfr_cmp_q(&x->left, end) <= 0);
    mpq_sub(end, value, slack);
    assert_true(mpfr_cmp_q(&x->right, end) >= 0);
    mpq_clears(value, slack, end, NULL);
}

/* And x is narrow to that many digits. */
static void is(const mpfi_t x, const char *text, int digits)
{
    holds(x, text, digits);
    mpfr_t width;
    mpfr_init2(width, 32);
    mpfr_sub(width, &x->right, &x->left, MPFR_RNDU);
    assert_true(mpfr_get_d(width, MPFR_RNDU) <= fabs(mpfi_get_d(x)) * pow(10, -digits));
    mpfr_clear(width);
}

typedef struct numbers {
    mpfi_t r, x, out;
    mpq_t alpha, delta;
} numbers;

static void numbers_init(numbers *n, const char *r, const char *alpha, const char *last,
                         bool at_eps)
{
    mpq_t q;
    mpq_init(q);
    mpfi_init2(n->r, BITS);
    mpfi_init2(n->x, BITS);
    mpfi_init2(n->out, BITS);
    mpq_inits(n->alpha, n->delta, NULL);
    rational_of(q, r);
    mpfi_set_q(n->r, q);
    rational_of(n->alpha, alpha);
    rational_of(at_eps ? q : n->delta, last);
    if (at_eps)
        mpfi_set_q(n->x, q);
    mpq_clear(q);
}

static void numbers_clear(numbers *n)
{
    mpfi_clear(n->r);
    mpfi_clear(n->x);
    mpfi_clear(n->out);
    mpq_clears(n->alpha, n->delta, NULL);
}

static void test_epsilon_rows(void **state)
{
    (void)state;
    static const char *const row[][6] = {
        /* r, alpha, delta, classic, improved, one order */
        {"0.5", "10", "1e-5", "1.77921394055224760223221747482", "1.41801063678397178055827299902",
         "1.4167703992138492007260370799913765"},
        {"1.25", "4.5", "1e-6", "5.19728873084693545831655677946",
         "4.51623790348709393109620237695", "4.5126185355690564034290667742206637"},
        {"0.3", "1.5", "1e-3", "14.1155105579642741041079487281", "12.2059680530798356487566772603",
         "8.2912697321051887286462856404082556"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        numbers n;
        numbers_init(&n, row[i][0], row[i][1], row[i][2], false);
        renyi_classic_epsilon(n.out, n.r, n.alpha, n.delta);
        is(n.out, row[i][3], 28);
        renyi_improved_epsilon(n.out, n.r, n.alpha, n.delta);
        is(n.out, row[i][4], 28);
        renyi_single_epsilon(n.out, n.r, n.alpha, n.delta);
        is(n.out, row[i][5], 30);
        numbers_clear(&n);
    }
}

/* A divergence known within an interval counts by its upper end, wherever the lower one is. */
static void test_upper_end(void **state)
{
    (void)state;
    void (*const row[])(mpfi_t, const mpfi_t, const mpq_t, const mpq_t) = {
        renyi_classic_epsilon, renyi_improved_epsilon, renyi_single_epsilon};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        numbers n;
        mpfi_t known;
        numbers_init(&n, "0.5", "10", "1e-5", false);
        mpfi_init2(known, mpfi_get_prec(n.out));
        row[i](known, n.r, n.alpha, n.delta);
        mpfr_div_2ui(&n.r->left, &n.r->left, 1, MPFR_RNDD);
        row[i](n.out, n.r, n.alpha, n.delta);
        assert_true(mpfr_lessequal_p(&known->left, &n.out->right));
        assert_true(mpfr_less_p(&n.out->left, &known->left));
        mpfi_clear(known);
        numbers_clear(&n);
    }
}

/* Figures of the specification's text, to the digits there. */
static void test_single(void **state)
{
    (void)state;
    static const struct {
        const char *r, *alpha, *delta;
        double improved, single;
    } row[] = {{"0.05", "2", "0.05", 1.659, 0.1876}, {"0.01", "40", "1e-5", 0.1853, 0.1565},
               {"0.5", "3", "0.35", 0.0701, 0.0692}, {"0.5", "3", "1/3", 0.1, 0.0945},
               {"1e-9", "2", "1/10", 0, 0},          {"3", "2", "1/1000000", 16, 15.4}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        numbers n;
        numbers_init(&n, row[i].r, row[i].alpha, row[i].delta, false);
        renyi_improved_epsilon(n.out, n.r, n.alpha, n.delta);
        double improved = mpfi_get_d(n.out);
        renyi_single_epsilon(n.out, n.r, n.alpha, n.delta);
        double single = mpfi_get_d(n.out);
        assert_true(single <= improved * (1 + 1e-12));
        if (i < 3) {
            assert_true(fabs(improved - row[i].improved) <= 1e-3 * row[i].improved);
            assert_true(fabs(single - row[i].single) <= 1e-3 * row[i].single);
        }
        if (i == 4)
            assert_true(mpfi_is_zero(n.out));
        numbers_clear(&n);
    }
}

/* m(p, q) of one order, which data processing bounds */
static double moment_of(double p, double q, double alpha)
{
    return pow(p, alpha) * pow(q, 1 - alpha) + pow(1 - p, alpha) * pow(1 - q, 1 - alpha);
}

/* Two-point pairs: with r their divergence and delta their profile at some epsilon, no row is below
 * that epsilon; and what is found for one order has a pair that comes near. */
static void test_pairs(void **state)
{
    (void)state;
    rng r = rng_make(5);
    for (int i = 0; i < rounds(200); i++) {
        double p = (1 + (double)rng_below(&r, 998)) / 1000,
               q = p * (double)(1 + rng_below(&r, 999));
        q /= 1000;
        double alpha = 1 + exp((double)rng_below(&r, 1000) / 1000 * 6 - 2);
        double eps = log(p / q) * (double)rng_below(&r, 1000) / 1000;
        double delta = p - exp(eps) * q, limit = log(moment_of(p, q, alpha)) / (alpha - 1);
        if (!(delta > 1e-9) || !(limit > 1e-6) || !(limit < 50))
            continue;
        numbers n;
        numbers_init(&n, "1", "2", "1/2", false);
        mpfi_set_d(n.r, limit * (1 + 1e-9));
        mpq_set_d(n.alpha, alpha);
        mpq_set_d(n.delta, delta);
        renyi_single_epsilon(n.out, n.r, n.alpha, n.delta);
        double single = mpfr_get_d(&n.out->right, MPFR_RNDU);
        assert_true(single >= eps - 1e-9);
        renyi_improved_epsilon(n.out, n.r, n.alpha, n.delta);
        double improved = mpfr_get_d(&n.out->right, MPFR_RNDU);
        assert_true(improved >= single * (1 - 1e-12));
        renyi_classic_epsilon(n.out, n.r, n.alpha, n.delta);
        assert_true(mpfr_get_d(&n.out->right, MPFR_RNDU) >= improved * (1 - 1e-12));
        /* delta rows at that epsilon, and total variation */
        mpfi_set_d(n.x, eps);
        renyi_improved_delta(n.out, n.r, n.alpha, n.x);
        assert_true(mpfr_get_d(&n.out->right, MPFR_RNDU) >= delta * (1 - 1e-9));
        renyi_total_variation(n.out, n.r);
        assert_true(mpfr_get_d(&n.out->right, MPFR_RNDU) >= p - q);
        numbers_clear(&n);
    }
}

static void test_delta_rows(void **state)
{
    (void)state;
    static const char *const row[][6] = {
        /* r, alpha, x, ln of improved, ln of classic, total variation */
        {"0.5", "10", "2", "-16.7508297339144823950655002822", "-13.5",
         "0.627271345023321288011057306096"},
        {"0.01", "40", "0.3", "-15.9862739655012414435976534430", "-11.31",
         "0.0997505200529398063453273212214"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        numbers n;
        numbers_init(&n, row[i][0], row[i][1], row[i][2], true);
        renyi_improved_delta(n.out, n.r, n.alpha, n.x);
        mpfi_log(n.out, n.out);
        is(n.out, row[i][3], 28);
        renyi_classic_delta(n.out, n.r, n.alpha, n.x);
        mpfi_log(n.out, n.out);
        is(n.out, row[i][4], 28);
        renyi_total_variation(n.out, n.r);
        is(n.out, row[i][5], 28);
        numbers_clear(&n);
    }
}

/* The improved row at the order chosen for it. */
static bool best_epsilon(mpfi_t out, mpq_t alpha, const renyi_curve *c, const mpq_t delta)
{
    mpfi_t r;
    mpfi_init2(r, mpfi_get_prec(out));
    bool ok = renyi_order_epsilon(alpha, c, true, delta);
    if (ok) {
        c->at(r, c->of, alpha);
        renyi_improved_epsilon(out, r, alpha, delta);
    }
    mpfi_clear(r);
    return ok;
}

static bool best_delta(mpfi_t out, mpq_t alpha, const renyi_curve *c, const mpfi_t x)
{
    mpfi_t r;
    mpfi_init2(r, mpfi_get_prec(out));
    bool ok = renyi_order_delta(alpha, c, true, x);
    if (ok) {
        c->at(r, c->of, alpha);
        renyi_improved_delta(out, r, alpha, x);
    }
    mpfi_clear(r);
    return ok;
}

/* The value is the infimum over orders: never above, and within 10^-9 of it. */
static void near_infimum(const mpfi_t out, const char *text)
{
    mpq_t value;
    mpq_init(value);
    rational_of(value, text);
    double best = mpq_get_d(value);
    assert_true(mpfr_get_d(&out->right, MPFR_RNDU) >= best * (1 - 1e-15));
    assert_true(mpfr_get_d(&out->right, MPFR_RNDU) <= best * (1 + 1e-9));
    mpq_clear(value);
}

static void test_zcdp(void **state)
{
    (void)state;
    static const char *const row[][6] = {
        /* xi, rho, delta, classic, improved, best order */
        {"0", "0.1", "1e-5", "2.24596602628934723963618357029", "1.91423883200359779853142046492",
         "10.5682153609574001579096932262"},
        {"0.05", "0.02", "1e-3", "0.813384437769967689390481352261",
         "0.580676719042100518095861715491", "15.4408121879026463997977489099"},
    };
    zcdp z;
    mpq_t delta, alpha;
    mpfi_t out, x;
    zcdp_init(&z);
    mpq_inits(delta, alpha, NULL);
    mpfi_init2(out, BITS);
    mpfi_init2(x, BITS);
    renyi_curve c = zcdp_curve(&z);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        rational_of(z.xi, row[i][0]);
        rational_of(z.rho, row[i][1]);
        rational_of(delta, row[i][2]);
        zcdp_classic_epsilon(out, &z, delta);
        is(out, row[i][3], 28);
        assert_true(best_epsilon(out, alpha, &c, delta));
        near_infimum(out, row[i][4]);
        rational_of(delta, row[i][5]);
        assert_true(fabs(mpq_get_d(alpha) / mpq_get_d(delta) - 1) < 1e-5);
    }
    rational_of(z.xi, "0");
    rational_of(z.rho, "0.1");
    mpfi_set_ui(x, 2);
    assert_true(best_delta(out, alpha, &c, x));
    mpfi_neg(x, out); /* ln of the reference is below 0 */
    mpfi_log(out, out);
    mpfi_neg(out, out);
    assert_true(fabs(mpfi_get_d(out) / 12.3510496629094087123606894665 - 1) < 1e-12);
    assert_true(mpfr_cmp_d(&out->left, 12.35104966290941) < 0);
    assert_true(fabs(mpq_get_d(alpha) - 10.9775725171492233610750655339) < 1e-4);
    /* a rho that is nothing, and a negative xi */
    rational_of(z.rho, "0");
    rational_of(z.xi, "0.3");
    rational_of(delta, "1e-5");
    assert_true(best_epsilon(out, alpha, &c, delta));
    assert_true(mpfr_cmp_d(&out->right, 0.3) <= 0 && mpfr_cmp_d(&out->right, 0.29998) > 0);
    rational_of(z.xi, "-0.3");
    assert_true(best_epsilon(out, alpha, &c, delta) && mpfi_is_zero(out));
    rational_of(alpha, "1/2");
    rational_of(delta, "1/5");
    zcdp_of_cdp(&z, alpha, delta);
    assert_true(mpq_cmp_ui(z.rho, 1, 50) == 0 && mpq_cmp_ui(z.xi, 24, 50) == 0);
    mpfi_clear(x);
    mpfi_clear(out);
    mpq_clears(delta, alpha, NULL);
    zcdp_clear(&z);
}

static void gaussian_at(mpfi_t r, const void *of, mpq_srcptr order)
{
    mpfi_t alpha;
    mpfi_init2(alpha, mpfi_get_prec(r));
    mpfi_set_q(alpha, order);
    gaussian_renyi(r, *(const mpq_t *)of, alpha);
    mpfi_clear(alpha);
}

static void laplace_at(mpfi_t r, const void *of, mpq_srcptr order)
{
    mpfi_t alpha;
    mpfi_init2(alpha, mpfi_get_prec(r));
    mpfi_set_q(alpha, order);
    laplace_renyi(r, *(const mpq_t *)of, alpha);
    mpfi_clear(alpha);
}

/* The curve of a mechanism gives an upper bound of its own profile, and not a wild one; where
 * orders are limited the order keeps to them. */
static void test_curves(void **state)
{
    (void)state;
    static const char *const size[] = {"1/100", "1", "9", "400"};
    mpq_t parameter, alpha, delta, most;
    mpz_t once;
    mpfi_t x, out, exact;
    mpfr_t slope;
    mpq_inits(parameter, alpha, delta, most, NULL);
    mpz_init_set_ui(once, 1);
    mpfi_init2(x, BITS);
    mpfi_init2(out, BITS);
    mpfi_init2(exact, BITS);
    mpfr_init2(slope, BITS);
    for (size_t i = 0; i < 8; i++) {
        bool normal = i % 2 == 0;
        rational_of(parameter, size[i / 2]);
        renyi_curve c = {.at = normal ? gaussian_at : laplace_at, .of = &parameter};
        product p;
        product_init(&p);
        assert_int_equal((normal ? gaussian_add : laplace_add)(&p, parameter, once), DP_OK);
        for (int j = 1; j <= 300; j += 23) {
            mpz_ui_pow_ui(mpq_denref(delta), 10, (unsigned long)j);
            mpz_set_ui(mpq_numref(delta), 1);
            assert_true(best_epsilon(x, alpha, &c, delta));
            assert_true(mpq_cmp_ui(alpha, 1, 1) > 0);
            mpfr_set(&x->left, &x->right, MPFR_RNDN); /* the safe end */
            assert_true(p.item[0].ops->profile(exact, slope, p.item[0].self, x));
            assert_true(mpfr_cmp_q(&exact->left, delta) <= 0);
            assert_true(best_delta(out, alpha, &c, x));
            assert_true(mpfr_lessequal_p(&exact->left, &out->right));
        }
        product_clear(&p);
        mpq_set_ui(most, 3, 2);
        c.most = most;
        assert_true(best_epsilon(x, alpha, &c, delta) && mpq_cmp(alpha, most) <= 0);
        c.most = NULL;
        c.least = most;
        assert_true(best_epsilon(x, alpha, &c, delta) && mpq_cmp(alpha, most) >= 0);
        c.most = most;
        assert_true(best_epsilon(x, alpha, &c, delta) && mpq_equal(alpha, most));
    }
    mpfr_clear(slope);
    mpfi_clear(exact);
    mpfi_clear(out);
    mpfi_clear(x);
    mpz_clear(once);
    mpq_clears(parameter, alpha, delta, most, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_epsilon_rows), cmocka_unit_test(test_upper_end),
        cmocka_unit_test(test_single),       cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_delta_rows),   cmocka_unit_test(test_zcdp),
        cmocka_unit_test(test_curves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
