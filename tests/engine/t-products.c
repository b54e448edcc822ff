/* SPDX-License-Identifier: MIT */
/* Products of Gaussian and Laplace noise with randomized response: the plain contour beside closed
 * forms and digits of mpmath, its bounds where they matter, and the inverse. */
#include "support.h"

#include <math.h>

#include "engine/invert.h"
#include "loss/gaussian.h"
#include "loss/laplace.h"
#include "loss/response.h"

#define CLOSED (1U << PROFILE_CLOSED)
#define PLAIN (1U << PROFILE_PLAIN)

typedef struct item {
    char kind; /* g, l or r */
    const char *parameter;
    unsigned long times;
} item;

#define MOST_ITEMS 6

typedef struct setup {
    product p;
    engine e;
    limits lim;
} setup;

static void setup_open(setup *s, const item *list)
{
    dp_number x;
    mpz_t times;
    dp_number_init(&x);
    mpz_init(times);
    product_init(&s->p);
    s->lim = (limits){0};
    for (size_t i = 0; i < MOST_ITEMS && list[i].kind != 0; i++) {
        number_of(&x, list[i].parameter);
        mpz_set_ui(times, list[i].times);
        dp_status status = list[i].kind == 'g'   ? gaussian_add(&s->p, x.value, times)
                           : list[i].kind == 'l' ? laplace_add(&s->p, x.value, times)
                                                 : response_add(&s->p, &x, times);
        assert_int_equal(status, DP_OK);
    }
    assert_int_equal(engine_init(&s->e, &s->p), DP_OK);
    mpz_clear(times);
    dp_number_clear(&x);
}

static void setup_close(setup *s)
{
    engine_clear(&s->e);
    product_clear(&s->p);
}

/* s(x) by whichever evaluator is left; which one, and whether it goes by bits. */
static bool profile_of(mpfi_t out, profile_kind *kind, setup *s, double x, mpfr_prec_t bits,
                       double gap)
{
    profile p;
    mpfi_t at;
    mpfr_t slope;
    mpfi_init2(at, 64);
    mpfr_init2(slope, 64);
    mpfi_set_d(at, x);
    dp_status status = profile_open(&p, &s->e, x, bits, gap, true, &s->lim);
    bool exact = p.exact;
    *kind = p.kind;
    assert_int_equal(status, DP_OK);
    assert_int_equal(profile_at(out, slope, &p, at), DP_OK);
    profile_close(&p);
    mpfr_clear(slope);
    mpfi_clear(at);
    return exact;
}

static double relative_width(const mpfi_t x)
{
    mpfr_t width;
    mpfr_init2(width, 64);
    mpfr_sub(width, &x->right, &x->left, MPFR_RNDU);
    mpfr_div(width, width, &x->right, MPFR_RNDU);
    double w = mpfr_get_d(width, MPFR_RNDU);
    mpfr_clear(width);
    return w;
}

static bool meet(const mpfi_t a, const mpfi_t b)
{
    return mpfr_lessequal_p(&a->left, &b->right) && mpfr_lessequal_p(&b->left, &a->right);
}

/* Enclosed, to as many digits as the text has but for the last ones. */
static void holds_digits(const mpfi_t x, const char *text)
{
    mpq_t value, slack, end;
    mpq_inits(value, slack, end, NULL);
    rational_of(value, text);
    mpz_ui_pow_ui(mpq_denref(slack), 10, 34);
    mpz_set_ui(mpq_numref(slack), 1);
    mpq_mul(slack, slack, value);
    mpq_add(end, value, slack);
    assert_true(mpfr_cmp_q(&x->left, end) <= 0);
    mpq_sub(end, value, slack);
    assert_true(mpfr_cmp_q(&x->right, end) >= 0);
    mpq_clears(value, slack, end, NULL);
}

/* 10 Gaussians, of one mu and of several, by the contour and in closed form, from 0.9 to 10^-300
 * and on either line. */
static void test_gaussians(void **state)
{
    (void)state;
    static const item lists[][MOST_ITEMS] = {{{'g', "1/10", 10}},
                                             {{'g', "1", 4}, {'g', "1/7", 3}, {'g', "2/9", 3}},
                                             {{'g', "1e-6", 10}},
                                             {{'g', "40", 10}}};
    static const double deviations[] = {-1, 0, 0.5, 3, 7, 12, 37};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        setup s;
        mpfi_t closed, found;
        mpq_t mu_squared;
        profile_kind kind;
        setup_open(&s, lists[i]);
        mpfi_init2(closed, 64);
        mpfi_init2(found, 64);
        mpq_init(mu_squared);
        assert_true(gaussian_of(mu_squared, &s.p));
        double square = mpq_get_d(mu_squared);
        for (size_t j = 0; j < sizeof deviations / sizeof *deviations; j++) {
            double x = fmax(0, square / 2 + deviations[j] * sqrt(square));
            s.e.without = 0;
            assert_true(profile_of(closed, &kind, &s, x, 110, 1e-6));
            assert_int_equal(kind, PROFILE_CLOSED);
            s.e.without = CLOSED;
            assert_true(profile_of(found, &kind, &s, x, 110, 1e-6));
            assert_int_equal(kind, PROFILE_PLAIN);
            assert_true(meet(closed, found));
            assert_true(relative_width(closed) < 1e-32);
            assert_true(relative_width(found) < 1e-30);
        }
        if (i == 0) /* 37 deviations out */
            assert_true(mpfr_cmp_d(&closed->right, 1e-298) < 0 && mpfr_sgn(&closed->left) > 0);
        mpq_clear(mu_squared);
        mpfi_clear(found);
        mpfi_clear(closed);
        setup_close(&s);
    }
}

/* Sums over the losses of the responses of mass times Gaussian profile; integrals over one Laplace
 * loss of the same; and the integral of ten Laplace moments on a line, by tanh-sinh. */
static void test_digits(void **state)
{
    (void)state;
    static const struct {
        item list[MOST_ITEMS];
        double x;
        const char *value;
    } row[] = {
        {{{'g', "1", 1}, {'r', "0.137", 10}, {'r', "0.2111", 12}, {'r', "0.31831", 13}},
         0,
         "0.6168171596808203231088845158278522140173"},
        {{{'g', "1", 1}, {'r', "0.137", 10}, {'r', "0.2111", 12}, {'r', "0.31831", 13}},
         2,
         "0.2297317385588588355984522518864167847243"},
        {{{'g', "1", 1}, {'r', "0.137", 10}, {'r', "0.2111", 12}, {'r', "0.31831", 13}},
         10,
         "0.00000002214568952219922455061343518423156284713"},
        {{{'g', "0.01", 1}, {'r', "0.137", 10}, {'r', "0.2111", 12}, {'r', "0.31831", 13}},
         1,
         "0.293181264998520922669050196825999360486"},
        {{{'g', "4", 1}, {'r', "0.137", 10}, {'r', "0.2111", 12}, {'r', "0.31831", 13}},
         60,
         "6.591733599340088288027020772323856300258e-148"},
        {{{'g', "1", 1}, {'l', "1/2", 1}}, 0, "0.4195092982879640769815071272386092165418"},
        {{{'g', "0.25", 1}, {'l', "2", 1}}, 1.5, "0.2592698930752554700240459272340227558747"},
        {{{'g', "1", 1}, {'l', "1/2", 10}}, 1, "0.4290294762909969363637292724322547431499"},
        {{{'g', "1", 1}, {'l', "1/2", 10}}, 12, "9.709833126870573631623680907868091109358e-15"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        setup s;
        mpfi_t first, second;
        profile_kind kind;
        mpfi_init2(first, 64);
        mpfi_init2(second, 64);
        setup_open(&s, row[i].list);
        assert_true(profile_of(first, &kind, &s, row[i].x, 110, 1e-6));
        assert_int_equal(kind, PROFILE_PLAIN);
        holds_digits(first, row[i].value);
        assert_true(relative_width(first) < 1e-30);
        setup_close(&s);
        /* the order of adding does not matter */
        item back[MOST_ITEMS] = {{0}};
        size_t n = 0;
        while (n < MOST_ITEMS && row[i].list[n].kind != 0)
            n++;
        for (size_t j = 0; j < n; j++)
            back[j] = row[i].list[n - 1 - j];
        setup_open(&s, back);
        assert_true(profile_of(second, &kind, &s, row[i].x, 90, 1e-6));
        assert_true(meet(first, second));
        setup_close(&s);
        mpfi_clear(second);
        mpfi_clear(first);
    }
}

/* Laplace noise decays only so far: by gaps, brackets that are nested or at least meet, with the
 * plain contour where it reaches and with the smoothing, and the closed form within all. */
static void test_laplaces(void **state)
{
    (void)state;
    static const item list[MOST_ITEMS] = {{'l', "1/2", 100}};
    static const double gap[] = {1e-3, 1e-5, 1e-7};
    setup s;
    mpfi_t found, smoothed, all;
    profile_kind kind;
    setup_open(&s, list);
    mpfi_init2(found, 64);
    mpfi_init2(smoothed, 64);
    mpfi_init2(all, 200);
    s.e.without = PLAIN;
    assert_true(profile_of(all, &kind, &s, 10, 300, 1e-6));
    assert_int_equal(kind, PROFILE_CLOSED);
    assert_true(relative_width(all) < 1e-80);
    for (size_t i = 0; i < 3; i++) {
        s.e.without = CLOSED;
        assert_false(profile_of(found, &kind, &s, 10, 300, gap[i]));
        assert_int_equal(kind, PROFILE_PLAIN);
        assert_true(relative_width(found) < 4 * gap[i]);
        assert_true(mpfi_is_inside(all, found));
        if (i < 2) {
            s.e.without = CLOSED | PLAIN;
            assert_false(profile_of(smoothed, &kind, &s, 10, 300, gap[i]));
            assert_int_equal(kind, PROFILE_SMOOTH);
            assert_true(mpfi_is_inside(all, smoothed));
        }
    }
    mpfi_clear(all);
    mpfi_clear(smoothed);
    mpfi_clear(found);
    setup_close(&s);
}

/* Few Laplace uses in closed form; of many terms where the contour would take many nodes, also
 * beside a part. */
static void test_few_laplaces(void **state)
{
    (void)state;
    static const struct {
        item list[MOST_ITEMS];
        double x;
        profile_kind kind;
    } row[] = {
        {{{'l', "2", 1}}, 1, PROFILE_CLOSED},
        {{{'l', "1/10", 60}}, 1, PROFILE_CLOSED},
        {{{'l', "1/10", 100}}, 1, PROFILE_PLAIN},
        {{{'l', "1/10", 6}, {'l', "1/3", 7}, {'l', "1/7", 5}}, 2, PROFILE_CLOSED},
        {{{'l', "1", 300}}, 160, PROFILE_PLAIN},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        setup s;
        mpfi_t found, other;
        profile_kind kind;
        setup_open(&s, row[i].list);
        mpfi_init2(found, 64);
        mpfi_init2(other, 64);
        assert_true(profile_of(found, &kind, &s, row[i].x, 100, 1e-6));
        assert_int_equal(kind, row[i].kind);
        assert_true(relative_width(found) < 1e-20);
        s.e.without = 1U << row[i].kind;
        profile_of(other, &kind, &s, row[i].x, 100, 1e-3);
        assert_true(kind != row[i].kind && meet(found, other));
        assert_true(relative_width(other) < 1e-1);
        mpfi_clear(other);
        mpfi_clear(found);
        setup_close(&s);
    }
}

/* The closed form of Laplace noise, shifted by the losses of the responses; of many terms where the
 * contour would take many nodes. mpmath, by the same two sums at 200 digits. */
static void test_shifted(void **state)
{
    (void)state;
    static const struct {
        item list[MOST_ITEMS];
        double x;
        const char *value;
    } row[] = {
        {{{'l', "1/8", 10}, {'r', "0.3", 3}}, 0.5, "0.1030649144483809208717067276471920251694"},
        {{{'r', "0.137", 7}, {'l', "1/2", 2}, {'r', "0.2111", 5}, {'l', "1/3", 1}},
         2,
         "0.00966491570068707825623267332780226903482"},
        {{{'l', "1/8", 30}, {'r', "0.3", 9}, {'r', "1/7", 8}},
         4,
         "0.0004407550566561290388562083616190752284188"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        setup s;
        mpfi_t found, other;
        profile_kind kind;
        setup_open(&s, row[i].list);
        mpfi_init2(found, 64);
        mpfi_init2(other, 64);
        assert_true(profile_of(found, &kind, &s, row[i].x, 130, 1e-6));
        assert_int_equal(kind, PROFILE_SHIFTED);
        holds_digits(found, row[i].value);
        assert_true(relative_width(found) < 1e-38);
        s.e.without = 1U << PROFILE_SHIFTED;
        assert_false(profile_of(other, &kind, &s, row[i].x, 130, 1e-3));
        assert_int_equal(kind, PROFILE_SMOOTH);
        assert_true(meet(found, other));
        mpfi_clear(other);
        mpfi_clear(found);
        setup_close(&s);
    }
}

/* One line, period, last node and precision, taken at random and crude. *dropped: did the scan
 * leave nodes out? True when the enclosure says something. */
static bool try_crude(bool *dropped, setup *s, rng *r)
{
    mpfi_t truth, crude, x;
    mpfr_t slope;
    profile_kind kind;
    mpfi_init2(truth, 64);
    mpfi_init2(crude, 64);
    mpfi_init2(x, 64);
    mpfr_init2(slope, 64);
    double share = (double)rng_below(r, 1000) / 1000, at = (double)rng_below(r, 64) / 16;
    bool left = rng_below(r, 2) == 0;
    trapezoid p = {.sums = 1, .all = &s->e.all};
    p.c = left ? -ldexp(rint(64 * (0.05 + 0.9 * share)), -6) : ldexp(rint(256 * share) + 1, -6);
    p.above = left ? 0 : p.c + (double)(1 + rng_below(r, 20)) / 8;
    p.below = left ? -1 : 0;
    p.period = (double)(8 + rng_below(r, 100)) / 4;
    p.lambda = (double)(1 + rng_below(r, 60)) / (rng_below(r, 2) == 0 ? 4 : 32);
    p.last = 1 + rng_below(r, 12);
    p.work = 20 + (mpfr_prec_t)rng_below(r, 40);
    assert_int_equal(trapezoid_prepare(&p, &s->lim), DP_OK);
    *dropped = p.nodes.count <= p.last;
    mpfi_set_d(x, at);
    plain_profile(crude, slope, &p, x);
    trapezoid_close(&p);
    assert_true(profile_of(truth, &kind, s, at, 60, 1e-6));
    assert_true(meet(truth, crude));
    bool telling = mpfr_sgn(&crude->left) > 0 || mpfr_cmp_ui(&crude->right, 1) < 0;
    mpfr_clear(slope);
    mpfi_clear(x);
    mpfi_clear(crude);
    mpfi_clear(truth);
    return telling;
}

/* What is left out and what is folded in are of the size of s: the enclosure still holds it. */
static void test_crude(void **state)
{
    (void)state;
    static const item lists[][MOST_ITEMS] = {{{'g', "1", 1}},
                                             {{'g', "1/4", 1}, {'r', "1", 6}},
                                             {{'g', "1/4", 1}, {'l', "1", 3}, {'r', "3/2", 2}}};
    rng r = rng_make(19);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        setup s;
        setup_open(&s, lists[i]);
        int telling = 0, dropping = 0, total = rounds(60);
        for (int j = 0; j < total; j++) {
            bool dropped;
            telling += try_crude(&dropped, &s, &r);
            dropping += dropped;
        }
        assert_true(!rounds_are_full() || (telling > total / 8));
        assert_true(i == 0 || dropping > total / 20);
        setup_close(&s);
    }
}

/* epsilon at a delta: the profile at both of its ends surrounds the target; and for Gaussians alone
 * it is that of the closed form. */
static void test_inverse(void **state)
{
    (void)state;
    static const item lists[][MOST_ITEMS] = {
        {{'g', "1/4", 10}},
        {{'g', "1", 1}, {'r', "0.137", 10}, {'r', "0.2111", 12}, {'l', "1/3", 5}}};
    static const char *const target[] = {"1/10", "1e-5", "1e-100", "1e-300"};
    mpq_t delta, mu_squared;
    mpq_inits(delta, mu_squared, NULL);
    for (size_t i = 0; i < 2; i++) {
        setup s;
        setup_open(&s, lists[i]);
        for (size_t j = 0; j < sizeof target / sizeof *target; j++) {
            dp_figure epsilon;
            dp_figure_init(&epsilon);
            rational_of(delta, target[j]);
            assert_int_equal(optimal_epsilon(&epsilon, &s.e, delta, 20, &s.lim), DP_OK);
            assert_int_equal(epsilon.kind, DP_ENCLOSED);
            assert_true(relative_width(epsilon.enclosure) < 1e-19);
            mpfi_t at, end;
            profile p;
            mpfr_t slope;
            mpfi_init2(at, 300);
            mpfi_init2(end, 300);
            mpfr_init2(slope, 64);
            double near = mpfi_get_d(epsilon.enclosure);
            assert_int_equal(profile_open(&p, &s.e, near, 200, 1e-6, false, &s.lim), DP_OK);
            mpfi_set_fr(at, &epsilon.enclosure->right);
            assert_int_equal(profile_at(end, slope, &p, at), DP_OK);
            assert_true(mpfr_cmp_q(&end->left, delta) <= 0);
            mpfi_set_fr(at, &epsilon.enclosure->left);
            assert_int_equal(profile_at(end, slope, &p, at), DP_OK);
            assert_true(mpfr_cmp_q(&end->right, delta) >= 0);
            profile_close(&p);
            if (i == 0) {
                gaussian_of(mu_squared, &s.p);
                mpfi_set_q(at, mu_squared);
                mpfi_sqrt(at, at);
                gaussian_epsilon(end, at, delta);
                assert_true(meet(end, epsilon.enclosure));
            }
            mpfr_clear(slope);
            mpfi_clear(end);
            mpfi_clear(at);
            dp_figure_clear(&epsilon);
        }
        setup_close(&s);
    }
    mpq_clears(delta, mu_squared, NULL);
}

/* Where no evaluator does, what one law spends alone: next to which all of them are where the
 * others spend next to nothing, and which the largest losses of the others may add to. */
static void test_one(void **state)
{
    (void)state;
    static const struct {
        item list[MOST_ITEMS];
        double more; /* of the largest losses of the others */
    } c[] = {
        {{{'g', "1", 2}, {'r', "1e-20", 1}}, 1e-20},
        {{{'g', "1", 1}, {'r', "0.5", 3}}, 1.5},
        {{{'g', "0.04", 1}, {'r', "0.02", 1}}, 0.02},
        {{{'g', "1", 1}, {'l', "2", 1}, {'r', "0.1", 1}}, HUGE_VAL},
    };
    mpq_t delta;
    mpq_init(delta);
    mpq_set_ui(delta, 1, 100000);
    for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
        setup s;
        dp_figure all, one;
        logform x;
        dp_figure_init(&all);
        dp_figure_init(&one);
        logform_init(&x);
        setup_open(&s, c[i].list);
        assert_int_equal(optimal_epsilon(&all, &s.e, delta, 8, &s.lim), DP_OK);
        s.e.without = ~CLOSED;
        dp_status status = optimal_epsilon(&one, &s.e, delta, 8, &s.lim);
        assert_true(status == DP_OK || status == DP_LIMIT);
        optimal_by_one(one.enclosure, &s.e, NULL, delta, 8, &s.lim);
        mpfi_srcptr ends = one.enclosure, both = all.enclosure;
        assert_true(mpfr_lessequal_p(&ends->left, &both->right));
        assert_true(mpfr_greaterequal_p(&ends->right, &both->left));
        assert_true(mpfr_cmp_d(&ends->left, 0.3) > 0);
        if (c[i].more < HUGE_VAL)
            assert_true(mpfr_get_d(&ends->right, MPFR_RNDN) - mpfr_get_d(&ends->left, MPFR_RNDN) <
                        c[i].more + 1e-6);
        mpq_t at;
        mpq_init(at);
        mpq_set_d(at, 0.25);
        mpq_t unit;
        mpq_init(unit);
        mpq_set_ui(unit, 1, 1);
        assert_true(logform_add_q(&x, unit, at));
        mpq_clear(unit);
        assert_true(optimal_fails_by_one(&s.e, &x, delta, &s.lim));
        mpq_clear(at);
        setup_close(&s);
        logform_clear(&x);
        dp_figure_clear(&one);
        dp_figure_clear(&all);
    }
    mpq_clear(delta);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one),          cmocka_unit_test(test_gaussians),
        cmocka_unit_test(test_digits),       cmocka_unit_test(test_laplaces),
        cmocka_unit_test(test_few_laplaces), cmocka_unit_test(test_shifted),
        cmocka_unit_test(test_crude),        cmocka_unit_test(test_inverse)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
