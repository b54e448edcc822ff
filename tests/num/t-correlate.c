/* SPDX-License-Identifier: MIT */
/* Sums of balls as one product of long integers, beside balls one by one; Fejer's rule beside the
 * integrals of powers. */
#include "support.h"

#include <math.h>

#include "num/cball.h"
#include "num/correlate.h"
#include "num/fejer.h"

static void set_random(cball *z, rng *r)
{
    MPFR_DECL_INIT(re, 60);
    MPFR_DECL_INIT(im, 60);
    mpfr_set_d(re, ((double)rng_below(r, 2000001) - 1e6) / 999983, MPFR_RNDN);
    mpfr_set_d(im, ((double)rng_below(r, 2000001) - 1e6) / 999979, MPFR_RNDN);
    int shift = (int)rng_below(r, 40) - 36;
    mpfr_mul_2si(re, re, shift, MPFR_RNDN);
    mpfr_mul_2si(im, im, shift, MPFR_RNDN);
    cball_set_fr(z, re, im);
}

/* |a - b| is at most both radii together, less than 2^-bits. */
static void meet(const cball *a, const cball *b, int bits)
{
    mpfr_t x, y;
    mpfr_inits2(400, x, y, (mpfr_ptr)NULL);
    mpfr_sub(x, a->re, b->re, MPFR_RNDN);
    mpfr_sub(y, a->im, b->im, MPFR_RNDN);
    mpfr_hypot(x, x, y, MPFR_RNDN);
    mpfr_add(y, a->radius, b->radius, MPFR_RNDU);
    assert_true(mpfr_lessequal_p(x, y));
    assert_true(mpfr_cmp_d(y, ldexp(1, -bits)) < 0);
    mpfr_clears(x, y, (mpfr_ptr)NULL);
}

/* Sums of balls one by one; and radii that are larger than what fixed point costs. */
static void test_correlate(void **state)
{
    (void)state;
    rng r = rng_make(41);
    for (int i = 0; i < rounds(30); i++) {
        size_t count = 1 + rng_below(&r, 20), shifts = 1 + rng_below(&r, 12);
        size_t stride = 1 + rng_below(&r, 3), length = count + (shifts - 1) * stride;
        cball *a = cball_list_new(count, 80), *b = cball_list_new(length, 80);
        cball *out = cball_list_new(shifts, 200);
        for (size_t k = 0; k < count; k++)
            set_random(&a[k], &r);
        for (size_t k = 0; k < length; k++)
            set_random(&b[k], &r);
        if (i % 5 == 4)
            mpfr_set_d(a[0].radius, 1e-9, MPFR_RNDU);
        assert_true(correlate(out, shifts, stride, a, count, b, 90));
        for (size_t m = 0; m < shifts; m++) {
            cball sum, part;
            cball_init(&sum, 300);
            cball_init(&part, 300);
            for (size_t n = 0; n < count; n++) {
                cball_mul(&part, &a[n], &b[n + m * stride]);
                cball_add(&sum, &sum, &part);
            }
            meet(&out[m], &sum, i % 5 == 4 ? 20 : 70);
            cball_clear(&part);
            cball_clear(&sum);
        }
        mpfr_set_inf(b[0].size, 1);
        assert_false(correlate(out, shifts, stride, a, count, b, 90));
        cball_list_free(out, shifts);
        cball_list_free(b, length);
        cball_list_free(a, count);
    }
}

/* x^k, k < n, is 1/(k+1), and not at n; weights are positive. */
static void test_fejer(void **state)
{
    (void)state;
    mpfi_t at[12], weight[12], sum, part;
    for (size_t i = 0; i < 12; i++) {
        mpfi_init2(at[i], 200);
        mpfi_init2(weight[i], 200);
    }
    mpfi_init2(sum, 200);
    mpfi_init2(part, 200);
    fejer_rule(at, weight, 12);
    for (unsigned k = 0; k < 16; k++) {
        mpfi_set_ui(sum, 0);
        for (size_t i = 0; i < 12; i++) {
            assert_true(mpfi_is_strictly_pos(weight[i]));
            mpfi_set(part, weight[i]);
            for (unsigned j = 0; j < k; j++)
                mpfi_mul(part, part, at[i]);
            mpfi_add(sum, sum, part);
        }
        mpfi_mul_ui(sum, sum, k + 1);
        mpfi_sub_ui(sum, sum, 1);
        assert_true(k < 12 ? mpfi_has_zero(sum) : k % 2 == 1 || !mpfi_has_zero(sum));
        assert_true(k > 11 || mpfr_cmp_d(&sum->right, 1e-50) < 0);
    }
    mpfi_clear(part);
    mpfi_clear(sum);
    for (size_t i = 0; i < 12; i++) {
        mpfi_clear(weight[i]);
        mpfi_clear(at[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_correlate),
        cmocka_unit_test(test_fejer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
