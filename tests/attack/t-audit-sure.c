/* SPDX-License-Identifier: MIT */
/* Tails and decisions in doubles with a bound, beside enclosures. */
#include "support.h"

#include <math.h>

#include "attack/audit_sure.h"
#include "num/ival.h"

static void holds(const sure *s, const mpfi_t truth, const char *what)
{
    mpfi_t range;
    mpfi_init2(range, 160);
    mpfi_set_d(range, s->x);
    mpfr_sub_d(&range->left, &range->left, s->off, MPFR_RNDD);
    mpfr_add_d(&range->right, &range->right, s->off, MPFR_RNDU);
    if (isfinite(s->off) && !mpfi_is_inside(truth, range))
        fail_msg("%s %.17g is off by more than %.3g", what, s->x, s->off);
    mpfi_clear(range);
}

static void test_log(void **state)
{
    (void)state;
    rng r = rng_make(71);
    mpfi_t x;
    mpfi_init2(x, 200);
    for (int i = 0; i < rounds(2000); i++) {
        double at = ldexp(1 + (double)rng_below(&r, 1000000007) / 1000000007,
                          (int)rng_below(&r, 200) - 150);
        if (i % 3 == 0)
            at = 1 + ldexp((double)rng_below(&r, 1000) - 500, -(int)rng_below(&r, 40) - 12);
        sure s = sure_log(at, 0);
        mpfi_set_d(x, at);
        mpfi_log(x, x);
        holds(&s, x, "log");
        assert_true(s.off < 1e-12);
    }
    mpfi_clear(x);
}

/* Counts of up to 40000 trials, rates of all sizes, next to the mean and far from it: what is said
 * to be off is enough, and is little where the tail is no less than e^-500. */
static void test_tail(void **state)
{
    (void)state;
    rng r = rng_make(72);
    mpq_t rate;
    share p, tail;
    mpfi_t x, mass, slope;
    mpq_init(rate);
    share_init(&p, 256);
    share_init(&tail, 200);
    mpfi_t *all[] = {&x, &mass, &slope};
    for (size_t i = 0; i < 3; i++)
        mpfi_init2(*all[i], 200);
    int told = 0, count = rounds(1500);
    for (int i = 0; i < count; i++) {
        unsigned long n = 1 + rng_below(&r, i % 2 == 0 ? 40000 : 60);
        double yes =
            ldexp((double)(1 + rng_below(&r, 1023)), -10 - (int)rng_below(&r, 12) * (i % 3 == 0));
        double mean = (double)n * yes, wide = sqrt(mean * (1 - yes)) * 12 + 3;
        double at = mean + wide * ((double)rng_below(&r, 2001) / 1000 - 1);
        unsigned long k = at < 0 ? 0 : at > (double)n ? n : (unsigned long)at;
        sure_rate rates = {yes, 1 - yes, 0, 0};
        sure log_tail, gives;
        mpq_set_d(rate, yes);
        share_set_q(&p, rate);
        binomial_tail(&tail, mass, k, n, &p);
        mpfi_log(x, tail.yes);
        mpfi_div(slope, mass, tail.yes);
        mpfi_mul(slope, slope, p.no);
        mpfi_mul_ui(slope, slope, k);
        sure_tail(&log_tail, &gives, k, n, &rates);
        holds(&log_tail, x, "tail");
        holds(&gives, slope, "slope");
        told += log_tail.off < 1e-8 * (1 + fabs(log_tail.x)) && gives.off <= 1e-7 * (1 + gives.x);
        /* a rate that is off by its share moves the tail by no more than is said */
        sure_rate near = {yes * (1 + 1e-9), 1 - yes * (1 + 1e-9), 2e-9,
                          2e-9 * yes / (1 - yes) + 1e-15};
        sure_tail(&log_tail, &gives, k, n, &near);
        holds(&log_tail, x, "tail of a rate that is off");
        holds(&gives, slope, "slope of a rate that is off");
    }
    assert_true(told > count * 9 / 10);
    for (size_t i = 0; i < 3; i++)
        mpfi_clear(*all[i]);
    share_clear(&tail);
    share_clear(&p);
    mpq_clear(rate);
}

/* From near the top it is found, and from elsewhere the same one is. */
static void check_top(const audit_top *top, bool inside, const audit_in *in)
{
    const audit_top starts[] = {{top->second, top->w * 1.01},
                                {top->second, top->w - 0.1},
                                {!top->second, top->w * 0.99},
                                {!top->second, -1}};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        audit_top other = starts[i];
        audit_side side;
        assert_true(audit_fisher_place(&other, &side, in) == inside);
        if (!inside || top->w <= AUDIT_LOWEST)
            continue;
        assert_true(other.second == top->second);
        if (!(fabs(audit_slope(&side, other.w)) <= 0.01))
            fail_msg("the top is at %g, not %g", other.w, top->w);
    }
}

static dp_decision by_product(dp_decision *truth, const sure_claim *c, const audit_in *in)
{
    audit_side side;
    audit_top top = {false, 0};
    wanted want = {128, false};
    dp_figure value;
    dp_figure_init(&value);
    audit_fisher_p(&value, in, &want);
    *truth = dp_figure_le(&value, in->alpha);
    dp_figure_clear(&value);
    bool inside = audit_fisher_place(&top, &side, in);
    check_top(&top, inside, in);
    static const double by[] = {1, 0.9, 1.1, 1.001};
    for (size_t k = 0; k < 4; k++) { /* and at no other place it is told wrong */
        dp_decision other = sure_product(c, in, inside && k > 0 ? &side : NULL, top.w * by[k]);
        assert_true(other == DP_UNKNOWN || other == *truth);
    }
    return sure_product(c, in, inside ? &side : NULL, top.w);
}

static dp_decision by_rectangle(dp_decision *truth, const sure_claim *c, const audit_in *in)
{
    double level[2];
    unsigned long k[2] = {in->hits, in->outsiders - in->alarms};
    audit_rectangle_levels(level, in);
    double at[2] = {audit_rectangle_limit(in, level, 0, NAN),
                    -audit_rectangle_limit(in, level, 1, NAN)};
    *truth = audit_rectangle_refutes(in);
    for (int i = 0; i < 2; i++) { /* limits that are not where they are said to be */
        assert_false(sure_limit_of(c, k[i], in->members, i, at[i] + 0.3).told[0]);
        assert_false(sure_limit_of(c, k[i], in->members, i, at[i] - 0.3).told[1]);
    }
    sure_limit y = sure_limit_of(c, k[0], in->members, 0, at[0]);
    sure_limit pass = sure_limit_of(c, k[1], in->members, 1, at[1]);
    return sure_rectangle(c, &y, &pass);
}

/* What is told is what the p-value, or the rectangle, says, and most is told. */
static void decide(dp_audit_method method, unsigned long n, const char *epsilon, const char *delta)
{
    dp_audit q = {.method = method};
    dp_number claim;
    dp_number_init(&claim);
    number_of(&claim, epsilon);
    audit_in in = {.of = &q, .members = n, .outsiders = n, .claim = &claim};
    mpq_inits(in.alpha, in.delta, in.part[0], in.part[1], NULL);
    rational_of(in.alpha, "0.05");
    rational_of(in.part[0], "0.025");
    rational_of(in.part[1], "0.025");
    rational_of(in.delta, delta);
    in.sidak = method == DP_AUDIT_SIDAK;
    sure_claim c;
    sure_claim_set(&c, &in);
    unsigned told[3] = {0, 0, 0};
    for (in.hits = 1; in.hits <= n; in.hits += n / 14)
        for (in.alarms = 0; in.alarms < n; in.alarms += n / 14) {
            dp_decision truth,
                is = (method == DP_AUDIT_FISHER ? by_product : by_rectangle)(&truth, &c, &in);
            if (is != DP_UNKNOWN && is != truth)
                fail_msg("%lu of %lu, %lu: %d is not %d", in.hits, n, in.alarms, is, truth);
            told[is == DP_YES ? 0 : is == DP_NO ? 1 : 2]++;
        }
    assert_true(told[0] > 0 && told[1] > 0 && (told[2] == 0 || n > 100));
    mpq_clears(in.alpha, in.delta, in.part[0], in.part[1], NULL);
    dp_number_clear(&claim);
}

static void test_decisions(void **state)
{
    (void)state;
    static const dp_audit_method methods[] = {DP_AUDIT_FISHER, DP_AUDIT_CP, DP_AUDIT_SIDAK};
    for (size_t i = 0; i < 3; i++) {
        decide(methods[i], 14, "0.5", "0");
        decide(methods[i], 14, "0.2", "0.05");
        decide(methods[i], 400, "1", "1e-5");
        decide(methods[i], 3000, "0.1", "0.01");
        decide(methods[i], 20000, "2", "0");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_log),
        cmocka_unit_test(test_tail),
        cmocka_unit_test(test_decisions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
