/* SPDX-License-Identifier: MIT */
/* Both ends of epsilon by two moments: around what the engine finds at any target, and of very many
 * uses the mean of the losses to all digits. */
#include "../loss/laws.h"

#include <math.h>
#include <string.h>

#include "engine/invert.h"
#include "loss/laplace.h"

static const limits NO_LIMITS = {0};

#define BITS 96

static void open_laplace(product *p, engine *e, const char *epsilon, const char *times)
{
    mpq_t b;
    mpz_t n;
    mpq_init(b);
    mpq_set_str(b, epsilon, 10);
    mpz_init_set_str(n, times, 10);
    product_init(p);
    assert_int_equal(laplace_add(p, b, n), DP_OK);
    assert_int_equal(engine_init(e, p), DP_OK);
    mpz_clear(n);
    mpq_clear(b);
}

static const char *const TARGETS[] = {"1/1000000000000", "1/100000", "1/3", "9/10", "999/1000"};

/* A target next to the largest that any epsilon leaves is the worst place: there epsilon is 0. */
static void test_encloses(void **state)
{
    (void)state;
    static const char *const uses[] = {"1", "5", "1000", "1000000000000"};
    size_t answered = 0;
    mpq_t delta;
    mpq_init(delta);
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < sizeof TARGETS / sizeof *TARGETS; j++) {
            product p;
            engine e;
            dp_figure f;
            mpfi_t ends;
            mpfi_init2(ends, 64);
            dp_figure_init(&f);
            open_laplace(&p, &e, "1/2", uses[i]);
            mpq_set_str(delta, TARGETS[j], 10);
            dp_status status = optimal_epsilon_at(&f, &e, delta, 8, &NO_LIMITS);
            assert_true(status == DP_OK || status == DP_LIMIT);
            answered += status == DP_OK;
            assert_true(optimal_by_moments(ends, &e, delta, BITS, &NO_LIMITS));
            if (f.kind == DP_RATIONAL) {
                assert_true(mpfr_cmp_q(&ends->left, f.rational) <= 0);
                assert_true(mpfr_cmp_q(&ends->right, f.rational) >= 0);
            } else if (status == DP_OK) {
                assert_true(mpfr_lessequal_p(&ends->left, &f.enclosure->left));
                assert_true(mpfr_greaterequal_p(&ends->right, &f.enclosure->right));
            }
            engine_clear(&e);
            product_clear(&p);
            dp_figure_clear(&f);
            mpfi_clear(ends);
        }
    assert_true(answered >= 15);
    mpq_clear(delta);
}

/* Of many uses of noise of scale 1 epsilon is N (1/e + r) with |r| below 1e-14 at N = 10^30 and
 * more. */
static void test_mean(void **state)
{
    (void)state;
    char times[402] = "1";
    memset(times + 1, '0', 400);
    mpq_t delta;
    mpfr_t mean, part;
    mpq_init(delta);
    mpfr_init2(mean, 128);
    mpfr_init2(part, 128);
    for (size_t zeros = 30; zeros <= 400; zeros += 370) {
        times[1 + zeros] = '\0';
        product p;
        engine e;
        dp_figure f;
        dp_figure_init(&f);
        open_laplace(&p, &e, "1", times);
        assert_true(optimal_is_narrow(&e, false));
        mpq_set_str(delta, "1/100000", 10);
        assert_int_equal(optimal_epsilon_at(&f, &e, delta, 10, &NO_LIMITS), DP_OK);
        mpfr_set_si(mean, -1, MPFR_RNDN);
        mpfr_exp(mean, mean, MPFR_RNDN);
        mpfr_set_str(part, times, 10, MPFR_RNDN);
        mpfr_mul(mean, mean, part, MPFR_RNDN);
        mpfr_ptr end[] = {&f.enclosure->left, &f.enclosure->right};
        for (size_t i = 0; i < 2; i++) {
            mpfr_sub(part, end[i], mean, MPFR_RNDN);
            mpfr_div(part, part, mean, MPFR_RNDN);
            assert_true(fabs(mpfr_get_d(part, MPFR_RNDN)) < 1e-13);
        }
        engine_clear(&e);
        product_clear(&p);
        dp_figure_clear(&f);
        memset(times + 1, '0', 400);
    }
    mpfr_clear(part);
    mpfr_clear(mean);
    mpq_clear(delta);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_encloses),
                                       cmocka_unit_test(test_mean)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
