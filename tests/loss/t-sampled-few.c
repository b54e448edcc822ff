/* SPDX-License-Identifier: MIT */
/* Profiles of few uses of the sampled Gaussian: two uses beside an integral over the line of their
 * difference in doubles, along which the set where both together lose more than x has a boundary in
 * closed form; more beside another contour. DPACCT_TEST_FACTOR tries more. */
#include "law.h"

#include "engine/invert.h"
#include "loss/gaussian_tails.h"
#include "loss/sampled_gaussian.h"
#include "loss/sampled_gaussian_few.h"

static double upper(double y)
{
    return erfc(y / M_SQRT2) / 2;
}

/* With y1,2 = (a +- b)/sqrt 2, both independent standard normal, r(y1) r(y2) = E has the root
 * e^(a / (s sqrt 2) - 1/(2s^2)) = (sqrt((1-q)^2 sinh^2 c + E) - (1-q) cosh c) / q, c = b / (s sqrt
 * 2). `put`: E[(1 - r/E)_+] below it, else E[(r - E)_+] / 1 above it. */
static double two_uses(double s, double q, double ratio, bool put)
{
    double sum = 0, h = 0.005, rest = 1 - q, move = 1 / (s * M_SQRT2);
    for (double b = -10 - move; b < 10 + move; b += h) {
        double c = b * move, root = sqrt(pow(rest * sinh(c), 2) + ratio);
        double a = M_SQRT2 * s *
                   (log((ratio - rest * rest) / (root + rest * cosh(c)) / q) + 0.5 / (s * s));
        double sign = put ? -1 : 1, phi = exp(-b * b / 2), far = b - move;
        double own = upper(sign * a), both = upper(sign * (a - 2 * move)),
               one = upper(sign * (a - move));
        sum += sign * (phi * ((rest * rest - ratio) * own + q * q * both) +
                       2 * q * rest * exp(-far * far / 2) * one);
    }
    return sum * h / sqrt(2 * M_PI) / (put ? ratio : 1);
}

/* e^(low..high), to 12 bits */
static double between(rng *r, double low, double high)
{
    int exponent;
    double m = frexp(exp(low + (high - low) * (double)rng_below(r, 10001) / 1e4), &exponent);
    return ldexp(rint(ldexp(m, 12)), exponent - 12);
}

/* Two uses, or two whose rates differ by a part 2^-40, which go by the path. */
static void open_two(product *p, double s, double q, bool equal, bool add)
{
    mpq_t sigma, rate;
    mpz_t one;
    mpq_inits(sigma, rate, NULL);
    mpz_init_set_ui(one, 1);
    mpq_set_d(sigma, s);
    mpq_set_d(rate, q);
    product_init(p);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(sampled_gaussian_add(p, sigma, rate, one, add), DP_OK);
        mpq_set_d(rate, equal ? q : q * (1 + 0x1p-40));
    }
    mpz_clear(one);
    mpq_clears(sigma, rate, NULL);
}

static void open_law(product *p, double s, double q, unsigned long uses, bool add)
{
    mpq_t sigma, rate;
    mpz_t n;
    mpq_inits(sigma, rate, NULL);
    mpz_init_set_ui(n, uses);
    mpq_set_d(sigma, s);
    mpq_set_d(rate, q);
    product_init(p);
    assert_int_equal(sampled_gaussian_add(p, sigma, rate, n, add), DP_OK);
    mpz_clear(n);
    mpq_clears(sigma, rate, NULL);
}

/* Few bits are asked for, so that what is left out has its full size; and many. Each once by the
 * integral of its own and once by the path. */
static void test_two(void **state)
{
    (void)state;
    rng r = {.state = 11};
    mpfi_t x, s;
    mpfr_t slope;
    double sigma = 1, q = 0.5, at = 1;
    mpfi_init2(x, 53);
    mpfr_init2(slope, 64);
    int had = 0, tries = rounds(4);
    for (int i = 0; i < 2 * tries; i++) {
        bool add = i % 4 > 1, equal = i % 2 == 0;
        if (equal) {
            sigma = between(&r, log(0.2), log(4));
            q = between(&r, log(1e-4), log(0.4));
            at = between(&r, log(0.02), log(4));
            at = add ? fmin(0.9, at / 4) * -2 * log1p(-q)
                     : at * fmin(1 / sigma, 1 / sigma / sigma + 1);
        }
        product p;
        open_two(&p, sigma, q, equal, add);
        const loss *law = only_law(&p);
        mpfi_set_d(x, at);
        double value = two_uses(sigma, q, exp(add ? -at : at), add), slack = value * 1e-9 + 1e-15;
        for (int fine = 0; fine < (i < 2 ? 2 : 1); fine++) {
            mpfi_init2(s, fine ? 96 : 64);
            if (law->ops->profile(s, slope, law->self, x)) {
                had++;
                assert_true(mpfr_get_d(&s->left, MPFR_RNDD) <= value + slack);
                assert_true(mpfr_get_d(&s->right, MPFR_RNDU) >= value - slack);
                assert_true(!fine ||
                            mpfr_get_d(&s->right, MPFR_RNDU) - mpfr_get_d(&s->left, MPFR_RNDD) <=
                                1e-8 * value + 1e-300);
                assert_true(!equal || mpfr_get_d(&s->right, MPFR_RNDU) <= 1.01 * value + slack);
            }
            mpfi_clear(s);
        }
        product_clear(&p);
    }
    assert_true(had >= 2 * tries - tries / 4);
    mpfr_clear(slope);
    mpfi_clear(x);
}

/* So near the end of the losses of two uses that doubles do not see that it is ahead: s is 0 there,
 * or 1 - e^x, to 12 digits. */
static void test_end(void **state)
{
    (void)state;
    static const double rates[] = {0x1p-7, 0.1, 0.25, 1.0 / 3, 0.4, 1e-3};
    mpfi_t x, s;
    mpfr_t slope;
    mpfi_init2(x, 53);
    mpfi_init2(s, 64);
    mpfr_init2(slope, 64);
    for (int i = 0; i < 2 * rounds(3); i++) {
        bool add = i % 2 == 0;
        double q = rates[i / 2 % 6], at = (add ? -2 : 2) * log1p(-q);
        for (int ulps = 0; ulps < 2; ulps++, at = nextafter(at, -1)) {
            product p;
            open_two(&p, 1, q, true, add);
            mpfi_set_d(x, at);
            if (only_law(&p)->ops->profile(s, slope, only_law(&p)->self, x)) {
                double value = add ? 0 : -expm1(at);
                assert_true(mpfr_get_d(&s->left, MPFR_RNDD) <= value + 1e-12);
                assert_true(mpfr_get_d(&s->right, MPFR_RNDU) >= value);
                assert_true(mpfr_get_d(&s->right, MPFR_RNDU) <= 1);
            }
            product_clear(&p);
        }
    }
    mpfr_clear(slope);
    mpfi_clear(s);
    mpfi_clear(x);
}

/* Phi(-x) at any precision beside erfc. */
static void test_tails(void **state)
{
    (void)state;
    rng r = {.state = 12};
    int tries = rounds(40);
    for (int i = 0; i < tries; i++) {
        mpfr_prec_t bits = 10 + (mpfr_prec_t)rng_below(&r, 400);
        gaussian_tails t;
        mpfi_t x, tail;
        mpfr_t y, wide;
        mpfi_init2(x, bits);
        mpfi_init2(tail, bits);
        mpfr_init2(y, bits + 200);
        mpfr_init2(wide, 64);
        mpfi_set_d(x, between(&r, log(1e-3), log(60)) * (i % 2 == 0 ? 1 : -1));
        mpfr_set_ui(y, 2, MPFR_RNDN);
        mpfr_sqrt(y, y, MPFR_RNDN);
        mpfr_div(y, &x->left, y, MPFR_RNDN);
        mpfr_erfc(y, y, MPFR_RNDN);
        mpfr_div_2ui(y, y, 1, MPFR_RNDN);
        assert_true(gaussian_tails_init(&t, bits));
        gaussian_tail(tail, &t, x);
        assert_true(mpfr_lessequal_p(&tail->left, y) && mpfr_lessequal_p(y, &tail->right));
        mpfr_sub(wide, &tail->right, &tail->left, MPFR_RNDU);
        mpfr_div(wide, wide, y, MPFR_RNDU);
        assert_true(mpfr_zero_p(wide) || mpfr_get_exp(wide) < 22 - bits);
        gaussian_tails_clear(&t);
        mpfr_clear(wide);
        mpfr_clear(y);
        mpfi_clear(tail);
        mpfi_clear(x);
    }
}

/* Both evaluators of one profile. */
static void test_others(void **state)
{
    (void)state;
    static const struct {
        double s, q, at;
        unsigned long uses;
        bool add;
    } row[] = {{1, 0.0625, 0.75, 12, false}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        product p;
        engine e;
        mpfi_t x, s[2];
        mpfr_t slope;
        limits lim = {0};
        mpfi_init2(x, 53);
        mpfr_init2(slope, 64);
        mpfi_set_d(x, row[i].at);
        open_law(&p, row[i].s, row[i].q, row[i].uses, row[i].add);
        assert_int_equal(engine_init(&e, &p), DP_OK);
        for (int way = 0; way < 2; way++) {
            profile f;
            e.without = way == 0 ? 0 : 1U << PROFILE_CLOSED;
            mpfi_init2(s[way], 64);
            assert_int_equal(profile_open(&f, &e, row[i].at, 80, 1e-9, true, &lim), DP_OK);
            assert_int_equal(f.kind == PROFILE_CLOSED, way == 0);
            assert_int_equal(profile_at(s[way], slope, &f, x), DP_OK);
            profile_close(&f);
        }
        assert_true(mpfr_lessequal_p(&s[0]->left, &s[1]->right));
        assert_true(mpfr_lessequal_p(&s[1]->left, &s[0]->right));
        mpfr_sub(slope, &s[0]->right, &s[0]->left, MPFR_RNDU);
        mpfr_div(slope, slope, &s[0]->left, MPFR_RNDU);
        assert_true(mpfr_cmp_d(slope, 1e-9) < 0);
        for (int way = 0; way < 2; way++)
            mpfi_clear(s[way]);
        mpfr_clear(slope);
        mpfi_clear(x);
        engine_clear(&e);
        product_clear(&p);
    }
}

static const loss_ops *counted;
static int asked;

static bool count_profile(mpfi_t s, mpfr_t slope, const void *self, const mpfi_t x)
{
    asked++;
    return counted->profile(s, slope, self, x);
}

/* A search whose first values are of few bits comes to epsilon by tangents all the same: it took
 * 290 evaluations when an end was set by a value that does not tell on which side it is. */
static void test_search(void **state)
{
    (void)state;
    product p;
    engine e;
    dp_figure epsilon;
    mpq_t delta, end;
    limits lim = {0};
    mpq_inits(delta, end, NULL);
    dp_figure_init(&epsilon);
    open_law(&p, 1, 0.01, 2, false);
    counted = p.item[0].ops;
    loss_ops ops = *counted;
    ops.profile = count_profile;
    p.item[0].ops = &ops;
    assert_int_equal(engine_init(&e, &p), DP_OK);
    rational_of(delta, "1e-5");
    assert_int_equal(optimal_epsilon(&epsilon, &e, delta, 40, &lim), DP_OK);
    rational_of(end, "0.24546597607813");
    assert_int_equal(dp_figure_le(&epsilon, end), DP_YES);
    rational_of(end, "0.24546597607811");
    assert_int_equal(dp_figure_le(&epsilon, end), DP_NO);
    assert_true(asked > 0 && asked < 60);
    p.item[0].ops = counted;
    engine_clear(&e);
    product_clear(&p);
    dp_figure_clear(&epsilon);
    mpq_clears(delta, end, NULL);
}

/* C(omega, m) of 0 < m beside a finer sum of the integral that it bounds. */
static void test_mass(void **state)
{
    (void)state;
    product p;
    mpfi_t order;
    MPFR_DECL_INIT(most, 64);
    mpfi_init2(order, 64);
    static const double row[][4] = {
        {1, 0.01, 0.4, 1.5}, {0.1, 0.01, 0.3, 1}, {2, 0.3, 0.6, 2}, {0.5, 0.6, 0.7, -3}};
    for (size_t i = 0; i < 4; i++) {
        double s = row[i][0], q = row[i][1], omega = row[i][2], m = row[i][3], sum = 0;
        open_law(&p, s, q, 2, false);
        const sgm *l = only_law(&p)->self;
        mpfi_set_d(order, m);
        few_mass(most, &l->item[0], omega, order);
        double h = 1e-3;
        for (double n = -60; n < 8; n += h) { /* |phi(y) e^(ml) dy| itself */
            double xi = exp(n) * cos(omega), theta = exp(n) * sin(omega);
            double re = -expm1(-xi) + 2 * exp(-xi) * pow(sin(theta / 2), 2),
                   im = exp(-xi) * sin(theta);
            double y = s * (log((1 - q) / q) + xi + log(hypot(re, im))) + 0.5 / s;
            double a = s * (theta + atan2(im, re));
            sum += h * s * exp(n - (y * y - a * a) / 2 + m * xi) / hypot(re, im);
        }
        sum /= sqrt(2 * M_PI);
        assert_true(mpfr_cmp_d(most, sum) >= 0);
        assert_true(mpfr_cmp_d(most, 6 * sum) <= 0);
        assert_true(fabs(few_near_mass(&l->item[0], omega, m) - log(mpfr_get_d(most, MPFR_RNDN))) <
                    1);
        product_clear(&p);
    }
    mpfi_clear(order);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two),    cmocka_unit_test(test_end),  cmocka_unit_test(test_tails),
        cmocka_unit_test(test_others), cmocka_unit_test(test_mass), cmocka_unit_test(test_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
