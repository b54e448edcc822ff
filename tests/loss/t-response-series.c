/* SPDX-License-Identifier: MIT */
/* Moments of a long list by sums of powers, beside those by the formula of each loss with more
 * bits: up to the edge of what they are for, where the rest of the series counts. */
#include "support.h"

#include <stdio.h>

#include "loss/response_series.h"
#include "num/memory.h"

#define LOSSES 300
#define WORK 110

/* Epsilons next to 1/100 or far below it, some of them thrice, and a logarithm; or next to 1. */
typedef enum kind { FAR, NEAR, LARGE, KINDS } kind;

static void long_list(product *p, kind is)
{
    static const char *const start[KINDS] = {"0.00", "0.009", "0.9"};
    mpz_t times;
    dp_number x;
    mpz_init(times);
    dp_number_init(&x);
    product_init(p);
    for (unsigned long i = 0; i < LOSSES; i++) {
        char text[32];
        snprintf(text, sizeof text, "%s%05lu3", start[is], is == FAR ? 31 * i + 1 : 99000 + i);
        number_of(&x, i != 7 ? text : is == LARGE ? "ln(2.7182)" : "ln(1.00999)");
        mpz_set_ui(times, i % 50 == 3 ? 3 : 1);
        assert_int_equal(response_add(p, &x, times), DP_OK);
    }
    dp_number_clear(&x);
    mpz_clear(times);
    assert_int_equal(p->item[0].ops->prepare(p->item[0].self), DP_OK);
}

static void test_moment(void **state)
{
    (void)state;
    /* w = E (z + 1/2), and how near the moment is known there: by 32 terms and by 80 */
    static const struct {
        double w, apart[2];
    } at[] = {{0.499, {0x1p-100, 0x1p-100}},  {0.13, {0x1p-100, 0x1p-100}},
              {0.015, {0x1p-100, 0x1p-100}},  {-0.0025, {0x1p-100, 0x1p-100}},
              {-0.499, {0x1p-100, 0x1p-100}}, {0.3, {0x1p-100, 0x1p-100}},
              {0.67, {0x1p-73, 0x1p-100}},    {-0.67, {0x1p-73, 0x1p-100}},
              {0.7, {0, 0x1p-100}},           {0.948, {0, 0x1p-96}},
              {-0.948, {0, 0x1p-96}},         {0.9495, {0, 0}}};
    mpfi_t k, truth, z;
    mpfi_init2(k, 128);
    mpfi_init2(truth, 300);
    mpfi_init2(z, 60);
    for (kind is = FAR; is < KINDS; is++) {
        product p;
        long_list(&p, is);
        const response *r = p.item[0].self;
        assert_non_null(r->series);
        for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
            double apart = at[i].apart[is == LARGE];
            mpfi_set_d(z, at[i].w / mpfr_get_d(r->series->largest, MPFR_RNDN) - 0.5);
            if (response_series_moment(k, r->series, z) != (apart > 0))
                fail_msg("K at w = %g of list %d", at[i].w, (int)is);
            if (apart == 0)
                continue;
            response_moment(truth, r, z, NULL);
            if (!mpfi_is_inside(truth, k))
                fail_msg("K at w = %g of list %d", at[i].w, (int)is);
            mpfi_sub(truth, truth, k);
            mpfi_mag(&truth->left, truth);
            assert_true(mpfr_cmp_d(&truth->left, apart) < 0);
        }
        product_clear(&p);
    }
    mpfi_clear(z);
    mpfi_clear(truth);
    mpfi_clear(k);
}

/* Values at nodes with and without the series, which lie within each other's radii. */
static void compare_nodes(kind is, double c, double step)
{
    static const uint64_t node[] = {0, 1, 2, 7, 40, 96, 200};
    enum { COUNT = sizeof node / sizeof *node };
    product p;
    mpfr_t spacing;
    limits none = {0};
    long_list(&p, is);
    response *r = p.item[0].self;
    mpfr_init2(spacing, 100);
    mpfr_set_d(spacing, step, MPFR_RNDN);
    mpfr_div_ui(spacing, spacing, 3, MPFR_RNDN);
    mpfr_mul_ui(spacing, spacing, 3, MPFR_RNDN);
    line at = {.c = c, .spacing = spacing, .last = 300, .work = WORK};
    cball *with = cball_list_new(COUNT, WORK), *without = cball_list_new(COUNT, WORK);
    assert_true(with != NULL && without != NULL);
    for (size_t i = 0; i < COUNT; i++) {
        cball_set_ui(&with[i], 1);
        cball_set_ui(&without[i], 1);
        cball one;
        cball_init(&one, WORK);
        cball_set_ui(&one, 1);
        assert_int_equal(response_series_multiply(&one, r->series, &at, node[i]), i + 1 < COUNT);
        cball_clear(&one);
    }
    assert_int_equal(response_multiply(with, r, &at, node, COUNT, &none), DP_OK);
    response_series *series = r->series;
    r->series = NULL;
    assert_int_equal(response_multiply(without, r, &at, node, COUNT, &none), DP_OK);
    r->series = series;
    mpfr_t apart, reach;
    mpfr_init2(apart, 64);
    mpfr_init2(reach, 64);
    for (size_t i = 0; i < COUNT; i++) {
        mpfr_add(reach, with[i].radius, without[i].radius, MPFR_RNDU);
        mpfr_sub(apart, with[i].re, without[i].re, MPFR_RNDN);
        assert_true(mpfr_cmpabs(apart, reach) <= 0);
        mpfr_sub(apart, with[i].im, without[i].im, MPFR_RNDN);
        assert_true(mpfr_cmpabs(apart, reach) <= 0);
        assert_true(mpfr_cmp_d(with[i].radius, 0x1p-90) < 0);
    }
    mpfr_clear(reach);
    mpfr_clear(apart);
    cball_list_free(with, COUNT);
    cball_list_free(without, COUNT);
    mpfr_clear(spacing);
    product_clear(&p);
}

static void test_nodes(void **state)
{
    (void)state;
    compare_nodes(NEAR, 31.25, 0.4);
    compare_nodes(LARGE, 0.0625, 0.004);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_moment), cmocka_unit_test(test_nodes)};
    return cmocka_run_group_tests_name("response series", tests, NULL, NULL);
}
