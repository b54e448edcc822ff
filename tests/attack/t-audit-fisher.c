/* SPDX-License-Identifier: MIT */
/* audit-fisher where the worst point of the curve is at an end, at a corner that is none, or where
 * both tails are next to 1. */
#include "support.h"

#include "alarms.h"

#include <math.h>
#include <string.h>

/* An audit of small counts. */
typedef struct ask {
    dp_audit a;
    dp_result r;
    dp_number n[4], delta, confidence, looks, claim, mu;
    dp_options opt;
} ask;

static void ask_open(ask *q, const char *delta, const char *confidence)
{
    memset(q, 0, sizeof *q);
    dp_result_init(&q->r);
    dp_number *all[] = {&q->n[0],       &q->n[1],  &q->n[2],  &q->n[3], &q->delta,
                        &q->confidence, &q->looks, &q->claim, &q->mu};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        dp_number_init(all[i]);
    number_of(&q->delta, delta);
    number_of(&q->confidence, confidence);
    q->a.delta = &q->delta;
    q->a.confidence = &q->confidence;
    q->opt = dp_options_default();
}

static void ask_close(ask *q)
{
    dp_number *all[] = {&q->n[0],       &q->n[1],  &q->n[2],  &q->n[3], &q->delta,
                        &q->confidence, &q->looks, &q->claim, &q->mu};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        dp_number_clear(all[i]);
    dp_result_clear(&q->r);
}

static void two(ask *q, unsigned long tp, unsigned long n1, unsigned long fp, unsigned long n0)
{
    const unsigned long counts[] = {tp, n1, fp, n0};
    for (int i = 0; i < 4; i++)
        dp_number_set_ui(&q->n[i], counts[i]);
    q->a.true_positives = &q->n[0];
    q->a.positives = &q->n[1];
    q->a.false_positives = &q->n[2];
    q->a.negatives = &q->n[3];
}

static double answered(ask *q, const char *name)
{
    assert_int_equal(dp_audit_evaluate(&q->r, &q->a, &q->opt, NULL), DP_OK);
    assert_true(q->r.is_finding && q->r.guarantee == 0);
    const dp_figure *f = dp_result_figure(&q->r, name);
    return dp_figure_double(f, dp_quantity_safe(name), 10);
}

/* Is the p-value c (1 - ln c), to its digits? */
static void is_product(const ask *q, const mpq_t c)
{
    mpfi_t x, p;
    mpfi_init2(x, 100);
    mpfi_init2(p, 100);
    mpfi_set_q(x, c);
    mpfi_log(p, x);
    mpfi_ui_sub(p, 1, p);
    mpfi_mul(p, p, x);
    const dp_figure *f = dp_result_figure(&q->r, "p_value");
    assert_true(mpfr_lessequal_p(&f->enclosure->left, &p->right));
    assert_true(mpfr_lessequal_p(&p->left, &f->enclosure->right));
    mpfi_sub(x, f->enclosure, p);
    mpfi_div(x, x, p);
    assert_true(mpfr_cmp_d(&x->right, 1e-9) < 0 && mpfr_cmp_d(&x->left, -1e-9) > 0);
    mpfi_clear(p);
    mpfi_clear(x);
}

/* Without a false positive, and delta > 0, the worst point of the curve may be x = 0, where nothing
 * depends on epsilon: c = Pr[Bin(12, 3/10) >= 2]. */
static void test_worst_at_zero(void **state)
{
    (void)state;
    ask q;
    mpq_t rate, tail;
    mpq_inits(rate, tail, NULL);
    ask_open(&q, "0.3", "0.95");
    two(&q, 2, 12, 0, 3);
    number_of(&q.claim, "ln(2)");
    q.opt.max_epsilon = &q.claim;
    answered(&q, "p_value");
    rational_of(rate, "0.3");
    exact_tail(tail, 2, 12, rate);
    is_product(&q, tail);
    two(&q, 12, 12, 0, 100); /* the other way: the members' misses are none, n0 far larger */
    assert_true(answered(&q, "epsilon_lower") > 2.5);
    ask_close(&q);
    ask_open(&q, "0.1", "0.95"); /* refuted, at the same point: c = 1.7e-7 */
    two(&q, 60, 300, 0, 1000000);
    number_of(&q.claim, "ln(2)");
    q.opt.max_epsilon = &q.claim;
    assert_true(fabs(answered(&q, "p_value") - 2.751896436e-6) < 1e-14);
    assert_int_equal(q.r.check.holds, DP_NO);
    ask_close(&q);
    mpq_clears(rate, tail, NULL);
}

/* At epsilon 0 the curve has no corner, and by symmetry x = 9/20 is worst, where neither side
 * rises: c = Pr[Bin(10, 11/20) >= 9]^2. */
static void test_worst_at_flat(void **state)
{
    (void)state;
    ask q;
    mpq_t rate, tail;
    mpq_inits(rate, tail, NULL);
    ask_open(&q, "0.1", "0.95");
    two(&q, 9, 10, 1, 10);
    number_of(&q.claim, "0");
    q.opt.max_epsilon = &q.claim;
    answered(&q, "p_value");
    rational_of(rate, "11/20");
    exact_tail(tail, 9, 10, rate);
    mpq_mul(tail, tail, tail);
    is_product(&q, tail);
    assert_int_equal(q.r.check.holds, DP_NO);
    ask_close(&q);
    mpq_clears(rate, tail, NULL);
}

/* Both tails are 1 but for what no double holds: between the rates, or next to x = 0. */
static void test_worst_is_certain(void **state)
{
    (void)state;
    static const unsigned long outcome[][4] = {{1000000, 100000000, 50000000, 100000000},
                                               {300000, 1000000, 100, 1000000},
                                               {5, 10, 100000, 1000000000}};
    static const char *const delta[] = {"0", "0.999", "0.9"};
    for (size_t i = 0; i < 3; i++) {
        ask q;
        ask_open(&q, delta[i], "0.95");
        two(&q, outcome[i][0], outcome[i][1], outcome[i][2], outcome[i][3]);
        number_of(&q.claim, "8");
        q.opt.max_epsilon = &q.claim;
        q.opt.max_seconds = 1;
        assert_true(answered(&q, "p_value") > 0.99 && q.r.check.holds == DP_YES);
        assert_true(answered(&q, "epsilon_lower") == 0);
        assert_int_equal(q.r.met, 0);
        ask_close(&q);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_worst_at_zero),
        cmocka_unit_test(test_worst_at_flat),
        cmocka_unit_test(test_worst_is_certain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
