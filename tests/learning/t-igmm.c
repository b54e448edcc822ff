/* SPDX-License-Identifier: MIT */
/* The iterative Gaussian mechanism: the exact profile where all records are in the batch, and the
 * certified bound recomposed from one step by hand. */
#include "support.h"

#include <stdio.h>
#include <string.h>

#define BITS 300

/* Phi(w/2 - x/w) - e^x Phi(-w/2 - x/w), to within 2^-200 */
static void gaussian_delta(mpfr_t out, const mpfr_t w, const mpfr_t x)
{
    mpfr_t ratio, root, half;
    mpfr_inits2(BITS, ratio, root, half, (mpfr_ptr)NULL);
    mpfr_div(ratio, x, w, MPFR_RNDN);
    mpfr_div_ui(half, w, 2, MPFR_RNDN);
    mpfr_sqrt_ui(root, 2, MPFR_RNDN);
    mpfr_sub(out, ratio, half, MPFR_RNDN); /* Phi(-t) = erfc(t / sqrt 2) / 2 */
    mpfr_div(out, out, root, MPFR_RNDN);
    mpfr_erfc(out, out, MPFR_RNDN);
    mpfr_add(half, ratio, half, MPFR_RNDN);
    mpfr_div(half, half, root, MPFR_RNDN);
    mpfr_erfc(half, half, MPFR_RNDN);
    mpfr_exp(root, x, MPFR_RNDN);
    mpfr_mul(half, half, root, MPFR_RNDN);
    mpfr_sub(out, out, half, MPFR_RNDN);
    mpfr_div_ui(out, out, 2, MPFR_RNDN);
    mpfr_clears(ratio, root, half, (mpfr_ptr)NULL);
}

static void set_query(dp_igmm *g, unsigned long n, unsigned long batch, unsigned long times,
                      const char *diameter, const char *sigma)
{
    mpz_set_ui(g->samples, n);
    mpz_set_ui(g->batch, batch);
    mpz_set_ui(g->times, times);
    rational_of(g->diameter, diameter);
    rational_of(g->sigma, sigma);
}

static void ask(dp_result *r, dp_igmm *g, const char *epsilon, const char *delta)
{
    dp_number x;
    dp_options opt = dp_options_default();
    opt.digits = 15;
    opt.max_seconds = 5;
    dp_number_init(&x);
    number_of(&x, epsilon != NULL ? epsilon : delta);
    g->target_epsilon = epsilon != NULL ? &x : NULL;
    g->target_delta = epsilon != NULL ? NULL : &x;
    assert_int_equal(dp_igmm_privacy(r, g, &opt, NULL), DP_OK);
    g->target_epsilon = g->target_delta = NULL;
    dp_number_clear(&x);
}

/* w = sqrt(T) diameter / (batch sigma) */
static void total_shift(mpfr_t w, const dp_igmm *g)
{
    mpfr_set_z(w, g->times, MPFR_RNDN);
    mpfr_sqrt(w, w, MPFR_RNDN);
    mpfr_mul_q(w, w, g->diameter, MPFR_RNDN);
    mpfr_div_q(w, w, g->sigma, MPFR_RNDN);
    mpfr_div_z(w, w, g->batch, MPFR_RNDN);
}

static const struct {
    unsigned long n, times;
    const char *diameter, *sigma;
} full[] = {{1, 1, "2", "1"},   {1, 7, "1", "2"},       {5, 20, "2", "1"},
            {100, 1, "1", "3"}, {3, 1000, "0.1", "10"}, {1, 4, "9", "1"}};

static void test_gaussian(void **state)
{
    (void)state;
    static const char *const epsilons[] = {"0", "0.01", "1", "7"};
    static const char *const deltas[] = {"1e-5", "1e-12", "0.01"};
    mpfr_t w, x, delta, slack, low, high;
    mpfr_inits2(BITS, w, x, delta, slack, low, high, (mpfr_ptr)NULL);
    mpq_t q;
    mpq_init(q);
    for (size_t i = 0; i < sizeof full / sizeof *full; i++) {
        dp_igmm g;
        dp_result r;
        dp_igmm_init(&g);
        dp_result_init(&r);
        set_query(&g, full[i].n, full[i].n, full[i].times, full[i].diameter, full[i].sigma);
        total_shift(w, &g);
        for (size_t j = 0; j < 4; j++) {
            ask(&r, &g, epsilons[j], NULL);
            rational_of(q, epsilons[j]);
            mpfr_set_q(x, q, MPFR_RNDN);
            gaussian_delta(delta, w, x);
            mpfr_set_ui_2exp(slack, 1, -200, MPFR_RNDN);
            mpfr_sub(low, delta, slack, MPFR_RNDD);
            mpfr_add(high, delta, slack, MPFR_RNDU);
            const dp_figure *exact = row_of(&r, "igmm-gaussian", "delta");
            assert_true(figure_holds_fr(exact, low, high));
            assert_true(figure_may_be_le(exact, row_of(&r, "igmm-certified", "delta")));
        }
        for (size_t j = 0; j < 3; j++) { /* delta at both ends of epsilon encloses the target */
            ask(&r, &g, NULL, deltas[j]);
            rational_of(q, deltas[j]);
            const dp_figure *f = row_of(&r, "igmm-gaussian", "epsilon");
            assert_true(figure_may_be_le(f, row_of(&r, "igmm-certified", "epsilon")));
            if (f->kind == DP_RATIONAL) {
                assert_int_equal(mpq_sgn(f->rational), 0);
                mpfr_set_ui(x, 0, MPFR_RNDN);
                gaussian_delta(delta, w, x);
                assert_true(mpfr_cmp_q(delta, q) <= 0);
                continue;
            }
            gaussian_delta(high, w, &f->enclosure->left);
            gaussian_delta(low, w, &f->enclosure->right);
            assert_true(mpfr_cmp_q(low, q) <= 0 && mpfr_cmp_q(high, q) >= 0);
        }
        dp_result_clear(&r);
        dp_igmm_clear(&g);
    }
    mpq_clear(q);
    mpfr_clears(w, x, delta, slack, low, high, (mpfr_ptr)NULL);
}

/* One step at e1 is (ln(1 + eta (e^e1 - 1)), eta delta(e1)), rounded to the way asked. */
static void step_pair(dp_number *epsilon, mpq_t delta, const dp_igmm *g, const mpfr_t e1,
                      bool above)
{
    mpfr_t w, x, y;
    mpq_t eta;
    mpfr_inits2(BITS, w, x, y, (mpfr_ptr)NULL);
    mpq_init(eta);
    mpz_set(mpq_numref(eta), g->batch);
    mpz_set(mpq_denref(eta), g->samples);
    mpq_canonicalize(eta);
    mpfr_set_q(w, g->diameter, MPFR_RNDN);
    mpfr_div_q(w, w, g->sigma, MPFR_RNDN);
    mpfr_div_z(w, w, g->batch, MPFR_RNDN);
    gaussian_delta(y, w, e1);
    mpfr_mul_q(y, y, eta, MPFR_RNDN);
    mpfr_expm1(x, e1, MPFR_RNDN);
    mpfr_mul_q(x, x, eta, MPFR_RNDN);
    mpfr_log1p(x, x, MPFR_RNDN);
    /* 100 bits, one unit to the side: far more than the errors above */
    mpfr_prec_round(x, 100, MPFR_RNDN);
    mpfr_prec_round(y, 100, MPFR_RNDN);
    if (above) {
        mpfr_nextabove(x);
        mpfr_nextabove(y);
    } else {
        mpfr_nextbelow(x);
        mpfr_nextbelow(y);
    }
    mpfr_get_q(epsilon->value, x);
    epsilon->is_log = 0;
    mpfr_get_q(delta, y);
    mpq_clear(eta);
    mpfr_clears(w, x, y, (mpfr_ptr)NULL);
}

static void recomposed(dp_result *r, const dp_igmm *g, const mpfr_t e1, bool above, const char *at)
{
    dp_composition c;
    dp_number epsilon;
    mpq_t delta;
    dp_composition_init(&c);
    dp_number_init(&epsilon);
    mpq_init(delta);
    step_pair(&epsilon, delta, g, e1, above);
    assert_int_equal(dp_composition_add(&c, &epsilon, delta, g->times, NULL), DP_OK);
    ask_delta(r, &c, at, 12);
    mpq_clear(delta);
    dp_number_clear(&epsilon);
    dp_composition_clear(&c);
}

/* The certified delta lies between what one step, rounded down and up, composes to. */
static void test_certified(void **state)
{
    (void)state;
    static const struct {
        unsigned long n, batch, times;
        const char *diameter, *sigma, *at;
    } cases[] = {{100, 10, 20, "2", "1", "1"},
                 {60000, 600, 1000, "2", "0.01", "0.5"},
                 {10, 10, 5, "2", "1", "1"},
                 {7, 1, 3, "1", "1", "0.25"}};
    mpfr_t e1;
    mpfr_init2(e1, BITS);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dp_igmm g;
        dp_result r, low, high;
        dp_igmm_init(&g);
        dp_result_init(&r);
        dp_result_init(&low);
        dp_result_init(&high);
        set_query(&g, cases[i].n, cases[i].batch, cases[i].times, cases[i].diameter,
                  cases[i].sigma);
        ask(&r, &g, cases[i].at, NULL);
        const dp_figure *delta = row_of(&r, "igmm-certified", "delta");
        const dp_figure *one = row_of(&r, "igmm-certified", "epsilon_one");
        assert_int_equal(one->kind, DP_RATIONAL);
        mpfr_set_q(e1, one->rational, MPFR_RNDN);
        recomposed(&low, &g, e1, false, cases[i].at);
        recomposed(&high, &g, e1, true, cases[i].at);
        assert_true(figure_may_be_le(row_of(&low, "compose-optimal", "delta"), delta));
        assert_true(figure_may_be_le(delta, row_of(&high, "compose-optimal", "delta")));
        dp_result_clear(&high);
        dp_result_clear(&low);
        dp_result_clear(&r);
        dp_igmm_clear(&g);
    }
    mpfr_clear(e1);
}

/* More steps, less noise, larger batches of fewer records: never a smaller delta. */
static void test_monotone(void **state)
{
    (void)state;
    dp_igmm g;
    dp_result a, b;
    dp_igmm_init(&g);
    dp_result_init(&a);
    dp_result_init(&b);
    set_query(&g, 200, 10, 10, "2", "1");
    ask(&a, &g, "1", NULL);
    for (int change = 0; change < 4; change++) {
        set_query(&g, change == 2 ? 100 : 200, 10, change == 0 ? 20 : 10, change == 3 ? "3" : "2",
                  change == 1 ? "0.8" : "1");
        ask(&b, &g, "1", NULL);
        assert_false(figure_may_be_le(row_of(&b, "igmm-certified", "delta"),
                                      row_of(&a, "igmm-certified", "delta")));
    }
    dp_result_clear(&b);
    dp_result_clear(&a);
    dp_igmm_clear(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gaussian),
        cmocka_unit_test(test_certified),
        cmocka_unit_test(test_monotone),
    };
    return cmocka_run_group_tests_name("iterative Gaussian", tests, NULL, NULL);
}
