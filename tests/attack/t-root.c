/* SPDX-License-Identifier: MIT */
/* Roots that are told to be beyond a number by one evaluation, or on one side of a decimal; guesses
 * of roots. */
#include "support.h"

#include <math.h>

#include "attack/root.h"

/* x - 2, to 2^-20 */
static void less_two(mpfi_t out, const mpfi_t x, const void *of)
{
    mpfi_sub_ui(out, x, 2);
    mpfi_increase(out, (mpfr_srcptr)of);
}

static bool beyond(double low, double high)
{
    mpfr_t doubt;
    mpfi_t at;
    mpfr_init2(doubt, 53);
    mpfi_init2(at, 200);
    mpfr_set_ui_2exp(doubt, 1, -20, MPFR_RNDN);
    mpfi_interv_d(at, low, high);
    bool is = root_is_beyond(at, less_two, doubt);
    mpfi_clear(at);
    mpfr_clear(doubt);
    return is;
}

static void test_beyond(void **state)
{
    (void)state;
    assert_true(beyond(1, 1.5));
    assert_true(beyond(-3, 2 - 0x1p-20));
    assert_false(beyond(1, 2 - 0x1p-21));
    assert_false(beyond(1, 2));
    assert_false(beyond(1, 2.5));
    assert_false(beyond(1, HUGE_VAL));
    assert_true(beyond(-HUGE_VAL, 1));
}

/* What has more bits than the evaluation is rounded upward: 2 - 2^-150 is 2, whose sign is not told
 * to be negative; it is not taken for less. */
static void exactly_two(mpfi_t out, const mpfi_t x, const void *of)
{
    (void)of;
    mpfi_set_si(out, mpfr_cmp_ui(&x->right, 2) < 0 ? -1 : 1);
}

static void test_rounding(void **state)
{
    (void)state;
    mpfi_t at;
    mpfi_init2(at, 200);
    mpfr_set_ui_2exp(&at->left, 1, -150, MPFR_RNDN);
    mpfr_ui_sub(&at->left, 2, &at->left, MPFR_RNDN);
    mpfr_set(&at->right, &at->left, MPFR_RNDN);
    assert_false(root_is_beyond(at, exactly_two, NULL));
    mpfi_clear(at);
}

/* x less a rational, as it grows or falls */
typedef struct line {
    mpq_t root;
    bool falls;
} line;

static void above_root(mpfi_t out, const mpfi_t x, const void *of)
{
    const line *l = of;
    mpfi_sub_q(out, x, l->root);
    if (l->falls)
        mpfi_neg(out, out);
}

/* Is the root of a line still enclosed, and printed as neighbours of 10 digits? */
static bool is_settled(const char *root, const char *low, const char *high, double guess,
                       bool falls)
{
    line l = {.falls = falls};
    mpq_t end;
    mpfi_t x;
    mpq_init(l.root);
    mpq_init(end);
    mpfi_init2(x, 60);
    rational_of(l.root, root);
    rational_of(end, low);
    mpfr_set_q(&x->left, end, MPFR_RNDD);
    rational_of(end, high);
    mpfr_set_q(&x->right, end, MPFR_RNDU);
    root_settle(x, above_root, &l, &(root_start){.near = guess, .falls = falls}, 10);
    assert_true(mpfr_cmp_q(&x->left, l.root) <= 0 && mpfr_cmp_q(&x->right, l.root) >= 0);
    mpfi_mul_d(x, x, 1e10);
    double least = floor(mpfr_get_d(&x->left, MPFR_RNDD)),
           most = ceil(mpfr_get_d(&x->right, MPFR_RNDU));
    mpfi_clear(x);
    mpq_clear(end);
    mpq_clear(l.root);
    return most - least <= 1;
}

/* The decimal between the ends is 0.1234567891; a guess on its wrong side tells nothing. */
static void test_settled(void **state)
{
    (void)state;
    const char *low = "0.123456789099", *high = "0.123456789101";
    for (int falls = 0; falls < 2; falls++) {
        assert_true(is_settled("0.1234567890999", low, high, 0.1234567890999, falls));
        assert_true(is_settled("0.1234567891001", low, high, 0.1234567891001, falls));
        assert_false(is_settled("0.1234567890999", low, high, 0.1234567891001, falls));
        assert_false(is_settled("0.1234567891001", low, high, 0.1234567890999, falls));
        assert_false(is_settled("0.1234567891", low, high, 0.1234567891, falls));
        assert_true(is_settled("0.1234567890995", low, "0.1234567890999", 0.12, falls));
    }
}

typedef struct curve {
    double root;
    int shape, calls;
} curve;

static double of_curve(const void *of, double x)
{
    curve *c = (curve *)of;
    double d = x - c->root;
    c->calls++;
    return c->shape == 0   ? d
           : c->shape == 1 ? expm1(40 * d)
           : c->shape == 2 ? d * d * d
           : d < 0         ? -1
                           : 1e9;
}

/* A line, a steep curve, a flat one and a jump: whatever end is the higher one. */
static void test_guess(void **state)
{
    (void)state;
    for (int shape = 0; shape < 4; shape++)
        for (int i = 0; i < 20; i++) {
            curve c = {.root = 0.031 * (i + 1), .shape = shape};
            double found =
                i % 2 == 0 ? root_guess(of_curve, &c, 0, 1) : root_guess(of_curve, &c, 1, 0);
            assert_true(fabs(found - c.root) < (shape == 2 ? 1e-12 : 1e-15));
            assert_in_range(c.calls, 2, shape == 0 ? 8 : shape == 1 ? 20 : 90);
            c.calls = 0;
            found = root_guess_near(of_curve, &c, 0, 1, 1e-4);
            assert_true(fabs(found - c.root) <= 1e-4);
            assert_in_range(c.calls, 2, 24);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beyond),
        cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_settled),
        cmocka_unit_test(test_guess),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
