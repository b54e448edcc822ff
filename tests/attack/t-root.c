/* SPDX-License-Identifier: MIT */
/* Roots that are told to be beyond a number by one evaluation. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beyond),
        cmocka_unit_test(test_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
