/* SPDX-License-Identifier: MIT */
/* A cell of one epsilon beside its own sum of masses at four times the precision: in fixed point
 * where that is proved to be narrow, and by MPFR. */
#include "support.h"

#include <stdio.h>

#include "loss/response_cell_fixed.h"
#include "num/ival.h"
#include "num/number.h"

#define BITS 512

/* V = sum P(j) e^(-2 eps (i - j)), G = sum P(j) (1 - e^(-2 eps (i - j))), j = 0 .. i, for P(j) =
 * C(k, j) q^(k - j) p^j, each mass by itself. */
static void masses(mpfi_t g, mpfi_t v, const composed_loss *l, unsigned long k, unsigned long i)
{
    mpfi_t eps, q, p, mass, part, rest;
    mpfi_ptr all[] = {g, v, eps, q, p, mass, part, rest};
    mpz_t ways;
    mpz_init(ways);
    for (size_t n = 0; n < 8; n++) {
        if (n > 1)
            mpfi_init2(all[n], BITS);
        mpfi_set_ui(all[n], 0);
    }
    ival_set_number(eps, &l->epsilon);
    mpfi_neg(part, eps);
    mpfi_exp(part, part);
    mpfi_add_ui(q, part, 1);
    mpfi_ui_div(q, 1, q);
    mpfi_mul(p, part, q);
    for (unsigned long j = 0; j <= i; j++) {
        mpz_bin_uiui(ways, k, j);
        for (int end = 0; end < 2; end++) { /* MPFI has no powers */
            mpfr_rnd_t way = end == 0 ? MPFR_RNDD : MPFR_RNDU;
            mpfr_ptr m = end == 0 ? &mass->left : &mass->right,
                     r = end == 0 ? &part->left : &part->right;
            mpfr_pow_ui(m, end == 0 ? &q->left : &q->right, k - j, way);
            mpfr_pow_ui(r, end == 0 ? &p->left : &p->right, j, way);
        }
        mpfi_mul(mass, mass, part);
        mpfi_mul_z(mass, mass, ways);
        mpfi_mul_ui(part, eps, 2 * (i - j));
        mpfi_neg(part, part);
        mpfi_expm1(rest, part);
        mpfi_exp(part, part);
        mpfi_mul(part, part, mass);
        mpfi_add(v, v, part);
        mpfi_neg(rest, rest);
        mpfi_mul(rest, rest, mass);
        mpfi_add(g, g, rest);
    }
    for (size_t n = 2; n < 8; n++)
        mpfi_clear(all[n]);
    mpz_clear(ways);
}

/* `inner` lies in `outer`, which is at most 2^-bits of it wide. */
static void check_in(const mpfi_t inner, const mpfi_t outer, mpfr_prec_t bits)
{
    mpfr_t width, most;
    mpfr_inits2(64, width, most, (mpfr_ptr)NULL);
    assert_true(mpfr_lessequal_p(&outer->left, &inner->left));
    assert_true(mpfr_greaterequal_p(&outer->right, &inner->right));
    mpfr_sub(width, &outer->right, &outer->left, MPFR_RNDU);
    mpfr_mul_2si(most, &inner->right, -bits, MPFR_RNDD);
    assert_true(mpfr_lessequal_p(width, most));
    mpfr_clears(width, most, (mpfr_ptr)NULL);
}

/* Returns whether the fixed point was enough. */
static bool check(const char *epsilon, unsigned long k, unsigned long i, mpfr_prec_t bits)
{
    response *law = response_new(1);
    mpfi_t g, v, g0, v0;
    mpfi_ptr all[] = {g, v, g0, v0};
    dp_number e;
    mpz_t n;
    dp_number_init(&e);
    number_of(&e, epsilon);
    mpz_init_set_ui(n, k);
    assert_int_equal(response_push(law, &e, n), DP_OK);
    for (size_t j = 0; j < 4; j++)
        mpfi_init2(all[j], BITS);
    masses(g0, v0, &law->loss[0], k, i);
    mpz_set_ui(n, i);
    assert_int_equal(response_cell(g, v, law, n, bits, NULL), DP_OK);
    check_in(g0, g, bits - 2);
    check_in(v0, v, bits - 2);
    bool is_fixed = response_cell_fixed(g, v, &law->loss[0], n, bits);
    if (is_fixed) {
        check_in(g0, g, bits);
        check_in(v0, v, bits);
    }
    for (size_t j = 0; j < 4; j++)
        mpfi_clear(all[j]);
    mpz_clear(n);
    dp_number_clear(&e);
    response_ops.clear(law);
    return is_fixed;
}

#ifdef __SIZEOF_INT128__
#define HAS_FIXED true
#else
#define HAS_FIXED false
#endif

/* Where the most is lost: few and many uses, all of them and none, terms that grow by much before
 * they fall, and that fall at once, the least and the largest epsilons that there are. */
static void test_edges(void **state)
{
    (void)state;
    static const struct {
        const char *epsilon;
        unsigned long k, i;
        mpfr_prec_t bits;
        bool is_fixed;
    } list[] = {
        {"0.1", 1, 0, 63, true},         {"0.1", 1, 1, 63, true},
        {"0.1", 11, 5, 63, true},        {"0.1", 11, 5, 85, true},
        {"0.1", 11, 5, 110, false},      {"0.1", 11, 5, 200, false},
        {"1e-4", 11, 5, 63, true},       {"1e-9", 11, 5, 63, false},
        {"1e-9", 11, 0, 63, true},       {"1e-60", 11, 5, 63, false},
        {"1e-60", 11, 0, 63, true},      {"ln(3)", 35, 17, 63, true},
        {"ln(3)", 35, 35, 63, true},     {"ln(1001/1000)", 35, 17, 63, true},
        {"50", 9, 4, 63, true},          {"300", 9, 8, 63, true},
        {"1000", 9, 3, 63, true},        {"1023", 2, 3 - 1, 63, true},
        {"4000", 1, 1, 63, false},       {"4000", 1, 0, 63, true},
        {"4097", 1, 0, 63, false},       {"0.001", 1001, 500, 63, true},
        {"0.1", 1001, 1001, 63, true},   {"5", 1001, 600, 63, true},
        {"1", 2000, 999, 63, true},      {"1e-3", 8191, 8191, 20, true},
        {"1e-3", 8191, 4000, 40, true},  {"0.01", 8192, 10, 63, false},
        {"0.4", 8191, 8191, 20, true},   {"0.49", 8191, 8191, 20, true},
        {"0.51", 8191, 8191, 20, false}, {"1e-2", 8191, 3, 63, true},
    };
    for (size_t j = 0; j < sizeof list / sizeof *list; j++) {
        bool is_fixed = check(list[j].epsilon, list[j].k, list[j].i, list[j].bits);
        if (is_fixed != (HAS_FIXED && list[j].is_fixed))
            fail_msg("%s x %lu, %lu, %ld bits", list[j].epsilon, list[j].k, list[j].i,
                     (long)list[j].bits);
    }
}

/* One term of many uses: all that is off is ln(1 + e^-eps), as many times. */
static void test_first(void **state)
{
    (void)state;
    char epsilon[40];
    for (int j = 1; j <= 40; j++) {
        snprintf(epsilon, sizeof epsilon, "%de-3", 7 * j * j);
        assert_true(check(epsilon, 8191, 0, 63) || !HAS_FIXED);
    }
}

static void test_random(void **state)
{
    (void)state;
    rng r = rng_make(1);
    char epsilon[40];
    size_t found = 0;
    for (int j = 0; j < rounds(400); j++) {
        unsigned long k = 1 + (unsigned long)rng_below(&r, j % 50 == 0 ? 700 : 60);
        unsigned long i = (unsigned long)rng_below(&r, k + 1);
        unsigned long digits = (unsigned long)rng_below(&r, 1000000) + 1;
        if (j % 3 == 0)
            snprintf(epsilon, sizeof epsilon, "ln(%lu/1000)", 1000 + digits % 5000 + 1);
        else
            snprintf(epsilon, sizeof epsilon, "%lue-%d", digits, (int)rng_below(&r, 14) + 4);
        found += check(epsilon, k, i, 20 + (mpfr_prec_t)rng_below(&r, 90));
    }
    assert_true(found > (size_t)rounds(400) / 4 || !HAS_FIXED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_edges), cmocka_unit_test(test_first),
                                       cmocka_unit_test(test_random)};
    return cmocka_run_group_tests_name("cells of one epsilon", tests, NULL, NULL);
}
