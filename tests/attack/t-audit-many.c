/* SPDX-License-Identifier: MIT */
/* Plans of many trials: normal bounds beside what they bound, of few trials where all outcomes can
 * be summed, and powers of many that were summed by incomplete beta functions. */
#include "support.h"

#include <math.h>

#include "attack/audit_many.h"
#include "attack/audit_power.h"
#include "num/memory.h"
#include "num/number.h"

/* ---- a plan ---- */

typedef struct planned {
    dp_audit of;
    dp_number x[6];
    audit_in in;
    many m;
} planned;

/* text: claim, delta, confidence, tpr, fpr, power */
static planned *plan(dp_audit_method method, const char *const text[6])
{
    planned *p = memory_zero(1, sizeof *p);
    assert_non_null(p);
    for (int i = 0; i < 6; i++) {
        dp_number_init(&p->x[i]);
        number_of(&p->x[i], text[i]);
    }
    p->of = (dp_audit){.method = method,
                       .confidence = &p->x[2],
                       .tpr = &p->x[3],
                       .fpr = &p->x[4],
                       .power = &p->x[5]};
    p->in = (audit_in){.of = &p->of, .claim = &p->x[0]};
    mpq_inits(p->in.alpha, p->in.delta, p->in.part[0], p->in.part[1], NULL);
    rational_of(p->in.delta, text[1]);
    rational_of(p->in.alpha, text[2]);
    mpq_set_ui(p->in.part[0], 1, 1);
    mpq_sub(p->in.alpha, p->in.part[0], p->in.alpha);
    for (int i = 0; i < 2; i++) {
        mpq_set(p->in.part[i], p->in.alpha);
        mpq_div_2exp(p->in.part[i], p->in.part[i], 1);
    }
    return p;
}

static void drop(planned *p)
{
    mpq_clears(p->in.alpha, p->in.delta, p->in.part[0], p->in.part[1], NULL);
    for (int i = 0; i < 6; i++)
        dp_number_clear(&p->x[i]);
    memory_free(p);
}

/* ---- functions ---- */

/* sign(u - a) sqrt(2 KL(a, u)) with 2200 bits, of two doubles. */
static void root_of(mpfr_t out, double a, double u)
{
    mpfr_t x, y;
    mpfr_init2(x, 2200);
    mpfr_init2(y, 2200);
    mpfr_set_zero(out, 1);
    for (int i = 0; i < 2; i++) {
        mpfr_set_d(x, a, MPFR_RNDN);
        mpfr_set_d(y, u, MPFR_RNDN);
        if (i == 1) {
            mpfr_ui_sub(x, 1, x, MPFR_RNDN);
            mpfr_ui_sub(y, 1, y, MPFR_RNDN);
        }
        if (mpfr_zero_p(x))
            continue;
        mpfr_div(y, x, y, MPFR_RNDN);
        mpfr_log(y, y, MPFR_RNDN);
        mpfr_mul(y, y, x, MPFR_RNDN);
        mpfr_add(out, out, y, MPFR_RNDN);
    }
    mpfr_mul_2ui(out, out, 1, MPFR_RNDN);
    mpfr_sqrt(out, out, MPFR_RNDN);
    if (u < a)
        mpfr_neg(out, out, MPFR_RNDN);
    mpfr_clear(y);
    mpfr_clear(x);
}

static void test_roots(void **state)
{
    (void)state;
    static const double rate[] = {0,   1e-300, 1e-20, 1e-9,          0.001, 0.1,
                                  0.3, 0.5,    0.8,   0.99999999999, 1};
    static const double apart[] = {0, 1e-16, 1e-12, 1e-8, 1e-4, 0.06, 0.24, 0.26, 0.9, 30, 1e9};
    mpfr_t x;
    mpfr_init2(x, 2200);
    int told = 0;
    for (size_t i = 0; i < sizeof rate / sizeof *rate; i++)
        for (size_t j = 0; j < sizeof apart / sizeof *apart; j++)
            for (int sign = -1; sign <= 1; sign += 2) {
                double u = rate[i] > 0 ? rate[i] * (1 + sign * apart[j]) : apart[j];
                if (!(u > 0 && u < 1))
                    continue;
                span s = span_root(rate[i], u);
                root_of(x, rate[i], u);
                assert_true(mpfr_cmp_d(x, s.low) >= 0 && mpfr_cmp_d(x, s.high) <= 0);
                told += s.high - s.low <= 1e-11 * fmax(fabs(s.low), fabs(s.high));
            }
    assert_true(told >= 120);
    static const double edge[][2] = {{0, 1 - 3e-14}, {0, 1 - 1e-14}, {0, 1 - 0x1p-53},
                                     {1, 3e-15},     {1, 1e-300},    {0.5, 1 - 0x1p-53},
                                     {0.5, 1e-300}};
    for (size_t i = 0; i < sizeof edge / sizeof *edge; i++) { /* logarithms end there */
        span s = span_root(edge[i][0], edge[i][1]);
        root_of(x, edge[i][0], edge[i][1]);
        assert_true(mpfr_cmp_d(x, s.low) >= 0 && mpfr_cmp_d(x, s.high) <= 0);
    }
    assert_true(span_root(0.5, 0).low < -1e300 && span_root(0.5, 1).high > 1e300);
    assert_true(span_root(-1, 0.5).low < -1e300 && span_root(NAN, 0.5).high > 1e300);
    mpfr_clear(x);
}

/* ln Phi(-t) at, between and beyond the places. */
static void test_normal(void **state)
{
    (void)state;
    normal *t = memory_zero(1, sizeof *t);
    assert_non_null(t);
    mpfr_t x, root;
    mpfr_init2(x, 200);
    mpfr_init2(root, 200);
    mpfr_sqrt_ui(root, 2, MPFR_RNDN);
    static const double most[] = {3, 8, 30};
    for (size_t i = 0; i < 3; i++) {
        normal_fill(t, most[i]);
        for (int k = -70; k < 420; k++) {
            double at = 0.1 * k;
            mpfr_set_d(x, at, MPFR_RNDN);
            mpfr_div(x, x, root, MPFR_RNDN);
            mpfr_erfc(x, x, MPFR_RNDN);
            mpfr_div_2ui(x, x, 1, MPFR_RNDN);
            mpfr_log(x, x, MPFR_RNDN);
            assert_true(mpfr_cmp_d(x, normal_low(t, at)) >= 0);
            assert_true(mpfr_cmp_d(x, normal_high(t, at)) <= 0);
            if (at > -5.9 && at < most[i]) {
                assert_true(normal_high(t, at) - normal_low(t, at) < 0.006);
                double y = mpfr_get_d(x, MPFR_RNDN);
                assert_true(at < -5 || fabs(normal_guess(t, y) - at) < 1e-6);
            }
        }
        for (int k = 0; k < t->count; k++) /* at places */
            assert_true(t->at[k].high - t->at[k].low < 1e-10 * (1 - t->at[k].low));
    }
    assert_true(normal_low(t, NAN) < -1e300 && normal_high(t, NAN) >= 0);
    assert_true(normal_low(t, HUGE_VAL) < -1e300 && normal_high(t, -HUGE_VAL) >= 0);
    mpfr_clear(root);
    mpfr_clear(x);
    memory_free(t);
}

/* ---- few trials, all outcomes ---- */

/* What the rows themselves say. */
static bool refutes(planned *p, unsigned long n, unsigned long d, unsigned long f)
{
    audit_in own = p->in;
    own.hits = n - d;
    own.alarms = f;
    own.members = own.outsiders = n;
    if (own.of->method != DP_AUDIT_FISHER)
        return audit_rectangle_refutes(&own) == DP_YES;
    dp_figure value;
    wanted want = {64, false};
    dp_figure_init(&value);
    audit_fisher_p(&value, &own, &want);
    bool is = dp_figure_le(&value, own.alpha) == DP_YES;
    dp_figure_clear(&value);
    return is;
}

static void masses(double *at, unsigned long n, double p)
{
    at[0] = 1;
    for (unsigned long i = 0; i < n; i++) {
        at[i + 1] = at[i] * p;
        for (unsigned long k = i; k > 0; k--)
            at[k] = at[k] * (1 - p) + at[k - 1] * p;
        at[0] *= 1 - p;
    }
}

#define MOST 80

/* 1 - power, by all outcomes; and what is told of an outcome is so. */
static double lack_of(planned *p, unsigned long n, int told[2])
{
    many *m = &p->m;
    double missed[MOST + 1], alarmed[MOST + 1], lack = 0, k = (double)n, x;
    masses(missed, n, 1 - mpq_get_d(number_rational(p->of.tpr)));
    masses(alarmed, n, mpq_get_d(number_rational(p->of.fpr)));
    many_set(m, k);
    unsigned long stair = 0; /* what refutes with more misses does with fewer */
    for (unsigned long d = n + 1; d-- > 0;) {
        while (stair <= n && refutes(p, n, d, stair))
            stair++;
        for (unsigned long f = 0; f <= n; f++) {
            bool is = f < stair;
            lack += is ? 0 : missed[d] * alarmed[f];
            if ((m->none[0] && d > 0) || (m->none[1] && f > 0))
                continue;
            double a = (double)d / k * (1 - 1e-15), b = (double)f / k * (1 - 1e-15);
            many_boundary(m, a, -1, &x);
            if (many_spares(m, a, b, x)) {
                assert_false(is);
                told[0]++;
            }
            a = m->none[0] ? 0 : (double)(d + 1) / k * (1 + 1e-15);
            b = m->none[1] ? 0 : (double)(f + 1) / k * (1 + 1e-15);
            many_boundary(m, a, 1, &x);
            if (many_refutes(m, a, b, x)) {
                assert_true(is);
                told[1]++;
            }
        }
    }
    return lack;
}

static const struct {
    dp_audit_method method;
    const char *text[6];
} few[] = {
    {DP_AUDIT_CP, {"0.5", "0", "0.8", "0.95", "0.1", "0.8"}},
    {DP_AUDIT_CP, {"1", "0", "0.95", "0.9", "0.1", "0.9"}},
    {DP_AUDIT_CP, {"0.3", "0.01", "0.9", "0.5", "0", "0.7"}},
    {DP_AUDIT_CP, {"0.6", "0.05", "0.7", "1", "0.45", "0.6"}},
    {DP_AUDIT_CP, {"0", "0", "0.99", "0.9", "0.3", "0.999"}},
    {DP_AUDIT_FISHER, {"1", "0", "0.95", "0.9", "0.1", "0.9"}},
    {DP_AUDIT_FISHER, {"0.5", "0.05", "0.9", "0.9", "0.05", "0.8"}},
    {DP_AUDIT_FISHER, {"1", "0", "0.95", "1", "0.2", "0.8"}},
    {DP_AUDIT_FISHER, {"1", "0", "0.95", "0.6", "0", "0.8"}},
    {DP_AUDIT_FISHER, {"0", "0", "0.95", "0.7", "0.3", "0.5"}},
};

/* Bounds of the power of n hold, and that from above of its lack for all more. */
static void test_few(void **state)
{
    (void)state;
    unsigned long numbers[] = {5, 13, 27, 34, 40, 54, 68, 80};
    for (size_t i = 0; i < sizeof few / sizeof *few; i++) {
        planned *p = plan(few[i].method, few[i].text);
        assert_true(many_init(&p->m, &p->in, false));
        int told[2] = {0, 0}, useful = 0;
        double most = 1;
        for (size_t j = 0; j < (rounds_are_full() ? 8 : 5); j++) {
            double n = (double)numbers[j], lack = lack_of(p, numbers[j], told);
            for (int fine = 0; fine < 2; fine++) {
                double up = many_lack_most(&p->m, n, fine == 0 ? 0.05 : 0.4);
                assert_true(many_lack_least(&p->m, n, fine == 0 ? 0.05 : 0.4) <= lack + 1e-12);
                assert_true(up >= lack - 1e-12);
                most = fmin(most, up);
                useful += up < 1;
            }
            assert_true(most >= lack - 1e-12); /* proved of fewer */
        }
        assert_true(!rounds_are_full() || (told[0] > 0 && told[1] > 0 && useful > 0));
        drop(p);
    }
}

/* 1 - power where the rarer kind has few counts: that of each, and how many of the other refute. */
static double rare_lack(planned *p, unsigned long n, bool turned)
{
    double rate[2] = {1 - mpq_get_d(number_rational(p->of.tpr)),
                      mpq_get_d(number_rational(p->of.fpr))};
    double rare = rate[turned ? 1 : 0], other = rate[turned ? 0 : 1], lack = 0;
    static double mass[4000];
    double k = (double)n;
    for (unsigned long f = 0; f <= n; f++)
        mass[f] = exp(lgamma(k + 1) - lgamma((double)f + 1) - lgamma(k - (double)f + 1) +
                      (double)f * log(other) + (k - (double)f) * log1p(-other));
    unsigned long last = n + 1, counts = (unsigned long)(k * rare + 8 * sqrt(k * rare) + 10);
    for (unsigned long d = 0; d < counts; d++) {
        unsigned long low = 0, high = last;
        while (low < high) { /* the number of those that refute */
            unsigned long f = high - low > 64 && d > 0 ? high - 32 : (low + high) / 2;
            bool is = turned ? refutes(p, n, f, d) : refutes(p, n, d, f);
            *(is ? &low : &high) = is ? f + 1 : f;
        }
        last = low; /* with more misses there are less of them */
        double beyond = 0;
        for (unsigned long f = low; f <= n; f++)
            beyond += mass[f];
        lack += beyond * exp(lgamma(k + 1) - lgamma((double)d + 1) - lgamma(k - (double)d + 1) +
                             (double)d * log(rare) + (k - (double)d) * log1p(-rare));
    }
    return lack; /* without more counts: less than 1e-9 */
}

static void test_rare(void **state)
{
    (void)state;
    static const struct {
        dp_audit_method method;
        bool turned;
        const char *text[6];
    } rare[] = {
        {DP_AUDIT_CP, true, {"3", "0", "0.95", "0.5", "0.01", "0.9"}},
        {DP_AUDIT_CP, false, {"3", "0", "0.95", "0.99", "0.6", "0.9"}},
        {DP_AUDIT_CP, true, {"2", "0.1", "0.9", "0.3", "0.003", "0.9"}},
        {DP_AUDIT_FISHER, true, {"3", "0", "0.95", "0.5", "0.01", "0.9"}},
        {DP_AUDIT_FISHER, false, {"3", "0.001", "0.95", "0.99", "0.6", "0.9"}},
        {DP_AUDIT_FISHER, true, {"4", "0", "0.95", "0.4", "0.001", "0.9"}},
    };
    for (size_t i = 0; i < sizeof rare / sizeof *rare; i++) {
        planned *p = plan(rare[i].method, rare[i].text);
        assert_true(many_init(&p->m, &p->in, rare[i].turned));
        for (unsigned long n = 420; n <= (rounds_are_full() ? 1000 : 500); n += 290) {
            unsigned long more[] = {n, n + 40};
            double k = (double)n, lack = rare_lack(p, n, rare[i].turned), most = 0;
            double least = rare_lack_least(&p->m, k);
            assert_true(least <= lack + 1e-9);
            for (int j = 0; j < 2; j++) {
                most = fmax(most, rare_lack(p, more[j], rare[i].turned));
                assert_true(rare_lack_most(&p->m, k, (double)more[j]) >= most - 1e-9);
            }
            assert_true(lack < 1e-3 || lack > 0.9 || least > lack / 2);
        }
        assert_false(rare_fits(&p->m, 100));
        assert_false(rare_fits(&p->m, 1e8));
        drop(p);
    }
}

/* ---- plans ---- */

static const dp_options *no_options(void)
{
    static dp_options opt;
    opt = dp_options_default();
    return &opt;
}

static many_bounds bounds_of(planned *p)
{
    many_bounds b;
    power *of = power_new(&p->in, no_options());
    assert_non_null(of);
    assert_true(many_bound(&b, &p->in, of, 0));
    power_free(of);
    return b;
}

/* Beside the least numbers, by each count from twice as many down. */
static void test_least(void **state)
{
    (void)state;
    static const struct {
        dp_audit_method method;
        const char *text[6];
        unsigned long n;
        double within;
    } known[] = {
        {DP_AUDIT_CP, {"1", "0", "0.95", "0.9", "0.1", "0.9"}, 43, 3},
        {DP_AUDIT_FISHER, {"1", "0", "0.95", "0.7", "0.1", "0.9"}, 78, 3},
        {DP_AUDIT_FISHER, {"0.5", "0.01", "0.99", "0.294", "0.01", "0.99"}, 97, 9},
        {DP_AUDIT_FISHER, {"1", "0", "0.999999", "0.429", "0.05", "0.5"}, 275, 2},
        {DP_AUDIT_FISHER, {"2", "0", "0.9", "0.038", "0.001", "0.5"}, 911, 9},
        {DP_AUDIT_FISHER, {"1", "0", "0.95", "0.5", "0.16", "0.9"}, 3227, 1.2},
        {DP_AUDIT_CP, {"3", "0", "0.999999", "0.077", "0", "0.99999"}, 6002, 1.25},
        {DP_AUDIT_CP, {"1", "0", "0.95", "0.5", "0.17", "0.9"}, 14065, 1.06},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        planned *p = plan(known[i].method, known[i].text);
        many_bounds b = bounds_of(p);
        assert_true(b.few < known[i].n && b.enough >= known[i].n);
        assert_true((double)b.enough <= known[i].within * (double)known[i].n);
        if (known[i].within < 1.5)
            assert_true((double)b.few * known[i].within >= (double)known[i].n);
        drop(p);
    }
}

/* Powers of the rectangle by incomplete beta functions: 0.899976 of 178600, 0.513967 of 1634162,
 * 0.971749 of 3538476; of those 0.898980 of 2715000, 0.941530 of 2718000. */
static void test_large(void **state)
{
    (void)state;
    static const char *const text[] = {"1", "0", "0.95", "0.5", "0.18", "0.9"};
    planned *p = plan(DP_AUDIT_CP, text);
    assert_true(many_init(&p->m, &p->in, false));
    double least = many_lack_least(&p->m, 178600, 0.02), most = many_lack_most(&p->m, 178600, 0.02);
    assert_true(least < 0.100025 && least > 0.095 && most > 0.100023 && most < 0.105);
    many_bounds b = bounds_of(p);
    assert_in_range(b.few, 175000, 178600);
    assert_in_range(b.enough, 178600, 182000);
    drop(p);
    static const char *const corner[] = {"2", "0", "0.95", "0.881", "0.119", "0.9"};
    p = plan(DP_AUDIT_FISHER, corner); /* at both sides of the curve */
    b = bounds_of(p);
    assert_true(b.few > 11000000 && (double)b.enough < 1.03 * (double)b.few);
    drop(p);
    static const char *const rare[] = {"12", "0", "0.95", "0.7", "1e-6", "0.9"};
    p = plan(DP_AUDIT_CP, rare);
    assert_true(many_init(&p->m, &p->in, false));
    assert_true(many_lack_least(&p->m, 1634162, 0.02) <= 1 - 0.513966);
    assert_true(many_lack_most(&p->m, 1634162, 0.02) >= 1 - 0.513968);
    assert_true(many_lack_least(&p->m, 3538476, 0.02) <= 1 - 0.971748);
    assert_true(many_lack_most(&p->m, 3538476, 0.02) >= 1 - 0.971750);
    b = bounds_of(p);
    assert_in_range(b.few, 2700000, 2718000);
    assert_in_range(b.enough, 2715001, 2730000);
    assert_true(many_init(&p->m, &p->in, true));
    least = rare_lack_least(&p->m, 2718000);
    most = rare_lack_most(&p->m, 2718000, 2718000);
    assert_true(least <= 1 - 0.941529 && least > 0.055 && most >= 1 - 0.941531 && most < 0.08);
    drop(p);
}

/* At the ends of what may be asked: what is told is in order, or nothing is. */
static void test_ends(void **state)
{
    (void)state;
    static const char *const text[][6] = {
        {"0", "0", "0.95", "0.5", "0.4999", "0.9"},
        {"0", "0", "0.95", "0.5", "0.49999", "0.9"},
        {"20", "0", "0.95", "1", "1e-12", "0.9"},
        {"15", "0", "0.95", "1", "1e-12", "0.9"},
        {"5", "0", "0.95", "0.3", "0.0019", "0.999999"},
        {"5", "0", "0.95", "1", "0.0019", "0.9"},
        {"1", "1e-9", "0.999999999999", "0.9", "0.3", "0.999999999999"},
        {"1", "0.5", "0.95", "0.99", "0.15", "0.9"},
        {"1", "0", "0.95", "0.999999999999", "0.36", "0.9"},
        {"1", "0", "0.95", "0.5", "0.18", "0.001"},
    };
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        for (int method = 0; method < 2; method++) {
            planned *p = plan(method == 0 ? DP_AUDIT_CP : DP_AUDIT_FISHER, text[i]);
            many_bounds b = bounds_of(p);
            assert_true(b.few < b.enough || (b.few == 0 && b.enough == 0));
            drop(p);
        }
    static const char *const none[] = {"1", "0", "0.3", "0.9", "0.1", "0.9"}; /* 0 refutes not */
    planned *p = plan(DP_AUDIT_FISHER, none);
    assert_false(many_init(&p->m, &p->in, false));
    drop(p);
}

/* Beyond the places that are looked at all is short of what refutes. */
static void test_rare_end(void **state)
{
    (void)state;
    planned *p = plan(DP_AUDIT_CP,
                      (const char *const[]){"5.442", "0", "0.8", "0.9980037", "0.5641", "0.05"});
    assert_true(many_init(&p->m, &p->in, false));
    double lack = rare_lack(p, 3313, false);
    assert_true(lack > 0.960572 && rare_lack_most(&p->m, 3313, 3313) >= lack - 1e-12);
    drop(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_roots), cmocka_unit_test(test_normal),   cmocka_unit_test(test_few),
        cmocka_unit_test(test_least), cmocka_unit_test(test_large),    cmocka_unit_test(test_ends),
        cmocka_unit_test(test_rare),  cmocka_unit_test(test_rare_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
