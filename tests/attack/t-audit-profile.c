/* SPDX-License-Identifier: MIT */
/* One run against a privacy curve (onerun-profile): the certificates' inequalities once more, at
 * many digits; the supremum over all mechanisms by enumeration; rows that are weaker; mechanisms
 * that are known. */
#include "support.h"

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "attack/audit.h"
#include "attack/audit_layers.h"
#include "program.h"

typedef struct ask {
    dp_audit a;
    dp_result r;
    dp_number m, n, v, confidence, mu, claim;
    dp_number point[8];
    dp_options opt;
} ask;

static void ask_open(ask *q, unsigned long m, unsigned long n, unsigned long v,
                     dp_audit_method method)
{
    memset(q, 0, sizeof *q);
    dp_result_init(&q->r);
    dp_number *all[] = {&q->m, &q->n, &q->v, &q->confidence, &q->mu, &q->claim};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        dp_number_init(all[i]);
    for (size_t i = 0; i < 8; i++)
        dp_number_init(&q->point[i]);
    dp_number_set_ui(&q->m, m);
    dp_number_set_ui(&q->n, n);
    dp_number_set_ui(&q->v, v);
    number_of(&q->confidence, "0.95");
    q->a = (dp_audit){.one_run = true,
                      .canaries = &q->m,
                      .guesses = &q->n,
                      .correct = &q->v,
                      .confidence = &q->confidence,
                      .method = method};
    q->opt = dp_options_default();
}

static void ask_close(ask *q)
{
    dp_number *all[] = {&q->m, &q->n, &q->v, &q->confidence, &q->mu, &q->claim};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        dp_number_clear(all[i]);
    for (size_t i = 0; i < 8; i++)
        dp_number_clear(&q->point[i]);
    dp_result_clear(&q->r);
}

static void ask_mu(ask *q, const char *mu)
{
    number_of(&q->mu, mu);
    q->a.gdp = true;
    q->a.mu = &q->mu;
}

/* Pairs of epsilon and delta. */
static void ask_points(ask *q, size_t count, const char *const *text)
{
    for (size_t i = 0; i < 2 * count; i++)
        number_of(&q->point[i], text[i]);
    q->a.claim_point = q->point;
    q->a.claim_points = 2 * count;
}

static double answered(ask *q, const char *name)
{
    assert_int_equal(dp_audit_evaluate(&q->r, &q->a, &q->opt, NULL), DP_OK);
    return dp_figure_double(dp_result_figure(&q->r, name), dp_quantity_safe(name), 10);
}

/* ---- the inequalities, at bits that a search in doubles knows nothing of ---- */

#define BITS 512

/* The least weights U(c), from c = r down, or from somewhere where they are less than that, which
 * fill the slopes from the first one on: are the heights enough for all of them, and lambda for the
 * last? */
static bool holds(const layers *l, double from)
{
    mpfr_t u, left, part, paid;
    mpfr_inits2(BITS, u, left, part, paid, (mpfr_ptr)0);
    bool good = true;
    mpfr_set_zero(paid, 1);
    unsigned long c = from < (double)l->guesses ? (unsigned long)from : l->guesses;
    for (; c >= 1; c--) {
        mpfr_mul_ui(u, paid, l->guesses - c, MPFR_RNDN);
        mpfr_sub(u, u, l->lambda, MPFR_RNDN);
        if (c >= l->right)
            mpfr_add_ui(u, u, 1, MPFR_RNDN);
        mpfr_div_ui(u, u, c, MPFR_RNDN);
        if (mpfr_sgn(u) < 0)
            mpfr_set_zero(u, 1);
        mpfr_set(left, u, MPFR_RNDN);
        mpfr_set_zero(paid, 1);
        for (size_t k = 0; k < l->count && mpfr_sgn(left) > 0; k++) {
            mpfr_min(part, left, l->height[k], MPFR_RNDN);
            mpfr_sub(left, left, part, MPFR_RNDN);
            mpfr_mul(part, part, l->slope[k], MPFR_RNDN);
            mpfr_add(paid, paid, part, MPFR_RNDN);
        }
        mpfr_mul_2ui(left, left, 100, MPFR_RNDN); /* but for what rounding at 128 bits may add */
        good = good && mpfr_lessequal_p(left, u) != 0;
        if (!good || (c < l->right && mpfr_zero_p(u)))
            break;
    }
    mpfr_mul_ui(paid, paid, l->guesses, MPFR_RNDN);
    good = good && mpfr_lessequal_p(paid, l->lambda) != 0;
    mpfr_clears(u, left, part, paid, (mpfr_ptr)0);
    return good;
}

/* A certificate holds, and with that much of lambda, where it is part of its bound, there is none.
 */
static void check_sharp(layers *l, const layers_goal *goal, double from, double less)
{
    double all = mpfr_get_d(l->lambda, MPFR_RNDN), lambda = all;
    if (!holds(l, from))
        fail_msg("%lu of %lu", l->right, l->guesses);
    for (size_t k = 0; k < goal->count; k++)
        all += goal->leak[k] * mpfr_get_d(l->height[k], MPFR_RNDN);
    mpfr_mul_d(l->lambda, l->lambda, less, MPFR_RNDN);
    if (lambda < 0.99 && lambda > 1e-9 * all)
        assert_false(holds(l, from));
}

static bool is_sharp(layers *l, const layers_goal *goal)
{
    bool some = mpfr_cmp_ui(l->lambda, 1) < 0;
    check_sharp(l, goal, HUGE_VAL, 0.999);
    return some;
}

static double below_100(rng *random)
{
    return (double)rng_below(random, 100);
}

static layers_goal some_goal(rng *random, int i)
{
    unsigned long r = 1 + rng_below(random, i == 30 ? 20000 : i % 10 == 0 ? 600 : 60);
    layers_goal goal = {
        .guesses = r, .right = r - rng_below(random, r / 2 + 1), .count = 1 + rng_below(random, 9)};
    double t = below_100(random) * 0.02 - 0.5, leak = exp(below_100(random) * -0.08);
    for (size_t k = 0; k < goal.count; k++) {
        goal.slope[k] = exp(t);
        goal.leak[k] = leak;
        t += 0.05 + below_100(random) * 0.01;
        leak *= below_100(random) * 0.01;
    }
    return goal;
}

static void test_certificates(void **state)
{
    (void)state;
    rng random = rng_make(12);
    size_t whole = 0;
    for (int i = 0; i < 60; i++) {
        layers_goal goal = some_goal(&random, i);
        layers l;
        layers_init(&l);
        layers_seek(&l, &goal);
        layers_certify(&l);
        whole += is_sharp(&l, &goal);
        layers_clear(&l);
    }
    assert_true(whole > 40);
}

/* Doubles that are rounded otherwise prove nothing: then the weights are made at more digits. */
static void test_other_rounding(void **state)
{
    (void)state;
    rng random = rng_make(13);
    for (int i = 0; i < 40; i++) {
        layers_goal goal = some_goal(&random, i);
        layers l;
        layers_init(&l);
        layers_seek(&l, &goal);
        assert_int_equal(fesetround(FE_UPWARD), 0);
        layers_certify(&l);
        assert_int_equal(fesetround(FE_TONEAREST), 0);
        is_sharp(&l, &goal);
        layers_clear(&l);
    }
}

/* So many guesses that heights come from fewer, to 10^9: slopes from 8 standard deviations below v
 * on, leaks that cost about as much as lambda. The worst place of the rounding is the longest way:
 * with some millionths less of lambda there is no certificate, and with them there is. */
static void test_large(void **state)
{
    (void)state;
    rng random = rng_make(14);
    for (int i = 0; i < rounds(40); i++) {
        double r = i == 0 ? 1e9 : pow(10, 3 + (double)rng_below(&random, 1000) * 0.006),
               v = i == 0 ? 500100000
                          : floor(r *
                                  (0.5 + 0.5 * pow(10, -(double)rng_below(&random, 1000) * 0.004)));
        v = fmin(v, floor(r) - 1);
        double s = sqrt(v / r * (r - v)), t = log(v / (r - v)), a = -8 + below_100(&random) * 0.07,
               leak = pow(10, -below_100(&random) * 0.04) * v / s;
        layers_goal goal = {.guesses = (unsigned long)r,
                            .right = (unsigned long)v,
                            .count = 1 + rng_below(&random, 12)};
        for (size_t k = 0; k < goal.count; k++) {
            goal.slope[k] = exp(t + a / s);
            goal.leak[k] = leak;
            a += 0.05 + below_100(&random) * 0.02;
            leak *= pow(10, -below_100(&random) * 0.01);
        }
        layers l;
        layers_init(&l);
        layers_seek(&l, &goal);
        layers_certify(&l);
        assert_true(mpfr_cmp_ui(l.lambda, 1) < 0);
        check_sharp(&l, &goal, v + 14 * s, 1 - 4e-6);
        layers_clear(&l);
    }
}

/* ---- all mechanisms ---- */

static void test_supremum(void **state)
{
    (void)state;
    static const char *const claim[][4] = {{"0", "0.1", "1", "0.001"},
                                           {"0.5", "0.05", "1.5", "0.02"},
                                           {"0.3", "0.2", "0.8", "0.01"},
                                           {"2", "0.03", "0", "0.3"}};
    double gain = 0;
    for (size_t g = 0; g < 4; g++) {
        const char *const *t = claim[g];
        const double e[] = {exp(strtod(t[0], NULL)), exp(strtod(t[2], NULL))};
        const double delta[] = {strtod(t[1], NULL), strtod(t[3], NULL)};
        for (unsigned long m = 1; m <= 3; m++)
            for (unsigned long r = 1; r <= m && r < 3; r++)
                for (unsigned long v = 1; v <= r; v++) {
                    ask q;
                    ask_open(&q, m, r, v, DP_AUDIT_PROFILE);
                    ask_points(&q, 2, t);
                    double p = answered(&q, "p_value");
                    double best = supremum((int)m, (int)r, (int)v, 2, e, delta);
                    double one = fmin(supremum((int)m, (int)r, (int)v, 1, e, delta),
                                      supremum((int)m, (int)r, (int)v, 1, e + 1, delta + 1));
                    if (p < best - 1e-9 || p > best * 1.001)
                        fail_msg("claim %zu m %lu r %lu v %lu: %.12g, found %.12g", g, m, r, v, p,
                                 best);
                    gain = fmax(gain, one - p);
                    ask_close(&q);
                }
    }
    assert_true(gain > 0.01); /* two points together say more than either */
}

/* Of one point it is the exact row, but for rounding at each place. */
static void test_one_point(void **state)
{
    (void)state;
    static const struct {
        unsigned long m, r, v;
        const char *point[2];
        double over;
    } shape[] = {{1, 1, 1, {"0.5", "1e-3"}, 1e-9},
                 {20, 10, 9, {"0.5", "1e-3"}, 1e-9},
                 {100, 60, 48, {"0.5", "1e-3"}, 1e-9},
                 {50, 50, 45, {"0.5", "1e-3"}, 1e-9},
                 {1000000, 1000000, 503000, {"0.008", "1e-7"}, 1e-8},
                 {1000000000, 1000000000, 500100000, {"0.0002", "1e-7"}, 1e-6},
                 {1000000000, 1000000000, 500100000, {"0.00038", "1e-9"}, 1e-6},
                 {1000000000, 1000000000, 990000000, {"4.5951", "1e-8"}, 1e-6},
                 {1000000000, 1000000000, 990000000, {"4", "1e-4"}, 1e-6},
                 {1000000000, 1000000000, 999999999, {"20.5", "1e-12"}, 1e-6},
                 {1000000000, 1000000000, 1000000000, {"19", "0"}, 1e-6},
                 {1000000000, 1000, 600, {"0.2", "1e-12"}, 1e-9},
                 {1000000000, 1000000000, 1, {"0", "0"}, 1e-9}};
    for (size_t i = 0; i < sizeof shape / sizeof *shape; i++) {
        ask q;
        ask_open(&q, shape[i].m, shape[i].r, shape[i].v, DP_AUDIT_PROFILE);
        ask_points(&q, 1, shape[i].point);
        double p = answered(&q, "p_value");
        assert_int_equal(q.r.check.holds, p <= 0.05 ? DP_NO : DP_YES);
        ask_close(&q);
        ask_open(&q, shape[i].m, shape[i].r, shape[i].v, DP_AUDIT_EXACT);
        number_of(&q.claim, shape[i].point[0]);
        number_of(&q.mu, shape[i].point[1]);
        q.opt.max_epsilon = &q.claim;
        q.a.delta = &q.mu;
        double exact = answered(&q, "p_value");
        if (!(p >= exact * (1 - 1e-9) && p < exact * (1 + shape[i].over)))
            fail_msg("one point, shape %zu: %.15g, exactly %.15g", i, p, exact);
        ask_close(&q);
    }
}

/* ---- Gaussian curves ---- */

static double tail(int k, int n, double p)
{
    double s = 0;
    for (int i = n; i >= k; i--)
        s += exp(lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) + i * log(p) +
                 (n - i) * log1p(-p));
    return s;
}

/* Beside the recursion, and above what canaries that are each its own Gaussian do. */
static void test_gaussian(void **state)
{
    (void)state;
    static const struct {
        unsigned long m, r, v;
        const char *mu;
        double most; /* of the p-value */
    } run[] = {{100000, 100000, 50900, "0.013", 0.0254},
               {100, 100, 66, "0.3", 0.126},
               {100, 100, 80, "1", 0.38},
               {20, 20, 17, "0.7", 0.146},
               {1000, 100, 75, "0.3", 0.072},
               {1000, 1000, 600, "0.3", 0.3484},
               {1, 1, 1, "1", 0.69147}};
    for (size_t i = rounds_are_full() ? 0 : 1; i < sizeof run / sizeof *run; i++) {
        double p[2], mu[2];
        for (int m = 0; m < 2; m++) {
            ask q;
            ask_open(&q, run[i].m, run[i].r, run[i].v, m == 0 ? DP_AUDIT_PROFILE : DP_AUDIT_FDP);
            ask_mu(&q, run[i].mu);
            p[m] = answered(&q, "p_value");
            mu[m] = answered(&q, "mu_lower");
            ask_close(&q);
        }
        assert_true(p[0] < p[1] + 1e-8 && mu[0] >= mu[1] - 1e-8 && p[0] < run[i].most);
        double right = erfc(-strtod(run[i].mu, NULL) / 2 / sqrt(2)) / 2;
        assert_true(p[0] >= tail((int)run[i].v, (int)run[i].r, right) - 1e-12);
    }
}

/* The p-value at the bound is the error probability, or near it: the certificate is another one. */
static void test_bound(void **state)
{
    (void)state;
    ask q;
    ask_open(&q, 40, 30, 26, DP_AUDIT_PROFILE);
    q.a.gdp = true;
    double mu = answered(&q, "mu_lower");
    char text[40];
    snprintf(text, sizeof text, "%.9f", mu);
    ask_mu(&q, text);
    assert_true(fabs(answered(&q, "p_value") - 0.05) < 1e-4);
    snprintf(text, sizeof text, "%.9f", mu * 0.99);
    ask_mu(&q, text);
    assert_true(answered(&q, "p_value") < 0.05 && q.r.check.holds == DP_NO);
    ask_close(&q);
}

static void test_edges(void **state)
{
    (void)state;
    static const char *const far[] = {"700", "0", "1e9", "0.1"}, *const vain[] = {"1", "1"};
    ask q;
    ask_open(&q, 40, 30, 0, DP_AUDIT_PROFILE);
    ask_mu(&q, "1");
    assert_true(answered(&q, "mu_lower") == 0);
    ask_close(&q);
    ask_open(&q, 40, 30, 30, DP_AUDIT_PROFILE);
    ask_points(&q, 2, far); /* beyond e^600 a point is left aside */
    assert_true(answered(&q, "p_value") == 1 && q.r.check.holds == DP_YES);
    ask_points(&q, 1, vain);
    assert_true(answered(&q, "p_value") == 1);
    static const char *const pure[] = {"1", "1e-4", "3", "0"};
    dp_number_set_ui(&q.n, 10000); /* at the slope of delta 0 a lambda that is no double will do */
    dp_number_set_ui(&q.m, 10000);
    dp_number_set_ui(&q.v, 9999);
    ask_points(&q, 2, pure);
    assert_true(answered(&q, "p_value") < 1e-6 && q.r.check.holds == DP_NO);
    q.a.claim_points = 1;
    assert_int_equal(dp_audit_evaluate(&q.r, &q.a, &q.opt, NULL), DP_DOMAIN);
    q.a.claim_points = 0;
    assert_int_equal(dp_audit_evaluate(&q.r, &q.a, &q.opt, NULL), DP_DOMAIN);
    ask_close(&q);
}

/* At the largest counts: an answer always, and soon, the larger the more is claimed; of a small
 * part of the guesses that are canaries too. */
static void test_extremes(void **state)
{
    (void)state;
    static const unsigned long shape[][3] = {{1000000000, 1000000000, 1000000000},
                                             {1000000000, 1000000000, 999999999},
                                             {1000000000, 1000000000, 999000000},
                                             {1000000000, 1000000000, 990000000},
                                             {1000000000, 1000000000, 600000000},
                                             {1000000000, 1000000000, 500100000},
                                             {1000000000, 1000000000, 500030000},
                                             {1000000000, 1000000000, 500000001},
                                             {1000000000, 1000000000, 1},
                                             {1000000000, 1000000, 510000},
                                             {1000000000, 100, 100},
                                             {1000000000, 100, 80},
                                             {1000000000, 1, 1}};
    static const char *const claim[] = {"1e-6", "1e-4", "3e-4", "0.01", "0.3", "1", "3", "8", "50"};
    for (size_t i = 0; i < sizeof shape / sizeof *shape; i++) {
        ask q;
        double last = 0;
        ask_open(&q, shape[i][0], shape[i][1], shape[i][2], DP_AUDIT_PROFILE);
        for (size_t k = 0; k < sizeof claim / sizeof *claim; k++) {
            ask_mu(&q, claim[k]);
            clock_t start = clock();
            double p = answered(&q, "p_value");
            assert_true(clock() - start < 2 * CLOCKS_PER_SEC);
            assert_int_equal(q.r.check.holds, p <= 0.05 ? DP_NO : DP_YES);
            if (!((p >= last * 0.99 || p < 1e-9) && p <= 1))
                fail_msg("shape %zu, mu %s: %.12g after %.12g", i, claim[k], p, last);
            last = p;
        }
        assert_true(last == 1); /* mu = 50 allows all */
        ask_close(&q);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_certificates), cmocka_unit_test(test_other_rounding),
        cmocka_unit_test(test_large),        cmocka_unit_test(test_supremum),
        cmocka_unit_test(test_one_point),    cmocka_unit_test(test_gaussian),
        cmocka_unit_test(test_bound),        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_extremes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
