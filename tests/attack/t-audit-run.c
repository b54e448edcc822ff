/* SPDX-License-Identifier: MIT */
/* One run: the recursion over counts beside reference values and the exact row, adaptive numbers of
 * guesses and the published form beside sums in doubles. */
#include "one-run.h"

#include <math.h>

#include "attack/audit.h"

/* onerun_fdp_mass-01 and onerun_fdp_mass-03 of the shared values, 30 digits. */
static void test_mass(void **state)
{
    (void)state;
    static const struct {
        unsigned long m, v;
        const char *mu, *tau, *mass;
    } known[] = {
        {20, 18, "0.7", "0.05", "0.154739872518739730169951379207"},
        {100, 80, "1", "0.01", "0.01"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        dp_audit q = {.gdp = true};
        dp_number mu;
        mpq_t tau, mass, half;
        mpfi_t out;
        dp_number_init(&mu);
        mpq_inits(tau, mass, half, NULL);
        mpfi_init2(out, 160);
        number_of(&mu, known[i].mu);
        rational_of(tau, known[i].tau);
        rational_of(mass, known[i].mass);
        rational_of(half, "5e-31");
        audit_in in = {.of = &q,
                       .hits = known[i].v,
                       .members = known[i].m,
                       .canaries = known[i].m,
                       .claim = &mu};
        mpq_init(in.delta);
        audit_fdp_mass(out, &in, tau);
        mpfi_sub_q(out, out, mass);
        assert_true(mpfr_cmp_q(&out->left, half) <= 0);
        mpq_neg(half, half);
        assert_true(mpfr_cmp_q(&out->right, half) >= 0);
        assert_true(mpfr_cmp_d(&out->right, 1e-28) < 0);
        mpq_clear(in.delta);
        mpfi_clear(out);
        mpq_clears(tau, mass, half, NULL);
        dp_number_clear(&mu);
    }
}

/* N by series for Phi meets N by one error function each, at a precision beyond theirs, and is as
 * narrow as its bits; over a range of mu and of starts. */
static void test_series(void **state)
{
    (void)state;
    static const char *const mus[] = {"1e-9", "0.2", "1", "2.5"}, *const taus[] = {"1e-9", "0.3"};
    for (size_t i = 0; i < 8; i++) {
        dp_audit q = {.gdp = true};
        dp_number mu;
        mpq_t tau;
        mpfi_t few, many;
        dp_number_init(&mu);
        mpq_init(tau);
        mpfi_init2(few, 160);
        mpfi_init2(many, 800);
        number_of(&mu, mus[i % 4]);
        rational_of(tau, taus[i / 4]);
        audit_in in = {.of = &q, .hits = 56, .members = 60, .canaries = 70, .claim = &mu};
        mpq_init(in.delta);
        audit_fdp_mass(few, &in, tau);
        audit_fdp_mass(many, &in, tau);
        assert_true(mpfr_lessequal_p(&few->left, &many->right));
        assert_true(mpfr_lessequal_p(&many->left, &few->right));
        mpfi_sub(many, few, many);
        assert_true(mpfr_cmp_ui_2exp(&many->right, 1, -90) < 0);
        mpq_clear(in.delta);
        mpfi_clear(many);
        mpfi_clear(few);
        mpq_clear(tau);
        dp_number_clear(&mu);
    }
}

/* The recursion uses threshold events alone: of (epsilon, delta) it is weaker than the exact row,
 * and at m = 1 the same. */
static void test_weaker(void **state)
{
    (void)state;
    static const unsigned long shape[][3] = {{1, 1, 1}, {20, 10, 9}, {50, 20, 14}, {100, 60, 55}};
    for (size_t i = 0; i < sizeof shape / sizeof *shape; i++) {
        const unsigned long *s = shape[i];
        double exact = p_value(s[0], s[1], s[2], "1e-3", "0.5", DP_AUDIT_EXACT);
        double weak = p_value(s[0], s[1], s[2], "1e-3", "0.5", DP_AUDIT_FDP);
        assert_true(weak >= exact - 1e-9);
        if (s[0] == 1)
            assert_true(fabs(weak - exact) < 1e-9);
    }
}

/* 100 canaries, each its own Gaussian with mu 0.3, 66 right: the true tail is 0.026, the bound
 * 0.164. */
static void test_loose(void **state)
{
    (void)state;
    run q;
    run_open(&q, 100, 100, 66, "0", "0.3", DP_AUDIT_FDP);
    q.a.gdp = true;
    q.a.mu = &q.claim;
    assert_true(fabs(answered(&q, "p_value") - 0.164) < 0.0005);
    assert_true(answered(&q, "mu_lower") < 0.3);
    run_close(&q);
}

static double mass(int k, int n, double q);
static double tail(int k, int n, double q);

/* The published form beside its maximum over all i, wherever the mean of the count is; and of
 * counts over which no sum is taken one by one. */
static void test_published(void **state)
{
    (void)state;
    static const struct {
        int r, v;
        const char *claim;
    } at[] = {{60, 1, "0"}, {60, 60, "0"}, {60, 45, "0.3"}, {60, 31, "1"}, {120, 70, "0"}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        run q;
        double p = 1 / (1 + exp(-strtod(at[i].claim, NULL))), sum = 0, most = 0;
        for (int k = 1; k <= at[i].v; k++) {
            sum += mass(at[i].v - k, at[i].r, p);
            most = fmax(most, sum / k);
        }
        run_open(&q, 200, (unsigned long)at[i].r, (unsigned long)at[i].v, "1e-3", at[i].claim,
                 DP_AUDIT_2023);
        q.opt.max_epsilon = &q.claim;
        answered(&q, "p_value");
        const dp_figure *f = row_of(&q.r, "onerun-2023", "p_value");
        double level = fmin(1, tail(at[i].v, at[i].r, p) + 2 * 200 * 1e-3 * most);
        assert_true(fabs(dp_figure_double(f, DP_UPPER, 10) - level) < 1e-9);
        run_close(&q);
    }
    run q;
    run_open(&q, 1000000000, 1000000000, 600000000, "1e-9", "0.4", DP_AUDIT_2023);
    answered(&q, "epsilon_lower");
    const dp_figure *f = row_of(&q.r, "onerun-2023", "epsilon_lower");
    assert_true(fabs(dp_figure_double(f, DP_LOWER, 10) - 0.4053589070) < 1e-9);
    assert_int_equal(q.r.met, 0);
    run_close(&q);
}

/* ---- guesses of two kinds ---- */

/* Pr[at least v right], one guess after another. */
static double both_tail(int in, int out, int v, double p, double q)
{
    double at[64] = {1};
    for (int i = 0; i < in + out; i++)
        for (int c = i + 1; c >= 0; c--)
            at[c] = at[c] * (1 - (i < in ? p : q)) + (c > 0 ? at[c - 1] * (i < in ? p : q) : 0);
    double sum = 0;
    for (int c = v; c <= in + out; c++)
        sum += at[c];
    return sum;
}

static void test_inclusion(void **state)
{
    (void)state;
    double e = exp(0.6), right = 0.3 * e / (0.3 * e + 0.7), other = 0.7 * e / (0.7 * e + 0.3);
    dp_number rho, in;
    dp_number_init(&rho);
    dp_number_init(&in);
    number_of(&rho, "0.3");
    for (unsigned long r = 1; r <= 40; r = 2 * r + 1)
        for (unsigned long k = 0; k <= r; k += 1 + r / 4)
            for (unsigned long v = 1; v <= r; v += 1 + r / 3) {
                run q;
                run_open(&q, 50, r, v, "0", "0.6", DP_AUDIT_BY_DESIGN);
                dp_number_set_ui(&in, k);
                q.a.inclusion = &rho;
                q.a.said_in = &in;
                q.opt.max_epsilon = &q.claim;
                double p = answered(&q, "p_value");
                assert_true(fabs(p - both_tail((int)k, (int)(r - k), (int)v, right, other)) < 1e-9);
                assert_int_equal(q.r.row[0].verdict, DP_EXACT);
                assert_int_equal(answered(&q, "epsilon_lower") >= 0.6, p <= 0.05);
                run_close(&q);
            }
    /* one guess of each kind at odds 7/3: 1/2 and 49/58 right, and both of them 49/116; a tie */
    run q;
    run_open(&q, 2, 2, 2, "0", "ln(7/3)", DP_AUDIT_BY_DESIGN);
    dp_number_set_ui(&in, 1);
    q.a.inclusion = &rho;
    q.a.said_in = &in;
    q.opt.max_epsilon = &q.claim;
    number_of(&q.confidence, "67/116");
    answered(&q, "p_value");
    assert_int_equal(q.r.check.holds, DP_NO);
    number_of(&q.confidence, "68/116");
    answered(&q, "p_value");
    assert_int_equal(q.r.check.holds, DP_YES);
    run_close(&q);
    dp_number_clear(&in);
    dp_number_clear(&rho);
}

/* ---- adaptive numbers of guesses ---- */

static double mass(int k, int n, double q)
{
    double c = 1;
    for (int i = 0; i < k; i++)
        c = c * (n - i) / (i + 1);
    return c * pow(q, k) * pow(1 - q, n - k);
}

static double tail(int k, int n, double q)
{
    double s = 0;
    for (int i = n; i >= k; i--)
        s += mass(i, n, q);
    return s;
}

static double adaptive_level(int m, int r, int w, double reference, double epsilon, double delta)
{
    double q0 = 1 / (1 + exp(-reference)), q = 1 / (1 + exp(-epsilon)), most = 0, best = 0;
    double score = tail(w, r, q0) * (1 + 1e-12);
    for (int n = 1; n <= m; n++) {
        int v = 1;
        while (v <= n && tail(v, n, q0) > score)
            v++;
        if (v > n)
            continue;
        most = fmax(most, tail(v, n, q));
        best = fmax(best, tail(v, n, q) / (v * mass(v, n, q)));
    }
    return fmin(1, most + m * delta * (1 - most) * best);
}

static void test_adaptive(void **state)
{
    (void)state;
    for (int r = 1; r <= 9; r++)
        for (int w = 1; w <= r; w += 1 + r / 4) {
            double p =
                p_value(9, (unsigned long)r, (unsigned long)w, "0.002", "0.7", DP_AUDIT_ADAPTIVE);
            assert_true(fabs(p - adaptive_level(9, r, w, 0.7, 0.7, 0.002)) < 1e-8);
        }
    assert_int_equal(dp_theorem_find("onerun-adaptive")->verdict, DP_EXACT);
    double exact = p_value(60, 40, 36, "1e-4", "0.7", DP_AUDIT_EXACT);
    double free = p_value(60, 40, 36, "1e-4", "0.7", DP_AUDIT_ADAPTIVE);
    assert_true(free > exact && fabs(free - adaptive_level(60, 40, 36, 0.7, 0.7, 1e-4)) < 1e-8);
}

static void parts(audit_in *in, void (*f)(mpq_ptr))
{
    mpq_ptr all[] = {in->alpha, in->part[0], in->part[1], in->delta, in->inclusion, in->included};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        f(all[i]);
}

/* What was enclosed is taken again where the bits suffice, rounded outwards: of other counts it is
 * not asked. */
static void test_kept(void **state)
{
    (void)state;
    audit_limits kept;
    audit_in in = {.hits = 60, .members = 100, .alarms = 20, .outsiders = 100, .limits = &kept};
    audit_limits_init(&kept);
    parts(&in, mpq_init);
    rational_of(in.alpha, "1/20");
    rational_of(in.part[0], "1/40");
    rational_of(in.part[1], "1/40");
    static const audit_rate rates[] = {AUDIT_RATE_TRUE, AUDIT_RATE_FALSE, AUDIT_RATE_RIGHT};
    for (size_t i = 0; i < 6; i++) {
        share most, less;
        share_init(&most, 200);
        share_init(&less, 100);
        in.hits = 60;
        in.alarms = 20;
        in.sidak = i >= 3;
        audit_limit(&most, &in, rates[i % 3]);
        in.hits = in.alarms = 50;
        audit_limit(&less, &in, rates[i % 3]);
        assert_true(mpfi_is_inside(most.yes, less.yes) && mpfi_is_inside(most.no, less.no));
        assert_int_equal(kept.kept, i + 1);
        share_clear(&less);
        share_clear(&most);
    }
    share anew, own;
    share_init(&anew, 300);
    share_init(&own, 300);
    audit_limit(&anew, &in, AUDIT_RATE_RIGHT);
    in.limits = NULL;
    audit_limit(&own, &in, AUDIT_RATE_RIGHT);
    assert_true(mpfi_is_inside(own.yes, anew.yes));
    assert_int_equal(kept.kept, 6);
    share_clear(&own);
    share_clear(&anew);
    parts(&in, mpq_clear);
    audit_limits_clear(&kept);
}

/* Thirty digits are told by one search for the root, not by one after another. */
static void test_narrow(void **state)
{
    (void)state;
    static const bound_eval evals[] = {audit_eval_run, audit_eval_adaptive, audit_eval_fdp,
                                       audit_eval_inclusion};
    const wanted want = {129, false};
    dp_audit q = {.one_run = true};
    audit_in in = {.of = &q, .hits = 170, .members = 200, .canaries = 200, .said_in = 120};
    parts(&in, mpq_init);
    rational_of(in.alpha, "1/20");
    rational_of(in.delta, "1e-6");
    rational_of(in.included, "3/10");
    rational_of(in.inclusion, "1/2");
    for (size_t i = 0; i < sizeof evals / sizeof *evals; i++) {
        dp_figure x;
        mpfr_t wide;
        dp_figure_init(&x);
        mpfr_init2(wide, 32);
        assert_int_equal(evals[i](&x, &in, &want), DP_OK);
        assert_int_equal(x.kind, DP_ENCLOSED);
        mpfr_sub(wide, &x.enclosure->right, &x.enclosure->left, MPFR_RNDU);
        assert_true(mpfr_get_exp(wide) < mpfr_get_exp(&x.enclosure->left) - 108);
        mpfr_clear(wide);
        dp_figure_clear(&x);
    }
    parts(&in, mpq_clear);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mass),      cmocka_unit_test(test_series),
        cmocka_unit_test(test_published), cmocka_unit_test(test_weaker),
        cmocka_unit_test(test_loose),     cmocka_unit_test(test_adaptive),
        cmocka_unit_test(test_inclusion), cmocka_unit_test(test_kept),
        cmocka_unit_test(test_narrow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
